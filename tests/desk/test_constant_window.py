# SPDX-License-Identifier: Apache-2.0
"""Constant: with a door that answers constants, no text of the window depends on the data.

Two files that share nothing but their header are opened, released and looked back at; every text
of every page, seen or hidden, spoken or shown, is the same. Exempt is what the Data page says of
the file itself, which is for the custodian's eyes: its size.
"""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from dpdesk.desk.app import application, make_window
from dpdesk.desk.pages.release import ReleasePage
from dpdesk.desk.window import MainWindow
from dpdesk.release.home import Home
from dpdesk.study.document import Study
from tests.desk.conftest import save_with_account
from tests.desk.screens import settle, texts, wait_until
from tests.doors import ConstantDoor
from tests.release.studies import STUDY

CANARY = "canary-4711"
FEW = "id,days,sex\np1,3,f\n"
MANY = "id,days,sex\n" + "".join(
    f"{CANARY}-{i % 90},{'1e9' if i % 7 else CANARY},{'fm'[i % 2] if i % 5 else CANARY}\n"
    for i in range(4_000)
)
SIZE = re.compile(r"CSV text, [^.]*(\.\d+)? \w+\.")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d|(\w+, )?\d+ \w+ \d{4}, \d\d:\d\d|\w+day.*\d\d:\d\d")


def all_texts(window: MainWindow) -> list[str]:
    """Every text, with the file's size and the hour of the release struck out."""
    found = [SIZE.sub("SIZE", MOMENT.sub("MOMENT", t)) for t in texts(window, with_hidden=True)]
    return sorted(found)


def seen(folder: Path, content: str, qtbot: QtBot, study: Study = STUDY) -> dict[str, list[str]]:
    """All texts of all pages, before the release and after it."""
    folder.mkdir()
    home = Home.at(folder / "home")
    (folder / "stays.csv").write_text(content, encoding="utf-8")
    path = save_with_account(study, folder / "stays.dpdesk", home)
    window = make_window(application(), home)
    window.session.door = ConstantDoor()
    window.show()
    window.opening.open_study(path)
    found = {}
    for key in window.pages:
        window.go_to(key)
        settle()
        found[f"before, {key}"] = all_texts(window)
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    window.go_to("release")
    page.start_release()
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    found["after, release"] = all_texts(window)
    assert page.released_share is not None or page._trouble.isVisible()
    for key in ("history", "queries", "data"):
        window.go_to(key)
        if key == "history":
            window.pages[key].table.selectRow(0)  # type: ignore[attr-defined]
        settle()
        found[f"after, {key}"] = all_texts(window)
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return found


def test_no_text_of_the_window_depends_on_the_data(tmp_path: Path, qtbot: QtBot) -> None:
    few = seen(tmp_path / "a", FEW, qtbot)
    many = seen(tmp_path / "b", MANY, qtbot)
    assert few.keys() == many.keys()
    for place, found in few.items():
        assert found == many[place], place
    everything = "\n".join(t for found in many.values() for t in found)
    assert CANARY not in everything
    assert "100" in many["after, release"], "the door's constant is shown"


def test_a_difference_would_be_seen(tmp_path: Path, qtbot: QtBot) -> None:
    """Other columns are another header, and that is shown."""
    few = seen(tmp_path / "a", FEW, qtbot)
    other = seen(tmp_path / "b", FEW.replace("sex", "sex,ward").replace(",f", ",f,x"), qtbot)
    assert few["before, data"] != other["before, data"]
