# SPDX-License-Identifier: Apache-2.0
"""``dpdesk ledger backup`` and ``restore``: the ledger in one file, and what that means."""

from __future__ import annotations

from pathlib import Path

from dpdesk.release.backup.archive import supersedes, write_backup
from dpdesk.release.backup.restore import restore_backup
from dpdesk.release.ledger.chain import head_of
from dpdesk.release.places.home import Home
from dpdesk.shell.account import open_ledger
from dpdesk.shell.new_file import refuse_taken
from dpdesk.shell.output import DONE, print_json, say, say_count


def back_up(home: Home, path: Path, with_key: bool, as_json: bool) -> int:
    """Write a backup and say what it is good for.

    Raises:
        Refused: see ``refuse_other`` and ``write_backup``.
    """
    if home.ledger.exists():
        open_ledger(home)
    refuse_other(home, path, with_key)
    entries = write_backup(home, path, with_key)
    if as_json:
        print_json({"entries": len(entries), "head": head_of(entries), "key": with_key})
        return DONE
    one = "{name} contains the ledger with {n} entry."
    many = "{name} contains the ledger with {n} entries."
    print(say_count(len(entries), one, many, name=path.name, n=len(entries)))
    print(
        say(
            "What is spent from now on is not in it, and restoring it brings no budget back. "
            "Keep it as secret as the data: it contains the ledger's own keys."
        )
    )
    return DONE


def refuse_other(home: Home, path: Path, with_key: bool) -> None:
    """Refuse a name that another file has than an earlier backup of this ledger.

    Raises:
        Refused: ``output-exists`` (param name); ``key-missing`` or ``backup-key-open``.
    """
    if path.is_file() and home.ledger.exists() and supersedes(home, path, with_key):
        return
    refuse_taken(path)


def restore(home: Home, path: Path, as_json: bool) -> int:
    """Restore a backup and say what it means for the budget."""
    accounts = restore_backup(home, path)
    ledger = open_ledger(home)
    if as_json:
        locked = [account.name for account in ledger.accounts() if account.locks]
        print_json({"accounts": list(accounts), "locked": locked})
        return DONE
    print(say("Restored: {accounts}.", accounts=", ".join(accounts)))
    if not any(account.locks for account in ledger.accounts()):
        print(
            say(
                "The ledger was moved here on purpose: the remaining budget can be spent from "
                "now on."
            )
        )
        return DONE
    print(
        say(
            "What another computer spent after the backup is not known here, so these accounts "
            "are locked, and their next bundles say that an older copy of the ledger may have "
            "been in use. Unlock each with a reason: dpdesk ledger unlock NAME --reason “…”. "
            "Release nothing more with the ledger on the other computer."
        )
    )
    return DONE
