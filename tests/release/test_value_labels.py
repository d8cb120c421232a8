# SPDX-License-Identifier: Apache-2.0
"""Names of values from the answer in the ledger to the bundle: none is ever shown under another."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from tests.doors import ConstantDoor
from tests.release.bundles import KEY, KNOWN, table_of
from tests.release.ledgers import ONE, TENTH
from tests.release.studies import STUDY, record_of, release

NAMES = ("Female", "Male")
MANY, FEW = 3000, 40
"""Rows of code 1 and of code 2.

Noise at a tenth of epsilon, three rows a person, has the scale 30. Of 260 rows between the two,
noise leaves less than 100 once in 113 times (e^-d (2 + d) / 4 with d = 160 / 30); of 2,960, never.
"""


def naming(*labels: str, values: tuple[str, ...] = ("1", "2"), **members: Any) -> Study:
    """A count by sex, coded, under names."""
    column = CategoryColumn("sex", values, labels=labels)
    query = Query("sexes", "count", by=("sex",), epsilon=TENTH)
    columns = (STUDY.columns[0], column)
    return replace(STUDY, columns=columns, queries=(query.having(**members),))


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", ONE)
    return ledger


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sexes = "1" * MANY + "2" * FEW
    rows = "".join(f"p{number},1,{sex}\n" for number, sex in enumerate(sexes))
    (tmp_path / "stays.csv").write_text("id,days,sex\n" + rows, encoding="utf-8")
    return tmp_path


def spent(ledger: Ledger) -> str:
    return str(ledger.account("registry").spent)


def rows(done: ReleaseDone) -> dict[str, int]:
    """The released figures by the name that is printed."""
    return {row[0]: int(row[1]) for row in record_of(done)["tables"][0]["rows"]}


def test_the_same_names_are_answered_from_the_ledger(ledger: Ledger, folder: Path) -> None:
    first = release(naming(*NAMES), folder, ledger, OpenDPDoor())
    (folder / "stays.csv").unlink()
    again = release(naming(*NAMES), folder, ledger, OpenDPDoor())
    assert list(rows(first)) == [*NAMES] and rows(again) == rows(first)
    assert spent(ledger) == "0.1"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (NAMES, NAMES[::-1]),
        (NAMES, ()),
        ((), NAMES),
        (NAMES, ("Women", "Men")),
        (("1", "Male"), ("Female", "2")),
    ],
    ids=["permuted", "taken away", "added", "others", "half named"],
)
def test_an_answer_under_one_naming_is_never_shown_under_another(
    ledger: Ledger, folder: Path, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """The stored answer stays where it is: what is shown anew is drawn, and paid for."""
    first = release(naming(*before), folder, ledger, OpenDPDoor())
    again = release(naming(*after), folder, ledger, OpenDPDoor())
    assert spent(ledger) == "0.2"
    for done, names in ((first, before), (again, after)):
        many, few = (rows(done)[name] for name in names or ("1", "2"))
        assert many > few + 100
    assert [q["drawn_in"] for q in record_of(again)["predicate"]["queries"]] == [3]
    third = release(naming(*before), folder, ledger, OpenDPDoor())
    assert rows(third) == rows(first) and spent(ledger) == "0.2"


def test_names_and_codes_permuted_together_are_another_question_too(
    ledger: Ledger, folder: Path
) -> None:
    release(naming(*NAMES), folder, ledger, OpenDPDoor())
    turned = naming("Male", "Female", values=("2", "1"))
    again = rows(release(turned, folder, ledger, OpenDPDoor()))
    assert list(again) == ["Male", "Female"] and again["Female"] > again["Male"] + 100
    assert spent(ledger) == "0.2"


def test_a_group_by_code_and_by_name_is_one_question(ledger: Ledger, folder: Path) -> None:
    def men(name: str) -> Study:
        return naming(*NAMES, by=(), where=(IsIn("sex", (name,)),))

    first = release(men("Male"), folder, ledger, OpenDPDoor())
    door = ConstantDoor()
    again = release(men("2"), folder, ledger, door)
    assert record_of(again)["tables"][0]["rows"] == record_of(first)["tables"][0]["rows"]
    assert not door.calls and spent(ledger) == "0.1"


def test_conditions_under_permuted_names_are_different_questions(
    ledger: Ledger, folder: Path
) -> None:
    members: dict[str, Any] = {"by": (), "where": (IsIn("sex", ("Male",)),)}
    for labels, expected in ((NAMES, FEW), (NAMES[::-1], MANY)):
        done = release(naming(*labels, **members), folder, ledger, OpenDPDoor())
        # Its noise goes beyond 130 in one draw of 80; which of the two was counted is asked here.
        assert abs(int(record_of(done)["tables"][0]["rows"][0][0]) - expected) < 1000
    assert spent(ledger) == "0.2"


def bundle_of(study: Study, folder: Path, ledger: Ledger) -> bytes:
    done = release(study, folder, ledger, OpenDPDoor())
    return build(done.stored, done.chain, KEY)


def test_a_bundle_shows_names_and_declares_codes(ledger: Ledger, folder: Path) -> None:
    raw = bundle_of(naming("=1+1", "<b>Male</b>"), folder, ledger)
    assert verify(raw, KNOWN).is_good
    files = unpack(raw)
    table = list(csv.reader(io.StringIO(table_of(files, "sexes").decode())))
    assert [row[0] for row in table[1:]] == ["'=1+1", "<b>Male</b>"]
    column = json.loads(files[MANIFEST])["predicate"]["study"]["columns"][1]
    assert (column["values"], column["labels"]) == (["1", "2"], ["=1+1", "<b>Male</b>"])
    page = files["report.html"].decode()
    assert "<td>&lt;b&gt;Male&lt;/b&gt;</td>" in page and "<b>Male" not in page


def test_a_bundle_without_names_says_nothing_of_them(ledger: Ledger, folder: Path) -> None:
    manifest = unpack(bundle_of(naming(), folder, ledger))[MANIFEST]
    assert "labels" not in json.loads(manifest)["predicate"]["study"]["columns"][1]


def turned(columns: list[dict[str, Any]]) -> None:
    columns[1]["labels"].reverse()


def taken_away(columns: list[dict[str, Any]]) -> None:
    del columns[1]["labels"]


def shortened(columns: list[dict[str, Any]]) -> None:
    columns[1]["labels"].pop()


@pytest.mark.parametrize("change", [turned, taken_away, shortened])
def test_a_signer_who_renames_rows_afterwards_is_found_out(
    ledger: Ledger, folder: Path, change: Callable[[list[dict[str, Any]]], None]
) -> None:
    """The names of the signed study are held against the rows of the tables."""
    files = unpack(bundle_of(naming(*NAMES), folder, ledger))
    statement = json.loads(files[MANIFEST])
    change(statement["predicate"]["study"]["columns"])
    files[MANIFEST] = json_bytes(statement)
    files[SIGNATURE] = sign(files[MANIFEST], KEY)
    found = verify(pack(files), KNOWN)
    assert not found.is_good
    assert found.whole or found.claim
