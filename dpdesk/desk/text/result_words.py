# SPDX-License-Identifier: Apache-2.0
"""A released table as people read it: heads, cells and what can be drawn of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from math import ceil

from dpdesk.desk.text import times, words
from dpdesk.desk.text.language import catalogue, language, number_style, plain_names
from dpdesk.desk.text.translating import tr
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.statistics.base import is_from_best
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.charts.description import QUARTILES
from dpdesk.release.bundle.query_headings import ReleaseWords, adds_up
from dpdesk.release.bundle.readable import POPULATION_ROLES, Form, cell_writer, group_text
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, Statistic, StatisticDeclaration
from dpdesk.study.text import number_text, titles
from dpdesk.study.text.unit_names import in_query, named_unit

TEXTS = frozenset({"group", "choice", "found", "label", "mark"})
"""Roles whose cells are texts; all others are numbers."""

SHARES = frozenset({"share", "share-half-width"})
"""Roles of shares beside another figure; files have them as numbers up to 1, people see percent."""


@dataclass(frozen=True)
class ShownTable:
    """A table for the window.

    Attributes:
        heads: one a column.
        rows: cells, texts.
        right: columns of numbers, which stand at the right.
        strong: columns of what was asked for.
        labels: of each row, for the chart.
        values: of each row; ``None`` where a figure says nothing; empty where nothing is drawn.
        half_widths: of each row; 0 where there is no margin.
        unit: of the values; shares are percentages here, whatever the table has.
        intervals: lowest and highest of each row, as the table has them: cut to what is possible;
            empty where the table has none.
        populations: the same for the population; empty where the table has none.
        noisy: of each row, whether it is too noisy to use.
        keys: of each row, what its cells are sorted by; ``None`` where a cell says nothing.
        names: the column of names, which has the room that is over.
        notes: the column of notes, where a dash says that there is none; -1 without such a column.
        written: how each group is written that its table names otherwise.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...]
    strong: tuple[int, ...]
    labels: tuple[str, ...]
    values: tuple[float | None, ...]
    half_widths: tuple[float, ...]
    unit: str
    intervals: tuple[tuple[float, float] | None, ...] = ()
    populations: tuple[tuple[float, float] | None, ...] = ()
    noisy: tuple[bool, ...] = ()
    keys: tuple[tuple[Decimal | str | None, ...], ...] = ()
    names: int = 0
    notes: int = -1
    written: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Column:
    """One column of the window's table, made of one or two of the record's."""

    head: str
    places: tuple[int, ...]
    form: str
    role: str


def shown_table(table: Table, statistic: Statistic, forms: Sequence[Form] = ()) -> ShownTable:
    """A record's table, its noisy parts left out, margins beside what they belong to.

    Args:
        table: a released one.
        statistic: what was asked.
        forms: what the cells of each of its columns are; what the table alone says where not given.
    """
    columns = _columns(table, statistic)
    is_share, times = DECLARATIONS[statistic].is_share, DECLARATIONS[statistic].percent_factor
    own = _group_texts(table, forms)
    writers = [(c, own.get(c.places[0]) or _writer(c.form)) for c in columns]
    rows = tuple(tuple(_cell(row, *writer) for writer in writers) for row in table.rows)
    roles = [column.role for column in table.columns]
    value = roles.index("value") if "value" in roles else None
    margin = roles.index("half-width") if "half-width" in roles else None
    texts = [i for i, role in enumerate(roles) if role in TEXTS and role != "mark"]
    return ShownTable(
        heads=tuple(column.head for column in columns),
        rows=rows,
        right=tuple(i for i, c in enumerate(columns) if c.role not in TEXTS),
        strong=tuple(
            i for i, c in enumerate(columns) if c.role in ("value", "choice", "found", "bound")
        ),
        labels=tuple(_label(row, texts, own) for row in table.rows),
        values=() if value is None else tuple(_number(row[value], times) for row in table.rows),
        half_widths=tuple(
            (_number(row[margin], times) or 0.0) if margin is not None else 0.0
            for row in table.rows
        ),
        unit=words.PERCENT if is_share else "" if value is None else table.columns[value].unit,
        intervals=_intervals(table, roles, times, ("lowest", "highest")),
        populations=_intervals(table, roles, times, POPULATION_ROLES),
        keys=tuple(zip(*(_keys(table.rows, column) for column in columns), strict=True)),
        noisy=tuple("mark" in roles and row[roles.index("mark")] == YES for row in table.rows),
        names=_names(table, columns),
        notes=next((i for i, column in enumerate(columns) if column.role == "mark"), -1),
        written={row[i]: write(row[i]) for i, write in own.items() for row in table.rows},
    )


def _group_texts(table: Table, forms: Sequence[Form]) -> dict[int, Callable[[str], str]]:
    """How groups are written: as in report and workbook, but for periods."""
    style, wording = number_style(), release_words()
    writers: dict[int, Callable[[str], str]] = {}
    for place, column in enumerate(table.columns):
        if _is_number_of_rows(column):
            writers[place] = lambda text: titles.number_of_rows(text, language())
        elif _is_inner(column):
            writers[place] = lambda text: number_text.in_column(text, style)
        elif column.role == "group" and (read := times.periods({row[place] for row in table.rows})):
            writers[place] = read.__getitem__
        elif column.role == "group":
            writers[place] = cell_writer(forms[place] if forms else "group", wording)
    return writers


def group_names(labels: Iterable[str]) -> dict[str, str]:
    """How the groups of one grouping are written, of which no more than the labels is known."""
    known = set(labels)
    return times.periods(known) or {label: group_text(label, release_words()) for label in known}


def release_words() -> ReleaseWords:
    """The words of report and workbook in the window's language."""
    return ReleaseWords(catalogue(), number_style())


def _label(
    row: Sequence[str], texts: Sequence[int], own: Mapping[int, Callable[[str], str]]
) -> str:
    return ", ".join(own[i](row[i]) if i in own else row[i] for i in texts if row[i]) or _all()


def _names(table: Table, columns: Sequence[_Column]) -> int:
    """The first column of texts; a rank is a number that is before what was chosen."""
    for place, column in enumerate(columns):
        first = table.columns[column.places[0]]
        is_rank = first.name == "rank" and not first.title
        if column.role in TEXTS and not is_rank:
            return place
    return 0


def marked_made_up(shown: ShownTable) -> ShownTable:
    """The same with a first column that calls every row made up, wherever it is copied to."""
    word = tr("MadeUpMark", "made up")
    return replace(
        shown,
        heads=(tr("ResultWords", "Rehearsal"), *shown.heads),
        rows=tuple((word, *row) for row in shown.rows),
        right=tuple(place + 1 for place in shown.right),
        strong=tuple(place + 1 for place in shown.strong),
        names=shown.names + 1,
        notes=shown.notes + 1 if shown.notes >= 0 else -1,
        keys=tuple((word, *keys) for keys in shown.keys),
    )


def _keys(rows: tuple[tuple[str, ...], ...], column: _Column) -> list[Decimal | str | None]:
    """What a column is sorted by: numbers where all its cells are."""
    texts = [row[column.places[0]] for row in rows]
    try:
        return [Decimal(text) if text else None for text in texts]
    except InvalidOperation:
        return [text or None for text in texts]


def _intervals(
    table: Table, roles: Sequence[str], times: int, ends: tuple[str, str]
) -> tuple[tuple[float, float] | None, ...]:
    """Both ends of each row; ``None`` where a figure says nothing."""
    if not set(ends) <= set(roles):
        return ()
    low, high = map(roles.index, ends)
    return tuple(
        (times * float(row[low]), times * float(row[high])) if row[low] and row[high] else None
        for row in table.rows
    )


def _columns(table: Table, statistic: Statistic) -> list[_Column]:
    made: list[_Column] = []
    roles = [column.role for column in table.columns]
    for place, column in enumerate(table.columns):
        role = column.role
        if role == "lowest":
            head = tr("ResultWords", "Range")
            nearest = [i for i, other in enumerate(roles) if other == "nearest"]
            form = "percent-range" if DECLARATIONS[statistic].is_share else "range"
            made.append(_Column(head, (place, place + 1, *nearest), form, role))
        elif role == "population-lowest":
            head = tr("ResultWords", "For the population")
            form = "percent-range" if DECLARATIONS[statistic].is_share else "range"
            made.append(_Column(head, (place, place + 1), form, role))
        elif role == "mark":
            head = tr("ResultWords", "Note")
            if any(row[place] == YES for row in table.rows):
                made.append(_Column(head, (place,), "mark", role))
        elif role == "part":
            drawn = column.name.removeprefix("noisy_")
            if drawn.startswith(("rows", "people")) and DECLARATIONS[statistic].is_ratio:
                head = tr("ResultWords", "Rows, about")
                if drawn.startswith("people"):
                    head = tr("ResultWords", "People, about")
                made.append(_Column(head, (place,), "number", role))
        elif role == "aside":
            made.append(_Column(_head(column, statistic), (place, place + 1), "beside", role))
        elif role not in ("highest", "nearest", "population-highest", "aside-half-width"):
            made.append(_Column(_head(column, statistic), (place,), _form(role, statistic), role))
    return made


def _is_inner(column: TableColumn) -> bool:
    """Whether a group is a number that no column of the data gave: a quantile, or an end."""
    inner = ("quantile", "up_to", "number_of_rows")
    return column.role == "group" and not column.title and column.name in inner


def _is_number_of_rows(column: TableColumn) -> bool:
    return _is_inner(column) and column.name == "number_of_rows"


def _form(role: str, statistic: Statistic) -> str:
    if role in TEXTS:
        return "text"
    is_share = DECLARATIONS[statistic].is_share
    is_percent = role in SHARES or (is_share and role in ("value", "half-width"))
    if role in ("half-width", "share-half-width"):
        return "percent-margin" if is_percent else "margin"
    return "percent" if is_percent else "number"


def _head(column: TableColumn, statistic: Statistic) -> str:
    role, name, unit = column.role, column.name, column.unit
    whom, _, measured = name.partition("_")
    if whom in ("rows", "people") and role == "score-bound":
        found = tr("ResultWords", "Found from, {0}")
        off = tr("ResultWords", "Distance at most, {0}")
        template = found if measured == "found_from_95" else off
        return template.format(named_unit(whom, plain_names()))
    if role in _plain():
        is_points = _form(role, statistic) == "percent-margin"
        return _plain()[role] + (f", {words.points()}" if is_points else "")
    if role == "group":
        return column.title or _inner().get(name, name)
    plain = _ends().get(name, name.replace("_", " ").capitalize())
    head = words.statistic(statistic) if role == "value" else plain
    if name == "standardised_rate":
        # The card says the rest; beside the crude rate there is little room.
        head = tr("ResultWords", "Standardised")
    if measured.startswith("up_to"):
        head = tr("ResultWords", "Rows up to there")
        if whom == "people":
            head = tr("ResultWords", "People up to there")
    return f"{head}, {unit}" if unit else head


def _plain() -> dict[str, str]:
    """Headings that a role alone gives."""
    return {
        "half-width": tr("ResultWords", "Margin"),
        "share-half-width": tr("ResultWords", "Margin"),
        "share": tr("ResultWords", "Share"),
        "choice": tr("ResultWords", "Chosen"),
        "found": tr("ResultWords", "Found"),
        "label": tr("ResultWords", "Name"),
        "score-bound": tr("ResultWords", "Distance at most"),
    }


def _ends() -> dict[str, str]:
    """Headings of a role of which a table has two or more."""
    return {
        "lower": tr("ResultWords", "Lower"),
        "upper": tr("ResultWords", "Upper"),
        "lower_quartile": tr("ResultWords", "Lower quartile"),
        "upper_quartile": tr("ResultWords", "Upper quartile"),
        "at_risk": tr("ResultWords", "At risk"),
        "entered": tr("ResultWords", "Entered"),
        "events": tr("ResultWords", "Events"),
        "censored": tr("ResultWords", "Censored"),
        "crude_rate": tr("ResultWords", "Crude"),
        "expected": tr("ResultWords", "Expected"),
    }


def _inner() -> dict[str, str]:
    """What tells the lines of a group apart."""
    return {
        "quantile": tr("ResultWords", "Quantile"),
        "rank": tr("ResultWords", "Rank"),
        "up_to": tr("ResultWords", "Up to"),
        "kind": tr("ResultWords", "Kind of event"),
        "moment": tr("ResultWords", "Sum"),
        "number_of_rows": tr("ResultWords", "Number of {0}").format(plain_names().rows),
    }


def _writer(form: str) -> Callable[[str], str]:
    """How a column's figures are written; asked once for hundreds of rows."""
    style = number_style()
    if form == "text":
        return str
    if form == "percent-margin":
        return lambda text: number_text.in_percent(text, style) if text else ""
    write = number_text.percent if form.startswith("percent") else number_text.in_column
    return lambda text: write(text, style)


def _cell(row: tuple[str, ...], column: _Column, write: Callable[[str], str]) -> str:
    """One cell; what says nothing is a dash, or says so where a figure should stand."""
    texts = [row[place] for place in column.places]
    if column.form == "text":
        return write(texts[0]) if texts[0] else ""
    if column.form == "mark":
        return too_noisy() if texts[0] == YES else "–"
    if column.form.endswith("range"):
        return _range(write, *texts)
    if not all(texts):
        few = tr("ResultWords", "too few to say")
        return few if column.role in ("value", "bound") else "–"
    number = write(texts[0])
    if column.form == "beside":
        return f"{number} ± {write(texts[1])}"
    return f"± {number}" if column.form.endswith("margin") else number


def no_note() -> str:
    """What the dash of a figure that can be used is read out as."""
    return tr("ResultWords", "none")


def too_noisy() -> str:
    """The word for a figure that its noise hides."""
    return tr("ResultWords", "too noisy to use")


def _range(write: Callable[[str], str], low: str, high: str, nearest: str = "") -> str:
    """Between what a figure is; beside it the nearest possible value, where none is within."""
    if not low or not high:
        return "–"
    template = tr("ResultWords", "{0} to {1}")
    if nearest:
        template = tr("ResultWords", "{0} to {1}; the nearest possible is {2}")
    return template.format(*(write(text) if text else "" for text in (low, high, nearest)))


def _number(text: str, times: int) -> float | None:
    return times * float(text) if text else None


def _all() -> str:
    return tr("ResultWords", "All")


def box_heads(quantiles: Sequence[Decimal]) -> tuple[str, str]:
    """What is above the figure in the middle of a box, and above those of its ends.

    Args:
        quantiles: three, rising.
    """
    if tuple(quantiles) == QUARTILES:
        return (
            tr("ResultWords", "Median"),
            tr("ResultWords", "Quartiles"),
        )
    first, middle, last = (words.figure(float(one)) for one in quantiles)
    return middle, tr("ResultWords", "{0} to {1}").format(first, last)


def note(table: Table, statistic: Statistic | None = None) -> str:
    """What a reader must know about this table's numbers; may be empty."""
    about = DECLARATIONS[statistic] if statistic else None
    said = [_flipped() if about and about.flips_answers else "", _note(table, about)]
    return " ".join(filter(None, (*said, _adds_up(table))))


def _adds_up(table: Table) -> str:
    if table.rounded_to:
        return adds_up(table, release_words())
    if table.has_public_total and not table.others:
        return tr(
            "ResultWords",
            "The counts add up to the public total; the noisy numbers as drawn are in the CSV "
            "file and in manifest.json.",
        )
    if table.is_left_as_drawn:
        return tr(
            "ResultWords",
            "As drawn: tables over the same rows have too many cells to be made to add up.",
        )
    if not table.others:
        return ""
    return tr(
        "ResultWords",
        "Made to add up with the other tables over the same rows; the noisy numbers as drawn are "
        "in the CSV file and in manifest.json.",
    )


def _flipped() -> str:
    return tr(
        "ResultWords",
        "Before counting, each answer was flipped with a known chance; the figure corrects for "
        "that.",
    )


def _note(table: Table, about: StatisticDeclaration | None) -> str:
    roles = {column.role for column in table.columns}
    if "found" in roles and not table.rows:
        return tr("ResultWords", "No category that enough people have.")
    if "bound" in roles:
        return tr(
            "ResultWords",
            "Nearly all values are between the two; values of fewer {0} than the last number may "
            "be outside.",
        ).format(_off(table))
    if "score-bound" in roles:
        said = _what_is_chosen(table, about)
        return f"{said} {_what_crossed()}" if _has_crossed(table) else said
    return _what_is_noisy() if table.marked else ""


def _is_from_best(table: Table) -> bool:
    """Whether ranks are counted from the best of declared candidates, not from the rank itself."""
    return any(is_from_best(column.name) for column in table.columns)


def _what_is_chosen(table: Table, about: StatisticDeclaration | None) -> str:
    """What being off means; it is below the chart and below the table."""
    chooses = about.chooses if about else None
    if chooses == "group":
        return tr(
            "ResultWords",
            "Chosen with noise: “Distance at most” says how many more {0} another value may "
            "have, 95 times in 100.",
        ).format(_off(table))
    if chooses == "cut-off":
        return tr(
            "ResultWords",
            "Chosen with noise: “Distance at most” says how far its score may be from the best, "
            "95 times in 100.",
        )
    if _is_from_best(table):
        return tr(
            "ResultWords",
            "Chosen with noise: “Distance at most” counts how many {0} the chosen value is "
            "further from the exact one than the best candidate.",
        ).format(_off(table))
    return tr(
        "ResultWords",
        "Chosen with noise: “Distance at most” counts {0} between the chosen value and the exact "
        "one.",
    ).format(_off(table))


def _off(table: Table, count: str = "") -> str:
    """What a choice's distance counts, in plain words: one row, rows or people."""
    names = [column.name for column in table.columns if column.role == "score-bound"]
    of_people = bool(names) and names[0].startswith("people_")
    plain = in_query(plain_names(), "people" if of_people else "rows")
    return plain.row if count == "1" else plain.rows


def has_groups(table: Table) -> bool:
    """Whether its rows are of groups, and not of quantiles or bins alone."""
    return any(one.role == "group" and not _is_inner(one) for one in table.columns)


def rows_off(table: Table, statistic: Statistic) -> str:
    """How many rows what was chosen by its rank may be off; empty where that is not said."""
    places = [i for i, one in enumerate(table.columns) if one.role == "score-bound"]
    if DECLARATIONS[statistic].chooses != "rank" or not places:
        return ""
    # Rounded up to whole rows: at most 50.5 are at most 51, too.
    found = {ceil(Decimal(row[places[0]])) for row in table.rows if row[places[0]]}
    counts = [str(count) for count in sorted(found)]
    if not counts:
        return ""
    low, high = (number_text.in_column(counts[place], number_style()) for place in (0, -1))
    number = tr("ResultWords", "{0} to {1}").format(low, high)
    number = high if low == high else number
    template = tr("ResultWords", "Distance 95 times in 100 at most {0}")
    if low != high and has_groups(table):
        template = tr("ResultWords", "Distance 95 times in 100 at most {0}, by group")
    if DECLARATIONS[statistic].draws > 1:
        template = tr("ResultWords", "Distance of each quartile 95 times in 100 at most {0}")
    if _is_from_best(table):
        template = template.format(tr("ResultWords", "{0} more than the best candidate"))
    return template.format(f"{number} {_off(table, counts[-1])}")


def counted(study: Study, query: Query) -> str:
    """What a card's figures are where no unit says it; empty where unit or title do."""
    about = DECLARATIONS[query.statistic]
    if about.flips_answers:
        return words.names(study).rows
    column = study.column(query.column) if about.chooses == "group" and query.title else None
    return column_title(column) if column is not None else ""


def grouped_by(study: Study, query: Query) -> list[str]:
    """What a card's figures are by, with the periods that days are taken together to."""
    return [words.grouped_by(study, grouping) for grouping in query.by]


def _has_crossed(table: Table) -> bool:
    """Whether nothing is said of how far a choice may be off."""
    places = [place for place, one in enumerate(table.columns) if one.role == "score-bound"]
    return any(not row[place] for row in table.rows for place in places)


def _what_crossed() -> str:
    return tr(
        "ResultWords", "A dash: values came out in the wrong order, so their margin is not known."
    )


def of_margins(brief: bool = False) -> str:
    """What holds for every figure with a margin; ``brief`` where there is little room."""
    noise = tr("ResultWords", "Margins cover only the privacy noise.")
    negative = tr("ResultWords", "A count can be negative.")
    return noise if brief else f"{noise} {negative}"


def _what_is_noisy() -> str:
    return tr(
        "ResultWords",
        "Too noisy to use: the figure cannot be distinguished from 0, or its margin is at least "
        "half the possible range.",
    )
