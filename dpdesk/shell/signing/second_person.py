# SPDX-License-Identifier: Apache-2.0
"""``dpdesk account second-person``: whose second signature an account requires."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.accounts import open_account
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.places.home import Home
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.second_person.handed_over import MAX_SIGNATURE, read_handed, write_handed
from dpdesk.release.second_person.lost_key import override_lost
from dpdesk.release.second_person.proven_persons import Requirement
from dpdesk.release.second_person.requirement import (
    apply_change,
    info_of_person,
    is_noted,
    propose_change,
    read_change,
    remember,
    require,
    require_within,
    requirement_in,
    second_person,
)
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.release.signing.signers import add_signer, read_line
from dpdesk.shell import passphrase
from dpdesk.shell.account import open_ledger, requirement_members, requirement_sentence
from dpdesk.shell.output import DONE, print_json, say
from dpdesk.shell.planning.requested_total import RequestedTotal
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class SecondPersonOptions:
    """What the command line asks for.

    Attributes:
        signer: the file with the second person's line.
        before: what their signature is required before.
        ends: nobody is to be required any more.
        to: where a change is written, for the present second person to sign.
        change: a change that they signed.
        is_lost: the present second person's key is lost or revoked: they sign nothing.
    """

    signer: Path | None = None
    before: str = "release"
    reason: str = ""
    ends: bool = False
    to: Path | None = None
    change: Path | None = None
    is_lost: bool = False


def run(home: Home, name: str, options: SecondPersonOptions, as_json: bool) -> int:
    """Require a second person, write a change to be signed, or enter a signed one.

    Raises:
        Refused: see ``requirement``; ``second-person-unclear`` where nothing is asked for.
    """
    ledger = open_ledger(home)
    if options.change is not None:
        change = read_change(read_handed(options.change))
        signature = options.change.with_name(f"{options.change.name}.sig")
        if change.account != name:
            raise refuse("change-not-of-now", account=name)
        now = apply_change(ledger, change, read_handed(signature, MAX_SIGNATURE))
        return _shown(home, name, now, as_json)
    if options.is_lost:
        return _overridden(home, ledger, name, options, as_json)
    if options.signer is None and not options.ends:
        if not is_noted(ledger, name):  # a full disk kept it from being noted
            remember(ledger, name)
        return _shown(home, name, requirement_in(ledger, name), as_json)
    person = None if options.ends else named(options)
    if options.to is not None:
        proposed = propose_change(ledger, name, person, options.reason)
        write_handed(options.to, proposed.to_bytes())
        print(
            say(
                "Hand {name} to the current second person: dpdesk sign {name}",
                name=options.to.name,
            )
        )
        return DONE
    if person is None:
        raise refuse("second-person-change-needed", account=name)
    return _shown(home, name, require(ledger, name, person, options.reason), as_json)


def _overridden(
    home: Home, ledger: Ledger, name: str, options: SecondPersonOptions, as_json: bool
) -> int:
    """Replace or drop a second person whose key is lost, under the custodian's signature."""
    person = None if options.ends else named(options)
    reason = checked_text("reason", options.reason, required=True)
    if requirement_in(ledger, name) is None:
        raise refuse("second-person-missing", account=name)
    key = unlock_to_sign(home, passphrase.ask())
    now = override_lost(ledger, name, person, reason, key)
    if not as_json:
        print(
            say(
                "Every later bundle of “{name}” says that the second person was replaced without "
                "their signature, and why.",
                name=name,
            )
        )
    return _shown(home, name, now, as_json)


def named(options: SecondPersonOptions) -> SecondPerson:
    """The second person whose line is in a file.

    Raises:
        Refused: what reading the line is refused for.
    """
    if options.signer is None:
        raise refuse("second-person-unclear")
    return second_person(options.before, read_line(options.signer))


def new_account(
    home: Home,
    name: str,
    requested: RequestedTotal,
    note: str,
    options: SecondPersonOptions,
    as_json: bool,
) -> int:
    """Open an account that requires a second person from its first entry on."""
    total, delta = requested.of_new_account()
    person, ledger = named(options), open_ledger(home)
    with ledger.transaction() as transaction:
        open_account(transaction, name, total, note, delta.whole, delta.kept)
        require_within(transaction, home, name, person, options.reason)
    return _shown(home, name, remember(ledger, name), as_json)


def _shown(home: Home, name: str, requirement: Requirement | None, as_json: bool) -> int:
    if requirement is not None:
        add_signer(home.signers, allowed_signers_line(info_of_person(requirement.person)))
    if as_json:
        print_json({"account": name, "second_person": requirement_members(requirement)})
    else:
        print(requirement_sentence(requirement, name))
    return DONE
