# SPDX-License-Identifier: Apache-2.0
"""The ledger as last read: its accounts, and the questions that it can answer for free."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from dpdesk.desk.core.state import AccountView, PastRelease
from dpdesk.release.places.home import Home
from dpdesk.study.checks.extracts import plain_extract, proposed_extract
from dpdesk.study.model.amount import NO_DELTA
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource
from dpdesk.study.problem import Problem, Refused

if TYPE_CHECKING:
    from dpdesk.desk.core.edits.found_bounds import FoundBounds
    from dpdesk.privacy.plan import QueryPlan
    from dpdesk.release.ledger import AccountState, Ledger
    from dpdesk.release.ledger.answers import AnsweredQuestions, Paid


LAST_RELEASES = 12
"""So many of an account's releases stand beside a page: the others are in History."""


class Accounts:
    """Every account of the ledger.

    Attributes:
        states: the accounts, as last read.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._ledger: Ledger | None = None
        self._answered: AnsweredQuestions | None = None
        self.states: tuple[AccountState, ...] = ()
        self._lost: tuple[str, ...] | None = None
        self._viewed: tuple[object, object, AccountView | None] | None = None
        self._found_bounds: dict[str, tuple[FoundBounds, ...]] = {}
        self._neighbours: dict[str, str] = {}

    def ledger(self) -> Ledger:
        """The ledger, opened when it is first needed.

        Raises:
            Refused: it cannot be opened; see ``Ledger.open``.
        """
        # Loaded here: the window shows before the ledger is read.
        from dpdesk.release.ledger import Ledger

        if self._ledger is None:
            self._ledger = Ledger.open(self._home)
        return self._ledger

    @property
    def notices(self) -> tuple[Problem, ...]:
        """Oddities of the ledger met so far; see ``Ledger``."""
        return () if self._ledger is None else self._ledger.notices

    def reread(self) -> None:
        """Read the ledger again, where there is one.

        Raises:
            Refused: see ``Ledger.look``; what was known stays.
        """
        if self._home.ledger.exists():
            self.states, self._answered = self.ledger().look()
            self._lost = self._viewed = None
            self._found_bounds = {}

    def has_lost(self, name: str) -> bool:
        """Whether an older copy of the ledger is in use that lacks entries of an account.

        Asked where an account is missing; the whole chain is read for it, once.
        """
        return name in self._lost_names()

    def _lost_names(self) -> tuple[str, ...]:
        """The accounts of which an older copy of the ledger lacks entries."""
        if self._lost is None and self._ledger is not None:
            problem = self._ledger.rolled_back()
            self._lost = tuple(str(problem.params["accounts"]).split(", ")) if problem else ()
        return self._lost or ()

    def view(self, study: Study, series: str = "") -> AccountView | None:
        """The account that pays for a study, where it is chosen and known.

        Args:
            study: the study.
            series: the planned series of which it is released as an instalment; empty for none.
        """
        name = study.budget.account if study.budget else ""
        wanted = (name, series)
        if self._viewed is None or self._viewed[0] != wanted or self._viewed[1] is not self.states:
            self._viewed = wanted, self.states, self._view(name, series)
        return self._viewed[2]

    def _view(self, name: str, series: str) -> AccountView | None:
        account = next((a for a in self.states if a.name == name), None)
        if account is None:
            return None
        amounts = (account.total, account.spent, account.locked, account.delta)
        now = next((s for s in account.series if s.remaining and s.begun.name == series), None)
        held = account.reserved.units - (now.begun.instalment.units if now else 0)
        instalment = now.begun.delta if now else NO_DELTA
        is_moved = "moved" in account.locks
        is_older = account.locked and (not account.locks or bool(self._lost_names()))
        view = AccountView(
            *(account.name, *amounts, NO_DELTA),
            *(bool(account.locks), held, is_moved, is_older),
        )
        delta_left = account.delta_left + instalment
        of = self._neighbours_of(account)
        releases = _last_releases(account)
        return replace(view, releases=releases, delta_left=delta_left, neighbours=of)

    def _neighbours_of(self, account: AccountState) -> str:
        """Of which kind an account's losses are, which never changes; nothing where damaged."""
        known = self._neighbours.get(account.name, "")
        if not known and any(one.charged.units for one in account.entries):
            with contextlib.suppress(Refused):
                known = self.ledger().neighbours(account.name)
            self._neighbours[account.name] = known
        return known

    def find_answer(self, study: Study, plan: QueryPlan) -> Paid | None:
        """The release that the ledger would answer from for free."""
        data, budget = study.data or DataSource(), study.budget
        if self._answered is None or not self._answered.keys:
            return None  # nothing is hashed where nothing was released yet
        if budget is None or not data.extract:
            return None
        return self._answered.find(budget.account, data.extract, plan.canonical)

    def found_bounds(self, study: Study) -> tuple[FoundBounds, ...]:
        """The bounds that releases of a study's account found, the newest first; read once.

        Raises:
            Refused: those of the ledger.
        """
        name = study.budget.account if study.budget else ""
        if not any(one.name == name for one in self.states):
            return ()
        if name not in self._found_bounds:
            # Loaded here: the window shows before releases are read.
            from dpdesk.desk.core.edits.found_bounds import bounds_of_account

            self._found_bounds[name] = bounds_of_account(self.ledger(), name)
        return self._found_bounds[name]

    def is_taken(self, study: Study, name: str) -> bool:
        """Whether a name means the study's extract, or another that its account drew from."""
        data, budget = study.data or DataSource(), study.budget or Budget()
        used = self._answered is not None and self._answered.is_used(budget.account, name)
        return used or plain_extract(name) == plain_extract(data.extract)

    def proposed_extract(self, study: Study, path: Path) -> str:
        """A name for a file that is chosen now, which means no other state of the data yet."""
        today = datetime.now().astimezone().date()
        return proposed_extract(str(path), today, partial(self.is_taken, study))


def _last_releases(account: AccountState) -> tuple[PastRelease, ...]:
    """What an account was last charged for, the newest first."""
    found = [one for one in account.entries if one.kind == "release"]
    last = islice(zip(range(len(found), 0, -1), reversed(found), strict=True), LAST_RELEASES)
    return tuple(PastRelease(number, one.time, one.charged) for number, one in last)
