# SPDX-License-Identifier: Apache-2.0
"""Two ways to use the desk: with the mouse alone, and with the keyboard alone.

Both find controls by their accessible names, and both type text where the keyboard is; only the
mouse presses and scrolls, or only keys do.
"""

from __future__ import annotations

import time
from pathlib import Path

from tests.x11.screen import Control, Desk, View

MOST_TABS = 150
MOST_NOTCHES = 60
PAUSE_S = 0.04
CHOICES = ("RadioButton", "CheckBox")
WHEEL_UP, WHEEL_DOWN = 4, 5


class Hands:
    """What both can do.

    Attributes:
        desk: the program on its screen.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def press(self, name: str, role: str = "") -> None:
        """Press a control."""
        raise NotImplementedError

    def take(self, name: str) -> None:
        """Take a line of a list that is open over the page."""
        raise NotImplementedError

    def write(self, name: str, text: str) -> None:
        """Replace what stands in a field."""
        self.go_to_field(name)
        self.desk.key("ctrl+a")
        lines = text.split("\n")
        for place, line in enumerate(lines):
            if place:
                self.desk.key("Return")
            self.desk.type(line)
        self.desk.wait(lambda view: _holds(view, text), f"{text!r} in {name!r}")

    def go_to_field(self, name: str) -> None:
        """Put the keyboard into a field."""
        raise NotImplementedError

    def spend(self, name: str) -> None:
        """Press the button of what cannot be undone."""
        raise NotImplementedError

    def open_verify(self) -> None:
        """Go where a bundle is chosen to be checked."""
        raise NotImplementedError

    def choose_file(self, title: str, path: Path) -> None:
        """Name a file in the dialog that asks for one."""
        self.desk.wait(lambda view: view.modal == title and view.focus == "File name:", title)
        self.desk.key("ctrl+a")
        self.desk.type(str(path))
        self.desk.wait(lambda view: _holds(view, str(path)), str(path))
        self.end_file_dialog(title)
        self.desk.wait(lambda view: view.modal != title, f"the end of {title!r}")

    def end_file_dialog(self, title: str) -> None:
        """Agree to the file that was named."""
        raise NotImplementedError


def _holds(view: View, text: str) -> bool:
    """Whether the control with the keyboard shows a text, or as many dots."""
    values = [c.value for c in view.controls if c.focused]
    return any(v == text or (len(v) == len(text) and set(v) == {"●"}) for v in values)


class Mouse(Hands):
    """Presses with the first button and scrolls with the wheel."""

    def press(self, name: str, role: str = "") -> None:
        """Scroll to it and press it in the middle."""
        found = self._scrolled_to(name, role)
        self.desk.press_at(*found.seen.middle)

    def take(self, name: str) -> None:
        """Press the line."""
        self.press(name, "ListItem")

    def go_to_field(self, name: str) -> None:
        """Press into it."""
        self.press(name, "EditableText")

    def spend(self, name: str) -> None:
        """As any other."""
        self.press(name)

    def open_verify(self) -> None:
        """By the rail and the page's own button."""
        self.press("Verify")
        self.press("Open a bundle…")

    def end_file_dialog(self, title: str) -> None:
        """Press the button that agrees; it is named for what it does."""
        view = self.desk.look()
        name = "Save" if view.all("Save", "Button") else "Open"
        self.press(name, "Button")
        # The first press may only close the list of completions that Qt's own dialog has open.
        if self.desk.settled().modal == title:
            self.press(name, "Button")

    def _scrolled_to(self, name: str, role: str) -> Control:
        """The control with its middle on show."""
        for _ in range(MOST_NOTCHES):
            found = self.desk.there(name, role)
            low = found.rect.middle[1]
            top, end = found.seen.top, found.seen.top + found.seen.height
            if found.seen.height > 0 and (top <= low < end or found.seen == found.rect):
                return found
            self._turn(found)
        raise AssertionError(f"the wheel does not bring {name!r}")

    def _turn(self, found: Control) -> None:
        """One notch of the wheel where the control will come to lie."""
        page = self.desk.page_room()
        left = found.rect.middle[0]
        down = found.rect.middle[1] > page.middle[1]
        self.desk.wheel(left, page.middle[1], WHEEL_DOWN if down else WHEEL_UP)
        time.sleep(PAUSE_S)


class Keyboard(Hands):
    """Presses with Return, and goes to things with Tab and the arrows."""

    def press(self, name: str, role: str = "") -> None:
        """Go to it and press Return."""
        found = self.desk.there(name, role)
        if not found.tab and found.role in CHOICES:
            self._choose(found)
            return
        self.reach(name)
        self.desk.wait(lambda view: view.focus == name, f"the keyboard on {name!r}")
        self.desk.key("Return")

    def _choose(self, found: Control) -> None:
        """Tab stops once at what excludes each other; the arrows choose."""
        for _ in range(MOST_TABS):
            view = self.desk.look()
            at = next((c for c in view.controls if c.focused), found)
            if at.name == found.name:
                self.desk.key("space")
                return
            near = at.role == found.role and at.rect.top == found.rect.top
            if near:
                self.desk.key("Right" if at.rect.left < found.rect.left else "Left")
                time.sleep(PAUSE_S)
            else:
                self._step(view)
        raise AssertionError(f"no key comes to {found.name!r}")

    def take(self, name: str) -> None:
        """Go down to it and take it with Return."""
        self.desk.there(name, "ListItem")
        for _ in range(MOST_TABS):
            view = self.desk.look()
            if any(c.selected for c in view.all(name, "ListItem")):
                self.desk.key("Return")
                return
            self.desk.key("Down")
            time.sleep(PAUSE_S)
        raise AssertionError(f"Down does not come to {name!r}")

    def go_to_field(self, name: str) -> None:
        """Tab to it."""
        self.reach(name)

    def spend(self, name: str) -> None:
        """Return does not press it."""
        self.reach(name)
        self.desk.key("Return")
        assert self.desk.settled().focus == name, "Return spent"
        self.desk.key("space")

    def open_verify(self) -> None:
        """By its shortcut."""
        self.desk.key("ctrl+shift+v")

    def end_file_dialog(self, title: str) -> None:
        """Return agrees."""
        self.desk.key("Return")

    def reach(self, name: str) -> None:
        """Tab until a control has the keyboard."""
        self.desk.there(name)
        for _ in range(MOST_TABS):
            view = self.desk.look()
            if view.focus == name:
                return
            self._step(view)
        raise AssertionError(f"Tab does not come to {name!r}")

    def _step(self, view: View) -> None:
        """One Tab, and what it does."""
        self.desk.key("Tab")
        before = [c.rect for c in view.controls if c.focused]
        ends = time.monotonic() + 1.0
        while time.monotonic() < ends:
            now = self.desk.look()
            if [c.rect for c in now.controls if c.focused] != before or now.focus != view.focus:
                return

    def reach_line(self, name: str) -> None:
        """Go down the list that has the keyboard to a line."""
        for _ in range(MOST_TABS):
            if self.desk.look().focus == name:
                return
            self.desk.key("Down")
        raise AssertionError(f"Down does not come to {name!r}")
