# SPDX-License-Identifier: Apache-2.0
"""The record of what was spent, its series and its notices: ``ledger``."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpdesk.release.places.home import Home
from dpdesk.shell.commands.command import Commands, add_command, add_group, add_study
from dpdesk.shell.output import say


def add_commands(commands: Commands) -> None:
    actions = add_group(commands, "ledger", say("The record of what was spent."))
    _add_checks(actions)
    _add_copies(actions)
    text = say(
        "Export the ledger's entries for an auditor, signed: JSON, CSV and a page to read. "
        "Changes no budget."
    )
    export = add_command(actions, "export", text, _ledger)
    text = say("where the entries are written")
    export.add_argument("file", type=Path, metavar="FOLDER|FILE.zip", help=text)
    _add_notices(actions)
    _add_series(actions)


def _add_checks(actions: Commands) -> None:
    text = say("Check every entry of the ledger.")
    add_command(actions, "check", text, _ledger)
    text = say("Enter spending that an older copy of the ledger has lost, and unlock it.")
    again = add_command(actions, "reconcile", text, _ledger)
    text = say(
        "bundles of your own, or folders of them: spending that they prove and the ledger lacks "
        "is charged; in an empty ledger their accounts are rebuilt with nothing remaining"
    )
    again.add_argument("--from", dest="bundles", nargs="+", type=Path, metavar="BUNDLE", help=text)
    again.add_argument("--reason", required=True, help=say("how the older copy came to be used"))


def _add_copies(actions: Commands) -> None:
    text = say("Back up the ledger to one file. What is spent later is not in it.")
    backup = add_command(actions, "backup", text, _ledger)
    text = say("include the signing key, under its current passphrase")
    backup.add_argument("--with-key", action="store_true", help=text)
    text = say(
        "Restore the ledger from a backup, on a new computer too. Brings no spent budget back; "
        "the accounts are locked until you unlock them, unless the ledger was moved here."
    )
    restore = add_command(actions, "restore", text, _ledger)
    text = say("Show the code by which another computer moves its ledger to this one.")
    add_command(actions, "expect", text, _ledger)
    text = say("Close this ledger and write it for a new computer, where it continues unlocked.")
    move = add_command(actions, "move", text, _ledger)
    text = say("the code that the new computer shows: dpdesk ledger expect")
    move.add_argument("--to", required=True, metavar="CODE", help=text)
    text = say("include the signing key, under its current passphrase")
    move.add_argument("--with-key", action="store_true", help=text)
    texts = (
        say("where the backup is written"),
        say("the backup, or what dpdesk ledger move wrote"),
        say("where the ledger is written, to be taken to the new computer"),
    )
    for parser, text in zip((backup, restore, move), texts, strict=True):
        parser.add_argument("file", type=Path, metavar="FILE.zip", help=text)
    text = say("Unlock an account after a restore, rebuild or move.")
    unlock = add_command(actions, "unlock", text, _ledger)
    unlock.add_argument("name", metavar="NAME", help=say("the account's name"))
    unlock.add_argument("--reason", required=True, help=say("why, and who decided"))


def _add_series(ledger: Commands) -> None:
    actions = add_group(ledger, "series", say("Releases that recur, with their whole budget."))
    text = say("Reserve the budget of a study that is released repeatedly.")
    new = add_command(actions, "new", text, _series)
    add_study(new)
    new.add_argument("name", metavar="NAME", help=say("the name of the series"))
    text = say("how many times it is released")
    new.add_argument("--count", type=int, required=True, metavar="N", help=text)
    text = say("how often it is due")
    new.add_argument("--every", required=True, choices=("month", "quarter", "year"), help=text)
    text = say("the month in which it is first due; this one by default")
    new.add_argument("--first", default="", metavar="YYYY-MM", help=text)
    add_command(actions, "list", say("List the planned series."), _series)
    text = say(
        "End a series: what it still reserves is available again, what is spent stays spent."
    )
    end = add_command(actions, "end", text, _series)
    end.add_argument("account", metavar="ACCOUNT", help=say("the account's name"))
    end.add_argument("name", metavar="NAME", help=say("the name of the series"))
    end.add_argument("--reason", required=True, help=say("why, and who decided"))


def _series(options: argparse.Namespace) -> int:
    from dpdesk.shell.ledger import series

    home = Home.locate()
    if options.action == "new":
        asked = (options.name, options.every, options.first, options.count)
        return series.new(home, options.study, asked, options.json)
    if options.action == "end":
        return series.end(home, options.account, options.name, options.reason, options.json)
    return series.show_all(home, options.json)


def _add_notices(actions: Commands) -> None:
    text = say("Withdraw a published release by a signed notice. The budget stays spent.")
    withdraw = add_command(actions, "withdraw", text, _revoke)
    text = say("Correct a published release by a signed notice that names the later one.")
    correct = add_command(actions, "correct", text, _revoke)
    for parser in (withdraw, correct):
        parser.add_argument("entry", type=int, metavar="ENTRY", help=say("the release's entry"))
        text = say("why; the notice and the ledger contain it")
        parser.add_argument("--reason", required=True, help=text)
        text = say("where the signed notice is written, for the recipients of the bundle")
        parser.add_argument(
            "--notice", dest="file", type=Path, required=True, metavar="FILE", help=text
        )
        text = say(
            "only this table, by its file's name such as stays.csv; the others stay as they are; "
            "may be repeated (default: the whole release)"
        )
        parser.add_argument("--table", action="append", default=[], metavar="FILE", help=text)
    text = say("the entry of the release that replaces it")
    correct.add_argument("--by", type=int, default=0, metavar="ENTRY", help=text)
    text = say("Write the notice of a withdrawal's or correction's entry again.")
    again = add_command(actions, "notice", text, _revoke)
    text = say("the entry of the withdrawal or correction")
    again.add_argument("entry", type=int, metavar="ENTRY", help=text)
    text = say("where the notice is written, its signature beside it")
    again.add_argument("file", type=Path, metavar="FILE", help=text)


def _revoke(options: argparse.Namespace) -> int:
    from dpdesk.release.notices.revoke import Wish
    from dpdesk.shell.ledger import notices

    home, entry = Home.locate(), options.entry
    if options.action == "notice":
        return notices.again(home, entry, options.file, options.json)
    if options.action == "withdraw":
        wish = Wish("withdrawn", entry, options.reason, tables=tuple(options.table))
    else:
        wish = Wish("corrected", entry, options.reason, options.by, tuple(options.table))
    return notices.run(home, wish, options.file, options.json)


def _ledger(options: argparse.Namespace) -> int:
    from dpdesk.shell import account
    from dpdesk.shell.ledger import backup

    if options.action == "expect":
        return backup.expect(Home.locate(), options.json)
    if options.action == "move":
        given = (options.file, options.to, options.with_key)
        return backup.move(Home.locate(), *given, options.json)
    if options.action == "unlock":
        return backup.unlock(Home.locate(), options.name, options.reason, options.json)
    if options.action == "backup":
        return backup.back_up(Home.locate(), options.file, options.with_key, options.json)
    if options.action == "restore":
        return backup.restore(Home.locate(), options.file, options.json)
    if options.action == "export":
        return backup.export(Home.locate(), options.file, options.json)
    if options.action == "check":
        return account.check_ledger(Home.locate(), options.json)
    if options.bundles:
        return backup.reconcile_from(Home.locate(), options.bundles, options.reason, options.json)
    return account.reconcile(Home.locate(), options.reason)
