# SPDX-License-Identifier: Apache-2.0
"""A revoked key in the ledger: an entry of each account."""

from __future__ import annotations

from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.accounts import enter_revoked_key
from dpdesk.release.ledger.decisions.signing import RevokedSigner
from dpdesk.release.signing.signers import RevokedKey
from dpdesk.study.problem import Problem


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
