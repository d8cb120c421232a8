# SPDX-License-Identifier: Apache-2.0
"""A registry's year in German on a screen of 1366 x 768, by mouse; ``DPDESK_YEAR_WAYS=keyboard``.

``packaging/test.py --screen`` runs it from the source; ``packaging/build.py try`` on a clean system
with the Debian package, ``tests/installed/test_registry_year.py``.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from tests.x11.first_hour import all_is_on_the_screen
from tests.x11.hands import Hands
from tests.x11.recipient import read_as_recipient
from tests.x11.registry_year import OTHER, OWNER, Year, live
from tests.x11.screen import Rect, screen
from tests.x11.spoken import Spoken
from tests.x11.test_first_hour import HEIGHT, IS_FULL, WAYS, WIDTH, pytestmark
from tests.x11.year_files import write_year

__all__ = ["pytestmark"]
PATIENTS = int(os.environ.get("DPDESK_YEAR_PATIENTS", "20000"))


@pytest.mark.skipif(not IS_FULL, reason="packaging/test.py --screen runs it")
@pytest.mark.parametrize("way", os.environ.get("DPDESK_YEAR_WAYS", "mouse").split(","))
def test_two_annual_reports_and_a_correction(way: str, tmp_path: Path) -> None:
    pictures = None
    if "DPDESK_SCREENS" in os.environ:
        pictures = Path(os.environ["DPDESK_SCREENS"]) / f"year-{way}"
        pictures.mkdir(parents=True, exist_ok=True)
    homes = {who: tmp_path / who for who in (OWNER, OTHER)}
    files = [write_year(tmp_path / str(year), year, PATIENTS) for year in (2025, 2026)]
    place = tmp_path / "handed"
    for folder in (*homes.values(), place):
        folder.mkdir()
    spoken = Spoken("de")
    faults: dict[str, list[str]] = {}
    with screen(WIDTH, HEIGHT) as display:
        subprocess.run(["setxkbmap", "-display", display, "de"], check=True)
        seen: list[Hands] = []

        @contextmanager
        def at(who: str) -> Iterator[Hands]:
            with WAYS[way](display, homes[who], pictures, spoken) as hands:
                seen.append(hands)
                yield hands

        def look(name: str) -> None:
            desk = seen[-1].desk
            view = desk.settled()
            desk.picture(name)
            faults[name] = all_is_on_the_screen(view, Rect(0, 0, WIDTH, HEIGHT))

        year = Year(at, place, look)
        try:
            live(year, *files)
        finally:
            print(f"\n{way}\n{year.table()}")
            if pictures is not None:
                (pictures / "effort.txt").write_text(f"{year.table()}\n", encoding="utf-8")
    assert {name: found for name, found in faults.items() if found} == {}
    for name in ("2025", "2026"):
        bundle = place / f"bericht-{name}.zip"
        lines = [(place / f"{which}.txt").read_text("utf-8") for which in ("first", "second")]
        read_as_recipient(bundle, *lines, tmp_path / f"unpacked-{name}")
        assert verify(bundle, known_signers(Home.at(homes[OWNER]))).is_good
