# SPDX-License-Identifier: Apache-2.0
"""After any edit a window shows what one shows that is opened on the same study afterwards.

Each key renders only what the edit changed. Whatever depends on an edit and were left as it was
would stand in the old window alone: every text on show is compared, seen, spoken and pointed at.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.edits import query_edits, study_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.widgets.labels.banner import Banner
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import STATISTICS
from tests.audit.length import examples
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.releasing import do_release
from tests.desk.screens import settle, texts
from tests.release.studies import STUDY, write_data

Edit = Callable[[Study, random.Random], Study]
LESS = Epsilon.of("0.3")


def of_query(change: Callable[[Study, Query, random.Random], Query]) -> Edit:
    """An edit of one of the queries."""

    def edit(study: Study, luck: random.Random) -> Study:
        if not study.queries:
            return study
        query = luck.choice(study.queries)
        return study_edits.replace_query(study, change(study, query, luck), query.id)

    return edit


def of_column(change: Callable[..., object]) -> Edit:
    """An edit of the first column, which counts days."""

    def edit(study: Study, luck: random.Random) -> Study:
        found = [one for one in study.columns if isinstance(one, NumberColumn)]
        changed = change(found[0], luck) if found else None
        return study_edits.replace_column(study, changed) if changed else study

    return edit


def share(_study: Study, query: Query, luck: random.Random) -> Query:
    units = luck.choice([None, 1_000, 20_000, 100_000, 900_000])
    return replace(query, epsilon=None if units is None else Epsilon(units), rho=None)


def shared_in_rho(_study: Study, query: Query, luck: random.Random) -> Query:
    return replace(query, epsilon=None, rho=Rho(luck.choice([1_000_000, 50_000_000])))


def statistic(study: Study, query: Query, luck: random.Random) -> Query:
    return query_edits.set_statistic(study, query, luck.choice(STATISTICS))


def by_sex(_study: Study, query: Query, _luck: random.Random) -> Query:
    return replace(query, by=() if query.by else ("sex",)) if query.declaration.groups else query


def moved(study: Study, luck: random.Random) -> Study:
    return replace(study, queries=tuple(luck.sample(study.queries, len(study.queries))))


def duplicated(study: Study, luck: random.Random) -> Study:
    return study_edits.duplicate_query(study, luck.choice(study.queries).id)


def removed(study: Study, luck: random.Random) -> Study:
    if len(study.queries) < 2:  # an empty plan suggests queries, and goes on doing so
        return study
    return study_edits.remove_query(study, luck.choice(study.queries).id)


EDITS: dict[str, Edit] = {
    "share": of_query(share),
    "share in rho": of_query(shared_in_rho),
    "guess": of_query(lambda _s, q, luck: replace(q, expected=luck.choice([None, 1, 40, 12_345]))),
    "title of a query": of_query(lambda _s, q, luck: replace(q, title=luck.choice(["", "Named"]))),
    "noise": of_query(lambda _s, q, luck: replace(q, noise=luck.choice(["auto", "laplace"]))),
    "statistic": of_query(statistic),
    "groups": of_query(by_sex),
    "condition": of_query(lambda _s, q, _l: replace(q, where=(IsIn("sex", ("f",)),))),
    "moved": moved,
    "duplicated": duplicated,
    "removed": removed,
    "bounds": of_column(
        lambda c, luck: replace(c, upper=luck.choice([None, Decimal(2), Decimal("5e3")]))
    ),
    "step": of_column(lambda c, luck: replace(c, step=luck.choice([None, Decimal(1)]))),
    "title of a column": of_column(lambda c, luck: replace(c, title=luck.choice(["", "Stay"]))),
    "unit of a column": of_column(lambda c, luck: replace(c, label=luck.choice(["", "nights"]))),
    "values": lambda study, luck: study_edits.replace_column(
        study, CategoryColumn("sex", values=luck.choice([(), ("f",), ("f", "m", "x")]))
    ),
    "column left out": lambda study, luck: study_edits.leave_out_column(study, "sex"),
    "column described": lambda study, luck: study_edits.use_column(study, "sex", "category"),
    "rows a person": lambda study, luck: study_edits.set_unit(
        study, person="id", max_rows=luck.choice([0, 1, 3, 50])
    ),
    "names": lambda study, luck: study_edits.set_unit(
        study, row_name=luck.choice(["", "stay"]), row_names=luck.choice(["", "stays"])
    ),
    "no person": lambda study, luck: study_edits.set_unit(study, person=None, max_rows=1),
    "account": lambda study, luck: study_edits.set_budget(
        study, account=luck.choice(["registry", "zcdp", "nobody"])
    ),
    "limit": lambda study, luck: study_edits.set_budget(
        study, epsilon=luck.choice([LESS, Epsilon.of(1)])
    ),
    "title": lambda study, luck: replace(study, title=luck.choice(["", "Other stays"])),
    "file": lambda study, luck: study_edits.set_data(
        study, path=luck.choice(["stays.csv", "gone.csv"])
    ),
    "extract": lambda study, luck: study_edits.set_data(study, extract=luck.choice(["", "2026"])),
    "missing": lambda study, luck: study_edits.set_data(study, missing=("f",)),
}
PAGES = ("data", "people", "columns", "queries", "release")
PARTS = 4
"""So many windows see all kinds of edits, one after another."""


def queries_page(window: MainWindow) -> QueriesPage:
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def said_on(window: MainWindow, key: str) -> Counter[str]:
    """Every text on show with a page; no banner is there that says nothing."""
    window.go_to(key)
    settle()
    assert all(b.accessibleName() for b in window.findChildren(Banner) if b.isVisible())
    return Counter(texts(window.centralWidget()))


@pytest.fixture
def study_file(tmp_path: Path, home: Home) -> Path:
    """The small study; its ledger has an account in rho, too."""
    write_data(tmp_path)
    path = save_with_account(STUDY, tmp_path / "stays.dpdesk", home)
    Ledger.open(home).new_account("zcdp", Rho.of("0.5"), "for tests", delta=Delta.of("1e-9"))
    return path


@contextmanager
def opened_anew(old: MainWindow, folder: Path) -> Iterator[MainWindow]:
    """A window on the study as it is now, which recalls what the pages of the old one show.

    It is gone afterwards: dozens that stay follow each change of the theme.
    """
    path = folder / "fresh.dpdesk"
    save_study(old.session.state.study, path)
    fresh = make_window(application(), old.session.home)
    fresh.setUpdatesEnabled(False)  # what it says takes no painting
    fresh.show()
    fresh.opening.open_study(path)
    for key in ("queries", "columns", "release"):
        page = old.pages.find(key)
        if page is not None and (memory := page.memory()) is not None:
            fresh.pages[key].make_ready_to_recall()
            fresh.pages[key].recall(memory)
    yield fresh
    fresh.close()
    fresh.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def compare(window: MainWindow, folder: Path, *keys: str, after: str = "") -> None:
    """Hold every text of some pages, rail and budget against those of a new window."""
    old = {key: said_on(window, key) for key in keys}
    with opened_anew(window, folder) as fresh:
        new = {key: said_on(fresh, key) for key in keys}
    for key in old:
        assert old[key] - new[key] == Counter(), f"stale on {key} {after}"
        assert new[key] - old[key] == Counter(), f"missing on {key} {after}"


def others(window: MainWindow, luck: random.Random) -> None:
    """What changes what is shown without an edit of the study."""
    session, act = window.session, luck.randrange(4)
    if act == 0:
        session.document.undo_stack.undo()
    elif act == 1:
        session.document.undo_stack.redo()
    elif act == 2:
        window.theme.apply(luck.choice(["light", "dark"]))
    else:
        ledger = Ledger.open(session.home)
        total = ledger.account("registry").total
        ledger.raise_budget("registry", Epsilon(total.units + 10_000), "for tests")
        session.reread_accounts()


@pytest.mark.parametrize("seed", range(examples(2, 60)))
@pytest.mark.in_turn(2)
def test_after_any_edits_nothing_on_show_is_stale(
    seed: int, open_window: OpenWindow, study_file: Path, tmp_path: Path
) -> None:
    luck, window = random.Random(seed), open_window(study_file)
    for key in PAGES:
        window.go_to(key)
    for _ in range(8):
        key = luck.choice(PAGES)
        window.go_to(key)
        done = luck.choices(list(EDITS), k=luck.randrange(1, 5))
        for name in done:
            edited = EDITS[name](window.session.state.study, luck)
            window.session.edit(edited, "Edit", luck.choice(["", "field"]))
            if luck.random() < 0.2:
                others(window, luck)
        compare(window, tmp_path, key, "queries")


@pytest.mark.parametrize("first", range(PARTS))
@pytest.mark.in_turn(4)
def test_an_edit_of_each_kind_updates_all_that_depends_on_it(
    first: int, open_window: OpenWindow, study_file: Path, tmp_path: Path
) -> None:
    """On the page with the open query, which keeps most of what it shows."""
    window = open_window(study_file, page="queries")
    for name in list(EDITS)[first::PARTS]:
        settle()
        luck, before = random.Random(7), window.session.state.study
        for _ in range(2):
            window.session.edit(EDITS[name](window.session.state.study, luck), "Edit", "field")
        compare(window, tmp_path, "queries", after=name)
        while window.session.state.study != before:
            window.session.document.undo_stack.undo()


def test_what_was_released_meanwhile_is_shown_as_answered(
    open_window: OpenWindow,
    study_file: Path,
    home: Home,
    key_folder: Path,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    shutil.copytree(key_folder, home.keys, dirs_exist_ok=True)
    window = open_window(study_file, page="queries")
    do_release(window, qtbot)
    compare(window, tmp_path, "queries")
    for name in ("share", "guess", "statistic"):
        edited = EDITS[name](window.session.state.study, random.Random(1))
        window.session.edit(edited, "Edit")
        compare(window, tmp_path, "queries")
