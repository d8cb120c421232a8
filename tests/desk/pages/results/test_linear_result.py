# SPDX-License-Identifier: Apache-2.0
"""A linear model on its card: moments, coefficients and forest under the titles of columns."""

from __future__ import annotations

from pathlib import Path

from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.widgets.tables.rows_model import SECOND
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.release.studies import release
from tests.release.test_linear_release import ASKED, TITLES


def test_lines_and_points_are_called_by_titles(
    open_window: OpenWindow, study_file: Path, tmp_path: Path
) -> None:
    lines = (f"{n % 97},{n % 89},{n % 83},{n % 97 // 2 + n % 7}" for n in range(2000))
    (tmp_path / "first.csv").write_text("\n".join(("a,b,c,y", *lines)) + "\n")
    ledger = Ledger.open(Home.at(tmp_path / "other home"))
    ledger.new_account("made-up", Epsilon.of(10))
    done = release(ASKED, tmp_path, ledger, OpenDPDoor())
    page = open_window(study_file).pages["release"]
    assert isinstance(page, ReleasePage)
    page.results.show_release(done)
    settle()
    wait_until(lambda: not page.results._coming.are_left)
    card = page.results.table
    moments = [card.rows.index(row, 0).data() for row in range(card.rows.rowCount())]
    assert moments[:2] == ["Number of rows", "Age at entry"]
    assert "Body weight × Creatinine" in moments
    derived = card.derived.rows
    names = [derived.index(row, 0).data() for row in range(derived.rowCount())]
    assert names == ["Outcome where all are 0 or no", "Age at entry", "Body weight", "Creatinine"]
    below = [derived.index(row, 0).data(SECOND) for row in range(derived.rowCount())]
    assert below == ["", *["Change with each unit more"] * 3]
    forest = card.charts._charts.forest
    assert forest is not None
    assert {one.label for one in forest.figures} <= {TITLES[name] for name in "abc"}
