# SPDX-License-Identifier: Apache-2.0
"""Adding up: figures that are made consistent are over the same rows, and err as their margin says.

Two proofs on one small table, in which people have rows in several wards, cells are missing and
conditions leave rows out:

* without noise every consistent figure is the exact one, whatever is asked beside it: tables that
  are not over the same rows would be pulled towards each other;
* a figure moves with each number that was drawn by the weight that its margin is worked out from,
  twins included, which are one number: so do the rows up to each bin, of bins as of trees, and
  those less a half of all rows, which the margins of shares are worked out from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.reconcile import figures, same_rows
from dpdesk.privacy.reconcile.joined_tables import added_by, lines_of
from dpdesk.privacy.statistics.distribution import _consistent_counts, _drawn_by_cell, tree_of
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn, Replace
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.tables import FILE, Row, travelling, write_table
from tests.doors import RecordingDoor

ROWS = tuple(
    Row(
        (
            str(i % 7),
            str(3 * i % 9) if i % 5 else "",
            "ABC "[i % 4].strip(),
            "FM?"[i % 3],
            "yes",
            "",
        ),
        i,
    )
    for i in range(23)
)
WARD = CategoryColumn("ward", ("A", "B", "C"))
SEX = CategoryColumn("sex", ("F", "M"), missing=Replace("F"), unknown=Replace("F"))
STAY = NumberColumn("stay", Decimal(0), Decimal(8), Decimal(1))
FEW, IN_A = (IsIn("sex", ("M",)),), (IsIn("ward", ("A",)),)
EDGES = (Decimal(3), Decimal(6))
TINY = 1e-6
ZERO, IN_FIRST = Replace(Decimal(0)), Replace("A")
KEPT = (
    replace(WARD, missing=IN_FIRST, unknown=IN_FIRST),
    SEX,
    replace(STAY, missing=ZERO, unparsable=ZERO),
)
PUBLIC = Unit(None, 1, "change-one", people=len(ROWS))
OF_PUBLIC = (
    ("wards", "sexes", "both", "twin", "men by ward", "stay by sex", "stay by ward", "up to"),
    ("ward a",),
    ("up to",),
)
"""What is asked where all rows are a public number: beside others, and alone."""
ASKED: dict[str, dict[str, Any]] = {
    "all": {},
    "wards": {"by": ("ward",)},
    "sexes": {"by": ("sex",)},
    "both": {"by": ("sex", "ward")},
    "twin": {"by": ("sex",)},
    "men": {"where": FEW},
    "men by ward": {"by": ("ward",), "where": FEW},
    "people": {"statistic": "count-people"},
    "people by ward": {"statistic": "count-people", "by": ("ward",)},
    "people by sex": {"statistic": "count-people", "by": ("sex",)},
    "one row a sex": {"by": ("sex",), "rows_per_group": 1},
    "one row a sex and ward": {"by": ("sex", "ward"), "rows_per_group": 1},
    "one row a ward and sex": {"by": ("ward", "sex"), "rows_per_group": 1},
    "two rows a sex and ward": {"by": ("sex", "ward"), "rows_per_group": 2},
    "stay": {"statistic": "sum", "column": "stay"},
    "stay by sex": {"statistic": "sum", "column": "stay", "by": ("sex",)},
    "stay by ward": {"statistic": "sum", "column": "stay", "by": ("ward",)},
    "ward a": {"statistic": "share", "has": IN_A, "by": ("sex",)},
    "ward a of all": {"statistic": "share", "has": IN_A},
    "up to": {"statistic": "distribution", "column": "stay", "edges": EDGES, "by": ("sex",)},
    "up to of all": {"statistic": "distribution", "column": "stay", "edges": EDGES},
}


def studies() -> Iterator[tuple[str, Study]]:
    """One row a person in pure epsilon, three in zCDP, of which one counts in a group, or two.

    Then a public number of rows, in pure epsilon.
    """
    half, tenth = Epsilon.of("0.5"), Rho.of("0.1")
    for share, rows in ((half, 1), (tenth, 3)):
        names = (name for name, asked in ASKED.items() if asked.get("rows_per_group", 0) < rows)
        yield share.measure, _study(share, Unit("pid", rows), (WARD, SEX, STAY), names)
    for place, names in enumerate(OF_PUBLIC):
        yield f"public {place}", _study(half, PUBLIC, KEPT, names)


def _study(
    share: Epsilon | Rho, unit: Unit, columns: tuple[Column, ...], names: Iterable[str]
) -> Study:
    queries = (
        Query(name.replace(" ", "-")).having(**ASKED[name], **{share.measure: share})
        for name in names
    )
    return Study(
        data=DataSource(FILE),
        unit=unit,
        budget=Budget("audit", **{share.measure: type(share).of(90)}),
        columns=columns,
        queries=tuple(queries),
    )


def adds_up(folder: Path) -> Iterator[str]:
    """See the head of the module."""
    for name, study in studies():
        plan, exact = compile(study), _exact(study, folder)
        yield from (f"{name}: {finding}" for finding in _without_noise(study, plan, exact))
        yield from (f"{name}: {finding}" for finding in _with_noise(plan, exact))


def _exact(study: Study, folder: Path) -> list[tuple[int, ...]]:
    write_table(folder, ROWS, study.data)
    encoded, door = encode(study, folder, priorities=travelling(ROWS)), RecordingDoor()
    for query in compile(study).queries:
        part = query.parts[0]
        door.draw(
            query.query.id, measure(encoded, study, part.measure), part.noise, part.sensitivity
        )
    return [call.exact for call in door.calls]


def _made(plan: Plan, drawn: list[tuple[int, ...]]) -> dict[int, ConsistentFigures]:
    pairs = zip(plan.queries, drawn, strict=True)
    return figures.consistent_figures([same_rows.Answer(query, (one,), 1) for query, one in pairs])


def _without_noise(study: Study, plan: Plan, exact: list[tuple[int, ...]]) -> Iterator[str]:
    found = _made(plan, exact)
    if not found:
        yield "nothing is joined"
    for place, one in found.items():
        query = plan.queries[place]
        if added_by(query).of_tree:
            cells = _drawn_by_cell(query, (exact[place],))
            totals = [tree_of(query).running_counts(cell, None)[-1] for cell in cells]
            if totals != [one.value(cell) for cell in range(len(totals))]:
                yield f"{query.query.id} has other totals than {totals} without noise"
            continue
        figure = [one.value(line) for line in range(len(exact[place]))]
        if figure == list(exact[place]) and query.parts[0].cells == len(query.lines):
            rows = table(study, query, (exact[place],), (), one).rows
            figure = [Fraction(row[len(query.lines[0])]) for row in rows]
            if query.query.statistic == "distribution":
                figure = _parts(figure, len(query.lines) // len(query.cells))
        if figure != list(exact[place]):
            yield f"{query.query.id} is {figure} without noise, {exact[place]} exactly"


def _parts(counts: list[Fraction], lines: int) -> list[Fraction]:
    """What is in each line, of counts up to its end."""
    before = [0 if at % lines == 0 else counts[at - 1] for at in range(len(counts))]
    return [count - earlier for count, earlier in zip(counts, before, strict=True)]


def _with_noise(plan: Plan, exact: list[tuple[int, ...]]) -> Iterator[str]:
    """Of the first cell, the rows up to each line, and those less a half of all its rows."""
    still = _made(plan, exact)
    drawn_by = [plan.queries[place] for place in still]
    units = {query.parts[0].noise: _unit(query) for query in drawn_by}
    moved: dict[tuple[int, int, float], Counter[tuple[Noise, float]]] = {}
    for noise, drawn, new in _moved(plan, exact, still):
        for place, one in new.items():
            query = plan.queries[place]
            before = _running(query, exact[place], still[place])
            after = _running(query, drawn[place], one)
            moves = [a - b for a, b in zip(after, before, strict=True)]
            for line, share in _asked(len(moves)):
                weight = round(float(moves[line]) - share * float(moves[-1]), 7)
                moved.setdefault((place, line, share), Counter())[noise, weight] += 1
    for (place, line, share), real in moved.items():
        said: Counter[tuple[Noise, float]] = Counter()
        for noise, weight, many in still[place].errors.terms(line, share):
            said[noise, round(weight * units[noise], 7)] += many
        if _by_noise(said, units) != _by_noise(real, units):
            name = f"{plan.queries[place].query.id} up to {line}, less {share} of all,"
            yield f"{name} moves by {_weights(real)}, {_weights(said)} is said"


def _asked(lines: int) -> Iterator[tuple[int, float]]:
    yield from ((line, share) for line in range(lines) for share in (0.0, 0.5) if lines > 1)
    if lines == 1:
        yield 0, 0.0


def _weights(terms: Counter[tuple[Noise, float]]) -> list[float]:
    return sorted(weight for _noise, weight in terms.elements() if weight)


def _by_noise(
    weights: Counter[tuple[Noise, float]], units: dict[Noise, int]
) -> tuple[dict[tuple[Noise, float], int], dict[Noise, float]]:
    """How many have each weight; of weighted bins the norm alone, which is all that is said."""
    found: dict[tuple[Noise, float], int] = {}
    squares: dict[Noise, float] = {}
    for (noise, weight), many in weights.items():
        if units[noise] > 1:
            squares[noise] = squares.get(noise, 0.0) + many * weight * weight
        elif weight:
            found[noise, weight] = many
    return found, {noise: round(square, 4) for noise, square in squares.items() if square > TINY}


def _unit(query: QueryPlan) -> int:
    """What a row adds to a number that is drawn: of weighted bins about that."""
    return int(1 / query.parts[0].width) if added_by(query).of_tree else 1


def _running(
    query: QueryPlan, drawn: tuple[int, ...], figures: ConsistentFigures
) -> tuple[Fraction, ...]:
    """How many rows of the first cell lie up to each of its lines."""
    if added_by(query).of_tree:
        cell = next(_drawn_by_cell(query, (drawn,)))
        return _consistent_counts(query, cell, figures, 0)
    lines = 1 if added_by(query).within is None else lines_of(query)
    return tuple(accumulate(figures.value(line) for line in range(lines)))


def _moved(
    plan: Plan, exact: list[tuple[int, ...]], joined: dict[int, ConsistentFigures]
) -> Iterator[tuple[Noise, list[tuple[int, ...]], dict[int, ConsistentFigures]]]:
    """The figures with one row more in each number that was drawn; twins have it both."""
    twins = {place: plan.queries[place].canonical for place in joined}
    for text in dict.fromkeys(twins.values()):
        places = [place for place, own in twins.items() if own == text]
        noise = plan.queries[places[0]].parts[0].noise
        for cell in range(len(exact[places[0]])):
            moved = [list(numbers) for numbers in exact]
            for place in places:
                moved[place][cell] += _unit(plan.queries[place])
            drawn = [tuple(numbers) for numbers in moved]
            yield noise, drawn, _made(plan, drawn)
