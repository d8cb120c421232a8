# SPDX-License-Identifier: Apache-2.0
"""The figures of queries that have one figure: before all tables, and in a table of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.reconcile.cross_totals import CellTotal
from dpdesk.release.bundle.query_headings import Heading
from dpdesk.release.bundle.readable import POPULATION_ROLES, cell_writer, within
from dpdesk.release.bundle.report.printed_columns import (
    ABOUT,
    COUNTED,
    TOO_NOISY,
    shown_columns,
)
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.report_blocks import (
    CrossCell,
    CrossFigures,
    CrossLine,
    FigureRow,
    Figures,
    KeyFigure,
    KeyFigures,
    Paragraph,
    Section,
)
from dpdesk.study.model.columns import DateColumn
from dpdesk.study.model.conditions import DateBetween
from dpdesk.study.model.groupings import Periods
from dpdesk.study.text.number_text import PLUS_MINUS
from dpdesk.study.text.unit_names import UnitNames

_HEADS: Final[tuple[Template, ...]] = (
    "Figure",
    "What was counted",
    "Released",
    "± 95 %",
    "Lowest",
    "Highest",
    COUNTED["noisy_rows"],
    "Note",
)
_COUNTED: Final[Template] = "{figure} {rows} were counted ({range})."
_FIGURE: Final[Template] = "{title}: {figure} ({range})."
_OF_NOISE: Final[Template] = "95 % range of the noise: {range}"
_PUBLIC: Final[Template] = "a public number, without noise"
_OF_POPULATION: Final[Template] = "95 % range for the population: {range}"
_IN_A_YEAR: Final = frozenset({"quarter", "month"})
_ALWAYS = frozenset({0, 2, 3, 4, 5})
"""Places of columns that are always there."""
_ABOUT_ROWS: Final = 6
"""Where it stands how many rows a mean is of."""
_TO_QUOTE: Final[Template] = (
    "This table adds up to {total}, with noise of its own. As the total, quote “{title}”: {figure}."
)
YEARS: Final[Template] = "Whole years"
_CHANGE: Final[Template] = "Change from {first} to {last}"
ADDED_UP: Final[Template] = (
    "Whole years are added up from these figures, at no cost. A change may be chance: that was not "
    "tested."
)
_PLAIN = frozenset({"value", "half-width", "lowest", "highest", "nearest", "part", "mark"})


def is_single(charted: Charted) -> bool:
    """Whether a query has one figure with a margin, and it says something."""
    return (
        charted.figures.has_intervals
        and len(charted.table.rows) == 1
        and {column.role for column in charted.table.columns} <= _PLAIN
        and charted.figures.figures[0] is not None
    )


@dataclass(frozen=True)
class WholeCount:
    """A key figure that says how many rows or people there are.

    Attributes:
        title: what it is called.
        value: as in its table.
        figure: with its margin, as people read it.
    """

    title: str
    value: str
    figure: str


def whole_counts(
    charted: Sequence[Charted], headings: Mapping[str, Heading]
) -> dict[str, WholeCount]:
    """Which key figures count all rows and all people, by what they count; the first of each."""
    found = dict[str, WholeCount]()
    for one in charted:
        asked, figure = one.requested, one.figures.figures[0] if is_single(one) else None
        if asked is None or figure is None or asked.by or asked.where:
            continue
        if asked.declaration.is_total and asked.unit in ("rows", "people"):
            at = [column.role for column in one.table.columns].index("value")
            shown = " ".join(filter(None, (figure.figure, figure.margin)))
            title = headings[one.query.id].title
            found.setdefault(asked.unit, WholeCount(title, one.table.rows[0][at], shown))
    return found


def total_to_quote(charted: Charted, counts: Mapping[str, WholeCount]) -> str:
    """Which count is to be quoted for all of a table, where its own total is another one."""
    asked, adding, words = charted.requested, charted.adding, charted.words
    if asked is None or adding is None or asked.where or not (asked.by and adding.has_shares):
        return ""
    whole, total = counts.get(asked.unit or ""), adding.totals(())[()]
    if whole is None or Fraction(total.value) == Fraction(whole.value):
        return ""
    shown = (words.number(total.value), f"{PLUS_MINUS} {words.number(total.half_width)}")
    said = {"total": " ".join(shown), "title": whole.title, "figure": whole.figure}
    return words.say(_TO_QUOTE, **said)


def whole_years(charted: Charted) -> dict[str, CellTotal]:
    """The totals of whole years, and from each to the next the change, by what they are called.

    Not of figures that were made to add up with others: of some of them alone, how far off they
    are is not known.
    """
    adding, words, years = charted.adding, charted.words, _whole_years(charted)
    if adding is None or charted.is_made_up:
        return {}
    found = {year: adding.combined(lines) for year, lines in years.items()}
    for first, last in pairwise(years):
        name = words.say(_CHANGE, first=first, last=last)
        found[name] = adding.combined(years[last], years[first])
    return {name: total for name, total in found.items() if total is not None}


def yearly_totals(charted: Charted) -> CrossFigures | None:
    """The same side by side; ``None`` without any."""
    words = charted.words
    write = cell_writer("number", words)
    cells = {
        name: CrossCell(write(one.value), f"{PLUS_MINUS} {write(one.half_width)}", one.is_noisy)
        for name, one in whole_years(charted).items()
    }
    if not cells:
        return None
    rows = [FigureRow((n, c.figure, c.margin), c.is_noisy) for n, c in cells.items()]
    heads = ("", words.say(_HEADS[2]), words.say(_HEADS[3]))
    plain = Figures(heads, (False, True, True), rows, None, charted.file)
    line = CrossLine(words.say(YEARS), tuple(cells.values()))
    return CrossFigures("", "", tuple(cells), (line,), has_totals=False, plain=plain)


def _whole_years(charted: Charted) -> dict[str, list[int]]:
    """The lines of each year of which all periods are counted; none unless by periods alone."""
    asked, study = charted.requested, charted.study
    by = asked.by[0] if asked is not None and len(asked.by) == 1 else None
    column = study.column(by.column) if study is not None and isinstance(by, Periods) else None
    if asked is None or not isinstance(by, Periods) or by.period not in _IN_A_YEAR:
        return {}
    if not isinstance(column, DateColumn) or column.first is None or column.last is None:
        return {}
    years = dict[str, list[int]]()
    for line, row in enumerate(charted.table.rows):
        years.setdefault(row[0][:4], []).append(line)
    # A condition on the days leaves periods empty that are lines nevertheless.
    kept = [one for one in asked.where if isinstance(one, DateBetween) and one.column == by.column]
    first = max((column.first, *(one.first for one in kept)))
    last = min((column.last, *(one.last for one in kept)))
    whole = range(
        first.year + (first.replace(month=1, day=1) != first),
        last.year + (last.replace(month=12, day=31) == last),
    )
    return {year: lines for year, lines in years.items() if int(year) in whole}


def key_figures(
    charted: Sequence[Charted], headings: Mapping[str, Heading], names: UnitNames
) -> tuple[KeyFigures, ...]:
    """One block of them; none where every query has groups.

    Args:
        headings: by the queries' ids.
        names: what rows and people are called, and percentage points.
    """
    single = filter(is_single, charted)
    found = tuple(_key_figure(one, headings[one.query.id].title, names) for one in single)
    return (KeyFigures(found),) if found else ()


def _key_figure(charted: Charted, title: str, names: UnitNames) -> KeyFigure:
    figure, margin = _figure_and_margin(charted, names)
    return KeyFigure(title, figure, margin, _is_noisy(charted))


def findings(
    charted: Sequence[Charted], headings: Mapping[str, Heading], names: UnitNames
) -> Iterator[Paragraph]:
    """A paragraph with a sentence for each key figure, with its range; see ``key_figures``."""
    sentences = list[str]()
    for one in filter(is_single, charted):
        asked, words = one.requested, one.words
        if asked is None or _is_noisy(one):
            continue
        figure, _margin = _figure_and_margin(one, names)
        ends = POPULATION_ROLES if one.roles.issuperset(POPULATION_ROLES) else ("lowest", "highest")
        low, high = (one.figures.written(0, role) for role in ends)
        shown = within(low, high, words)
        said = words.say(_OF_NOISE if ends[0] == "lowest" else _OF_POPULATION, range=shown)
        if not one.query.draws:
            said = words.say(_PUBLIC)
        counted = {"rows": names.rows, "people": names.people}.get(asked.unit or "")
        if counted and not asked.where:
            sentence = words.say(_COUNTED, figure=figure, rows=counted, range=said)
        else:
            title = headings[one.query.id].title
            sentence = words.say(_FIGURE, title=title, figure=figure, range=said)
        sentences.append(sentence)
    if sentences:
        yield Paragraph(" ".join(sentences))


def _figure_and_margin(charted: Charted, names: UnitNames) -> tuple[str, str]:
    """Both with their unit."""
    (one,), figures = charted.figures.figures, charted.figures
    if one is None:
        raise ValueError("a key figure says something")
    units = ("", names.points) if figures.is_percent else (figures.unit, figures.unit)
    texts = zip((one.figure, one.margin), units, strict=True)
    figure, margin = (f"{text} {unit}" if text and unit else text for text, unit in texts)
    return figure, margin


def _is_noisy(charted: Charted) -> bool:
    one = charted.figures.figures[0]
    return one is not None and one.is_noisy


def single_section(
    single: Sequence[Charted], headings: Mapping[str, Heading], names: UnitNames, number: str
) -> Iterator[Section]:
    """The table of all queries that have one figure; none without any."""
    if not single:
        return
    words = single[0].words
    rows = tuple(_row(one, headings[one.query.id], names) for one in single)
    shown = [at for at in range(len(_HEADS)) if at in _ALWAYS or any(row.cells[at] for row in rows)]
    table = Figures(
        tuple(words.say(_HEADS[at]) for at in shown),
        tuple(1 < at < len(_HEADS) - 1 for at in shown),
        tuple(FigureRow(tuple(row.cells[at] for at in shown), row.is_noisy) for row in rows),
        None,
        "results.xlsx",
    )
    shown_headings = [headings[one.query.id] for one in single]
    notes = [*dict.fromkeys(one.left_out for one in shown_headings if one.left_out)]
    notes += [*dict.fromkeys(one.limit for one in shown_headings if one.limit)][:1]
    notes += [f"{one.title}: {one.missing}" for one in shown_headings if one.missing]
    paragraphs = (Paragraph(note, "quiet") for note in filter(None, (" ".join(notes),)))
    common = (words.say(ABOUT),) if _ABOUT_ROWS in shown else ()
    title = words.say("Figures without groups")
    yield Section(title, (table, *paragraphs), number, common=common)


def _row(charted: Charted, heading: Heading, names: UnitNames) -> FigureRow:
    figures, is_noisy = charted.figures, _is_noisy(charted)
    ends = (figures.written(0, role) for role in ("lowest", "highest"))
    note = charted.words.say(TOO_NOISY) if is_noisy else ""
    called = (heading.title, heading.question)
    cells = (*called, *_figure_and_margin(charted, names), *ends, _counted(charted), note)
    return FigureRow(cells, is_noisy)


def _counted(charted: Charted) -> str:
    """How many rows a mean is of, where that was released; else empty."""
    shown = shown_columns(charted.table, charted.query)
    places = [at for at, column in shown if column.name == "noisy_rows"]
    (row,) = charted.table.rows
    return " ".join(charted.figures.writer(at)(row[at]) for at in places)
