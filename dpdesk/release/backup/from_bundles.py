# SPDX-License-Identifier: Apache-2.0
"""What exported bundles know of the ledger's chain: the third place, beside its second record.

A bundle states its entry's hash, the hash before it, and all that its account had charged by then.
Only bundles that are whole, signed by this custodian's own keys, and linked to this chain count:
by a hash that the ledger, its second record or another linked bundle knows; or by an account's
charges that are the ledger's own and go on after its last entry. What the ledger lacks of them was
shown to somebody, so it is charged, once. Nothing else in a bundle changes the ledger: a total
is lifted to what was spent, never to what a bundle says.

In a ledger without any entry, as on a new computer, there is no chain to be linked to. Each
account is then rebuilt as it was last stated, with a total that is exactly what was spent: it is
locked until a person raises the total, with a reason.

Where bundles state that a second person was replaced without their signature, and the ledger does
not know it, the import says so, and every later bundle of the account states it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import dpdesk
from dpdesk.release.ledger import Entry, Ledger
from dpdesk.release.ledger.lost_charges import KnownChain, import_lost
from dpdesk.release.ledger.reconcile import reconcile, unreconciled
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.second_person.requirement import missing_overrides
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import Signers, known_signers
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.study.problem import Problem, refuse


@dataclass(frozen=True)
class ImportedBundles:
    """What became of bundles.

    Attributes:
        entries: what was entered: one an account that lacked something.
        counted: how many bundles belong to this ledger.
        left_out: why others do not count.
        overridden: accounts of which the bundles state, and the ledger did not know, that a second
            person was replaced without their signature.
    """

    entries: tuple[Entry, ...]
    counted: int
    left_out: tuple[Problem, ...]
    overridden: tuple[str, ...] = ()


def own_signers(home: Home) -> Signers:
    """The signing key's own lines, those of before its rotation too.

    Raises:
        Refused: ``import-key-missing``, and those of reading keys and signers. A new key would not
            help, because it has signed none of the bundles.
    """
    own = keys.show(home.keys)
    if own is None:
        raise refuse("import-key-missing")
    known = known_signers(home).known
    return Signers(tuple(signer for signer in known if signer.identity == own.identity))


def import_bundles(ledger: Ledger, paths: Iterable[Path], reason: str) -> ImportedBundles:
    """Charge what bundles state and the ledger lacks; rebuild the accounts of an empty ledger.

    Raises:
        Refused: ``import-key-missing``, ``reason-missing``, ``bundle-missing`` or
            ``bundle-unreadable`` (param name), ``account-measure-differs``, and those of opening a
            ledger.
    """
    signers = own_signers(ledger.home)
    read, left_out = dict[str, SignedRelease](), list[Problem]()
    for path in _files(paths):
        found = verify(path, signers)
        # Whether the second person is known here does not change what was paid.
        is_own = found.is_whole and found.is_known and found.claim_holds
        if found.release is not None and is_own:
            read[str(path)] = found.release
        else:
            left_out.append(_not_counted(path.name, found))
    with ledger.repairing() as (transaction, heads):
        entries: tuple[Entry, ...] = ()
        if unreconciled(transaction.connection, heads, transaction.entries):
            entries = reconcile(transaction, heads, reason)
        known = KnownChain.of(transaction, heads)
        linked = known.link(read.values())
        # The last release of an account knows all raises of the earlier ones.
        ordered = sorted(read.values(), key=lambda release: release.record.place.sequence)
        deltas = {r.record.account.name: r.record.account.delta for r in ordered}
        kinds = {r.record.account.name: r.record.claim.neighbours for r in ordered}
        lost = known.lost(read.values(), linked)
        belonging = [release for release in read.values() if release.head in linked]
        overrides = missing_overrides(transaction, ledger.home, belonging)
        entries += import_lost(transaction, lost, deltas, kinds, reason, overrides)
    others = [name for name, release in read.items() if release.head not in linked]
    left_out += [Problem("$", "import-other-chain", {"name": Path(name).name}) for name in others]
    return ImportedBundles(entries, len(read) - len(others), tuple(left_out), tuple(overrides))


def _not_counted(name: str, found: Verification) -> Problem:
    """Why a bundle does not count: one that is not judged may have been paid for all the same."""
    if found.is_whole and not found.is_known:
        return Problem("$", "import-not-own", {"name": name})
    made = found.other_version
    if found.is_whole and found.is_unjudged and made is not None:
        versions = {"dpdesk": made.dpdesk, "opendp": made.opendp, "own": dpdesk.__version__}
        return Problem("$", "import-other-version", {"name": name, **versions})
    return Problem("$", "import-not-whole", {"name": name})


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob("*.zip")) if path.is_dir() else (path,)
