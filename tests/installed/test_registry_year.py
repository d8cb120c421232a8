# SPDX-License-Identifier: Apache-2.0
"""A registry's year in German on the clean system with the package, by mouse, then by keyboard.

Two people have a home each; what they hand over lies in one folder. Counts of clicks, keys and
seconds are in ``effort.txt`` beside the pictures; ``DPDESK_YEAR_WAYS=keyboard`` runs one of both.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from clean_root import GERMAN, USER, USER_ID, CleanRoot

from tests.installed.desktop import Desktop, desktop
from tests.x11.first_hour import all_is_on_the_screen
from tests.x11.hands import Hands, Keyboard, Mouse
from tests.x11.recipient import opened_in_office, read_as_recipient
from tests.x11.registry_year import OTHER, OWNER, Year, live
from tests.x11.screen import Rect
from tests.x11.spoken import Spoken
from tests.x11.year_files import YearFiles, write_year

BASE = CleanRoot(Path(os.environ["DPDESK_INSTALLED"]).resolve())
PACKAGE = os.environ["DPDESK_INSTALLED_PACKAGES"].split(":")[0]
PICTURES = Path(os.environ["DPDESK_SCREENS"])
SIZE = (1366, 768)
ENTRY = "/usr/share/applications/org.dpdesk.dpdesk.desktop"
HOMES = {OWNER: str(Path("/home", USER)), OTHER: str(Path("/home", "second"))}
PATIENTS = int(os.environ.get("DPDESK_YEAR_PATIENTS", "20000"))
WAYS: dict[str, type[Hands]] = {"mouse": Mouse, "keyboard": Keyboard}


@pytest.mark.parametrize("way", os.environ.get("DPDESK_YEAR_WAYS", ",".join(WAYS)).split(","))
def test_two_annual_reports_and_a_correction(way: str, tmp_path: Path) -> None:
    place, pictures = BASE.folder.with_name(f"clean-root-{way}"), PICTURES / f"year-{way}"
    with desktop(BASE, place, pictures, SIZE) as session:
        done = session.root.install(PACKAGE)
        assert done.returncode == 0, done.stdout + done.stderr
        subprocess.run(["setxkbmap", "-display", session.display, "de"], check=True)
        made = f"mkdir -p {HOMES[OTHER]} && chown {USER} {HOMES[OTHER]}"
        assert session.root.run("sh", "-c", made, user="root").returncode == 0
        handed = session.root.shared[-1]
        files = [_handed_in(handed, year) for year in (2025, 2026)]
        faults: dict[str, list[str]] = {}

        def look(name: str) -> None:
            view = session.desk.settled()
            session.desk.picture(name)
            faults[name] = all_is_on_the_screen(view, Rect(0, 0, *SIZE))

        year = Year(lambda who: _opened(session, HOMES[who], WAYS[way]), handed, look)
        try:
            live(year, *files)
        finally:
            print(f"\n{way}\n{year.table()}")
            (pictures / "effort.txt").write_text(f"{year.table()}\n", encoding="utf-8")
        assert {name: found for name, found in faults.items() if found} == {}
        assert "Traceback" not in session.said(), session.said()
        _check_bundles(session, handed, tmp_path)


def _handed_in(handed: Path, year: int) -> YearFiles:
    """The files of a year, which belong to the custodian."""
    files = write_year(handed / str(year), year, PATIENTS)
    for path in (handed / str(year), files.stays, files.patients, files.labs):
        shutil.chown(path, USER_ID, USER_ID)
    return files


@contextmanager
def _opened(session: Desktop, home: str, kind: type[Hands]) -> Iterator[Hands]:
    """The program at somebody's computer, from the menu's entry to its end."""
    spoken = Spoken("de")
    session.start("gio", "launch", ENTRY, HOME=home, LANG=GERMAN)
    session.wait(lambda view: view.all(spoken.of("New study from a file…"), "Button"), "dpdesk")
    yield kind(session.desk, spoken)
    session.close()


def _check_bundles(session: Desktop, handed: Path, folder: Path) -> None:
    """By stock tools, by the program's shell, and as a workbook in an office."""
    lines = [(handed / f"{which}.txt").read_text("utf-8") for which in ("first", "second")]
    for name in ("2025", "2026"):
        bundle = handed / f"bericht-{name}.zip"
        read_as_recipient(bundle, *lines, folder / name)
        found = json.loads(session.run("dpdesk", "verify", str(bundle), "--json").stdout)
        assert found["remade"] == {"ok": True, "not_remade": []}
    if shutil.which("soffice"):
        assert "Jahresbericht 2026" in opened_in_office(handed / "bericht-2026.zip", folder)
