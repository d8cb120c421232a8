# SPDX-License-Identifier: Apache-2.0
"""In place of the check of a file: what a database counted, and what nobody can check."""

from __future__ import annotations

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.counted.opened_counts import OpenedCountsView
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import quiet


class CountedCard(Card):
    """Shown where the study's data is in a database."""

    def __init__(self, session: Session) -> None:
        super().__init__(tr("CountedCard", "Counted in a database"))
        self._session = session
        text = self.tr(
            "No file is read. So nothing is checked against a file, and nobody recognises the "
            "people; the counts serve for this release alone."
        )
        self.body.addWidget(quiet(text))
        self.opened = OpenedCountsView(session)
        self.body.addWidget(self.opened)

    def render_state(self) -> None:
        """Show it where it applies."""
        self.setVisible(self._session.state.in_database)
        self.opened.render_state()
