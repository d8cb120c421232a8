# SPDX-License-Identifier: Apache-2.0
"""About: version, licence, where the logs lie, and whether the installed files are as packed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from dpdesk import __version__
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.about.text_dialog import TextDialog
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.buttons import Button, secondary
from dpdesk.desk.widgets.dialog import LOGO, Dialog
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.field import TextField
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.program.installed_files import (
    LICENCES,
    LIST,
    MATERIALS,
    Comparison,
    companion,
    compare,
    program_folder,
)
from dpdesk.study.problem import Problem
from dpdesk.texts import shared

WIDTH = 560
LINES = 6


class AboutDialog(Dialog):
    """Says what the program is and leads to what came along with it."""

    def __init__(self, window: QWidget, session: Session) -> None:
        text = tr(
            "AboutDialog",
            "Statistics about patients that may leave the building. Free software under the "
            "Apache License 2.0. It opens no network connection.",
        )
        super().__init__(window, "dpdesk", text, LOGO, width=WIDTH)
        self._comparing = LatestJob(session.looks, self)
        self.compare = self._button(self.tr("Compare installed files"), LIST)
        self.materials = self._button(self.tr("Bill of materials"), MATERIALS)
        self.licences = self._button(self.tr("Third-party licences"), LICENCES)
        self.verdict = Remark()
        self.differences = TextField(self.tr("&Files that differ"), lines=LINES)
        self.differences.edit.setReadOnly(True)
        self.differences.hide()
        self.add_rows(self._rows(session.home.logs))
        self._build_parts()
        self._connect()
        self.add_safe(self.tr("Close"))

    def _button(self, text: str, name: str) -> Button:
        made = secondary(text, small=True)
        made.setVisible(companion(name) is not None)
        return made

    def _rows(self, logs: Path) -> list[tuple[str, str]]:
        folder = program_folder()
        runs_from = (
            (self.tr("Installed in"), str(folder))
            if folder is not None
            else (self.tr("Runs from"), self.tr("Its source code (not installed)"))
        )
        return [
            (self.tr("Version"), __version__),
            runs_from,
            (self.tr("Log folder"), str(logs)),
        ]

    def _build_parts(self) -> None:
        parts = QWidget()
        row = FlowLayout(parts)
        for button in (self.compare, self.materials, self.licences):
            row.addWidget(button)
        parts.setVisible(program_folder() is not None)
        self.body.addWidget(parts)
        self.body.addWidget(self.verdict)
        self.body.addWidget(self.differences)
        if companion(LIST) is None:
            text = self.tr(
                "dpdesk cannot check its files here: only an installed program has a list to "
                "compare them with."
            )
        else:
            text = catalogue().say(shared.DAMAGE_ALONE)
        self.body.addWidget(quiet(text))

    def _connect(self) -> None:
        self.compare.clicked.connect(self._compare)
        self.materials.clicked.connect(
            lambda: self._show_text(self.tr("Bill of materials"), MATERIALS)
        )
        self.licences.clicked.connect(
            lambda: self._show_text(self.tr("Third-party licences"), LICENCES)
        )

    def _compare(self) -> None:
        def work(_progress: Progress, cancel: CancelToken) -> Comparison:
            return compare(each=cancel.check)

        self.compare.setEnabled(False)
        self.verdict.say(self.tr("Comparing…"), Tone.INFO)
        self._comparing.run(work, self.show_found, self._show_refused)

    def _end(self) -> None:
        self.compare.setEnabled(True)
        self.compare.setFocus()

    def show_found(self, comparison: Comparison) -> None:
        """Say what the comparison found, and name the files that differ."""
        self._end()
        lines = [
            *(self.tr("changed: {0}").format(name) for name in comparison.changed),
            *(self.tr("missing: {0}").format(name) for name in comparison.missing),
            *(self.tr("additional: {0}").format(name) for name in comparison.additional),
        ]
        self.differences.set_text("\n".join(lines))
        self.differences.setVisible(bool(lines))
        if lines:
            self.verdict.say(catalogue().say(shared.DAMAGED_INSTALLATION), Tone.ERROR)
        else:
            text = self.tr("All {0} files are unchanged.")
            text = text.format(comparison.checked)
            self.verdict.say(text, Tone.DONE)

    def _show_refused(self, problems: tuple[Problem, ...]) -> None:
        self._end()
        self.verdict.say(" ".join(words.problem_sentence(p) for p in problems), Tone.ERROR)

    def _show_text(self, title: str, name: str) -> None:
        path = companion(name)
        if path is None:
            return
        hint = self.tr("It was shipped with this version of dpdesk.")
        TextDialog(self, title, hint, _read(path), name).open()

    def done(self, result: int) -> None:
        self._comparing.drop()
        super().done(result)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
