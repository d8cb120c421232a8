# SPDX-License-Identifier: Apache-2.0
"""``dpdesk sign``: the second person reads what was handed to them, and signs it.

What is shown is what is signed: a plan is made again from its own study, and a bundle is verified.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpdesk.catalogue import spoken
from dpdesk.program.written_kinds import TO_SIGN, TO_VERIFY, refuse_kind
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.bundle_zip import MAX_BYTES as MAX_BUNDLE
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.second_signature import attach_signature, sign_bundle
from dpdesk.release.places.home import Home
from dpdesk.release.record.second_person import INSTALMENT
from dpdesk.release.record.write import delta_members
from dpdesk.release.second_person.handed_over import MAX_SIGNATURE, read_handed, write_handed
from dpdesk.release.second_person.plan_file import PlanFile, read_plan
from dpdesk.release.second_person.plan_signature import sign_plan
from dpdesk.release.second_person.proven_persons import RequirementChange
from dpdesk.release.second_person.requirement import read_change, sign_change
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.shell import passphrase
from dpdesk.shell.new_file import refuse_taken
from dpdesk.shell.output import DONE, print_json, say
from dpdesk.shell.verify import print_verification
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import real_path
from dpdesk.study.text.shown_text import shown_text

_ZIP, MAX_CHANGE = b"PK\3\4", 20_000


@dataclass(frozen=True)
class SignOptions:
    """What the command line asks for.

    Attributes:
        file: a plan, a change of an account, or a bundle.
        out: where the signature, or the bundle with it, is written.
        signature: one that was made elsewhere, for a bundle.
    """

    file: Path
    out: Path | None
    signature: Path | None
    as_json: bool


def run(home: Home, options: SignOptions) -> int:
    """Show what was handed over, and sign it.

    Raises:
        Refused: it is not what dpdesk writes, somebody else is to sign, or nothing can be written.
    """
    refuse_kind(options.file, *TO_VERIFY, *TO_SIGN)
    raw = read_handed(options.file, MAX_BUNDLE)
    if raw.startswith(_ZIP):
        return _bundle(home, options, raw)
    if options.signature is not None:
        raise refuse("second-signature-of-bundle")
    if b'\n "dpdesk_change": ' in raw[:MAX_CHANGE]:
        change = read_change(raw)
        return _text(home, options, change_members(change), lambda key: sign_change(raw, key))
    plan = read_plan(raw)
    return _text(home, options, plan_members(plan), lambda key: sign_plan(raw, key), plan)


def _text(
    home: Home,
    options: SignOptions,
    members: dict[str, Any],
    sign: Callable[[SigningKey], bytes],
    plan: PlanFile | None = None,
) -> int:
    named = f"{options.file.name}.sig"
    out = options.out or options.file.with_name(named)
    if out.exists():
        raise refuse("handed-exists", name=out.name)
    if not options.as_json:
        _print_plan(plan) if plan else _print_change(members)
    write_handed(out, sign(unlock_to_sign(home, passphrase.ask())))
    if options.as_json:
        print_json({**members, "signature": str(out)})
    else:
        text = "Signed: give {plan} and {signature} back, both in one folder."
        print(say(text, plan=options.file.name, signature=out.name))
        if out.name != named:
            print(say("Rename the signature to {name} first, or it is not found.", name=named))
    return DONE


def _bundle(home: Home, options: SignOptions, raw: bytes) -> int:
    out = options.out or options.file
    if real_path(out) != real_path(options.file):
        refuse_taken(out)
    verification = verify(raw, known_signers(home))
    _demand_unsigned(verification)
    if verification.second is None:
        raise refuse("second-signature-needless")
    person = verification.second.person
    if not options.as_json:
        print_verification(verification)
        _print_bundle(verification)
    if options.signature is not None:
        signed = attach_signature(raw, person, read_handed(options.signature, MAX_SIGNATURE))
    else:
        signed = sign_bundle(raw, person, unlock_to_sign(home, passphrase.ask()))
    write_bundle(out, signed)
    if options.as_json:
        print_json({"bundle": str(out), "second_person": person.identity})
    else:
        print(_signed_bundle(options.file, out))
    return DONE


def _signed_bundle(handed: Path, out: Path) -> str:
    """Which file has both signatures, and of which it was made where that is another."""
    if out.name == handed.name:
        return say("Signed: {name} has both signatures.", name=out.name)
    made = "Signed: {name} is {handed} with both signatures. {handed} itself still lacks one."
    return say(made, name=out.name, handed=handed.name)


def _print_bundle(verification: Verification) -> None:
    # Loaded here: what sets pages comes with it.
    from dpdesk.release.plan_report.lines_to_sign import lines_of_bundle

    for line in lines_of_bundle(verification.release) if verification.release else ():
        print(shown_text(line))


def _demand_unsigned(verification: Verification) -> None:
    """Refuse a bundle of which more is wrong than that the second signature is missing.

    Files that this version cannot hold to what was drawn could say anything: nobody signs them.
    """
    wrong = [p for p in verification.whole if p.code != "bundle-second-missing"]
    wrong = wrong or [*(verification.claim or ()), *verification.unjudged]
    if wrong or verification.claim is None:
        raise Refused(wrong or verification.whole)
    if not verification.whole:
        raise refuse("second-signature-needless")


def plan_members(plan: PlanFile) -> dict[str, Any]:
    """A plan as JSON members: what the second person decides on."""
    return {
        "kind": "plan",
        "number": plan.terms.number,
        "title": plan.study.title,
        "organisation": plan.study.text("organisation"),
        "account": plan.terms.account,
        "second_person": plan.terms.person.identity,
        "fresh": plan.terms.fresh,
        "instalment": INSTALMENT.write(plan.terms.instalment),
        "total": str(plan.claim.total),
        "epsilon": str(plan.claim.epsilon),
        **delta_members(plan.claim.delta),
        "queries": [query.members() for query in plan.queries],
    }


def change_members(change: RequirementChange) -> dict[str, Any]:
    person = change.decision.person
    return {
        "kind": "change",
        "account": change.account,
        "second_person": None if person is None else person.identity,
        "before": None if person is None else person.before,
        "reason": change.decision.reason,
    }


def _print_change(members: dict[str, Any]) -> None:
    ends = "Account “{account}”: no second signature is required any longer. Reason: {reason}"
    other = "Account “{account}”: {second_person} signs from now on. Reason: {reason}"
    print(say(ends, **members) if members["second_person"] is None else say(other, **members))


def _print_plan(plan: PlanFile) -> None:
    # Loaded here: what sets pages comes with it.
    from dpdesk.release.plan_report.lines_to_sign import lines_to_sign

    for line in lines_to_sign(plan, ReleaseWords.of(spoken().language)):
        print(shown_text(line))
