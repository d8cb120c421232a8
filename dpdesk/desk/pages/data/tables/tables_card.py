# SPDX-License-Identifier: Apache-2.0
"""How the tables are joined: a tile each, what meets what, and the way to one more table."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.edits.file_place import all_files
from dpdesk.desk.core.files.further_files import file_problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.data.file_choice import file_name
from dpdesk.desk.pages.data.tables.table_tile import TableTile
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Problem


class TablesCard(Card):
    """The tables of a study that has several files; hidden where there is one.

    Signals:
        opened: a table is to be changed; carries its name.
        main_wanted: queries are to count a further table's rows; carries its name.
    """

    opened = Signal(str)
    main_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.tiles: dict[str, TableTile] = {}
        self._file_sentences: dict[str, str] = {}
        self.body.addWidget(self.head(self.tr("How the tables are joined")))
        self.body.addWidget(quiet(self.tr("Press a table to change it. No file is changed.")))
        holder = QWidget()
        holder.ring_room = RING  # type: ignore[attr-defined]  # AlignedBox reads it
        self._flow = FlowLayout(holder, across=Space.SMALL, down=Space.TIGHT, ringed=True)
        self.body.addWidget(holder)
        counted = AlignedRow(spacing=Space.SMALL)
        self._counted = Label(self.tr("Queries count the rows of"))
        self.main = Chip(tinted=True)
        self.main.clicked.connect(self._offer_main)
        counted.addWidget(self._counted)
        counted.addWidget(self.main)
        counted.addStretch(1)
        self.body.addLayout(counted)
        self._meets = quiet("")
        self.body.addWidget(self._meets)
        self.wrong = Remark()
        self.body.addWidget(self.wrong)

    def render_state(self) -> None:
        state = self._session.state
        study = state.study
        data = study.data or DataSource()
        self.setVisible(bool(study.tables or data.more))
        names = (MAIN, *(table.name for table in study.tables))
        if tuple(self.tiles) != names:
            self._build(names)
        self._file_sentences = self._of_files(study)
        for name, tile in self.tiles.items():
            tile.show_table(*self._shown(state, name), wrong=self._wrong(state, name))
        self._show_main(study, data)
        lines = [_meeting(study, table.name) for table in study.tables]
        self._meets.setText(" ".join(lines))
        self._meets.setVisible(bool(lines))
        problems = [p for p in state.step_problems("data") if p.path.startswith("$.tables")]
        problems += state.problems_at("$.unit.case")
        said = [*self._file_sentences.values(), *map(words.problem_sentence, problems)]
        self.wrong.say(next(iter(said), ""))

    def _show_main(self, study: Study, data: DataSource) -> None:
        """Whose rows queries count, and the way to another table's."""
        for part in (self._counted, self.main):
            part.setVisible(bool(study.tables))
        self.main.set_value(file_name(data.files[0]))
        self.main.setAccessibleName(f"{self._counted.text()} {self.main.text()}")

    def _offer_main(self) -> None:
        study = self._session.state.study
        own = Choice(MAIN, self.main.text())
        others = [Choice(t.name, t.name, enabled=bool(t.person)) for t in study.tables]
        popup = ChoicePopup([own, *others], (MAIN,), False, self, about=self._counted.text())
        popup.chosen.connect(lambda keys: self.main_wanted.emit(keys[0]) if keys[0] else None)
        popup.open_under(self.main)

    def _build(self, names: tuple[str, ...]) -> None:
        had = next((name for name, tile in self.tiles.items() if tile.hasFocus()), None)
        self.tiles = {}
        empty(self._flow)
        for name in names:
            tile = TableTile(is_main=name == MAIN)
            tile.clicked.connect(lambda _on=False, name=name: self.opened.emit(name))
            self._flow.addWidget(tile)
            tile.show()
            self.tiles[name] = tile
        if had in self.tiles:
            self.tiles[had].setFocus()

    def _shown(self, state: DeskState, name: str) -> tuple[str, str, str, str]:
        """Name, two lines and icon of a table's tile."""
        study, data = state.study, state.study.data_of(name) or DataSource()
        files = [file_name(one) for one in data.files]
        one = len(files) == 1
        several = files[0] if one else self.tr("%n file(s) as one table", "", len(files))
        table = study.table(name)
        if table is None:
            rows = words.names(study).rows
            counted = self.tr("Queries count these {0}").format(rows)
            return several, counted, self._columns(name), "table"
        person = words.names(study).person
        if table.is_of_people:
            first = self.tr("one row per {0}").format(person)
        else:
            first = self.tr("many rows per {0}").format(person)
        second = f"{several}, {self._columns(name)}" if self._columns(name) else several
        return table.name, first, second, "people" if table.is_of_people else "copy"

    def _columns(self, name: str) -> str:
        """How many columns a table has; empty while its header is unknown."""
        state = self._session.state
        headers = [*self._session.further.headers(state.study).get(name, ())]
        headers += [state.header] if name == MAIN else []
        count = len({column for header in headers for column in header})
        return self.tr("%n column(s)", "", count) if count else ""

    def _of_files(self, study: Study) -> dict[str, str]:
        """By table, which of its files cannot be used, and why; the main one's first is no part."""
        found: dict[str, str] = {}
        for place, file in all_files(study):
            if place.is_first or place.table in found:
                continue
            summary = self._session.further.summary(file)
            if wrong := file_problems(study, place, summary):
                found[place.table] = f"{file_name(file)}: {words.problem_sentence(wrong[0])}"
        return found

    def _wrong(self, state: DeskState, name: str) -> str:
        if name in self._file_sentences:
            return self._file_sentences[name]
        study = state.study
        if name == MAIN:
            found = [p for p in state.step_problems("data") if p.path.startswith("$.data.more")]
        else:
            at = [table.name for table in study.tables].index(name)
            found = [p for p in state.step_problems("data") if _is_of(p.path, f"$.tables[{at}]")]
        return words.problem_sentence(found[0]) if found else ""


def is_of_further(problem: Problem) -> bool:
    """Whether something is wrong with a further table or file rather than with the first."""
    return problem.path.startswith(("$.tables", "$.data.more", "$.unit.case"))


def _is_of(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}.")


def _meeting(study: Study, name: str) -> str:
    """Over what a table meets the main one, in a sentence."""
    table, unit = study.table(name), study.unit or Unit()
    if table is None:
        return ""
    if table.case:
        text = tr("TablesCard", "{0} meets over {1} and {2}.")
        return text.format(table.name, table.person or "?", table.case)
    text = tr("TablesCard", "{0} meets over {1}.")
    return text.format(table.name, table.person or unit.person or "?")
