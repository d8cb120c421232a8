# SPDX-License-Identifier: Apache-2.0
"""Data: check that the file was read the right way. Values stay masked until asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.data.inspection.number_marks import NumberMarks
from dpdesk.desk.core.counting import Counting
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.edits.file_place import FIRST, FilePlace
from dpdesk.desk.core.edits.main_table import with_main
from dpdesk.desk.core.file_dialogs import existing_file, existing_files
from dpdesk.desk.core.files.added_files import AddedFile, added_to
from dpdesk.desk.core.network_paths import names_a_machine
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.data.file_choice import FileChoice
from dpdesk.desk.pages.data.file_preview import FilePreview
from dpdesk.desk.pages.data.read_chips import ReadChips
from dpdesk.desk.pages.data.shown_file import ShownFile
from dpdesk.desk.pages.data.tables.added_files_dialog import ask_about
from dpdesk.desk.pages.data.tables.joined_preview import JoinedPreview
from dpdesk.desk.pages.data.tables.main_table_dialog import MainTableDialog
from dpdesk.desk.pages.data.tables.table_dialog import TableDialog
from dpdesk.desk.pages.data.tables.tables_card import TablesCard, is_of_further
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text import read_words, words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, scale
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.heading import CARD_LEVEL
from dpdesk.desk.widgets.buttons import primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import headed, heading, quiet
from dpdesk.desk.widgets.layouts.aligned import AlignedBox, AlignedRow
from dpdesk.desk.widgets.page import stacking
from dpdesk.study.checks.extracts import PLACE
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem

if TYPE_CHECKING:
    from dpdesk.desk.pages.data.database.database_view import DatabaseView

FILES, DATABASE = "files", "database"
"""Where the data is."""
ORGANISATION, EXTRACT = 215, 250
"""So wide are these at most beside the title, which has the rest: it is the longest."""


class DataPage(StepPage):
    """The first step."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        places = [
            (FILES, self.tr("In files"), "file"),
            (DATABASE, self.tr("In a database"), "database"),
        ]
        self._steps = QWidget()
        self._steps.ring_room = 0  # type: ignore[attr-defined]  # AlignedColumn reads it
        self._steps.hide()
        self.where = Segmented(places, self.tr("Where is the data?"))
        self._file_name = headed(ElidedLabel(Type.CARD, semibold=True), CARD_LEVEL)
        self._file_line = quiet()
        self._trouble = Banner(Tone.ERROR)
        self.chips = ReadChips()
        self.file = ShownFile(session)
        self.which = FileChoice(session, self.file)
        self.preview = FilePreview(session, self.file)
        self.show_rows, self.table = self.preview.show_rows, self.preview.table
        self.joined = JoinedPreview(session)
        self._read_head = heading("")
        self._read_hint = quiet(self.tr("Press any of these to correct it."), wrap=False)
        self.title_field = LineField(
            self.tr("T&itle of the study"),
            placeholder=self.tr("For example Length of stay 2025"),
        )
        self.organisation_field = LineField(self.tr("&Organisation that releases"))
        self.extract_field = LineField(self.tr("Name of this e&xtract"))
        self._extract_hint = quiet(
            self.tr(
                "An extract is the data of one day, under a name. Changed data needs a new name. "
                "{0} The name stays on this computer."
            ).format(words.repeated())
        )
        self.extract_question = Banner(Tone.ATTENTION, icon="file")
        self.extract_field.edit.setAccessibleDescription(self._extract_hint.text())
        self.tables = TablesCard(session)
        self._waiting: tuple[Path, ...] = ()
        self.dialog: Dialog | None = None
        """What is asked about tables now."""
        self._build()
        self._connect()

    def _build(self) -> None:
        self.add_action(self.where)
        self._file = self._build_file()
        self.body.addWidget(self._steps)
        self.body.addWidget(self._file)
        self.body.addWidget(self._trouble)
        self.body.addWidget(self.tables)
        whose = QHBoxLayout(spacing=Space.CARDS)
        whose.addWidget(self.title_field, 6)
        whose.addWidget(self.organisation_field, 5)
        names = self._names = AlignedBox(stacking(False), spacing=Space.CARDS)
        names.addLayout(whose, 11)
        names.addWidget(self.extract_field, 6)
        self.organisation_field.setMaximumWidth(round(ORGANISATION * scale()))
        self.extract_field.setMaximumWidth(round(EXTRACT * scale()))
        self.body.addLayout(names)
        self.body.addWidget(self._extract_hint)
        self.body.addWidget(self.extract_question)
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(self._read_head)
        head.addWidget(self._read_hint, 1)
        self.body.addLayout(head)
        for part in (self.which, self.chips, self.preview, self.joined):
            self.body.addWidget(part)
        self.footer.set_primary(primary(self.tr("Continue to People"), after="arrow-right"))

    def set_narrow(self, narrow: bool) -> None:
        """In a narrow page the extract has a line of its own: its name holds file and day."""
        super().set_narrow(narrow)
        self._names.setDirection(stacking(narrow))
        if self._has_database:
            self.database.set_narrow(narrow)

    def _build_file(self) -> Card:
        card = Card()
        row = AlignedRow(spacing=Space.CARD - 4)
        row.addWidget(IconLabel("file", Role.ACCENT, 21, tile=Role.TINT))
        text = QVBoxLayout(spacing=2)
        text.addWidget(self._file_name)
        text.addWidget(self._file_line)
        row.addLayout(text, 1)
        self.choose = secondary(self.tr("Choose another file…"), small=True)
        self.add = secondary(self.tr("&Add a table…"), before="plus", small=True)
        row.addWidget(self.add)
        row.addWidget(self.choose)
        card.body.addLayout(row)
        return card

    def _connect(self) -> None:
        self.where.picked.connect(self._set_where)
        self.choose.clicked.connect(self._ask_file)
        self.add.clicked.connect(self._ask_tables)
        # Another page may be on show by the time.
        self.session.state_changed.connect(self._add_waiting)
        self.tables.opened.connect(lambda name: self._open_table(self.state.study, name))
        self.tables.main_wanted.connect(self._ask_main)
        self._trouble.action_pressed.connect(self._agree_to_connect)
        self.which.chosen.connect(self._show_file)
        self.which.joined_chosen.connect(self._show_joined)
        self.chips.corrected.connect(self._correct)
        self.preview.marks_confirmed.connect(self._confirm_marks)
        self.title_field.edited.connect(self._set_title)
        self.title_field.edit.returnPressed.connect(self._go_to_next)
        self.organisation_field.edited.connect(self._set_organisation)
        self.extract_field.edited.connect(self._set_extract)
        self.extract_question.action_pressed.connect(self._take_proposal)
        if self.footer.primary is not None:
            self.footer.primary.clicked.connect(self._go_on)

    @cached_property
    def database(self) -> DatabaseView:
        """The steps of counting in a database; built where a study has its data there."""
        # Loaded here: ciphers come with it.
        from dpdesk.desk.pages.data.database.database_view import DatabaseView

        view = DatabaseView(self.session)
        view.help_wanted.connect(self.help_wanted)
        view.counts_opened.connect(self._go_to_next)
        view.set_narrow(self.is_narrow)
        column = QVBoxLayout(self._steps, contentsMargins=NO_MARGINS)
        column.addWidget(view)
        return view

    @property
    def _has_database(self) -> bool:
        return "database" in self.__dict__

    def first_to_do(self) -> QWidget | None:
        """The title until there is one; it keeps the keyboard while it is typed."""
        edit = self.title_field.edit
        is_typed = self.window().focusWidget() is edit
        return edit if is_typed or not self.state.study.title else None

    def _go_to_next(self) -> None:
        """The keyboard goes on to what leads on, past all that is right already."""
        if (go_on := self.footer.primary) is not None and go_on.isEnabled():
            go_on.setFocus(Qt.FocusReason.TabFocusReason)

    def forget(self) -> None:
        """Another study is open: mask its rows."""
        self._waiting = ()
        self.file.choose(FIRST)
        self.which.forget()
        self.preview.forget()
        if self._has_database:
            self.database.forget()

    def enter(self) -> None:
        """Read the header again unless it is being read now: the file may have changed."""
        if not self.session.file.is_read_now:
            self.session.reread_header()

    def render_state(self) -> None:
        study = self.state.study
        data = study.data
        self.title_field.set_text(study.title)
        self.organisation_field.set_text(study.organisation)
        self.extract_field.set_text(data.extract if data else "")
        in_database = self.state.in_database
        self.where.select(DATABASE if in_database else FILES)
        self._steps.setVisible(in_database)
        self._file.setVisible(not in_database)
        if in_database:
            self._show_database()
            return
        self.set_line(self.tr("Check that the file was read the right way."))
        path = self.session.document.folder / data.path if data and data.path else None
        self._file_name.setText(path.name if path else self.tr("No file chosen"))
        self._file_line.setText(self._describe(path))
        problems = self.state.step_problems("data")
        self.which.render_state()
        self.chips.show_source(self.file.source, self.file.summary, self.file.problems)
        self.tables.render_state()
        self.add.setEnabled(bool(self.state.header))
        self._show_problems(problems)
        self._ask_extract(problems)
        self._show_file_or_joined()
        # The way on opens when the header was read.
        self.renew_first()

    def _show_database(self) -> None:
        """Show the steps in place of a file; what is masked stays so."""
        self.set_line(self.tr("Where is the data?"))
        if not self._read_head.isHidden():
            self.preview.forget()
        parts = (self._trouble, self.tables, self._read_head, self._read_hint, self.which)
        for part in (*parts, self.chips, self.preview, self.joined):
            part.hide()
        self.database.render_state()
        problems = self.state.step_problems("data")
        self._ask_extract(problems)
        button = self.footer.primary
        is_whole = bool(self.state.study.queries) and not self.state.blocking
        self.footer.say(self._where_counting_stands(problems, is_whole), attention=bool(problems))
        if button is not None:
            button.setText(
                self.tr("Continue to Release") if is_whole else self.tr("Continue to People")
            )
            button.updateGeometry()
            button.setEnabled(not self.state.lacks_counts)
        self.renew_first()

    def _where_counting_stands(self, problems: tuple[Problem, ...], is_whole: bool) -> str:
        if [p.path for p in problems] == [PLACE]:
            return self.tr("Name the extract first.")
        if problems:
            return words.problem_sentence(problems[0])
        if not is_whole:
            return self.tr("Declare people, columns and queries, then save the order.")
        if not self.state.must_read:
            return self.tr("All queries have stored figures; no counts are needed.")
        return {
            Counting.NONE: self.tr("Save the order. Nothing is spent by it."),
            Counting.WAITING: self.tr("Waits for the sealed counts. Nothing is spent meanwhile."),
            Counting.OPENED: self.tr("The counts are open. Nothing is spent before you release."),
        }[self.state.counting]

    def _go_on(self) -> None:
        is_whole = bool(self.state.study.queries) and not self.state.blocking
        self.go_to.emit("release" if self.state.in_database and is_whole else "people")

    def _set_where(self, where: str) -> None:
        study = study_edits.set_data(self.state.study, in_database=where == DATABASE)
        self.session.edit(study, self.tr("Change where the data is"))

    def open_counts(self, paths: Sequence[Path]) -> bool:
        """Open what was dropped where it is sealed counts and the study waits for some."""
        is_sealed = len(paths) == 1 and paths[0].suffix.lower() == ".sealed"
        if not self.state.in_database or not is_sealed:
            return False
        self.database.open_sealed(paths[0])
        return True

    def _show_file_or_joined(self) -> None:
        joined = self.which.is_joined
        self._read_head.show()
        self._read_head.setText(
            self.tr("What queries see") if joined else self.tr("How it was read")
        )
        for part in (self._read_hint, self.chips, self.preview):
            part.setVisible(not joined)
        self.joined.setVisible(joined)
        if joined:
            self.joined.render_state()
        else:
            self.preview.render_state()

    def _describe(self, path: Path | None) -> str:
        if self.session.waits_to_connect:
            return str(path)
        if path is None or not path.is_file():
            return ""
        size = QLocale().formattedDataSize(
            path.stat().st_size, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat
        )
        data = self.state.study.data or DataSource()
        return read_words.file_words(data, size)

    def _show_problems(self, problems: tuple[Problem, ...]) -> None:
        """Above the chips what no chip can fix, and in the footer where one is."""
        above = self._above_chips(problems)
        self._trouble.setVisible(bool(above))
        if above:
            self._trouble.say("", words.problem_sentence(above[0]), Tone.ERROR)
            agree = self.tr("Connect and read it") if self._waiting_to_connect else ""
            self._trouble.set_action(agree)
        self.footer.say(self._where_one_stands(problems), attention=bool(problems))
        if self.footer.primary is not None:
            self.footer.primary.setText(self.tr("Continue to People"))
            # A column that the file lacks is fixed in Columns or People: the way there is open.
            free = all(p.code.startswith("data-column-absent") for p in problems)
            self.footer.primary.setEnabled(free and not self.session.file.is_looking)

    def _above_chips(self, problems: tuple[Problem, ...]) -> list[Problem]:
        """What no chip can fix: of the first file always, of another one while it is on show."""
        first = self.file.place.is_first
        own = [p for p in problems if not is_of_further(p) and p.path != PLACE]
        if self.which.is_joined:
            return own
        found = [p for p in own if not (first and self.chips.fixes(p))]
        further = () if first else self.file.problems
        return [*found, *(p for p in further if not self.chips.fixes(p))]

    @property
    def _waiting_to_connect(self) -> str:
        """The file for which somebody has to agree to a connection; empty where none is on show."""
        data, shown = self.state.study.data, self.file.source
        if self.session.waits_to_connect and data is not None:
            return data.path
        return shown.path if shown is not None and self.file.waits_to_connect else ""

    def _agree_to_connect(self) -> None:
        if path := self._waiting_to_connect:
            self.session.agree_to_connect(path)

    def _show_file(self, place: FilePlace) -> None:
        """Show another file: its rows are masked until they are asked for, too."""
        self.file.choose(place)
        self.preview.forget()
        self.render_state()

    def _show_joined(self) -> None:
        """Show all tables as one; the rows of the file that was on show are masked again."""
        self.preview.forget()
        self.render_state()

    def _ask_extract(self, problems: tuple[Problem, ...]) -> None:
        """Ask once which extract it is, where a study does not say."""
        data = self.state.study.data
        asks = data is not None and any(p.path == PLACE for p in problems)
        self.extract_question.setVisible(asks)
        if data is None or not asks:
            return
        template = self.tr("Name this extract. dpdesk finds stored figures again under its name.")
        self.extract_question.say(self.tr("Which extract is this?"), template)
        self.extract_question.set_action(self.tr("Use “{0}”").format(self._proposal()))

    def _proposal(self) -> str:
        data = self.state.study.data or DataSource()
        return self.session.accounts.proposed_extract(self.state.study, Path(data.path))

    def _take_proposal(self) -> None:
        study = study_edits.set_data(self.state.study, extract=self._proposal())
        self.session.edit(study, self.tr("Name the extract"))

    def _where_one_stands(self, problems: tuple[Problem, ...]) -> str:
        if [p.path for p in problems] == [PLACE]:
            return self.tr("Name the extract first.")
        if problems and all(map(is_of_further, problems)):
            return self.tr("Say how the tables are joined.")
        if problems:
            return self.tr("The file cannot be used yet.")
        if self.session.file.is_looking or self.session.further.is_looking:
            return self.tr("Reading the names of the columns…")
        return self.tr("The header was read without errors.")

    def _correct(self, part: str, value: object) -> None:
        study = study_edits.declare_reading(self.state.study, self.file.place, **{part: value})
        self.session.edit(study, self.tr("Change how the file is read"))

    def _confirm_marks(self, marks: NumberMarks) -> None:
        """Read numbers as was proposed by looking at rows: nothing that is published says so."""
        changes = {"decimal": marks.decimal, "thousands": marks.thousands}
        study = study_edits.confirm_reading(self.state.study, self.file.place, **changes)
        self.session.edit(study, self.tr("Change how the file is read"))

    def _set_title(self, text: str) -> None:
        self.session.edit(
            replace(self.state.study, title=text), self.tr("Change the title"), "title"
        )

    def _set_organisation(self, text: str) -> None:
        study = replace(self.state.study, organisation=text)
        self.session.edit(study, self.tr("Change the organisation"), "organisation")

    def _set_extract(self, text: str) -> None:
        study = study_edits.set_data(self.state.study, extract=text)
        self.session.edit(study, self.tr("Name the extract"), "extract")

    def _ask_tables(self) -> None:
        title = self.tr("Choose the files of further tables")
        if chosen := existing_files(self, title, "", read_words.table_kinds()):
            self.add_files(chosen)

    def add_files(self, paths: Sequence[Path]) -> None:
        """Let files be further tables, or further files of one; asked where they look alike.

        They wait until the main table's header was read: what they are is proposed beside it.
        """
        if not self.state.header:
            self._waiting = tuple(paths)
            return
        self._waiting = ()

        def take(found: list[AddedFile]) -> None:
            study, window = self.state.study, self.window()
            headers = self.session.headers_of(study)
            asked = ask_about(window, study, found, headers, lambda how: add(found, how))
            self.dialog = asked or self.dialog

        def add(found: list[AddedFile], choice: str) -> None:
            study, name = added_to(self.state.study, found, choice)
            if name in ("", MAIN):
                self.session.edit(study, self.tr("Add a table"))
            else:
                # What a new table is, is asked before it is one.
                self._open_table(study, name)

        self._recognise_all(paths, take)

    def _add_waiting(self) -> None:
        if self._waiting and self.state.header:
            self.add_files(self._waiting)

    def _recognise_all(
        self, paths: Sequence[Path], then: Callable[[list[AddedFile]], None]
    ) -> None:
        """Go on with files once it is known how they may be read, unless another study is open."""
        study_file = self.session.document.path

        def take(found: list[AddedFile]) -> None:
            if self.session.document.path == study_file:
                for one in found:
                    self.session.further.agree_to_connect(one.source.path)
                then(found)

        self.session.recognise_all([path.resolve() for path in paths], take)

    def _open_table(self, study: Study, name: str) -> None:
        """Ask what a table is; further files of it can be chosen meanwhile."""
        dialog = TableDialog(self.window(), self.session, study, name)
        self.dialog = dialog
        dialog.decided.connect(lambda now: self.session.edit(now, self.tr("Change the tables")))
        dialog.files_wanted.connect(lambda: self._ask_more(dialog))
        dialog.other_wanted.connect(lambda: self._ask_other(dialog))
        dialog.open()

    def _ask_main(self, name: str) -> None:
        """Ask whether queries are to count another table's rows; Undo takes it back."""
        study = self.state.study
        change = with_main(study, name, self.session.headers_of(study).get(name, ()))
        dialog = MainTableDialog(self.window(), change, name)
        self.dialog = dialog
        said = self.tr("Count the rows of another table")
        dialog.decided.connect(lambda now: self.session.edit(now, said))
        dialog.open()

    def _ask_more(self, dialog: TableDialog) -> None:
        title = self.tr("Choose further files of this table")
        if chosen := existing_files(dialog, title, "", read_words.table_kinds()):
            self._recognise_all(
                chosen, lambda found: dialog.take(added_to(dialog.study, found, dialog.table)[0])
            )

    def _ask_other(self, dialog: TableDialog) -> None:
        title = self.tr("Choose another file of this table")
        if (chosen := existing_file(dialog, title, "", read_words.table_kinds())) is not None:
            self._recognise_all([chosen], lambda found: dialog.take_other(found[0].source))

    def _ask_file(self) -> None:
        title = self.tr("Choose a data file")
        if (chosen := existing_file(self, title, "", read_words.table_kinds())) is not None:
            self.use_file(chosen)

    def use_file(self, path: Path) -> None:
        """Let the study be about another file; what is declared stays."""
        study_file = self.session.document.path
        chosen = str(PurePath(path.resolve()))

        def take(source: DataSource) -> None:
            if self.session.document.path == study_file:
                self._take_file(replace(source, path=chosen))

        self.session.recognise(path, take)

    def _take_file(self, source: DataSource) -> None:
        self.session.agree_to_connect(source.path)
        before = self.state.study.data or DataSource()
        data = replace(
            source,
            missing=before.missing,
            extract=self._extract_of(source, before),
            label=before.label,
            more=before.more,
        )
        self.session.edit(replace(self.state.study, data=data), self.tr("Choose another file"))

    def _extract_of(self, source: DataSource, before: DataSource) -> str:
        """Another file is another extract; the same one keeps its name, until it is renamed."""
        if before.extract and self._lies_at(before.path, source.path):
            return before.extract
        return self.session.accounts.proposed_extract(self.state.study, Path(source.path))

    def _lies_at(self, path: str, chosen: str) -> bool:
        """Whether a study's path leads to a file; asked of this computer alone."""
        if names_a_machine(path):
            return path == chosen
        return (self.session.document.folder / path).resolve() == Path(chosen).resolve()
