# SPDX-License-Identifier: Apache-2.0
"""The budget panel: gauge, legend, what it means, and the plan's shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.budget.gauge import RELEASED_LINE, BudgetGauge, GaugeParts
from dpdesk.desk.widgets.card import Hairline
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, heading, quiet
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.painting import box, hatching

SWATCH = 14
SIDE = Space.GAP - 2


AT_ONCE = 8
"""So many lines of the plan, as a screen holds, are there at once; the others follow."""
END_MARK = 2
"""Width of the mark at the end of a bar of more than there is."""
END_OF_BAR = 0.05
"""So much of a bar shows at least that its share is larger than the total."""
LONGEST_NAME = 72
"""So many characters of a query's name are shown in the list."""
LEAST_NAME = 12
"""So many letters have room beside an amount: a longer word is broken."""


@dataclass(frozen=True)
class PlanShare:
    """One line of the plan: a name and what it costs, in parts of the account's measure.

    Attributes:
        is_free: the ledger has the answer, or another line pays for it.
    """

    name: str
    units: int
    selected: bool = False
    is_free: bool = False


@dataclass(frozen=True)
class PanelText:
    """What the panel says beside the numbers.

    Attributes:
        account: the account's name; empty: no account yet.
        guess: what the budget means, as rich text.
        shares_title: heading of the shares.
        shares_empty: what is there without shares.
        after_release: the gauge shows what a release has spent.
        title: above what the budget means, where there is none yet.
    """

    account: str = ""
    guess: str = ""
    shares_title: str = ""
    shares_empty: str = ""
    after_release: bool = False
    title: str = ""


class Swatch(QWidget):
    """A small square that repeats a pattern of the gauge."""

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self.setFixedSize(QSize(SWATCH, SWATCH))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        if self._kind == "left":
            box(painter, whole, 3, Role.TRACK, Role.CONTROL)
        elif self._kind == "reserved":
            box(painter, whole, 3, Role.TINT, Role.ACCENT)
        elif self._kind in ("spent", "released"):
            box(painter, whole, 3, Role.ACCENT)
            if self._kind == "released":
                stripe = QRectF(
                    3, whole.center().y() - RELEASED_LINE / 2, SWATCH - 6, RELEASED_LINE
                )
                painter.fillRect(stripe, color(Role.SURFACE))
        else:
            over = self._kind == "over"
            role = Role.DANGER if over else Role.ACCENT
            box(painter, whole, 3, Role.SURFACE, role)
            painter.setBrush(hatching(role, Role.SURFACE, over, self.devicePixelRatioF()))
            painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 2, 2)
        painter.end()


class ShareBar(QWidget):
    """A thin bar: a share of the total, and crossed what of it there is no budget for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share, self._most = 0.0, 1.0
        self.setFixedHeight(Space.LABEL)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_share(self, share: float, most: float) -> None:
        """Show a share of the total, of which so much is there."""
        self._share = min(1.0, max(0.0, share))
        # A share that is larger than all there ever was is crossed at its end, too.
        self._most = min(most, 1.0 - END_OF_BAR) if share > 1.0 else most
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint track and share; what is over looks as it does in the gauge."""
        painter = QPainter(self)
        whole = QRectF(self.rect())
        painter.fillRect(whole, color(Role.TRACK))
        part = whole.adjusted(0, 0, (min(self._share, self._most) - 1) * whole.width(), 0)
        painter.fillRect(part, color(Role.ACCENT))
        if self._share > self._most:
            over = whole.adjusted(part.width(), 0, (self._share - 1) * whole.width(), 0)
            crossed = hatching(Role.DANGER, Role.SURFACE, True, self.devicePixelRatioF())
            painter.fillRect(over, crossed)
            painter.fillRect(over.adjusted(over.width() - END_MARK, 0, 0, 0), color(Role.DANGER))
        painter.end()


class ShareLine(QWidget):
    """A query of the plan: its name, what it costs, and that as a bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: object = None
        # Columns are called in one word of any length: it is broken, or the panel is cut.
        self._name = Label(wrap=True, whole=True)
        self._name.least_letters = LEAST_NAME
        self._cost = Label()
        self._bar = ShareBar()
        line = QHBoxLayout()
        line.addWidget(self._name, 1)
        line.addWidget(self._cost)
        column = QVBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        column.addLayout(line)
        column.addWidget(self._bar)

    def show_share(self, share: PlanShare, parts: GaugeParts) -> None:
        """Show a query; its name in two or three lines, the whole of it in the tooltip."""
        most = parts.total - parts.spent - parts.reserved - parts.released
        is_over = bool(parts.planned) and not share.is_free and share.units > most
        key = (share, parts.total, parts.measure, most if is_over else None)
        if key == self._shown:
            return
        self._shown = key
        name = share.name
        short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"
        self._name.setText(short)
        self._name.setToolTip(name if short != name else "")
        self._name.setAccessibleName(name if short != name else "")
        self._cost.setText(self.tr("no cost") if share.is_free else parts.text(share.units))
        for label in (self._name, self._cost):
            label.set_semibold(share.selected)
        self._cost.set_role(Role.DANGER if is_over else Role.TEXT)
        total = parts.total or 1
        self._bar.set_share(share.units / total, max(0, most) / total if is_over else 1.0)


class BudgetPanel(QWidget):
    """The right side of the window: always there, always live.

    Attributes:
        gauge: the arc.

    Signals:
        pressed: the strip was pressed, to open the panel.
    """

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gauge = BudgetGauge()
        self._account_icon = IconLabel("link", size=Space.ICON_CHIP)
        self._account = Label("", Type.QUIET, Role.TEXT_QUIET, wrap=True, whole=True)
        self._account.least_letters = LEAST_NAME
        self._legend = QGridLayout(horizontalSpacing=Space.SMALL, verticalSpacing=Space.SMALL)
        self._guess_title = headed(Label(semibold=True, wrap=True))
        self._guess = Label(wrap=True, rich=True)
        self._above_shares = Hairline()
        self._shares_title = headed(Label(semibold=True, wrap=True))
        self._shares_of = quiet()
        self._shares_of.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._shares = QVBoxLayout(spacing=Space.SMALL)
        self._shares_empty = quiet()
        self._amounts: dict[tuple[str, str], Label] = {}
        self._lines: list[ShareLine] = []
        self._coming = IdleSteps(self)
        self._key: object = None
        self._build()
        self.setAccessibleName(self.tr("Budget"))

    def _build(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(SIDE, Space.CARD, SIDE, Space.CARDS)
        column.setSpacing(Space.SMALL)
        column.addWidget(heading(self.tr("Budget")))
        line = QHBoxLayout(spacing=Space.TIGHT)
        line.addWidget(self._account_icon)
        line.addWidget(self._account, 1)
        column.addLayout(line)
        column.addSpacing(Space.SMALL)
        column.addWidget(self.gauge)
        column.addLayout(self._legend)
        column.addWidget(Hairline())
        column.addWidget(self._guess_title)
        column.addWidget(self._guess)
        column.addWidget(self._above_shares)
        head = QHBoxLayout()
        head.addWidget(self._shares_title, 1)
        head.addWidget(self._shares_of)
        column.addLayout(head)
        column.addWidget(self._shares_empty)
        column.addLayout(self._shares)
        column.addStretch(1)
        scroll = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.viewport().setAutoFillBackground(False)
        scroll.setWidget(inner)
        inner.setAutoFillBackground(False)
        self._scroll, self._column = scroll, column
        scroll.viewport().installEventFilter(self)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(Space.HAIR, 0, 0, 0)
        outer.addWidget(scroll)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A scroll bar takes its room from the margin: the arc stays where it is."""
        if event.type() == QEvent.Type.Resize and watched is self._scroll.viewport():
            bar = self._scroll.width() - self._scroll.viewport().width()
            margins = self._column.contentsMargins()
            margins.setRight(SIDE - bar)
            self._column.setContentsMargins(margins)
        return super().eventFilter(watched, event)

    def set_narrow(self, narrow: bool) -> None:
        """Use the narrower form of small windows."""
        self.setFixedWidth(Space.PANEL_NARROW if narrow else Space.PANEL)
        self.gauge.set_scale(0.86 if narrow else 1.0)

    def show_budget(
        self, parts: GaugeParts, text: PanelText, shares: tuple[PlanShare, ...]
    ) -> None:
        """Show amounts, their meaning, and the plan's shares."""
        self.gauge.set_parts(parts)
        key = (parts, text, shares)
        if key == self._key:
            return
        self._key = key
        has_account = bool(text.account)
        self._account_icon.setVisible(has_account)
        self._account.setText(text.account or self.tr("No account yet"))
        self._guess_title.setText(text.title)
        self._guess_title.setVisible(bool(text.title))
        self._guess.setText(text.guess)
        # Without an account nothing follows that a line would part.
        self._above_shares.setVisible(has_account)
        self._show_legend(parts if has_account else GaugeParts(), text.after_release)
        self._show_shares(parts, text, shares)

    def _show_legend(self, parts: GaugeParts, after_release: bool) -> None:
        rows = self._legend_rows(parts, after_release) if parts.total else []
        heads = [(kind, name) for kind, name, _units in rows]
        # Most edits change amounts alone: lines that are made anew are laid out anew.
        if heads != list(self._amounts):
            self._amounts = self._new_legend(heads)
        for kind, name, units in rows:
            self._amounts[kind, name].setText(parts.text(units))

    def _new_legend(self, heads: list[tuple[str, str]]) -> dict[tuple[str, str], Label]:
        """Other lines, whose amounts are still to be set."""
        empty(self._legend)
        amounts = {head: Label(semibold=True) for head in heads}
        for row, ((kind, name), amount) in enumerate(amounts.items()):
            self._legend.addWidget(Swatch(kind), row, 0)
            self._legend.addWidget(Label(name, wrap=True), row, 1)
            self._legend.addWidget(amount, row, 2)
        self._legend.setColumnStretch(1, 1)
        return amounts

    def _legend_rows(self, parts: GaugeParts, after_release: bool) -> list[tuple[str, str, int]]:
        held = [("reserved", self.tr("Reserved for series"), parts.reserved)]
        held = held if parts.reserved else []
        if after_release:
            return [
                ("spent", self.tr("Spent before"), parts.spent),
                ("released", self.tr("Spent by this release"), parts.released),
                *held,
                ("left", self.tr("Remaining"), parts.left),
            ]
        rows = [
            ("spent", self.tr("Spent"), parts.spent),
            *held,
            ("planned", self.tr("Planned, not released"), parts.planned),
        ]
        if parts.left < 0:
            return [*rows, ("over", self.tr("Over by"), -parts.left)]
        left = self.tr("Remaining after this plan") if parts.planned else self.tr("Remaining")
        return [*rows, ("left", left, parts.left)]

    def _show_shares(
        self, parts: GaugeParts, text: PanelText, shares: tuple[PlanShare, ...]
    ) -> None:
        self._shares_title.setText(text.shares_title)
        of = self.tr("share of {0}").format(parts.text(parts.total)) if parts.total else ""
        self._shares_of.setText(of)
        self._shares_empty.setText(text.shares_empty)
        self._shares_empty.setVisible(not shares)
        # A line is made once, for every edit and every move of a handle changes some of them.
        for line in self._lines[len(shares) :]:
            self._shares.removeWidget(line)
            line.hide()
            line.deleteLater()
        del self._lines[len(shares) :]
        for line, share in zip(self._lines, shares, strict=False):
            line.show_share(share, parts)
        self._coming.stop()
        if len(self._lines) < len(shares):
            others = self._add_lines(shares[len(self._lines) :], parts)
            for _ in islice(others, AT_ONCE):
                pass
            self._coming.begin(others)

    def _add_lines(self, shares: tuple[PlanShare, ...], parts: GaugeParts) -> Iterator[None]:
        """Add the lines that are not there, one a step."""
        for share in shares:
            line = ShareLine()
            line.show_share(share, parts)
            self._lines.append(line)
            self._shares.addWidget(line)
            yield

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pressing anywhere counts, for the strip form."""
        self.pressed.emit()
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.SURFACE))
        painter.fillRect(0, 0, Space.HAIR, self.height(), color(Role.LINE))
        painter.end()
