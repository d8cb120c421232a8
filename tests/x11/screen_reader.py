# SPDX-License-Identifier: Apache-2.0
"""What a screen reader learns of the program's windows by the accessibility bus, and can do.

Run by the system's own Python, which has the bindings (``python3-gi``): for each line ``look`` on
standard input it writes a line of JSON, in the form of ``tests/x11/program.py``. All that is asked
about one level of controls is asked at once: a screen of 300 controls takes some tenths of a
second, where a question after the other takes several.

``{"do": "press", "place": […]}`` does what a control offers first (press it, toggle it), if its
``name`` is still the one that is given, ``focus``
gives it the keyboard, and ``write`` with a ``text`` replaces what a field holds. The answer is
whether the control has done it. For ``heard`` it writes what the program has announced so far.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from gi.repository import Gio, GLib

PROGRAM = "dpdesk"
SUFFIX = f" — {PROGRAM}"
"""What Qt puts behind the titles of windows that do not name the program."""
ROOT = "/org/a11y/atspi/accessible/root"
SPI = "org.a11y.atspi"
ACCESSIBLE = f"{SPI}.Accessible"
DOES = ("Press", "Toggle")
"""Qt's names for what a control is there for; it offers the keyboard and menus, too."""
PROPERTIES = "org.freedesktop.DBus.Properties"
ROLES = {
    7: "CheckBox",
    11: "ComboBox",
    16: "Dialog",
    23: "Window",
    29: "StaticText",
    32: "ListItem",
    35: "MenuItem",
    40: "EditableText",  # of a passphrase
    43: "Button",
    44: "RadioButton",
    61: "EditableText",
    62: "Button",  # that stays down
    79: "EditableText",
    83: "Heading",
}
"""Numbers of the protocol (``AtspiRole``), and what the program's own interface calls them."""
DIALOGS = (2, 16)
OPENING = (11, 33, 35)
APPLICATION = 75
WINDOWS = (*DIALOGS, 23, 69)
ACTIVE, CHECKED, ENABLED, FOCUSABLE, FOCUSED, SELECTED = 1, 4, 8, 11, 12, 23
SHOWING, VISIBLE = 25, 30
"""Places of bits (``AtspiStateType``)."""
Rect = tuple[int, int, int, int]
Place = tuple[str, str]
"""A control: whose it is, and its path there."""
SCREEN: Rect = (0, 0, 100_000, 100_000)
NOWHERE: Rect = (0, 0, 0, 0)
TIMEOUT_MS = 5000


class Bus:
    """The bus of screen readers."""

    def __init__(self) -> None:
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        launcher = ("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        asked = session.call_sync(*launcher, None, None, Gio.DBusCallFlags.NONE, -1, None)
        kind = Gio.DBusConnectionFlags
        flags = kind.AUTHENTICATION_CLIENT | kind.MESSAGE_BUS_CONNECTION
        address = asked.unpack()[0]
        self._bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.focus: Place | None = None
        self.announced: list[str] = []
        self._listen()

    def _listen(self) -> None:
        """Hear where the keyboard goes: lists that open over a window are in nobody's tree."""

        def hear(_bus: Any, owner: str, path: str, _by: str, _signal: str, parameters: Any) -> None:
            if parameters.unpack()[:2] == ("focused", 1):
                self.focus = (owner, path)

        event = f"{SPI}.Event.Object"
        self._bus.signal_subscribe(
            None, event, "StateChanged", None, None, Gio.DBusSignalFlags.NONE, hear
        )

        def hear_announcement(
            _bus: Any, _owner: str, _path: str, _by: str, _signal: str, parameters: Any
        ) -> None:
            self.announced.append(str(parameters.unpack()[3]))

        self._bus.signal_subscribe(
            None, event, "Announcement", None, None, Gio.DBusSignalFlags.NONE, hear_announcement
        )
        registry = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry")
        for wanted in ("object:state-changed:focused", "object:announcement"):
            given = GLib.Variant("(s)", (wanted,))
            self.ask([(registry, f"{SPI}.Registry", "RegisterEvent", given)])

    def ask(self, calls: list[tuple[Place, str, str, Any]]) -> list[Any]:
        """What each call answers, all of them under way together; None where one fails.

        Args:
            calls: whom, which interface, which method, with what.
        """
        answers: list[Any] = [None] * len(calls)
        left = len(calls)

        def take(bus: Any, result: Any, index: int) -> None:
            nonlocal left
            left -= 1
            try:
                answered = bus.call_finish(result).unpack()
                answers[index] = answered[0] if answered else None
            except GLib.Error:
                # It went away while it was looked at.
                answers[index] = None

        for index, ((owner, path), interface, method, given) in enumerate(calls):
            call = (owner, path, interface, method, given, None)
            self._bus.call(*call, Gio.DBusCallFlags.NONE, TIMEOUT_MS, None, take, index)
        while left:
            GLib.MainContext.default().iteration(True)
        return answers

    def programs(self) -> list[Place]:
        """Every start of the program that is on the screen."""
        everyone = self.ask([(("org.a11y.atspi.Registry", ROOT), ACCESSIBLE, "GetChildren", None)])
        found = [tuple(each) for each in everyone[0] or []]
        names = self.ask([_name(each) for each in found])
        return [each for each, name in zip(found, names, strict=True) if name == PROGRAM]

    def process(self, owner: str) -> int:
        """The number of a program's process."""
        place = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
        given = GLib.Variant("(s)", (owner,))
        asked = (place, "org.freedesktop.DBus", "GetConnectionUnixProcessID", given)
        return int(self.ask([asked])[0] or 0)


def _name(place: Place) -> tuple[Place, str, str, Any]:
    return place, PROPERTIES, "Get", GLib.Variant("(ss)", (ACCESSIBLE, "Name"))


def look(bus: Bus) -> dict[str, Any]:
    """Every control on show, of every window of the program."""
    view: dict[str, Any] = {"controls": [], "modal": "", "active": "", "focus": "", "windows": []}
    for program in bus.programs():
        children = bus.ask([(program, ACCESSIBLE, "GetChildren", None)])[0] or []
        level = [(tuple(child), SCREEN, "") for child in children]
        process = bus.process(program[0])
        while level:
            level = _look_at(bus, level, view, process)
    popup = _top(bus, view)
    level = [(popup, SCREEN, "")] if popup else []
    while level:
        level = _look_at(bus, level, view, 0)
    # Qt says of the current line of every list that it has the keyboard, of lists without it, too.
    at = (c for c in view["controls"] if tuple(c["place"]) == bus.focus and c["focused"])
    view["focus"] = next((c["name"] for c in at), view["focus"])
    return view


def _top(bus: Bus, view: dict[str, Any]) -> Place | None:
    """The window with the keyboard where no program's tree led to it."""
    at, top = bus.focus, None
    seen = {tuple(control["place"]) for control in view["controls"]}
    while at is not None and at not in seen:
        if bus.ask([(at, ACCESSIBLE, "GetRole", None)])[0] in (None, APPLICATION):
            return top
        asked = (at, PROPERTIES, "Get", GLib.Variant("(ss)", (ACCESSIBLE, "Parent")))
        above = bus.ask([asked])[0]
        top, at = at, tuple(above) if above else None
    return None


def _look_at(
    bus: Bus, level: list[tuple[Place, Rect, str]], view: dict[str, Any], process: int
) -> list[tuple[Place, Rect, str]]:
    """One level of controls, each with the room that is left to it and its window's title."""
    answers = bus.ask([call for place, _, _ in level for call in _questions(place)])
    below = []
    for index, (_, room, window) in enumerate(level):
        bits, role, name, rect, text, children = answers[index * 6 : index * 6 + 6]
        state = bits[0] | bits[1] << 32 if bits else 0
        if name is None or not state >> SHOWING & 1 or not state >> VISIBLE & 1:
            continue
        if role in WINDOWS:
            name = name.removesuffix(SUFFIX)
            window, room = name, SCREEN
            _note_window(view, name, role, state, process)
        seen = _common(rect or NOWHERE, room)
        view["controls"].append(
            {
                **_described(name, role, state, rect or NOWHERE, seen, text, window),
                "place": level[index][0],
            }
        )
        view["focus"] = name if state >> FOCUSED & 1 else view["focus"]
        # A list that opens over the page lies where its field or menu does not.
        room = SCREEN if role in OPENING else seen
        below += [(tuple(child), room, window) for child in children or []]
    return below


def _questions(place: Place) -> list[tuple[Place, str, str, Any]]:
    return [
        (place, ACCESSIBLE, "GetState", None),
        (place, ACCESSIBLE, "GetRole", None),
        _name(place),
        (place, "org.a11y.atspi.Component", "GetExtents", GLib.Variant("(u)", (0,))),
        (place, "org.a11y.atspi.Text", "GetText", GLib.Variant("(ii)", (0, -1))),
        (place, ACCESSIBLE, "GetChildren", None),
    ]


def _note_window(view: dict[str, Any], name: str, role: int, state: int, process: int) -> None:
    """Qt does not say which dialog lets nothing else be used; all of the program's are such."""
    view["windows"].append([name, process])
    view["active"] = name if state >> ACTIVE & 1 else view["active"]
    view["modal"] = name if role in DIALOGS else view["modal"]


def _described(
    name: str, role: int, state: int, rect: Rect, seen: Rect, text: str | None, window: str
) -> dict[str, Any]:
    kind = ROLES.get(role, f"role {role}")
    return {
        "name": name,
        "role": kind,
        "value": (text or "") if kind == "EditableText" else "",
        "rect": rect,
        "seen": seen,
        "enabled": bool(state >> ENABLED & 1),
        "checked": bool(state >> CHECKED & 1),
        "focused": bool(state >> FOCUSED & 1),
        "focusable": bool(state >> FOCUSABLE & 1),
        "selected": bool(state >> SELECTED & 1),
        "tab": bool(state >> FOCUSABLE & 1),
        "window": window,
    }


def _common(one: Rect, other: Rect) -> Rect:
    """What lies in both."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right = min(one[0] + one[2], other[0] + other[2])
    end = min(one[1] + one[3], other[1] + other[3])
    return (left, top, right - left, end - top) if left < right and top < end else NOWHERE


def act(bus: Bus, wanted: dict[str, Any]) -> bool:
    """What a person does through their screen reader; whether the control has done it."""
    place: Place = (wanted["place"][0], wanted["place"][1])
    if wanted["do"] == "focus":
        return bool(bus.ask([(place, f"{SPI}.Component", "GrabFocus", None)])[0])
    if wanted["do"] == "write":
        given = GLib.Variant("(s)", (wanted["text"],))
        return bool(bus.ask([(place, f"{SPI}.EditableText", "SetTextContents", given)])[0])
    if "name" in wanted and bus.ask([_name(place)])[0] != wanted["name"]:
        return False  # a suggestion was taken, and the others have moved up
    offered = bus.ask([(place, f"{SPI}.Action", "GetActions", None)])[0] or []
    names = [name for name, _about, _keys in offered]
    first = next((names.index(name) for name in DOES if name in names), None)
    if first is None:
        return False
    given = GLib.Variant("(i)", (first,))
    return bool(bus.ask([(place, f"{SPI}.Action", "DoAction", given)])[0])


def answer_to(bus: Bus, asked: str) -> Any:
    """What a line on standard input is answered with."""
    if asked == "look":
        return look(bus)
    return bus.announced if asked == "heard" else act(bus, json.loads(asked))


def main() -> None:
    """Answer until nobody asks any more."""
    bus = Bus()
    for line in sys.stdin:
        asked = line.strip()
        answer = answer_to(bus, asked)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
