# SPDX-License-Identifier: Apache-2.0
"""Real starts of the program, where little is as it should be: the window or a sentence comes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from dpdesk.program import log
from dpdesk.program.log import Event
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from tests.release.studies import STUDY
from tests.source_files import ROOT
from tests.waiting import LIMIT_S, wait_until

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
COMMAND = [sys.executable, "-m", "dpdesk"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its environment is another one")


class Started:
    """A process of the program, and what it has said so far."""

    def __init__(self, process: subprocess.Popen[bytes], said: Path) -> None:
        self.process = process
        self._said = said

    @property
    def said(self) -> str:
        return self._said.read_text(encoding="utf-8", errors="replace")


@contextmanager
def started(
    folder: Path, *arguments: str, before: Sequence[str] = (), **variables: str
) -> Iterator[Started]:
    """Start the program with a home folder of its own; ended at the end."""
    said = folder / "said.txt"
    kept = {k: v for k, v in os.environ.items() if k not in ("DPDESK_HOME", "XDG_DATA_HOME")}
    environment = {**kept, "HOME": str(folder), **variables}
    with said.open("wb") as out:
        process = subprocess.Popen(
            [*before, *COMMAND, *arguments], cwd=ROOT, env=environment, stdout=out, stderr=out
        )
    try:
        yield Started(process, said)
    finally:
        process.kill()
        process.wait()


def noted(home: Home) -> str:
    return "\n".join(log.tail(log.path_of(home), 1_000))


def wait_for(text: str, where: Started, home: Home | None = None) -> None:
    """Wait until the program has said a text, or noted it in its log."""

    def has_come() -> bool:
        if text in (noted(home) if home else where.said):
            return True
        assert where.process.poll() is None, where.said
        return False

    wait_until(has_come)


def study_in(folder: Path) -> Path:
    path = folder / "Übersicht größer.dpdesk"
    save_study(STUDY, path)
    return path


def test_no_data_folder_no_utf_8_and_a_screen_at_200_percent_show_the_window(
    tmp_path: Path,
) -> None:
    """And the double-click that follows ends at once, with its file in that window."""
    home = Home.at(tmp_path / "deep" / "in" / "a folder")
    study = study_in(tmp_path)
    where = {**ASCII, "QT_SCALE_FACTOR": "2", "DPDESK_HOME": str(home.root)}
    with started(tmp_path, **where) as first:
        wait_for(Event.DESK_SHOWN.value, first, home)
        again = subprocess.run(
            [*COMMAND, str(study)],
            cwd=ROOT,
            env={**os.environ, **where},
            timeout=LIMIT_S,
            capture_output=True,
            check=False,
        )
        assert (again.returncode, again.stdout, again.stderr) == (0, b"", b"")
        wait_for(Event.STUDY_OPENED.value, first, home)
        assert first.process.poll() is None
        assert "Traceback" not in first.said
    assert study.name not in noted(home)


def test_a_home_that_cannot_be_made_is_said_in_a_sentence_and_a_window(tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("")
    with started(tmp_path, DPDESK_HOME=str(tmp_path / "a file" / "home"), **ASCII) as program:
        wait_for("choose another with DPDESK_HOME", program)
        assert "Traceback" not in program.said
        assert len(program.said.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "darwin", reason="there is always a screen")
def test_without_a_screen_a_sentence_is_said_and_nothing_dies() -> None:
    kept = {k: v for k, v in os.environ.items() if "DISPLAY" not in k and k != "QT_QPA_PLATFORM"}
    ended = subprocess.run(COMMAND, cwd=ROOT, env=kept, capture_output=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(b"There is no screen for the window; start dpdesk in")
    assert len(ended.stderr.splitlines()) == 1


def test_a_read_only_home_shows_the_window(tmp_path: Path) -> None:
    """But for the logs, which say here that the window is shown."""
    home = Home.at(tmp_path / "home")
    home.make()
    home.logs.mkdir()
    closed = (home.root, home.heads_folder, home.keys)
    for folder in closed:
        folder.chmod(0o500)
    try:
        with started(tmp_path, before=as_a_user(), DPDESK_HOME=str(home.root)) as program:
            wait_for(Event.DESK_SHOWN.value, program, home)
            assert "Traceback" not in program.said
        assert not (home.logs / "faults.log").exists()
        assert sorted(path.name for path in home.root.iterdir()) == ["heads", "keys", "logs"]
    finally:
        for folder in closed:
            folder.chmod(0o700)


def as_a_user() -> list[str]:
    """Root may write everywhere; without this right it is as any user."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root cannot give up its rights without setpriv")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
