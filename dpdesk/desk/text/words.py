# SPDX-License-Identifier: Apache-2.0
"""The desk's recurring words and numbers: one place, so that every page says the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import ceil
from operator import is_
from typing import TYPE_CHECKING

from dpdesk.desk.text import query_words, times, words
from dpdesk.desk.text.language import catalogue, language, number_style, per_language, plain_names
from dpdesk.desk.text.translating import tr
from dpdesk.release.record.amounts import delta_text
from dpdesk.release.record.totals import share_of, together
from dpdesk.study.model.amount import WITHOUT_DELTA, AccountDelta, Delta, Epsilon, Rho, Share
from dpdesk.study.model.columns import Column, column_title
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.dates import DateFormat, day_to_text, typed_form
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Grouping
from dpdesk.study.model.parameters import ByAgeParameters
from dpdesk.study.model.periods import Period
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.steps.derivation import operands
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Problem
from dpdesk.study.text import (
    comparison_titles,
    number_text,
    share_rows,
    step_titles,
    title_words,
    titles,
)
from dpdesk.study.text import counted_rows as counting
from dpdesk.study.text.unit_names import UnitNames, names_of
from dpdesk.texts import problems

if TYPE_CHECKING:
    from dpdesk.release.record.values import ReleaseRecord

MINUS = number_text.MINUS
PLUS_MINUS = number_text.PLUS_MINUS
two_digits = number_text.two_digits
plain = number_text.plain
MARGIN_DIGITS, EXACT = 2, 10**9
PERCENT = "%"
"""Shows a format: no other format reads this day, or another, in its text."""


def problem_sentence(problem: Problem) -> str:
    """The sentence for a problem in the desk's language, with the window's way out of it."""
    return problems.sentence(problem, catalogue(), in_window=True)


def located_sentence(problem: Problem) -> str:
    """The sentence with its place in the study file before it, as the shell shows it."""
    return problems.located(problem, catalogue(), in_window=True)


@per_language
def amount(value: Share) -> str:
    """An amount of budget: two decimals at least, as many as it has."""
    text = str(value)
    whole, _, decimals = text.partition(".")
    return localised(f"{whole}.{decimals.ljust(2, '0')}")


@per_language
def amount_of_units(units: int, measure: str = "epsilon") -> str:
    """A signed amount in the smallest parts of a measure."""
    sign = MINUS if units < 0 else ""
    return sign + amount(share_of(measure, abs(units)))


def budget(value: Share) -> str:
    """An amount of budget with its measure, where it is not pure epsilon."""
    return f"ρ {amount(value)}" if isinstance(value, Rho) else amount(value)


def charged(record: ReleaseRecord) -> Share:
    """What a release has spent."""
    return together(record.measure, (query.charged for query in record.queries))


def delta(value: Delta) -> str:
    """A delta as people write it: 1e-9."""
    style = number_style()
    return delta_text(value).replace("-", style.minus).replace(".", style.decimal)


def meaning(total: Share, at: AccountDelta) -> str:
    """What an amount of an account in rho means as epsilon, at the account's delta.

    Rounded up to three digits: it stays a bound, and nobody compares its millionths.
    """
    # Loaded here and below: the noise library comes with it, and a window shows words without it.
    from dpdesk.privacy.accounting.conversion import account_epsilon

    if not isinstance(total, Rho):
        return ""
    template = tr("Words", "ε {0} at δ {1}")
    micro = account_epsilon(total, at).micro
    step = 10 ** max(0, len(str(micro)) - 3)
    return template.format(amount(Epsilon(-(-micro // step) * step)), delta(at.whole))


def localised(number: str) -> str:
    """A plain decimal text in a sentence: the locale's marks, and a true minus sign."""
    return number_text.in_text(number, number_style())


def in_column(number: str) -> str:
    """A plain decimal text under others."""
    return number_text.in_column(number, number_style())


def figure(value: float, digits: int = 4) -> str:
    """A drawn number with this many digits, as tables and sentences beside it say it."""
    return localised(number_text.rounded(Fraction(value), digits))


def figures_in_column(values: Sequence[float]) -> list[str]:
    """The drawn numbers of one chart, with as many decimals each; see :func:`figure`."""
    return [in_column(text) for text in number_text.rounded_alike([*map(Fraction, values)])]


def figures_in_sentence(values: Sequence[float]) -> list[str]:
    """A drawn number and its ends, with as many decimals each; see :func:`figure`."""
    return [localised(text) for text in number_text.rounded_alike([*map(Fraction, values)])]


def figures_with_margins(
    values: Sequence[float], widths: Sequence[float]
) -> tuple[list[str], list[str]]:
    """The drawn numbers of one chart and their margins, all with as many decimals.

    As many as the figures have by themselves, and as the margins need for two digits: a margin of
    0.019 is beside 4.370, as it does in the table.
    """
    figures = number_text.rounded_alike([*map(Fraction, values)])
    margins = number_text.rounded_alike([*map(Fraction, widths)], MARGIN_DIGITS)
    places = max((len(text.partition(".")[2]) for text in (*figures, *margins)), default=0)
    pairs = [
        _unpadded(
            _with_decimals(round(Fraction(value) * 10**places), places),
            # Up, as everywhere: a margin that is said too small promises too much.
            _with_decimals(ceil(exact_width(width) * 10**places), places),
        )
        for value, width in zip(values, widths, strict=True)
    ]
    return [in_column(figure) for figure, _ in pairs], [in_column(margin) for _, margin in pairs]


def _unpadded(figure: str, margin: str) -> tuple[str, str]:
    """Without decimals where both are whole: those are what another bar's margin needs.

    >>> _unpadded("2.000", "13.000"), _unpadded("4.370", "0.019"), _unpadded("100.0", "0.5")
    (('2', '13'), ('4.370', '0.019'), ('100.0', '0.5'))
    """
    wholes = [one.partition(".")[0] for one in (figure, margin)]
    is_whole = Decimal(margin) and all(not Decimal(one) % 1 for one in (figure, margin))
    return (wholes[0], wholes[1]) if is_whole else (figure, margin)


def exact_width(width: float) -> Fraction:
    """A width without what a float adds to its decimals: 1.2000000000000002 is 1.2, no more."""
    return Fraction(width).limit_denominator(EXACT)


def _with_decimals(whole: int, places: int) -> str:
    return f"{Decimal(whole).scaleb(-places):f}"


def behind(unit: str) -> str:
    """What is behind each figure of a unit: a percent sign; others are said once, above."""
    return f" {PERCENT}" if unit == PERCENT else ""


def points() -> str:
    """What margins and differences of shares count, in the words of report and plan."""
    return names(Study()).points


def day_wanted(format: DateFormat, day: date = times.EXAMPLE_DAY) -> str:
    """What to type where a day is wanted, such as ``day``."""
    example = times.typed(day, format)
    other = day_to_text(day, typed_form(format))
    if other in (example, day.isoformat()):
        return tr("Words", "Type a day such as {0}.").format(example)
    return tr("Words", "Type a day such as {0} or {1}.").format(example, other)


@per_language
def grouped(number: int) -> str:
    return localised(str(number))


@per_language
def margin(value: Fraction, unit: str = "") -> str:
    """A margin as people read it: ± and two significant digits, with its unit."""
    return number_text.margin(value, unit, number_style())


def guess_probability(spent: Share, at: AccountDelta = WITHOUT_DELTA) -> str:
    """ "68 in 100", the bound on a coin-toss guess; in rho with the account's delta.

    Empty where it is more than 99 in 100: it limits nothing then.
    """
    from dpdesk.privacy.accounting.conversion import account_right_in_100

    right = account_right_in_100(spent, at)
    return tr("Words", "{0} in 100").format(right) if right <= 99 else ""


def statistic(name: Statistic) -> str:
    """A statistic's name as the first word of a sentence."""
    return query_words.first_word(name)


def names(study: Study) -> UnitNames:
    """What the study calls its rows and people."""
    return _names(study.unit)


def made_from(study: Study, column: Column) -> str:
    """How a derived column is made, as a sentence; empty where it is read from the file."""
    return step_titles.made_from(study, column, language())


def made_of(study: Study, column: Column) -> str:
    """What a derived column is made of, by titles; empty where it is read from the file."""
    if column.made_from is None:
        return ""
    header = () if column.header is None else (column.header,)
    names = dict.fromkeys([*operands(column), *header])
    listed = ", ".join(title_of(study, name) for name in names)
    return tr("Column", "from {0}").format(listed)


@per_language
def _names(unit: Unit | None) -> UnitNames:
    return names_of(unit, plain_names())


def counted(study: Study, query: Query) -> str:
    return titles.counted(study, query, language())


def joint(study: Study, query: Query) -> str:
    """What is between a statistic and what it is about."""
    return titles.joint(study, query, language())


def title_of(study: Study, name: str) -> str:
    """A column's name in the release."""
    column = study.column(name)
    return column_title(column) if column else name


def unit_of(study: Study, query: Query) -> str:
    """The unit that a query's figures are counted in; empty where there is none."""
    # Of the exposure of a ratio nothing is left in it, and what counts rows is in rows.
    if query.unit in ("ratio", "rows", "people"):
        return ""
    column: Column | None = study.column(query.column)
    return titles.rate_unit(study, query, language()) or (column.label if column else "")


def weighted_by(own: ByAgeParameters) -> str:
    """What age groups are weighted by."""
    return titles.weighted_by(own, language())


def query_title(study: Study, query: Query) -> str:
    """A query's heading: as declared, or its whole sentence."""
    spoken = language()
    known = _TITLES.get(query.id)
    declared = (study.columns, study.unit, spoken)
    if known is not None and all(map(is_, known.declared, declared)):
        if known.query is query:
            return known.title
        if known.query.unpriced == query.unpriced:
            _TITLES[query.id] = replace(known, query=query)
            return known.title
    title = titles.title(study, query, spoken)
    if len(_TITLES) >= MOST_TITLES:
        _TITLES.clear()
    _TITLES[query.id] = _KnownTitle(query, declared, title)
    return title


@dataclass(frozen=True)
class _KnownTitle:
    """A title, and what it was made of."""

    query: Query
    declared: tuple[object, ...]
    title: str


MOST_TITLES = 1_000
_TITLES: dict[str, _KnownTitle] = {}
"""By the query's id."""


def sentence(study: Study, query: Query) -> str:
    """All that a query asks, as one sentence."""
    return titles.sentence(study, query, language())


def left_out_of_share(study: Study, query: Query) -> str:
    """Which rows are not counted in the 100 % of a share; empty where all are."""
    return share_rows.left_out_of_share(study, query, language())


def counted_rows(study: Study, query: Query) -> counting.CountedRows:
    """How many rows of each person a query counts, and what that means; see ``CountedRows``."""
    return counting.counted_rows(study, query, language())


def counted_in_release(study: Study | None) -> counting.CountedRows:
    """The same of all queries of a study."""
    return counting.counted_in_release(study, language())


def plain_title(study: Study, query: Query) -> str:
    """What is computed, without groups and conditions."""
    return titles.question(study, query, language())


def group_limit(study: Study, query: Query) -> str:
    """How many rows of a person count in one group; empty without such a limit."""
    return titles.group_limit(study, query, language())


def comparison(study: Study, query: Query, one: GroupComparison) -> str:
    """What a comparison of groups is called: "compares each group of Sex with F"."""
    return comparison_titles.comparison_title(study, query, one, language())


def groups(study: Study, query: Query) -> str:
    """ "age band and sex"; empty without groups."""
    return titles.groups(study, query, language())


def grouped_by(study: Study, grouping: Grouping) -> str:
    """ "month of admission"; the column's title where nothing is taken together."""
    return titles.grouped_by(study, grouping, language())


def period(name: Period) -> str:
    """What a period is called inside a sentence."""
    return language().say(title_words.PERIODS[name])


def condition(study: Study, tested: Condition) -> str:
    return titles.condition(study, tested, language())


def conditions(study: Study, query: Query) -> str:
    """All conditions of a query; empty without any."""
    return titles.conditions(study, query, language())


def repeated() -> str:
    """What asking the same query again costs; Data and Release say the same of it."""
    return tr(
        "Words",
        "From the same extract, the same query shows its stored figures again and costs nothing; "
        "new noise costs budget again.",
    )


def field_sentence(problem: Problem) -> str:
    """The sentence of a problem below the field it is about."""
    short = {
        "lower-not-declared": tr("Column", "Set the lowest value."),
        "upper-not-declared": tr("Column", "Set the highest value."),
        "step-not-declared": tr("Column", "Set the step, such as 1."),
        "first-not-declared": tr("Column", "Set the first day."),
        "last-not-declared": tr("Column", "Set the last day."),
    }
    return short.get(problem.code) or words.problem_sentence(problem)
