# SPDX-License-Identifier: Apache-2.0
"""An account's budget over time: what was spent, reserved and granted after each of its entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dpdesk.release.ledger import HistoryEntry
from dpdesk.release.ledger.decisions.decided import BegunSeries, DrawnInstalment, EndedSeries
from dpdesk.release.record.totals import plus, share_of, together
from dpdesk.study.model.amount import Share, zero


@dataclass(frozen=True)
class BudgetStep:
    """What an account's budget is from an entry on.

    Attributes:
        time: minute of recording, UTC.
        spent: what was charged until then.
        reserved: what running series still reserve.
        total: what was granted until then.
    """

    sequence: int
    time: str
    spent: Share
    reserved: Share
    total: Share


def budget_steps(history: Iterable[HistoryEntry], account: str) -> tuple[BudgetStep, ...]:
    """The steps of an account's budget, one for each entry that changed it.

    Args:
        history: every entry of the ledger, oldest first.

    Returns:
        Nothing where an entry is damaged: no sum of the others is to be trusted.
    """
    entries = tuple(history)
    if any(entry.damage for entry in entries):
        return ()
    return tuple(_changes([h for h in entries if h.entry.account == account]))


def _changes(own: list[HistoryEntry]) -> Iterator[BudgetStep]:
    if not own:
        return
    measure = own[0].entry.measure
    spent = total = zero(measure)
    held: dict[int, Share] = {}
    one_of: dict[int, Share] = {}
    before = (spent, zero(measure), total)
    for history in own:
        entry, said = history.entry, history.payload
        spent, total = plus(spent, entry.charged), plus(total, entry.granted)
        if isinstance(said, BegunSeries):
            held[entry.sequence], one_of[entry.sequence] = said.reserved, said.instalment
        elif isinstance(said, EndedSeries):
            held.pop(said.series, None)
        elif isinstance(said, DrawnInstalment) and said.series in held:
            left = held[said.series].units - one_of[said.series].units
            held[said.series] = share_of(measure, left)
            continue  # its release is the next entry, and charges what it takes from here
        now = (spent, together(measure, held.values()), total)
        if now != before:
            yield BudgetStep(entry.sequence, entry.time, *now)
        before = now
