# SPDX-License-Identifier: Apache-2.0
"""Whose second signature an account requires: set by an entry, changed only with their signature.

The entry pins the second person's key. What requires it last is also remembered beside the chain's
heads: an older copy of the ledger, which lacks the entry, requires it all the same, even after it
was reconciled. A change is signed in a namespace of its own and is bound to the entry it replaces,
so it can be used once, in this ledger alone.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace

from dpdesk.release.ledger import Ledger, Transaction
from dpdesk.release.ledger.decisions.decided import PersonDecision, SecondPersonDecision
from dpdesk.release.ledger.decisions.recovery import refuse_moved
from dpdesk.release.ledger.payloads import ImportedCharges
from dpdesk.release.ledger.transaction import read_payload
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.places.home import Home
from dpdesk.release.record.second_person import Override, SecondPerson
from dpdesk.release.record.strict_object import StrictObject, malformed, read_whole
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.second_person.handed_over import parse_text
from dpdesk.release.second_person.proven_persons import (
    CHANGE_NAMESPACE,
    Requirement,
    RequirementChange,
    is_signed,
    last_of,
    steps_of,
)
from dpdesk.release.second_person.remembered import Step, read_steps, write_steps
from dpdesk.release.signing import keys, sshsig
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.signers import load_signers, parse_signers
from dpdesk.study import limits
from dpdesk.study.problem import Refused, refuse


def find_requirement(transaction: Transaction, home: Home, account: str) -> Requirement | None:
    """Whose signature an account requires now; ``None`` where one person is enough.

    Raises:
        Refused: ``ledger-damaged`` where an entry ends a requirement without the signature for it.
    """
    return required_by(steps_of(transaction, home, account))


def required_by(steps: tuple[Step, ...]) -> Requirement | None:
    """Whose signature is required after these steps."""
    last = last_of(steps)
    if last is None or last.person is None:
        return None
    return Requirement(last.person, last.entry)


def overrides_of(transaction: Transaction, home: Home, account: str) -> tuple[Override, ...]:
    """Every time that a second person was replaced without their signature, oldest first.

    What was imported from bundles counts, too: the ledger lacks the entries, not what they said.

    Raises:
        Refused: ``ledger-damaged``, ``second-persons-damaged``.
    """
    places = {entry.hash: entry.sequence for entry in transaction.entries}
    found: dict[str, tuple[int, Override]] = {}
    for step in steps_of(transaction, home, account):
        if step.override is not None:
            found[step.entry] = (places.get(step.entry, 0), step.override)
    for entry in transaction.entries:
        if entry.account == account and entry.kind == ImportedCharges.KIND:
            said = read_payload(transaction.connection, entry)
            for override in said.overrides if isinstance(said, ImportedCharges) else ():
                found.setdefault(override.entry, (entry.sequence, override))
    # Within a minute, in the order of the ledger; what came in together keeps its own.
    ordered = sorted(found.values(), key=lambda one: (one[1].time, one[0]))
    return tuple(override for _place, override in ordered)


def missing_overrides(
    transaction: Transaction, home: Home, releases: Iterable[SignedRelease]
) -> dict[str, tuple[Override, ...]]:
    """What releases of this ledger state of replaced second persons, and it does not know.

    Raises:
        Refused: ``ledger-damaged``, ``second-persons-damaged``.
    """
    missing: dict[str, dict[str, Override]] = {}
    for release in releases:
        name = release.record.account.name
        known = {override.entry for override in overrides_of(transaction, home, name)}
        lacking = {o.entry: o for o in release.record.overrides if o.entry not in known}
        if lacking:
            missing.setdefault(name, {}).update(lacking)
    return {name: tuple(found.values()) for name, found in missing.items()}


def requirement_in(ledger: Ledger, account: str) -> Requirement | None:
    """As :func:`find_requirement`, looked up in a ledger.

    Raises:
        Refused: ``account-unknown``, and what the ledger refuses.
    """
    with ledger.reading() as transaction:
        transaction.entries_of(account)
        return find_requirement(transaction, ledger.home, account)


def second_person(before: str, line: str) -> SecondPerson:
    """Who is meant by the line that a second person handed over.

    Args:
        before: what their signature is required before.
        line: of ``allowed_signers``, or as a public key's file has it.

    Raises:
        Refused: ``signer-malformed`` or ``signer-key-weak`` (param line).
    """
    text = line.strip()
    if text.startswith("ssh-ed25519 ") and len(text.split()) == 3:
        kind, blob, name = text.split()
        text = f"{name} {kind} {blob}"
    known = parse_signers(text).known
    if len(known) != 1:
        raise refuse("signer-malformed", line="1")
    members = {"before": before, "identity": known[0].identity, "key": known[0].public_line}
    return read_whole(members, "$", SecondPerson.read)


def refuse_unready(ledger: Ledger, account: str, is_signed: bool) -> None:
    """Refuse early, before a passphrase is asked for, what a release would be refused for.

    Raises:
        Refused: ``second-signature-missing`` (param name), and as :func:`requirement_in`.
    """
    requirement = requirement_in(ledger, account)
    if requirement is not None and requirement.person.signs_plan and not is_signed:
        raise refuse("second-signature-missing", name=requirement.person.identity)


def require(ledger: Ledger, account: str, person: SecondPerson, reason: str) -> Requirement | None:
    """Let an account require a second person's signature from now on.

    Raises:
        Refused: ``second-person-required`` (params account, name) where one is required already,
            ``second-person-self``, ``account-unknown``, and those of texts and the ledger.
    """
    with ledger.transaction() as transaction:
        require_within(transaction, ledger.home, account, person, reason)
    return remember(ledger, account)


def require_within(
    transaction: Transaction, home: Home, account: str, person: SecondPerson, reason: str
) -> None:
    """As :func:`require`, inside a transaction; who commits it calls :func:`remember`."""
    reason = checked_text("reason", reason, required=True)
    transaction.entries_of(account)
    refuse_moved(transaction)
    refuse_self(home, person)
    last = last_of(steps_of(transaction, home, account))
    if last is not None and last.person is not None:
        raise refuse("second-person-required", account=account, name=last.person.identity)
    replaces = last.entry if last else ""
    transaction.append(account, SecondPersonDecision(person, reason, new_number(), replaces))


def propose_change(
    ledger: Ledger, account: str, person: SecondPerson | None, reason: str
) -> RequirementChange:
    """What the present second person signs before another one takes their place, or nobody.

    Raises:
        Refused: ``second-person-missing`` (param account), ``second-person-self``, and those of
            texts and the ledger.
    """
    reason = checked_text("reason", reason, required=True)
    current = requirement_in(ledger, account)
    if current is None:
        raise refuse("second-person-missing", account=account)
    if person is not None:
        refuse_self(ledger.home, person)
    decision = SecondPersonDecision(person, reason, new_number(), current.entry)
    return RequirementChange(account, decision)


def read_change(raw: bytes) -> RequirementChange:
    """Read what :meth:`RequirementChange.to_bytes` wrote, and nothing else.

    Raises:
        Refused: ``change-malformed``.
    """
    try:
        change = read_whole(parse_text(raw), "$", _change)
    except Refused:
        raise refuse("change-malformed") from None
    if change.to_bytes() != raw:
        raise refuse("change-malformed")
    return change


def apply_change(ledger: Ledger, change: RequirementChange, signature: bytes) -> Requirement | None:
    """Enter a change that the present second person signed.

    Raises:
        Refused: ``change-not-of-now`` (param account) where it replaces another entry,
            ``second-signature-wrong`` (param name), ``second-person-self``, and those of the
            ledger.
    """
    with ledger.transaction() as transaction:
        transaction.entries_of(change.account)
        refuse_moved(transaction)
        current = find_requirement(transaction, ledger.home, change.account)
        if current is None or change.decision.replaces != current.entry:
            raise refuse("change-not-of-now", account=change.account)
        refuse_revoked(ledger.home, current.person)
        decision = replace(change.decision, signature=signature.decode("ascii", "replace"))
        if not is_signed(change.account, decision, current):
            raise refuse("second-signature-wrong", name=current.person.identity)
        if decision.person is not None:
            refuse_self(ledger.home, decision.person)
        transaction.append(change.account, decision)
    return remember(ledger, change.account)


def sign_change(raw: bytes, key: SigningKey) -> bytes:
    """The signature over a change; the ledger demands the present second person's.

    Raises:
        Refused: ``change-malformed``.
    """
    read_change(raw)
    return sshsig.sign(raw, key, CHANGE_NAMESPACE)


def refuse_self(home: Home, person: SecondPerson) -> None:
    """Refuse a second person who is the first one: by key, by an earlier key, or by name.

    Raises:
        Refused: ``second-person-self`` (param name), and what keys and signers are refused for.
    """
    own = keys.show(home.keys)
    if own is None:
        return
    known = load_signers(home.signers).known
    same_name = [one for one in known if _is_same(one.identity, own.identity)]
    prints = {own.fingerprint, *(one.fingerprint for one in same_name)}
    if fingerprint_of(person.blob) in prints or _is_same(person.identity, own.identity):
        raise refuse("second-person-self", name=person.identity)


def refuse_revoked(home: Home, person: SecondPerson) -> None:
    """Refuse a second person whose key was revoked.

    Raises:
        Refused: ``key-revoked`` (params identity, since, reason).
    """
    load_signers(home.signers).refuse_revoked(fingerprint_of(person.blob))


def info_of_person(person: SecondPerson) -> KeyInfo:
    return KeyInfo(person.identity, fingerprint_of(person.blob), person.public_line)


def _is_same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def is_noted(ledger: Ledger, account: str) -> bool:
    """Whether all that the ledger holds of an account's second person is remembered beside it.

    Raises:
        Refused: as :func:`requirement_in`.
    """
    with ledger.reading() as transaction:
        transaction.entries_of(account)
        steps = steps_of(transaction, ledger.home, account)
        return read_steps(ledger.home).get(account, ()) == steps


def remember(ledger: Ledger, account: str) -> Requirement | None:
    """Write the account's steps beside the chain's heads; returns what is required now.

    The file holds those of every account, so anyone who writes it keeps all others from writing.

    Raises:
        Refused: ``second-person-not-noted`` (param account) where the file cannot be written or
            the ledger not be read again: its own entry holds all the same.
    """
    try:
        with ledger.transaction() as transaction:
            steps = steps_of(transaction, ledger.home, account)
            known = read_steps(ledger.home)
            if known.get(account, ()) != steps:
                write_steps(ledger.home, {**known, account: steps})
            return required_by(steps)
    except Refused:
        raise refuse("second-person-not-noted", account=account) from None


def _change(members: StrictObject) -> RequirementChange:
    if members.whole("dpdesk_change") != 1:
        raise malformed(members.at("dpdesk_change"))
    account = members.text("account", limits.ID_PATTERN)
    terms = PersonDecision.read(members)
    checked_text("reason", terms.reason, required=True)
    if not terms.replaces:
        raise malformed(members.at("replaces"))
    return RequirementChange(account, SecondPersonDecision(**vars(terms)))


def new_number() -> str:
    """32 random hex digits."""
    return secrets.token_hex(16)
