# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.x11.pictures FOLDER``: every page and state, as a real X server shows it.

Under a window manager the mouse goes from nothing to a verified bundle, then to History and to the
states beside that way, to the sample hospital's many groups and to what happens seldom, in each of
the forms below; each has a folder of its own. What the screen's edge cuts off is printed, and makes
the command end with 1.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from dpdesk.desk.core.settings import Settings
from dpdesk.release.places.home import Home
from tests.source_files import ROOT
from tests.x11.bundle_states import bundle_states
from tests.x11.first_hour import (
    all_is_on_the_screen,
    declared,
    from_nothing_to_a_verified_bundle,
    of_other_people,
)
from tests.x11.further_states import further_states, take_tour
from tests.x11.hand_states import empty_states, hand_states
from tests.x11.hands import Mouse
from tests.x11.rarer_states import rarer_states
from tests.x11.sample_states import sample_states
from tests.x11.screen import Desk, Rect, screen
from tests.x11.spoken import Spoken
from tests.x11.table_states import table_states


@dataclass(frozen=True)
class Form:
    """How the program is looked at."""

    name: str
    width: int = 1366
    height: int = 768
    language: str = "en"
    scheme: str = "light"
    scale: str = ""
    text_size: int = 100


FORMS = (
    Form("light"),
    Form("dark", scheme="dark"),
    Form("german", language="de"),
    Form("german-dark", language="de", scheme="dark"),
    Form("1024x700", 1024, 700),
    Form("german-1024x700", 1024, 700, language="de"),
    Form("200-percent", scale="2"),
    Form("german-200-percent", language="de", scale="2"),
    Form("large-text", text_size=130),
    Form("german-large-text", language="de", text_size=130),
)


TOOLS = ("Xvfb", "openbox", "xdotool", "import")
INSTALLS = "python3 packaging/test.py --pictures installs what is missing, then takes them."


def main(folder: Path, names: list[str]) -> int:
    """Take every picture, or those of the forms that are named."""
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        print(f"Missing here: {', '.join(lacking)}. {INSTALLS}", file=sys.stderr)
        return 2
    found = [
        f"{form.name}, {fault}"
        for form in FORMS
        if not names or form.name in names
        for fault in take(form, folder / form.name)
    ]
    print(f"{len(list(folder.glob('*/*.png')))} pictures in {folder}")
    print("\n".join(found))
    return 1 if found else 0


def take(form: Form, folder: Path) -> list[str]:
    """Walk once; what the screen cuts off."""
    folder.mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    with (
        tempfile.TemporaryDirectory() as place,
        screen(form.width, form.height) as display,
    ):
        home = Path(place) / "home"
        home.mkdir()
        settings = Settings(Home.at(home))
        settings.scheme, settings.text_size = form.scheme, form.text_size
        spoken = Spoken(form.language)
        desk = Desk.start(display, home, folder, form.scale, spoken)

        def look(name: str) -> None:
            view = desk.settled()
            desk.picture(name)
            # A point of the program's is two of the screen's, of which one may be too much.
            more = round(float(form.scale or 1))
            room = Rect(0, 0, form.width + more, form.height + more)
            cut = all_is_on_the_screen(view, room)
            faults.extend(f"{name}: {fault}" for fault in cut)

        try:
            known = declared(ROOT.parent / "shared" / "data")
            asked, bundle = of_other_people(known, Path(place)), Path(place) / "figures.zip"
            hands = Mouse(desk, spoken)
            take_tour(hands, look)

            def look_around(name: str) -> None:
                look(name)
                if name == "2-data":
                    empty_states(hands, look)

            from_nothing_to_a_verified_bundle(hands, asked, bundle, look_around)
            hands.press("History")
            look("9-history")
            further_states(hands, asked, bundle, look)
            sample_states(hands, look)
            hand_states(hands, look)
            bundle_states(hands, home, Path(place), look)
            table_states(hands, Path(place), look)
            rarer_states(hands, home, Path(place), look)
        except AssertionError as stopped:
            # The other forms are walked all the same.
            faults.append(f"not walked to its end: {stopped}")
        finally:
            desk.close()
    return faults


if __name__ == "__main__":
    sys.exit(main(Path([*sys.argv, "build/screens"][1]), sys.argv[2:]))
