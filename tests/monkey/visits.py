# SPDX-License-Identifier: Apache-2.0
"""Ways to dialogs that no random press comes to: what has to be there, and what is pressed.

A dialog that asks for a second person, or about data that another account knows, opens only after
several right steps in a row, in a home in which something happened before. Each of these is made
ready here, and the way is written down in the program's English sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from dpdesk.desk.text.translators.chosen_language import ENGLISH
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.payloads import RestoredLedger
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Budget, Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import DataSource
from tests.monkey.world import HANDED, MUCH, PASSPHRASE, PLAN, World, ask_two
from tests.monkey.world import make as make_world
from tests.release.studies import STUDY, TENTH, release, write_data

RELEASES, QUERIES = "ctrl+5", "ctrl+4"
NEXT_FILE, BUNDLE = "next.csv", "visited.zip"
MAKE = "Release %n figure(s) for {0}…"
SPEND = "Spend {0} and release"
SAME, EXPORT, SIGN = "Yes, the data is unchanged", "Export signed bundle…", "Sign and export"
DOSSIER = "Dossier for the data-protection officer…"
HIDDEN = "Passphrase of the signing key"


@dataclass(frozen=True)
class Press:
    """Press what is called so."""

    name: str


@dataclass(frozen=True)
class Key:
    """Press keys, one after the other."""

    names: str


@dataclass(frozen=True)
class Choose:
    """Name a file of the world in the dialog that asks for one."""

    file: str


@dataclass(frozen=True)
class Write:
    """Type into a field."""

    name: str
    text: str


Step = Press | Key | Choose | Write


@dataclass(frozen=True)
class Visit:
    """A dialog and the way to it.

    Attributes:
        dialog: the name of its class.
        study: the file that is open then.
        first: what is done once before.
        way: what opens it, each time.
        agree: what is typed into it and pressed, so that it goes on.
    """

    dialog: str
    study: str
    way: tuple[Step, ...]
    agree: tuple[Step, ...]
    first: tuple[Step, ...] = ()


STRANGER = "{stranger}"
"""Stands for the line of the second person."""
_RELEASE = (Key(RELEASES), Press(MAKE))
_VERIFY = (Key("ctrl+shift+v"),)
_LOST = (Press("Tools"), Press("Ledger"), Press("Require a second person…"))

VISITS = (
    Visit(
        "DossierDialog",
        "first.dpdesk",
        (Press(DOSSIER),),
        (
            *(Write("Purpose", "Quality report"), Write("Recipient", "Board")),
            *(Write("How it is released", "By mail"), Write("Legal basis", "Consent")),
            *(Write("Review date", "2027-12-31"), Write(HIDDEN, PASSPHRASE)),
            *(Press("Sign and save…"), Choose("dossier.zip")),
        ),
        (
            *(*_RELEASE, Press(SPEND), Press(EXPORT), Choose(BUNDLE)),
            *(Write(HIDDEN, PASSPHRASE), Press(SIGN), Press("Back to the figures")),
        ),
    ),
    Visit(
        "RevokeDialog",
        "first.dpdesk",
        (Press("Tools"), Press("Signing key…"), Press("Revoke the key…")),
        (
            Write("Reason, shown to recipients", "It was seen by others"),
            *(Write(HIDDEN, PASSPHRASE), Press("Revoke…"), Choose("revoked")),
        ),
    ),
    Visit(
        "SignDialog",
        "first.dpdesk",
        (*_VERIFY, Choose(PLAN)),
        (Write("Passphrase of your signing key", PASSPHRASE), Press("Sign")),
    ),
    Visit(
        "LostSecondKeyDialog",
        "of-two.dpdesk",
        (*_LOST, Press("Their key is lost…")),
        (
            Write("Public key of the new second person", STRANGER),
            Write("Why, and who decided", "The key is lost, the board decided"),
            Write("Passphrase of your signing key", PASSPHRASE),
            Press("Replace without signature"),
        ),
    ),
    Visit(
        "SecondPersonDialog",
        "of-two.dpdesk",
        _RELEASE,
        (Press("Save the plan…"), Choose("plan-of-two.json"), Press("Choose the signed plan…")),
    ),
    Visit(
        "UnlockAccountDialog",
        "first.dpdesk",
        (Press("History"), Press("Unlock account…")),
        (
            Write("Why it may be unlocked, and who decided", "All bundles are there: the board"),
            Press("Unlock the account"),
        ),
    ),
    Visit(
        "ConditionDialog",
        "one.dpdesk",
        (
            *(Key(QUERIES), Press("Add a group or a condition")),
            *(Key("Home Down Return"), Key("Home Return")),
        ),
        (Press("is missing"), Press("Use condition")),
    ),
    Visit(
        "CheckDialog",
        "unread.dpdesk",
        _RELEASE,
        (Press("Release anyway…"),),
        (Key(RELEASES), Press("Check"), Press("Check again")),
    ),
    Visit(
        "SeparatePeopleDialog",
        "known.dpdesk",
        (*_RELEASE, Press("They are others…")),
        (
            Write("If they are other people, why?", "The ids are of another register"),
            Press("They are other people"),
        ),
    ),
    Visit(
        "CarryOverDialog",
        "first.dpdesk",
        (Press("File"), Press("Duplicate for the next extract…"), Choose(NEXT_FILE)),
        (
            Write("Title of the new study", "The next one"),
            *(Write("Name of its extract", "next"), Press("Create the study")),
        ),
    ),
    Visit(
        "TemplateDialog",
        "none.dpdesk",
        (Key(QUERIES), Press("Start from a template…")),
        (Write("Spend in total", "0.5"), Press("Add the queries")),
    ),
    Visit(
        "AddSignerDialog",
        "first.dpdesk",
        (*_VERIFY, Choose(HANDED[1]), Press("I know this signer…")),
        (Write("Public key of the signer", STRANGER), Press("Add signer")),
    ),
)


def make(folder: Path, language: str = ENGLISH) -> World:
    """A world in which each of the ways leads to its dialog."""
    world = make_world(folder, language)
    ledger = Ledger.open(world.home)
    ask_two(world, ledger)
    ledger.new_account("of-yesterday", MUCH, "came from a backup")
    with ledger.transaction() as transaction:
        transaction.append("of-yesterday", RestoredLedger(4, "0" * 64))
    ledger.new_account("others", MUCH, "knows the people of one file")
    write_data(folder, first=5_000, name="known.csv")
    for name, study in _studies():
        save_study(study, folder / name)
    known = _about("known.csv", "others", STUDY)
    release(replace(known, queries=STUDY.queries[:1]), folder, ledger, OpenDPDoor())
    return world


def _studies() -> Iterator[tuple[str, Study]]:
    yield "known.dpdesk", _about("known.csv", "registry", STUDY)
    yield "none.dpdesk", replace(STUDY, queries=())
    yield "one.dpdesk", replace(STUDY, queries=(Query("stays", "count", epsilon=TENTH),))
    # The texts of a category, declared a number.
    number = NumberColumn("sex", lower=Decimal(1), upper=Decimal(14), step=Decimal(1))
    mean = STUDY.queries[2].having(column="sex", where=(), by=())
    yield "unread.dpdesk", replace(STUDY, columns=(number,), queries=(mean,))


def _about(data: str, account: str, study: Study) -> Study:
    """A study of another file and account."""
    source = DataSource(path=data, extract=data)
    return replace(study, data=source, budget=Budget(account=account, epsilon=MUCH))
