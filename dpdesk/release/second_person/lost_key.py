# SPDX-License-Identifier: Apache-2.0
"""Replacing a second person whose key is lost or revoked: by the custodian alone, and never unseen.

It counts for releases after it. What was drawn before for export under their signature stays
unfinished; the same questions asked again are answered from the ledger for free, and the bundle of
that release says what happened.
"""

from __future__ import annotations

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.decided import OverriddenSecondPerson
from dpdesk.release.ledger.decisions.recovery import refuse_moved
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.second_person.overrides import signed_override
from dpdesk.release.second_person.proven_persons import Requirement
from dpdesk.release.second_person.requirement import (
    find_requirement,
    new_number,
    refuse_revoked,
    refuse_self,
    remember,
)
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import SigningKey
from dpdesk.study.problem import refuse


def override_lost(
    ledger: Ledger, account: str, person: SecondPerson | None, reason: str, key: SigningKey
) -> Requirement | None:
    """Let somebody else sign for an account, or nobody, without who signs now.

    Args:
        ledger: the custodian's.
        person: who signs from now on; ``None`` for nobody.
        reason: why; it is in every later bundle of the account.
        key: the custodian's.

    Raises:
        Refused: ``second-person-missing`` (param account) where nobody is required,
            ``second-person-same`` (param name), ``second-person-self``, ``key-revoked``,
            ``account-moved``, and those of texts and the ledger.
    """
    reason = checked_text("reason", reason, required=True)
    with ledger.transaction() as transaction:
        transaction.entries_of(account)
        refuse_moved(transaction)
        current = find_requirement(transaction, ledger.home, account)
        if current is None:
            raise refuse("second-person-missing", account=account)
        if person is not None:
            refuse_self(ledger.home, person)
            refuse_revoked(ledger.home, person)
        now = None if person is None else fingerprint_of(person.blob)
        if now == fingerprint_of(current.person.blob):
            raise refuse("second-person-same", name=current.person.identity)
        decision = OverriddenSecondPerson(person, reason, new_number(), current.entry, "")
        transaction.append(account, signed_override(account, decision, key))
    return remember(ledger, account)
