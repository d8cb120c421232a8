# SPDX-License-Identifier: Apache-2.0
"""Asks what files with the same columns are: one table, or a table each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.edits.table_edits import Header
from dpdesk.desk.core.files.added_files import EACH, ONE_TABLE, AddedFile, by_columns, choices_for
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN


class AddedFilesDialog(Dialog):
    """Asks what files with the same columns are.

    Signals:
        decided: carries the choice.
    """

    decided = Signal(str)

    def __init__(self, window: QWidget, added: Sequence[AddedFile], choices: Sequence[str]) -> None:
        count = len(added)
        groups = by_columns(added)
        if count == 1:
            title = tr("AddedFilesDialog", "A table here has the same columns")
        elif len(groups) == 1:
            title = tr("AddedFilesDialog", "These %n file(s) have the same columns", "", count)
        else:
            title = tr("AddedFilesDialog", "Some of these files have the same columns")
        text = tr("AddedFilesDialog", "Only the names of columns were compared.")
        super().__init__(window, title, text, "table")
        self.options: dict[str, OptionCard] = {}
        for choice in choices:
            option = OptionCard(*_said(choice, count, len(groups)))
            self.options[choice] = option
            self.body.addWidget(option)
        self.options[choices[0]].setChecked(True)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Add them") if count > 1 else self.tr("Add it"))
        self.options[choices[0]].setFocus()

    def accept(self) -> None:
        chosen = next(key for key, option in self.options.items() if option.isChecked())
        super().accept()
        self.decided.emit(chosen)


def _said(choice: str, count: int, groups: int) -> tuple[str, str]:
    if choice == ONE_TABLE:
        return (
            tr("AddedFilesDialog", "One table of %n file(s)", "", count)
            if groups == 1
            else tr("AddedFilesDialog", "One table of those with the same columns"),
            tr("AddedFilesDialog", "As where each year or each ward has a file of its own."),
        )
    if choice == EACH:
        whole = tr("AddedFilesDialog", "A table each") if count > 1 else ""
        return (
            whole or tr("AddedFilesDialog", "A table of its own"),
            tr("AddedFilesDialog", "Their rows are of different things."),
        )
    if choice == MAIN:
        named = tr("AddedFilesDialog", "More rows of the table that queries count")
    else:
        named = tr("AddedFilesDialog", "More rows of the table {0}").format(choice)
    return named, tr("AddedFilesDialog", "Files of one table are read one after the other.")


def ask_about(
    window: QWidget,
    study: Study,
    added: Sequence[AddedFile],
    headers: dict[str, Header],
    then: Callable[[str], object],
) -> AddedFilesDialog | None:
    """Ask what files are where there is a choice; else go on with the only one."""
    choices = choices_for(study, added, headers)
    if len(choices) == 1:
        then(choices[0])
        return None
    dialog = AddedFilesDialog(window, added, choices)
    dialog.decided.connect(then)
    dialog.open()
    return dialog
