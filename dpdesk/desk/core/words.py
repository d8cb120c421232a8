# SPDX-License-Identifier: Apache-2.0
"""The desk's recurring words and numbers: one place, so that every page says the same thing."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import floor, log10
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale

from dpdesk.desk.core import query_words
from dpdesk.desk.core.query_words import statistic_words
from dpdesk.privacy.conversion import account_epsilon, account_right_in_100
from dpdesk.release.amounts import delta_text
from dpdesk.release.ledger.sums import share_of, together
from dpdesk.sentences import sentence as english_sentence
from dpdesk.study.amount import NO_DELTA, Delta, Rho, Share, zero
from dpdesk.study.columns import Column, column_title, group_name
from dpdesk.study.dates import ISO, DateFormat, day_to_text, typed_form
from dpdesk.study.document import Study
from dpdesk.study.groupings import Grouping, Periods, column_of
from dpdesk.study.periods import Period
from dpdesk.study.problem import Problem
from dpdesk.study.queries import Between, Condition, DateBetween, IsIn, IsNotIn, Query
from dpdesk.study.statistics import Statistic

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "±"
EXAMPLE_DAY = date(2020, 1, 31)
"""Shows a format: no other format reads this day, or another, in its text."""


def problem_sentence(problem: Problem) -> str:
    """The sentence for a problem in the desk's language."""
    return english_sentence(
        problem, lambda template: QCoreApplication.translate("Problem", template)
    )


def located_sentence(problem: Problem) -> str:
    """The sentence with its place in the study file before it, as the shell says it."""
    where = "" if problem.path == "$" else f"{problem.path}: "
    return where + problem_sentence(problem)


def amount(value: Share) -> str:
    """An amount of budget: two decimals at least, as many as it has."""
    text = str(value)
    whole, _, decimals = text.partition(".")
    return localised(f"{whole}.{decimals.ljust(2, '0')}")


def amount_of_units(units: int, measure: str = "epsilon") -> str:
    """A signed amount in the smallest parts of a measure."""
    sign = MINUS if units < 0 else ""
    return sign + amount(share_of(measure, abs(units)))


def budget(value: Share) -> str:
    """An amount of budget with its measure, where it is not pure epsilon."""
    return f"ρ {amount(value)}" if isinstance(value, Rho) else amount(value)


def charged(predicate: Any) -> Share:
    """What a release has spent, by its record."""
    measure = predicate["account"].get("measure", "epsilon")
    amount_in = type(zero(measure)).of
    return together(measure, (amount_in(q["charged"]) for q in predicate["queries"]))


def delta(value: Delta) -> str:
    """A delta as people write it: 1e-9."""
    return localised(delta_text(value))


def meaning(total: Share, at: Delta) -> str:
    """What an amount of an account in rho means as epsilon, at the account's delta."""
    if not isinstance(total, Rho):
        return ""
    template = QCoreApplication.translate("Words", "ε {0} at δ {1}")
    return template.format(amount(account_epsilon(total, at)), delta(at))


def localised(number: str) -> str:
    """A plain decimal text with the locale's decimal mark and a true minus sign."""
    mark = QLocale().decimalPoint()
    return number.replace("-", MINUS).replace(".", mark)


def plain(value: Decimal) -> str:
    """A decimal as people type it: no exponent, no zeros behind the mark."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def day_wanted(format: DateFormat) -> str:
    """What to type where a day is wanted."""
    example = EXAMPLE_DAY.isoformat()
    form = typed_form(format)
    if form == ISO:
        return QCoreApplication.translate("Words", "Type a day such as {0}.").format(example)
    template = QCoreApplication.translate("Words", "Type a day such as {0} or {1}.")
    return template.format(example, day_to_text(EXAMPLE_DAY, form))


def grouped(number: int) -> str:
    """A whole number with group separators."""
    return QLocale().toString(number)


def margin(value: Fraction, unit: str = "") -> str:
    """A margin as people read it: ± and two significant digits, with its unit."""
    digits = two_digits(value)
    shown = grouped(int(digits)) if digits.isdigit() else localised(digits)
    text = f"{PLUS_MINUS} {shown}"
    return f"{text} {unit}" if unit else text


def two_digits(value: Fraction) -> str:
    """Two significant digits, rounded up, without an exponent; whole numbers below 1000 in full.

    >>> two_digits(Fraction(60)), two_digits(Fraction(1, 3)), two_digits(Fraction(12345))
    ('60', '0.34', '13000')
    """
    if value <= 0:
        return "0"
    if value.denominator == 1 and value < 1000:
        return str(value.numerator)
    digits = 1 - floor(log10(value))
    scaled = value * Fraction(10) ** digits
    whole = -(-scaled.numerator // scaled.denominator)
    if whole == 100:
        whole, digits = 10, digits - 1
    return f"{Decimal(whole).scaleb(-digits):f}"


def odds(spent: Share, at: Delta = NO_DELTA) -> str:
    """ "68 in 100", the bound on a coin-toss guess; in rho with the account's delta."""
    template = QCoreApplication.translate("Words", "{0} in 100")
    return template.format(account_right_in_100(spent, at))


def statistic(name: Statistic) -> str:
    """A statistic's name as the first word of a sentence."""
    return statistic_words(name).first


def counted(name: str) -> str:
    """What a count counts."""
    if name == "count-people":
        return QCoreApplication.translate("Words", "people")
    return QCoreApplication.translate("Words", "rows")


def title_of(study: Study, name: str) -> str:
    """A column's name in the release."""
    column = study.column(name)
    return column_title(column) if column else name


def unit_of(study: Study, query: Query) -> str:
    """The unit that a query's figures are counted in; empty where there is none."""
    column: Column | None = study.column(query.column) if query.column else None
    return column.label if column else ""


def subject(study: Study, query: Query) -> str:
    """What a query is about: its column or columns, a property, or what it counts."""
    if query.has:
        joint = QCoreApplication.translate("Words", " and ")
        return joint.join(condition(study, c) for c in query.has)
    if query.columns:
        return ", ".join(title_of(study, name) for name in query.columns)
    return title_of(study, query.column) if query.column else counted(query.statistic)


def query_title(study: Study, query: Query) -> str:
    """A query's heading: as declared, or made from its parts."""
    return query.title or plain_title(study, query)


def plain_title(study: Study, query: Query) -> str:
    """What is asked, in words made from the query's parts."""
    said = statistic_words(query.statistic)
    first = said.first
    if query.quantiles:
        first = f"{first} {query_words.numbers(query.quantiles)}"
    elif query.top and query.top > 1:
        template = QCoreApplication.translate("Words", "{0} most common")
        first = template.format(query.top)
    return " ".join((first, said.joint, subject(study, query)))


def groups(study: Study, query: Query) -> str:
    """ "age band and sex"; empty without groups."""
    joint = QCoreApplication.translate("Words", " and ")
    return joint.join(grouped_by(study, grouping) for grouping in query.by)


def grouped_by(study: Study, grouping: Grouping) -> str:
    """ "month of admission"; the column's title where nothing is taken together."""
    title = title_of(study, column_of(grouping))
    if not isinstance(grouping, Periods):
        return title
    template = QCoreApplication.translate("Words", "{0} of {1}")
    return template.format(period(grouping.period), title)


def period(name: Period) -> str:
    """What a period is called inside a sentence."""
    names = {
        "year": QCoreApplication.translate("Words", "year"),
        "quarter": QCoreApplication.translate("Words", "quarter"),
        "month": QCoreApplication.translate("Words", "month"),
        "weekday": QCoreApplication.translate("Words", "weekday"),
    }
    return names[name]


def condition(study: Study, found: Condition) -> str:
    """A condition in words."""
    name = title_of(study, found.column)
    if isinstance(found, IsIn | IsNotIn):
        return _listed(name, found, study.column(found.column))
    if isinstance(found, Between):
        template = QCoreApplication.translate("Words", "{0} from {1} to {2}")
        ends = (localised(f"{end:f}") for end in (found.lowest, found.highest))
        return template.format(name, *ends)
    if isinstance(found, DateBetween):
        template = QCoreApplication.translate("Words", "{0} from {1} to {2}")
        return template.format(name, found.first.isoformat(), found.last.isoformat())
    if found.missing:
        return QCoreApplication.translate("Words", "{0} is missing").format(name)
    return QCoreApplication.translate("Words", "{0} is not missing").format(name)


def _listed(name: str, found: IsIn | IsNotIn, column: Column | None) -> str:
    if isinstance(found, IsIn):
        template = QCoreApplication.translate("Words", "{0} is {1}")
    else:
        template = QCoreApplication.translate("Words", "{0} is not {1}")
    joint = QCoreApplication.translate("Words", " or ")
    names = found.values
    if column is not None:
        names = tuple(group_name(column, value) for value in names)
    shown = names if len(names) <= 3 else (*names[:2], "…")
    return template.format(name, joint.join(shown))


def conditions(study: Study, query: Query) -> str:
    """All conditions of a query; empty without any."""
    joint = QCoreApplication.translate("Words", " and ")
    return joint.join(condition(study, c) for c in query.where)
