# SPDX-License-Identifier: Apache-2.0
"""``dpdesk verify``: three answers about a bundle, and one exit status."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.home import Home
from dpdesk.release.signing.signers import known_signers, load_signers
from dpdesk.release.verify.compare import compare
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.shell.output import DONE, REFUSED, complain, print_json, say, say_count
from dpdesk.study.model.amount import Rho
from dpdesk.study.problem import Problem, refuse
from dpdesk.texts.problems import sentence

NOT_REMADE = 3
"""The exit status where all is well but files that another version wrote cannot be remade."""

_HISTORY: Final[dict[str, Template]] = {
    "rollback_suspected": "History: an older copy of the ledger may once have been in use, so "
    "more may have been spent than the bundle says; ask the sender.",
    "separate_people": "History: it was declared, not measured, that other accounts hold other "
    "people.",
}
_STANDINGS: Final[dict[str, Template]] = {
    "known": "Signer: known",
    "unknown": "Signer: unknown",
    "changed": "Signer: changed",
}


def run(bundles: Sequence[Path], signers: Path | None, home: Home, as_json: bool) -> int:
    """Check bundles against a file of signers, or against those this user knows.

    Several bundles are also held against each other.

    Raises:
        Refused: a bundle or the file of signers cannot be read.
    """
    if signers is not None and not signers.is_file():
        raise refuse("signers-unreadable", name=signers.name)
    known = load_signers(signers) if signers else known_signers(home)
    found = [verify(bundle, known) for bundle in bundles]
    together = compare([f.release for f in found if f.release is not None and f.is_good])
    if as_json:
        members = [_members(f) for f in found]
        several = {"bundles": members, "together": _problems(together)}
        print_json(members[0] if len(found) == 1 else several)
    else:
        _print_all(bundles, found, together)
    forked = any(p.code == "bundles-fork" for p in together)
    if forked or not all(f.is_good for f in found):
        return REFUSED
    return DONE if all(f.is_remade for f in found) else NOT_REMADE


def _print_all(
    bundles: Sequence[Path], verifications: Sequence[Verification], together: tuple[Problem, ...]
) -> None:
    for path, verification in zip(bundles, verifications, strict=True):
        if len(verifications) > 1:
            print(f"{path.name}:")
        _print(verification)
    for problem in together:
        if problem.code == "bundles-fork":
            complain(sentence(problem))
        elif len(verifications) > 1:
            print(sentence(problem))


def _members(found: Verification) -> dict[str, Any]:
    who = found.who
    return {
        "verified": found.is_good,
        "whole": {"ok": found.is_whole, "problems": _problems(found.whole)},
        "who": {
            "ok": found.is_known,
            "standing": who.standing if who else "unsigned",
            "identity": who.identity if who else "",
            "fingerprint": who.fingerprint if who else "",
        },
        "claim": {
            "ok": found.claim_holds,
            "problems": _problems(found.claim or ()),
            **_claimed(found),
        },
        "history": {"ok": not found.history, "stated": list(found.history)},
        "remade": {"ok": found.is_remade, "not_remade": list(found.not_made_again)},
        "older_format": found.older_format,
        "too_noisy_unmarked": found.unmarked,
    }


def _claimed(found: Verification) -> dict[str, str | None]:
    """The amounts of a claim that holds."""
    if found.release is None or not found.claim_holds:
        return {"epsilon": None, "rho": None, "delta": None}
    claim = found.release.record.claim
    rho = str(claim.total) if isinstance(claim.total, Rho) else None
    return {"epsilon": str(claim.epsilon), "rho": rho, "delta": str(claim.delta)}


def _problems(problems: tuple[Problem, ...]) -> list[dict[str, str]]:
    return [{"code": p.code, **p.params} for p in problems]


def _print(found: Verification) -> None:
    print(say("Whole: yes") if found.is_whole else say("Whole: no"))
    for problem in found.whole:
        complain(sentence(problem))
    _print_who(found)
    if found.claim is None:
        print(say("Claim: not checked"))
        return
    if found.claim_holds:
        print(say("Claim: adds up, {cost}", cost=_cost(found)))
        _print_history(found)
        _print_remade(found)
        if found.older_format:
            print(_older(found))
        return
    print(say("Claim: does not add up"))
    for problem in found.claim:
        complain(sentence(problem))


def _print_history(found: Verification) -> None:
    if not found.history:
        print(say("History: nothing is left open"))
    for name in found.history:
        complain(say(_HISTORY[name]))


def _print_remade(found: Verification) -> None:
    if found.not_made_again:
        names = ", ".join(found.not_made_again)
        print(say("Remade: not {names}, because another version wrote it", names=names))
    elif found.is_remade:
        print(say("Remade: yes, every file from what was drawn"))


def _older(found: Verification) -> str:
    """What the tables of an older format do not say: which figures are too noisy to use."""
    older = found.older_format
    if found.unmarked is None:
        return say(
            "Format {format} marks no figure as too noisy to use: compare each with its margin.",
            format=older,
        )
    return say_count(
        found.unmarked,
        "Format {format} marks no figure as too noisy to use: by its margin, {n} line is.",
        "Format {format} marks no figure as too noisy to use: by their margins, {n} lines are.",
        format=older,
        n=found.unmarked,
    )


def _cost(found: Verification) -> str:
    """What the release cost: in rho with what that means, for epsilon alone is not the promise."""
    claimed = _claimed(found)
    if claimed["rho"] is None:
        return say("epsilon {amount}", amount=claimed["epsilon"])
    return say("rho {rho}, which means epsilon {epsilon} at delta {delta}", **claimed)


def _print_who(found: Verification) -> None:
    who = found.who
    if who is None:
        print(say("Signer: not checked"))
        return
    print(f"{say(_STANDINGS[who.standing])}, {who.identity}, {who.fingerprint}")
    if who.standing == "unknown":
        complain(
            say(
                "You do not know this signer: get their allowed_signers line from them, not from "
                "the bundle, and name its file with --signers."
            )
        )
    elif who.standing == "changed":
        complain(
            say("This signer's key is not the one you know: ask them before you rely on this.")
        )
