# SPDX-License-Identifier: Apache-2.0
"""From a loaded file to a released count of patients who were ever readmitted, on a real screen."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from tests.x11.first_hour import (
    SAMPLE,
    Look,
    all_is_on_the_screen,
    export_and_verify,
    people,
    release,
)
from tests.x11.hands import Hands
from tests.x11.screen import Rect, screen
from tests.x11.spoken import LOCALES, Spoken
from tests.x11.test_first_hour import HEIGHT, IS_FULL, NEEDED, WAYS, WIDTH

EVER = "Ever readmitted"

pytestmark = pytest.mark.skipif(
    not all(shutil.which(tool) for tool in NEEDED), reason=f"needs {', '.join(NEEDED)}"
)
ALL = [(way, language) for language in LOCALES for way in ("keyboard", "mouse")]


def patients_ever_readmitted(hands: Hands, bundle: Path, look: Look) -> None:
    """Two values of a person at once, and how many people have the first."""
    hands.press("New study from a file…")
    hands.choose_file("Choose a data file", SAMPLE.data)
    hands.until("Continue to People", "Button")
    hands.press("Continue to People")
    people(hands, look)
    hands.choose_column("readmitted_30d")
    hands.press("Yes/no")
    hands.write("Means yes", "yes")
    hands.write("Means no", "no")
    look("1-column")
    hands.press("Ever {0}, by {1}…")
    hands.until_asked("New column from others")
    hands.write("Name of the column", EVER)
    look("2-sentence")
    hands.press("Several at once: one row per person…")
    hands.until("Add columns", "Button")
    hands.press("Add a column")
    hands.desk.type("Number of stays")
    look("3-one-row-per-person")
    hands.press("Add columns")
    hands.until("Continue to Queries", "Button")
    look("4-columns")
    hands.press("Continue to Queries")
    hands.press("Add query")
    hands.press("rows", "Button")
    hands.take("{0}, once each")
    hands.press("For each: choose groups")
    hands.take(EVER)
    hands.until("Review release", "Button")
    look("5-queries")
    hands.press("Review release")
    release(hands, look)
    export_and_verify(hands, bundle, look)


@pytest.mark.skipif(not IS_FULL, reason="packaging/test.py --screen runs it")
@pytest.mark.parametrize(("way", "language"), ALL)
def test_patients_ever_readmitted(way: str, language: str, tmp_path: Path) -> None:
    pictures = None
    if "DPDESK_SCREENS" in os.environ:
        pictures = Path(os.environ["DPDESK_SCREENS"]) / f"people-{way}-{language}"
        pictures.mkdir(parents=True, exist_ok=True)
    home, bundle = tmp_path / "home", tmp_path / "figures.zip"
    home.mkdir()
    faults: dict[str, list[str]] = {}
    with (
        screen(WIDTH, HEIGHT) as display,
        WAYS[way](display, home, pictures, Spoken(language)) as hands,
    ):

        def look(name: str) -> None:
            view = hands.desk.settled()
            hands.desk.picture(name)
            faults[name] = all_is_on_the_screen(view, Rect(0, 0, WIDTH, HEIGHT))

        patients_ever_readmitted(hands, bundle, look)
    assert {name: found for name, found in faults.items() if found} == {}
    assert verify(bundle, known_signers(Home.at(home))).is_good
