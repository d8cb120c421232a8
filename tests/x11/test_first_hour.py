# SPDX-License-Identifier: Apache-2.0
"""On the screen that a hospital has, under a window manager: by mouse alone, by keyboard alone.

By keyboard on the sample hospital in every run; ``packaging/test.py --screen`` does both and the
accessibility bus, in each language, on the real file where it is. Pictures of each page, as the X
server shows them, and what each page cost in clicks and keys, go to the folder that
``DPDESK_SCREENS`` names.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from tests.source_files import ROOT
from tests.x11.buses import are_there
from tests.x11.first_hour import (
    SAMPLE,
    VERDICT,
    all_is_on_the_screen,
    declared,
    from_nothing_to_a_verified_bundle,
)
from tests.x11.hands import Hands, Keyboard, Mouse
from tests.x11.reader import Reader, read_desk
from tests.x11.screen import Desk, Rect, screen
from tests.x11.spoken import LOCALES, Spoken

NEEDED = ("Xvfb", "openbox", "xdotool")
WIDTH, HEIGHT = 1366, 768
IS_FULL = os.environ.get("DPDESK_SCREEN") == "full"
Way = Callable[[str, Path, Path | None, Spoken], AbstractContextManager[Hands]]
"""Starts the program on a display, with a home, pictures and a language, and gives hands to it."""

ANNOUNCED = ("Data", "People", "Columns", "Queries", "Released.", "Exported and signed.", VERDICT)
"""What whoever hears the program hears without asking, by its beginning."""

pytestmark = pytest.mark.skipif(
    not all(shutil.which(tool) for tool in NEEDED), reason=f"needs {', '.join(NEEDED)}"
)


def by_widget_hands(kind: type[Hands]) -> Way:
    """With a probe in the program itself, and events from the X server alone."""

    @contextmanager
    def way(display: str, home: Path, pictures: Path | None, spoken: Spoken) -> Iterator[Hands]:
        desk = Desk.start(display, home, pictures, spoken=spoken)
        try:
            yield kind(desk, spoken)
        finally:
            desk.close()
        assert desk.process.returncode == 0

    return way


@contextmanager
def by_reader(display: str, home: Path, pictures: Path | None, spoken: Spoken) -> Iterator[Hands]:
    """Over the accessibility bus."""
    with (
        TemporaryDirectory(prefix="dpdesk-session-", dir="/tmp") as runtime,
        read_desk(display, home, Path(runtime), pictures, spoken) as desk,
    ):
        yield Reader(desk, spoken)
    assert desk.program.returncode == 0


WAYS: dict[str, Way] = {
    "keyboard": by_widget_hands(Keyboard),
    "mouse": by_widget_hands(Mouse),
    "reader": by_reader,
}
ALL = [(way, language) for language in LOCALES for way in WAYS]
SHORT = [("keyboard", "en")]


@pytest.mark.parametrize(("way", "language"), ALL if IS_FULL else SHORT)
@pytest.mark.long
@pytest.mark.in_turn(2)
def test_from_nothing_to_a_verified_bundle(way: str, language: str, tmp_path: Path) -> None:
    if way == "reader" and not are_there():
        pytest.skip("needs at-spi2-core and python3-gi")
    pictures = None
    if "DPDESK_SCREENS" in os.environ:
        pictures = Path(os.environ["DPDESK_SCREENS"]) / f"{way}-{language}"
        pictures.mkdir(parents=True, exist_ok=True)
    home, bundle, spoken = tmp_path / "home", tmp_path / "figures.zip", Spoken(language)
    home.mkdir()
    asked = declared(ROOT.parent / "shared" / "data") if IS_FULL else SAMPLE
    faults: dict[str, list[str]] = {}
    with (
        screen(WIDTH, HEIGHT) as display,
        WAYS[way](display, home, pictures, spoken) as hands,
    ):

        def look(name: str) -> None:
            view = hands.desk.settled()
            hands.desk.picture(name)
            faults[name] = all_is_on_the_screen(view, Rect(0, 0, WIDTH, HEIGHT))

        from_nothing_to_a_verified_bundle(hands, asked, bundle, look)
        table = hands.desk.effort.table()
        unheard = hands.heard_out(ANNOUNCED) if isinstance(hands, Reader) else []
    assert unheard == []
    print(f"\n{way}, {language}\n{table}")
    if pictures is not None:
        (pictures / "effort.txt").write_text(f"{table}\n", encoding="utf-8")
    assert {name: found for name, found in faults.items() if found} == {}
    assert verify(bundle, known_signers(Home.at(home))).is_good
