# SPDX-License-Identifier: Apache-2.0
"""Data: check that the file was read the right way. Values stay masked until asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePath

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.data.csv_file import sample_rows
from dpdesk.data.recognise import recognise
from dpdesk.desk.core import edits, words
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.banner import Banner, Tone
from dpdesk.desk.widgets.buttons import primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.chip import Chip
from dpdesk.desk.widgets.choice_popup import Choice, ChoicePopup
from dpdesk.desk.widgets.data_table import DataTable, RowsModel
from dpdesk.desk.widgets.field import LineField
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.icon_label import IconLabel
from dpdesk.desk.widgets.label import Label, heading, quiet
from dpdesk.study.checks import extract_name
from dpdesk.study.problem import Refused

MASKED_ROWS = 6
SHOWN_ROWS = 50


class DataPage(StepPage):
    """The first step."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, "", "")
        self.set_title(self.tr("Data"), self.tr("Check that the file was read the right way."))
        self._file_name = Label(size=Type.CARD, semibold=True)
        self._file_line = quiet()
        self._trouble = Banner(Tone.ERROR)
        self._chips: dict[str, Chip] = {}
        self._columns_head = heading("")
        self.show_rows = secondary(self.tr("Show rows"), before="eye", small=True)
        self.show_rows.setCheckable(True)
        self._model = RowsModel(())
        self.table = DataTable(
            self._model, self.tr("Columns of the file"), Space.FIELD, copies=False, stretch=-1
        )
        self._mask_note = Banner(Tone.INFO, icon="eye-off")
        self.title_field = LineField(self.tr("&Title of the study"))
        self.organisation_field = LineField(self.tr("&Organisation that releases"))
        self.extract_field = LineField(
            self.tr("Name of this &extract"),
            self.tr(
                "A query that was answered on this extract is answered from the ledger again: name "
                "it anew when the data has changed."
            ),
        )
        self._build()
        self._connect()

    def _build(self) -> None:
        self.body.addWidget(self._build_file())
        self.body.addWidget(self._trouble)
        names = QHBoxLayout(spacing=Space.CARDS)
        names.addWidget(self.title_field, 3)
        names.addWidget(self.organisation_field, 2)
        self.body.addLayout(names)
        self.body.addWidget(self.extract_field)
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(heading(self.tr("How it was read")))
        head.addWidget(quiet(self.tr("Press a chip to correct it."), wrap=False), 1)
        self.body.addLayout(head)
        self.body.addWidget(self._build_chips())
        row = QHBoxLayout(spacing=Space.SMALL)
        row.addWidget(self._columns_head)
        row.addWidget(quiet(self.tr("You say what they hold in Columns."), wrap=False), 1)
        row.addWidget(self.show_rows)
        self.body.addLayout(row)
        frame = Card()
        frame.set_padding(1)
        frame.body.addWidget(self.table)
        self.table.delegate.column_lines = True
        self.body.addWidget(frame)
        self.body.addWidget(self._mask_note)
        self.footer.set_primary(primary(self.tr("Continue to People"), after="arrow-right"))

    def _build_file(self) -> Card:
        card = Card()
        row = QHBoxLayout(spacing=Space.CARD - 4)
        row.addWidget(IconLabel("file", Role.ACCENT, 21, tile=Role.TINT))
        text = QVBoxLayout(spacing=2)
        text.addWidget(self._file_name)
        text.addWidget(self._file_line)
        row.addLayout(text, 1)
        self.choose = secondary(self.tr("Choose another file…"), small=True)
        row.addWidget(self.choose)
        card.body.addLayout(row)
        return card

    def _build_chips(self) -> QWidget:
        holder = QWidget()
        flow = FlowLayout(holder, across=Space.TIGHT, down=Space.TIGHT)
        labels = {
            "separator": self.tr("Separator"),
            "decimal": self.tr("Decimals"),
            "encoding": self.tr("Text"),
            "missing": self.tr("Missing"),
        }
        for key, label in labels.items():
            chip = Chip(label)
            chip.setObjectName(f"chip-{key}")
            chip.clicked.connect(lambda _on=False, key=key: self._correct(key))
            self._chips[key] = chip
            flow.addWidget(chip)
        return holder

    def _connect(self) -> None:
        self.choose.clicked.connect(self._ask_file)
        self._trouble.action_pressed.connect(lambda: self.session.agree_to_connect())
        self.show_rows.toggled.connect(lambda _on: self._show_table())
        self.title_field.edited.connect(self._set_title)
        self.organisation_field.edited.connect(self._set_organisation)
        self.extract_field.edited.connect(self._set_extract)
        if self.footer.primary is not None:
            self.footer.primary.clicked.connect(lambda: self.go_to.emit("people"))

    def forget(self) -> None:
        """Another study is open: mask its rows."""
        self.show_rows.setChecked(False)

    def enter(self) -> None:
        """Read the header again: the file may have changed."""
        self.session.reread_header()

    def render_state(self) -> None:
        """Show the file, how it is read, and its columns."""
        study = self.state.study
        data = study.data
        self.title_field.set_text(study.title)
        self.organisation_field.set_text(study.organisation)
        self.extract_field.set_text(data.extract if data else "")
        self.extract_field.edit.setPlaceholderText(extract_name(data) if data else "")
        path = self.session.document.folder / data.path if data and data.path else None
        self._file_name.setText(path.name if path else self.tr("No file chosen"))
        self._file_line.setText(self._describe(path))
        for key, chip in self._chips.items():
            chip.set_value(self._value(key))
        self._show_problems()
        self._show_table()

    def _describe(self, path: Path | None) -> str:
        if self.session.waits_to_connect:
            return str(path)
        if path is None or not path.is_file():
            return ""
        size = QLocale().formattedDataSize(
            path.stat().st_size, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat
        )
        return self.tr("CSV text, {0}. Read in place; never copied or changed.").format(size)

    def _show_problems(self) -> None:
        problems = self.state.step_problems("data")
        header = self.state.header
        twice = sorted({name for name in header if header.count(name) > 1})
        self._trouble.setVisible(bool(problems or twice))
        if problems:
            self._trouble.say("", words.problem_sentence(problems[0]), Tone.ERROR)
            agree = self.tr("Connect and read it") if self.session.waits_to_connect else ""
            self._trouble.set_action(agree)
        elif twice:
            template = self.tr("The name {0} stands more than once; such columns cannot be used.")
            self._trouble.say("", template.format(", ".join(twice)), Tone.ATTENTION)
            self._trouble.set_action("")
        self.footer.say(
            self.tr("The file cannot be used yet.")
            if problems
            else self.tr("The header was read without errors."),
            attention=bool(problems),
        )
        if self.footer.primary is not None:
            # A column that the file lacks is mended in Columns or People: the way there is open.
            self.footer.primary.setEnabled(all(p.code == "data-column-absent" for p in problems))

    def _show_table(self) -> None:
        header = self.state.header
        count = len(header)
        self._columns_head.setText(self.tr("%n column(s)", "", count))
        shown = self.show_rows.isChecked() and bool(header)
        rows = self._rows(count) if shown else [("",) * count] * MASKED_ROWS
        heads = [f"{name}\n{self._kind(name)}" for name in header]
        self.table.delegate.masked = not shown
        self.show_rows.setText(self.tr("Hide rows") if shown else self.tr("Show rows"))
        self.show_rows.setAccessibleName(self.show_rows.text())
        self.show_rows.updateGeometry()
        self._model.set_rows(rows, heads)
        self.table.setFixedHeight(self.table.content_height(MASKED_ROWS) + Space.CARDS)
        if shown:
            text = self.tr("For your eyes only: nothing of this is stored, exported or logged.")
            self._mask_note.say(self.tr("Rows are shown."), text)
        else:
            text = self.tr("You can finish a study without seeing a single row.")
            self._mask_note.say(self.tr("Values are masked."), text)

    def _rows(self, count: int) -> list[tuple[str, ...]]:
        data = self.state.study.data
        if data is None:
            return []
        try:
            found = sample_rows(data, self.session.document.folder, SHOWN_ROWS)
        except Refused:
            return []
        return [tuple((*row, *[""] * count)[:count]) for row in found]

    def _kind(self, name: str) -> str:
        unit = self.state.study.unit
        if unit is not None and unit.person == name:
            return self.tr("Tells people apart")
        column = self.state.study.column(name)
        names = {
            "number": self.tr("Number"),
            "category": self.tr("Category"),
            "yes-no": self.tr("Yes/no"),
            "date": self.tr("Date"),
        }
        return names[column.kind] if column else self.tr("Not used")

    def _value(self, key: str) -> str:
        data = self.state.study.data
        if data is None:
            return ""
        if key == "missing":
            return ", ".join(data.missing) or self.tr("Empty cells")
        texts = dict(self._offers()[key])
        return texts.get(str(getattr(data, key)), str(getattr(data, key)))

    def _offers(self) -> dict[str, list[tuple[str, str]]]:
        return {
            "separator": [
                (",", self.tr("Comma ,")),
                (";", self.tr("Semicolon ;")),
                ("\t", self.tr("Tab")),
                ("|", self.tr("Bar |")),
            ],
            "decimal": [(".", self.tr("Point 1.5")), (",", self.tr("Comma 1,5"))],
            "encoding": [
                ("utf-8", self.tr("UTF-8")),
                ("cp1252", self.tr("Windows-1252")),
                ("latin-1", self.tr("Latin-1")),
                ("utf-16", self.tr("UTF-16")),
            ],
            "missing": [(t, t) for t in ("?", "NA", "N/A", "NULL", "None", "-", ".", "n/a", "nan")],
        }

    def _correct(self, key: str) -> None:
        data = self.state.study.data
        if data is None:
            return
        several = key == "missing"
        picked = data.missing if several else (str(getattr(data, key)),)
        offers = self._offers()[key]
        offers += [(t, t) for t in picked if several and t not in dict(offers)]
        popup = ChoicePopup([Choice(k, t) for k, t in offers], picked, several, self)
        popup.chosen.connect(lambda keys: self._set_read(key, keys))
        popup.open_under(self._chips[key])

    def _set_read(self, key: str, keys: tuple[str, ...]) -> None:
        value: object = keys if key == "missing" else keys[0]
        study = edits.set_data(self.state.study, **{key: value})
        self.session.edit(study, self.tr("Change how the file is read"))

    def _set_title(self, text: str) -> None:
        self.session.edit(
            replace(self.state.study, title=text), self.tr("Change the title"), "title"
        )

    def _set_organisation(self, text: str) -> None:
        study = replace(self.state.study, organisation=text)
        self.session.edit(study, self.tr("Change the organisation"), "organisation")

    def _set_extract(self, text: str) -> None:
        study = edits.set_data(self.state.study, extract=text)
        self.session.edit(study, self.tr("Name the extract"), "extract")

    def _ask_file(self) -> None:
        kinds = self.tr("Tables (*.csv *.tsv *.txt);;All files (*)")
        chosen, _kind = QFileDialog.getOpenFileName(self, self.tr("Choose a data file"), "", kinds)
        if chosen:
            self.use_file(Path(chosen))

    def use_file(self, path: Path) -> None:
        """Let the study be about another file; what is declared stays."""
        try:
            found = recognise(path)
        except Refused as refused:
            self.session.failed.emit(refused.problems)
            return
        chosen = str(PurePath(path.resolve()))
        self.session.agree_to_connect(chosen)
        study = edits.set_data(
            self.state.study,
            path=chosen,
            separator=found.separator,
            decimal=found.decimal,
            encoding=found.encoding,
        )
        self.session.edit(study, self.tr("Choose another file"))
