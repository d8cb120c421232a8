# SPDX-License-Identifier: Apache-2.0
"""What a monkey plays with: a home with key and account, studies, data, and files that are odd."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.text.translators.chosen_language import ENGLISH
from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.release.signing import keys
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from tests.release.studies import STUDY, women, write_data

PRISTINE = "pristine.study"
PASSPHRASE = "made-up passphrase"
GOLDEN = Path(__file__).parents[1] / "golden" / "studies"
"""Studies with every kind of column, query and budget."""

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


def make(folder: Path, language: str = ENGLISH) -> World:
    """Make it; the account holds enough for any number of releases."""
    world = World(folder, tuple(folder / name for name in (*_studies(folder), *_others(folder))))
    world.home.make()
    Settings(world.home).language = language
    # A monkey's key need not be dear to guess.
    keys.BCRYPT_ROUNDS = 4
    keys.new_key(world.home.keys, "monkey@hospital.example", PASSPHRASE)
    Ledger.open(world.home).new_account("registry", MUCH, "for monkeys")
    return world


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
    return ["first.dpdesk", "second.dpdesk", *golden]


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
    tables = ["stays.csv", "admissions.csv", "codebook.csv", "wide.csv", "missing.csv"]
    return [*tables, "broken.dpdesk", "bundle.zip", *odd]
