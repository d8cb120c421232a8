# SPDX-License-Identifier: Apache-2.0
"""Lines that are no rows because a quoted cell stays open, or hold carriage returns of their own.

For the custodian's eyes alone: line numbers, and nothing of what is there.
"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.data.inspection.ragged_rows import RaggedRows
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.files.file_warnings import find_ragged_rows
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.data.shown_file import ShownFile
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone


class UnclosedQuotesNote(Banner):
    """Names such lines and offers what may be declared: line breaks in cells, or other line ends.

    Where it is declared already, it says whom the release then trusts.

    Attributes:
        name: the file's, where others have notes, too.
    """

    name: str = ""

    def __init__(
        self, session: Session, shown: ShownFile | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(Tone.ATTENTION, parent=parent)
        self._session = session
        self._file = shown or ShownFile(session)
        self._latest = LatestJob(session.looks, self)
        self._looked_at: object = None
        self._offers_returns = False
        self.action_pressed.connect(self._declare)
        self.hide()

    def look(self) -> None:
        """Look for such lines, where the file, or how it is read, is another than before."""
        key, source = self._file.version, self._file.source
        if key == self._looked_at:
            return
        self._looked_at = key
        self._latest.drop()
        self.show_lines(RaggedRows())
        if source is not None and self._file.header:
            self._latest.run(
                find_ragged_rows(source, self._file.folder),
                self.show_lines,
                lambda _problems: None,
            )

    def show_lines(self, ragged: RaggedRows) -> None:
        source = self._file.source
        declared = source is not None and source.format == "csv" and source.line_breaks
        self._offers_returns = False
        if declared:
            self._say_trust()
        elif ragged.open_lines:
            self._say_lines(ragged)
        elif ragged.has_lone_returns:
            self._say_returns()
        self.setVisible(declared or bool(ragged.open_lines) or ragged.has_lone_returns)

    def _say_trust(self) -> None:
        self._say(
            self.tr("Cells contain line breaks."),
            self.tr(
                "dpdesk relies on doubled quotation marks inside cells. If they are not doubled, "
                "one person’s rows can change how others are read. The release says so."
            ),
            Tone.INFO,
        )
        self.set_action(self.tr("One line of text is one row"))

    def _say_lines(self, ragged: RaggedRows) -> None:
        lines = ", ".join(map(words.grouped, ragged.open_lines))
        if ragged.more_open:
            first = self.tr("Lines {0} and others are left out.").format(lines)
        else:
            first = self.tr("%n line(s) (is|are) left out: {0}.", "", len(ragged.open_lines))
            first = first.format(lines)
        rest = self.tr(
            "A quotation mark that opens there is not closed on the same line. If cells of this "
            "file contain line breaks, declare it; otherwise there is nothing to do."
        )
        self._say(first, rest, Tone.ATTENTION)
        self.set_action(self.tr("Cells contain line breaks"))

    def _say_returns(self) -> None:
        self._say(
            self.tr("Some lines contain a carriage return that ends no line."),
            self.tr(
                "The text after it belongs to the row before. If rows begin there, declare that "
                "carriage returns end lines, too."
            ),
            Tone.ATTENTION,
        )
        self._offers_returns = True
        self.set_action(self.tr("Carriage returns end lines, too"))

    def _say(self, head: str, rest: str, tone: Tone) -> None:
        named = self.tr("{0}: {1}").format(self.name, head) if self.name else head
        self.say(named, rest, tone)

    def _declare(self) -> None:
        study, source = self._session.state.study, self._file.source
        if source is None:
            return
        breaks = {"line_breaks": not source.line_breaks}
        change = {"line_ending": "any"} if self._offers_returns else breaks
        changed = study_edits.declare_reading(study, self._file.place, **change)
        self._session.edit(changed, self.tr("Change how the file is read"))
