# SPDX-License-Identifier: Apache-2.0
"""``dpdesk account`` and ``dpdesk ledger``: budgets, and the proof that their record is whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.release.ledger import AccountState, Entry, HistoryEntry, Ledger, release_numbers
from dpdesk.release.ledger.history import entry_about
from dpdesk.release.ledger.transaction import refuse_other_measure
from dpdesk.release.places.home import Home
from dpdesk.release.record.amounts import delta_text
from dpdesk.release.record.write import delta_members
from dpdesk.release.second_person.proven_persons import Requirement
from dpdesk.release.second_person.requirement import info_of_person, requirement_in
from dpdesk.shell.output import (
    DONE,
    REFUSED,
    complain,
    in_words,
    minute,
    print_json,
    print_table,
    say,
    say_count,
)
from dpdesk.shell.planning.requested_total import RequestedTotal
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.texts.problems import sentence

_HEADS: Final[tuple[Template, ...]] = (
    "account",
    "measure",
    "total",
    "spent",
    "reserved",
    "left",
    "means",
    "note",
)

_BEFORE: Final[dict[str, Template]] = {
    "release": "before each release, over its plan",
    "export": "before each export, over its manifest",
    "both": "before each release, over its plan, and before each export, over its manifest",
}
_LOCKS: Final[dict[str, Template]] = {
    "restored": "It is locked: it was restored from a backup, and what was spent after the backup "
    "is not known.",
    "rebuilt": "It is locked: it was rebuilt from bundles, and other releases may be missing.",
    "rolled-back": "It is locked: an older copy of the ledger was in use, and it may have been "
    "locked or moved by then.",
    "moved": "It is closed: it was moved to another computer.",
}


def open_ledger(home: Home, *, to_read: bool = False) -> Ledger:
    """The ledger; oddities are said where they do not stand in what is printed.

    Args:
        to_read: nothing is added, so its disk need not be writable.

    Raises:
        Refused: see ``Ledger.open``.
    """
    ledger = Ledger.open_to_read(home) if to_read else Ledger.open(home)
    say_notices(ledger.notices)
    return ledger


@contextmanager
def entered() -> Iterator[None]:
    """What follows a decision that is in the ledger: where that fails, it counts all the same.

    Raises:
        Refused: what failed, and ``decision-unshown``.
    """
    try:
        yield
    except Refused as refused:
        raise Refused((*refused.problems, Problem("$", "decision-unshown"))) from None


def say_notices(notices: Iterable[Problem]) -> None:
    for notice in notices:
        complain(sentence(notice))


def show_all(home: Home, as_json: bool) -> int:
    """Print every account, and whether the ledger lacks what is remembered of it."""
    ledger = open_ledger(home, to_read=True) if home.has_ledger else None
    accounts = ledger.accounts() if ledger else ()
    lost = ledger.rolled_back() if ledger else None
    if lost is not None:
        complain(sentence(lost))
    if as_json:
        print_json([account_members(a) for a in accounts])
    elif accounts:
        _print_accounts(accounts)
    elif lost is None:
        print(say("There are no accounts yet. Open one with: dpdesk account new NAME EPSILON"))
    return DONE if lost is None else REFUSED


def show(home: Home, name: str, as_json: bool) -> int:
    if not home.has_ledger:
        raise refuse("account-unknown", name=name)
    ledger = open_ledger(home, to_read=True)
    account, history = ledger.account(name), ledger.history(name)
    second = requirement_in(ledger, name) if ledger.rolled_back() is None else None
    if as_json:
        entries = [_entry_members(h) for h in history]
        members = {**account_members(account), "second_person": requirement_members(second)}
        print_json({**members, "entries": entries})
        return DONE
    _print_accounts((account,))
    if second is not None:
        print(requirement_sentence(second, name))
    for line in (*_meaning_lines(account), *lock_lines(account)):
        print(line)
    heads = (say("entry"), say("time"), say("kind"), say("charged"), say("about"))
    numbers = release_numbers(h.entry for h in history)
    print_table(heads, [_entry_row(h, numbers) for h in history], (0, 3))
    return DONE


def requirement_members(requirement: Requirement | None) -> dict[str, Any] | None:
    """Whose second signature is required, as JSON members."""
    if requirement is None:
        return None
    info = info_of_person(requirement.person)
    return {
        "before": requirement.person.before,
        "identity": info.identity,
        "fingerprint": info.fingerprint,
        "entry": requirement.entry,
    }


def requirement_sentence(requirement: Requirement | None, name: str) -> str:
    """Whose second signature is required, as people read it."""
    if requirement is None:
        return say("Account “{name}” requires no second person.", name=name)
    info = info_of_person(requirement.person)
    return say(
        "Account “{name}” requires the signature of {identity} ({fingerprint}), {before}.",
        name=name,
        identity=info.identity,
        fingerprint=info.fingerprint,
        before=say(_BEFORE[requirement.person.before]),
    )


def new(home: Home, name: str, requested: RequestedTotal, note: str, as_json: bool) -> int:
    total, delta = requested.of_new_account()
    state = open_ledger(home).new_account(name, total, note, delta.whole, delta.kept)
    return _said(state, as_json)


def raise_total(
    home: Home, name: str, requested: RequestedTotal, reason: str, as_json: bool
) -> int:
    ledger = open_ledger(home)
    account = ledger.account(name)
    total = None
    if requested.has_total:
        refuse_other_measure(name, account.measure, requested.measure)
        total = requested.of(account.delta)
    return _said(ledger.raise_budget(name, total, reason, requested.found_delta), as_json)


def check_ledger(home: Home, as_json: bool) -> int:
    report = Ledger.open_to_read(home).check() if home.ledger.exists() else Ledger(home).check()
    if as_json:
        print_json(
            {
                "sound": report.sound,
                "entries": report.entries,
                "head": report.head,
                "accounts": [account_members(a) for a in report.accounts],
                "problems": [{"code": p.code, **p.params} for p in report.problems],
                "notices": [{"code": p.code, **p.params} for p in report.notices],
            }
        )
    else:
        for problem in report.problems:
            complain(sentence(problem))
        for notice in report.notices:
            print(sentence(notice))
        if report.sound:
            one = "The ledger is intact: {n} entry, head {head}."
            many = "The ledger is intact: {n} entries, head {head}."
            print(say_count(report.entries, one, many, n=report.entries, head=report.head))
    return DONE if report.sound else REFUSED


def reconcile(home: Home, reason: str) -> int:
    """Charge what an older copy of the ledger has lost, and unlock it."""
    for entry in open_ledger(home).reconcile(reason):
        lost = "Account “{name}”: charged {amount}, which the older copy did not have."
        print(say(lost, name=entry.account, amount=in_measure(entry.charged)))
    return DONE


def account_members(account: AccountState) -> dict[str, Any]:
    return {
        "name": account.name,
        "measure": account.measure,
        "total": str(account.total),
        "spent": str(account.spent),
        "reserved": str(account.reserved),
        "left": str(account.left),
        "note": account.note,
        "locked": account.locked,
        "locks": list(account.locks),
        **_rho_members(account),
    }


def _rho_members(account: AccountState) -> dict[str, Any]:
    if not isinstance(account.total, Rho):
        return {}
    return {
        "epsilon_total": str(_meaning(account, account.total)),
        "epsilon_spent": str(_meaning(account, account.spent)),
        **delta_members(account.delta),
        "delta_spent": str(account.delta_spent),
        "delta_left": str(account.delta_left),
    }


def _meaning(account: AccountState, amount: Share) -> Epsilon:
    """The epsilon that an amount of an account means, at the account's delta."""
    if isinstance(amount, Rho):
        return account_epsilon(amount, account.delta)
    return amount


def _meaning_lines(account: AccountState) -> list[str]:
    if not isinstance(account.total, Rho):
        return []
    total, spent = _meaning(account, account.total), _meaning(account, account.spent)
    lines = [
        say(
            "Its whole rho means epsilon {total} at delta {delta}; what is spent so far means "
            "{spent}.",
            total=total,
            delta=delta_text(account.delta.whole),
            spent=spent,
        )
    ]
    if account.delta.kept.atto:
        lines.append(
            say(
                "Of delta, {kept} is for found categories: {spent} is spent, {left} remaining.",
                kept=delta_text(account.delta.kept),
                spent=delta_text(account.delta_spent),
                left=delta_text(account.delta_left),
            )
        )
    return lines


def lock_lines(account: AccountState) -> list[str]:
    """Why an account is locked, and how a person opens it."""
    lines = [say(_LOCKS[lock]) for lock in account.locks]
    if lines:
        how = "Unlock it with a reason: dpdesk ledger unlock {name} --reason “…”"
        lines.append(say(how, name=account.name))
    return lines


def in_measure(amount: Share) -> str:
    """An amount, with its measure where that is not epsilon."""
    return say("rho {amount}", amount=amount) if isinstance(amount, Rho) else str(amount)


def _said(account: AccountState, as_json: bool) -> int:
    if as_json:
        print_json(account_members(account))
    else:
        total = in_measure(account.total)
        left = "Account “{name}”: {left} of {total} remaining."
        print(say(left, name=account.name, left=account.left, total=total))
        for line in _meaning_lines(account):
            print(line)
    return DONE


def _print_accounts(accounts: tuple[AccountState, ...]) -> None:
    print_table([say(head) for head in _HEADS], [_account_row(a) for a in accounts], (2, 3, 4, 5))
    locked = ", ".join(account.name for account in accounts if account.locks)
    if locked:
        print(say("Locked: {accounts}. dpdesk account show NAME says why.", accounts=locked))


def _account_row(account: AccountState) -> tuple[str, ...]:
    means = say("epsilon {amount}", amount=_meaning(account, account.total))
    if isinstance(account.total, Rho):
        delta = delta_text(account.delta.whole)
        means = say("{epsilon} at delta {delta}", epsilon=means, delta=delta)
    held = str(account.reserved)
    amounts = (str(account.total), str(account.spent), held, str(account.left))
    return (account.name, in_words(account.measure), *amounts, means, account.note)


def _entry_members(history: HistoryEntry) -> dict[str, Any]:
    entry, payload = history.entry, history.payload
    return {
        "sequence": entry.sequence,
        "time": entry.time,
        "kind": entry.kind,
        "granted": str(entry.granted),
        "charged": str(entry.charged),
        **_delta_members(entry),
        "title": history.title,
        "reason": history.reason,
        "damaged": bool(history.damage),
        "word": history.word,
        "says": payload.members() if payload is not None else {},
        "concerned": history.concerned,
        "locked": payload is not None and payload.locks,
        "released_by": history.released_by,
        "queries": [{"id": q.id, "charged": str(q.charged)} for q in history.queries],
        "hash": entry.hash,
    }


def _delta_members(entry: Entry) -> dict[str, str]:
    if entry.measure == "epsilon":
        return {}
    deltas = {"granted": entry.delta_granted, "kept": entry.delta_kept}
    deltas["charged"] = entry.delta_charged
    return {f"delta_{name}": str(amount) for name, amount in deltas.items()}


def _kind(entry: Entry, numbers: Mapping[int, int]) -> str:
    """What an entry is; a release with its number, which is the one that bundles are named by."""
    kind = in_words(entry.kind)
    return f"{kind} {numbers[entry.sequence]}" if entry.sequence in numbers else kind


def _entry_row(history: HistoryEntry, numbers: Mapping[int, int]) -> tuple[str, ...]:
    entry = history.entry
    return (
        str(entry.sequence),
        minute(entry.time),
        _kind(entry, numbers),
        str(entry.charged),
        entry_about(history, numbers),
    )
