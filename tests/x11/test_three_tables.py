# SPDX-License-Identifier: Apache-2.0
"""Three tables are joined, asked, released and verified on a screen of 1366 x 768.

``packaging/test.py --screen`` does it by mouse alone and by keyboard alone, in each language, on
the real files where they are.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from tests.source_files import ROOT
from tests.x11.first_hour import all_is_on_the_screen
from tests.x11.screen import Rect, screen
from tests.x11.spoken import LOCALES, Spoken
from tests.x11.test_first_hour import HEIGHT, IS_FULL, WAYS, WIDTH, pytestmark
from tests.x11.three_tables import join_and_release, three_tables

__all__ = ["pytestmark"]


@pytest.mark.skipif(not IS_FULL, reason="packaging/test.py --screen runs it")
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_three_tables_from_nothing_to_a_verified_bundle(
    way: str, language: str, tmp_path: Path
) -> None:
    pictures = None
    if "DPDESK_SCREENS" in os.environ:
        pictures = Path(os.environ["DPDESK_SCREENS"]) / f"tables-{way}-{language}"
        pictures.mkdir(parents=True, exist_ok=True)
    home, bundle, spoken = tmp_path / "home", tmp_path / "figures.zip", Spoken(language)
    home.mkdir()
    files = three_tables(ROOT.parent / "shared" / "data", tmp_path)
    faults: dict[str, list[str]] = {}
    with screen(WIDTH, HEIGHT) as display, WAYS[way](display, home, pictures, spoken) as hands:

        def look(name: str) -> None:
            view = hands.desk.settled()
            hands.desk.picture(name)
            faults[name] = all_is_on_the_screen(view, Rect(0, 0, WIDTH, HEIGHT))

        join_and_release(hands, files, bundle, look)
        print(f"\n{way}, {language}\n{hands.desk.effort.table()}")
    assert {name: found for name, found in faults.items() if found} == {}
    assert verify(bundle, known_signers(Home.at(home))).is_good
