# SPDX-License-Identifier: Apache-2.0
"""``dpdesk account`` and ``dpdesk ledger``: budgets, and the proof that their record is whole."""

from __future__ import annotations

from typing import Any

from dpdesk.release.amounts import parse_amount
from dpdesk.release.home import Home
from dpdesk.release.ledger import AccountState, HistoryEntry, Ledger
from dpdesk.sentences import sentence
from dpdesk.shell.output import DONE, REFUSED, complain, print_json, print_table
from dpdesk.study.problem import refuse


def show_all(home: Home, as_json: bool) -> int:
    """Print every account."""
    accounts = Ledger.open(home).accounts() if home.ledger.exists() else ()
    if as_json:
        print_json([account_members(a) for a in accounts])
    elif not accounts:
        print("There are no budget accounts yet. Open one with: dpdesk account new NAME EPSILON")
    else:
        _print_accounts(accounts)
    return DONE


def show(home: Home, name: str, as_json: bool) -> int:
    """Print one account and its entries."""
    if not home.ledger.exists():
        raise refuse("account-unknown", name=name)
    ledger = Ledger.open(home)
    account, history = ledger.account(name), ledger.history(name)
    if as_json:
        entries = [_entry_members(h) for h in history]
        print_json({**account_members(account), "entries": entries})
        return DONE
    _print_accounts((account,))
    heads = ("entry", "time", "what", "charged", "about")
    print_table(heads, [_entry_row(h) for h in history], (0, 3))
    return DONE


def new(home: Home, name: str, total: str, note: str, as_json: bool) -> int:
    """Open an account."""
    return _said(Ledger.open(home).new_account(name, parse_amount(total), note), as_json)


def raise_total(home: Home, name: str, total: str, reason: str, as_json: bool) -> int:
    """Raise an account's total."""
    return _said(Ledger.open(home).raise_budget(name, parse_amount(total), reason), as_json)


def check_ledger(home: Home, as_json: bool) -> int:
    """Check the whole ledger."""
    report = Ledger.open(home).check() if home.ledger.exists() else Ledger(home).check()
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
            print(f"The ledger is sound: {report.entries} entries, head {report.head}.")
    return DONE if report.sound else REFUSED


def reconcile(home: Home, reason: str) -> int:
    """Charge what an older copy of the ledger has lost, and unlock it."""
    for entry in Ledger.open(home).reconcile(reason):
        print(f"Account “{entry.account}”: charged {entry.charged} that the older copy had lost.")
    return DONE


def account_members(account: AccountState) -> dict[str, Any]:
    """An account as JSON members."""
    return {
        "name": account.name,
        "total": str(account.total),
        "spent": str(account.spent),
        "left": str(account.left),
        "note": account.note,
        "locked": account.locked,
    }


def _said(account: AccountState, as_json: bool) -> int:
    if as_json:
        print_json(account_members(account))
    else:
        left = f"{account.left} left of {account.total}"
        print(f"Account “{account.name}”: {left}.")
    return DONE


def _print_accounts(accounts: tuple[AccountState, ...]) -> None:
    rows = [(a.name, str(a.total), str(a.spent), str(a.left), a.note) for a in accounts]
    print_table(("account", "total", "spent", "left", "note"), rows, (1, 2, 3))


def _entry_members(history: HistoryEntry) -> dict[str, Any]:
    entry = history.entry
    return {
        "sequence": entry.sequence,
        "time": entry.time,
        "kind": entry.kind,
        "granted": str(entry.granted),
        "charged": str(entry.charged),
        "title": history.title,
        "reason": history.reason,
        "queries": [{"id": q.id, "charged": str(q.charged)} for q in history.queries],
        "hash": entry.hash,
    }


def _entry_row(history: HistoryEntry) -> tuple[str, ...]:
    entry = history.entry
    about = history.title or history.reason
    return (str(entry.sequence), entry.time, entry.kind, str(entry.charged), about)
