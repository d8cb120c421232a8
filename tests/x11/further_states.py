# SPDX-License-Identifier: Apache-2.0
"""States beside the way from nothing to a verified bundle, each brought on show by the mouse.

They begin where that way ended: one release, its bundle verified, History on show.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.x11.first_hour import Declared, Look, suggested
from tests.x11.hands import Mouse
from tests.x11.spoken import is_called

PREFERENCES, REHEARSAL, UNDO = "ctrl+comma", "ctrl+r", "ctrl+z"
COLUMNS, QUERIES, RESULTS = "ctrl+3", "ctrl+4", "ctrl+5"
"""The shortcuts that the menus show."""


def take_tour(hands: Mouse, look: Look) -> None:
    """The tour's first two stops, from the first page."""
    hands.press("First time here? Take the tour")
    hands.until("End the tour")
    look("1-tour")
    hands.press("Next")
    look("1-tour-second-stop")
    hands.press("End the tour")


def further_states(hands: Mouse, declared: Declared, bundle: Path, look: Look) -> None:
    """All that stand beside the way, then a second release beside the first."""
    _dialogs(hands, look)
    _signing_key(hands, look)
    _columns(hands, declared, look)
    _queries(hands, look)
    _rehearsal(hands, look)
    _results(hands, look)
    _altered_bundle(hands, bundle, look)
    _handbook(hands, look)
    _weak_plans(hands, declared, look)
    _comparison(hands, look)


def _dialogs(hands: Mouse, look: Look) -> None:
    hands.desk.key(PREFERENCES)
    hands.until_asked("Preferences")
    look("10-preferences")
    hands.desk.key("Escape")
    hands.until_closed("Preferences")
    # Its letter is the first in every language so far; the picture shows where it is not.
    menu = hands.spoken.of("Tools")
    letter = (menu if isinstance(menu, str) else menu.pattern)[0]
    hands.desk.key(f"alt+{letter.lower()}")
    look("10-tools-menu")
    hands.desk.key("Escape")


def _signing_key(hands: Mouse, look: Look) -> None:
    hands.press("Tools")
    hands.press("Signing key…")
    hands.until("Replace the key…", "Button")
    look("16-signing-key")
    hands.press("Back")


def _columns(hands: Mouse, declared: Declared, look: Look) -> None:
    """A bound that cannot be, then several columns that a search finds."""
    line, _name, _lower, upper = declared.number
    hands.desk.key(COLUMNS)
    hands.choose_column(line)
    hands.write("Highest value", "0")
    hands.desk.key("Tab")
    look("4-columns-error")
    hands.write("Highest value", upper)
    hands.desk.key("Tab", "ctrl+f")
    hands.desk.type("ad")
    hands.press(hands.spoken.beginning("Select all %n"), "Button")
    look("10-columns-several")
    hands.desk.key("Escape", "ctrl+f", "Escape")
    hands.desk.settled()  # the list moves when nothing is searched for
    hands.choose_column(declared.known)
    hands.press("Number")
    look("10-columns-suggestions")
    hands.desk.key(UNDO)
    hands.choose_column(line)


def _weak_plans(hands: Mouse, declared: Declared, look: Look) -> None:
    """One question at more than is left, at so little that noise is all, and at more than before.

    The review on show then is that of the last.
    """
    _people, mean, _median = suggested(declared)
    hands.press(re.compile(f"{hands.spoken.query(*mean).pattern}, .*"))
    hands.write("if there are about", "100")
    hands.write("for this much budget", "5")
    hands.desk.key("Tab")
    look("11-queries-over")
    hands.write("for this much budget", "0.01")
    hands.desk.key("Tab")
    look("11-queries-warning")
    hands.press("Review release")
    look("11-release-warning")
    hands.desk.key(QUERIES)
    hands.write("for this much budget", "0.2")
    hands.press("Review release")
    look("6-release-again")
    hands.press("Check", "Button")
    look("10-release-check")


def _queries(hands: Mouse, look: Look) -> None:
    hands.desk.key(QUERIES)
    for tab, name in (("Two worlds", "two-worlds"), ("Why repeats cost", "averaging")):
        hands.press(tab)
        look(f"5-queries-{name}")
    hands.press("Noise")
    hands.press("Fit shares…")
    hands.until_asked("Fit shares")
    look("11-fit-shares")
    hands.desk.key("Escape")
    hands.until_closed("Fit shares")


def _rehearsal(hands: Mouse, look: Look) -> None:
    hands.desk.key(REHEARSAL)
    hands.until("Save made-up report…", "Button")
    look("12-rehearsal")
    hands.press("Back to Queries")


def _results(hands: Mouse, look: Look) -> None:
    hands.desk.key(RESULTS)
    hands.press("Back to the figures")
    # The first card's; each says what it is about.
    hands.press(re.compile(f"(?:{hands.spoken.of('Table').pattern}): .*"))
    look("13-results-table")
    hands.press("Dossier for the data-protection officer…")
    hands.until_asked("Dossier for the data-protection officer")
    look("18-dossier")
    hands.desk.key("Escape")
    hands.until_closed("Dossier for the data-protection officer")
    hands.press("Compare with an earlier release…")
    hands.until("Choose a bundle…", "Button")
    look("14-compare-nothing")
    hands.press("Back")


def _altered_bundle(hands: Mouse, bundle: Path, look: Look) -> None:
    """A bundle in which one byte of a file was changed."""
    raw = bytearray(bundle.read_bytes())
    raw[len(raw) // 2] ^= 1
    altered = bundle.with_name("altered.zip")
    altered.write_bytes(raw)
    hands.desk.key("ctrl+shift+v")
    hands.choose_file("Verify a bundle", altered)
    hands.until("Open another…")
    look("8-verify-altered")


def _handbook(hands: Mouse, look: Look) -> None:
    """Over the page that it opens at; it is another window, which its own key closes."""
    hands.desk.key(QUERIES)
    hands.desk.key("F1")
    handbook = hands.spoken.beginning("Handbook")
    hands.desk.wait(lambda view: is_called(handbook, view.active), "the handbook")
    look("17-handbook")
    hands.desk.key("ctrl+w")
    hands.desk.wait(lambda view: not is_called(handbook, view.active), "the window behind it")


def _comparison(hands: Mouse, look: Look) -> None:
    """The question that was changed last, released and held against the first release."""
    hands.press("Release %n figure(s) for {0}…")
    hands.until_asked("Is the data still the same as on {0}?")
    look("6-same-file")
    hands.press("Yes, the data is unchanged")
    hands.until_asked("Spend {0} of the remaining {1}?")
    hands.spend("Spend {0} and release")
    hands.until("Export signed bundle…", "Button")
    hands.press("Compare with an earlier release…")
    hands.until("Earlier release")
    look("14-results-compare")
