# SPDX-License-Identifier: Apache-2.0
"""Found: what leaves of categories found in the data, and what is paid for it, on fixed worlds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from dpdesk.exact import ExactTexts, Int64Vector
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import Door
from dpdesk.privacy.noise.noise import Noise
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import release
from dpdesk.study.model.amount import Delta, Rho
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import NoiseChoice, Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.problem import Refused
from tests.audit.pairs import ADD_REMOVE, CHANGE_ONE, COLUMNS, row
from tests.audit.replay import violations
from tests.audit.tables import FILE, write_table
from tests.audit.worlds import Neighbours

DELTA = Delta.of("1e-7")
ASKED = Query(
    "found", "categories-found", CategoriesFoundParameters("ward", delta=DELTA), rho=Rho.of("0.5")
)
CROWD = tuple(row(str(i), "5", "AB"[i % 2]) for i in range(6))
NOISES: tuple[NoiseChoice, ...] = ("laplace", "gaussian")


def found_texts(folder: Path) -> Iterator[str]:
    """Nobody's own category shows more often than delta, nor by anything but its noisy count."""
    yield from _tails()
    yield from _passing()
    yield from _moves(folder)
    yield from _charges(folder)


def _study(unit: Unit, noise: NoiseChoice = "auto") -> Study:
    query = replace(ASKED, noise=noise)
    budget = Budget("audit", rho=Rho.of(100))
    data = DataSource(FILE, extract="made up")
    return Study("Found", "", data, unit, budget, columns=COLUMNS, queries=(query,))


def _units() -> Iterator[Unit]:
    for rows in (1, 6):
        yield replace(ADD_REMOVE, max_rows=rows)
        yield replace(CHANGE_ONE, max_rows=rows)


def _tails() -> Iterator[str]:
    for unit in _units():
        for name in NOISES:
            study = _study(unit, name)
            noise = compile_query(study, study.queries[0]).parts[0].noise
            each = _reaches(noise, (noise.threshold or 0) - 1)
            shows = -math.expm1(unit.max_rows * math.log1p(-each))
            if shows > float(DELTA.as_fraction()) * (1 + 1e-8):
                yield f"{name}, k = {unit.max_rows}: shows with {shows:.3g}"


def _reaches(noise: Noise, least: int) -> float:
    """P(X >= least), summed by the definition."""
    x = np.arange(math.ceil(60 * noise.scale) + 60)
    power = x / noise.scale if noise.mechanism == "laplace" else (x / noise.scale) ** 2 / 2
    weights = np.exp(-power)
    return float(weights[max(0, least) :].sum() / (2 * weights.sum() - 1))


class _Known(Door):
    """A door whose noise is known: by turns 9 too few and 9 too many."""

    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        return tuple(int(v) + (9 if i % 2 else -9) for i, v in enumerate(values))


def _passing() -> Iterator[str]:
    counts = {"low": 25, "high": 12, "last": 40, "first": 41, "none": 1}
    sealed = ExactTexts(list(counts), np.array(list(counts.values()), np.int64))
    noise = Noise("laplace", 2.0, "rho", threshold=20)
    given = _Known().draw_found("found", sealed, noise, 1)
    if given != (("first", 50), ("last", 31), ("high", 21)):
        yield "a text leaves by something else than its noisy count, or in another order"


def _moves(folder: Path) -> Iterator[str]:
    mine = tuple(row("7", stay, f"only {stay}{i}") for stay in "12" for i in range(9))
    same = tuple(row("7", stay, "A") for stay in "123456")
    for unit in _units():
        for name in NOISES:
            before = (row("7", "1", "B"),) if unit.neighbours == "change-one" else ()
            for rows in (mine, same):
                world = Neighbours(_study(unit, name), CROWD + before, CROWD + rows)
                for _, sensitivity, distance in violations(world, folder):
                    yield f"{name}: moves by {distance}, {sensitivity} declared"


_KEPT = Delta(DELTA.atto * 3 // 2)
"""For one release, and not for a second one."""


def _charges(folder: Path) -> Iterator[str]:
    study = _study(ADD_REMOVE)
    write_table(folder, CROWD, study.data)
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("audit", Rho.of(100), delta=Delta(10 * DELTA.atto), kept=_KEPT)
    done = release(study, folder, ledger, _Known())
    with ledger.reading() as transaction:
        charged = transaction.sums("audit").delta_charged
    if charged != DELTA or done.stored.record.account.delta_spent_after != DELTA:
        yield "delta is not charged"
    try:
        release(study, folder, ledger, _Known(), fresh=True)
    except Refused as refused:
        if refused.problems[0].code == "delta-exceeded":
            return
    yield "more of the account's delta is asked for than is kept for it, and not refused"
