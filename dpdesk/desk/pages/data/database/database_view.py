# SPDX-License-Identifier: Apache-2.0
"""Data in a database, in three steps: save the order, have it run, open the sealed counts."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.counting import Counting, FoundCounts, today
from dpdesk.desk.core.file_dialogs import existing_file, new_file
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.counted.opened_counts import OpenedCountsView
from dpdesk.desk.pages.data.database.order_dialog import OrderDialog
from dpdesk.desk.pages.data.database.step_row import StepRow
from dpdesk.desk.text import times, words
from dpdesk.desk.theme.metrics import NO_MARGINS, Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce_copy, show_done
from dpdesk.desk.widgets.buttons import secondary
from dpdesk.desk.widgets.card import Card, Hairline, ListCard
from dpdesk.desk.widgets.inputs.field import ReadFrame
from dpdesk.desk.widgets.inputs.line_edit import ShownLine
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.page import stacking
from dpdesk.desk.widgets.painting import box
from dpdesk.release.sealing.order_file import CountingOrder
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.limits import USUAL_ORDER_DAYS
from dpdesk.study.model.baseline.expansion import questions
from dpdesk.study.problem import Problem, Refused

ORDER_END, SEALED_END = ".order.json", ".sealed"
INSTRUCTIONS = "database-administrator"
"""The page of the handbook for whoever runs the order."""

_COMMAND = "dpdesk-engine run {0} --on postgres"


class DatabaseView(QWidget):
    """What Data shows in place of a file.

    Attributes:
        save, read, copy, instructions, open: its buttons.
        command: the line that a colleague runs.
        code: what is read out to the colleague by phone, and the runner asks for.
        opened: what was opened.
        plan_note: of which day's plan the order is.

    Signals:
        help_wanted: a page of the handbook is wanted; carries its key.
        counts_opened: counts are open; the release can follow.
    """

    help_wanted = Signal(str)
    counts_opened = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._opening = LatestJob(session.looks, self)
        self.read = secondary(self.tr("Read it…"), small=True)
        self.save = secondary(self.tr("Save the order…"), small=True)
        self.instructions = secondary(self.tr("Instructions…"), before="file", small=True)
        self.copy = secondary(self.tr("Copy line"), before="copy", small=True)
        self.open = secondary(self.tr("Open sealed counts…"), small=True)
        self.order_step, self.run_step, self.open_step = self._build_steps()
        self._name, self._about = Label("", mono=True, whole=True, wrap=True), quiet("")
        self.command = _command_line(self.tr("The line that a colleague runs"))
        self.code = quiet("")
        self._drop = DropHint()
        self.opened = OpenedCountsView(session)
        self.plan_note = Banner(Tone.INFO)
        self.dialog: OrderDialog | None = None
        self._pair = QBoxLayout(stacking(False))
        self._build()
        self._connect()

    # --- what it is made of -----------------------------------------------------------------------

    def _build_steps(self) -> tuple[StepRow, StepRow, StepRow]:
        return (
            StepRow(
                1,
                self.tr("Save the order"),
                self.tr(
                    "What to count, in words a database understands. It contains no data and no "
                    "secret."
                ),
                self.read,
                self.save,
            ),
            StepRow(
                2,
                self.tr("A colleague runs it next to the data"),
                self.tr(
                    "Someone who may log in to the database. The counts are sealed before they "
                    "are written."
                ),
                self.instructions,
                self.copy,
            ),
            StepRow(
                3,
                self.tr("Open the sealed counts"),
                self.tr(
                    "Only this computer can. Then the noise is added here, as ever, when you "
                    "release."
                ),
                self.open,
            ),
        )

    def _build(self) -> None:
        column = QVBoxLayout(self, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        steps = Card()
        steps.setAccessibleName(self.tr("Counting next to the database"))
        self._order_box = _inset(self._name, self._about)
        self.order_step.content.addWidget(self._order_box)
        self._command_box = ReadFrame(self.command)
        self.run_step.content.addWidget(self._command_box)
        self.run_step.content.addWidget(self.code)
        self._only_shows = quiet(
            self.tr(
                "With --show-sql it only prints what it would run. The sealed file comes back by "
                "mail or on a stick."
            )
        )
        self.run_step.content.addWidget(self._only_shows)
        self.open_step.content.addWidget(self._drop)
        self.open_step.content.addWidget(self.opened)
        for step in (self.order_step, self.run_step, self.open_step):
            if step is not self.order_step:
                steps.body.addWidget(Hairline())
            steps.body.addWidget(step)
        column.addWidget(steps)
        self._pair.setSpacing(Space.CARDS)
        for card in self._build_lists():
            self._pair.addWidget(card, 1)
        column.addLayout(self._pair)
        column.addWidget(self.plan_note)

    def _build_lists(self) -> tuple[ListCard, ListCard]:
        leaves = ListCard("upload", self.tr("Leaves this computer, in the order"))
        leaves.set_lines(
            "check",
            Role.OK,
            (
                self.tr("Your declarations: columns, bounds, lists"),
                self.tr("The queries, as sums and counts to make"),
                self.tr("A key that can seal, but not open"),
            ),
        )
        never = ListCard("lock", self.tr("Never leaves"))
        never.set_lines(
            "cross",
            Role.TEXT_QUIET,
            (
                self.tr("The database: rows, ids, texts"),
                self.tr("The database: a count in clear, even on its disk"),
                self.tr("This computer: the key that opens, the ledger, the signing key"),
            ),
        )
        return leaves, never

    def _connect(self) -> None:
        self.read.clicked.connect(self._read)
        self.save.clicked.connect(self._ask_save)
        self.copy.clicked.connect(self._copy)
        self.instructions.clicked.connect(lambda: self.help_wanted.emit(INSTRUCTIONS))
        self.open.clicked.connect(self._ask_open)

    def set_narrow(self, narrow: bool) -> None:
        """Put below each other what is side by side."""
        self._pair.setDirection(stacking(narrow))
        for step in (self.order_step, self.run_step, self.open_step):
            step.set_narrow(narrow)

    # --- what it shows ----------------------------------------------------------------------------

    @property
    def _state(self) -> DeskState:
        return self._session.state

    @property
    def order(self) -> CountingOrder | None:
        """The latest order of the study as it is now, unless its last day is past."""
        orders = self._session.counting.orders_of(self._state.study)
        return orders[0] if orders and orders[0].until >= today() else None

    def render_state(self) -> None:
        """Show how far the counting of the study is."""
        state, order = self._state, self.order
        is_open = state.counting is Counting.OPENED
        can_order = bool(state.study.queries) and not state.blocking
        self.order_step.mark.show_how_far(order is not None, order is None)
        self.run_step.mark.show_how_far(is_open, order is not None and not is_open)
        self.open_step.mark.show_how_far(is_open, False)
        self._show_order(state, order)
        self._show_command(order, is_open)
        self.save.setText(self.tr("Save the order…") if order is None else self.tr("Save again…"))
        self.save.updateGeometry()
        self.save.setEnabled(can_order)
        self.open.setEnabled(order is not None)
        self._drop.setVisible(not is_open)
        self._drop.say(self._drop_words(order))
        self.opened.render_state()
        self._show_note(order)

    def _show_order(self, state: DeskState, order: CountingOrder | None) -> None:
        self.read.setVisible(order is not None)
        self._order_box.setVisible(order is not None)
        if order is None:
            self.order_step.pill.say("", Tone.DONE)
            return
        said = self.tr("saved {0}").format(times.when(order.made, brief=True))
        self.order_step.pill.say(said, Tone.DONE)
        self._name.setText(self._order_name())
        counts = sum(part.cells for plan in state.plans.values() for part in plan.parts)
        about = self.tr("order {0}, {1}, {2}, until {3}").format(
            _short(order.number),
            self.tr("%n quer(y|ies)", "", len(questions(state.study))),
            self.tr("%n count(s)", "", counts),
            times.calendar_day(order.until.isoformat()),
        )
        self._about.setText(about)

    def _show_command(self, order: CountingOrder | None, is_open: bool) -> None:
        for part in (self._command_box, self.code, self._only_shows, self.copy):
            part.setVisible(order is not None)
        if order is None:
            self.run_step.pill.say("", Tone.ATTENTION)
            return
        said = self.tr(
            "The runner asks which order is meant. Tell the colleague by phone, not with the "
            "order: its SHA-256 begins with {0}."
        )
        self.code.setText(said.format(order.code))
        self.command.setText(_COMMAND.format(_quoted(self._order_name())))
        days = _days_since(order.made)
        waiting = self.tr("waiting, %n day(s)", "", days) if days else self.tr("waiting")
        self.run_step.pill.say("" if is_open else waiting, Tone.ATTENTION, "history")

    def _drop_words(self, order: CountingOrder | None) -> str:
        if self._opening.is_pending:
            return self.tr("Opening the sealed counts…")
        if order is None:
            return self.tr("After the order was run, drop its sealed file here.")
        name = self._order_name().removesuffix(ORDER_END) + SEALED_END
        return self.tr("Drop {0} here: it fits this order only, and once.").format(name)

    def _show_note(self, order: CountingOrder | None) -> None:
        latest = order or self._session.counting.latest
        self.plan_note.setVisible(latest is not None)
        if latest is None:
            return
        day = times.day(latest.made, brief=True)
        if order is not None:
            first = self.tr("The order contains the plan of {0}.").format(day)
            rest = self.tr("After a change of the plan it needs a new order.")
            self.plan_note.say(first, rest, Tone.INFO)
        elif latest.until < today():
            first = self.tr("The order of {0} is past its last day.").format(day)
            self.plan_note.say(first, self.tr("Save a new order."), Tone.ATTENTION)
        else:
            first = self.tr("The plan has changed since the order of {0}.").format(day)
            rest = self.tr("Its counts no longer fit. Save a new order, or undo the change.")
            self.plan_note.say(first, rest, Tone.ATTENTION)

    def _order_name(self) -> str:
        """What the order's file is called, as far as this session knows."""
        order, saved = self.order, self._session.counting.saved_as
        if order is not None and order.number in saved:
            return saved[order.number].name
        study = self._session.document.path
        return ("study" if study is None else study.stem) + ORDER_END

    # --- what it does -----------------------------------------------------------------------------

    def _ask_save(self) -> None:
        title, kinds = self.tr("Save the order"), self.tr("Orders (*.json)")
        proposed = str(self._session.proposed_folder / self._order_name())
        if (chosen := new_file(self, title, proposed, kinds)) is not None:
            self.save_order(chosen)

    def save_order(self, path: Path) -> None:
        """Write the order of the study as it is now; a new one where none waits."""
        # Loaded here: keys come with it.
        from dpdesk.release.sealing.waiting_orders import forget, make_order

        session, order = self._session, self.order
        made = None
        try:
            if order is None:
                order = made = make_order(session.state.study, session.home, USUAL_ORDER_DAYS)
            write_whole(path, order.raw, handed_out=True)
        except Refused as refused:
            self._say(self.order_step, refused.problems)
            return
        except OSError:
            if made is not None:
                forget(session.home, made.number)
            problem = Problem("$", "handed-unwritable", {"name": path.name})
            self._say(self.order_step, (problem,))
            return
        session.counting.saved_as[order.number] = path
        self._say(self.order_step, ())
        session.refresh()
        show_done(self, self.tr("The order was saved."))

    def _read(self) -> None:
        if (order := self.order) is not None:
            self.dialog = OrderDialog(self.window(), order.raw)
            self.dialog.open()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.command.text())
        announce_copy(self)

    def _ask_open(self) -> None:
        title = self.tr("Open sealed counts")
        kinds = self.tr("Sealed counts (*.sealed);;All files (*)")
        if (chosen := existing_file(self, title, "", kinds)) is not None:
            self.open_sealed(chosen)

    def open_sealed(self, path: Path) -> None:
        """Open a sealed file for the release; it stays as it is, and nothing of it is stored."""
        session, study = self._session, self._state.study
        self._say(self.open_step, ())
        try:
            ledger = session.accounts.ledger()
        except Refused as refused:
            self._say(self.open_step, refused.problems)
            return

        def work(_progress: Progress, _cancel: CancelToken) -> FoundCounts:
            return session.counting.open(path, study, ledger)

        self._opening.run(work, self._take, lambda found: self._refuse(found))
        self.render_state()

    def _take(self, found: FoundCounts) -> None:
        self._session.counting.take(found)
        self._session.refresh()
        self.counts_opened.emit()
        show_done(self, self.tr("The counts are open."))

    def _refuse(self, problems: Sequence[Problem]) -> None:
        self._say(self.open_step, problems)
        self.render_state()

    def forget(self) -> None:
        """Another study is open."""
        self._opening.drop()
        for step in (self.order_step, self.run_step, self.open_step):
            self._say(step, ())

    def _say(self, step: StepRow, problems: Sequence[Problem]) -> None:
        """One sentence at the step that it is about."""
        step.wrong.say(words.problem_sentence(problems[0]) if problems else "", Tone.ERROR)


class DropHint(QWidget):
    """Where a file can be dropped, as anywhere on the page; the button beside it does the same."""

    def __init__(self) -> None:
        super().__init__()
        self._text = quiet("")
        row = QHBoxLayout(self, spacing=Space.SMALL)
        row.setContentsMargins(Space.CARDS, Space.CARDS, Space.CARDS, Space.CARDS)
        row.addWidget(IconLabel("lock", size=Space.ICON_CHIP))
        row.addWidget(self._text, 1)

    def say(self, text: str) -> None:
        self._text.setText(text)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), Radius.ITEM, None, Role.CONTROL, dashed=True)
        painter.end()


def _inset(name: Label, about: Label) -> Card:
    around = Card(fill=Role.INSET)
    around.set_padding(Space.CARDS)
    row = QHBoxLayout(spacing=Space.CARDS)
    row.addWidget(name, 1)
    row.addWidget(about, 1)
    about.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    around.body.addLayout(row)
    return around


def _command_line(name: str) -> ShownLine:
    line = ShownLine()
    line.setFont(font(Type.TEXT, mono=True))
    line.setAccessibleName(name)
    return line


def _short(number: str) -> str:
    """The first digits of an order's number, to be told from others."""
    return f"{number[:4]} {number[4:8]}".upper()


def _quoted(name: str) -> str:
    """A file's name as a shell takes it, as it is where that is no question."""
    return shlex.quote(name)


def _days_since(stamp: str) -> int:
    made = datetime.strptime(stamp, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
    return max(0, (datetime.now(UTC) - made).days)
