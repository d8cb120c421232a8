# SPDX-License-Identifier: Apache-2.0
"""The rows by which one person moves an answer the furthest, for any statistic and any grid."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

from dpdesk.study.model.columns import (
    MISSING_LABEL,
    OTHER_LABEL,
    Column,
    NumberColumn,
    group_labels,
    number_grid,
)
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from tests.asking import is_exposed
from tests.audit.tables import HEADER, Row, Rows
from tests.audit.worlds import MOST_ROWS, run
from tests.doors import Call, RecordingDoor, distance

CROWD = (
    Row(("1", "0", "A", "F", "yes", ""), 11),
    Row(("2", "5", "B", "M", "no", ""), 12),
    Row(("2", "1", "B", "F", "no", ""), 13),
)

MAJORITY = 4
"""A crowd this many times a person's rows outweighs them at every quantile that is asked."""

MOST_PLACES = 256
"""Of longer grids candidates are listed."""

READ_OFF_TREES = ("distribution", "quantiles", "interquartile-range")
"""Of few groups nobody's rows can leave all of theirs, as a limit for each group counts on."""


def furthest(study: Study, folder: Path) -> dict[str, tuple[int, float]]:
    """For each draw its declared sensitivity and the largest distance that one person reaches.

    Args:
        study: one query on rows whose ``stay`` is not missing.
        folder: where tables are written.
    """
    found: dict[str, tuple[int, float]] = {}
    for first, second in neighbouring(study, folder):
        for here, there in zip(first, second, strict=True):
            most = max(distance(here, there), found.get(here.name, (0, 0))[1])
            found[here.name] = (here.sensitivity, most)
    return found


def falls_short(study: Study, sensitivity: int, most: float) -> bool:
    """Whether nobody moves a draw as far as is declared.

    A rate's norm in L2 is rounded up to a whole number, 4,096 or more (``rate_sums``).
    """
    query = study.queries[0]
    is_rounded = is_exposed(query.statistic) and query.rho is not None
    return most != sensitivity and not (is_rounded and most < sensitivity <= most * (1 + 1 / 2_000))


def neighbouring(study: Study, folder: Path) -> list[tuple[list[Call], list[Call]]]:
    """What goes through the door on either side, for every pair of worlds that is tried."""
    return [pair for crowd in _crowds(study) for pair in _beside(crowd, study, folder)]


def _beside(crowd: Rows, study: Study, folder: Path) -> list[tuple[list[Call], list[Call]]]:
    """The pairs beside some others."""
    unit = study.unit or Unit()
    recorded = [_calls(study, folder, crowd + rows) for rows in _persons(study, unit)]
    if unit.neighbours == "add-remove":
        without = _calls(study, folder, crowd)
        return [(without, calls) for calls in recorded]
    return list(combinations(recorded, 2))


def worst(study: Study, folder: Path) -> list[tuple[Call, Call]]:
    """The pair of worlds whose answers are the furthest apart, all draws taken together."""
    pairs = neighbouring(study, folder)

    def apart(pair: tuple[list[Call], list[Call]]) -> float:
        calls = zip(*pair, strict=True)
        return sum(distance(here, there) / here.sensitivity for here, there in calls)

    return list(zip(*max(pairs, key=apart), strict=True))


def _calls(study: Study, folder: Path, rows: Rows) -> list[Call]:
    door = RecordingDoor()
    run(study, folder, rows, door)
    return door.calls


def _crowds(study: Study) -> list[Rows]:
    """Others: a few, or for a choice so many at one end that no person takes a score to its best.

    A quantile below the middle moves the most where the others are low, one above where they are
    high: there the score of every other candidate counts the person's rows in full.
    """
    chooses, (low, high) = study.queries[0].declaration.chooses, _ends(study)
    if chooses is None:
        return [CROWD]
    return [_crowd(study, low), _crowd(study, high)] if chooses == "rank" else [_crowd(study, low)]


def _crowd(study: Study, stay: str) -> Rows:
    unit = study.unit or Unit()
    cells = [cell for cell in _cells(study) for _ in range(MAJORITY * unit.max_rows)]
    return tuple(_row({**cell, "pid": f"x{i}"}, stay, i) for i, cell in enumerate(cells))


def _persons(study: Study, unit: Unit) -> list[Rows]:
    """What one person may be: nothing that counts, all in one cell, spread over many."""
    k = unit.max_rows
    low, high = _ends(study)
    cells = _cells(study)
    other, late = {"ok": "no", "sex": "M", "ward": "B"}, {"ok": "no"}
    last, spread = cells[-1], [cells[i % len(cells)] for i in range(k)]
    return [
        _rows([(cells[0], "")]),
        *(_rows([({**no, **cell}, high)] * k) for cell in (cells[0], last) for no in (other, late)),
        *(_rows([(cell, end)] * k) for cell in (cells[0], last) for end in (low, high)),
        *(_rows([(cells[0], value)] * k) for value in _places(study)),
        _rows([(cell, high) for cell in spread]),
        _rows([(cell, high) for cell in cells[k : 2 * k]] or [(cells[0], "")]),
        *_within_limit(study, k),
    ]


def _within_limit(study: Study, k: int) -> list[Rows]:
    """As many rows in each group as count there, from any group on, at both ends.

    The last group holds what is left; it lies behind the others or before them. Where rows would
    meet those that replace them, fewer move the answer further: full groups alone, or half of all.
    """
    (query,), (low, high) = study.queries, _ends(study)
    if query.rows_per_group is None:
        return []
    cells, most = _cells(study), query.rows_per_group
    turned = [cells[at:] + cells[:at] for at in range(len(cells))]
    rows, half = min(k, most * len(cells)), len(cells) // 2
    counts = {rows, *(min(rows // most, full) * most for full in (half, len(cells) - half, rows))}
    filled = [
        [each[place // most] for place in range(count)]
        for each in (*turned, *(one[::-1] for one in turned))
        for count in counts - {0}
    ]
    other = {"ok": "no", "sex": "M", "ward": "B"}
    ends = [((high, {}),) * 4, ((low, other),) * 4]
    if is_exposed(query.statistic):  # events of those exposed least, and none of those most
        event, none = (low, {}), (high, other)
        # Where many rows of a group meet few, those many have the events.
        for far in ((high, {}), none):
            ends += [(far, event, event, none), (far, event, none, none)]
            ends += [(far, event, event, far), (far, none, none, far)]
    # So many rows meet nothing of what replaces them, where the rest's group meets some or none.
    alone = {max(0, len(cells) - used) * most for used in (rows // most, -(-rows // most))}
    parts = [
        [3 if i >= rows - rows % most else (i >= free) + (i >= free + most) for i in range(rows)]
        for free in alone
    ]
    return [
        _rows([({**end[i][1], **cell}, end[i][0]) for i, cell in zip(part, one, strict=False)])
        for one in filled
        for end in ends
        for part in parts
    ]


def _cells(study: Study) -> list[dict[str, str]]:
    """A row's cells for each of the query's groups, or so many texts that nobody else has."""
    if study.queries[0].statistic == "categories-found":
        return [{"ward": f"only here {i}"} for i in range(2 * MOST_ROWS)]
    over = getattr(study.queries[0].parameters, "over", None)
    names = [name for name in (*study.queries[0].by, over) if isinstance(name, str)]
    by = {
        name: _texts(column)
        for name in names
        if (column := study.column(name)) is not None and not isinstance(column, NumberColumn)
    }
    return [dict(zip(by, labels, strict=True)) for labels in product(*by.values())]


def _ends(study: Study) -> tuple[str, str]:
    column = next(c for c in study.columns if isinstance(c, NumberColumn))
    return str(column.lower), str(column.upper)


def _places(study: Study) -> list[str]:
    """Values between the ends: the middle of the grid, whose square around it is the least.

    Of weighted bins, which only zCDP has, two whose columns are the furthest apart are anywhere.
    """
    column = next(c for c in study.columns if isinstance(c, NumberColumn))
    assert column.lower is not None
    assert column.step is not None
    (query,), last = study.queries, number_grid(column).last
    places = [column.lower + last // 2 * column.step]
    if query.rho is not None and query.statistic in READ_OFF_TREES:
        asked = query.parameters
        declared = (*getattr(asked, "edges", ()), *getattr(asked, "candidates", ()))
        few = range(last) if last < MOST_PLACES else ()
        places += declared or [column.lower + place * column.step for place in few]
    return [f"{place:f}" for place in places]


def _texts(column: Column) -> list[str]:
    """A cell's text for each of the column's groups."""
    odd = {OTHER_LABEL: "never declared", MISSING_LABEL: ""}
    return [odd.get(label, label) for label in group_labels(column)]


def _rows(wanted: list[tuple[dict[str, str], str]]) -> Rows:
    """Rows of person 7 with these groups and stays."""
    return tuple(_row(groups, stay, i) for i, (groups, stay) in enumerate(wanted))


def _row(groups: dict[str, str], stay: str, place: int) -> Row:
    usual = dict.fromkeys(HEADER, "") | {"pid": "7", "ward": "A", "sex": "F", "ok": "yes"}
    cells = {**usual, **groups, "stay": stay}
    return Row(tuple(cells[name] for name in HEADER), 1000 + place)
