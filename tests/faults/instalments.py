# SPDX-License-Identifier: Apache-2.0
"""Instalments of a series under kills and races: spent and reserved together stay in the budget."""

from __future__ import annotations

import itertools
import os
import random
from pathlib import Path

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.series import Schedule
from dpdesk.release.ledger.spending.instalments import begin_series
from dpdesk.release.places.home import Home
from dpdesk.release.run import release_run as run
from dpdesk.study.problem import Refused
from tests.release import dying

SERIES = "ward"
RACERS = 4
_SPENT_OUT = {"budget-exceeded", "series-finished"}


def reserve(home: Home, count: int) -> None:
    """Begin a series of so many instalments."""
    begin_series(Ledger(home), dying.STUDY, Schedule(SERIES, "month", "2026-12", count))


def one_of_both(home: Home, folder: Path) -> None:
    """An instalment or another release, by chance; whatever is left."""
    names = [SERIES, ""]
    random.shuffle(names)
    for number, name in enumerate(names):
        try:
            draw(home, folder, name)
            return
        except Refused as refused:
            if number or refused.problems[0].code not in _SPENT_OUT:
                raise


def draw(home: Home, folder: Path, name: str) -> None:
    """Draw, pay and show one release; an instalment where a series is named."""
    ledger, door = Ledger(home, busy_seconds=30), OpenDPDoor()
    more = {"fresh": True, "same_extract": True}
    dying.show(folder, run.release(dying.STUDY, folder, ledger, door, series=name, **more))


def race(home: Home, folder: Path) -> set[int]:
    """Several programs draw until nothing is left of either; how they ended."""

    def body() -> None:
        random.seed(os.getpid())
        for _ in itertools.count():
            try:
                one_of_both(home, folder)
            except Refused as refused:
                if refused.problems[0].code in _SPENT_OUT:
                    return
                raise

    children = [dying.forked(body) for _ in range(RACERS)]
    return {os.waitpid(child, 0)[1] for child in children}


def wrong_with(home: Home, count: int, *, is_over: bool) -> list[str]:
    """What contradicts the series' claim, at any entry."""
    ledger, wrong = Ledger.open(home), list[str]()
    account = ledger.account("registry")
    held, spent, instalments, others = 0, 0, 0, 0
    share = dying.SHARE.units
    for history in ledger.history("registry"):
        if history.word == "series-begun":
            held = count
        elif history.word == "instalment":
            held -= 1
            instalments += 1
        elif history.entry.kind == "release":
            spent += 1
            others = spent - instalments
        if (held + spent) * share > account.total.units:
            wrong.append(f"spent and reserved exceed the budget at entry {history.entry.sequence}")
    if instalments > count or (others + count) * share > account.total.units:
        wrong.append(f"{instalments} instalments and {others} others were drawn")
    if (account.spent.units, account.reserved.units) != (spent * share, held * share):
        wrong.append("the account does not say what its entries add up to")
    if is_over and (instalments != count or account.left.units):
        wrong.append(f"{instalments} of {count} instalments, {account.left} left")
    return wrong
