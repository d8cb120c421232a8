# SPDX-License-Identifier: Apache-2.0
"""Every page of the window, declared once.

Rail, menus, shortcuts, gauge, way back, help and what is made ready after the start follow from
these declarations. A page is imported when it is first made: plots, noise and the ledger come with
the pages, and the window shows without them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from importlib import import_module
from typing import Final, cast

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text.translating import tr

PageClass = Callable[[Session], StepPage]


class Rail(Enum):
    """The place of a page in the rail."""

    STEP = auto()
    """An item with how far the step is."""
    BELOW = auto()
    """An item below the steps."""
    NONE = auto()
    """No item: another page or the menu Tools opens it, and its way back leads there."""


class Gauge(Enum):
    """What the gauge shows beside a page."""

    PLAN = auto()
    """What the plan costs."""
    ACCOUNT = auto()
    """The same, beside the page where the account is chosen."""
    QUERIES = auto()
    """The same, with the share of the query that is open."""
    RELEASE = auto()
    """What the release on show has cost, while there is one."""
    RELEASES = auto()
    """What the account's last releases have cost: the page is about these, not about a plan."""


@dataclass(frozen=True)
class PageDeclaration:
    """A page of the window.

    Attributes:
        key: the name of its folder beside this file, in which ``page.py`` has its class.
        class_name: of its class.
        title: what it is called, in the language of now.
        handbook_page: the key of the page of the handbook about it.
        icon: of its item in the rail.
        rail: its place in the rail.
        within: without an item, the page whose item is marked meanwhile, and to which the way back
            leads where nothing else opened it; empty for none.
        gauge: what the gauge shows beside it.
        shortcut: the keys that open it; pages of the rail with keys stand in the menu View.
        tool: what it is called in the menu Tools, where it is there.
        needs_study: whether it is about the study that is open.
    """

    key: str
    class_name: str
    title: Callable[[], str]
    handbook_page: str
    icon: str = ""
    rail: Rail = Rail.STEP
    within: str = ""
    gauge: Gauge = Gauge.PLAN
    shortcut: str = ""
    tool: Callable[[], str] | None = None
    needs_study: bool = True

    def load(self) -> PageClass:
        module = import_module(f"dpdesk.desk.pages.{self.key}.page")
        return cast(PageClass, getattr(module, self.class_name))


_DECLARED: Final = (
    PageDeclaration(
        "data",
        "DataPage",
        lambda: tr("PageTitle", "Data"),
        handbook_page="data",
        icon="table",
        shortcut="Ctrl+1",
    ),
    PageDeclaration(
        "people",
        "PeoplePage",
        lambda: tr("PageTitle", "People"),
        handbook_page="people",
        icon="people",
        gauge=Gauge.ACCOUNT,
        shortcut="Ctrl+2",
    ),
    PageDeclaration(
        "columns",
        "ColumnsPage",
        lambda: tr("PageTitle", "Columns"),
        handbook_page="columns",
        icon="columns",
        shortcut="Ctrl+3",
    ),
    PageDeclaration(
        "queries",
        "QueriesPage",
        lambda: tr("PageTitle", "Queries"),
        handbook_page="queries",
        icon="chart",
        gauge=Gauge.QUERIES,
        shortcut="Ctrl+4",
    ),
    PageDeclaration(
        "release",
        "ReleasePage",
        lambda: tr("PageTitle", "Release"),
        handbook_page="release",
        icon="stamp",
        gauge=Gauge.RELEASE,
        shortcut="Ctrl+5",
    ),
    PageDeclaration(
        "history",
        "HistoryPage",
        lambda: tr("PageTitle", "History"),
        handbook_page="history",
        icon="history",
        rail=Rail.BELOW,
        gauge=Gauge.RELEASES,
        needs_study=False,
        shortcut="Ctrl+6",
    ),
    PageDeclaration(
        "verify",
        "VerifyPage",
        lambda: tr("PageTitle", "Verify"),
        handbook_page="verify",
        icon="shield",
        rail=Rail.BELOW,
        gauge=Gauge.RELEASES,
        needs_study=False,
    ),
    PageDeclaration(
        "rehearsal",
        "RehearsalPage",
        lambda: tr("PageTitle", "Rehearsal"),
        handbook_page="rehearsal",
        rail=Rail.NONE,
        within="queries",
        shortcut="Ctrl+R",
        tool=lambda: tr("PageTitle", "Re&hearse on made-up rows"),
    ),
    PageDeclaration(
        "comparison",
        "ComparisonPage",
        lambda: tr("PageTitle", "Compare"),
        handbook_page="comparison",
        rail=Rail.NONE,
        within="history",
        gauge=Gauge.RELEASES,
        needs_study=False,
    ),
    PageDeclaration(
        "keys",
        "KeyPage",
        lambda: tr("PageTitle", "Signing key"),
        handbook_page="signing-key",
        rail=Rail.NONE,
        gauge=Gauge.RELEASES,
        needs_study=False,
        tool=lambda: tr("PageTitle", "&Signing key…"),
    ),
)
PAGES: Final = {page.key: page for page in _DECLARED}
"""By their keys, in the order of the rail and of the menus."""
