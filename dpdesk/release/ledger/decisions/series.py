# SPDX-License-Identifier: Apache-2.0
"""Planned series: a release that recurs reserves the budget of its whole schedule first.

Claim: at every entry, what an account has charged and what its running series still reserve are
together within its total; so are both kinds of delta within the part of it that is kept for them.
Why it holds: a series begins only where its whole schedule fits into what is neither spent nor
reserved; another release charges no more than that; an instalment charges exactly what it takes
from its reservation; ending a series only takes from what is reserved; raising only grants. Each is
checked and entered in one transaction under the write lock, and ``Ledger.transaction`` checks the
sum itself before it commits.

The composition claim of the account is unchanged: what counts as spent is what entries charged, and
their plain sum is the whole accountant, also where each question, or whether a series goes on, is
chosen after seeing earlier answers (``accounts.py``). A reservation is a public promise about the
future that only ever keeps others from spending: it is chosen without the data and reveals nothing
of it. Nothing about who contributed to an instalment is stored.

Entries lost to an older copy of the ledger are charged from what is left; where that leaves too
little for what is reserved, the account's series end, for what was shown comes first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dpdesk.release.ledger.chain import Entry, damaged, sums_of
from dpdesk.release.ledger.decisions.decided import (
    MONTH,
    MOST_INSTALMENTS,
    RHYTHMS,
    BegunSeries,
    DrawnInstalment,
    EndedSeries,
    Rhythm,
)
from dpdesk.release.ledger.decisions.recovery import refuse_moved
from dpdesk.release.ledger.transaction import Transaction, read_payload, refuse_other_measure
from dpdesk.release.ledger.typed_names import checked_name, checked_text
from dpdesk.release.record.amounts import found_problem
from dpdesk.release.record.totals import Totals, share_of
from dpdesk.study.model.amount import Delta, Share
from dpdesk.study.problem import Refused, refuse

MONTHS_OF: dict[Rhythm, int] = {"month": 1, "quarter": 3, "year": 12}
"""From one release of a series to the next."""


@dataclass(frozen=True)
class Schedule:
    """What a series is to be.

    Attributes:
        first: the month in which it is first due, such as ``2026-12``.
    """

    name: str
    every: Rhythm
    first: str
    count: int


@dataclass(frozen=True)
class InstalmentPrice:
    """What each instalment asks and costs.

    Attributes:
        questions: digest of what is asked, at which price.
    """

    share: Share
    delta: Delta
    questions: str


@dataclass(frozen=True)
class Series:
    """A series as it is.

    Attributes:
        sequence: the entry that began it.
        drawn: how many instalments were released.
    """

    sequence: int
    account: str
    begun: BegunSeries
    drawn: int = 0
    ended: bool = False

    @property
    def remaining(self) -> int:
        """How many instalments are still reserved."""
        return 0 if self.ended else self.begun.count - self.drawn

    @property
    def reserved(self) -> Share:
        one = self.begun.instalment
        return share_of(one.measure, one.units * self.remaining)

    @property
    def delta_reserved(self) -> Delta:
        return Delta(self.begun.delta.atto * self.remaining)

    @property
    def months_between(self) -> int:
        """From one release to the next."""
        return MONTHS_OF[self.begun.every]

    @property
    def due(self) -> str:
        """The month of the next instalment; empty where none is left.

        It is said, and keeps nobody from releasing sooner or later.
        """
        if not self.remaining:
            return ""
        year, month = map(int, self.begun.first.split("-"))
        months = 12 * year + month - 1 + self.drawn * MONTHS_OF[self.begun.every]
        return f"{months // 12:04}-{months % 12 + 1:02}"


def series_of(
    connection: sqlite3.Connection, entries: Iterable[Entry], account: str
) -> tuple[Series, ...]:
    """An account's series, in the order in which they began.

    Raises:
        Refused: ``ledger-damaged`` where an entry is about a series that is not running.
    """
    found: dict[int, Series] = {}
    for entry in entries:
        if entry.account != account or entry.kind != BegunSeries.KIND:
            continue
        said = read_payload(connection, entry)
        if isinstance(said, BegunSeries):
            found[entry.sequence] = Series(entry.sequence, account, said)
        elif isinstance(said, (DrawnInstalment, EndedSeries)):
            found[said.series] = _after(found.get(said.series), said, entry)
    return tuple(found.values())


def _after(series: Series | None, said: DrawnInstalment | EndedSeries, entry: Entry) -> Series:
    if series is None or not series.remaining:
        raise damaged("series", entry.sequence)
    if isinstance(said, EndedSeries):
        return replace(series, ended=True)
    if said.number != series.drawn + 1:
        raise damaged("series", entry.sequence)
    return replace(series, drawn=said.number)


def reserved(transaction: Transaction, account: str) -> tuple[Share, Delta]:
    """What an account's running series reserve together."""
    return reserved_by(
        series_of(transaction.connection, transaction.entries, account),
        transaction.sums(account).measure,
    )


def reserved_by(series: Iterable[Series], measure: str) -> tuple[Share, Delta]:
    """What series reserve together, in a measure."""
    running = [one for one in series if one.remaining]
    units = sum(one.reserved.units for one in running)
    return share_of(measure, units), Delta(sum(one.delta_reserved.atto for one in running))


def left_beside(sums: Totals, held: Share, delta: Delta) -> tuple[Share, Delta]:
    """What is neither spent nor reserved."""
    left = share_of(sums.measure, max(0, sums.left.units - held.units))
    return left, Delta(max(0, sums.delta_left.atto - delta.atto))


def begin(
    transaction: Transaction, account: str, schedule: Schedule, price: InstalmentPrice
) -> Entry:
    """Reserve a schedule's whole budget.

    Raises:
        Refused: ``account-unknown``, ``account-measure-differs``, ``name-malformed``,
            ``series-count-wrong`` (param most), ``series-month-wrong``, ``series-costs-nothing``,
            ``series-exists`` (param name), ``series-exceeds-budget`` (params requested, left,
            short), ``delta-exceeded`` (params name, requested, left), ``found-none-kept`` (name),
            ``account-moved`` (param name).
    """
    checked_name(schedule.name)
    refuse_moved(transaction)
    _check_schedule(schedule)
    refuse_other_measure(account, transaction.sums(account).measure, price.share.measure)
    known = series_of(transaction.connection, transaction.entries, account)
    if any(one.begun.name == schedule.name for one in known):
        raise refuse("series-exists", name=schedule.name)
    _refuse_unfunded(transaction, account, schedule.count, price)
    given = (schedule.name, schedule.every, schedule.first, schedule.count)
    return transaction.append(
        account, BegunSeries(*given, price.share, price.delta, price.questions)
    )


def _check_schedule(schedule: Schedule) -> None:
    if not 1 <= schedule.count <= MOST_INSTALMENTS:
        raise refuse("series-count-wrong", most=str(MOST_INSTALMENTS))
    if schedule.every not in RHYTHMS or MONTH.fullmatch(schedule.first) is None:
        raise refuse("series-month-wrong")


def _refuse_unfunded(
    transaction: Transaction, account: str, count: int, price: InstalmentPrice
) -> None:
    if not price.share.units:
        raise refuse("series-costs-nothing")
    sums = transaction.sums(account)
    left, delta_left = left_beside(sums, *reserved(transaction, account))
    needed = share_of(sums.measure, count * price.share.units)
    if needed.units > left.units:
        short = share_of(sums.measure, needed.units - left.units)
        amounts = {"requested": str(needed), "left": str(left), "short": str(short)}
        raise refuse("series-exceeds-budget", name=account, **amounts)
    needed_delta = Delta(count * price.delta.atto)
    if problem := found_problem(account, sums.delta, delta_left, needed_delta):
        raise Refused([problem])


def running(transaction: Transaction, account: str, name: str) -> Series:
    """A series that still has instalments.

    Raises:
        Refused: ``series-unknown`` or ``series-finished`` (params name, account).
    """
    found = series_of(transaction.connection, transaction.entries, account)
    series = next((one for one in found if one.begun.name == name), None)
    if series is None:
        raise refuse("series-unknown", name=name, account=account)
    if not series.remaining:
        raise refuse("series-finished", name=name, account=account)
    return series


def check_instalment(
    transaction: Transaction, account: str, name: str, price: InstalmentPrice
) -> Series:
    """The series of which this is an instalment: the same questions at the same price.

    Raises:
        Refused: as :func:`running`; ``series-plan-differs`` (param name).
    """
    series = running(transaction, account, name)
    begun = series.begun
    if (price.share, price.delta, price.questions) != (
        begun.instalment,
        begun.delta,
        begun.questions,
    ):
        raise refuse("series-plan-differs", name=name)
    return series


def draw(transaction: Transaction, series: Series) -> Entry:
    """Use up the reservation of the next instalment, whose release is the next entry."""
    return transaction.append(series.account, DrawnInstalment(series.sequence, series.drawn + 1))


def end(transaction: Transaction, account: str, name: str, reason: str) -> Series:
    """End a series; what it still reserved is free again, and what was drawn stays spent.

    Raises:
        Refused: as :func:`running`; ``account-moved`` (param name); ``reason-missing``, and those
            of texts.
    """
    reason = checked_text("reason", reason, required=True)
    refuse_moved(transaction)
    series = running(transaction, account, name)
    transaction.append(account, EndedSeries(series.sequence, reason))
    return series


def end_unfunded(transaction: Transaction, account: str, reason: str) -> None:
    """End an account's series where what they reserve is not there any more."""
    if not is_overbooked(transaction, account):
        return
    for series in series_of(transaction.connection, transaction.entries, account):
        if series.remaining:
            transaction.append(account, EndedSeries(series.sequence, reason))


def is_overbooked(transaction: Transaction, account: str) -> bool:
    """Whether an account has spent and reserved more than it was granted."""
    return exceeds(transaction.sums(account), *reserved(transaction, account))


def exceeds(sums: Totals, held: Share, delta: Delta) -> bool:
    """Whether what is reserved does not fit beside what is spent."""
    over = sums.charged.units + held.units > sums.granted.units
    return over or sums.delta_charged + delta > sums.delta_kept


def overbooked(transaction: Transaction, before: int) -> Iterator[str]:
    """Accounts with entries after a place that have spent and reserved more than granted."""
    for account in dict.fromkeys(entry.account for entry in transaction.entries[before:]):
        if is_overbooked(transaction, account):
            yield account


def overbooked_at(connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> int:
    """The last entry of an account that reserves more than it has; 0 where none does.

    Raises:
        Refused: ``ledger-damaged``.
    """
    for account in dict.fromkeys(
        entry.account for entry in entries if entry.kind == BegunSeries.KIND
    ):
        own = [entry for entry in entries if entry.account == account]
        sums = sums_of(own, account)
        if exceeds(sums, *reserved_by(series_of(connection, own, account), sums.measure)):
            return own[-1].sequence
    return 0
