# SPDX-License-Identifier: Apache-2.0
"""States that a custodian meets seldom: a long reading, curves and boxes, a ledger in trouble.

They begin where the sample hospital's ended. What no hand does in a walk, such as an older copy of
the ledger, is done to the files while the program runs.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.payloads import RestoredLedger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from tests.release.bundles import bundle as bundle_of_a_stranger
from tests.release.ledgers import charge
from tests.source_files import ROOT
from tests.x11.first_hour import Look
from tests.x11.hands import Mouse

SAMPLE = ROOT / "resources" / "sample"
ACCOUNT = "long-stays"
TITLES = ("Box", "Curve", "Common")
TIMES = 240
"""So often the sample's rows stand in a file that takes some seconds to read, on a quiet machine
too: a picture waits until the window is at rest, two seconds at most."""
LONG_S = 180
OPEN, RELEASE, VERIFY = "ctrl+o", "ctrl+5", "ctrl+shift+v"
"""The shortcuts that the menus show."""
DIALOGS = {
    "Back up…": "backup",
    "Restore a ledger…": "restore",
    "Move to another computer…": "move",
    "Plan a series of releases…": "series",
    "Export for an auditor…": "export",
    "Require a second person…": "second-person",
}
"""By their line in the ledger's menu."""


def rarer_states(hands: Mouse, home: Path, folder: Path, look: Look) -> None:
    """Another release of the sample's columns, then the ledger's dialogs and its trouble."""
    ledger = Ledger(Home.at(home))
    ledger.new_account(ACCOUNT, Epsilon.of(8), "Made up.")
    hands.desk.key(OPEN)
    hands.choose_file("Open a study", _study(folder))
    hands.until("Review release", "Button")
    _long_release(hands, look)
    _ledger_dialogs(hands, look)
    _stranger(hands, folder, look)
    _trouble(hands, ledger, home, look)


def _study(folder: Path) -> Path:
    """The sample's columns and other questions, of a file that is much longer.

    It is about other people than the sample, whose account was drawn from before: a release would
    ask whether they are the same.
    """
    head, *rows = (SAMPLE / "admissions.csv").read_text(encoding="utf-8").splitlines()
    rows = [f"L{row.removeprefix('H')}" for row in rows]
    (folder / "long.csv").write_text("\n".join([head, *rows * TIMES, ""]), encoding="utf-8")
    study: dict[str, Any] = json.loads((SAMPLE / "sample.dpdesk").read_text(encoding="utf-8"))
    stay = {"column": "length_of_stay", "epsilon": 1}
    study |= {"title": "Long stays", "budget": {"account": ACCOUNT, "epsilon": 8}}
    study["data"] |= {"path": "long.csv", "extract": "long.csv"}
    study["queries"] = [
        {
            "id": "box",
            "statistic": "quantiles",
            "quantiles": [0.25, 0.5, 0.75],
            "by": ["ward"],
            **stay,
        },
        {"id": "curve", "statistic": "distribution", "edges": [3, 5, 8, 15], **stay},
        {"id": "common", "statistic": "most-common", "column": "ward", "top": 3, "epsilon": 1},
    ]
    for query, title in zip(study["queries"], TITLES, strict=True):
        query["title"] = title
    made = folder / "long.dpdesk"
    made.write_text(json.dumps(study), encoding="utf-8")
    return made


def _long_release(hands: Mouse, look: Look) -> None:
    """The release while it reads, then a box for each group, a curve and a list of ranks."""
    hands.desk.key(RELEASE)
    hands.press("Release %n figure(s) for {0}…")
    # The check reads all of it first.
    hands.until_asked("Spend {0} of the remaining {1}?", LONG_S)
    hands.spend("Spend {0} and release")
    hands.until("Cancel", "Button")
    look("6-releasing")
    done = hands.spoken.of("Export signed bundle…")
    hands.desk.wait(lambda view: view.all(done, "Button"), "the figures", LONG_S)
    for title in TITLES:
        hands.bring_up(re.compile(f"(?:{hands.spoken.of('Copy table').pattern}): {title}"))
        look(f"7-results-{title.lower()}")


def _ledger_dialogs(hands: Mouse, look: Look) -> None:
    for line, name in DIALOGS.items():
        hands.press("Tools")
        hands.press("Ledger")
        hands.press(line)
        hands.desk.wait(lambda view: view.modal, line)
        look(f"19-ledger-{name}")
        hands.desk.key("Escape")
        hands.desk.wait(lambda view: not view.modal, f"the end of {line}")


def _stranger(hands: Mouse, folder: Path, look: Look) -> None:
    """A bundle that is whole, of a signer whom nobody here knows."""
    bundle = folder / "stranger.zip"
    bundle.write_bytes(bundle_of_a_stranger())
    hands.desk.key(VERIFY)
    hands.choose_file("Verify a bundle", bundle)
    hands.until("Open another…")
    look("8-verify-stranger")


def _trouble(hands: Mouse, ledger: Ledger, home: Path, look: Look) -> None:
    """An account that a person has to open, then an older copy of the ledger."""
    with ledger.transaction() as transaction:
        transaction.append(ACCOUNT, RestoredLedger(4, "0" * 64))
    hands.press("History")
    hands.until("Unlock account…", "Button")
    look("9-history-locked")
    hands.press("Unlock account…", "Button")
    hands.until("Unlock the account", "Button")
    look("9-unlock")
    hands.desk.key("Escape")
    file = Home.at(home).ledger
    before = file.read_bytes()
    charge(ledger, "sample-hospital", Epsilon.of("0.05"))
    older = file.with_name("older")
    older.write_bytes(before)
    older.replace(file)
    hands.press("Verify")
    hands.press("History")
    hands.until("Reconcile…", "Button")
    look("9-history-older-copy")
    hands.press("Reconcile…", "Button")
    hands.desk.wait(lambda view: view.modal, "the dialog that reconciles")
    look("9-reconcile")
    hands.desk.key("Escape")
