# SPDX-License-Identifier: Apache-2.0
"""What a custodian signs who replaces a second person without that person's signature.

A key that is lost signs nothing, not even who comes next. The override is signed by the custodian
instead, bound to the entry that it replaces, and stated with its reason in every later bundle of
the account: one person alone can take this step, and nobody can take it unseen.
"""

from __future__ import annotations

import base64
from dataclasses import replace

from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.decisions.decided import OverriddenSecondPerson
from dpdesk.release.record.second_person import Override
from dpdesk.release.record.write import json_bytes
from dpdesk.release.second_person.remembered import Step
from dpdesk.release.signing import sshsig
from dpdesk.release.signing.keys import SigningKey
from dpdesk.study.problem import Refused

OVERRIDE_NAMESPACE = "dpdesk-override-v1"


def signed_override(
    account: str, decision: OverriddenSecondPerson, key: SigningKey
) -> OverriddenSecondPerson:
    decision = replace(decision, custodian=key.info.public_line)
    raw = sshsig.sign(_text(account, decision), key, OVERRIDE_NAMESPACE)
    return replace(decision, signature=raw.decode("ascii"))


def is_override_signed(account: str, decision: OverriddenSecondPerson, before: Step) -> bool:
    """Whether the key that an override names signed it, for the step that it replaces."""
    try:
        raw = decision.signature.encode("ascii")
        blob = sshsig.verify(_text(account, decision), raw, OVERRIDE_NAMESPACE)
    except (Refused, UnicodeEncodeError):
        return False
    is_custodian = blob == base64.b64decode(decision.custodian.split(" ")[1])
    is_bound = before.person is not None and decision.replaces == before.entry
    return is_custodian and is_bound


def override_step(entry: Entry, decision: OverriddenSecondPerson, before: Step) -> Step:
    """The step of an override, with what every later bundle states of it."""
    if before.person is None:
        raise ValueError("nobody was required")
    stated = Override(entry.hash, entry.time, before.person, decision.person, decision.reason)
    return Step(entry.hash, decision.person, decision.replaces, decision, stated)


def _text(account: str, decision: OverriddenSecondPerson) -> bytes:
    """What is signed: JSON in one form."""
    return json_bytes({"dpdesk_override": 1, "account": account, **decision.unsigned()})
