# SPDX-License-Identifier: Apache-2.0
"""What a reader of a query's figures must know: some at its table, the rest once for all tables.

At a table is what holds for it alone: which rows it leaves out, which groups nobody should
compare, what was not tested. How margins, ranges and columns are read is the same everywhere, so
a report says it once, in its section on margins; a sheet of the workbook, read alone, has both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.population.means import FEWEST
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.statistics.base import is_from_best
from dpdesk.release.bundle.charts.funnel_drawing import said_below as about_funnel
from dpdesk.release.bundle.charts.suitable_charts import LINE
from dpdesk.release.bundle.quantile_notes import quantile_way
from dpdesk.release.bundle.query_headings import Heading, ReleaseWords, adds_up
from dpdesk.release.bundle.readable import POPULATION_ROLES
from dpdesk.release.bundle.report.curve_readings import (
    about_curves,
    about_readings,
    has_readings,
    where_curves_end,
)
from dpdesk.release.bundle.report.notes.comparable import mixed_note
from dpdesk.release.bundle.report.notes.standard_notes import about_ages, about_standard
from dpdesk.release.bundle.report.printed_columns import ABOUT, COUNTED, is_curve, shown_columns
from dpdesk.release.bundle.report.query_chart import Charted, ranges_of
from dpdesk.study.checks.by_statistic.member_checks import no_population
from dpdesk.study.model.parameters import ByAgeParameters, RateParameters
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.missing_cells import missing_cells
from dpdesk.study.text.unit_names import UnitNames, in_query

_RANKS: Final[Template] = (
    "“rank ± n”: with the {rows} of a group put in order, the released value is at most n of them "
    "away from the exact place, 95 times in 100. In a group of 2 n or fewer it is too noisy to use."
)
_NOISE_ALONE: Final[Template] = "± and whiskers are of the noise alone, not of chance (sampling)."
_CHANCE: Final[Template] = "Chance alone can put these groups in another order: do not rank them."
_SEVERAL_ROWS: Final[Template] = (
    "Where one {person} may have several {rows}, figures of {rows} by group have no range for the "
    "population."
)
_IN_CELLS: Final[Template] = "The range at a figure is that for the population."
_TREND: Final[Template] = "Changes over time may be chance: that was not tested."
_RANGES: Final[Template] = (
    "The small range at a quantile, and the bracket in its chart: the exact value is between both "
    "ends, 95 times in 100. That is of the noise alone, not of chance (sampling)."
)
_WEIGHTED: Final[Template] = (
    "Compare groups by the standardised rate alone: the crude one depends on their ages."
)
_TOO_LITTLE: Final[Template] = (
    "Where there is no standardised rate, some age group has less exposure than three times its "
    "own 95 % margin, and no rate can be made of it. Fewer, wider age groups help."
)
_CRUDE: Final[Template] = (
    "Not adjusted: groups may also differ in age and in other things that matter."
)
_TOTAL_BELOW: Final[Template] = "A total below one of its parts comes from the noise."
_ONE_TIME: Final[Template] = (
    "That is the band of the whole curve and no range of one figure: quote the one under “Derived "
    "from the curve”."
)
_POPULATION_AT_ONE_TIME: Final[Template] = (
    "“Population” holds for each time by itself, so its lower end may be higher than “Whole curve, "
    "lowest”."
)
_POPULATION: Final[Template] = (
    "“Population”: noise and chance together, these {rows} taken for a sample of independent "
    "people. ± is of the noise alone."
)


@dataclass(frozen=True)
class Note:
    """One sentence, or a few that belong together.

    Attributes:
        is_own: whether it is at the table; else in the section on margins.
        is_named: whether its table is named there: it is of this one alone.
    """

    text: str
    is_own: bool = True
    is_named: bool = False

    def below_all(self, title: str) -> str:
        """What the section on margins says of the table of that title."""
        return f"{title}: {self.text}" if self.is_named else self.text


def notes_below(
    charted: Charted,
    heading: Heading,
    names: UnitNames,
    is_cross: bool = False,
    are_ranges_explained: bool = False,
) -> tuple[str, ...]:
    """All that a reader of one table by itself must know: a sentence or two each, none empty.

    Args:
        is_cross: whether quantiles are side by side, the margins of their ranks below them.
        are_ranges_explained: whether heads say what the ranges of quantiles or of curves are.
    """
    texts = (note.text for note in _notes(charted, names, is_cross, are_ranges_explained))
    small = charted.small.said(charted.words)
    first = (small, heading.counted, heading.missing, mixed_note(charted, names))
    return tuple(filter(None, (*first, *texts)))


def cautions(charted: Charted, names: UnitNames) -> tuple[str, ...]:
    """Those of ``notes_below`` that are beside their figures, however many tables have them."""
    words = charted.words
    own = (charted.small.said(words), mixed_note(charted, names))
    return *own, words.say(_CHANCE), words.say(_TREND)


def report_notes(
    charted: Charted, heading: Heading, names: UnitNames, is_cross: bool, barred: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The same where a report has many tables: what is at this one, and what is said once for all.

    Args:
        charted: with the comparisons that are shown.
        heading: of its section.
        names: what rows and people are called.
        is_cross: see ``notes_below``.
        barred: where comparisons are that are not shown; may be empty.
    """
    has_curves = has_readings(charted)
    notes = [*(_of_curves(charted, names) if has_curves else _notes(charted, names, is_cross))]
    first = (heading.limit, _missing(charted, heading, names), mixed_note(charted, names), barred)
    own = (*first, *(note.text for note in notes if note.is_own))
    common = (note.below_all(heading.title) for note in notes if note.text and not note.is_own)
    return tuple(filter(None, own)), tuple(common)


def compares_as_they_are(charted: Charted) -> bool:
    """Whether two groups are compared by figures that nothing adjusts."""
    compared, columns = charted.table.compared, charted.table.columns
    if compared is None or any(column.name == "crude_rate" for column in columns):
        return False
    return not _crude(charted) and any("difference" in row for row in compared.rows)


def crude_note(charted: Charted) -> str:
    """That groups which are compared differ otherwise, too; empty where a note says it already."""
    return charted.words.say(_CRUDE) if compares_as_they_are(charted) else ""


def _missing(charted: Charted, heading: Heading, names: UnitNames) -> str:
    """What becomes of rows without a usable value, without what is said of mixed groups."""
    asked, study = charted.requested, charted.study
    if asked is None or study is None or not mixed_note(charted, names):
        return heading.missing
    return missing_cells(study, asked, charted.words.language, has_mixed=True)


def _notes(
    charted: Charted, names: UnitNames, is_cross: bool, are_ranges_explained: bool = False
) -> Iterator[Note]:
    """All but how many rows count and what becomes of missing cells; texts may be empty."""
    table, query, words = charted.table, charted.query, charted.words
    way = quantile_way(query.statistic, query.draws[0].noise, words) if query.draws else ""
    yield Note(adds_up(table, words), is_own=not (table.others or table.rounded_to))
    yield Note(words.say(_TOTAL_BELOW) if is_cross and _has_total_below(charted) else "")
    yield Note(way, is_own=False)
    if not are_ranges_explained:
        yield Note(_ranks(charted, names, is_cross) or _bands(table, words), is_own=False)
    if any(column.name == "crude_rate" for column in table.columns):
        yield Note(words.say(_WEIGHTED))
        at = [column.role for column in table.columns].index("value")
        has_none = any(not row[at] for row in table.rows)
        yield Note(words.say(_TOO_LITTLE) if has_none else "")
        yield Note(about_standard(charted))
        yield Note(about_ages(charted), is_own=False, is_named=True)
    if any(column.name in COUNTED for _at, column in shown_columns(table, query)):
        yield Note(words.say(ABOUT), is_own=False)
    yield Note(_crude(charted))
    yield Note("" if charted.funnel is None else about_funnel(charted.funnel, words))
    yield from _population(charted, names, is_cross, are_ranges_explained)


def _of_curves(charted: Charted, names: UnitNames) -> Iterator[Note]:
    """The same where curves are drawn and their lines are not printed."""
    table, words = charted.table, charted.words
    yield Note(adds_up(table, words), is_own=not (table.others or table.rounded_to))
    yield Note(_crude(charted))
    yield Note(where_curves_end(charted))
    for said in (*about_readings(charted, names), *about_curves(charted)):
        yield Note(said, is_own=False)


def _crude(charted: Charted) -> str:
    """That groups differ otherwise, too, where rates or curves of several are side by side."""
    asked = charted.requested
    if asked is None or not asked.by:
        return ""
    own = asked.parameters
    is_crude_rate = isinstance(own, RateParameters) and not isinstance(own, ByAgeParameters)
    return charted.words.say(_CRUDE) if is_crude_rate or is_curve(charted.table) else ""


def _has_total_below(charted: Charted) -> bool:
    """Whether a total of counts is below one of the cells that it adds up."""
    adding = charted.adding
    if adding is None or not adding.has_shares:
        return False
    at = [column.role for column in charted.table.columns].index("value")
    return any(
        Fraction(row[at]) > Fraction(total.value)
        for place in range(len(adding.plan.query.by))
        for (group,), total in adding.totals((place,)).items()
        for row in charted.table.rows
        if row[place] == group
    )


def _ranks(charted: Charted, names: UnitNames, is_cross: bool) -> str:
    """What being off means for a rank, which no figure's own margin says."""
    table, query, words = charted.table, charted.query, charted.words
    if DECLARATIONS[query.statistic].chooses != "rank":
        return ""
    rows = in_query(names, query.question.subject).rows
    if any(is_from_best(column.name) for column in table.columns):
        return words.say(
            "“Distance at most” counts {rows}: the released value may be that many further from "
            "the exact one than the best candidate. The best candidate itself may be any number "
            "of {rows} away.",
            rows=rows,
        )
    if is_cross:
        return words.say(_RANGES) if ranges_of(charted) else words.say(_RANKS, rows=rows)
    return words.say(
        "“Distance at most” counts {rows}: that many may be between the released value and the "
        "exact one. A group of twice as many or fewer is too small: its value is too noisy to use.",
        rows=rows,
    )


def _bands(table: Table, words: ReleaseWords) -> str:
    """What the ranges of a curve are, which hold together, beside those of one time."""
    if not is_curve(table):
        return ""
    said = [_band(table, words)]
    if table.derived is not None:
        said.append(words.say(_ONE_TIME))
    return " ".join(said)


def _band(table: Table, words: ReleaseWords) -> str:
    if any(column.name == "incidence" for column in table.columns):
        return words.say(
            "All curves of a group lie between “Whole curve, lowest” and “Whole curve, highest” "
            "in at least 95 of 100 releases. Where the latter is 100 %, noise may leave nobody at "
            "risk, and the curves end. Figures are rounded down, so that all kinds together make "
            "100 % at most."
        )
    return words.say(
        "The curve of a group lies between “Whole curve, lowest” and “Whole curve, highest” in at "
        "least 95 of 100 releases. Where the former is 0, noise may leave nobody at risk, and the "
        "curve ends."
    )


def _noise_alone(charted: Charted, names: UnitNames) -> Iterator[Note]:
    """What the figures of groups say nothing of, where no range holds noise and chance."""
    asked, words, roles = charted.requested, charted.words, charted.roles
    if len(charted.table.rows) < 2 or roles.isdisjoint(("half-width", "score-bound")):
        return
    if "half-width" in roles:
        yield Note(words.say(_NOISE_ALONE), is_own=False)
    if asked is None or charted.study is None:
        return
    if charted.charts.kinds[0] == LINE:
        is_tested = any(one.kind == "trend" for one in asked.comparisons)
        yield Note("" if is_tested else words.say(_TREND))
    elif not asked.declaration.is_total and (asked.by or asked.declaration.chooses != "rank"):
        yield Note(words.say(_CHANCE))
    else:
        return
    if no_population(charted.study, asked) == "population-several-rows":
        said = words.say(_SEVERAL_ROWS, person=names.person, rows=names.rows)
        yield Note(said, is_own=False)


def _population(
    charted: Charted, names: UnitNames, is_cross: bool, are_ranges_explained: bool
) -> Iterator[Note]:
    """What is meant by the population, and where its ranges are in a table without their column."""
    table, query, words = charted.table, charted.query, charted.words
    if charted.roles.isdisjoint(POPULATION_ROLES):
        yield from _noise_alone(charted, names)
        return
    yield Note(words.say(_IN_CELLS) if is_cross else "")
    rows = in_query(names, query.question.subject).rows
    yield Note(words.say(_POPULATION, rows=rows), is_own=False)
    if is_curve(table):
        yield Note("" if are_ranges_explained else words.say(_POPULATION_AT_ONE_TIME), is_own=False)
    elif DECLARATIONS[query.statistic].needs_spread:
        about = words.say(
            "For a mean, chance follows from the released variance of the same rows. That is "
            "approximate: for few rows, or few values far from all others. Groups of fewer than "
            "{fewest} rows have no interval.",
            fewest=str(FEWEST),
        )
        yield Note(about, is_own=False)
