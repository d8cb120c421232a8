# SPDX-License-Identifier: Apache-2.0
"""From nothing to a verified bundle, by one pair of hands; and what stands on the screen then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.x11.hands import Hands, Keyboard
from tests.x11.screen import Control, Rect, View

SIGNER = "data-office@lindenfeld.example"
PASSPHRASE = "made-up passphrase"
ACCOUNT = "registry"


@dataclass(frozen=True)
class Declared:
    """What the custodian knows of the file.

    Attributes:
        category: a column's line in the list, its name and its values.
        number: a column's line in the list, and its lowest and highest value.
    """

    data: Path
    category: tuple[str, str, str]
    number: tuple[str, str, str]


Look = Callable[[str], None]


def from_nothing_to_a_verified_bundle(
    hands: Hands, declared: Declared, bundle: Path, look: Look
) -> None:
    """Do all of it; ``look`` is called with each page's name while it is on show."""
    look("1-welcome")
    hands.press("New study from a file…")
    hands.choose_file("Choose a data file", declared.data)
    look("2-data")
    hands.press("Continue to People")
    _people(hands, look)
    _columns(hands, declared, look)
    _query(hands, declared, look)
    release(hands, look)
    export_and_verify(hands, bundle, look)


def _people(hands: Hands, look: Look) -> None:
    hands.press("A person can have several rows")
    hands.write("Rows per person, at most", "3")
    hands.press("Yes, keep it secret")
    hands.press("New account…")
    hands.write("Name", ACCOUNT)
    hands.write("Who decided, and when", "Data board, 12 May")
    look("3-account")
    hands.press("Open account")
    _until_closed(hands, "Open a budget account")
    look("3-people")
    hands.press("Continue to Columns")


def _columns(hands: Hands, declared: Declared, look: Look) -> None:
    line, _name, values = declared.category
    _column(hands, line)
    hands.press("Used")
    hands.press("Category")
    hands.write("Values", values)
    line, lower, upper = declared.number
    if isinstance(hands, Keyboard):
        hands.reach(declared.category[0])
    _column(hands, line)
    hands.press("Used")
    hands.press("Number")
    look("4-columns-on-arrival")
    hands.write("Lowest value", lower)
    hands.write("Highest value", upper)
    hands.write("Step", "1")
    look("4-columns")
    hands.press("Continue to Queries")


def _column(hands: Hands, line: str) -> None:
    """Choose a column in the list."""
    if isinstance(hands, Keyboard):
        hands.reach_line(line)
    else:
        hands.press(line)


def _query(hands: Hands, declared: Declared, look: Look) -> None:
    look("5-queries-empty")
    hands.press("Add query")
    hands.press("Add a group or a condition")
    hands.take("For each…")
    hands.take(declared.category[1])
    hands.desk.wait(lambda view: view.all("Review release", "Button"), "a plan")
    look("5-queries")
    hands.press("Review release")


def release(hands: Hands, look: Look) -> None:
    """From Review to the figures, with a key that is made on the way."""
    look("6-release")
    hands.press(_button(hands, "Release "))
    hands.desk.wait(lambda view: view.modal == "Make a signing key", "the key's dialog")
    hands.write("Who signs", SIGNER)
    hands.write("Passphrase", PASSPHRASE)
    hands.write("Repeat the passphrase", PASSPHRASE)
    look("6-key")
    hands.press("Make key")
    hands.desk.wait(lambda view: view.modal.startswith("Spend "), "the question")
    look("6-confirm")
    hands.spend(_button(hands, "Spend "))
    hands.desk.wait(lambda view: view.all("Export signed bundle…", "Button"), "figures")
    look("7-results")


def export_and_verify(hands: Hands, bundle: Path, look: Look) -> None:
    """From the figures to the verdict on their bundle."""
    hands.press("Export signed bundle…")
    hands.choose_file("Export signed bundle", bundle)
    hands.write("Passphrase of the signing key", PASSPHRASE)
    hands.press("Sign and export")
    hands.desk.wait(lambda _view: bundle.is_file(), "the bundle")
    look("7-exported")
    hands.open_verify()
    hands.choose_file("Verify a bundle", bundle)
    hands.desk.wait(_is_verified, "the answers")
    look("8-verify")


def _is_verified(view: View) -> bool:
    return any(c.name.startswith("You can rely on this bundle") for c in view.controls)


def _until_closed(hands: Hands, title: str) -> None:
    hands.desk.wait(lambda view: view.modal != title, f"the end of {title!r}")


def _button(hands: Hands, begins: str) -> str:
    """The whole name of the button in front that begins so."""

    def found(view: View) -> list[Control]:
        buttons = [c for c in view.controls if c.role == "Button" and c.enabled]
        inside = [c for c in buttons if not view.modal or c.window == view.modal]
        return [c for c in inside if c.name.startswith(begins)]

    return found(hands.desk.wait(found, f"a button {begins!r}"))[0].name


def all_is_on_the_screen(view: View, screen: Rect) -> list[str]:
    """What the screen's edge cuts off: the window in front, and its buttons on show."""
    front = [c for c in view.controls if c.window == view.active]
    shown = [c for c in front if c.role in ("Window", "Dialog", "Button") and c.seen.width > 0]
    return [f"{c.role} {c.name!r} at {c.rect}" for c in shown if not screen.holds(c.seen)]
