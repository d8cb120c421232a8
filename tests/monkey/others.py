# SPDX-License-Identifier: Apache-2.0
"""What others do while a monkey works: an export overwrites the data, a program edits the study."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from dpdesk.desk.core.document import Document
from dpdesk.release.ledger import Ledger
from dpdesk.study.json.study_files import load_study, save_study
from dpdesk.study.problem import Refused
from tests.monkey.watch import Watch
from tests.monkey.world import MUCH, World
from tests.release.studies import write_data


class Others:
    """Other programs and people, on the same files and the same ledger.

    Args:
        world: the folder that is shared.
        watch: gets what was not the window's doing.
    """

    def __init__(self, world: World, watch: Watch) -> None:
        self._world = world
        self._watch = watch
        self._done = 0

    def act(self, document: Document, drawn: random.Random) -> str:
        """Do something; what it was."""
        self._done += 1
        way = drawn.choice(["data", "gone", "account", "study", "restore"])
        if way == "data":
            write_data(self._world.folder, people=drawn.randint(0, 60))
        elif way == "gone":
            _move(self._data, self._aside)
        elif way == "restore":
            _move(self._aside, self._data)
        elif way == "account":
            Ledger.open(self._world.home).new_account(f"of-others-{self._done}", MUCH, "others")
        else:
            self._edit(document)
        return f"others: {way}"

    @property
    def _data(self) -> Path:
        return self._world.folder / "stays.csv"

    @property
    def _aside(self) -> Path:
        return self._world.folder / "stays-aside.csv"

    def _edit(self, document: Document) -> None:
        """Write the open study as another program would; what was never saved stays unsaved."""
        path = document.path
        if path is None or document.is_writing or not document.is_saved:
            return
        try:
            study = replace(load_study(path).study, title=f"Changed by others {self._done}")
        except Refused:
            return
        self._watch.others_wrote(study)
        save_study(study, path)


def _move(path: Path, to: Path) -> None:
    if path.exists():
        path.rename(to)
