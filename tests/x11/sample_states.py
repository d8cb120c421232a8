# SPDX-License-Identifier: Apache-2.0
"""States of a study with many groups and queries: the sample hospital's, from the first page.

By the mouse, as everything else; what a list or a menu shows is photographed while it is open.
"""

from __future__ import annotations

import re
import time

from tests.source_files import ROOT
from tests.x11.first_hour import PASSPHRASE, Look
from tests.x11.hands import Mouse

CLOSE_STUDY, DATA, COLUMNS, QUERIES, RELEASE = "ctrl+w", "ctrl+1", "ctrl+3", "ctrl+4", "ctrl+5"
"""The shortcuts that the menus show."""
CODEBOOK = ROOT / "resources" / "sample" / "codebook.csv"
TOOLTIP_S = 1.5


def sample_states(hands: Mouse, look: Look) -> None:
    """The first page with a recent study, then the sample hospital from its rows to History."""
    hands.desk.key(CLOSE_STUDY)
    hands.bring_up_text("Recent studies")
    look("1-welcome-recent")
    hands.press("Try the sample hospital")
    hands.until("Review release", "Button")
    _data(hands, look)
    _codebook(hands, look)
    _queries(hands, look)
    _results(hands, look)
    _history(hands, look)
    _about(hands, look)


def _data(hands: Mouse, look: Look) -> None:
    """Rows on show, and the list of what is missing."""
    hands.desk.key(DATA)
    hands.press("Show rows")
    hands.until("Hide rows")
    look("2-data-rows")
    hands.press("Hide rows")
    hands.press(hands.spoken.beginning("Missing"), "Button")
    look("2-data-list")
    hands.desk.key("Escape")


def _codebook(hands: Mouse, look: Look) -> None:
    hands.desk.key(COLUMNS)
    hands.press("Import codebook…", "Button")
    hands.choose_file("Choose a codebook", CODEBOOK)
    hands.until_asked("Import codebook")
    look("4-codebook")
    hands.desk.key("Escape")
    hands.until_closed("Import codebook")


def _queries(hands: Mouse, look: Look) -> None:
    """The list of statistics over the sentence, and the tooltip of a button without words."""
    hands.desk.key(QUERIES)
    look("5-queries-sample")
    rename = hands.there(hands.spoken.beginning("Rename"), "Button")
    hands.desk.x("mousemove", *rename.seen.middle)
    time.sleep(TOOLTIP_S)
    look("5-queries-tooltip")
    hands.press("Number", "Button")
    look("5-queries-statistics")
    hands.desk.key("Escape")


def _results(hands: Mouse, look: Look) -> None:
    """Bars for groups, a cross-table, and a line over periods."""
    hands.desk.key(RELEASE)
    hands.press("Release %n figure(s) for {0}…")
    hands.until_asked("Make a signing key")  # the sample's own: that of the first hour signs none
    look("6-sample-key")
    for field in ("Passphrase", "Repeat the passphrase"):
        hands.write(field, PASSPHRASE)
    hands.press("Make key")
    hands.until_asked("Spend {0} of the remaining {1}?")
    hands.spend("Spend {0} and release")
    hands.until("Export signed bundle…", "Button")
    look("7-results-groups")
    for title, name in (("Stays", "cross-table"), ("Stays by quarter", "periods")):
        table, called = (hands.spoken.of(text).pattern for text in ("Table", title))
        hands.bring_up(re.compile(f"(?:{table}): (?:{called})"))
        look(f"7-results-{name}")


def _history(hands: Mouse, look: Look) -> None:
    hands.press("History")
    look("9-history-sample")
    hands.press("Withdraw or correct…")
    hands.until("Why", "EditableText")
    look("9-withdraw")
    hands.desk.key("Escape")
    hands.desk.settled()


def _about(hands: Mouse, look: Look) -> None:
    hands.press("Help")
    hands.press("About dpdesk")
    hands.desk.wait(lambda view: view.modal, "about dpdesk")
    look("10-about")
    hands.desk.key("Escape")
    # A shortcut that is pressed while it is still there goes nowhere.
    hands.desk.wait(lambda view: not view.modal, "the end of about dpdesk")
