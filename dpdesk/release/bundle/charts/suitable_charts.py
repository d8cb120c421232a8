# SPDX-License-Identifier: Apache-2.0
"""Which charts fit a query's figures, by what the query asks alone, and what they draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.planning.cumulative_shares import cumulative_shares
from dpdesk.privacy.planning.quantile_ranges import Ranges, quantile_ranges
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.statistics.base import ColumnRole, is_from_best
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.usable import YES, Possible, is_half
from dpdesk.release.bundle.charts.cross_table import CrossTable, cross_table
from dpdesk.release.bundle.charts.description import (
    MOST_BARS,
    MOST_BOXES,
    MOST_CURVES,
    QUARTILES,
    Box,
    Curve,
    CurvePoint,
)
from dpdesk.release.bundle.charts.forest import Forest, forest_of
from dpdesk.release.bundle.charts.funnel import Funnel, funnel_of, has_funnel
from dpdesk.release.bundle.derived_lines import is_model
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.readable import GROUP_FORMS, cell_writer, forms_of
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods, bin_ends
from dpdesk.study.model.parameters import (
    DistributionParameters,
    IncidenceParameters,
    QuantileParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS

BARS, LINE, HEAT, CURVE, BOX, FUNNEL = "bars", "line", "heat", "curve", "box", "funnel"
FOREST = "forest"
WHOLE = Possible(Fraction(0), Fraction(1))
MOST_NAMED = 10_000


@dataclass(frozen=True)
class Charts:
    """The charts of one query.

    Attributes:
        kinds: which of them fit; the first is shown until another is picked.
        cross: where each line is in the cross-table; ``None`` where there is none.
        curves: what the cumulative chart draws; of a histogram it may take a second.
        boxes: what the boxes are.
        boxes_with_ranges: the same with the margins of their figures; it may take a second.
        unit: of the values along the axis of curves and boxes.
        quantiles: the three of each box.
        falls: whether its curves are survival curves.
        rises: whether they are curves of incidence.
        funnel: the rates of units over their exposure, where they make one; it may take a second.
        asked: the study and the query, for the words of a funnel.
        forest: the coefficients or effects of a model; ``None`` where there are none.
    """

    kinds: tuple[str, ...] = (BARS,)
    cross: CrossTable | None = None
    curves: Callable[[], Sequence[Curve]] = tuple
    boxes: Callable[[], Sequence[Box]] = tuple
    boxes_with_ranges: Callable[[], Sequence[Box]] = tuple
    unit: str = ""
    quantiles: tuple[Decimal, ...] = QUARTILES
    falls: bool = False
    rises: bool = False
    funnel: Callable[[], Funnel | None] = lambda: None
    asked: tuple[Study, Query] | None = None
    forest: Forest | None = None


ONLY_BARS = Charts()


def charts_of(
    study: Study | None, released: ReleasedQuery, table: Table, words: ReleaseWords = WORDS
) -> Charts:
    """The charts of a released query.

    Args:
        study: as released; ``None`` where nobody can read it.
        released: the query, with what was drawn.
        table: its figures.
        words: in which its groups are named.
    """
    query = study.query(released.id) if study is not None else None
    if study is None or query is None:
        return plain_charts(table)
    found = _charts(study, query, released, table, words)
    forest = forest_of(study, query, released, table, words)
    if forest is None:
        return found
    kinds = (FOREST, *found.kinds) if is_model(table) else (*found.kinds, FOREST)
    return replace(found, kinds=kinds, forest=forest)


def _charts(
    study: Study, query: Query, released: ReleasedQuery, table: Table, words: ReleaseWords
) -> Charts:
    """The charts of its own figures."""
    plain = plain_charts(table, _are_periods(query, table))
    if not _is_curve_or_box(table):
        return plain
    named = _named(table, released, words)
    if has_funnel(study, query):
        names = [row[0] for row in named.rows]
        funnel = partial(funnel_of, study, query, released, names)
        return replace(plain, kinds=(FUNNEL, *plain.kinds), funnel=funnel, asked=(study, query))
    return _with_curve(study, query, released, named, plain) or (
        _with_boxes(study, query, released, named, plain) or plain
    )


def _is_curve_or_box(table: Table) -> bool:
    """Whether one could fit: tables of more lines have none, and nobody names their groups."""
    return len(table.rows) <= MOST_NAMED and any(c.role == "group" for c in table.columns)


def _named(table: Table, released: ReleasedQuery, words: ReleaseWords) -> Table:
    """The same, its groups as people read them."""
    writers = [
        cell_writer(form, words) if column.role == "group" and form in GROUP_FORMS else str
        for column, form in zip(table.columns, forms_of(table, released), strict=True)
    ]
    rows = (
        tuple(write(text) for write, text in zip(writers, row, strict=True)) for row in table.rows
    )
    return replace(table, rows=tuple(rows))


def plain_charts(table: Table, are_periods: bool = False) -> Charts:
    """The charts that a table alone allows for.

    Args:
        table: a released one.
        are_periods: its lines are periods, one after the other.
    """
    if are_periods:
        return Charts((LINE, BARS))
    cross = cross_table(table)
    if cross is None:
        return ONLY_BARS
    return Charts((HEAT, BARS) if len(table.rows) <= MOST_BARS else (HEAT,), cross)


def _with_curve(
    study: Study, query: Query, released: ReleasedQuery, table: Table, plain: Charts
) -> Charts | None:
    """With cumulative shares: first of a distribution, which is read so, last of a histogram."""
    column, asked = study.column(query.column), query.parameters
    if isinstance(asked, TimeToEventParameters):
        return _survival(study, query, table, plain)
    is_distribution = isinstance(asked, DistributionParameters)
    binned = (column, asked.edges) if isinstance(asked, DistributionParameters) else None
    column, edges = binned or _binned(study, query) or (None, ())
    if not isinstance(column, NumberColumn):
        return None
    ends = bin_ends(column, edges)
    if len(ends) < 2 or len(table.rows) > MOST_CURVES * len(ends):
        return None
    curves = partial(_released_curves, table, ends)
    if not is_distribution:
        curves = partial(_added_curves, released, table, ends)
    kinds = (CURVE, *plain.kinds) if is_distribution else (*plain.kinds, CURVE)
    return replace(plain, kinds=kinds, curves=curves, unit=column.label)


def _survival(study: Study, query: Query, table: Table, plain: Charts) -> Charts | None:
    """Curves that fall, or of several kinds of event rise, where there are few enough."""
    column = study.column(query.column)
    edges = query.parameters_as(TimeToEventParameters).edges
    if not isinstance(column, NumberColumn) or len(table.rows) > MOST_CURVES * (len(edges) + 1):
        return None
    ends, begins = bin_ends(column, edges), float(column.lower or 0)
    rises = isinstance(query.parameters, IncidenceParameters)
    curves = partial(_curves_over_time, table, ends, begins, falls=not rises)
    made = replace(plain, kinds=(CURVE,), curves=curves, unit=column.label)
    return replace(made, falls=not rises, rises=rises)


def _with_boxes(
    study: Study, query: Query, released: ReleasedQuery, table: Table, plain: Charts
) -> Charts | None:
    """With boxes of quartiles, where there are some, and not too many."""
    column = study.column(query.column)
    if not _boxed(query) or not isinstance(column, NumberColumn):
        return None
    lines = len(query.parameters_as(QuantileParameters).quantiles)
    if len(table.rows) > MOST_BOXES * lines:
        return None
    return replace(
        plain,
        kinds=(BOX, *plain.kinds),
        boxes=partial(_boxes, study, query, table, tuple),
        boxes_with_ranges=partial(
            _boxes, study, query, table, partial(_ranges, study, query, released)
        ),
        unit=column.label,
        quantiles=_boxed_quantiles(query),
    )


def _are_periods(query: Query, table: Table) -> bool:
    """Whether a table has one figure a line, and its lines follow one another in time."""
    roles = [column.role for column in table.columns]
    if len(query.by) != 1 or roles.count("group") != 1 or "value" not in roles:
        return False
    by = query.by[0]
    return isinstance(by, Periods) and by.period != "weekday"


def _binned(study: Study, query: Query) -> tuple[NumberColumn, tuple[Decimal, ...]] | None:
    """The column and the edges of a count of rows by bins, which hold each row once."""
    last = query.by[-1] if query.by else None
    declared = DECLARATIONS[query.statistic]
    counts_rows = declared.unit == "rows" and declared.column is None
    if not counts_rows or not isinstance(last, Bins):
        return None
    column = study.column(last.column)
    return (column, last.edges) if isinstance(column, NumberColumn) else None


def _boxed(query: Query) -> tuple[int, ...]:
    """Which of a query's quantiles are a box: its quartiles and median, or all of three."""
    if not isinstance(query.parameters, QuantileParameters):
        return ()
    wanted = query.parameters.quantiles
    if set(QUARTILES) <= set(wanted):
        return tuple(wanted.index(quartile) for quartile in QUARTILES)
    return (0, 1, 2) if len(wanted) == len(QUARTILES) else ()


def _boxed_quantiles(query: Query) -> tuple[Decimal, ...]:
    wanted = query.parameters_as(QuantileParameters).quantiles
    return tuple(wanted[place] for place in _boxed(query))


def _cells(table: Table, lines: int) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Each cell's name and its rows, of which it has this many; the last group tells them apart."""
    groups = [i for i, column in enumerate(table.columns) if column.role == "group"][:-1]
    for start in range(0, len(table.rows), lines):
        rows = table.rows[start : start + lines]
        yield ", ".join(rows[0][place] for place in groups), rows


def _released_curves(table: Table, ends: Sequence[str]) -> list[Curve]:
    roles = [column.role for column in table.columns]
    share, half = roles.index("share"), roles.index("share-half-width")
    return [
        _curve(
            name,
            ends,
            [Figure(Fraction(r[share]), Fraction(r[half])) if r[share] else None for r in rows],
        )
        for name, rows in _cells(table, len(ends))
    ]


def _curves_over_time(
    table: Table, ends: Sequence[str], begins: float, *, falls: bool
) -> list[Curve]:
    """Each group's curve as far as somebody may be at risk, with its band."""
    places = [_place(table, role) for role in ("value", "lowest", "highest")]
    mark, beside = _place(table, "mark"), _place(table, "beside")
    inner = [i for i, column in enumerate(table.columns) if column.role == "group"][-2:]
    kinds = len({row[inner[0]] for row in table.rows})
    curves: list[Curve] = []
    for name, rows in _cells(table, len(ends)):
        said = [(end, row) for end, row in zip(ends, rows, strict=True) if row[places[0]]]
        points = []
        for end, row in said:
            share, low, high = (float(100 * Fraction(row[place])) for place in places)
            points.append(CurvePoint(float(end), share, low, high, noisy=row[mark] == YES))
        at_risk = tuple(int(row[beside]) for _end, row in said)
        # Of several kinds of event those at risk are the same: they are shown with the first.
        shows_at_risk = falls or len(curves) % kinds == 0
        curves.append(Curve(name, tuple(points), begins, at_risk if shows_at_risk else (), falls))
    return curves


def _added_curves(released: ReleasedQuery, table: Table, ends: Sequence[str]) -> list[Curve]:
    noise, drawn = released.draws[0].noise, _place(table, "part")
    counts = [int(row[drawn]) for row in table.rows]
    return [
        _curve(name, ends, cumulative_shares(noise, counts[start : start + len(ends)]))
        for start, (name, _rows) in zip(
            range(0, len(counts), len(ends)), _cells(table, len(ends)), strict=True
        )
    ]


def _curve(name: str, ends: Sequence[str], figures: Sequence[Figure | None]) -> Curve:
    """A curve in percent; without points where there are no shares."""
    pairs = zip(ends, figures, strict=True)
    return Curve(name, tuple(_point(float(end), one) for end, one in pairs if one is not None))


def _point(place: float, figure: Figure) -> CurvePoint:
    value, margin = figure.value, figure.half_width
    low, high = max(Fraction(0), value - margin), min(Fraction(1), value + margin)
    share, lowest, highest = (float(100 * part) for part in (value, low, high))
    return CurvePoint(place, share, lowest, highest, noisy=is_half(margin, WHOLE))


def _boxes(
    study: Study, query: Query, table: Table, find_ranges: Callable[[], Sequence[Ranges]]
) -> list[Box]:
    wanted, inner = query.parameters_as(QuantileParameters).quantiles, _boxed(query)
    ranges, possible = find_ranges(), _possible(study, query)
    # Of candidates that leave values out a range is of the best one: the exact value is beyond it.
    is_of_best = any(is_from_best(column.name) for column in table.columns)
    boxes = []
    for cell, (name, rows) in enumerate(_cells(table, len(wanted))):
        figures = [Fraction(row[_place(table, "value")]) for row in rows]
        within = [ranges[cell][i] for i in inner] if ranges and ranges[cell] else []
        margins = [
            max(figures[i] - Fraction(low), Fraction(high) - figures[i])
            for i, (low, high) in zip(inner, within, strict=False)
        ]
        crossed = any(not rows[i][_place(table, "score-bound")] for i in inner)
        boxes.append(
            Box(
                name,
                tuple(float(figures[i]) for i in inner),
                tuple(float(figures[i]) for i in (0, -1)) if len(figures) > len(inner) else (),
                () if is_of_best else tuple((float(low), float(high)) for low, high in within),
                noisy=crossed or any(is_half(margin, possible) for margin in margins),
            )
        )
    return boxes


def _place(table: Table, role: ColumnRole) -> int:
    return next(i for i, column in enumerate(table.columns) if column.role == role)


def _ranges(study: Study, query: Query, released: ReleasedQuery) -> list[Ranges]:
    """Between what each cell's quantiles lie; none where only their ranks are known."""
    plan = compile_query(study, query)
    return [quantile_ranges(plan, released.drawn.noisy, i) for i in range(len(plan.cells))]


def _possible(study: Study, query: Query) -> Possible:
    """What a quantile can be: within the declared bounds."""
    column = study.column(query.column)
    if not isinstance(column, NumberColumn) or column.lower is None or column.upper is None:
        return Possible(None, None)
    return Possible(Fraction(column.lower), Fraction(column.upper))
