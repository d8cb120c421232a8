# SPDX-License-Identifier: Apache-2.0
"""What is remembered of the chain in a second place, and what that says about the ledger.

After every commit the chain's hashes and amounts are written to a file in another folder. A
ledger that is ahead of it is fine: a crash between commit and writing leaves it so. A ledger that
lacks an entry which the file knows was replaced by an older copy: nothing more is spent until the
custodian reconciles it, and what was lost is charged then. A file that lags behind by more than
that one transaction was itself put back.

A file that is missing, damaged, behind or cannot be written lets no older copy be noticed: that is
an entry of each account, and its bundles say so from then on.

A custodian who replaces both files cannot be noticed here. The heads in the bundles that have left
the building are the third place: tamper-evident, never tamper-proof.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.storage.schema import GENESIS, MAX_UNITS
from dpdesk.release.places.shared_folder import hand_to_group
from dpdesk.release.record.totals import MEASURES, Totals, share_of
from dpdesk.study import limits
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.model.amount import Delta
from dpdesk.study.regular_file import open_regular

VERSION = 1

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Mark:
    """What is remembered of one entry.

    Attributes:
        sums: what the account was granted and charged.
    """

    hash: str
    account: str
    sums: Totals


@dataclass(frozen=True)
class Heads:
    """The remembered chain.

    Attributes:
        state: ``read``, ``missing``, or ``damaged`` where the file does not read.
        marks: one an entry, in order.
    """

    state: Literal["read", "missing", "damaged"]
    marks: tuple[Mark, ...] = ()

    @property
    def head(self) -> str:
        """Hash of the last remembered entry."""
        return self.marks[-1].hash if self.marks else GENESIS

    def lost_from(self, entries: Sequence[Entry]) -> tuple[Mark, ...]:
        """Remembered entries that the ledger does not hold, from the first difference on."""
        for index, mark in enumerate(self.marks):
            if index >= len(entries) or entries[index].hash != mark.hash:
                return self.marks[index:]
        return ()

    def lost_state(self, entries: Sequence[Entry]) -> str:
        """``missing``, ``damaged`` or ``behind`` where entries were remembered and no longer are.

        The heads of a new ledger are written before its first entry, and after each transaction
        before the next one: who lag behind several were put back, and an older copy of the
        ledger that came with them may have been used.
        """
        if not entries or self.state != "read":
            return self.state if entries else ""
        later = entries[len(self.marks) :]
        return "behind" if not self.lost_from(entries) and _are_several(later) else ""

    def differ_from(self, entries: Sequence[Entry]) -> bool:
        """Whether something else than this chain is remembered, or nothing."""
        if self.state != "read":
            return True
        return [m.hash for m in self.marks] != [e.hash for e in entries]


def read_heads(path: Path) -> Heads:
    try:
        with open_regular(path) as stream:
            members = json.loads(stream.read().decode("ascii"))
        marks = tuple(_mark(*row) for row in _rows(members))
        _check_sums(marks)
        return Heads("read", marks)
    except FileNotFoundError:
        return Heads("missing")
    except (OSError, ValueError, TypeError, RecursionError):
        return Heads("damaged")


def _are_several(entries: Sequence[Entry]) -> bool:
    """Whether entries are of more than one transaction, whose head a crash may have left out.

    One transaction has one minute, and adds at most one release, account or raise.
    """
    single = [entry for entry in entries if entry.kind not in ("decision", "reconcile")]
    return len(single) > 1 or len({entry.time for entry in entries}) > 1


def _rows(members: Any) -> list[Any]:
    if not isinstance(members, dict) or members.get("heads") != VERSION:
        raise ValueError("not the heads of a ledger")
    entries = members.get("entries")
    if not isinstance(entries, list):
        raise ValueError("not the heads of a ledger")
    return entries


def _mark(seal: Any, account: Any, measure: Any, granted: Any, charged: Any, *deltas: Any) -> Mark:
    delta_granted, delta_kept, delta_charged = deltas
    if not (isinstance(seal, str) and _HASH.fullmatch(seal)):
        raise ValueError("not a hash")
    if not (isinstance(account, str) and limits.ID_PATTERN.match(account)):
        raise ValueError("not an account")
    if measure not in MEASURES:
        raise ValueError("not a measure")
    if not all(type(v) is int and 0 <= v <= MAX_UNITS for v in (granted, charged, *deltas)):
        raise ValueError("not an amount")
    amounts = (share_of(measure, granted), share_of(measure, charged))
    parts = (Delta(delta_granted), Delta(delta_kept), Delta(delta_charged))
    return Mark(seal, account, Totals(*amounts, *parts))


def _check_sums(marks: Sequence[Mark]) -> None:
    """Refuse what no ledger could have held: it could not be made good for either.

    Raises:
        ValueError, TypeError: an account in two measures, in pure epsilon with a delta, in rho
            without one that converts, or beyond what entries can hold.
    """
    for sums in lost_sums(marks).values():
        measure, granted, charged, *deltas = sums.amounts
        if max(granted, charged, *deltas) > MAX_UNITS:
            raise ValueError("not an amount")
        if any(deltas) if measure == "epsilon" else not sums.delta.converts.atto:
            raise ValueError("not a delta")


def can_be_written(path: Path) -> bool:
    """Whether the heads can be written, found out beside them."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            return not path.is_dir()
    except OSError:
        return False


def write_heads(path: Path, entries: Sequence[Entry]) -> None:
    """Remember the chain; the caller holds the ledger's write lock.

    Raises:
        OSError: the file cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left_behind in path.parent.glob(f".{path.name}.*.part"):
        left_behind.unlink(missing_ok=True)  # by a crash: the lock allows one writer at a time
    write_whole(path, heads_bytes(entries))
    hand_to_group(path)


def heads_bytes(entries: Sequence[Entry]) -> bytes:
    """What is remembered of a chain, as its file holds it."""
    rows = [[e.hash, e.account, *e.amounts] for e in entries]
    text = json.dumps({"heads": VERSION, "entries": rows}, separators=(",", ":"))
    return (text + "\n").encode("ascii")


def lost_sums(lost: Sequence[Mark]) -> dict[str, Totals]:
    """What each account was granted and charged in lost entries, in order of first loss."""
    sums: dict[str, Totals] = {}
    for mark in lost:
        before = sums.get(mark.account, Totals.none(mark.sums.measure))
        sums[mark.account] = before + mark.sums
    return sums
