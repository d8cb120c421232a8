# SPDX-License-Identifier: Apache-2.0
"""What a monkey plays with: a home with key and account, studies, data, and files that are odd."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.text.translators.chosen_language import ENGLISH
from dpdesk.privacy.compiler import compile as compile_study
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.second_person.plan_signature import plan_to_sign
from dpdesk.release.second_person.requirement import require
from dpdesk.release.signing import keys
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Budget
from tests.release.bundles import bundle
from tests.release.studies import STUDY, women, write_data

PRISTINE = "pristine.study"
PASSPHRASE = "made-up passphrase"
GOLDEN = Path(__file__).parents[1] / "golden" / "studies"
"""Studies with every kind of column, query and budget."""

BEGINNINGS = ("rolled back", "usual", "no key", "usual", "handed over", "handed over")
"""An older copy of the ledger is in use; a key and an account; no key; what others hand over."""
HANDED = ("stranger.line", "strangers.zip")
PLAN = "handed-plan.json"
SECOND_ACCOUNT = "of-two"
"""An account that requires a second person, and the study that would spend from it."""

MUCH = Epsilon.of("100")


@dataclass(frozen=True)
class World:
    """A folder of its own.

    Attributes:
        folder: where everything lies.
        files: what can be opened, dropped or chosen.
    """

    folder: Path
    files: tuple[Path, ...]

    @property
    def home(self) -> Home:
        """Ledger, key and settings."""
        return Home.at(self.folder / "home")

    @property
    def studies(self) -> tuple[Path, ...]:
        """The files that are studies."""
        return tuple(f for f in self.files if f.suffix == ".dpdesk" and f.is_file())


def beginning_of(seed: int) -> str:
    """How the home of a seed begins."""
    return BEGINNINGS[seed % len(BEGINNINGS)]


def make(folder: Path, language: str = ENGLISH, beginning: str = "usual") -> World:
    """Make it; the account holds enough for any number of releases."""
    world = World(folder, tuple(folder / name for name in (*_studies(folder), *_others(folder))))
    world.home.make()
    Settings(world.home).language = language
    # A monkey's key need not be dear to guess.
    keys.BCRYPT_ROUNDS = 4
    if beginning != "no key":
        keys.new_key(world.home.keys, "monkey@hospital.example", PASSPHRASE)
    ledger = Ledger.open(world.home)
    ledger.new_account("registry", MUCH, "for monkeys")
    if beginning == "handed over":
        ask_two(world, ledger)
    if beginning == "rolled back":
        copy = folder / "ledger-of-yesterday"
        shutil.copyfile(world.home.ledger, copy)
        ledger.new_account("later", MUCH, "what the copy lacks")
        shutil.copyfile(copy, world.home.ledger)
    return world


def ask_two(world: World, ledger: Ledger) -> None:
    """Let an account require a second person, and write the plan that they would sign."""
    ledger.new_account(SECOND_ACCOUNT, MUCH, "for two")
    stranger = keys.new_key(world.folder / "stranger", "board@hospital.example", PASSPHRASE)
    line = keys.allowed_signers_line(stranger)
    (world.folder / "stranger.line").write_text(line, encoding="ascii")
    person = SecondPerson("release", stranger.identity, stranger.public_line)
    require(ledger, SECOND_ACCOUNT, person, "The board asks for it")
    study = replace(STUDY, title="Of two", budget=Budget(account=SECOND_ACCOUNT, epsilon=MUCH))
    save_study(study, world.folder / "of-two.dpdesk")
    plan = plan_to_sign(ledger, compile_study(study), fresh=False)
    (world.folder / PLAN).write_bytes(plan.to_bytes())


def _studies(folder: Path) -> list[str]:
    write_data(folder)
    study = replace(STUDY, budget=replace(STUDY.budget, epsilon=MUCH))
    other = replace(study, title="Others", queries=(women(), *study.queries[:1]))
    save_study(study, folder / "first.dpdesk")
    save_study(other, folder / "second.dpdesk")
    save_study(study, folder / PRISTINE)
    golden = sorted(path.name for path in GOLDEN.glob("*.dpdesk"))
    for path in GOLDEN.iterdir():
        if path.name != "stays.csv":
            shutil.copyfile(path, folder / path.name)
    return ["first.dpdesk", "second.dpdesk", "of-two.dpdesk", *golden]


def _others(folder: Path) -> list[str]:
    for name in ("admissions.csv", "codebook.csv"):
        shutil.copyfile(resource_path(f"sample/{name}"), folder / name)
    (folder / "wide.csv").write_text(",".join(f"c{n}" for n in range(40_000)) + "\n1\n")
    (folder / "broken.dpdesk").write_text('{"dpdesk": 1, "title": ')
    (folder / "bundle.zip").write_bytes(b"PK\x03\x04 no bundle")
    odd = []
    if hasattr(os, "mkfifo"):
        for name in ("pipe.dpdesk", "pipe.zip", "pipe.csv"):
            os.mkfifo(folder / name)
            odd.append(name)
    (folder / "strangers.zip").write_bytes(bundle())
    shutil.copyfile(folder / "stays.csv", folder / "next.csv")
    tables = ["next.csv", "stays.csv", "admissions.csv", "codebook.csv", "wide.csv", "missing.csv"]
    return [*tables, "broken.dpdesk", "bundle.zip", *HANDED, PLAN, *odd]
