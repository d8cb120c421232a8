# SPDX-License-Identifier: Apache-2.0
"""The first page: ways in, a place to drop a file, templates, recent studies with what is left."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.core.session import Session
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.pages.welcome.welcome_row import SIDE_WIDTH, RecentStudy, StartButton, TemplateRow
from dpdesk.desk.text import times, words
from dpdesk.desk.text.template_words import template_lines, template_names
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import (
    LOW_PAGE_BELOW,
    NO_MARGINS,
    UNLIMITED,
    Radius,
    Space,
    Type,
    font,
    scale,
)
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.heading import PAGE_LEVEL
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.card import Card, Hairline
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, heading, quiet
from dpdesk.desk.widgets.layouts.aligned import LINK_ROOM, AlignedRow
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.page import stacking
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.baseline.expansion import questions
from dpdesk.study.problem import Refused

NATIVE = QKeySequence.SequenceFormat.NativeText
"""Keys as the language and the system name them: Strg, ⌘."""
STACKED_BELOW, DROP_HEIGHT = 860, 112
MOST = 100
"""Of a row whose ends take one part each."""
LEAST_SIDE = 300
"""As narrow as the right side may become in a small window."""


class _Side(QWidget):
    """The right side: of one width, and narrower where the window is."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumWidth(LEAST_SIDE)
        self.setMaximumWidth(SIDE_WIDTH)

    def sizeHint(self) -> QSize:
        return QSize(SIDE_WIDTH, super().sizeHint().height())


class DropZone(QWidget):
    """Where a file can be dropped; the window takes the drop."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumHeight(round(DROP_HEIGHT * scale()))
        column = QVBoxLayout(self, spacing=Space.TIGHT)
        centre = Qt.AlignmentFlag.AlignHCenter
        column.addStretch(1)
        column.addWidget(IconLabel("drop", Role.ACCENT, 28), 0, centre)
        column.addWidget(heading(self.tr("Drop a data file here")), 0, centre)
        line = quiet(self.tr("It is read in place and never copied or changed."))
        line.setAlignment(centre)
        column.addWidget(line)
        column.addStretch(1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(color(Role.SURFACE))
        pen = QPen(color(Role.CONTROL), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        whole = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(whole, Radius.CARD, Radius.CARD)
        painter.end()


class WelcomePage(QWidget):
    """The first page.

    Signals:
        wanted: ``new``, ``open``, ``sample``, ``verify`` or ``sign``.
        study_picked: a recent study; carries its path.
        template_picked: a study of a usual release is to be begun; carries the template's name.
        tour_wanted: the tour is to begin.
    """

    wanted = Signal(str)
    study_picked = Signal(object)
    template_picked = Signal(str)
    tour_wanted = Signal()

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self._session = session
        self._settings = settings
        self._trouble = Banner(Tone.ERROR)
        self._trouble.hide()
        self._recent_head = heading(self.tr("Recent studies"))
        self._recent_card = Card()
        self._recent_card.set_padding(1)
        self._recent = self._recent_card.body
        self._recent.setSpacing(0)
        self.setAccessibleName(self.tr("Welcome"))
        outer = QVBoxLayout(self, spacing=0, contentsMargins=NO_MARGINS)
        self.scroll_area = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(self._build_middle())
        outer.addWidget(self.scroll_area, 1)
        outer.addWidget(Hairline())
        outer.addWidget(self._build_foot())

    def _build_middle(self) -> QWidget:
        middle = QWidget()
        column = self._middle = QVBoxLayout(middle)
        column.addStretch(2)
        row = self._sides = QBoxLayout(stacking(False), spacing=Space.CARDS)
        row.addStretch(1)
        row.addWidget(self._build_left())
        self._gap = QSpacerItem(2 * Space.PAGE, 0, QSizePolicy.Policy.Maximum)
        row.addSpacerItem(self._gap)
        row.addWidget(self._build_right())
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(3)
        return middle

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On the smallest screens the sides go below each other, and the ways come sooner.

        The window's title says the program's name there.
        """
        narrow = event.size().width() < round(STACKED_BELOW * scale())
        self._sides.setDirection(stacking(narrow))
        if not narrow:
            # A change of direction fixes the width of a spacer; this one gives way.
            self._gap.changeSize(2 * Space.PAGE, 0, QSizePolicy.Policy.Maximum)
        self._left.setMinimumWidth(0 if narrow else _left_width())
        self._left.setMaximumWidth(UNLIMITED if narrow else _left_width())
        self._right.setMaximumWidth(UNLIMITED if narrow else SIDE_WIDTH)
        # Below each other both sides begin where the link's words do, beside its ring.
        ring = LINK_ROOM if narrow else 0
        self._right_column.setContentsMargins(ring, 0, 0, 0)
        self._middle.setContentsMargins(Space.PAGE - ring, Space.CARDS, Space.PAGE, Space.CARDS)
        low = event.size().height() < round(LOW_PAGE_BELOW * scale())
        self._logo_line.setVisible(not low)
        self._claim.setFont(font(Type.TITLE if low else Type.HERO, semibold=True, tabular=True))
        if (layout := self._left.layout()) is not None:
            layout.invalidate()
        self._offline.setWordWrap(narrow)
        self._foot.setStretchFactor(self._offline, MOST if narrow else 0)
        super().resizeEvent(event)

    def _build_left(self) -> QWidget:
        left = self._left = QWidget()
        left.setFixedWidth(_left_width())
        column = QVBoxLayout(left, spacing=Space.CARDS - 2)
        column.setContentsMargins(LINK_ROOM, 0, 0, 0)
        self._logo_line = QWidget()
        name = QHBoxLayout(self._logo_line, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        name.addWidget(IconLabel("logo", Role.ACCENT, 40))
        name.addWidget(Label("dpdesk", Type.TITLE, semibold=True), 1)
        column.addWidget(self._logo_line)
        column.addSpacing(Space.SMALL)
        claim = self.tr("Turn patient data into figures\nthat may leave the building.")
        self._claim = Label(claim, Type.HERO, semibold=True, wrap=True)
        column.addWidget(headed(self._claim, PAGE_LEVEL))
        text = self.tr(
            "dpdesk adds measured noise to every figure, keeps all of them inside one privacy "
            "budget, and signs the result."
        )
        column.addWidget(Label(text, Type.CARD, Role.TEXT_QUIET, wrap=True))
        column.addWidget(self._trouble)
        column.addSpacing(Space.SMALL)
        ways = self._ways()
        self.first_way = ways[0]
        for way in ways:
            column.addWidget(way)
        self.first_time = link(self.tr("First time here? Take the tour"))
        self.first_time.clicked.connect(self.tour_wanted)
        words = AlignedRow(spacing=Space.PAGE)  # they begin where the ways above do
        words.addWidget(self.first_time)
        self.sign = link(self.tr("Sign a plan…"))
        self.sign.clicked.connect(lambda: self.wanted.emit("sign"))
        words.addWidget(self.sign)
        words.addStretch(1)
        column.addLayout(words)
        return left

    def _ways(self) -> list[StartButton]:
        new = QKeySequence(QKeySequence.StandardKey.New).toString(NATIVE)
        old = QKeySequence(QKeySequence.StandardKey.Open).toString(NATIVE)
        rows = [
            (
                "new",
                "file",
                self.tr("New study from a file…"),
                self.tr("CSV, Excel, Parquet, SPSS, Stata or SAS"),
                new,
            ),
            ("open", "folder", self.tr("Open a study…"), self.tr("A .dpdesk file"), old),
            (
                "sample",
                "flask",
                self.tr("Try the sample hospital"),
                self.tr("Made-up patients, real steps. Nothing to lose."),
                "",
            ),
            (
                "verify",
                "shield",
                self.tr("Verify a bundle…"),
                self.tr("Check figures that someone else has released"),
                QKeySequence("Ctrl+Shift+V").toString(NATIVE),
            ),
        ]
        ways = []
        for key, icon, name, second, shortcut in rows:
            way = StartButton(icon, name, second, shortcut, loud=key == "new")
            way.setObjectName(f"way-{key}")
            way.clicked.connect(lambda _on=False, key=key: self.wanted.emit(key))
            ways.append(way)
        return ways

    def _build_right(self) -> QWidget:
        right = self._right = _Side()
        column = self._right_column = QVBoxLayout(right, spacing=Space.SMALL)
        column.addWidget(DropZone())
        column.addSpacing(Space.SMALL)
        column.addWidget(heading(self.tr("New study from a template")))
        column.addWidget(self._build_templates())
        column.addSpacing(Space.SMALL)
        column.addWidget(self._recent_head)
        column.addWidget(self._recent_card)
        column.addStretch(1)
        return right

    def _build_templates(self) -> Card:
        card = Card()
        card.set_padding(1)
        card.body.setSpacing(0)
        lines = template_lines()
        for key, name in template_names().items():
            row = TemplateRow(name, lines[key])
            row.setObjectName(f"template-{key}")
            row.clicked.connect(partial(self._pick_template, key))
            card.body.addWidget(row)
        return card

    def _pick_template(self, name: str) -> None:
        self.template_picked.emit(name)

    def _build_foot(self) -> QWidget:
        foot = QWidget()
        row = self._foot = QHBoxLayout(foot)
        row.setContentsMargins(Space.CARDS, Space.CARDS, Space.CARDS, Space.CARDS)
        row.addStretch(1)
        row.addWidget(IconLabel("lock", size=Space.ICON_CHIP))
        text = self.tr(
            "dpdesk works offline. It opens no network connection, and nothing leaves this "
            "computer until you export it."
        )
        self._offline = quiet(text)  # one line, but where the page is narrow
        self._offline.setWordWrap(False)
        row.addWidget(self._offline)
        row.addStretch(1)
        return foot

    def render_state(self) -> None:
        empty(self._recent)
        self._trouble.hide()
        paths = self._settings.recent[:4]
        self.first_time.setVisible(not self._settings.tour_seen and not paths)
        self._recent_head.setVisible(bool(paths))
        self._recent_card.setVisible(bool(paths))
        if paths:
            self._session.reread_accounts()
        for path in paths:
            if (row := self._row(path)) is not None:
                if self._recent.count():
                    self._recent.addWidget(Hairline())
                self._recent.addWidget(row)

    def _row(self, path: Path) -> RecentStudy | None:
        try:
            study = load_study(path).study
        except Refused:
            return None
        name = study.budget.account if study.budget else ""
        account = next((a for a in self._session.accounts.states if a.name == name), None)
        left = planned = ""
        spent = 0.0
        if account is not None:
            left = self.tr("{0} remaining").format(words.budget(account.left))
            spent = account.spent.units / max(1, account.total.units)
        if study.queries:
            planned = self.tr("%n quer(y|ies)", "", len(questions(study)))
        second = ", ".join(part for part in (study.organisation, _changed(path)) if part)
        row = RecentStudy(study.title or path.stem, second, left, planned, spent)
        row.clicked.connect(lambda: self.study_picked.emit(path))
        return row

    def focus_first(self) -> None:
        """Give the first way in the keyboard, with the page at its top."""
        self.first_way.setFocus()
        self.scroll_area.verticalScrollBar().setValue(0)

    def report(self, text: str) -> None:
        self._trouble.say("", text)
        self._trouble.setVisible(bool(text))


def _changed(path: Path) -> str:
    """When a study was changed last, as its file says; a study is saved with each change."""
    try:
        moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return ""
    if moment.astimezone().date() == datetime.now().astimezone().date():
        return tr("WelcomePage", "changed today")
    stamp = times.day(f"{moment:%Y-%m-%dT%H:%MZ}", brief=True)
    return tr("WelcomePage", "changed {0}").format(stamp)


def _left_width() -> int:
    return round((SIDE_WIDTH + Space.CARD) * scale()) + LINK_ROOM
