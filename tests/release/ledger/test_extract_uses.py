# SPDX-License-Identifier: Apache-2.0
"""What the ledger remembers of an extract, and that nothing of it goes out."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy.noise.door import DoorRefused
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, build
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.uses import EarlierUse
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_signed
from dpdesk.release.run import reading
from dpdesk.release.run import release_run as run
from dpdesk.release.run.same_file import compare_bytes, find_earlier_use
from dpdesk.release.verify.histories import compare
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.document import Study
from tests.doors import ConstantDoor
from tests.release.bundles import KEY, KNOWN, claim_problems
from tests.release.ledgers import ONE, refusal, run_sql, without_rules
from tests.release.studies import STUDY, one_query, release, women, write_data


class Days:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.day = 1

    def __call__(self) -> datetime:
        return datetime(2026, 3, self.day, 12, 0, tzinfo=UTC)


@pytest.fixture
def days() -> Days:
    return Days()


@pytest.fixture
def ledger(dpdesk_home: Path, days: Days) -> Ledger:
    ledger = Ledger.open(Home.at(dpdesk_home), now=days)
    ledger.new_account("registry", ONE)
    return ledger


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_data(tmp_path)
    return tmp_path


def on(extract: str, study: Study = STUDY) -> Study:
    assert study.data is not None
    return replace(study, data=replace(study.data, extract=extract))


def test_it_is_refused_without_a_name_and_again_without_an_answer(
    ledger: Ledger, folder: Path
) -> None:
    door = ConstantDoor()
    problem = refusal(lambda: run.release(on(" "), folder, ledger, door))
    assert (problem.path, problem.code) == ("$.data.extract", "extract-not-declared")
    run.release(STUDY, folder, ledger, door)
    head, calls = ledger.head(), len(door.calls)
    for options in ({}, {"fresh": True}):
        problem = refusal(lambda o=options: run.release(STUDY, folder, ledger, door, **o))
        assert (problem.code, problem.params) == ("extract-used", {"day": "2026-03-01"})
    other = one_query(id="women", where=women().where)
    assert refusal(lambda: run.release(other, folder, ledger, door)).code == "extract-used"
    assert (ledger.head(), len(door.calls)) == (head, calls)
    run.release(STUDY, folder, ledger, door, same_extract=True)


def test_two_programs_that_begin_at_once_cannot_both_be_the_first(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program uses the extract while this one reads: the question is asked in time."""
    real = reading.encode

    def meanwhile(*arguments: Any, **named: Any) -> Any:
        monkeypatch.setattr(reading, "encode", real)
        run.release(one_query(id="women", where=women().where), folder, ledger, ConstantDoor())
        return real(*arguments, **named)

    monkeypatch.setattr(reading, "encode", meanwhile)
    door = ConstantDoor()
    assert refusal(lambda: run.release(STUDY, folder, ledger, door)).code == "extract-used"
    assert door.calls == []


def test_the_use_that_matters_is_reported(ledger: Ledger, folder: Path, days: Days) -> None:
    def use() -> EarlierUse | None:
        return compare_bytes(STUDY, folder, ledger)

    assert use() is None and find_earlier_use(STUDY, ledger) is None
    release(STUDY, folder, ledger, ConstantDoor())
    days.day = 2
    assert use() == EarlierUse("2026-03-01T12:00Z", "same")
    assert find_earlier_use(STUDY, ledger) == EarlierUse("2026-03-01T12:00Z", "unknown")
    first = (folder / "stays.csv").read_bytes()
    write_data(folder, people=50)
    assert use() == EarlierUse("2026-03-01T12:00Z", "differ")
    release(one_query(id="women", where=women().where), folder, ledger, ConstantDoor())
    days.day = 3
    assert use() == EarlierUse("2026-03-01T12:00Z", "differ")
    (folder / "stays.csv").write_bytes(first)
    assert use() == EarlierUse("2026-03-02T12:00Z", "differ")
    (folder / "stays.csv").unlink()
    assert use() == EarlierUse("2026-03-02T12:00Z", "unknown")


def test_what_is_answered_from_the_ledger_alone_is_no_use(
    ledger: Ledger, folder: Path, days: Days
) -> None:
    """A file that was not read must not be called the one that was."""
    release(STUDY, folder, ledger, ConstantDoor())
    write_data(folder, people=50)
    days.day = 2
    release(STUDY, folder, ledger, ConstantDoor())
    assert compare_bytes(STUDY, folder, ledger) == EarlierUse("2026-03-01T12:00Z", "differ")


def test_a_refused_release_uses_nothing(ledger: Ledger, folder: Path) -> None:
    class Broken(ConstantDoor):
        def add_noise(self, *_more: Any) -> Any:
            raise DoorRefused

    with pytest.raises(DoorRefused):
        run.release(STUDY, folder, ledger, Broken())
    assert find_earlier_use(STUDY, ledger) is None


@pytest.mark.threat("B6")
def test_no_digest_and_no_name_can_be_read_without_the_secret(
    ledger: Ledger, folder: Path, tmp_path: Path
) -> None:
    release(STUDY, folder, ledger, ConstantDoor())
    other = Ledger.open(Home.at(tmp_path / "other"))
    other.new_account("registry", ONE)
    release(STUDY, folder, other, ConstantDoor())
    rows = []
    for home in (ledger.home, other.home):
        with closing(sqlite3.connect(home.ledger)) as connection:
            rows += connection.execute("SELECT extract, digest FROM extract_use").fetchall()
    assert len({text for row in rows for text in row}) == 4
    for statement in (
        "UPDATE extract_use SET digest = zeroblob(32)",
        "DELETE FROM extract_use",
        "INSERT OR REPLACE INTO extract_use SELECT * FROM extract_use",
        "INSERT INTO extract_use (extract, time, digest) VALUES (zeroblob(32), 'x', zeroblob(32))",
        "INSERT INTO extract_use (extract, time, digest) "
        "VALUES (zeroblob(32), '2026-03-01T12:00Z', zeroblob(31))",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            run_sql(ledger.home.ledger, statement)


# --- what goes out ------------------------------------------------------------------------------


def predicates(ledger: Ledger, folder: Path, days: Days) -> list[dict[str, Any]]:
    found = []
    for day in (1, 2, 3):
        days.day = day
        done = release(STUDY, folder, ledger, ConstantDoor(), fresh=day == 2)
        raw = build(done.stored, done.chain, KEY)
        assert verify(raw, KNOWN).is_good
        found.append(json.loads(unpack(raw)[MANIFEST])["predicate"])
    return found


def test_a_bundle_says_when_its_answers_were_drawn(
    ledger: Ledger, folder: Path, days: Days
) -> None:
    first, again, stored = predicates(ledger, folder, days)
    assert all("drawn_at" not in q for p in (first, again) for q in p["queries"])
    answered = {(q["drawn_in"], q["drawn_at"], q["charged"]) for q in stored["queries"]}
    assert answered == {(3, "2026-03-02T12:00Z", "0")}
    assert compare(list(map(parse_signed, (first, again, stored)))) == ()


@pytest.mark.parametrize(
    ("query", "changes"),
    [
        (0, {"drawn_at": "2026-03-01T12:00Z"}),
        (0, {"drawn_at": "2026-3-1"}),
        (0, {"drawn_at": None}),
        (0, {"drawn_in": 4}),
    ],
    ids=["two times of one entry", "no time", "null", "drawn here"],
)
def test_a_time_that_contradicts_itself_is_found(
    ledger: Ledger, folder: Path, days: Days, query: int, changes: dict[str, Any]
) -> None:
    stored = predicates(ledger, folder, days)[2]
    assert claim_problems(stored) == ()
    stored["queries"][query] |= changes
    assert claim_problems(stored) != ()


def test_what_is_paid_now_was_not_drawn_at_another_time(
    ledger: Ledger, folder: Path, days: Days
) -> None:
    again = predicates(ledger, folder, days)[1]
    assert claim_problems(again) == ()
    for query in again["queries"]:
        query["drawn_at"] = "2026-03-02T12:00Z"
    assert [p.code for p in claim_problems(again)] == ["claim-stored-charged"] * 3


def test_two_bundles_that_tell_two_times_of_one_entry_are_told_apart(
    ledger: Ledger, folder: Path, days: Days
) -> None:
    _first, again, stored = predicates(ledger, folder, days)
    for query in stored["queries"]:
        query["drawn_at"] = "2026-03-01T12:00Z"
    assert claim_problems(stored) == ()
    assert [p.code for p in compare(list(map(parse_signed, (again, stored))))][:1] == [
        "bundles-fork"
    ]


@pytest.mark.threat("E4")
def test_answers_swapped_between_two_extracts_are_never_given_out(
    ledger: Ledger, folder: Path, days: Days
) -> None:
    """No entry names its extract: the index and the uses both would have to be altered alike."""
    release(STUDY, folder, ledger, ConstantDoor())
    days.day += 1
    release(on("last year"), folder, ledger, ConstantDoor())
    for name, entry in (("stays.csv", 2), ("last year", 3)):
        again = release(on(name), folder, ledger, ConstantDoor())
        assert {query.drawn_in for query in again.stored.record.queries} == {entry}
    without_rules(ledger.home.ledger, "UPDATE answer SET sequence = 5 - sequence")
    for name in ("stays.csv", "last year"):
        problem = refusal(lambda name=name: release(on(name), folder, ledger, ConstantDoor()))
        assert (problem.code, problem.params["what"]) == ("ledger-damaged", "answer")


def test_an_answer_of_a_time_of_which_no_use_is_known_is_not_given_out(
    ledger: Ledger, folder: Path
) -> None:
    release(STUDY, folder, ledger, ConstantDoor())
    without_rules(ledger.home.ledger, "DELETE FROM extract_use WHERE number = 1")
    problem = refusal(lambda: release(STUDY, folder, ledger, ConstantDoor()))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "answer")
