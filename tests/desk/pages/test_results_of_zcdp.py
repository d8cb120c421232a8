# SPDX-License-Identifier: Apache-2.0
"""A release in zCDP from review to verification in the window, and estimated bounds put to use."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.codebook.sources import stated_source
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.release.signing.keys import new_key, unlock
from dpdesk.study.model.amount import Delta, Rho
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts, wait_until

OPEN = NumberColumn("days", step=Decimal(1))
QUERIES = (
    Query("how-long", "bounds", ColumnParameters("days"), rho=Rho.of("0.5")),
    *(Query(f"count-{n}", rho=Rho.of("0.001")) for n in range(6)),
)


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    made = open_window(study_file)
    session = made.session
    session.accounts.ledger().new_account("careful", Rho.of(2), delta=Delta.of("1e-9"))
    study = session.state.study
    # Counts of one question each, so that each is drawn.
    counts = [replace(q, rho=Rho(q.rho.nano + n)) for n, q in enumerate(QUERIES) if q.rho]
    columns = tuple(OPEN if c.name == "days" else c for c in study.columns)
    budget = Budget("careful", rho=Rho.of(1))
    session.edit(replace(study, columns=columns, queries=tuple(counts), budget=budget), "")
    session.reread_accounts()
    settle()
    return made


def released(window: MainWindow) -> ReleaseDone:
    study: Study = window.session.state.study
    folder = window.session.document.folder
    return release(study, folder, window.session.accounts.ledger(), OpenDPDoor())


@pytest.mark.in_turn(2)
def test_the_review_says_costs_in_rho_and_how_far_off(window: MainWindow) -> None:
    window.go_to("release")
    settle()
    shown = " ".join(texts(window.pages["release"]))
    assert "0.50" in shown
    assert "–" not in [cell for row in window.pages["release"].review._model._rows for cell in row]  # type: ignore[attr-defined]


def test_bounds_that_were_found_are_declared_with_one_press(window: MainWindow) -> None:
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    view = page.results
    view.show_release(released(window))
    settle()
    (card,) = [card for card in view.cards if not card.use_bounds.isHidden()]
    card.use_bounds.click()
    column = window.session.state.study.column("days")
    assert isinstance(column, NumberColumn)
    assert column.lower is not None and column.upper is not None
    assert stated_source(column) == "estimated privately, release 1"
    assert card.use_bounds.isHidden()
    window.session.document.undo_stack.undo()
    assert window.session.state.study.column("days") == OPEN


@pytest.mark.in_turn(2)
def test_each_query_has_its_card_in_the_order_of_the_plan(window: MainWindow) -> None:
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    done = released(window)
    page.results.show_release(done)
    page.results.finish()
    shown = [card for card in page.results.cards if not card.isHidden()]
    assert len(shown) == len(done.stored.tables)
    rows = [card.rows.total for card in shown]
    assert rows == [len(table.rows) for table in done.stored.tables]
    assert [card.use_bounds.isHidden() for card in shown].count(False) == 1


def test_a_bundle_in_zcdp_is_verified_in_its_own_measure(
    window: MainWindow, tmp_path: Path
) -> None:
    done = released(window)
    path = tmp_path / "zcdp.zip"
    new_key(window.session.home.keys, "office@hospital.example", "a pass phrase")
    key = unlock(window.session.home.keys, "a pass phrase")
    write_bundle(path, build(done.stored, done.chain, key))
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    window.verify_bundle(path)
    wait_until(lambda: page.found is not None)
    settle()
    assert page.found is not None and page.found.is_good
    shown = " ".join(texts(page))
    assert "ρ 0.5" in shown
    assert "which means ε" in shown


@pytest.mark.in_turn(2)
def test_a_column_without_bounds_offers_to_estimate_them(window: MainWindow) -> None:
    session = window.session
    study = session.state.study
    columns = tuple(OPEN if c.name == "days" else c for c in study.columns)
    session.edit(replace(study, columns=columns, queries=study.queries[1:]), "")
    window.go_to("columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select("days")
    settle()
    assert page.form.estimate.isVisibleTo(page.form)
    page.form.estimate.click()
    settle()
    made = session.state.study
    assert made.queries[-1].statistic == "bounds"
    assert made.queries[-1].column == "days"
    assert made.queries[-1].rho is not None
    assert window.page == "queries"
    session.document.undo_stack.undo()
    settle()
    assert session.state.study.column("days") == OPEN
