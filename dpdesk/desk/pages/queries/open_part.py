# SPDX-License-Identifier: Apache-2.0
"""What an open card shows of whatever is asked: its title, what is wrong with it, what is weak."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.pages.queries.accuracy.budget_fields import BudgetFields
from dpdesk.desk.text import weak_words, words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.buttons import Button, menu_button
from dpdesk.desk.widgets.inputs.title_line import TitleLine
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow, aligned_part
from dpdesk.privacy.planning.remedies import Remedy
from dpdesk.privacy.planning.weak import Weakness
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem


class OpenPart(QWidget):
    """All that can be set of what is asked.

    Attributes:
        title: it can be written.
        more: the open card's menu.
        weak: what its figures say little about, and what helps.

    Signals:
        changed: it was edited; carries it and the name of the edited field.
        helped: the one change that helps what is weak is to be made; carries the study with it.
    """

    changed = Signal(object, str)
    helped = Signal(object)
    ring_room = RING

    def __init__(self, fields: BudgetFields[Any]) -> None:
        super().__init__()
        self._fields = fields
        self.title = TitleLine()
        self.more: Button = menu_button(self.tr("More"))
        self.weak = Banner(Tone.ATTENTION, stands_out=True)
        self._trouble = Banner(Tone.ERROR)
        self._trouble.hide()
        self._remedy: Remedy | None = None
        self._coming = IdleSteps(self)
        self.weak.action_pressed.connect(self._help)
        fields.changed.connect(self.changed)

    def _build_head(self) -> QVBoxLayout:
        """The column, with the title and the menu above all that follows."""
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        head = AlignedRow(spacing=Space.SMALL)
        head.addWidget(self.title, 1)
        head.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        return column

    def _show_title(self, title: str, proposed: str, called: str) -> None:
        self.title.show_title(title, proposed)
        self.more.setAccessibleName(self.tr("More for {0}").format(called))

    def _show_trouble(self, problems: Sequence[Problem]) -> None:
        # What its field says is not said above it, too: that would move the field from the hand.
        said = {"share-not-set"} if problems and self._fields.is_share_wrong else set()
        text = " ".join(words.problem_sentence(p) for p in problems if p.code not in said)
        if text != self._trouble.accessibleName():
            self._trouble.say("", text)
            self._trouble.setVisible(bool(text))

    def _show_weak(self, study: Study, weak: Sequence[Weakness]) -> None:
        """Say what is weak first; what was answered is paid for, and nothing makes it better.

        What comes between two keys, and moves all below it, comes when the key's figure is shown.
        """
        self._coming.stop()
        if weak and self.weak.isHidden() and self._has_keyboard:
            self._coming.begin(self._weak_steps(study, weak))
        else:
            self._say_weak(study, weak)

    @property
    def _has_keyboard(self) -> bool:
        used = QApplication.focusWidget()
        return used is not None and self.isAncestorOf(used)

    def _weak_steps(self, study: Study, weak: Sequence[Weakness]) -> Iterator[None]:
        yield  # the first step is due before what was edited is painted
        self._say_weak(study, weak)

    def _say_weak(self, study: Study, weak: Sequence[Weakness]) -> None:
        self._remedy = weak[0].remedy if weak else None
        if weak:
            self.weak.say(*self._weak_words(study, weak[0]))
            self.weak.set_action(weak_words.action(study, weak[0]))
        self.weak.setVisible(bool(weak))

    def _weak_words(self, study: Study, weakness: Weakness) -> tuple[str, str]:
        """What is weak, and why."""
        return weak_words.first(study, weakness), weak_words.rest(study, weakness)

    def _help(self) -> None:
        """Make the change that helps, or go where something must be typed."""
        if self._remedy is not None and self._remedy.study is not None:
            self.helped.emit(self._remedy.study)
        else:
            self._fields.ask_size()
