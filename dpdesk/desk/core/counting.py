# SPDX-License-Identifier: Apache-2.0
"""Counting next to a database: the orders that wait for the open study, and what was opened.

Whether the data is in a database is a member of the study. An order belongs to the study that it
was made of, as it was then: it is found again by that, in this session or another one. What was
opened is in memory alone, until its release or until another study is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from dpdesk.release.places.home import Home
from dpdesk.study.model.document import Study

if TYPE_CHECKING:
    from dpdesk.release.ledger import Ledger
    from dpdesk.release.ledger.fingerprints import Separation
    from dpdesk.release.sealing.order_file import CountingOrder
    from dpdesk.release.sealing.sealed_counts import OpenedCounts


class Counting(Enum):
    """How far the counting of a study is."""

    NONE = "none"
    """Its data is in files, or it has no order yet."""
    WAITING = "waiting"
    """An order of it waits for its counts."""
    OPENED = "opened"
    """Its counts were opened."""


@dataclass(frozen=True)
class FoundCounts:
    """What was opened for a study.

    Attributes:
        account: which one pays; the order does not know it.
        undecided: other accounts of which nobody said whether these are their people.
    """

    counts: OpenedCounts
    account: str
    undecided: frozenset[str]


class DatabaseCounts:
    """What the window knows of a study's orders and of their counts.

    Attributes:
        counts: what was opened; ``None`` before that.
        undecided: other accounts of which nobody said whether these are their people.
        separations: what was declared of them; the release records it.
        saved_as: by an order's number, where it was saved in this session.
        latest: the last order that was one of the open study; it may have changed since.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._known: Mapping[str, CountingOrder] = {}
        self._names: frozenset[str] = frozenset()
        self._of: tuple[Study | None, tuple[CountingOrder, ...]] = (None, ())
        self.counts: OpenedCounts | None = None
        self._account = ""
        self.undecided: frozenset[str] = frozenset()
        self.separations: tuple[Separation, ...] = ()
        self.saved_as: dict[str, Path] = {}
        self.latest: CountingOrder | None = None

    def forget(self) -> None:
        """Another study is open, or the counts were released."""
        self._drop()
        self.latest = None

    def _drop(self) -> None:
        self.counts, self.undecided, self.separations = None, frozenset(), ()

    def orders_of(self, study: Study) -> tuple[CountingOrder, ...]:
        """The waiting orders of a study as it is now, the latest first."""
        if study.data is None or not study.data.in_database:
            return ()
        names = self._listed()
        if names != self._names or self._of[0] is not study:
            self._look(study, names)
        return self._of[1]

    def _listed(self) -> frozenset[str]:
        try:
            return frozenset(path.name for path in self._home.orders.iterdir())
        except OSError:
            return frozenset()

    def _look(self, study: Study, names: frozenset[str]) -> None:
        # Loaded here: the window shows before there is an order.
        from dpdesk.release.sealing.order_file import is_of
        from dpdesk.release.sealing.waiting_orders import waiting_orders

        if names != self._names:
            self._known = {order.number: order for order in waiting_orders(self._home)}
            self._names = names
        found = tuple(order for order in self._known.values() if is_of(order, study))
        self._of = study, found
        self.latest = found[0] if found else self.latest

    def how_far(self, study: Study) -> Counting:
        """How far the counting of a study is."""
        orders = self.orders_of(study)
        # Whose people these are was asked of all accounts but the one that was to pay.
        is_paid = self._account == _account_of(study)
        if self.counts and self.counts.order in {one.number for one in orders} and is_paid:
            return Counting.OPENED
        return Counting.WAITING if orders else Counting.NONE

    def counts_of(self, study: Study) -> OpenedCounts | None:
        """What was opened for a study as it is now."""
        return self.counts if self.how_far(study) is Counting.OPENED else None

    def open(self, path: Path, study: Study, ledger: Ledger) -> FoundCounts:
        """Open a sealed file, which stays as it is; run off the window's thread.

        Raises:
            Refused: what ``waiting_orders.opened`` refuses; ``counts-used``.
        """
        from dpdesk.release.ledger.fingerprints import undecided_accounts
        from dpdesk.release.ledger.uses import was_read
        from dpdesk.release.run.reading import counted_data
        from dpdesk.release.sealing.waiting_orders import opened
        from dpdesk.study.problem import refuse

        counts = opened(path, study, self._home, today())
        digest = counted_data(counts, ledger).digest
        account = _account_of(study)
        with ledger.reading() as transaction:
            if was_read(transaction, digest):
                raise refuse("counts-used")
            return FoundCounts(counts, account, undecided_accounts(transaction, account))

    def take(self, found: FoundCounts) -> None:
        """Keep what was opened, for the release."""
        self._drop()
        self.counts, self._account = found.counts, found.account
        self.undecided = found.undecided

    def separate(self, account: str, reason: str) -> None:
        """Declare that these are other people than an account's."""
        from dpdesk.release.ledger.fingerprints import Separation

        self.separations = (*self.separations, Separation(account, reason))
        self.undecided -= {account}

    def pass_over(self, account: str) -> None:
        """Go on without a word about an account that is undecided; nothing is recorded."""
        self.undecided -= {account}


def _account_of(study: Study) -> str:
    return study.budget.account if study.budget else ""


def today() -> date:
    """The day on which an order may be carried out, as its maker counts days."""
    return datetime.now(UTC).date()
