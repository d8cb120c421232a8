# SPDX-License-Identifier: Apache-2.0
"""Two files whose values differ everywhere are one to the desk: proposals, defaults, price."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.privacy.plan import QueryPlan
from dpdesk.study.model.amount import Share
from dpdesk.study.model.document import Study
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts, wait_until

HEADER = "pid,ward,age,heart_rate,readmitted,admitted"
FEW = "1,A,30,70,no,2020-01-01\n2,B,40,80,yes,2020-01-02\n"
OTHERS = {
    "extremes": "canary-1,Z,-7,1e12,ja,1850-12-31\n",
    "many values": "".join(f"P{n},W{n},{n},{n}.5,R{n},31.12.{n:04}\n" for n in range(500)),
    "nobody": "",
}
Said = tuple[Study, list[str], tuple[dict[str, QueryPlan], Share]]
PAGES = ("people", "columns", "queries")


def said(window: MainWindow, content: str, path: Path) -> Said:
    """What the desk proposes for a file: the study, every text of the pages, the plan."""
    path.write_text(f"{HEADER}\n{content}")
    window.opening.open_any(path)
    wait_until(lambda: window.session.state.header == tuple(HEADER.split(",")))
    session, page = window.session, window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    window.go_to("columns")
    found = []
    for name in HEADER.split(","):
        study = session.state.study
        study = study_edits.use_column(
            study, name, study_edits.propose_kind(name), session.state.header
        )
        session.edit(study, "")
        page.select(name)
        settle()
        found += texts(page)
    session.edit(
        study_edits.add_query(session.state.study, study_edits.new_query(session.state.study)), ""
    )
    for key in PAGES:
        window.go_to(key)
        settle()
        found += texts(window.pages[key])
    return session.state.study, found, (dict(session.state.plans), session.state.planned)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.in_turn(2)
def test_what_the_desk_proposes_does_not_depend_on_the_values(
    name: str, open_window: OpenWindow, tmp_path: Path
) -> None:
    path = tmp_path / "stays.csv"
    first, second = (said(open_window(), content, path) for content in (FEW, OTHERS[name]))
    assert first == second
    assert {column.name for column in first[0].columns} == set(HEADER.split(","))
    assert first[2][1].units > 0
    assert not [text for text in second[1] if "canary" in text]
