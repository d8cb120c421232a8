# SPDX-License-Identifier: Apache-2.0
"""What ``dpdesk verify`` says of a dossier."""

from __future__ import annotations

from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.dossier.dossier_check import Countersignature, DossierCheck
from dpdesk.release.notices.standing import NoticeFound
from dpdesk.shell.ledger.notices import NOTICES
from dpdesk.shell.output import complain, say
from dpdesk.texts.problems import sentence
from dpdesk.texts.verification import tables_sentence

_REMADE: Final[dict[str, Template]] = {
    "yes": "Follows from its bundle: yes, every file was made again",
    "no": "Follows from its bundle: no, it differs from the bundle",
    "not-checked": "Follows from its bundle: not checked, because another version made it",
}
STANDINGS: Final[dict[str, Template]] = {
    "known": "Signer: known",
    "unknown": "Signer: unknown",
    "changed": "Signer: changed",
    "revoked": "Signer: revoked",
}


def members(check: DossierCheck) -> dict[str, Any]:
    who = check.who
    return {
        "kind": "dossier",
        "verified": check.is_good,
        "whole": {
            "ok": check.is_whole,
            "problems": [{"code": p.code, **p.params} for p in check.whole],
        },
        "who": {
            "ok": who is not None and who.standing == "known",
            "standing": who.standing if who else "unsigned",
            "identity": who.identity if who else "",
            "fingerprint": who.fingerprint if who else "",
        },
        "bundle": {
            "manifest_sha256": check.manifest_sha256,
            "release": check.release,
            "given": check.is_given,
            "remade": check.remade,
        },
        "notices": [_noticed(one) for one in check.notices],
        "notice_problems": [{"code": p.code, **p.params} for p in check.notice_problems],
        "countersignatures": [_countersigned(c) for c in check.countersignatures],
    }


def _noticed(found: NoticeFound) -> dict[str, Any]:
    notice, source = found.notice, found.drawn_in or None
    said = {"kind": notice.kind, "time": notice.time, "reason": notice.reason}
    about = {"drawn_in": source, "tables": list(notice.tables)}
    return {**said, "entry": notice.decided_in, **about}


def _countersigned(found: Countersignature) -> dict[str, Any]:
    return {
        "file": found.name,
        "ok": found.problem is None,
        "fingerprint": found.fingerprint,
        "identity": found.identity,
    }


def show(check: DossierCheck) -> None:
    print(say("This is a dossier about a release, not a bundle."))
    print(say("Complete: yes") if check.is_whole else say("Complete: no"))
    for problem in check.whole:
        complain(sentence(problem))
    if check.who is None:
        print(say("Signer: not checked"))
        return
    who = check.who
    print(f"{say(STANDINGS[who.standing])}, {who.identity}, {who.fingerprint}")
    digest = check.manifest_sha256
    if check.is_given:
        print(say("Bundle: the one given with it, manifest {digest}", digest=digest))
        print(say(_REMADE[check.remade]))
    else:
        print(say("Bundle: manifest {digest}; give that bundle, too, to compare", digest=digest))
    for doubt in check.notice_problems:
        complain(sentence(doubt))
    # With the bundle given, they are said of it.
    for one in () if check.is_given else check.notices:
        complain(say(NOTICES[one.notice.kind], day=one.notice.time[:10], reason=one.notice.reason))
        if one.notice.tables:
            complain(tables_sentence(one.notice.tables, one.notice.kind))
    for found in check.countersignatures:
        _show_countersigned(found)


def _show_countersigned(found: Countersignature) -> None:
    if found.problem is not None:
        text = "Countersignature {name} is not valid."
        complain(say(text, name=found.name))
        complain(sentence(found.problem))
        return
    identity = found.identity or say("not known")
    text = "Countersigned: {identity}, {fingerprint} ({name})"
    print(say(text, identity=identity, fingerprint=found.fingerprint, name=found.name))
