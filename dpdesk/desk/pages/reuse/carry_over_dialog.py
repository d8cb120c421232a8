# SPDX-License-Identifier: Apache-2.0
"""What of an earlier study a new one takes over, and what of it does not fit the new file."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from html import escape

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.inspection.next_file import NextFile
from dpdesk.desk.core.edits.study_edits import clean_text
from dpdesk.desk.text.times import typed
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import Label, headed
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study.checks.extracts import file_name, plain_extract
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.document import Study
from dpdesk.study.reuse.earlier_study import Carried, Parts, carry_over
from dpdesk.study.reuse.moved_periods import (
    DeclaredPeriod,
    moved_period,
    moved_study,
    periods_by_column,
    proposed_to_move,
)

WIDTH = 600
SHOWN = 8
"""So many names are listed; of more it is said how many."""


class CarryOverDialog(Dialog):
    """Asks what is taken over; nothing is made before it is accepted.

    Args:
        window: the window to dim.
        earlier: the earlier study.
        found: the new file, with the proposed name of its extract.
        is_taken: whether an extract's name means another state of the data already.
        months: by how many months a period is proposed to be moved.

    Signals:
        decided: the new study.
    """

    decided = Signal(object)

    def __init__(
        self,
        window: QWidget,
        earlier: Study,
        found: NextFile,
        is_taken: Callable[[str], bool],
        months: int = 0,
    ) -> None:
        title = tr("CarryOverDialog", "New study about {0}")
        text = tr(
            "CarryOverDialog",
            "dpdesk copies the declarations of “{0}”. Nothing is released, and that study stays "
            "as it is.",
        )
        called = text.format(escape(earlier.title or tr("CarryOverDialog", "Untitled study")))
        data = file_name(found.source.path)
        super().__init__(window, title.format(data), called, "copy", width=WIDTH)
        self._earlier, self._found, self._is_taken = earlier, found, is_taken
        self.title = LineField(self.tr("T&itle of the new study"))
        self.extract = LineField(
            self.tr("Name of its e&xtract"),
            self.tr(
                "An extract is the data of one day, under a name. The name stays on this computer."
            ),
        )
        self.columns, self.account, self.queries = Toggle(), Toggle(), Toggle()
        self.later = ChoiceField(self.tr("Move the &periods"))
        self.moved = self._toggles()
        self._months = months
        self.fit = [Remark() for _ in range(5)]
        self._build()
        self._connect()
        self.title.set_text(earlier.title)
        self.extract.set_text(found.source.extract)
        self._show()

    def _build(self) -> None:
        self.body.addWidget(self.title)
        self.body.addWidget(self.extract)
        card = Card(fill=Role.INSET)
        card.body.setSpacing(Space.SMALL)
        card.body.addWidget(card.head(self.tr("What is copied")))
        for toggle, name, has in self._parts():
            toggle.setText(name)
            toggle.setChecked(has)
            toggle.setEnabled(has)
            card.body.addWidget(toggle)
        self.body.addWidget(card)
        self._build_periods()
        self.body.addWidget(headed(Label(self.tr("How it fits the file"), semibold=True)))
        for line in self.fit:
            self.body.addWidget(line)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Create the study"))
        self.title.edit.setFocus()

    def _toggles(self) -> dict[str, Toggle]:
        """One for each column with a declared period; days of birth stay unless they are chosen."""
        proposed = proposed_to_move(self._earlier)
        made = {name: Toggle() for name in periods_by_column(self._earlier)}
        for name, toggle in made.items():
            toggle.setChecked(name in proposed)
        return made

    def _build_periods(self) -> None:
        """By how much declared periods are later, and which of them."""
        choices = {
            0: self.tr("Not moved"),
            1: self.tr("One month later"),
            3: self.tr("Three months later"),
            6: self.tr("Six months later"),
            12: self.tr("One year later"),
        }
        offered = [(str(months), text) for months, text in choices.items()]
        self.later.set_choices(offered, str(self._months if self._months in choices else 0))
        card = self._periods = Card(fill=Role.INSET)
        card.body.setSpacing(Space.SMALL)
        card.body.addWidget(card.head(self.tr("Which period it is about")))
        for part in (self.later, *self.moved.values()):
            card.body.addWidget(part)
        self.body.addWidget(card)

    def _show_periods(self) -> None:
        """Each period as it will be; a study takes none over without its columns."""
        self._periods.setVisible(bool(self.moved) and self.columns.isChecked())
        template = self.tr("{0}: {1} to {2}")
        own = periods_by_column(self._earlier)
        for name, toggle in self.moved.items():
            column = self._earlier.column(name)
            title = name if column is None else column_title(column)
            shown = own[name][0]
            with suppress(ValueError):
                shown = moved_period(shown, self._later) if toggle.isChecked() else shown
            toggle.setText(template.format(title, typed(shown.first), typed(shown.last)))
            toggle.setVisible(bool(self._later))

    @property
    def _later(self) -> int:
        return int(self.later.key or "0")

    @property
    def _which(self) -> frozenset[DeclaredPeriod]:
        own = periods_by_column(self._earlier)
        return frozenset(
            one for name, toggle in self.moved.items() if toggle.isChecked() for one in own[name]
        )

    def _wrong_periods(self) -> str:
        try:
            moved_study(self._earlier, self._later, self._which)
        except ValueError:
            return self.tr("Days are in the years 1800 to 2500. Move fewer periods.")
        return ""

    def _parts(self) -> list[tuple[Toggle, str, bool]]:
        study = self._earlier
        budget = study.budget.account if study.budget else ""
        account = self.tr("People, and account “{0}”").format(budget)
        columns = self.tr("%n column(s)", "", len(study.columns))
        queries = self.tr("%n quer(y|ies), with shares of the budget", "", len(study.queries))
        return [
            (self.columns, columns, bool(study.columns)),
            (self.account, account if budget else self.tr("People"), study.unit is not None),
            (self.queries, queries, bool(study.queries)),
        ]

    def _connect(self) -> None:
        for toggle in (self.columns, self.account, self.queries):
            toggle.toggled.connect(lambda _on: self._show())
        for toggle in self.moved.values():
            toggle.toggled.connect(lambda _on: self._show())
        self.later.picked.connect(lambda _key: self._show())
        self.extract.edited.connect(lambda _text: self._show())

    def _carried(self) -> Carried:
        parts = Parts(self.columns.isChecked(), self.account.isChecked(), self.queries.isChecked())
        source = replace(self._found.source, extract=clean_text(self.extract.text).strip())
        carried = carry_over(self._earlier, source, self._found.header, parts)
        study = moved_study(carried.study, self._later, self._which)
        title = clean_text(self.title.text).strip()
        return replace(carried, study=replace(study, title=title))

    def _show(self) -> None:
        if self._earlier.queries and self.queries.isEnabled() != self.columns.isChecked():
            self._let_queries_follow(self.columns.isChecked())
        self._show_periods()
        wrong, beyond = self._wrong_extract(), self._wrong_periods()
        self.extract.set_error(wrong)
        self.later.set_error(beyond)
        self.ok.setEnabled(not wrong and not beyond)
        if beyond:
            return
        lines = self._lines(self._carried())
        for remark, (text, tone) in zip(self.fit, lines, strict=True):
            remark.say(text, tone)

    def _let_queries_follow(self, can_be: bool) -> None:
        """Without the columns that they ask about none is taken over, and that is said."""
        said = self._parts()[-1][1]
        together = self.tr("{0}, only together with the columns").format(said)
        self.queries.setText(said if can_be else together)
        self.queries.setEnabled(can_be)
        with QSignalBlocker(self.queries):
            self.queries.setChecked(can_be)

    def _wrong_extract(self) -> str:
        name = clean_text(self.extract.text).strip()
        if not plain_extract(name):
            return self.tr("Name the extract.")
        if self._is_taken(name):
            return self.tr(
                "This name belongs to earlier data, and its old figures would be used. Choose "
                "a new name."
            )
        return ""

    def _lines(self, carried: Carried) -> list[tuple[str, Tone | None]]:
        missing, undeclared = carried.missing, carried.undeclared
        if not self._found.header:
            text = self.tr("Its columns are not known yet. Choose sheet and header row in Data.")
            return [(text, Tone.ATTENTION), *[("", None)] * 3, (self._files(carried), None)]
        fits = len(carried.study.columns) and not missing
        whole = self.tr("Every declared column is in the file.") if fits else ""
        lacks = self.tr("Not in the file, and kept until you choose: {0}").format(_listed(missing))
        more = self.tr("In the file, and not declared: {0}").format(_listed(undeclared))
        people = self.tr("Declare the public number of people of this file in People.")
        return [
            (whole, Tone.DONE),
            (f"{lacks}{self._spelled(carried)}" if missing else "", Tone.ATTENTION),
            (more if undeclared else "", None),
            (people if carried.asks_people else "", Tone.ATTENTION),
            (self._files(carried), None),
        ]

    def _files(self, carried: Carried) -> str:
        names = tuple(file_name(path) for path in carried.files)
        said = self.tr("Further files of the same names are looked for beside it: {0}")
        return said.format(_listed(names)) if names else ""

    def _spelled(self, carried: Carried) -> str:
        said = self.tr("The file has “{0}” instead of “{1}”.")
        spellings = carried.spellings().items()
        found = " ".join(said.format(there, name) for name, there in spellings)
        return f". {found}" if found else ""

    def accept(self) -> None:
        if not self.ok.isEnabled():
            return
        study = self._carried().study
        super().accept()
        self.decided.emit(study)


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - SHOWN
    listed = ", ".join(names[:SHOWN])
    if more <= 0:
        return listed
    others = tr("CarryOverDialog", "and %n other(s)", "", more)
    return f"{listed} {others}"
