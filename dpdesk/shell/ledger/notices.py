# SPDX-License-Identifier: Apache-2.0
"""``dpdesk ledger withdraw``, ``correct`` and ``notice``; and what ``verify`` says of a notice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.notice_file import write_notice
from dpdesk.release.notices.own_decision import TakenBack
from dpdesk.release.notices.revoke import Wish, notice_of, revoke
from dpdesk.release.notices.standing import NoticeFound
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import SigningKey
from dpdesk.shell import passphrase
from dpdesk.shell.account import entered, open_ledger
from dpdesk.shell.output import DONE, complain, print_json, say
from dpdesk.study.problem import Problem, refuse
from dpdesk.study.text.shown_text import shown_text
from dpdesk.texts.problems import sentence
from dpdesk.texts.shared import NOTICE_KEYS
from dpdesk.texts.verification import source_sentence, tables_sentence

NOTICES: Final[dict[str, Template]] = {
    "withdrawn": "Withdrawn on {day}: {reason}",
    "corrected": "Corrected on {day}: {reason}",
}
_REPLACED: Final[Template] = "It is replaced by the release whose entry has the hash {head}."


def run(home: Home, wish: Wish, path: Path, as_json: bool) -> int:
    """Add the entry, then write the notice."""
    if path.exists():
        raise refuse("notice-exists", name=path.name)
    ledger = open_ledger(home)
    key = _key_of(home, ledger, wish.sequence)
    entry = revoke(ledger, wish, key.info)
    with entered():
        notice = notice_of(ledger, entry.sequence, key)
    write_notice(path, notice)
    with entered():
        return _said(ledger, wish.sequence, entry.sequence, path, as_json)


def again(home: Home, sequence: int, path: Path, as_json: bool) -> int:
    ledger = open_ledger(home)
    key = _key_of(home, ledger, sequence)
    write_notice(path, notice_of(ledger, sequence, key))
    about = next(h.concerned for h in ledger.history() if h.entry.sequence == sequence)
    return _said(ledger, about, sequence, path, as_json)


def _key_of(home: Home, ledger: Ledger, sequence: int) -> SigningKey:
    """The key that signs for the account of an entry."""
    account = ledger.entry(sequence).account
    return keys.unlock(home.of_account(account).keys, passphrase.ask())


def _said(ledger: Ledger, about: int, sequence: int, path: Path, as_json: bool) -> int:
    number = ledger.release_numbers()[about]
    if as_json:
        print_json({"entry": sequence, "release": number, "notice": path.name})
        return DONE
    print(
        say(
            "Release {number} (entry {about} of the ledger), by entry {sequence}; {name} is "
            "signed. Send it to all recipients of the bundle: they check both with dpdesk verify "
            "BUNDLE --notice {name}. The budget stays spent.",
            number=number,
            about=about,
            sequence=sequence,
            name=path.name,
        )
    )
    return DONE


def own_members(own: TakenBack | None) -> dict[str, Any] | None:
    """What this computer's ledger decided on a release, as JSON members."""
    if own is None:
        return None
    source = own.drawn_in or None
    about = {"drawn_in": source, "tables": list(own.tables)}
    return {"kind": own.decision, "time": own.time, "reason": own.reason, **about}


def print_own(own: TakenBack) -> None:
    """Say what was decided here, without a notice."""
    if own.drawn_in:
        complain(source_sentence(own.drawn_in))
    complain(say(NOTICES[own.decision], day=own.time[:10], reason=own.reason))
    _complain_of_tables(own.tables, own.decision)
    print(say("This computer's ledger says so."))


def _complain_of_tables(tables: Sequence[str], decision: str) -> None:
    if tables:
        complain(tables_sentence(tables, decision))


def notice_members(held: Sequence[NoticeFound]) -> dict[str, Any]:
    """What notices mean for one bundle, as JSON members; nothing where none was given."""
    return {"notices": [_members(one) for one in held]} if held else {}


def _members(found: NoticeFound) -> dict[str, Any]:
    notice = found.notice
    return {
        "counts": found.right is not None,
        "problem": found.problem.code if found.problem else None,
        "by": found.right,
        "drawn_in": found.drawn_in or None,
        "kind": notice.kind,
        "time": notice.time,
        "reason": notice.reason,
        "tables": list(notice.tables),
        "replaced_by": notice.replaced_by or None,
        "identity": notice.signer.identity,
        "fingerprint": notice.signer.fingerprint,
    }


def print_notice(held: Sequence[NoticeFound], bundles: Sequence[Path]) -> None:
    """Say of which bundle a notice speaks, or why it speaks of none."""
    for found, path in zip(held, bundles, strict=True):
        if found.right is None:
            continue
        if len(bundles) > 1:
            print(f"{shown_text(path.name)}:")
        notice = found.notice
        if found.drawn_in:
            complain(source_sentence(found.drawn_in))
        complain(say(NOTICES[notice.kind], day=notice.time[:10], reason=notice.reason))
        _complain_of_tables(notice.tables, notice.kind)
        print(say(NOTICE_KEYS[found.right]))
        if notice.replaced_by:
            print(say(_REPLACED, head=notice.replaced_by))
    problems = [found.problem for found in held if found.problem]
    if not held:
        problems = [Problem("$", "notice-other-release")]
    if len(problems) >= len(held):
        for problem in dict.fromkeys(map(sentence, problems)):
            complain(problem)
