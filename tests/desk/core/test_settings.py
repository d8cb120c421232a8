# SPDX-License-Identifier: Apache-2.0
"""Settings keep their types in a fresh process, and remember studies only where they may."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import RECENT, Settings
from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow
from tests.waiting import LIMIT_S

READ = """
import os
from pathlib import Path
from dpdesk.desk.core.settings import Settings
from dpdesk.release.places.home import Home
s = Settings(Home.at(Path(os.environ["DPDESK_HOME"])))
recent = [p.name for p in s.recent]
print(repr((s.scheme, s.keeps_recent, recent, s.place.getRect(), s.is_maximised)))
"""

WRITE = """
import os
from pathlib import Path
from dpdesk.desk.core.settings import Settings
from dpdesk.release.places.home import Home
s = Settings(Home.at(Path(os.environ["DPDESK_HOME"])))
s.unwritten = lambda: print("unwritten")
s.scheme = "dark"
print(s.scheme)
"""


def read_afresh(home: Home) -> str:
    """What another process reads."""
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", READ], capture_output=True, check=True, cwd=root, encoding="utf-8"
    )
    return done.stdout.strip()


def test_a_fresh_process_reads_what_was_written(
    home: Home, tmp_path: Path, open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    window.settings.scheme = "dark"
    window.close()
    place = window.settings.place
    assert place == window.geometry()
    assert read_afresh(home) == repr(("dark", True, ["stays.dpdesk"], place.getRect(), False))


def test_false_is_false_in_a_fresh_process(home: Home) -> None:
    settings = Settings(home)
    settings.keeps_recent = False
    assert read_afresh(home) == repr(("system", False, [], (0, 0, 0, 0), False))


def test_nonsense_in_the_file_is_the_usual(home: Home) -> None:
    home.settings.parent.mkdir(parents=True, exist_ok=True)
    home.settings.write_text("[look]\nscheme=pink\n[recent]\nkept=perhaps\n", encoding="utf-8")
    settings = Settings(home)
    assert settings.scheme == "system"
    assert settings.keeps_recent is False


@pytest.fixture
def studies(tmp_path: Path) -> list[Path]:
    names = ["plain", "with, comma", "semi;colon", "100 %", "Größe", *(f"s{i}" for i in range(6))]
    paths = [tmp_path / f"{name}.dpdesk" for name in names]
    for path in paths:
        path.write_text("{}", encoding="utf-8")
    return paths


def test_recent_studies_come_newest_first_and_once(home: Home, studies: list[Path]) -> None:
    settings = Settings(home)
    for path in (*studies, studies[-2]):
        settings.remember(path)
    assert Settings(home).recent[:2] == (studies[-2].resolve(), studies[-1].resolve())
    assert len(settings.recent) == RECENT
    assert len(set(settings.recent)) == RECENT


@pytest.mark.parametrize("place", range(5))
def test_odd_names_come_back_whole(home: Home, studies: list[Path], place: int) -> None:
    Settings(home).remember(studies[place])
    assert Settings(home).recent == (studies[place].resolve(),)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("end", ["", ".lock"])
def test_a_pipe_in_their_place_keeps_no_window_waiting(home: Home, end: str) -> None:
    home.make()
    os.mkfifo(f"{home.settings}{end}")
    root = Path(__file__).parents[3]
    ended = subprocess.run(
        [sys.executable, "-c", WRITE], capture_output=True, check=True, cwd=root, timeout=LIMIT_S
    )
    assert ended.stdout.split() == [b"unwritten", b"dark"], "it holds until the program ends"


def test_studies_that_are_gone_are_left_out(home: Home, studies: list[Path]) -> None:
    settings = Settings(home)
    settings.remember(studies[0])
    studies[0].unlink()
    assert settings.recent == ()


@pytest.mark.threat("F5")
def test_nothing_is_remembered_where_it_may_not(home: Home, studies: list[Path]) -> None:
    settings = Settings(home)
    settings.remember(studies[0])
    settings.keeps_recent = False
    settings.remember(studies[1])
    assert settings.recent == ()
    assert "plain" not in home.settings.read_text(encoding="utf-8")
    settings.keeps_recent = True
    assert settings.recent == ()


@pytest.mark.threat("F5")
def test_the_data_files_path_is_never_in_the_settings(
    home: Home, open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    data = tmp_path / "patients-of-ward-3.csv"
    data.write_text("id\n1\n", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    window = open_window(data)
    window.close()
    assert str(tmp_path / data.name) not in home.settings.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize("there", [False, True])
def test_names_of_studies_are_nobody_elses(home: Home, there: bool) -> None:
    """Qt made the file readable for everybody, recent studies and all."""
    home.make()
    if there:
        home.settings.write_text("[look]\nscheme=light\n")
        home.settings.chmod(0o644)
    old = os.umask(0o022)
    try:
        Settings(home).scheme = "dark"
        Settings(home).text_size = 110
    finally:
        os.umask(old)
    assert home.settings.stat().st_mode & 0o777 == 0o600
    assert Settings(home).scheme == "dark"
