# SPDX-License-Identifier: Apache-2.0
"""What is empty yet, and how things look under the mouse, under a press and with the keyboard.

Most of it is gone with the next movement, so each is photographed while the hand is still there.
"""

from __future__ import annotations

import re
import time

from tests.x11.first_hour import Look
from tests.x11.hands import Keyboard, Mouse
from tests.x11.sample_states import TOOLTIP_S
from tests.x11.screen import TEXTS, Control

DATA, PEOPLE, COLUMNS, QUERIES, RELEASE = (f"ctrl+{n}" for n in range(1, 6))
"""The shortcuts that the menus show."""
RIGHT = 3
CORNER = 2


def empty_states(hands: Mouse, look: Look) -> None:
    """Each page of a study of which nothing is declared, from Data and back to it."""
    for key, name in ((PEOPLE, "people"), (QUERIES, "queries"), (RELEASE, "release")):
        hands.desk.key(key)
        look(f"20-empty-{name}")
    for item in ("History", "Verify"):
        hands.press(item)
        look(f"20-empty-{item.lower()}")
    hands.press("Tools")
    hands.press("Signing key…")
    hands.until("Make a signing key…", "Button")
    look("20-empty-signing-key")
    hands.desk.key(DATA)
    hands.until("Continue to People", "Button")


def hand_states(hands: Mouse, look: Look) -> None:
    """Of the sample hospital's queries: pointed at, pressed, with the keyboard, with a menu."""
    hands.desk.key(QUERIES)
    review = hands.there("Review release", "Button")
    _point(hands, review)
    look("21-pointed-primary")
    hands.desk.x("mousedown", 1)
    look("21-pressed-primary")
    # Let go elsewhere, it is not pressed.
    hands.desk.x("mousemove", CORNER, CORNER, "mouseup", 1)
    for name, what in (
        ("secondary", "Add query"),
        ("link", "Back"),
        ("rail", "People"),
        ("chip", "Number"),
        ("tab", "Two worlds"),
    ):
        wanted = hands.spoken.of(what)
        hands.bring_up_text(what)
        view = hands.until(what)
        _point(hands, [c for c in view.all(wanted) if c.role not in TEXTS][-1])
        look(f"21-pointed-{name}")
    _keyboard(hands, look)
    _menus(hands, look)


def _point(hands: Mouse, control: Control) -> None:
    """Move the mouse there, and wait until its tooltip, where it has one, is there too."""
    hands.desk.x("mousemove", CORNER, CORNER)
    hands.desk.x("mousemove", *control.seen.middle)
    time.sleep(TOOLTIP_S)


def _keyboard(hands: Mouse, look: Look) -> None:
    """The ring on an item of the rail, and on what goes on."""
    hands.desk.x("mousemove", CORNER, CORNER)
    # Tab stops at the rail once, at the page on show; the arrows go on from there.
    Keyboard(hands.desk, hands.spoken).reach(hands.spoken.of("Queries"))
    hands.desk.key("Down")
    look("22-keyboard-rail")
    hands.desk.key(PEOPLE)
    look("22-keyboard-primary")


def _menus(hands: Mouse, look: Look) -> None:
    """The three dots of a card, and what the right button opens in a field."""
    hands.desk.key(QUERIES)
    hands.press("More for {0}", "Button")
    look("23-menu-of-a-query")
    hands.desk.key("Escape")
    hands.desk.key(RELEASE)
    copying = hands.spoken.of("Copy in another form").pattern
    hands.press(re.compile(f"(?:{copying}): .*"), "Button")
    look("23-menu-of-a-result")
    hands.desk.key("Escape")
    hands.desk.key(DATA)
    hands.bring_up_text("Organisation that releases")
    field = hands.there("Organisation that releases", "EditableText")
    hands.desk.x("mousemove", *field.seen.middle, "click", RIGHT)
    look("23-menu-of-a-field")
    hands.desk.key("Escape")
