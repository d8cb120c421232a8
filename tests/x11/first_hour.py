# SPDX-License-Identifier: Apache-2.0
"""From nothing to a verified bundle, by one pair of hands; and what stands on the screen then."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from tests.source_files import ROOT
from tests.x11.hands import Hands
from tests.x11.screen import Rect, View
from tests.x11.spoken import is_called

SIGNER = "data-office@lindenfeld.example"
PASSPHRASE = "made-up passphrase"
ACCOUNT = "registry"
VERDICT = "You can rely on this bundle"


DOUBLE_CLICK_S = 0.6
"""Two presses at one place within less than this are a double click."""


@dataclass(frozen=True)
class Declared:
    """What the custodian knows of the file.

    Attributes:
        category: a column's line in the list, its name and its values.
        number: a column's line in the list, its name, and its lowest and highest value.
        known: the line of a column whose plausible values are known.
    """

    data: Path
    category: tuple[str, str, str]
    number: tuple[str, str, str, str]
    known: str


SAMPLE = Declared(
    ROOT / "resources" / "sample" / "admissions.csv",
    ("sex", "sex", "female\nmale"),
    ("length_of_stay", "length_of_stay", "1", "30"),
    "hba1c",
)


def declared(shared: Path) -> Declared:
    """The real file where it is, else the sample hospital's."""
    data = shared / "diabetes130" / "diabetic_data.csv"
    if not data.exists():
        return SAMPLE
    return Declared(
        data,
        ("gender", "gender", "Female\nMale"),
        ("time_in_hospital", "time_in_hospital", "1", "14"),
        "weight",
    )


def of_other_people(asked: Declared, folder: Path) -> Declared:
    """The same, where it is the sample hospital's, of people whom the sample does not know.

    A walk that goes on to the sample would be asked whether they are the same.
    """
    if asked is not SAMPLE:
        return asked
    head, *rows = asked.data.read_text(encoding="utf-8").splitlines()
    data = folder / "stays.csv"
    others = [head, *(f"S{row.removeprefix('H')}" for row in rows), ""]
    data.write_text("\n".join(others), encoding="utf-8")
    return replace(asked, data=data)


Look = Callable[[str], None]


def from_nothing_to_a_verified_bundle(
    hands: Hands, declared: Declared, bundle: Path, look: Look
) -> None:
    """Do all of it; ``look`` is called with each page's name while it is on show."""
    look("1-welcome")
    hands.press("New study from a file…")
    hands.choose_file("Choose a data file", declared.data)
    hands.until("Continue to People", "Button")
    look("2-data")
    hands.press("Continue to People")
    hands.desk.effort.leave("Data")
    people(hands, look)
    columns(hands, declared, look)
    look("5-queries-empty")
    queries(hands, declared)
    look("5-queries")
    hands.press("Review release")
    hands.desk.effort.leave("Queries")
    release(hands, look)
    export_and_verify(hands, bundle, look)


def people(hands: Hands, look: Look) -> None:
    hands.press("A person can have several rows")
    hands.write("Row limit per person", "3")
    hands.press("Yes, keep it secret")
    hands.press("New account…")
    hands.write("Name", ACCOUNT)
    hands.write("Who decided, and when", "Data board, 12 May")
    look("3-account")
    hands.press("Open account")
    hands.until_closed("Open a budget account")
    look("3-people")
    hands.press("Continue to Columns")
    hands.desk.effort.leave("People")


def columns(hands: Hands, declared: Declared, look: Look) -> None:
    line, _name, values = declared.category
    look("4-columns-on-arrival")
    hands.choose_column(line)
    hands.press("Category")
    hands.write("Values", values)
    line, _name, lower, upper = declared.number
    hands.choose_column(line)
    hands.press("Number")
    hands.write("Lowest value", lower)
    hands.write("Highest value", upper)
    hands.write("Step", "1")
    look("4-columns")
    hands.press("Continue to Queries")
    hands.desk.effort.leave("Columns")


def queries(hands: Hands, declared: Declared) -> None:
    """How many people in each category, the mean of the number, and its median, as suggested."""
    for suggestion in suggested(declared):
        name = hands.spoken.query(*suggestion)
        hands.press(name, "Button")
        # The others move up, one of them takes the keyboard, and a second press at once is none.
        hands.desk.wait(lambda view, name=name: not view.all(name, "Button"), "the query as added")
        hands.desk.settled()
        time.sleep(DOUBLE_CLICK_S)
    hands.until("Review release", "Button")


def suggested(declared: Declared) -> list[tuple[Study, Query]]:
    """What is offered for the two columns, in the order in which it is."""
    names = (declared.category[1], declared.number[1])
    study = Study(columns=(CategoryColumn(names[0]), NumberColumn(names[1])))
    made = [
        Query("").having(statistic="count-people", by=names[:1]),
        Query("").having(statistic="mean", column=names[1]),
        Query("").having(statistic="median", column=names[1]),
    ]
    return [(study, query) for query in made]


def release(hands: Hands, look: Look) -> None:
    """From Review to the figures, with a key that is made on the way."""
    look("6-release")
    hands.press("Release %n figure(s) for {0}…")
    hands.until_asked("Make a signing key")
    hands.write("Who signs", SIGNER)
    hands.write("Passphrase", PASSPHRASE)
    hands.write("Repeat the passphrase", PASSPHRASE)
    look("6-key")
    hands.press("Make key")
    hands.until_asked("Spend {0} of the remaining {1}?")
    look("6-confirm")
    hands.spend("Spend {0} and release")
    hands.until("Export signed bundle…", "Button")
    look("7-results")
    hands.desk.effort.leave("Release")


def export_and_verify(hands: Hands, bundle: Path, look: Look) -> None:
    """From the figures to the verdict on their bundle."""
    hands.press("Export signed bundle…")
    hands.choose_file("Export signed bundle", bundle)
    hands.write("Passphrase of the signing key", PASSPHRASE)
    hands.press("Sign and export")
    hands.desk.wait(lambda _view: bundle.is_file(), "the bundle")
    look("7-exported")
    hands.desk.effort.leave("Export")
    hands.verify(bundle)
    verdict = hands.spoken.beginning(VERDICT)
    hands.desk.wait(lambda view: any(is_called(verdict, c.name) for c in view.controls), VERDICT)
    look("8-verify")
    hands.desk.effort.leave("Verify")


def all_is_on_the_screen(view: View, screen: Rect) -> list[str]:
    """What the screen's edge cuts off: the window in front, and its buttons on show."""
    front = [c for c in view.controls if c.window == view.active]
    shown = [c for c in front if c.role in ("Window", "Dialog", "Button") and c.seen.width > 0]
    return [f"{c.role} {c.name!r} at {c.rect}" for c in shown if not screen.holds(c.seen)]
