# SPDX-License-Identifier: Apache-2.0
"""What Verify answers: one line a question, and the answer of answers above them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.accessibility.heading import CARD_LEVEL
from dpdesk.desk.widgets.accessibility.role import set_role_of
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed
from dpdesk.desk.widgets.layouts.aligned import AlignedColumn
from dpdesk.release.signing.fingerprint import to_read_out

NOTHING = "–"
"""The verdict of a question that could not be asked."""


class VerifyAnswer(QWidget):
    """One of the answers: a mark, what was asked, what was found, the verdict.

    Attributes:
        body: below what was found, as wide as it.
        below: below everything, as wide as the words and the verdict together.
    """

    def __init__(self, question: str) -> None:
        super().__init__()
        set_role_of(self, QAccessible.Role.Grouping)
        self._icon = IconLabel("check-circle", Role.OK, Space.ICON + 2)
        self.name = ElidedLabel(role=Role.TEXT_QUIET)
        self._found = Label(role=Role.TEXT_QUIET, wrap=True, whole=True)
        self._key = Label(role=Role.TEXT_QUIET, mono=True, wrap=True)
        # What a stranger wrote is clipped sooner than it pushes the verdict off the page.
        for label in (self._found, self._key):
            policy = label.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            label.setSizePolicy(policy)
        self._verdict = Label(semibold=True)
        self._question = question
        self.body = AlignedColumn(spacing=Space.TIGHT)
        self.below = QVBoxLayout()
        self.below.setContentsMargins(Space.ICON + 2 + Space.CARDS, 0, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.SMALL, 0, Space.SMALL)
        column.setSpacing(Space.SMALL)
        row = QHBoxLayout(spacing=Space.CARDS)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addWidget(headed(Label(question, semibold=True)))
        self.body.addWidget(self.name)
        self.body.addWidget(self._key)
        self.body.addWidget(self._found)
        row.addLayout(self.body, 1)
        row.addWidget(self._verdict, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(row)
        column.addLayout(self.below)

    def say(
        self, good: bool | None, answer: str, verdict: str, name: str = "", fingerprint: str = ""
    ) -> None:
        """Show an answer; ``None``: it is left open. A name and a key have lines of their own."""
        icon, role = ("check-circle", Role.OK) if good else ("cross-circle", Role.DANGER)
        if good is None:
            icon, role = "alert", Role.WARN
        self._show(icon, role, answer, verdict, name, fingerprint)

    def say_unasked(self, answer: str, verdict: str = NOTHING) -> None:
        """Say why there is no answer: nothing is wrong with what was not asked."""
        self._show("minus-circle", Role.TEXT_QUIET, answer, verdict)

    def _show(
        self,
        icon: str,
        role: Role,
        answer: str,
        verdict: str,
        name: str = "",
        fingerprint: str = "",
    ) -> None:
        self._icon.set_icon(icon, role)
        self.name.setText(name)
        self.name.setVisible(bool(name))
        self._key.setText(to_read_out(fingerprint) if fingerprint else "")
        self._key.setToolTip(fingerprint)
        self._key.setVisible(bool(fingerprint))
        self._found.setText(answer)
        self._found.setVisible(bool(answer))
        self._verdict.setText(verdict)
        self._verdict.set_role(role)
        key = self.tr("Key {0}").format(fingerprint) if fingerprint else ""
        said = ". ".join(part for part in (name, key, answer) if part)
        heard = self.tr("not answered") if verdict == NOTHING else verdict
        self.setAccessibleName(f"{self._question}: {heard}. {said}")


class Verdict(Card):
    """The answer of answers."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("shield", Role.OK, Space.GAP + Space.SMALL)
        self.verdict = headed(Label(size=Type.HEADING, semibold=True, wrap=True), CARD_LEVEL)
        self._text = Label(wrap=True)
        row = QHBoxLayout(spacing=Space.CARD)
        row.addWidget(self._icon)
        column = QVBoxLayout(spacing=Space.TIGHT)
        column.addWidget(self.verdict)
        column.addWidget(self._text)
        row.addLayout(column, 1)
        self.body.addLayout(row)

    def say(self, good: bool | None, title: str, text: str) -> None:
        """Show the verdict; ``None``: nothing is wrong, something is still to be done."""
        fill, border = (Role.OK_TINT, Role.OK) if good else (Role.DANGER_TINT, Role.DANGER)
        icon = "shield" if good else "shield-cross"
        if good is None:
            icon, fill, border = "alert", Role.WARN_TINT, Role.WARN
        self.set_look(fill, border)
        self._icon.set_icon(icon, border)
        self.verdict.setText(title)
        self._text.setText(text)
        self.setAccessibleName(f"{title}. {text}")
        announce(self, self.accessibleName())
