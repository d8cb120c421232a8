# SPDX-License-Identifier: Apache-2.0
"""``dpdesk ledger reconcile --from``: charge what own bundles state and the ledger lacks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpdesk.release.backup.from_bundles import ImportedBundles, import_bundles
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.shell.account import account_members, in_measure, lock_lines, open_ledger
from dpdesk.shell.output import DONE, REFUSED, complain, print_json, say, say_count
from dpdesk.texts.problems import sentence


def run(home: Home, bundles: Sequence[Path], reason: str, as_json: bool) -> int:
    """Import bundles and say what they changed; REFUSED where any of them does not count."""
    ledger = open_ledger(home)
    found = import_bundles(ledger, bundles, reason)
    for problem in found.left_out:
        complain(sentence(problem))
    if as_json:
        charged = [{"account": e.account, "charged": str(e.charged)} for e in found.entries]
        accounts = [account_members(account) for account in ledger.accounts()]
        left_out = [{"code": p.code, **p.params} for p in found.left_out]
        members: dict[str, Any] = {
            "counted": found.counted,
            "left_out": left_out,
            "entries": charged,
        }
        members |= {"overridden": list(found.overridden)}
        print_json({**members, "accounts": accounts})
    else:
        _tell(ledger, found)
    return REFUSED if found.left_out else DONE


def _tell(ledger: Ledger, found: ImportedBundles) -> None:
    one, many = "{n} bundle belongs to this ledger.", "{n} bundles belong to this ledger."
    print(say_count(found.counted, one, many, n=found.counted))
    if found.counted and not found.entries:
        print(say("The ledger already contains everything that they state; nothing was charged."))
    for name in found.overridden:
        print(
            say(
                "Account “{name}”: a second person was replaced without their signature, which "
                "the ledger did not know; every later bundle states it again.",
                name=name,
            )
        )
    for entry in found.entries:
        if not entry.charged.units:
            continue
        lost = "Account “{name}”: charged {amount}, which the ledger did not have."
        print(say(lost, name=entry.account, amount=in_measure(entry.charged)))
    for name in dict.fromkeys(entry.account for entry in found.entries):
        account = ledger.account(name)
        if not account.left.units:
            print(
                say(
                    "Account “{name}” has no budget remaining. Raise its total with a reason: "
                    "dpdesk account raise {name} TOTAL --reason “…”",
                    name=name,
                )
            )
        for line in lock_lines(account):
            print(line)
