# SPDX-License-Identifier: Apache-2.0
"""What the pages of the steps share: they render one state and ask to go elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal

from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.widgets.page import Page
from dpdesk.study.model.amount import Share


class StepPage(Page):
    """A page of the window.

    Attributes:
        session: the window's work.
        title: what it is called.

    Signals:
        go_to: another page is wanted; carries its key.
        column_wanted: a column's declaration is to be changed; carries its name.
        query_wanted: a query is to be shown; carries its id.
        size_wanted: about how large a query's groups are is to be typed; carries its id.
        title_wanted: the study is to be given a title.
        extract_wanted: the extract is to be named again.
        account_wanted: an account is to pay; carries its name, empty for a new one.
        bundle_wanted: a bundle is to be verified; carries its path.
        key_backup_wanted: a backup in a file is wanted, with the signing key.
        help_wanted: a page of the handbook is wanted; carries its key.
        compare_wanted: a release is to be compared with an earlier one; carries its entry.
        shown_changed: what is selected on it, or whether it shows a release, has changed.
    """

    go_to = Signal(str)
    column_wanted = Signal(str)
    query_wanted = Signal(str)
    size_wanted = Signal(str)
    title_wanted = Signal()
    extract_wanted = Signal()
    account_wanted = Signal(str)
    bundle_wanted = Signal(object)
    key_backup_wanted = Signal()
    help_wanted = Signal(str)
    compare_wanted = Signal(int)
    shown_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.title = ""

    def name(self, title: str) -> None:
        self.title = title
        self.set_title(title)

    @property
    def state(self) -> DeskState:
        return self.session.state

    @property
    def selected(self) -> str:
        """Name or id of what is selected; empty while nothing is."""
        return ""

    @property
    def is_of_the_study(self) -> bool:
        """Whether a release of the study as it is now is on show."""
        return False

    @property
    def released_shares(self) -> Mapping[str, Share] | None:
        """What each query of the release on show has cost; ``None`` while there is none."""
        return None

    def render_state(self) -> None:
        """Show the session's state; called after every change while the page is on show."""

    def forget(self) -> None:
        """Called when another study is opened: drop what belongs to the one before."""

    def enter(self) -> None:
        """Called when the page comes on show, before :meth:`render_state`."""

    def memory(self) -> object:
        """What a page that is made again in another language cannot know from the session.

        Returns:
            what :meth:`recall` takes; ``None`` where there is nothing.
        """
        return None

    def make_ready_to_recall(self) -> None:
        """Make the parts that :meth:`recall` fills, in a turn of their own."""

    def recall(self, memory: Any) -> None:
        """Show again what the page showed in whose place this one is made.

        Args:
            memory: what that page's :meth:`memory` was.
        """

    def recall_others(self, memory: Any) -> None:
        """Show again what of it belongs to no study: another one was opened since.

        Args:
            memory: what that page's :meth:`memory` was.
        """
