# SPDX-License-Identifier: Apache-2.0
"""Bundles and releases of other forms: two signatures, a withdrawal, a revoked key, two years of
one question, answers that were flipped.

Somebody else's bundles are made by the program's parts, as a stranger's computer makes them.
"""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.second_signature import sign_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.notice_file import write_notice
from dpdesk.release.notices.revoke import Wish, notice_of, revoke
from dpdesk.release.places.home import Home
from dpdesk.release.second_person.requirement import require, second_person
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.release.signing.signers import RevokedKey, add_signer, keep_revoked
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.unit import Budget, DataSource
from tests.release.bundles import signing_key
from tests.release.second_person import make_person
from tests.release.studies import STUDY, release, write_data
from tests.source_files import ROOT
from tests.x11.first_hour import Look
from tests.x11.hands import Mouse

SAMPLE = ROOT / "resources" / "sample"
OPEN, RELEASE, VERIFY = "ctrl+o", "ctrl+5", "ctrl+shift+v"
"""The shortcuts that the menus show."""
KEY = signing_key(3, "registry@another.example")
"""Of somebody who becomes known here."""
BELOW = 1.6
"""From a table's head to the middle of its first row, in heights of the head."""
ACCOUNT, YEARS = "answers", "two-years"
REASON = "Two wards were swapped."


def bundle_states(hands: Mouse, home: Path, folder: Path, look: Look) -> None:
    """Verify's rarer answers, two years of groups side by side, then answers that are flipped."""
    bundle, notice = _made_elsewhere(home, folder / "elsewhere")
    hands.desk.key(VERIFY)
    hands.choose_file("Verify a bundle", bundle)
    hands.until("Open another…")
    hands.bring_up_text("Second person")
    look("8-verify-two-signatures")
    hands.press("Open a notice…")
    hands.choose_file("Open a notice", notice)
    hands.bring_up_text("Check a bundle from anyone. Nothing is spent.")
    look("8-verify-withdrawn")
    keep_revoked(
        Home.at(home).signers, RevokedKey(KEY.info, "2026-11-22", "The laptop was stolen.")
    )
    hands.press("Open another…")
    hands.choose_file("Verify a bundle", bundle)
    hands.until("The signer’s key is revoked. Ask them for a bundle signed with their new key.")
    look("8-verify-revoked")
    _two_years(hands, Ledger(Home.at(home)), folder / "years", look)
    _flipped(hands, Ledger(Home.at(home)), folder, look)


def _made_elsewhere(home: Path, place: Path) -> tuple[Path, Path]:
    """A bundle of an account that wants two signatures, signed by both, and its withdrawal.

    Both are known here.
    """
    place.mkdir()
    write_data(place)
    person = make_person(place)
    ledger = Ledger.open(Home.at(place / "home"))
    ledger.new_account("registry", Epsilon.of(1))
    asked = second_person("export", person.line.read_text(encoding="ascii"))
    require(ledger, "registry", asked, "The board wants two.")
    done = release(STUDY, place, ledger, OpenDPDoor())
    bundle, notice = place / "two-signatures.zip", place / "withdrawn.notice"
    bundle.write_bytes(sign_bundle(build(done.stored, done.chain, KEY), asked, person.key))
    entry = revoke(ledger, Wish("withdrawn", done.sequence, REASON), KEY.info)
    write_notice(notice, notice_of(ledger, entry.sequence, KEY))
    for info in (KEY.info, person.key.info):
        add_signer(Home.at(home).signers, allowed_signers_line(info))
    return bundle, notice


def _two_years(hands: Mouse, ledger: Ledger, place: Path, look: Look) -> None:
    """The same questions about two extracts, of which one has half as many people again."""
    place.mkdir()
    ledger.new_account(YEARS, Epsilon.of(4), "Made up.")
    for year, people in (("2024", 3000), ("2025", 4500)):
        path = write_data(place, people, name=f"{year}.csv")
        data = DataSource(path.name, extract=path.name)
        budget = Budget(YEARS, Epsilon.of(4))
        study = replace(STUDY, title=f"Stays of {year}", data=data, budget=budget)
        release(study, place, ledger, OpenDPDoor())
    hands.press("History")
    # What is open is of another account; the newest release stands right below the heads.
    head = hands.there("Account").rect
    hands.desk.press_at(head.middle[0], round(head.top + BELOW * head.height))
    hands.press("Compare with an earlier release…")
    hands.until("Earlier release")
    look("14-compare-groups")


def _flipped(hands: Mouse, ledger: Ledger, folder: Path, look: Look) -> None:
    """A randomised response: as it is declared, and what came of it."""
    ledger.new_account(ACCOUNT, Epsilon.of(4), "Made up.")
    hands.desk.key(OPEN)
    hands.choose_file("Open a study", _study(folder))
    hands.until("Review release", "Button")
    look("5-queries-flipped-answers")
    hands.desk.key(RELEASE)
    hands.press("Release %n figure(s) for {0}…")
    hands.press(hands.spoken.beginning("They are others…"))
    hands.until("They are other people", "Button")
    look("6-other-people")
    hands.write("If they are other people, why?", "Another made-up hospital.")
    hands.press("They are other people")
    hands.until_asked("Spend {0} of the remaining {1}?")
    hands.spend("Spend {0} and release")
    hands.until("Export signed bundle…", "Button")
    look("7-results-flipped-answers")


def _study(folder: Path) -> Path:
    """The sample's columns, each person's first row, and one question."""
    with (SAMPLE / "admissions.csv").open(encoding="utf-8", newline="") as opened:
        head, *rows = csv.reader(opened)
    # An id counts as the same however it is written, and what has none is nobody.
    ids = [row[head.index("patient_id")].strip().casefold() for row in rows]
    first = {one: row for one, row in reversed([*zip(ids, rows, strict=True)]) if one}
    with (folder / "answers.csv").open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([head, *first.values()])
    study: dict[str, Any] = json.loads((SAMPLE / "sample.dpdesk").read_text(encoding="utf-8"))
    study |= {"title": "Answers", "budget": {"account": ACCOUNT, "epsilon": 4}}
    study["data"] |= {"path": "answers.csv", "extract": "answers.csv"}
    study["unit"] = {
        "person": "patient_id",
        "max_rows": 1,
        "neighbours": "change-one",
        "people": len(first),
    }
    for column in study["columns"]:
        if column["name"] == "readmitted_30d":  # every row answers
            column |= {"missing": {"replace": "no"}, "unknown": {"replace": "no"}}
    back = {"column": "readmitted_30d", "in": ["yes"]}
    asked = {"id": "back", "statistic": "randomised-response", "has": [back], "epsilon": 1}
    study["queries"] = [asked]
    made = folder / "answers.dpdesk"
    made.write_text(json.dumps(study), encoding="utf-8")
    return made
