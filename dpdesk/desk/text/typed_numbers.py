# SPDX-License-Identifier: Apache-2.0
"""Numbers and amounts as people type them, with the decimal mark of the desk's language."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

from dpdesk.desk.text.language import number_style
from dpdesk.release.record.amounts import parse_delta
from dpdesk.study import limits
from dpdesk.study.json.json_reader import share_problem
from dpdesk.study.model.amount import Amount, Delta, Share, zero
from dpdesk.study.problem import Refused
from dpdesk.study.text.number_text import NumberStyle, in_text, plain, read_number

S = TypeVar("S", bound=Amount)
_ALIKE = (" \u00a0\u2009\u202f", "'\u2019")
"""Separators that a keyboard does not tell apart."""


def decimal_from_text(text: str) -> Decimal | None:
    """A typed number; ``None`` where it is none, or could be two. See ``number_text``."""
    value = read_number(text, number_style())
    return value if value is not None and limits.is_plain_number(value) else None


def whole_from_text(text: str) -> int | None:
    """A typed whole number, with or without separators; ``None`` where it is none.

    Where no fraction can be meant, four digits may have the language's separator, too, even where
    it is a decimal mark elsewhere.

    >>> whole_from_text("1,500"), whole_from_text("1.500"), whole_from_text("1,50")
    (1500, None, None)
    """
    value = decimal_from_text(_without_separators(text, number_style()))
    if value is None or not set(text).isdisjoint("+-\N{MINUS SIGN}") or value % 1:
        return None
    return int(value) if value < 10**12 else None


def _without_separators(text: str, style: NumberStyle) -> str:
    """A whole number of four digits and more without its separators; any other text as it is."""
    own = next((signs for signs in _ALIKE if style.group and style.group in signs), style.group)
    for mark in (own, "," if style.decimal == "." else "."):
        grouped = rf"[1-9][0-9]{{0,2}}(?:[{re.escape(mark)}][0-9]{{3}})+"
        if mark and re.fullmatch(grouped, text.strip(), re.ASCII):
            return re.sub(r"[^0-9]", "", text)
    return text


def margin_from_text(text: str, factor: int = 1) -> Decimal | None:
    """A typed margin; of a share, in percentage points, with or without a percent sign.

    >>> margin_from_text("2,5 %", 100), margin_from_text("2.5", 100), margin_from_text("2 %")
    (Decimal('2.5'), Decimal('2.5'), None)
    """
    return decimal_from_text(text.strip().removesuffix("%") if factor == 100 else text)


def numbers_from_text(text: str) -> tuple[Decimal, ...] | None:
    """Numbers with blanks, semicolons or line ends between them; ``None`` where one is none.

    A comma with a blank after it parts two numbers, one without is a decimal mark. Thin blanks and
    those that do not break stand within a number, as copied ones have them.

    >>> numbers_from_text("0,25; 0.5 0.75"), numbers_from_text("1, 2"), numbers_from_text("x")
    ((Decimal('0.25'), Decimal('0.5'), Decimal('0.75')), (Decimal('1'), Decimal('2')), None)
    """
    blank = r"[^\S\u00a0\u2007\u2009\u202f]"
    parts = [part for part in re.split(rf"(?:;|{blank})+|,(?={blank})", text) if part.strip(",")]
    numbers = [decimal_from_text(part.rstrip(",")) for part in parts]
    return None if None in numbers else tuple(n for n in numbers if n is not None)


def regrouped(text: str) -> str:
    """A typed number as it is shown once its field was left: with separators, else untouched.

    >>> regrouped("45000"), regrouped("0,40"), regrouped("1,500")
    ('45,000', '0,40', '1,500')
    """
    value, style = decimal_from_text(text), number_style()
    if value is None or abs(value) < 10_000:
        return text
    return in_text(plain(value), style)


def share_from_text(measure: str, text: str) -> Share | str:
    """A typed amount in a measure, or the code of what is wrong with it."""
    return amount_from_text(type(zero(measure)), text)


def amount_from_text(kind: type[S], text: str) -> S | str:
    """A typed amount of budget, or the code of what is wrong with it."""
    value = decimal_from_text(text)
    if value is None:
        return "amount-malformed"
    return share_problem(kind, value) or kind.of(value)


def delta_from_text(text: str, read: Callable[[str], Delta] = parse_delta) -> Delta | str:
    """A typed delta such as 1e-9, or the code of what is wrong with it.

    Args:
        text: what was typed.
        read: reads it without the marks of a language.
    """
    plain = text.strip().replace("\N{MINUS SIGN}", "-").replace(",", ".").replace("E", "e")
    try:
        return read(plain)
    except Refused as refused:
        return refused.problems[0].code
