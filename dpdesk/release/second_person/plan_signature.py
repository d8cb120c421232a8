# SPDX-License-Identifier: Apache-2.0
"""The second person's signature over a plan, and whether a release has the one that it needs.

What is signed says which release of a series it is, and whether all is drawn again. A plan is drawn
once. Its number is in the record of the release that used it: the same plan again is that
release again, figure by figure, for free; on other data, or drawn again, it is refused.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from dpdesk.privacy.plan import Plan
from dpdesk.release.ledger import Ledger, Transaction, release_numbers
from dpdesk.release.ledger.decisions.series import check_instalment
from dpdesk.release.ledger.payloads import FailedRelease
from dpdesk.release.ledger.spending.instalments import price_of
from dpdesk.release.ledger.transaction import read_payload
from dpdesk.release.places.home import Home
from dpdesk.release.places.shared_folder import hand_to_group
from dpdesk.release.record.second_person import (
    Instalment,
    SecondPerson,
    SecondPersonRecord,
    SignedPlan,
)
from dpdesk.release.record.values import StoredRelease
from dpdesk.release.second_person.handed_over import (
    MAX_SIGNATURE,
    read_handed,
    read_remembered,
)
from dpdesk.release.second_person.plan_file import PLAN_NAMESPACE, PlanFile, PlanTerms, read_plan
from dpdesk.release.second_person.proven_persons import Requirement
from dpdesk.release.second_person.requirement import (
    find_requirement,
    new_number,
    refuse_revoked,
    refuse_self,
)
from dpdesk.release.signing import sshsig
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import SigningKey
from dpdesk.study.model.unit import Budget
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import append_regular

SIGNATURE_END = ".sig"
USED = "used-plans"


@dataclass(frozen=True)
class ReturnedPlan:
    """A plan as it came back.

    Attributes:
        plan: its text.
    """

    plan: bytes
    signature: bytes


@dataclass(frozen=True)
class Drawing:
    """What a plan says of its draw.

    Attributes:
        fresh: everything is drawn and paid again.
        instalment: which release of a series it is; ``None`` outside one.
    """

    fresh: bool
    instalment: Instalment | None


def number_of(signed: ReturnedPlan) -> str:
    """The number of a plan whose signature was checked."""
    return read_plan(signed.plan).terms.number


def read_returned_plan(path: Path) -> ReturnedPlan:
    """A plan and its signature, which lie beside each other; either one may be named.

    Raises:
        Refused: ``handed-unreadable`` (param name).
    """
    plan = path.with_name(path.name.removesuffix(SIGNATURE_END))
    signature = plan.with_name(plan.name + SIGNATURE_END)
    return ReturnedPlan(read_handed(plan), read_handed(signature, MAX_SIGNATURE))


def plan_to_sign(ledger: Ledger, plan: Plan, fresh: bool, series: str = "") -> PlanFile:
    """A plan for the second person of its account, with a number of its own.

    Args:
        fresh: everything is drawn and paid again, as in each release of a series.
        series: whose next release it is; empty outside one.

    Raises:
        Refused: ``account-unknown``, ``plan-needs-nobody`` (param account), ``second-person-self``,
            ``key-revoked``, what ``check_instalment`` refuses, and what the ledger refuses.
    """
    account = _account(plan)
    with ledger.reading() as transaction:
        transaction.check_measure(account, plan.total)
        requirement = find_requirement(transaction, ledger.home, account)
        if requirement is None or not requirement.person.signs_plan:
            raise refuse("plan-needs-nobody", account=account)
        refuse_self(ledger.home, requirement.person)
        refuse_revoked(ledger.home, requirement.person)
        instalment = _next_instalment(transaction, plan, series)
        drawn = Drawing(fresh or bool(series), instalment)
        return _plan_file(transaction, plan, requirement, new_number(), drawn)


def _next_instalment(transaction: Transaction, plan: Plan, series: str) -> Instalment | None:
    if not series:
        return None
    found = check_instalment(transaction, _account(plan), series, price_of(plan))
    return Instalment(series, found.drawn + 1, found.begun.count)


def _plan_file(
    transaction: Transaction, plan: Plan, requirement: Requirement, number: str, drawn: Drawing
) -> PlanFile:
    account = _account(plan)
    delta = transaction.sums(account).delta
    person, entry = requirement.person, requirement.entry
    terms = PlanTerms(account, entry, person, number, drawn.fresh, delta, drawn.instalment)
    return PlanFile.of_plans(plan.study, plan.queries, terms)


def sign_plan(raw: bytes, key: SigningKey) -> bytes:
    """The second person's signature over a plan's text.

    Raises:
        Refused: what :func:`read_plan` refuses; ``second-person-other`` (param name) where
            somebody else is to sign.
    """
    person = read_plan(raw).terms.person
    if key.info.fingerprint != fingerprint_of(person.blob):
        raise refuse("second-person-other", name=person.identity)
    return sshsig.sign(raw, key, PLAN_NAMESPACE)


def check_plan_signature(raw: bytes, signature: bytes, person: SecondPerson) -> None:
    """Refuse a signature that is not this person's over this text.

    Raises:
        Refused: ``second-signature-wrong`` (param name).
    """
    try:
        blob = sshsig.verify(raw, signature, PLAN_NAMESPACE)
    except Refused:
        blob = b""
    if blob != person.blob:
        raise refuse("second-signature-wrong", name=person.identity)


def demanded(
    transaction: Transaction,
    home: Home,
    plan: Plan,
    signed: ReturnedPlan | None,
    *,
    fresh: bool,
    series: str = "",
) -> SecondPersonRecord | None:
    """What the record says of the second person; ``None`` where one person is enough.

    Raises:
        Refused: ``second-signature-missing`` or ``second-signature-wrong`` (param name),
            ``plan-delta-raised`` (param account), ``plan-not-as-signed``, what
            :func:`_check_drawing` refuses, ``second-person-self``,
            ``key-revoked``, ``plan-needs-nobody`` (param account) where a signature came that
            nobody asked for.
    """
    requirement = find_requirement(transaction, home, _account(plan))
    if signed is not None and not (requirement and requirement.person.signs_plan):
        raise refuse("plan-needs-nobody", account=_account(plan))
    if requirement is None:
        return None
    person = requirement.person
    refuse_self(home, person)
    refuse_revoked(home, person)
    if not person.signs_plan:
        return SecondPersonRecord(person, requirement.entry)
    if signed is None:
        raise refuse("second-signature-missing", name=person.identity)
    check_plan_signature(signed.plan, signed.signature, person)
    terms = read_plan(signed.plan).terms
    drawn = Drawing(terms.fresh, terms.instalment)
    if terms.account == _account(plan) and terms.delta != transaction.sums(terms.account).delta:
        raise refuse("plan-delta-raised", account=terms.account)
    if _plan_file(transaction, plan, requirement, terms.number, drawn).to_bytes() != signed.plan:
        raise refuse("plan-not-as-signed")
    _check_drawing(transaction, plan, terms, fresh, series)
    signature = signed.signature.decode("ascii")
    return SecondPersonRecord(
        person,
        requirement.entry,
        SignedPlan(terms.number, terms.fresh, signature, terms.instalment),
    )


def _check_drawing(
    transaction: Transaction, plan: Plan, terms: PlanTerms, fresh: bool, series: str
) -> None:
    """Refuse a plan that was signed for another release of its series, or for another draw.

    A plan that was used states the release that it was used for, whatever came after it.

    Raises:
        Refused: ``plan-for-instalment`` (params number, series), ``plan-outside-series`` (param
            series), ``plan-for-fresh``, ``plan-for-stored``; what ``running`` refuses.
    """
    stated = terms.instalment
    if stated is not None and stated.series != series:
        raise refuse("plan-for-instalment", number=str(stated.number), series=stated.series)
    if stated is None and series:
        raise refuse("plan-outside-series", series=series)
    if stated is not None and find_used(transaction, terms.account, terms.number) is None:
        found = _next_instalment(transaction, plan, series)
        if stated != found:
            raise refuse("plan-for-instalment", number=str(stated.number), series=series)
    if terms.fresh != fresh:
        raise refuse("plan-for-fresh" if terms.fresh else "plan-for-stored")


def find_used(
    transaction: Transaction, account: str, number: str
) -> tuple[int, StoredRelease] | None:
    query = (
        "SELECT sequence FROM entry WHERE account = ? AND kind = 'release' AND instr(payload, ?)"
    )
    for (sequence,) in transaction.connection.execute(query, (account, number)).fetchall():
        stored = transaction.release(sequence)
        stated = stored.record.second_person
        if stated is not None and stated.plan is not None and stated.plan.number == number:
            return sequence, stored
    return None


def used_before(transaction: Transaction, sequence: int) -> Refused:
    """Why a plan is not drawn again: the release that it was used for."""
    number = release_numbers(transaction.entries)[sequence]
    return refuse("plan-used", release=str(number), entry=str(sequence))


def refuse_used(transaction: Transaction, home: Home, account: str, number: str) -> None:
    """Refuse a plan that was drawn before.

    Raises:
        Refused: ``plan-used`` (params release, entry), ``plan-failed`` (entry) or
            ``plan-used-lost``; ``second-persons-damaged``.
    """
    used = find_used(transaction, account, number)
    if used is not None:
        raise used_before(transaction, used[0])
    for entry in transaction.entries_of(account):
        if entry.kind == FailedRelease.KIND:
            said = read_payload(transaction.connection, entry)
            if isinstance(said, FailedRelease) and said.plan == number:
                raise refuse("plan-failed", entry=str(entry.sequence))
    if is_remembered(home, number):
        raise refuse("plan-used-lost")


def is_remembered(home: Home, number: str) -> bool:
    """Whether a plan was used for a release that an older copy of the ledger may lack.

    Raises:
        Refused: ``second-persons-damaged`` or ``second-persons-closed``.
    """
    raw = read_remembered(home.heads_folder / USED)
    return raw is not None and number.encode("ascii") in raw.split()


def remember_used(home: Home, number: str) -> None:
    """Note beside the chain's heads that a plan was used; the ledger says so already."""
    path = home.heads_folder / USED
    with contextlib.suppress(OSError):
        with append_regular(path) as stream:
            stream.write(f"{number}\n".encode("ascii"))
        hand_to_group(path)


def _account(plan: Plan) -> str:
    return (plan.study.budget or Budget()).account
