# SPDX-License-Identifier: Apache-2.0
"""Numbers as people write them and read them: one place for window, report, shell and plots.

In running text a number has separators from five digits on, so that years stay years; in columns
every number of four digits has them too. Cells of CSV files, manifests and JSON are no text: there
a number stays as programs write it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"
APPROXIMATELY = "\N{ALMOST EQUAL TO}"
_SPACES = " \u00a0\u2007\u2009\u202f"
_NO_DECIMAL_MARKS = (_SPACES, "'\u2019")
"""What parts thousands wherever it stands, in whatever language; each of them counts as one."""
_PLAIN = re.compile(r"(-?)([0-9]+)(\.[0-9]+)?", re.ASCII)
_TYPED = re.compile(r"([+-]?)([0-9]*)(?:[.,]([0-9]*))?", re.ASCII)
_GROUPED = re.compile(r"([+-]?)([1-9][0-9]{0,2}(?:G[0-9]{3})+)(?:D([0-9]+))?", re.ASCII)
_LEAST_DIGITS = 5


@dataclass(frozen=True)
class NumberStyle:
    """The signs that a language writes numbers with.

    Attributes:
        group: what is between groups of three digits.
        minus: the sign before a negative number.
    """

    decimal: str = "."
    group: str = ","
    minus: str = MINUS


ENGLISH = NumberStyle()


def in_text(number: str, style: NumberStyle = ENGLISH, grouped_from: int = _LEAST_DIGITS) -> str:
    """A plain decimal text as it is in a sentence; any other text as it is.

    Args:
        number: the text.
        style: how a language writes it.
        grouped_from: from how many digits on they are written in groups.

    >>> in_text("9999"), in_text("-12345.60"), in_text("1e-9")
    ('9999', '−12,345.60', '1e-9')
    """
    match = _PLAIN.fullmatch(number)
    if match is None:
        return number
    sign, whole, part = match.groups(default="")
    if len(whole) >= grouped_from:
        whole = f"{int(whole):,}".replace(",", style.group)
    return (style.minus if sign else "") + whole + part.replace(".", style.decimal)


def in_column(number: str, style: NumberStyle = ENGLISH) -> str:
    """A plain decimal text as it is under others.

    >>> in_column("9999"), in_column("-0.25")
    ('9,999', '−0.25')
    """
    return in_text(number, style, _LEAST_DIGITS - 1)


def in_percent(share: str, style: NumberStyle = ENGLISH) -> str:
    """A share, a plain decimal text, in hundredths with all its digits; nothing of nothing.

    >>> in_percent("0.125"), in_percent("-0.2"), in_percent("12"), in_percent("")
    ('12.5', '−20', '1,200', '')
    """
    return in_column(f"{Decimal(share).scaleb(2):f}", style) if share else ""


def percent(share: str, style: NumberStyle = ENGLISH) -> str:
    """The same as a percentage.

    >>> percent("0.413"), percent("")
    ('41.3 %', '')
    """
    return f"{in_percent(share, style)} %" if share else ""


def read_number(text: str, style: NumberStyle = ENGLISH) -> Decimal | None:
    """A typed number; ``None`` where it is none, or could be two.

    Either decimal mark is understood where it cannot be a separator. Separators are understood as
    :func:`in_text` writes them: in numbers of five digits and more, in every place. Blanks and
    apostrophes are no decimal marks anywhere, so four digits may have them, too.

    >>> read_number("45,000"), read_number("0,25"), read_number("1,500"), read_number("4,50,000")
    (Decimal('45000'), Decimal('0.25'), None, None)
    >>> read_number("1 500"), read_number("-12 500,5"), read_number("1 50")
    (Decimal('1500'), Decimal('-12500.5'), None)
    """
    plain = text.strip().replace(MINUS, "-")
    grouped = _read_grouped(plain, style) or _read_parted(plain, style)
    if grouped is not None:
        return grouped
    match = _TYPED.fullmatch(plain)
    if match is None or not (match[2] or match[3]):
        return None
    if _is_mistakable(plain, style):
        return None
    return Decimal(plain.replace(",", "."))


def _read_grouped(plain: str, style: NumberStyle) -> Decimal | None:
    """A number with separators in every place where :func:`in_text` puts them."""
    if not style.group:
        return None
    group = f"[{_SPACES}]" if style.group in _SPACES else re.escape(style.group)
    form = _GROUPED.pattern.replace("G", group).replace("D", re.escape(style.decimal))
    match = re.fullmatch(form, plain, re.ASCII)
    if match is None:
        return None
    sign, whole, part = match.groups(default="")
    digits = re.sub(r"\D", "", whole)
    if len(digits) < _LEAST_DIGITS:
        return None
    return Decimal(f"{sign}{digits}.{part or '0'}") if part else Decimal(sign + digits)


def _read_parted(plain: str, style: NumberStyle) -> Decimal | None:
    """A number whose separators are blanks or apostrophes, as documents of any language have it."""
    for marks in _NO_DECIMAL_MARKS:
        form = _GROUPED.pattern.replace("G", f"[{marks}]").replace("D", "[.,]")
        match = re.fullmatch(form, plain, re.ASCII)
        if match is None:
            continue
        sign, whole, part = match.groups(default="")
        digits = re.sub(r"\D", "", whole)
        # Two kinds of separators are no number, and three digits behind the other mark could be.
        if len(part) == 3 and style.decimal not in plain:
            return None
        return Decimal(f"{sign}{digits}.{part}") if part else Decimal(sign + digits)
    return None


def _is_mistakable(plain: str, style: NumberStyle) -> bool:
    """Whether a mark that is not the language's decimal mark may part thousands: ``1,500``.

    That its own separator is another one says nothing of what a person types: in Austria numbers
    are printed as 45 000 and typed as 45.000.
    """
    other = "," if style.decimal == "." else "."
    return re.fullmatch(rf"[+-]?[1-9][0-9]{{0,2}}{re.escape(other)}[0-9]{{3}}", plain) is not None


def plain(value: Decimal) -> str:
    """A decimal as people type it: no exponent, no zeros behind the mark.

    >>> plain(Decimal("1.50")), plain(Decimal("1E+3"))
    ('1.5', '1000')
    """
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def exact(value: Fraction) -> str | None:
    """A fraction as a decimal text; ``None`` where its decimals never end.

    >>> exact(Fraction(1, 8)), exact(Fraction(1, 3))
    ('0.125', None)
    """
    rest = value.denominator
    places = 0
    while rest % 10 == 0 or rest % 5 == 0 or rest % 2 == 0:
        rest //= 10 if rest % 10 == 0 else 5 if rest % 5 == 0 else 2
        places += 1
    if rest != 1:
        return None
    whole = value.numerator * 10**places // value.denominator
    return plain(Decimal(whole).scaleb(-places)) if places < 25 else None


def rounded(value: Fraction, digits: int = 4, up: bool = False) -> str:
    """A number with this many significant digits at most, none of them a needless zero.

    Whole digits are never rounded away. What says "at most" is rounded up.

    >>> rounded(Fraction(20.000000000000004)), rounded(Fraction(1, 3)), rounded(Fraction(123456))
    ('20', '0.3333', '123456')
    >>> rounded(Fraction(0.09999999999999998), up=True), rounded(Fraction(1, 3), up=True)
    ('0.1', '0.3334')
    """
    if not value:
        return "0"
    places = max(0, digits - 1 - _magnitude(abs(value)))
    scaled = value * 10**places
    return plain(Decimal(ceil(scaled) if up else round(scaled)).scaleb(-places))


def rounded_alike(values: Sequence[Fraction], digits: int = 4) -> list[str]:
    """Numbers that stand beside one another, with as many decimals each.

    All have the decimals of the one that has most, but the largest number gets one digit more at
    most: the noise of others beside it is no reason for digits that say nothing.

    >>> rounded_alike([Fraction("2.98"), Fraction("2.971")]), rounded_alike([Fraction(3)])
    (['2.980', '2.971'], ['3'])
    >>> rounded_alike([Fraction("145.3"), Fraction("0.02871"), Fraction(0)])
    ['145.30', '0.03', '0.00']
    """
    largest = max(map(abs, values), default=Fraction(0))
    if not largest:
        return [rounded(value, digits) for value in values]
    most = max(len(rounded(value, digits).partition(".")[2]) for value in values)
    places = min(most, max(0, digits - _magnitude(largest)))
    return [f"{Decimal(round(value * 10**places)).scaleb(-places):f}" for value in values]


def two_digits(value: Fraction) -> str:
    """Two significant digits, rounded up, without an exponent; whole numbers below 1000 in full.

    >>> two_digits(Fraction(60)), two_digits(Fraction(1, 3)), two_digits(Fraction(12345))
    ('60', '0.34', '13000')
    """
    if value <= 0:
        return "0"
    if value.denominator == 1 and value < 1000:
        return str(value.numerator)
    digits = 1 - _magnitude(value)
    scaled = value * Fraction(10) ** digits
    whole = -(-scaled.numerator // scaled.denominator)
    if whole == 100:
        whole, digits = 10, digits - 1
    return f"{Decimal(whole).scaleb(-digits):f}"


def _magnitude(value: Fraction) -> int:
    """The power of ten of a positive number's first digit."""
    guess = floor(log10(value.numerator) - log10(value.denominator))
    if Fraction(10) ** guess > value:
        return guess - 1
    return guess + 1 if Fraction(10) ** (guess + 1) <= value else guess


def margin(value: Fraction, unit: str = "", style: NumberStyle = ENGLISH) -> str:
    """A margin as people read it: ± and two significant digits, with its unit.

    >>> margin(Fraction(45000), "EUR")
    '± 45,000 EUR'
    """
    text = f"{PLUS_MINUS} {in_text(two_digits(value), style)}"
    return f"{text} {unit}" if unit else text
