# SPDX-License-Identifier: Apache-2.0
"""The goals: ratios within one run, because seconds alone say as much about the machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.bench.size.cases import (
    COLUMNS,
    DUCKDB,
    FLOORS,
    HALF,
    LETTERED,
    OPENDP,
    OURS,
    PANDAS,
    PARQUET,
    PREPARED,
    PREPARING_PEERS,
    Case,
)
from tests.bench.size.process import Rounds

Outcomes = dict[str, Rounds]


@dataclass(frozen=True)
class Goal:
    """One line of the table.

    Attributes:
        name: what is compared.
        measured: the figure; ``None`` where one of the two is not here.
        least, most: where it should lie.
        unit: of the figure.
    """

    name: str
    measured: float | None
    least: float = 0.0
    most: float = float("inf")
    unit: str = "x"

    @property
    def missed(self) -> bool:
        """Whether the figure lies elsewhere."""
        return self.measured is not None and not self.least <= self.measured <= self.most


def goals(outcomes: Outcomes) -> Iterator[Goal]:
    """Every goal, those of reading first."""
    ours = outcomes[OURS.name]
    floors = [outcomes[case.name] for case in FLOORS if outcomes[case.name].said]
    if not ours.said:
        return
    encoded, whole = ours.middle("encoded"), ours.median
    floor = min((each.median for each in floors), default=None)
    yield Goal("read and encode / fastest reading", _ratio(encoded, floor), most=2)
    yield from _queries(ours, encoded)
    yield from _letters(ours, outcomes[LETTERED.name])
    for case in (PANDAS, DUCKDB):
        yield Goal(f"whole / {case.name}", _ratio(whole, _seconds(outcomes, case)), most=1)
    yield Goal("OpenDP with Polars / whole", _ratio(_seconds(outcomes, OPENDP), whole), least=8)
    for case in (PANDAS, FLOORS[0]):
        held = outcomes[case.name].peak if outcomes[case.name].said else 0
        # Windows does not tell: nothing is compared with nothing.
        yield Goal(f"peak memory / {case.name}", _ratio(ours.peak, held or None), most=0.5)
    half = _seconds(outcomes, HALF)
    yield Goal("whole / whole of half of the rows", _ratio(whole, half), least=1.8, most=2.2)
    parquet = outcomes[PARQUET.name]
    other = parquet.middle("encoded") if parquet.said else None
    yield Goal("read and encode CSV / Parquet", _ratio(encoded, other), least=2)
    yield from _preparing(outcomes)


def _preparing(outcomes: Outcomes) -> Iterator[Goal]:
    """What six columns of rows, five of people and a join cost."""
    seconds = _seconds(outcomes, PREPARED)
    times = _ratio(seconds, _seconds(outcomes, COLUMNS))
    yield Goal("prepared / the same columns alone", times, most=2)
    for case in PREPARING_PEERS:
        # They hold what they prepare in two and three times the memory.
        yield Goal(f"prepared / {case.name}", _ratio(seconds, _seconds(outcomes, case)), most=1.5)
    held = outcomes[PREPARED.name].peak if outcomes[PREPARED.name].said else None
    yield Goal("peak memory, prepared", held and held / 1e9, most=1.5, unit="GB")


def _letters(ours: Rounds, lettered: Rounds) -> Iterator[Goal]:
    """What a letter before each id costs."""
    if lettered.said:
        times = _ratio(lettered.middle("encoded"), ours.middle("encoded"))
        yield Goal("ids with a letter / of digits alone", times, most=1.5)
        yield Goal(
            "peak memory / of digits alone", _ratio(lettered.peak, ours.peak or None), most=1.5
        )


def _queries(ours: Rounds, encoded: float) -> Iterator[Goal]:
    """The slowest query, noise included."""
    slowest = max(ours.said[0]["queries"], key=lambda name: ours.middle("queries", name))
    seconds = ours.middle("queries", slowest)
    yield Goal(f"slowest query ({slowest}) / encoding", seconds / encoded, most=0.05)
    yield Goal(f"slowest query ({slowest})", seconds * 1_000, most=150, unit="ms")


def _seconds(outcomes: Outcomes, case: Case) -> float | None:
    return outcomes[case.name].median if outcomes[case.name].said else None


def _ratio(above: float | None, below: float | None) -> float | None:
    return None if above is None or below is None else above / below
