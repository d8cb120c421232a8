# SPDX-License-Identifier: Apache-2.0
"""Random ledgers against plain sums: what is charged of delta stays within what is kept for it.

A walk opens accounts, raises what they keep, spends, reserves series, draws and ends them, goes
back to older copies and joins copies that both went on. A model in whole numbers, which shares no
line with the program, says what each step must lead to and which steps must be refused.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.privacy.noise.door import epsilon_of_rho
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions import series
from dpdesk.release.ledger.decisions.series import InstalmentPrice, Schedule
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import MAX_DELTA_ATTO, Delta, Rho
from dpdesk.study.problem import Refused
from tests.audit.length import FULL
from tests.release.ledgers import PAYLOAD

LEAST = {"small": 1, "large": MAX_DELTA_ATTO - 40, "late": 1}
"""What an account is opened with at least; the large one meets the limit of a delta."""

OFTEN = (*("small", "large") * 6, "late")
"""Which account a step is about: the last one may be opened in two copies of a ledger."""

REVEALING = (13, 23, 25)
"""Walks in which copies overspend what is kept, would keep too much, open one account twice, and
leave too little for a series."""

TOTAL = Rho.of(1)
ONE = Rho(1)


@dataclass
class Sums:
    """What a model knows of an account, in parts of 10**-18."""

    converts: int
    kept: int
    spent: int = 0
    reserved: dict[str, list[int]] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """Neither spent nor reserved."""
        return self.kept - self.spent - sum(delta * n for delta, n in self.reserved.values())


Books = dict[str, Sums]


class Walk:
    """A ledger, and what it must be."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.choose = random.Random(seed)
        self.home = Home.at(folder / f"{seed}")
        self.ledger = Ledger.open(self.home)
        self.elsewhere = Home.at(folder / f"{seed}-elsewhere")
        self.model: Books = {}
        self.names = 0

    def step(self) -> str:
        """Do something; what is wrong afterwards, or nothing."""
        wrong = self._diverge() if self.choose.random() < 0.08 else self._alone()
        return wrong or self._differs()

    def _asked(self, fits: bool, call: Callable[[], object], done: Callable[[], object]) -> str:
        """Do it in both; wrong where one of them refuses what the other accepts."""
        try:
            call()
        except (Refused, sqlite3.IntegrityError) as refused:
            return f"refused although it fits: {refused}" if fits else ""
        done()
        return "" if fits else "accepted although it does not fit"

    def _open(self, name: str) -> str:
        whole = LEAST[name] + self.choose.randrange(60)
        kept = self.choose.choice((0, self.choose.randrange(whole + 2)))
        fits = kept < whole <= MAX_DELTA_ATTO
        deltas = (Delta(whole), Delta(kept))
        return self._asked(
            fits,
            lambda: self.ledger.new_account(name, TOTAL, "", *deltas),
            lambda: self.model.__setitem__(name, Sums(whole - kept, kept)),
        )

    def _raise(self, name: str, sums: Sums) -> str:
        kept = max(0, sums.kept + self.choose.randrange(-4, 6))
        fits = sums.kept < kept <= MAX_DELTA_ATTO - sums.converts
        return self._asked(
            fits,
            lambda: self.ledger.raise_budget(name, None, "more", Delta(kept)),
            lambda: setattr(sums, "kept", kept),
        )

    def _spend(self, name: str, sums: Sums) -> str:
        delta = self.choose.randrange(9)

        def pay() -> None:
            with self.ledger.transaction() as transaction:
                transaction.append(name, PAYLOAD, charged=ONE, delta_charged=Delta(delta))

        done: Callable[[], None] = lambda: setattr(sums, "spent", sums.spent + delta)  # noqa: E731
        return self._asked(delta <= sums.left, pay, done)

    def _begin(self, name: str, sums: Sums) -> str:
        delta, count = self.choose.randrange(4), self.choose.randrange(1, 4)
        self.names += 1
        schedule = Schedule(f"s{self.names}", "month", "2026-12", count)
        price = InstalmentPrice(ONE, Delta(delta), "0" * 64)

        def begin() -> None:
            with self.ledger.transaction() as transaction:
                series.begin(transaction, name, schedule, price)

        planned = [delta, count]
        return self._asked(
            delta * count <= sums.left,
            begin,
            lambda: sums.reserved.__setitem__(schedule.name, planned),
        )

    def _draw(self, name: str, sums: Sums) -> str:
        if not sums.reserved:
            return ""
        one = self.choose.choice(sorted(sums.reserved))
        planned = sums.reserved[one]

        def draw() -> None:
            with self.ledger.transaction() as transaction:
                series.draw(transaction, series.running(transaction, name, one))
                transaction.append(name, PAYLOAD, charged=ONE, delta_charged=Delta(planned[0]))

        def done() -> None:
            sums.spent += planned[0]
            planned[1] -= 1
            if not planned[1]:
                del sums.reserved[one]

        return self._asked(True, draw, done)

    def _end(self, name: str, sums: Sums) -> str:
        if not sums.reserved:
            return ""
        one = self.choose.choice(sorted(sums.reserved))

        def end() -> None:
            with self.ledger.transaction() as transaction:
                series.end(transaction, name, one, "over")

        return self._asked(True, end, lambda: sums.reserved.pop(one))

    def _diverge(self) -> str:
        """A copy goes on elsewhere, or stays as it was, and takes this ledger's place."""
        at_fork = deepcopy(self.model)
        shutil.rmtree(self.elsewhere.ledger.parent, ignore_errors=True)
        self.elsewhere.make()
        shutil.copyfile(self.home.ledger, self.elsewhere.ledger)
        for _ in range(self.choose.randrange(1, 9)):
            if wrong := self._alone():
                return wrong
        mine, self.model, own = self.model, deepcopy(at_fork), self.ledger
        self.ledger = Ledger.open(self.elsewhere)
        for _ in range(self.choose.randrange(9)):
            if wrong := self._alone():
                return wrong
        shutil.copyfile(self.elsewhere.ledger, self.home.ledger)
        self.ledger = own
        return self._join(at_fork, mine)

    def _alone(self) -> str:
        """A step that is no divergence."""
        name = self.choose.choice(OFTEN)
        if name not in self.model:
            return self._open(name)
        ways = (self._raise, *(self._spend,) * 3, self._begin, self._draw, self._end)
        return self.choose.choice(ways)(name, self.model[name])

    def _join(self, at_fork: Books, lost: Books) -> str:
        """Make good for what this computer remembers and the copy lacks."""
        entries = Ledger.open(self.home).lost()
        if not entries:
            return ""
        self.ledger.reconcile("a copy was in use")
        for name, was in lost.items():
            if name not in entries:
                continue
            before = at_fork.get(name, Sums(0, 0))
            held = self.model.setdefault(name, Sums(was.converts, 0))
            held.spent += was.spent - before.spent
            most = max(held.kept, MAX_DELTA_ATTO - held.converts)
            held.kept = max(min(held.kept + was.kept - before.kept, most), held.spent)
            if held.left < 0:
                held.reserved.clear()
        return ""

    def _differs(self) -> str:
        """What of the ledger is not what the model says."""
        for state in self.ledger.accounts():
            sums = self.model[state.name]
            found = (state.delta.whole.atto, state.delta.kept.atto, state.delta_spent.atto)
            if found != (sums.converts + sums.kept, sums.kept, sums.spent):
                return f"{state.name}: {found} instead of {sums}"
            if sums.left < 0 or state.delta_left.atto != sums.left:
                return f"{state.name}: {state.delta_left} is left instead of {sums.left}"
            held = {one.begun.name for one in state.series if one.remaining}
            if held != set(sums.reserved):
                return f"{state.name}: other series run"
        return ""

    def meanings(self) -> Iterator[str]:
        """Where the epsilon of a rho is another than its first delta gave it."""
        for state in self.ledger.accounts():
            opened = epsilon_of_rho(TOTAL, Delta(self.model[state.name].converts))
            shown = float(account_epsilon(TOTAL, state.delta).as_fraction())
            if not opened <= shown <= opened + 1.000001e-6:
                yield f"{state.name}: rho 1 means {shown}, and meant {opened} at first"


def delta_findings(folder: Path) -> Iterator[str]:
    """Steps after which a ledger is not what plain sums say."""
    for seed in range(200) if FULL else REVEALING:
        walk = Walk(folder, seed)
        for number in range(50):
            if wrong := walk.step():
                yield f"walk {seed}, step {number}: {wrong}"
                break
        else:
            yield from walk.meanings()
            if not walk.ledger.check().sound:
                yield f"walk {seed}: the ledger is not sound"
