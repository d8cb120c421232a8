# SPDX-License-Identifier: Apache-2.0
"""``dpdesk ledger expect``, ``move`` and ``unlock``: going on with a ledger elsewhere."""

from __future__ import annotations

from pathlib import Path

from dpdesk.release.backup.move import expect_move, move_away, shown_code
from dpdesk.release.places.home import Home
from dpdesk.shell.account import account_members, open_ledger
from dpdesk.shell.ledger.backup import refuse_other
from dpdesk.shell.output import DONE, print_json, say


def expect(home: Home, as_json: bool) -> int:
    """Show the code that the old computer needs."""
    code = shown_code(expect_move(home))
    if as_json:
        print_json({"code": code})
        return DONE
    print(code)
    print(
        say(
            "On the old computer: dpdesk ledger move FILE.zip --to {code}. Bring the file here, "
            "then: dpdesk ledger restore FILE.zip",
            code=code,
        )
    )
    return DONE


def move(home: Home, path: Path, code: str, with_key: bool, as_json: bool) -> int:
    """Close the ledger and write it for the new computer.

    Raises:
        Refused: see ``refuse_other`` and ``move_away``.
    """
    if home.ledger.exists():
        open_ledger(home)
    refuse_other(home, path, with_key)
    entries = move_away(home, path, code, with_key)
    if as_json:
        print_json({"entries": len(entries), "head": entries[-1].hash, "key": with_key})
        return DONE
    print(say("{name} contains the ledger, and this computer's is closed.", name=path.name))
    print(
        say(
            "Restore it on the new computer: what is spent stays spent, the remaining budget "
            "moves along, and nothing more is released here. On any other computer its accounts "
            "are locked."
        )
    )
    return DONE


def unlock(home: Home, name: str, reason: str, as_json: bool) -> int:
    """Open a locked account with a reason."""
    account = open_ledger(home).unlock(name, reason)
    if as_json:
        print_json(account_members(account))
        return DONE
    print(
        say(
            "The account “{name}” is unlocked: {left} remaining. Its bundles say from now on "
            "that it was unlocked.",
            name=name,
            left=account.left,
        )
    )
    return DONE
