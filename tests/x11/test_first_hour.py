# SPDX-License-Identifier: Apache-2.0
"""On the screen that a hospital has, under a window manager: by mouse alone, by keyboard alone.

By keyboard on the sample hospital in every run; ``packaging/test.py --screen`` does both, on the
real file where it is. Pictures of each page, as the X server shows them, go to the folder that
``DPDESK_SCREENS`` names.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from dpdesk.release.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from tests.source_files import ROOT
from tests.x11.first_hour import (
    Declared,
    all_is_on_the_screen,
    from_nothing_to_a_verified_bundle,
)
from tests.x11.hands import Hands, Keyboard, Mouse
from tests.x11.screen import Desk, Rect, screen

NEEDED = ("Xvfb", "openbox", "xdotool")
WIDTH, HEIGHT = 1366, 768
IS_FULL = os.environ.get("DPDESK_SCREEN") == "full"
BOTH = [Keyboard, Mouse]

pytestmark = pytest.mark.skipif(
    not all(shutil.which(tool) for tool in NEEDED), reason=f"needs {', '.join(NEEDED)}"
)

SAMPLE = Declared(
    ROOT / "resources" / "sample" / "admissions.csv",
    ("sex, sex", "sex", "female\nmale"),
    ("length_of_stay, length_of_stay", "1", "30"),
)


def declared(shared: Path) -> Declared:
    """The real file where it is, else the sample hospital's."""
    data = shared / "diabetes130" / "diabetic_data.csv"
    if not data.exists():
        return SAMPLE
    return Declared(
        data,
        ("gender, gender", "gender", "Female\nMale"),
        ("time_in_hospital, time_in_hospital", "1", "14"),
    )


@pytest.mark.parametrize("kind", BOTH if IS_FULL else BOTH[:1], ids=lambda k: k.__name__.lower())
def test_from_nothing_to_a_verified_bundle(kind: type[Hands], tmp_path: Path) -> None:
    pictures = None
    if "DPDESK_SCREENS" in os.environ:
        pictures = Path(os.environ["DPDESK_SCREENS"]) / kind.__name__.lower()
        pictures.mkdir(parents=True, exist_ok=True)
    home, bundle = tmp_path / "home", tmp_path / "figures.zip"
    home.mkdir()
    real = ROOT.parent / "shared" / "data"
    with screen(WIDTH, HEIGHT) as display:
        desk = Desk.start(display, home, pictures)
        faults: dict[str, list[str]] = {}

        def look(name: str) -> None:
            view = desk.settled()
            desk.picture(name)
            faults[name] = all_is_on_the_screen(view, Rect(0, 0, WIDTH, HEIGHT))

        try:
            asked = declared(real) if IS_FULL else SAMPLE
            from_nothing_to_a_verified_bundle(kind(desk), asked, bundle, look)
        finally:
            desk.close()
    assert {name: found for name, found in faults.items() if found} == {}
    assert desk.process.returncode == 0
    assert verify(bundle, known_signers(Home.at(home))).is_good
