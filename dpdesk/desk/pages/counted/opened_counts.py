# SPDX-License-Identifier: Apache-2.0
"""What was opened: who counted, the SHA-256 to be compared, and whose people these are.

Neither a count nor anything else that was sealed is shown, but for the database's own name.
"""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.counted.separate_dialog import SeparatePeopleDialog
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.contents import empty


class OpenedCountsView(QWidget):
    """Shown where they were opened, and at the release in place of the check of a file.

    Attributes:
        digest: the SHA-256 of the sealed file.
        asked: by account, the question whether these are its people.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._who = Label("", wrap=True)
        self.digest = Label("", Type.TEXT, mono=True, wrap=True, whole=True)
        frame = Card(fill=Role.INSET)
        frame.set_padding(Space.CARDS)
        frame.setAccessibleName(self.tr("SHA-256 of the sealed file"))
        frame.body.addWidget(self.digest)
        self.asked: dict[str, Banner] = {}
        self._questions = QVBoxLayout(spacing=Space.SMALL)
        self.dialog: SeparatePeopleDialog | None = None
        column = QVBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        column.addWidget(self._who)
        column.addWidget(frame)
        hint = self.tr(
            "Sealing hides the counts; it does not say who made them. Compare the SHA-256 with the "
            "one that the runner printed. If it differs, do not release."
        )
        column.addWidget(quiet(hint))
        column.addLayout(self._questions)

    def render_state(self) -> None:
        """Show what is open for the study as it is now."""
        counting = self._session.counting
        counts = counting.counts_of(self._session.state.study)
        self.setVisible(counts is not None)
        if counts is None:
            return
        self._who.setText(self.tr("{0} counted. SHA-256 of the sealed file:").format(counts.engine))
        self.digest.setText(counts.digest)
        if set(self.asked) != counting.undecided:
            self._ask(sorted(counting.undecided))

    def _ask(self, accounts: list[str]) -> None:
        empty(self._questions)
        self.asked = {}
        for account in accounts:
            banner = Banner(
                Tone.ATTENTION,
                self.tr("Whose people are these?"),
                self.tr(
                    "dpdesk cannot tell by counts. If they are those of “{0}”, choose that account "
                    "in People; else say so here."
                ).format(account),
                self.tr("They are other people…"),
                "people",
            )
            banner.action.setAccessibleDescription(account)
            banner.action_pressed.connect(lambda account=account: self.ask_separate(account))
            self.asked[account] = banner
            self._questions.addWidget(banner)
            banner.show()

    def ask_separate(self, account: str) -> SeparatePeopleDialog:
        """Ask why these are other people than an account's; the release records the answer."""
        self.dialog = SeparatePeopleDialog(self, account, counted=True)
        self.dialog.declared.connect(lambda why: self._separate(account, why))
        self.dialog.open()
        return self.dialog

    def _separate(self, account: str, why: str) -> None:
        self._session.counting.separate(account, why)
        self._session.refresh()
