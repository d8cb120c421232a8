# SPDX-License-Identifier: Apache-2.0
"""Budget accounts and who signs besides: ``account``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from dpdesk.release.places.home import Home
from dpdesk.shell.commands.command import Commands, add_command, add_group, read_options
from dpdesk.shell.output import say

if TYPE_CHECKING:
    from dpdesk.shell.planning.requested_total import RequestedTotal


def add_commands(commands: Commands) -> None:
    actions = add_group(commands, "account", say("Accounts."))
    add_command(actions, "list", say("List accounts."), _account)
    show = add_command(actions, "show", say("Show an account."), _account)
    show.add_argument("name", metavar="NAME", help=say("the account's name"))
    new = add_command(actions, "new", say("Open an account."), _account)
    raised = add_command(actions, "raise", say("Raise an account."), _account)
    for parser in (new, raised):
        parser.add_argument("name", metavar="NAME", help=say("the account's name"))
        _add_total(parser, is_required=parser is new)
    new.add_argument("--delta", metavar="D", help=say("of an account in zCDP; 1e-9 by default"))
    text = say("the part of delta for found categories; 0 by default, can be raised")
    new.add_argument("--found-delta", metavar="D", help=text)
    text = say("raise the part of delta for found categories to D, and delta by as much")
    raised.add_argument("--found-delta", metavar="D", help=text)
    new.add_argument("--note", default="", help=say("whose data, and who decided"))
    raised.add_argument("--reason", required=True, help=say("why, and who decided"))
    _add_before(new, "--second-person")
    _add_second_person(actions)


def _add_before(parser: argparse.ArgumentParser, option: str) -> None:
    text = say("require this second person's signature: a file with their allowed_signers line")
    parser.add_argument(option, type=Path, metavar="FILE", help=text)
    text = say("before what the second person signs: each release, each export, or both")
    stages = ("release", "export", "both")
    parser.add_argument("--before", choices=stages, default="release", help=text)


def _add_second_person(actions: Commands) -> None:
    text = say("Show or require a second person's signature, or change who it is.")
    parser = add_command(actions, "second-person", text, _second_person)
    parser.add_argument("name", metavar="NAME", help=say("the account's name"))
    _add_before(parser, "--signer")
    parser.add_argument("--reason", default="", help=say("why, and who decided"))
    text = say("end the requirement; the current second person signs that")
    parser.add_argument("--end", action="store_true", help=text)
    text = say(
        "change it without their signature, because their key is lost or revoked; later "
        "bundles say so"
    )
    parser.add_argument("--lost", action="store_true", help=text)
    text = say("write a change of who signs to FILE, for the current second person to sign")
    parser.add_argument("--to", type=Path, metavar="FILE", help=text)
    text = say("enter a change that they signed, its signature beside it")
    parser.add_argument("--change", type=Path, metavar="FILE", help=text)


def _second_person(options: argparse.Namespace) -> int:
    from dpdesk.shell.signing import second_person

    kind, flags = second_person.SecondPersonOptions, {"ends": options.end, "is_lost": options.lost}
    wish = read_options(kind, options, **flags)
    return second_person.run(Home.locate(), options.name, wish, options.json)


def _account(options: argparse.Namespace) -> int:
    from dpdesk.shell import account

    home, name, as_json = Home.locate(), getattr(options, "name", ""), options.json
    if options.action == "list":
        return account.show_all(home, as_json)
    if options.action == "show":
        return account.show(home, name, as_json)
    if options.action == "new":
        total = _requested_total(options)
        if options.second_person is not None:
            return _new_with_second_person(home, options, total)
        return account.new(home, name, total, options.note, as_json)
    return account.raise_total(home, name, _requested_total(options), options.reason, as_json)


def _new_with_second_person(home: Home, options: argparse.Namespace, total: RequestedTotal) -> int:
    from dpdesk.shell.signing import second_person

    wish = second_person.SecondPersonOptions(
        options.second_person, options.before, options.note or say("Since the account was opened")
    )
    return second_person.new_account(home, options.name, total, options.note, wish, options.json)


def _add_total(parser: argparse.ArgumentParser, *, is_required: bool) -> None:
    given = parser.add_mutually_exclusive_group(required=is_required)
    given.add_argument("total", metavar="EPSILON", nargs="?", help=say("total budget"))
    given.add_argument("--epsilon", metavar="E", help=say("total budget, as an option"))
    given.add_argument("--rho", metavar="R", help=say("total budget, in rho of zCDP"))
    text = say("an account in zCDP: the largest rho that stays within EPSILON at its delta")
    parser.add_argument("--zcdp", action="store_true", help=text)


def _requested_total(options: argparse.Namespace) -> RequestedTotal:
    from dpdesk.shell.planning.requested_total import RequestedTotal

    return RequestedTotal(
        epsilon=options.total or options.epsilon,
        rho=options.rho,
        zcdp=options.zcdp,
        delta=getattr(options, "delta", None),
        found=options.found_delta,
    )
