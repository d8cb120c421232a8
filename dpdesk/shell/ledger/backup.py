# SPDX-License-Identifier: Apache-2.0
"""The ledger in a file, elsewhere, or made good for: ``dpdesk ledger backup``, ``restore``,
``move``, ``unlock``, ``reconcile --from`` and ``export``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpdesk.program.system_language import system_language
from dpdesk.release.backup.archive import supersedes, write_backup
from dpdesk.release.backup.export import export_files, write_export
from dpdesk.release.backup.from_bundles import ImportedBundles, import_bundles
from dpdesk.release.backup.move import expect_move, move_away, shown_code
from dpdesk.release.backup.restore import restore_backup
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.chain import head_of
from dpdesk.release.places.home import Home
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.shell import passphrase
from dpdesk.shell.account import account_members, entered, in_measure, lock_lines, open_ledger
from dpdesk.shell.new_file import refuse_taken
from dpdesk.shell.output import DONE, REFUSED, complain, print_json, say, say_count
from dpdesk.study.problem import refuse
from dpdesk.texts.problems import sentence


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


def export(home: Home, path: Path, as_json: bool) -> int:
    if not home.ledger.exists():
        raise refuse("backup-no-ledger")
    if path.exists():
        raise refuse("export-exists", name=path.name)
    ledger = open_ledger(home)
    key = unlock_to_sign(home, passphrase.ask())
    files = export_files(ledger, key, ReleaseWords.of(system_language()))
    write_export(path, files)
    if as_json:
        print_json({"files": list(files), "fingerprint": key.info.fingerprint})
    else:
        text = "{name} is written, signed by {fingerprint}; its README.txt says how to check it."
        print(say(text, name=path.name, fingerprint=key.info.fingerprint))
    return DONE


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


def reconcile_from(home: Home, bundles: Sequence[Path], reason: str, as_json: bool) -> int:
    """Import bundles and say what they changed; REFUSED where any of them does not count."""
    ledger = open_ledger(home)
    found = import_bundles(ledger, bundles, reason)
    for problem in found.left_out:
        complain(sentence(problem))
    with entered():
        _print_import(ledger, found, as_json)
    return REFUSED if found.left_out else DONE


def _print_import(ledger: Ledger, found: ImportedBundles, as_json: bool) -> None:
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
        _print_sentences(ledger, found)


def _print_sentences(ledger: Ledger, found: ImportedBundles) -> None:
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
