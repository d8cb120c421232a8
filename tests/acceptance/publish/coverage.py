# SPDX-License-Identifier: Apache-2.0
"""How often an interval holds over 400 releases, and when that is too seldom to be chance."""

from __future__ import annotations

import tempfile
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
from scipy import stats

from dpdesk.exact import Exact
from dpdesk.privacy.noise.door import Door, OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.reprice import RepricedStudy, tables_of
from dpdesk.release.record.values import StoredRelease
from dpdesk.study.model.document import Study
from tests.release.studies import release

RELEASES: Final = 400
RARE: Final = 1e-3
"""A coverage below 95 in 100 is a failure where chance does that less often than this."""


def released(study: Study, folder: Path, door: Door | None = None) -> StoredRelease:
    """A release of files in a folder into a ledger of its own."""
    if study.budget is None or study.budget.limit is None:
        raise ValueError("the study of an acceptance names its account and its limit")
    with tempfile.TemporaryDirectory() as home:
        ledger = Ledger.open(Home.at(Path(home)))
        ledger.new_account(study.budget.account, study.budget.limit)
        return release(study, folder, ledger, door or OpenDPDoor()).stored


def redrawn(exact: StoredRelease, releases: int = RELEASES) -> Iterator[StoredRelease]:
    """Releases of the same rows, each with noise of its own.

    Args:
        exact: one without noise, at the shares that the noise is to have.
        releases: how many there are.
    """
    study = exact.record.study.study
    plans = RepricedStudy(exact.record.study).plans
    assert study is not None and plans is not None
    for _ in range(releases):
        drawn: dict[str, Drawn] = {}
        for one in exact.record.queries:
            # What is asked twice is drawn once.
            drawn.setdefault(plans[one.id].canonical, _with_noise(plans[one.id], one.drawn))
        queries = tuple(
            replace(one, drawn=drawn[plans[one.id].canonical]) for one in exact.record.queries
        )
        record = replace(exact.record, queries=queries)
        yield replace(exact, record=record, tables=tables_of(study, queries, plans))


def _with_noise(plan: QueryPlan, exact: Drawn) -> Drawn:
    door = OpenDPDoor()
    return Drawn(
        tuple(
            tuple(door.draw(part.name, Exact(np.array(values)), part.noise, part.sensitivity))
            for part, values in zip(plan.parts, exact.noisy, strict=True)
        )
    )


@dataclass
class Held:
    """How often each interval was there, and how often it held its figure."""

    counts: dict[Hashable, list[int]] = field(default_factory=dict)

    def add(self, key: Hashable, is_held: bool) -> None:
        """One interval of one release."""
        count = self.counts.setdefault(key, [0, 0])
        count[0] += is_held
        count[1] += 1

    def each(self, named: str) -> Iterator[tuple[str, bool]]:
        """A line an interval: in how many of the releases that have it it holds."""
        for key, (held, of) in self.counts.items():
            is_often = bool(stats.binom.cdf(held, of, 0.95) >= RARE)
            what = " ".join(filter(None, key)) if isinstance(key, tuple) else key
            seldom = "" if is_often else " TOO SELDOM"
            yield f"{named}, {what}: held {held} of {of}{seldom}", is_often

    def line(self, releases: int = RELEASES) -> tuple[str, bool]:
        """In how many releases those that are mostly there hold, and which do too seldom.

        Of many intervals one is too seldom by chance more often than one of them alone.
        """
        there = {key: count for key, count in self.counts.items() if 2 * count[1] > releases}
        low = [
            str(key)
            for key, (held, of) in there.items()
            if stats.binom.cdf(held, of, 0.95) < RARE / len(there)
        ]
        parts = [held / of for held, of in there.values()]
        if not parts:
            return "no interval is mostly there", False
        said = f"{len(parts)} of {len(self.counts)} intervals held in {min(parts):.1%} to "
        said += f"{max(parts):.1%} of {releases} releases"
        return said + "".join(f"; TOO SELDOM: {key}" for key in low), not low


def within(low: str, exact: float, high: str, decimals: float = 0) -> bool:
    """Whether an interval, as it is published, holds a figure; an open end holds all."""
    return float(low or "-inf") - decimals <= exact <= float(high or "inf") + decimals


def rows_of(columns: list[str], rows: tuple[tuple[str, ...], ...]) -> Iterator[dict[str, str]]:
    """Each row of a table by the names of its columns."""
    return (dict(zip(columns, row, strict=True)) for row in rows)
