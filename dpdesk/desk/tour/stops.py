# SPDX-License-Identifier: Apache-2.0
"""Where the tour stops: on the first page, and on the pages of an open study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.accuracy_handle import AccuracyHandle

Target = Callable[[MainWindow], QWidget | None]


@dataclass(frozen=True)
class Stop:
    """One callout.

    Attributes:
        page: key of the page that it is on; empty for the first page, where no study is open.
        title: its first words.
        text: what is said.
        target: what it points at; ``None`` where that is not there.
    """

    page: str
    title: str
    text: str
    target: Target


def welcome_stops() -> tuple[Stop, ...]:
    """What is said while no study is open."""
    return (
        Stop(
            "",
            tr("Tour", "From a file to figures"),
            tr(
                "Tour",
                "A study begins with a data file. dpdesk reads it in place and never changes it. "
                "You can also drop one on the window.",
            ),
            lambda window: window.welcome.findChild(QWidget, "way-new"),
        ),
        Stop(
            "",
            tr("Tour", "Nothing to lose here"),
            tr(
                "Tour",
                "The sample hospital has made-up patients and a budget of its own. Open it, and "
                "the tour goes on through the five steps.",
            ),
            lambda window: window.welcome.findChild(QWidget, "way-sample"),
        ),
    )


def study_stops() -> tuple[Stop, ...]:
    """What is said of an open study, in the order of its steps."""
    return (*_declaring_stops(), *_releasing_stops())


def _declaring_stops() -> tuple[Stop, ...]:
    return (
        Stop(
            "data",
            tr("Tour", "Data: how the file is read"),
            tr(
                "Tour",
                "Press what is wrong to correct it. Rows stay masked until you ask for them; "
                "dpdesk looks up none of your later choices in them.",
            ),
            _chips,
        ),
        Stop(
            "people",
            tr("Tour", "People: whose privacy"),
            tr(
                "Tour",
                "The fewer rows of one person count, the less noise hides them. All releases "
                "about these people share the budget below.",
            ),
            _rows_per_person,
        ),
        Stop(
            "columns",
            tr("Tour", "Columns: what values can be"),
            tr(
                "Tour",
                "Bounds and lists come from a codebook, a table of clinical ranges or your own "
                "knowledge, never from the data.",
            ),
            _column_list,
        ),
    )


def _releasing_stops() -> tuple[Stop, ...]:
    return (
        Stop(
            "queries",
            tr("Tour", "Queries: accuracy against budget"),
            tr(
                "Tour",
                "Each query is a sentence with its margin. Move the handle: more budget, less "
                "noise. dpdesk reads no data for it.",
            ),
            _handle,
        ),
        Stop(
            "queries",
            tr("Tour", "The budget, always in sight"),
            tr(
                "Tour",
                "Spent is solid, planned is hatched, the rest remains. What is spent never comes "
                "back.",
            ),
            _gauge,
        ),
        Stop(
            "release",
            tr("Tour", "Release: the one step that spends"),
            tr(
                "Tour",
                "dpdesk asks first and names the amounts. Then it shows the figures, which you "
                "export as a signed bundle. The tour is in the Help menu.",
            ),
            lambda window: window.pages["release"].footer,
        ),
    )


def _chips(window: MainWindow) -> QWidget | None:
    page = window.pages["data"]
    return page.chips if isinstance(page, DataPage) else None


def _rows_per_person(window: MainWindow) -> QWidget | None:
    page = window.pages["people"]
    return page.max_rows if isinstance(page, PeoplePage) else None


def _column_list(window: MainWindow) -> QWidget | None:
    page = window.pages["columns"]
    return page.list if isinstance(page, ColumnsPage) else None


def _handle(window: MainWindow) -> QWidget | None:
    page = window.pages["queries"]
    if not isinstance(page, QueriesPage) or not page.state.study.queries:
        return page.empty if isinstance(page, QueriesPage) else None
    handles = page.findChildren(AccuracyHandle)
    return next((handle for handle in handles if handle.isVisible()), None)


def _gauge(window: MainWindow) -> QWidget | None:
    return window.panel.gauge if window.panel.isVisible() else window.strip
