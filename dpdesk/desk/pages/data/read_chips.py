# SPDX-License-Identifier: Apache-2.0
"""The chips that say how a file is read, and the sentence at the one that has to be pressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.files.file_summary import FileSummary
from dpdesk.desk.text import read_words, words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import RING, aligned_part
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem

TO_CHOOSE = ("sheet-not-chosen", "header-row-not-chosen")
FIXED_BY = {
    "data-file-not-text": "format",
    "data-file-wrong-format": "format",
    "data-file-encoding": "encoding",
}
OTHER_FILE = "other-file"


class ReadChips(QWidget):
    """A chip for every part that matters for the file's kind; what few files need is folded.


    Signals:
        corrected: a part was chosen; carries its name and its value.
    """

    corrected = Signal(str, object)
    ring_room = RING

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data = DataSource()
        self._head = FileSummary()
        self.chips: dict[str, Chip] = {}
        self.more = Chip("", self.tr("More"), has_popup=False)
        self.more.setAccessibleDescription(self.tr("Quotes, line ends and thousands"))
        self.more.clicked.connect(self._unfold)
        self._unfolded = ""
        self.remark = Remark()
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        holder = QWidget()
        holder.ring_room = self.ring_room  # type: ignore[attr-defined]  # AlignedBox reads it
        flow = FlowLayout(holder, across=Space.TIGHT, down=Space.TIGHT)
        for part, label in read_words.labels().items():
            self.chips[part] = self._chip(part, label)
            flow.addWidget(self.chips[part])
        flow.addWidget(self.more)
        column.addWidget(holder)
        column.addWidget(self.remark)

    def _chip(self, part: str, label: str) -> Chip:
        chip = Chip(label)
        chip.setObjectName(f"chip-{part}")
        chip.clicked.connect(lambda _on=False: self._offer(part))
        return chip

    def show_source(
        self, data: DataSource | None, head: FileSummary, problems: Sequence[Problem]
    ) -> None:
        """Show how a file is read, and what of it has to be chosen or fixed."""
        self._data, self._head = data or DataSource(), head
        parts = read_words.parts(self._data) if data is not None else ()
        for part, chip in self.chips.items():
            chip.set_value(read_words.shown(self._data, part))
            chip.mark(None)
        shown = [p for p in problems if self.fixes(p)]
        folded = self._folded({self.fixes(p) for p in shown})
        for part, chip in self.chips.items():
            chip.setVisible(part in parts and part not in folded)
        self.more.setVisible(any(part in folded for part in parts))
        for problem in reversed(shown):
            sentence = words.problem_sentence(problem)
            self.chips[self.fixes(problem)].mark(_tone(problem), sentence)
        self.remark.say(
            words.problem_sentence(shown[0]) if shown else "",
            _tone(shown[0]) if shown else Tone.ATTENTION,
        )

    def _folded(self, wrong: set[str]) -> set[str]:
        """The parts that are not on show: as usual, not wrong, and not asked for."""
        if self._unfolded == self._data.path:
            return set()
        parts = set(read_words.parts(self._data)) - wrong
        rare = {part for part in parts if read_words.is_rare(self._data, part)}
        # One chip behind another would save nothing.
        return rare if len(rare) > 1 else set()

    def _unfold(self) -> None:
        """Show all of the file's chips, the keyboard on the first of those that come."""
        hidden = [p for p in read_words.parts(self._data) if self.chips[p].isHidden()]
        self._unfolded = self._data.path
        for part in hidden:
            self.chips[part].show()
        self.chips[hidden[0]].setFocus(Qt.FocusReason.TabFocusReason)
        self.more.hide()

    def fixes(self, problem: Problem) -> str:
        """The part whose chip can fix a problem; empty where none can."""
        part = FIXED_BY.get(problem.code, problem.path.removeprefix("$.data."))
        if problem.code == "data-file-empty" and self._data.header_row:
            part = "header_row"
        return part if part in read_words.parts(self._data) else ""

    def _offer(self, part: str) -> None:
        if part == "catalogue" and not self._data.catalogue:
            self._ask_catalogue()
            return
        offers = self._offers(part)
        several = part == "missing"
        picked = self._data.missing if several else (read_words.key_of(self._data, part),)
        choices = [Choice(key, text) for key, text in offers]
        typed = self._typing(part) if part in read_words.TYPED else None
        about = self.chips[part].label
        popup = ChoicePopup(choices, picked, several, self, typed, about)
        popup.chosen.connect(lambda keys: self._choose(part, keys))
        popup.open_under(self.chips[part])

    def _offers(self, part: str) -> list[tuple[str, str]]:
        if part == "catalogue":
            return [
                (self._data.catalogue, Path(self._data.catalogue).name),
                (OTHER_FILE, self.tr("Another file…")),
                ("", self.tr("No file")),
            ]
        return read_words.offers(self._data, part, self._head)

    def _typing(self, part: str) -> Callable[[str], Choice | None]:
        def typed(text: str) -> Choice | None:
            value = read_words.typed(self._data, part, text)
            return Choice(*value) if value else None

        return typed

    def _choose(self, part: str, keys: tuple[str, ...]) -> None:
        if keys == (OTHER_FILE,) and part == "catalogue":
            self._ask_catalogue()
            return
        self.corrected.emit(part, read_words.value_of(part, keys))

    def _ask_catalogue(self) -> None:
        kinds = self.tr("SAS catalogues (*.sas7bcat);;All files (*)")
        title = self.tr("Choose the file with the value labels")
        if (chosen := existing_file(self, title, "", kinds)) is not None:
            self.corrected.emit("catalogue", str(chosen.resolve()))


def _tone(problem: Problem) -> Tone:
    return Tone.ATTENTION if problem.code in TO_CHOOSE else Tone.ERROR
