# SPDX-License-Identifier: Apache-2.0
"""What makes each page of the window.

A page is imported when it is first made: plots, noise and the ledger come with the pages, and the
window shows without them.
"""

from __future__ import annotations

from collections.abc import Callable

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.step_page import StepPage


def make_page(key: str, session: Session) -> StepPage:
    """The page of a key."""
    return _KINDS[key]()(session)


def import_page(key: str) -> None:
    """Import the page of a key, so that making it does not have to."""
    _KINDS[key]()


PageKind = Callable[[Session], StepPage]


def _data() -> PageKind:
    from dpdesk.desk.pages.data.page import DataPage

    return DataPage


def _people() -> PageKind:
    from dpdesk.desk.pages.people.page import PeoplePage

    return PeoplePage


def _columns() -> PageKind:
    from dpdesk.desk.pages.columns.page import ColumnsPage

    return ColumnsPage


def _queries() -> PageKind:
    from dpdesk.desk.pages.queries.page import QueriesPage

    return QueriesPage


def _rehearsal() -> PageKind:
    from dpdesk.desk.pages.rehearsal.page import RehearsalPage

    return RehearsalPage


def _release() -> PageKind:
    from dpdesk.desk.pages.release.page import ReleasePage

    return ReleasePage


def _comparison() -> PageKind:
    from dpdesk.desk.pages.comparison.page import ComparisonPage

    return ComparisonPage


def _history() -> PageKind:
    from dpdesk.desk.pages.history.page import HistoryPage

    return HistoryPage


def _key() -> PageKind:
    from dpdesk.desk.pages.keys.page import KeyPage

    return KeyPage


def _verify() -> PageKind:
    from dpdesk.desk.pages.verify.page import VerifyPage

    return VerifyPage


_KINDS: dict[str, Callable[[], PageKind]] = {
    "data": _data,
    "people": _people,
    "columns": _columns,
    "queries": _queries,
    "rehearsal": _rehearsal,
    "release": _release,
    "history": _history,
    "verify": _verify,
    "comparison": _comparison,
    "key": _key,
}
PAGES = tuple(_KINDS)
