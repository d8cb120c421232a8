# SPDX-License-Identifier: Apache-2.0
"""A session on a study and a file full of canaries leaves none in a log or the text for support."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from dpdesk.cli import main
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.activity_log import ActivityLog
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.about.support_text import support_dialog
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.program.diagnostics import diagnostics
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, wait_until
from tests.doors import ConstantDoor
from tests.source_files import ROOT

CANARY = "canary"
FIGURE = "471174"
"""Neither stands in a word of the code, a version or the size of a screen."""


def canary(what: str) -> str:
    return f"{CANARY}-{what}"


STUDY = Study(
    title=canary("title"),
    organisation=canary("hospital"),
    data=DataSource(path=f"{canary('file')}.csv", extract=canary("extract")),
    unit=Unit(person=canary("id"), max_rows=3),
    budget=Budget(account="canary-account", epsilon=Epsilon.of("1")),
    columns=(
        NumberColumn(canary("days"), lower=Decimal(1), upper=Decimal(FIGURE), step=Decimal(1)),
        CategoryColumn(canary("ward"), values=(canary("a"), canary("b"))),
    ),
    queries=(Query("canary-query", "count", by=(canary("ward"),), epsilon=Epsilon.of("0.1")),),
)
DYING = f"""
import ctypes, sys
from pathlib import Path
from dpdesk.program import crashes
from dpdesk.release.places.home import Home
crashes.watch(Home.at(Path(sys.argv[1])))
def reading_a_cell(cell):
    note = [cell] * 3
    {{fatal}}
reading_a_cell("{CANARY} {FIGURE}")
"""
ROWS = f"{canary('id')},{canary('days')},{canary('ward')}\n" + "".join(
    f"{canary(str(n))},{FIGURE if n % 2 else canary('cell')},{canary('ab'[n % 2])}\n"
    for n in range(100)
)


@pytest.fixture
def study(tmp_path: Path, home: Home) -> Path:
    folder = tmp_path / canary("folder")
    folder.mkdir()
    (folder / f"{canary('file')}.csv").write_text(ROWS)
    return save_with_account(STUDY, folder / f"{canary('study')}.dpdesk", home)


def held(text: str) -> list[str]:
    """Lines of a text that hold a canary."""
    return [line for line in text.splitlines() if CANARY in line.lower() or FIGURE in line]


def logged(home: Home) -> str:
    files = [path for path in home.logs.rglob("*") if path.is_file()]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def release(window: MainWindow) -> None:
    window.go_to("release")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    page.start_release()
    wait_until(lambda: window.session.jobs.current is None)
    assert page.released_shares is not None


def fail() -> None:
    cell = canary("cell")
    raise ValueError(f"cannot read {cell} of {FIGURE}")


def crash(home: Home, fatal: str) -> None:
    """A process of the program that holds canaries and dies."""
    command = [sys.executable, "-c", DYING.format(fatal=fatal), str(home.root)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=False)


@pytest.fixture
def hook_kept() -> Iterator[None]:
    before = sys.excepthook
    yield
    sys.excepthook = before


@pytest.mark.threat("F2")
@pytest.mark.usefixtures("hook_kept")
@pytest.mark.faulty
def test_a_session_with_a_release_refusals_a_fault_and_a_crash(
    open_window: OpenWindow, home: Home, study: Path
) -> None:
    window = open_window(study, ConstantDoor())
    ActivityLog(window)
    for page in ("data", "people", "columns", "queries", "history"):
        window.go_to(page)
    window.session.edit(replace(STUDY, title=canary("edited")), "Title")
    release(window)
    window.opening.open_any(study.with_name(f"{canary('gone')}.dpdesk"))
    window.opening.open_any(study.with_name(f"{canary('file')}.csv"))
    wait_until(lambda: window.session.looks.current is None)
    try:
        fail()
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    crash(home, "ctypes.string_at(0)")
    crash(home, "import os; os._exit(1)")
    settle()
    for text in (logged(home), support_dialog(window, home).shown.text):
        for part in (
            "study was opened",
            "refused: ",
            "ValueError",
            "Segmentation fault",
            "reading_a_cell",
        ):
            assert part in text
        assert held(text) == []


@pytest.mark.threat("F2")
def test_commands_of_the_shell(home: Home, study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", str(study)]) == 0
    assert main(["plan", str(study.with_name(f"{canary('gone')}.dpdesk"))]) == 1
    capsys.readouterr()
    assert main(["diagnostics"]) == 0
    said = capsys.readouterr().out
    assert "command plan ended with 0" in said
    assert "refused: study-file-missing" in said
    assert held(said) == held(logged(home)) == []


def test_settings_are_shown_without_paths(home: Home, study: Path) -> None:
    settings = Settings(home)
    settings.scheme = "dark"
    settings.place = QRect(120, 90, 1100, 760)
    settings.remember(study)
    text = diagnostics(home)
    assert "look/scheme dark" in text
    assert "window/place 120 90 1100 760" in text
    assert held(text) == []


@pytest.mark.parametrize("line", [f"scheme={CANARY}", f"scheme=dark {CANARY}", f"{CANARY}=1", "["])
def test_a_setting_that_is_none_of_its_values_is_not_shown(home: Home, line: str) -> None:
    home.make()
    home.settings.write_text(f"[look]\n{line}\n", encoding="utf-8")
    text = diagnostics(home)
    assert "Settings\n" in text
    assert held(text) == []
