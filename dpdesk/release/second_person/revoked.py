# SPDX-License-Identifier: Apache-2.0
"""A revoked key of one's own: among the signers, in each account of the ledger, and put aside.

In this order, and each step changes nothing the second time: what was killed in between is
finished by the next attempt, for as long as the key is in its place.
"""

from __future__ import annotations

from pathlib import Path

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.accounts import enter_revoked_key
from dpdesk.release.ledger.decisions.decided import RevokedSigner
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys, revocation
from dpdesk.release.signing.signers import RevokedKey, load_signers
from dpdesk.study.problem import Problem


def revoke_own(home: Home, notice: Path) -> tuple[RevokedKey, tuple[Problem, ...]]:
    """Revoke an own key by a notice; the key, and what is odd about the ledger.

    Raises:
        Refused: as ``revocation.accept_own``, ``enter_revocation`` and ``revocation.put_aside``.
    """
    return _finish(home, revocation.accept_own(home, notice))


def finish_revocation(home: Home) -> tuple[RevokedKey, tuple[Problem, ...]] | None:
    """Finish what a killed program began with the present key; None where it is not revoked.

    Raises:
        Refused: as :func:`revoke_own`, or what the file of signers is refused for.
    """
    own = keys.show(home.keys)
    begun = own and load_signers(home.signers).revoked_key(own.fingerprint)
    return _finish(home, begun) if begun else None


def _finish(home: Home, revoked: RevokedKey) -> tuple[RevokedKey, tuple[Problem, ...]]:
    notices = enter_revocation(home, revoked)
    revocation.put_aside(home, revoked)
    return revoked, notices


def enter_revocation(home: Home, revoked: RevokedKey) -> tuple[Problem, ...]:
    """Add a revocation to the ledger, where there is one; what is odd about the ledger.

    Raises:
        Refused: see ``Ledger.transaction``.
    """
    if not home.ledger.exists():
        return ()
    info, ledger = revoked.info, Ledger.open(home)
    entry = RevokedSigner(info.identity, info.fingerprint, revoked.since, revoked.reason)
    with ledger.transaction() as transaction:
        enter_revoked_key(transaction, entry)
    return ledger.notices
