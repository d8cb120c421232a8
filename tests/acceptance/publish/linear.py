# SPDX-License-Identifier: Apache-2.0
"""Linear models of second moments: beside numpy's least squares, and over 400 releases.

Without noise each coefficient of the days in hospital by laboratory tests, medications, diagnoses
and readmission is that of ``numpy.linalg.lstsq``, and each range as wide as that of the classical
covariance. At epsilon 1, and at a rho of 0.05, ranges hold over noise, and over noise and chance:
each of 400 releases is of 10,000 stays of its own, drawn from the file's, whose own coefficients
are taken for the population's; and of made-up rows of several shapes, whose coefficients are known.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import stats

from dpdesk.data.aggregation.second_moments import second_moments
from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import Door, OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.linear.model_lines import model_lines
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import LinearModelParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.acceptance.publish.comparisons import CHANCE, FILE
from tests.doors import RecordingDoor
from tests.release.studies import release

DAYS: Final = "time_in_hospital"
NUMBERS: Final = {
    "num_lab_procedures": (1, 132),
    "num_medications": (1, 81),
    "number_diagnoses": (1, 16),
}
BACK: Final = "readmitted"
RELEASES, ROWS = 400, 10_000
OF_VALUE, OF_WIDTH = 0.02, 0.03
"""By how much a coefficient and the width of its range may be off, in parts of that width."""


def study(share: Epsilon | Rho) -> Study:
    """The model of the file."""
    numbers = ((DAYS, (1, 14)), *NUMBERS.items())
    columns = (NumberColumn(n, Decimal(a), Decimal(b), Decimal(1)) for n, (a, b) in numbers)
    asked = LinearModelParameters(DAYS, (*NUMBERS, BACK))
    is_pure = isinstance(share, Epsilon)
    return Study(
        title="Days in hospital",
        data=DataSource("diabetic_data.csv", extract="1999-2008", missing=("?",)),
        unit=Unit(None),
        budget=Budget("diabetes", share if is_pure else None, None if is_pure else share),
        columns=(*columns, YesNoColumn(BACK, ("<30",), (">30", "NO"))),
        queries=(Query("model", "linear-model", asked).at_share(share),),
    )


def plan_of(asked: Study) -> QueryPlan:
    """The plan of its one query."""
    return compile_query(asked, asked.queries[0])


def exact(plan: QueryPlan, indices: list[Any]) -> tuple[int, ...]:
    """What noise is added to, of columns of grid indices."""
    spec = plan.parts[0].measure
    return tuple(second_moments(indices, spec.lasts, spec.contrasts, spec.squares))


def drawn_lines(plan: QueryPlan, vector: tuple[int, ...], door: Door) -> dict[str, dict[str, str]]:
    """The lines of a release, by their terms."""
    part = plan.parts[0]
    noisy = door.draw(part.name, Exact(np.array(vector)), part.noise, part.sensitivity)
    names = ("figure", "value", "low", "high", "lowest", "highest", "p", "note")
    return {
        term: dict(zip(names, cells, strict=True)) for (term,), cells in model_lines(plan, (noisy,))
    }


def least_squares(explaining: Any, outcome: Any) -> tuple[Any, Any]:
    """Coefficients, the constant first, and their classical deviations."""
    design = np.column_stack([np.ones(len(outcome)), explaining])
    found = np.linalg.lstsq(design, outcome, rcond=None)[0]
    left = outcome - design @ found
    spread = left @ left / (len(outcome) - design.shape[1])
    return found, np.sqrt(spread * np.diag(np.linalg.inv(design.T @ design)))


@dataclass
class Held:
    """How often ranges held, and tests of no effect said p <= 0.05."""

    said: int = 0
    noise: int = 0
    chance: int = 0
    alike: int = 0
    tested: int = 0

    @property
    def text(self) -> str:
        level = (
            f", p <= 0.05 in {self.tested / self.alike:.1%} without effect" if self.alike else ""
        )
        noise, chance = self.noise / self.said, self.chance / self.said
        return f"noise {noise:.1%}, noise and chance {chance:.1%} of {self.said}{level}"

    @property
    def is_often(self) -> bool:
        """Whether each is as often as it should be, but for chance."""
        least = min(self.noise, self.chance)
        is_level = self.alike < 1 or stats.binom.sf(self.tested - 1, self.alike, 0.05) >= CHANCE
        return stats.binom.cdf(least, self.said, 0.95) >= CHANCE and is_level

    def count(self, line: dict[str, str], exact: float, population: float) -> None:
        """Take in a line; one that says nothing counts for nothing."""
        if line["note"] or not line["value"]:
            return
        self.said += 1
        self.noise += float(line["low"]) <= exact <= float(line["high"])
        self.chance += float(line["lowest"]) <= population <= float(line["highest"])
        if population == 0:
            self.alike += 1
            self.tested += float(line["p"]) <= 0.05


def differing(folder: Path) -> Iterator[str]:
    """What a release of the file without noise says otherwise than numpy."""
    cells = pd.read_csv(folder / "diabetic_data.csv", usecols=[DAYS, *NUMBERS, BACK], dtype=str)
    explaining, outcome = columns_of(cells)
    found, deviations = least_squares(explaining, outcome)
    with tempfile.TemporaryDirectory() as home:
        ledger = Ledger.open(Home.at(Path(home)))
        ledger.new_account("diabetes", Epsilon.of(20))
        (table,) = release(study(Epsilon.of(20)), folder, ledger, RecordingDoor()).stored.tables
    assert table.derived is not None
    for row, value, deviation in zip(table.derived.rows, found, deviations, strict=True):
        ours, low, high = (float(row[place]) for place in (4, 7, 8))
        width = 2 * 1.96 * deviation
        if abs(ours - value) > OF_VALUE * width or abs(high - low - width) > OF_WIDTH * width:
            yield f"{row[0] or row[1]}: {ours} ({low} to {high}) and not {value:.5g}"


def columns_of(cells: pd.DataFrame) -> tuple[Any, Any]:
    """What explains, and the outcome, as numbers."""
    back = (cells[BACK] == "<30").to_numpy(float)
    explaining = np.column_stack([cells[[*NUMBERS]].astype(float).to_numpy(), back])
    return explaining, cells[DAYS].astype(float).to_numpy()


def indices_of(explaining: Any, outcome: Any) -> list[Any]:
    """The grid indices of the file's columns: numbers begin at 1."""
    return [*(explaining[:, :3] - 1).T, explaining[:, 3], outcome - 1]


def of_file(folder: Path, share: Epsilon | Rho, releases: int, rows: int = ROWS) -> Held:
    """Releases of stays that are drawn from the file's."""
    cells = pd.read_csv(folder / "diabetic_data.csv", usecols=[DAYS, *NUMBERS, BACK], dtype=str)
    explaining, outcome = columns_of(cells)
    truth, plan = least_squares(explaining, outcome)[0], plan_of(study(share))
    dice, door, held = np.random.default_rng(37), OpenDPDoor(), Held()
    for _ in range(releases):
        some = dice.integers(0, len(outcome), rows)
        own, days = explaining[some], outcome[some]
        exact_ones = least_squares(own, days)[0]
        lines = drawn_lines(plan, exact(plan, indices_of(own, days)), door)
        for line, now, always in zip(lines.values(), exact_ones, truth, strict=True):
            held.count(line, now, always)
    return held


LAST: Final = 100
Shape = Callable[[Any, int], Any]


def _even(dice: Any, rows: int) -> Any:
    return dice.uniform(0, LAST, (rows, 3))


def _low(dice: Any, rows: int) -> Any:
    return dice.gamma(2, 10, (rows, 3))


def _alike(dice: Any, rows: int) -> Any:
    shared = dice.normal(0, 1, (rows, 1))
    return 45 + 14 * shared + 10 * dice.normal(0, 1, (rows, 3))


SHAPES: Final[dict[str, Shape]] = {"even": _even, "low": _low, "alike": _alike}
EFFECTS: Final = (0.3, -0.1, 0.0)


def made_up(share: Epsilon | Rho) -> Study:
    """A model of three columns and an outcome, all from 0 to 100."""
    names = ("a", "b", "c", "y")
    is_pure = isinstance(share, Epsilon)
    return Study(
        unit=Unit(None),
        data=DataSource("made-up.csv"),
        budget=Budget("made-up", share if is_pure else None, None if is_pure else share),
        columns=tuple(NumberColumn(n, Decimal(0), Decimal(LAST), Decimal(1)) for n in names),
        queries=(
            Query("model", "linear-model", LinearModelParameters("y", names[:3])).at_share(share),
        ),
    )


def of_shape(name: str, share: Epsilon | Rho, releases: int, rows: int = ROWS) -> Held:
    """Releases of made-up rows; the outcome stays within its bounds."""
    plan, held = plan_of(made_up(share)), Held()
    dice, door = np.random.default_rng(len(name)), OpenDPDoor()
    for _ in range(releases):
        own = np.clip(np.rint(SHAPES[name](dice, rows)), 0, LAST)
        outcome = np.rint(40 + own @ np.array(EFFECTS) + 8 * dice.normal(0, 1, rows))
        outcome = np.clip(outcome, 0, LAST)
        exact_ones = least_squares(own, outcome)[0]
        lines = drawn_lines(plan, exact(plan, [*own.T, outcome]), door)
        truth = (40, *EFFECTS)
        for line, now, always in zip(lines.values(), exact_ones, truth, strict=True):
            held.count(line, now, always)
    return held


def lines(shared: Path) -> Iterator[tuple[str, bool]]:
    """One line a comparison; see ``publish``."""
    shares = {"epsilon 1": Epsilon.of(1), "rho 0.05": Rho.of("0.05")}
    for called, share in shares.items():
        for name in SHAPES:
            held = of_shape(name, share, RELEASES)
            yield f"linear        {called}, {name}: {held.text}", held.is_often
    folder = (shared / FILE).parent
    if not folder.is_dir():
        yield f"linear        skipped: {FILE} is not on this machine", True
        return
    wrong = list(differing(folder))
    said = f"DIFFERS in {'; '.join(wrong)}" if wrong else "as in numpy"
    yield f"linear        without noise: {said}", not wrong
    for called, share in shares.items():
        held = of_file(folder, share, RELEASES)
        yield f"linear        {called}, file: {held.text}", held.is_often
