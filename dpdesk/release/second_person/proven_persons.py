# SPDX-License-Identifier: Apache-2.0
"""What proves a decision on an account's second person: the signature of whom it replaces.

Every step is proved again whenever it is looked up, whether the ledger holds its entry or only the
file beside the chain's heads remembers it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpdesk.release.ledger import Transaction
from dpdesk.release.ledger.chain import Entry, damaged
from dpdesk.release.ledger.decisions.decided import OverriddenSecondPerson, SecondPersonDecision
from dpdesk.release.ledger.transaction import read_payload
from dpdesk.release.places.home import Home
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.record.write import json_bytes
from dpdesk.release.second_person.overrides import is_override_signed, override_step
from dpdesk.release.second_person.remembered import Decided, Step, read_steps
from dpdesk.release.signing import sshsig
from dpdesk.study.problem import Refused, refuse

CHANGE_NAMESPACE = "dpdesk-account-v1"


@dataclass(frozen=True)
class Requirement:
    """Whose signature an account requires.

    Attributes:
        entry: hash of the entry that says so.
    """

    person: SecondPerson
    entry: str


@dataclass(frozen=True)
class RequirementChange:
    """What shall be required from now on, for the present second person to sign.

    Attributes:
        decision: the entry to be, without its signature.
    """

    account: str
    decision: SecondPersonDecision

    def to_bytes(self) -> bytes:
        """What is signed: JSON in one form."""
        members = {"dpdesk_change": 1, "account": self.account, **self.decision.unsigned()}
        return json_bytes(members)


def steps_of(transaction: Transaction, home: Home, account: str) -> tuple[Step, ...]:
    """An account's steps, those that are remembered and those of its entries, oldest first.

    Raises:
        Refused: ``ledger-damaged`` where an entry lacks the signature that it needs,
            ``second-persons-damaged`` where a step does that the ledger does not know.
    """
    held = _held(transaction, account)
    steps: dict[str, Step] = {}
    for step in read_steps(home).get(account, ()):
        if step.entry in held:
            _enter(steps, account, *held.pop(step.entry))
        elif step.entry in steps or not _is_proven(account, step, steps.get(step.replaces)):
            raise refuse("second-persons-damaged")
        else:
            steps[step.entry] = step
    for entry, decision in held.values():
        _enter(steps, account, entry, decision)
    return tuple(steps.values())


def _held(transaction: Transaction, account: str) -> dict[str, tuple[Entry, Decided]]:
    """The decisions on an account's second person that the ledger holds, oldest first."""
    held: dict[str, tuple[Entry, Decided]] = {}
    for entry in transaction.entries:
        if entry.account != account or entry.kind != SecondPersonDecision.KIND:
            continue
        decision = read_payload(transaction.connection, entry)
        if isinstance(decision, (SecondPersonDecision, OverriddenSecondPerson)):
            held[entry.hash] = (entry, decision)
    return held


def _enter(steps: dict[str, Step], account: str, entry: Entry, decision: Decided) -> None:
    steps[entry.hash] = _checked_step(account, entry, decision, steps.get(decision.replaces))


def _is_proven(account: str, step: Step, before: Step | None) -> bool:
    """Whether a remembered step, which the ledger lacks, only requires somebody or is signed for.

    A file can be edited: nobody's signature is dropped because a file without one says so.
    """
    if before is None or before.person is None:
        is_next = step.replaces == (before.entry if before else "")
        return is_next and step.override is None
    said = step.decision
    if (said.person, said.replaces) != (step.person, step.replaces):
        return False
    if isinstance(said, SecondPersonDecision):
        required = Requirement(before.person, before.entry)
        return step.override is None and is_signed(account, said, required)
    stated = step.override
    if stated is None or not is_override_signed(account, said, before):
        return False
    stated_fields = (stated.entry, stated.was, stated.now, stated.reason)
    return stated_fields == (step.entry, before.person, said.person, said.reason)


def last_of(steps: tuple[Step, ...]) -> Step | None:
    """The step that no other one replaces.

    Raises:
        Refused: ``ledger-damaged``.
    """
    replaced = {step.replaces for step in steps}
    last = [step for step in steps if step.entry not in replaced]
    if len(last) > 1:
        raise damaged("payload")
    return last[0] if last else None


def _checked_step(account: str, entry: Entry, decision: Decided, before: Step | None) -> Step:
    """What an entry decides; it is the first, follows one that ended, or is signed for."""
    if isinstance(decision, OverriddenSecondPerson):
        if before is None or not is_override_signed(account, decision, before):
            raise damaged("payload", entry.sequence)
        return override_step(entry, decision, before)
    if before is None or before.person is None:
        is_next = decision.replaces == (before.entry if before else "")
    else:
        is_next = is_signed(account, decision, Requirement(before.person, before.entry))
    if not is_next:
        raise damaged("payload", entry.sequence)
    return Step(entry.hash, decision.person, decision.replaces, decision)


def is_signed(account: str, decision: SecondPersonDecision, current: Requirement) -> bool:
    """Whether the present second person signed what takes their entry's place."""
    unsigned = RequirementChange(account, replace(decision, signature=""))
    try:
        raw = decision.signature.encode("ascii")
        blob = sshsig.verify(unsigned.to_bytes(), raw, CHANGE_NAMESPACE)
    except (Refused, UnicodeEncodeError):
        return False
    return decision.replaces == current.entry and blob == current.person.blob
