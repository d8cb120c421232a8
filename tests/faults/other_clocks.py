# SPDX-License-Identifier: Apache-2.0
"""Releases by a clock that is years off, before and after others: none is free or forgotten."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run import release_run as run
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Refused
from tests.faults.kills import hospital, outcome
from tests.faults.outcome import Outcome
from tests.release import dying
from tests.release.bundles import KEY

YEARS = (1, 1601, 1970, 1999, 2026, 2038, 2106, 9999)


def sweep() -> Outcome:
    """Release by each clock in turn, forwards and backwards, until nothing is left."""
    order = (*YEARS, *reversed(YEARS))
    with hospital(Epsilon(len(order) * dying.SHARE.units)) as (home, folder):
        for number, year in enumerate(order):
            _release(home, folder, year, number)
        found = outcome(home, folder, len(order))
        wrong = [*found.wrong]
        try:
            _release(home, folder, 1, len(order))
            wrong.append("a clock of year 1 found more budget")
        except Refused as refused:
            if refused.problems[0].code != "budget-exceeded":
                wrong.append(refused.problems[0].code)
        if found.spent != found.budget:
            wrong.append("a release was not charged")
        if "ledger-clock-back" not in {n.code for n in Ledger.open(home).check().notices}:
            wrong.append("nothing says that the clock went back")
    return found._replace(wrong=tuple(wrong))


def _release(home: Home, folder: Path, year: int, number: int) -> None:
    ledger = Ledger.open(home, now=lambda: datetime(year, 1, 1, tzinfo=UTC))
    door = OpenDPDoor()
    done = run.release(dying.STUDY, folder, ledger, door, fresh=True, same_extract=True)
    (folder / f"{number}.zip").write_bytes(build(done.stored, done.chain, KEY))
    dying.show(folder, done)
