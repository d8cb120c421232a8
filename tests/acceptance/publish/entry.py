# SPDX-License-Identifier: Apache-2.0
"""Survival with delayed entry, beside numpy and over 400 releases.

The people of ``survival``, ten of each, half of whom come under observation in the second or the
fourth bin; those whose entry is not before their last day are left out. Without noise every
published number is that of the product limit over who is at risk, worked out here person by person;
at epsilon 1, 400 times, each range of the noise holds it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.planning.survival.derived_table import COLUMNS, derived_lines
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from tests.acceptance.publish import survival
from tests.acceptance.publish.survival import BIN, BINS, NO_NOISE, RARE, RELEASES, ROUNDED, TIMES
from tests.doors import RecordingDoor
from tests.release.studies import release

FILE: Final = survival.FILE
BEGINS: Final = (0, 1, 3)
OF_EACH: Final = 10
STUDY: Final = replace(
    survival.STUDY,
    columns=(
        *survival.STUDY.columns,
        NumberColumn("entered", Decimal(0), Decimal(BIN * BINS), Decimal(1), label="days"),
    ),
    queries=(
        replace(
            survival.STUDY.queries[0].having(
                entry="entered",
                entry_edges=tuple(Decimal(BIN * begin + 1) for begin in BEGINS[1:]),
                late="leave-out",
            ),
            by=(),
        ),
    ),
)
Days = npt.NDArray[np.int64]


def everybody() -> tuple[Days, Days, npt.NDArray[np.bool_]]:
    """Of each person the day of entry, the last day, and whether that is the day of death."""
    people = survival.lung()
    many = np.repeat(np.arange(len(people.bins)), OF_EACH)
    days = BIN * people.bins[many] + 1 + np.arange(len(many)) * 7 % BIN
    entered = np.array([0, 0, 1, 3])[np.arange(len(many)) % 4] * BIN
    return entered + (entered > 0), days, people.died[many]


def write(path: Path) -> None:
    """The file of everybody."""
    rows = zip(*everybody(), strict=True)
    lines = [f"{n},{day},{int(died)},A,{entry}" for n, (entry, day, died) in enumerate(rows)]
    path.write_text("\n".join(["id,days,died,group,entered", *lines, ""]), encoding="utf-8")


def curve_of(entered: Days, days: Days, died: npt.NDArray[np.bool_]) -> list[float]:
    """Person by person: at risk from the bin of entry to that of the last day."""
    first, last = np.maximum(entered - 1, 0) // BIN, (days - 1) // BIN
    kept = entered < days
    now, curve = 1.0, []
    for bin in range(BINS):
        at_risk = kept & (first <= bin) & (bin <= last)
        if at_risk.any():
            now *= 1 - (at_risk & died & (last == bin)).sum() / at_risk.sum()
        curve.append(now)
    return curve


def exact_figures(curve: list[float]) -> dict[tuple[str, str], float]:
    """Every figure but the median by what it is, and up to when."""
    found = {("survival-at", str(time)): curve[time // BIN - 1] for time in TIMES}
    widths = [BIN - 1, *[BIN] * (TIMES[-1] // BIN - 1)]
    mean = sum(w * s for w, s in zip(widths, [1.0, *curve], strict=False))
    return found | {("restricted-mean", str(TIMES[-1])): mean}


def differing(theirs: list[float] | None = None) -> Iterator[str]:
    """What a release without noise says otherwise than numpy, or than somebody else's curve."""
    with tempfile.TemporaryDirectory() as place:
        write(Path(place) / FILE)
        ledger = Ledger.open(Home.at(Path(place) / "home"))
        ledger.new_account("registry", NO_NOISE)
        (table,) = release(STUDY, Path(place), ledger, OpenDPDoor()).stored.tables
    curve = theirs or curve_of(*everybody())
    for end, share, *_ in table.rows:
        if share and abs(float(share) - curve[int(end) // BIN - 1]) > ROUNDED:
            yield f"survival up to {end}"
    exact = exact_figures(curve)
    assert table.derived is not None
    for name, _other, up_to, value, *_ends in table.derived.rows:
        if (name, up_to) in exact and abs(float(value) - exact[name, up_to]) > ROUNDED:
            yield f"{name} up to {up_to}"


def drawn_of() -> tuple[int, ...]:
    """The exact counts that noise is added to, as a release reads them from the file."""
    with tempfile.TemporaryDirectory() as place:
        write(Path(place) / FILE)
        ledger, door = Ledger.open(Home.at(Path(place) / "home")), RecordingDoor()
        ledger.new_account("registry", NO_NOISE)
        release(STUDY, Path(place), ledger, door)
        return tuple(door.calls[0].exact)


def coverage(releases: int = RELEASES) -> dict[tuple[str, str], int]:
    """How many releases at epsilon 1 have the exact figure outside its range of noise."""
    plan = compile_query(STUDY, replace(STUDY.queries[0], epsilon=Epsilon.of(1)))
    counts, part = Exact(np.array(drawn_of())), plan.parts[0]
    exact = exact_figures(curve_of(*everybody()))
    outside = dict.fromkeys(exact, 0)
    for _ in range(releases):
        noisy = OpenDPDoor().draw(part.name, counts, part.noise, part.sensitivity)
        for line in derived_lines(plan, (tuple(noisy),)):
            cells: dict[str, str] = dict(zip((c.name for c in COLUMNS), line.cells, strict=True))
            up_to, low, high = (cells[name] for name in ("up_to", "lowest_95", "highest_95"))
            if (key := (cells["figure"], up_to)) in exact:
                outside[key] += not (low and Fraction(low) <= exact[key] <= Fraction(high))
    return outside


def lines(_shared: Path) -> Iterator[tuple[str, bool]]:
    """What is printed of each figure, and whether it is that of numpy, or held often enough."""
    wrong = list(differing())
    said = f"DIFFERS in {'; '.join(wrong)}" if wrong else "as in numpy"
    yield f"entry         without noise: {said}", not wrong
    most = next(n for n in range(RELEASES) if survival.beyond(n) < RARE)
    for key, outside in coverage().items():
        seldom = " TOO SELDOM" if outside >= most else ""
        held = f"held {RELEASES - outside} of {RELEASES}{seldom}"
        yield f"entry         noise, {' '.join(key)}: {held}", not seldom
