# SPDX-License-Identifier: Apache-2.0
"""What a report prints of curves over time: figures at declared times, a column for each group.

All lines of the curves are in the workbook and in the table's file; on paper nobody reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.charts.description import MOST_CURVES
from dpdesk.release.bundle.derived_lines import (
    ABOUT_TEST,
    DerivedText,
    derived_texts,
    is_model,
    unit_of,
)
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.report_blocks import CrossCell, CrossFigures, CrossLine, Figures
from dpdesk.study.model.parameters import TimeToEventParameters
from dpdesk.study.text.titles import joined
from dpdesk.study.text.unit_names import UnitNames, in_query

READINGS: Final[Template] = "Key figures of the curves, with 95 % ranges for the population"
_RANGES: Final[Template] = (
    "Key figures of curves have a 95 % range of noise and chance together, for the population that "
    "these {rows} come from."
)
_TEST: Final[Template] = (
    "{test} of {groups}: {value} (degrees of freedom: {freedom}); {p}. If these groups had one "
    "curve, noise and chance would make them differ as much that often."
)
_ALL_GROUPS: Final[Template] = "all {count} groups"
_NAMED_GROUPS: Final = 5
"""Groups of a test that are named; of more their number is said."""
_NO_TEST: Final[Template] = "{test}: {why}."
_ALL_LINES: Final[Template] = (
    "Every step of a curve, with its margin, events and censored, and the ranges of the noise "
    "alone are in results.xlsx and in the folder results."
)
_CENSORED: Final[Template] = (
    "Who is censored within a time bin counts as at risk for half of it, in the last one for all "
    "of it (life table)."
)
_LATE: Final[Template] = (
    "Who comes under observation late counts as if entries were spread evenly over their bin; the "
    "first bin counts whole, as of those who are there from the start."
)
_ENDS: Final[Template] = "A curve ends where noise may leave nobody at risk."
_ROUNDED_DOWN: Final[Template] = (
    "Figures are rounded down, so that all kinds together make 100 % at most."
)
_REFERENCE: Final[Template] = "reference"


def has_readings(charted: Charted) -> bool:
    """Whether a query's curves are drawn, and figures follow from them: then its lines are not."""
    table, charts = charted.table, charted.charts
    if table.derived is None or is_model(table) or not (charts.falls or charts.rises):
        return False
    return any(curve.points for curve in charts.curves())


def where_curves_end(charted: Charted) -> str:
    """That curves end where noise hides who is at risk; empty where none does."""
    curves = charted.charts.curves()
    is_cut = any(curve.ends_at(point) for curve in curves for point in curve.points)
    return charted.words.say(_ENDS) if is_cut else ""


def about_curves(charted: Charted) -> Iterator[str]:
    """What is said once of all curves whose lines are not printed, a sentence each."""
    words, asked = charted.words, charted.requested
    yield words.say(_CENSORED)
    own = None if asked is None else asked.parameters
    if isinstance(own, TimeToEventParameters) and own.entry is not None:
        yield words.say(_LATE)
    if charted.charts.rises:
        yield words.say(_ROUNDED_DOWN)
    yield words.say(_ALL_LINES)


def cross_readings(charted: Charted, plain: Figures) -> CrossFigures | None:
    """What follows from curves, a column for each group; ``None`` where that is no help.

    Args:
        plain: the same as a list.
    """
    texts = [one for one in _texts(charted) if one.group]
    groups = tuple(dict.fromkeys(one.group for one in texts))
    if not 1 < len(groups) <= MOST_CURVES:
        return None
    lines = []
    for name in dict.fromkeys(one.row for one in texts):
        found = {one.group: one for one in texts if one.row == name}
        others = {one.other for one in found.values()}
        cells = (_cell(group, found.get(group), others, charted.words) for group in groups)
        lines.append(CrossLine(name, tuple(cells)))
    columns = [c.title for c in charted.table.columns if c.role == "group" and c.title]
    return CrossFigures("", ", ".join(columns[:1]), groups, tuple(lines), False, plain)


def about_readings(charted: Charted, names: UnitNames) -> Iterator[str]:
    """What is said once of the figures of curves: what their ranges are, and what a test asks."""
    rows = in_query(names, charted.query.question.subject).rows
    yield charted.words.say(_RANGES, rows=rows)
    if any(one.chance for one in _tests(charted)):
        yield charted.words.say(ABOUT_TEST)


def tests_below(charted: Charted) -> str:
    """The results of tests of all curves; may be empty."""
    groups = list(dict.fromkeys(one.group for one in _texts(charted) if one.group))
    return " ".join(_tested(one, groups, charted.words) for one in _tests(charted))


def _tests(charted: Charted) -> list[DerivedText]:
    return [one for one in _texts(charted) if not one.group]


def _tested(one: DerivedText, groups: Sequence[str], words: ReleaseWords) -> str:
    """A test's result, which noise may hide."""
    if not one.chance:
        return words.say(_NO_TEST, test=one.row, why=one.figure)
    named = words.say(_ALL_GROUPS, count=str(len(groups)))
    if len(groups) <= _NAMED_GROUPS:
        named = joined(groups, words.language)
    said = {"value": one.figure, "freedom": str(len(groups) - 1), "p": one.chance}
    return words.say(_TEST, test=one.row, groups=named, **said)


def _texts(charted: Charted) -> list[DerivedText]:
    study, query = charted.study, charted.query
    column = study.column(query.question.column) if study is not None else None
    return derived_texts(charted.table, unit_of(column), charted.words)


def _cell(group: str, text: DerivedText | None, others: set[str], words: ReleaseWords) -> CrossCell:
    if text is None:
        said = words.say(_REFERENCE) if group in others else "–"
        return CrossCell("", said, is_noisy=False)
    return CrossCell(text.figure, text.chance or text.noise, is_noisy=False)
