# SPDX-License-Identifier: Apache-2.0
"""``dpdesk verify``: three answers about a bundle, and one exit status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template, spoken
from dpdesk.program.written_kinds import TO_VERIFY, refuse_kind
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.dossier.dossier_check import DossierCheck, check_dossier, is_dossier
from dpdesk.release.notices.notice_file import read_notice
from dpdesk.release.notices.own_decision import TakenBack, own_decision
from dpdesk.release.notices.standing import NoticeFound, hold_against
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.record.write import delta_members
from dpdesk.release.signing.signers import Signers, known_signers, load_signers
from dpdesk.release.verify.histories import CONTRADICTIONS, compare, in_order
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.shell.dossier import checked
from dpdesk.shell.ledger.notices import notice_members, own_members, print_notice, print_own
from dpdesk.shell.output import DONE, REFUSED, WITHDRAWN, complain, print_json, say
from dpdesk.study.model.amount import Rho
from dpdesk.study.problem import Problem, refuse
from dpdesk.study.text.shown_text import shown_text
from dpdesk.texts import shared
from dpdesk.texts.problems import sentence
from dpdesk.texts.verification import history_sentences

NOBODY = Signers()
MADE_UP = 5
"""The exit status where a file is a rehearsal, made up on purpose, and nothing else is wrong."""
UNJUDGED = 3
"""The exit status where nothing is wrong, but a version or language that this program does not
know keeps it from judging all: neither good nor a forgery."""

_SECOND_STANDINGS: Final[dict[str, Template]] = {
    "known": "Second person: known",
    "unknown": "Second person: unknown",
    "changed": "Second person: changed",
    "revoked": "Second person: revoked",
}


def run(
    bundles: Sequence[Path],
    signers: Path | None,
    home: Home,
    as_json: bool,
    notices: Sequence[Path] = (),
) -> int:
    """Check bundles and dossiers against a file of signers, or against those this user knows.

    Several bundles are also held against each other, and each notice against all bundles.

    Raises:
        Refused: a bundle or the file of signers cannot be read.
    """
    if signers is not None and not signers.is_file():
        raise refuse("signers-unreadable", name=signers.name)
    for path in bundles:
        refuse_kind(path, *TO_VERIFY)
    known = load_signers(signers) if signers else known_signers(home)
    paths = [path for path in bundles if not is_dossier(path)]
    verifications = [verify(bundle, known) for bundle in paths]
    about = [path for path in bundles if path not in paths]
    dossiers = [check_dossier(path, known, verifications) for path in about]
    read = [read_notice(path) for path in notices]
    found = [[hold_against(notice, one, known) for one in verifications] for notice in read]
    found += _stated_in(dossiers, found, verifications, known)
    own = [own_decision(home, one) for one in verifications]
    pairs = zip(paths, verifications, strict=True)
    confirmed = {path: found.release for path, found in pairs if found.is_confirmed}
    releases = {path: release for path, release in confirmed.items() if release is not None}
    together = compare(tuple(releases.values()))
    if as_json:
        each = [
            {
                **_members(one, known),
                "own_ledger": own_members(own[number]),
                **notice_members([held[number] for held in found]),
            }
            for number, one in enumerate(verifications)
        ]
        members = [*each, *map(checked.members, dossiers)]
        orders = [[path.name for path in order] for order in _orders(releases, together)]
        several = {"bundles": members, "together": _problems(together), "orders": orders}
        print_json(members[0] if len(members) == 1 else several)
    else:
        unsaid = [
            None if decided and _is_said(decided, [held[number] for held in found]) else decided
            for number, decided in enumerate(own)
        ]
        _print_all(paths, verifications, len(bundles) > 1, known, unsaid)
        _print_together(together, releases, len(verifications) > 1)
        _print_dossiers(about, dossiers, len(bundles) > 1)
        for held in found:
            print_notice(held, paths)
    forked = any(p.code in CONTRADICTIONS for p in together)
    is_right = all(f.is_good or f.is_open for f in verifications)
    if forked or not (is_right and all(d.is_good for d in dossiers)):
        return MADE_UP if not forked and _are_made_up(verifications, dossiers) else REFUSED
    if found:
        return WITHDRAWN if all(any(one.right for one in held) for held in found) else REFUSED
    if any(own):
        return WITHDRAWN
    judged = all(f.is_good for f in verifications) and not any(
        d.is_given and d.remade == "not-checked" for d in dossiers
    )
    return DONE if judged else UNJUDGED


def _stated_in(
    dossiers: Sequence[DossierCheck],
    found: Sequence[Sequence[NoticeFound]],
    verifications: Sequence[Verification],
    known: Signers,
) -> list[list[NoticeFound]]:
    """The notices in dossiers, held against the bundles: each that counts and no file says."""
    said = {one.notice.decided_head for held in found for one in held if one.right}
    stated = {notice.decided_head: notice for check in dossiers for notice in check.stated}
    unsaid = [notice for head, notice in stated.items() if head not in said]
    held = [[hold_against(notice, one, known) for one in verifications] for notice in unsaid]
    return [each for each in held if any(one.right for one in each)]


def _is_said(decided: TakenBack, held: Sequence[NoticeFound]) -> bool:
    """Whether a notice that counts says what the own ledger does."""
    own = (decided.decision, decided.time, decided.reason, decided.tables)
    said = [one.notice for one in held if one.right]
    return any((one.kind, one.time, one.reason, one.tables) == own for one in said)


def _orders(
    releases: Mapping[Path, SignedRelease], together: tuple[Problem, ...]
) -> list[list[Path]]:
    """The bundles of each ledger, the earliest first; none where they contradict each other."""
    if any(problem.code in CONTRADICTIONS for problem in together):
        return []
    paths = tuple(releases)
    return [[paths[index] for index in order] for order in in_order(tuple(releases.values()))]


def _print_together(
    together: tuple[Problem, ...], releases: Mapping[Path, SignedRelease], are_several: bool
) -> None:
    """What the bundles say of each other."""
    for problem in together:
        if problem.code in CONTRADICTIONS:
            complain(sentence(problem))
        elif are_several:
            print(sentence(problem))
    for order in _orders(releases, together):
        entry = "{name} (entry {entry})"
        places = {path: releases[path].record.place.sequence for path in order}
        names = [say(entry, name=shown_text(p.name), entry=n) for p, n in places.items()]
        print(say("One ledger, the earliest first: {names}", names=", ".join(names)))


def _are_made_up(verifications: Sequence[Verification], dossiers: Sequence[DossierCheck]) -> bool:
    """Whether all that is wrong is that some of the files are rehearsals."""
    wrong = [found for found in verifications if not (found.is_good or found.is_open)]
    return all(found.is_made_up for found in wrong) and all(found.is_good for found in dossiers)


def _print_dossiers(
    paths: Sequence[Path], dossiers: Sequence[DossierCheck], is_named: bool
) -> None:
    for path, found in zip(paths, dossiers, strict=True):
        if is_named:
            print(f"{shown_text(path.name)}:")
        checked.show(found)


def _print_all(
    bundles: Sequence[Path],
    verifications: Sequence[Verification],
    is_named: bool,
    known: Signers,
    own: Sequence[TakenBack | None],
) -> None:
    for path, verification, decided in zip(bundles, verifications, own, strict=True):
        if is_named:
            print(f"{shown_text(path.name)}:")
        print_verification(verification, known)
        if decided is not None:
            print_own(decided)


def _members(verification: Verification, known: Signers) -> dict[str, Any]:
    who = verification.who
    return {
        "verified": verification.is_good,
        "made_up": verification.is_made_up,
        "whole": {"ok": verification.is_whole, "problems": _problems(verification.whole)},
        "who": {
            "ok": verification.is_known,
            "standing": who.standing if who else "unsigned",
            "identity": who.identity if who else "",
            "fingerprint": who.fingerprint if who else "",
            "revoked": _revoked(known, who.fingerprint if who else ""),
        },
        "second": _second_members(verification, known),
        "claim": {
            "ok": verification.claim_holds,
            "problems": _problems(verification.claim or ()),
            **_claimed(verification),
        },
        "history": _history(verification),
        "remade": {"ok": verification.is_remade, "not_remade": list(verification.not_made_again)},
        "other_version": _other_version(verification),
    }


def _other_version(verification: Verification) -> dict[str, str] | None:
    """What made a bundle, where it was another version."""
    made = verification.other_version
    return None if made is None else {"dpdesk": made.dpdesk, "opendp": made.opendp}


def _history(verification: Verification) -> dict[str, Any]:
    """What the account's history leaves open; each override where there are any."""
    members = {"ok": not verification.history, "stated": list(verification.history)}
    release = verification.release
    if release is None or "second_person_overridden" not in verification.history:
        return members
    found = [override.members() for override in release.record.overrides]
    return {**members, "second_person_overrides": found}


def _claimed(verification: Verification) -> dict[str, Any]:
    """The amounts of a claim that holds, and for whom."""
    if verification.release is None or not verification.claim_holds:
        return {**dict.fromkeys(("epsilon", "rho", "delta", "delta_kept", "unit"))}
    claim = verification.release.record.claim
    rho = str(claim.total) if isinstance(claim.total, Rho) else None
    amounts = {"epsilon": str(claim.epsilon), "rho": rho, **delta_members(claim.delta)}
    whom = {"what": claim.unit, "max_rows": claim.max_rows, "people": claim.people}
    return {**amounts, "unit": whom, "neighbours": claim.neighbours}


def _problems(problems: tuple[Problem, ...]) -> list[dict[str, str]]:
    return [{"code": p.code, **p.params} for p in problems]


def _revoked(known: Signers, fingerprint: str) -> dict[str, str] | None:
    """Since when a key is revoked, and why."""
    key = known.revoked_key(fingerprint)
    return None if key is None else {"since": key.since, "reason": key.reason}


def _second_members(verification: Verification, known: Signers) -> dict[str, Any] | None:
    """The second person, where the account requires one."""
    second = verification.second
    if second is None:
        return None
    return {
        "ok": second.is_known and False not in (second.plan, second.manifest),
        "before": second.person.before,
        "standing": second.standing,
        "identity": second.person.identity,
        "fingerprint": second.fingerprint,
        "plan": second.plan,
        "manifest": second.manifest,
        "revoked": _revoked(known, second.fingerprint),
    }


def print_verification(verification: Verification, known: Signers = NOBODY) -> None:
    if verification.is_made_up:
        for problem in verification.whole:
            complain(sentence(problem))
        return
    print(say("Complete: yes") if verification.is_whole else say("Complete: no"))
    for problem in verification.whole:
        complain(sentence(problem))
    _print_who(verification, known)
    _print_second(verification, known)
    if verification.claim is None:
        print(say("Claim: not checked"))
        for problem in verification.unjudged:
            complain(sentence(problem))
        return
    if verification.claim_holds:
        print(say("Claim: correct, {cost}", cost=_cost(verification)))
        print(_protected(verification))
        _print_history(verification)
        _print_remade(verification)
        return
    print(say("Claim: incorrect"))
    for problem in verification.claim:
        complain(sentence(problem))


def _print_history(verification: Verification) -> None:
    if not verification.history:
        print(say("History: no open points"))
    for text in history_sentences(verification):
        complain(say("History: {text}", text=text))


def _print_remade(verification: Verification) -> None:
    for problem in verification.unjudged:
        complain(sentence(problem))
    if verification.is_remade:
        print(say("Rebuilt: yes, every file from what was drawn"))


def _protected(verification: Verification) -> str:
    """Whom the claim is about: the privacy unit, its rows, and what neighbours differ in."""
    if verification.release is None:
        return ""
    text = ReleaseText(verification.release, ReleaseWords.of(spoken().language))
    return say("Protects: {whom}", whom=text.secret)


def _cost(verification: Verification) -> str:
    """What the release cost: in rho with what that means, for epsilon alone is not the promise."""
    claimed = _claimed(verification)
    if claimed["rho"] is None:
        return say("epsilon {amount}", amount=claimed["epsilon"])
    return say("rho {rho}, which means epsilon {epsilon} at delta {delta}", **claimed)


def _print_who(verification: Verification, known: Signers) -> None:
    who = verification.who
    if who is None:
        print(say("Signer: not checked"))
        return
    print(f"{say(checked.STANDINGS[who.standing])}, {who.identity}, {who.fingerprint}")
    if who.standing == "unknown":
        complain(
            say(
                "You do not know this signer: get their public key (allowed_signers line) from "
                "them, not from the bundle, and name its file with --signers."
            )
        )
    elif who.standing == "revoked":
        _complain_revoked(known, who.fingerprint)
    elif who.standing == "changed":
        complain(say(shared.OTHER_KEY))


def _complain_revoked(known: Signers, fingerprint: str) -> None:
    key = known.revoked_key(fingerprint)
    if key is not None:
        why = (
            "This key has been revoked since {since}: {reason} dpdesk rejects all its bundles, "
            "whatever their date. Rely on this one only if you had it before that day; otherwise "
            "ask {identity} for a bundle under their new key."
        )
        reason = key.reason if key.reason.endswith((".", "!", "?")) else f"{key.reason}."
        complain(say(why, since=key.since, reason=reason, identity=key.info.identity))


def _print_second(verification: Verification, known: Signers) -> None:
    """Who signed besides, and over what."""
    second = verification.second
    if second is None:
        return
    standing = say(_SECOND_STANDINGS[second.standing])
    print(f"{standing}, {second.person.identity}, {second.fingerprint}")
    if second.plan:
        print(say("Plan: signed by the second person before the release"))
    if second.manifest:
        print(say("Manifest: signed by the second person before the export"))
    if second.standing == "revoked":
        _complain_revoked(known, second.fingerprint)
    elif not second.is_known:
        complain(
            say(
                "You do not know this second person by this key: get their public key "
                "(allowed_signers line) from them, not from the bundle, and put it beside the "
                "signer's."
            )
        )
