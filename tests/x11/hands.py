# SPDX-License-Identifier: Apache-2.0
"""Two ways to use the desk: with the mouse alone, and with the keyboard alone.

Both find controls by their accessible names, and both type text where the keyboard is; only the
mouse presses and scrolls, or only keys do. A third is in ``reader.py``. Whatever is named here is
named in the program's English sentence, whichever language it speaks.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

from tests.x11.screen import PATIENCE_S, TRIES, Control, Desk, View
from tests.x11.spoken import Name, Spoken, is_called

MOST_TABS = 150
MOST_NOTCHES = 60
MIDDLE, BELOW_MIDDLE = 0.5, 0.8
"""Where on a page the wheel is turned, as parts of its height."""
PAUSE_S = 0.04
OPENS_WITHIN_S = 3.0
CHOICES = ("RadioButton", "CheckBox")
WAYS_OUT = ("Cancel", "Not now", "Close")
PAGES = ("Data", "People", "Columns", "Queries", "Release", "History")
"""In the order of their keys."""
MENUS = ("Menus", "LedgerMenu")
"""Classes of the window that say what lines of menus are called."""
WHEEL_UP, WHEEL_DOWN = 4, 5


class Hands:
    """What both can do.

    Attributes:
        desk: the program on its screen.
        spoken: what it calls things.
    """

    def __init__(self, desk: Desk, spoken: Spoken | None = None) -> None:
        self.desk = desk
        self.spoken = spoken or Spoken()

    def there(self, name: Name, role: str = "") -> Control:
        """A control that can be used."""
        return self.desk.there(self.spoken.of(name), role)

    def until(self, name: Name, role: str = "") -> View:
        """Wait until something of a name is on show."""
        wanted = self.spoken.of(name)
        return self.desk.wait(lambda view: view.all(wanted, role), name)

    def until_asked(self, title: str, within: float = PATIENCE_S) -> View:
        """Wait for a dialog."""
        wanted, said = self.spoken.of(title), f"the dialog {title!r}"
        return self.desk.wait(lambda view: is_called(wanted, view.modal), said, within)

    def until_closed(self, title: str) -> View:
        """Wait until a dialog is gone."""
        gone = self.spoken.of(title)
        return self.desk.wait(lambda view: not is_called(gone, view.modal), f"the end of {title!r}")

    def choose_column(self, line: str) -> None:
        """Choose a column in the list of all."""
        self.press(line)

    def press(self, name: Name, role: str = "") -> None:
        """Press a control."""
        raise NotImplementedError

    def take(self, name: Name) -> None:
        """Take a line of a list that is open over the page."""
        raise NotImplementedError

    def pick(self, shown: Name, wanted: Name) -> None:
        """Pick another line in a field that shows one of a list."""
        self.press(shown, "ComboBox")
        self.take(wanted)

    def option(self, name: Name) -> None:
        """Choose one of several that stand below each other."""
        self.press(name)

    def page(self, name: str) -> None:
        """Go to a page."""
        self.press(name)

    def menu(self, *names: str) -> None:
        """Choose in the menus, from the bar on."""
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
        self.desk.wait(lambda view: holds(view, text), f"{text!r} in {name!r}")

    def go_to_field(self, name: str) -> None:
        """Put the keyboard into a field."""
        raise NotImplementedError

    def spend(self, name: str) -> None:
        """Press the button of what cannot be undone."""
        raise NotImplementedError

    def verify(self, bundle: Path) -> None:
        """Let a bundle be checked that was just exported."""
        raise NotImplementedError

    def choose_file(self, title: str, path: Path) -> None:
        """Name a file in the dialog that asks for one."""
        self.until_asked(title)
        asked = self.spoken.of("File name:")
        self.desk.wait(lambda view: is_called(asked, view.focus), "the keyboard in the file's name")
        self._type_path(str(path))
        self.end_file_dialog(title)
        self.until_closed(title)

    def _type_path(self, path: str) -> None:
        """Type it; on a busy machine Qt's list of completions may take a letter, as it opens."""
        for tries_left in reversed(range(TRIES)):
            self.desk.key("ctrl+a")
            self.desk.type(path)
            self.desk.settled()
            if holds(self.desk.look(), path) or not tries_left:
                break
        self.desk.wait(lambda view: holds(view, path), path)

    def end_file_dialog(self, title: str) -> None:
        """Agree to the file that was named."""
        raise NotImplementedError


def holds(view: View, text: str) -> bool:
    """Whether the control with the keyboard shows a text, or as many dots."""
    values = [c.value for c in view.controls if c.focused]
    return any(v == text or (len(v) == len(text) and set(v) == {"●"}) for v in values)


class Mouse(Hands):
    """Presses with the first button and scrolls with the wheel."""

    def press(self, name: Name, role: str = "") -> None:
        """Scroll to it and press it in the middle; what is chosen already needs no press."""
        found = self._scrolled_to(name, role)
        while (now := self._scrolled_to(name, role)).rect != found.rect:
            found = now  # a page that fills itself card by card moves what is below
        if not (found.role == "RadioButton" and found.checked):
            self.desk.press_at(*found.seen.middle)

    def menu(self, *names: str) -> None:
        """Press each; nothing scrolls, and a menu's lines have no place until it is open."""
        for name in names:
            line = self.spoken.of(name)

            def lines(view: View, line: re.Pattern[str] = line) -> list[Control]:
                named = [c for c in view.controls if c.role == "MenuItem"]
                return [c for c in named if is_called(line, c.name) and c.rect.width > 0]

            found = lines(self.desk.wait(lines, name))
            self.desk.press_at(*found[0].rect.middle)

    def bring_up(self, name: Name) -> None:
        """Scroll until it, and what stands below it, is on show."""
        found = self._scrolled_to(name, "")
        for _ in range(MOST_NOTCHES):
            page, before = self.desk.page_room(), found.rect.top
            if before < page.top + page.height // 4:
                return
            self.desk.wheel(found.rect.middle[0], page.middle[1], WHEEL_DOWN)
            time.sleep(PAUSE_S)
            found = self.there(name)
            if found.rect.top == before:
                return

    def bring_up_text(self, name: Name) -> None:
        """Scroll until a text is on show that nobody presses, such as a heading."""
        wanted = self.spoken.of(name)

        def there(view: View) -> list[Control]:
            return [c for c in view.controls if is_called(wanted, c.name)]

        found = there(self.desk.wait(there, name))[0]
        for _ in range(MOST_NOTCHES):
            if found.seen == found.rect:
                return
            self._turn(found)
            found = there(self.desk.look())[0]
        raise AssertionError(f"the wheel does not bring {name!r}")

    def take(self, name: Name) -> None:
        """Press the line."""
        self.press(name, "ListItem")

    def go_to_field(self, name: str) -> None:
        """Press into it, unless the keyboard is there."""
        if not self.there(name, "EditableText").focused:
            self.press(name, "EditableText")

    def spend(self, name: str) -> None:
        """As any other."""
        self.press(name)

    def verify(self, bundle: Path) -> None:
        """By the button that stands with what was exported."""
        self.press("Verify it as they will")

    def end_file_dialog(self, title: str) -> None:
        """Press the button that agrees; it is named for what it does."""
        view = self.desk.look()
        name = "Save" if view.all(self.spoken.of("Save"), "Button") else "Open"
        self.press(name, "Button")
        # The first press may only close the list of completions that Qt's own dialog has open.
        if is_called(self.spoken.of(title), self.desk.settled().modal):
            self.press(name, "Button")

    def _scrolled_to(self, name: Name, role: str) -> Control:
        """The control with its middle on show."""
        at, place = -1, MIDDLE
        for _ in range(MOST_NOTCHES):
            found = self.there(name, role)
            low = found.rect.middle[1]
            top, end = found.seen.top, found.seen.top + found.seen.height
            if found.seen.height > 0 and (top <= low < end or found.seen == found.rect):
                return found
            if low == at:  # the page is at its end, and what scrolls in it lies elsewhere
                place = BELOW_MIDDLE if place == MIDDLE else MIDDLE
            at = low
            self._turn(found, place)
        raise AssertionError(f"the wheel does not bring {name!r}")

    def _turn(self, found: Control, place: float = MIDDLE) -> None:
        """One notch of the wheel where the control will come to lie."""
        page = self.desk.page_room()
        left, low = found.rect.middle[0], page.top + int(page.height * place)
        down = found.rect.middle[1] > low
        self.desk.wheel(left, low, WHEEL_DOWN if down else WHEEL_UP)
        time.sleep(PAUSE_S)


class Keyboard(Hands):
    """Goes to things by their letters, the keys of the handbook's page, Tab and the arrows."""

    def press(self, name: Name, role: str = "") -> None:
        """Go to it and press Return; leave a dialog, and go on from where one is, by a key."""
        found = self.there(name, role)
        view = self.desk.look()
        if found.role == "RadioButton" or (found.role in CHOICES and not found.tab):
            self._choose(found)
        elif view.modal and name in WAYS_OUT:
            self.desk.key("Escape")
        elif not found.focused and _is_at_the_end(view, found):
            self.desk.key("ctrl+Return")
        else:
            self.reach(name)
            self.desk.key("Return")

    def _choose(self, found: Control) -> None:
        """Tab stops once at what excludes each other; the arrows choose.

        Where an arrow leads nowhere, the choices below are a group of their own.
        """
        tried: Control | None = None
        for _ in range(MOST_TABS):
            view = self.desk.look()
            at = _with_keyboard(view) or found
            if at.name == found.name:
                self.desk.key("space")
                return
            if at != tried and _exclude_each_other(view, at, found):
                tried = at
                is_row = at.rect.top == found.rect.top
                back, on = ("Left", "Right") if is_row else ("Up", "Down")
                before = at.rect.left < found.rect.left or at.rect.top < found.rect.top
                self.desk.key(on if before else back)
                time.sleep(PAUSE_S)
            else:
                self._step(view)
        raise AssertionError(f"no key comes to {found.name!r}")

    def pick(self, shown: Name, wanted: Name) -> None:
        """Go to the field, open its list and take the line."""
        self.reach(shown)
        self.desk.key("alt+Down")
        self.take(wanted)
        line = self.spoken.of(wanted)
        self.desk.wait(lambda view: is_called(line, view.focus), f"{wanted!r} as chosen")

    def option(self, name: Name) -> None:
        """As any other that excludes its neighbours."""
        self._choose(self.there(name))

    def page(self, name: str) -> None:
        """By its key."""
        self.desk.key(f"ctrl+{1 + PAGES.index(name)}")

    def menu(self, *names: str) -> None:
        """Open the bar's menu by its letter with Alt, and take each line by its own."""
        bar, *lines = names
        self.desk.wait(lambda view: view.active, "a window in front")
        self.desk.settled()  # a window that is just there hears no key
        first = self.spoken.of(lines[0])
        (letter,) = self.spoken.letters(bar, *MENUS)
        for _ in range(TRIES):  # on a busy machine a menu may close as Alt is let go
            self.desk.key(f"alt+{letter}")
            ends = time.monotonic() + OPENS_WITHIN_S
            while not self.desk.look().all(first, "MenuItem") and time.monotonic() < ends:
                time.sleep(PAUSE_S)
            if self.desk.look().all(first, "MenuItem"):
                break
        for name in lines:
            line = self.spoken.of(name)
            self.desk.wait(lambda view, line=line: view.all(line, "MenuItem"), name)
            (letter,) = self.spoken.letters(name, *MENUS) or self.spoken.letters(name)
            self.desk.key(letter)

    def take(self, name: Name) -> None:
        """Go up or down to it and take it with Return."""
        wanted = self.spoken.of(name)
        for _ in range(MOST_TABS):
            line, view = self.there(name, "ListItem"), self.desk.look()
            if any(c.selected for c in view.all(wanted, "ListItem")):
                self.desk.key("Return")
                return
            chosen = (c for c in view.controls if c.role == "ListItem" and c.selected)
            at = next(chosen, line)
            self.desk.key("Up" if at.rect.top > line.rect.top else "Down")
            time.sleep(PAUSE_S)
        raise AssertionError(f"no arrow comes to {name!r}")

    def go_to_field(self, name: str) -> None:
        """By its letter with Alt where it has one, else with Tab."""
        wanted, letters = self.spoken.of(name), self.spoken.letters(name)
        if len(letters) != 1 or self.there(name, "EditableText").focused:
            self.reach(name)
            return
        self.desk.key(f"alt+{letters.pop()}")
        self.desk.wait(lambda view: is_called(wanted, view.focus), f"{name!r} by its letter")

    def spend(self, name: str) -> None:
        """Return does not press it, with Ctrl or without."""
        self.reach(name)
        self.desk.key("Return", "ctrl+Return")
        assert is_called(self.spoken.of(name), self.desk.settled().focus), "Return spent"
        self.desk.key("space")

    def verify(self, bundle: Path) -> None:
        """By the shortcut, and the file's name."""
        self.desk.key("ctrl+shift+v")
        self.choose_file("Verify a bundle", bundle)

    def end_file_dialog(self, title: str) -> None:
        """Return agrees."""
        self.desk.key("Return")

    def choose_column(self, line: str) -> None:
        """Back to the list from a column's fields, and to the line with the arrows."""
        for step in range(MOST_TABS):
            view, wanted = self.desk.look(), self.there(line)
            at = _with_keyboard(view) or wanted
            if view.focus == line:
                return
            if at.role == wanted.role and at.rect.left == wanted.rect.left:
                self.desk.key("Down" if at.rect.top < wanted.rect.top else "Up")
                time.sleep(PAUSE_S)
            elif step == 0:
                self.desk.key("Escape")
                self.desk.settled()
            else:
                self._step(view)
        raise AssertionError(f"no key comes to {line!r}")

    def reach(self, name: Name) -> None:
        """Tab, forwards or back, until a control has the keyboard and can be seen."""
        key = _shorter_way(self.desk.look(), self.there(name))
        wanted = self.spoken.of(name)
        for _ in range(MOST_TABS):
            view = self.desk.look()
            if is_called(wanted, view.focus):
                at = [c for c in view.all(wanted) if c.focused]
                assert at, f"the keyboard is in {name!r}, out of sight"
                return
            self._step(view, key)
        raise AssertionError(f"{key} does not come to {name!r}")

    def _step(self, view: View, key: str = "Tab") -> None:
        """One Tab, and what it does."""
        self.desk.key(key)
        before = [c.rect for c in view.controls if c.focused]
        ends = time.monotonic() + 1.0
        while time.monotonic() < ends:
            now = self.desk.look()
            if [c.rect for c in now.controls if c.focused] != before or now.focus != view.focus:
                return


def _is_at_the_end(view: View, found: Control) -> bool:
    """Whether it is the button at the bottom right of its window."""
    buttons = [c for c in view.controls if c.role == "Button" and c.window == found.window]
    shown = [c for c in buttons if c.seen == c.rect and c.rect.width > 0]
    return found.rect == max((c.rect for c in shown), key=lambda r: r.middle[::-1])


def _with_keyboard(view: View) -> Control | None:
    """The control with the keyboard; the current line of a list without it says the same."""
    named = (c for c in view.controls if c.focused and c.name == view.focus)
    return next(named, None)


def _exclude_each_other(view: View, one: Control, other: Control) -> bool:
    """Whether two are choices of one group: nothing else that takes the keyboard is between."""
    if {one.role, other.role} != {"RadioButton"} or one.window != other.window:
        return False
    if one.rect.top == other.rect.top:
        return True
    top, end = sorted((one.rect.top, other.rect.top))
    focusable = (c for c in view.controls if c.focusable and c.role != "RadioButton")
    between = [c for c in focusable if top < c.rect.top < end and c.rect.left >= one.rect.left]
    return one.rect.left == other.rect.left and not [c for c in between if c.window == one.window]


def _shorter_way(view: View, wanted: Control) -> str:
    """Whether Tab or Shift+Tab comes to it first, as far as the order of reading says."""
    at = _with_keyboard(view)
    if at is None:
        return "Tab"
    if at.place != ("", ""):  # the bus does not tell in the order of reading
        return "Tab" if wanted.rect.top >= at.rect.top else "shift+Tab"
    stops = [c.rect for c in view.controls if c.tab and c.window == wanted.window]
    if at.rect not in stops or wanted.rect not in stops:
        return "Tab"
    ahead = (stops.index(wanted.rect) - stops.index(at.rect)) % len(stops)
    return "Tab" if ahead <= len(stops) / 2 else "shift+Tab"
