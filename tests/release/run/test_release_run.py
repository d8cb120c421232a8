# SPDX-License-Identifier: Apache-2.0
"""A release: what it costs, what it shows, and what keeps it from happening."""

import contextlib
import json
import math
import os
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dpdesk.data.encode import encode
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.exact import Exact, Int64Vector
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import DoorRefused, OpenDPDoor, loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.series import Schedule
from dpdesk.release.ledger.spending.instalments import begin_series
from dpdesk.release.ledger.uses import earlier_use
from dpdesk.release.places.home import Home
from dpdesk.release.run import reading
from dpdesk.release.run.same_file import compare_bytes
from dpdesk.study.json.study_writer import canonical
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.problem import Problem, Refused
from tests.doors import ConstantDoor, one_salt
from tests.release.ledgers import ONE, TENTH, charge, refusal
from tests.release.studies import STUDY, one_query, record_of, release, women, write_data

NOON = datetime(2026, 11, 21, 12, 0, 59, tzinfo=UTC)


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    ledger = Ledger.open(Home.at(dpdesk_home), now=lambda: NOON)
    ledger.new_account("registry", ONE)
    return ledger


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_data(tmp_path)
    return tmp_path


@pytest.fixture
def door() -> ConstantDoor:
    return ConstantDoor()


def test_a_release_is_paid_recorded_and_returned(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    done = release(STUDY, folder, ledger, door)
    account = ledger.account("registry")
    assert (account.spent, account.left) == (Epsilon.of("0.4"), Epsilon.of("0.6"))
    assert ledger.head() == (done.sequence, done.head) == (2, done.head)
    kept = json.loads(ledger.payload(2))
    assert len(kept.pop("salt")) == 32 and kept == record_of(done)
    names = ["stays.rows", "by-sex.people", "days.sums"]
    assert [call[0] for call in door.calls] == names
    (_, entry) = ledger.history()
    assert entry.title == "Stays"
    assert [(q.id, q.statistic, str(q.charged)) for q in entry.queries] == [
        ("stays", "count", "0.1"),
        ("by-sex", "count-people", "0.1"),
        ("days", "mean", "0.2"),
    ]


def test_the_record_says_what_a_reader_must_know(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    charge(ledger, "registry", TENTH)
    record = record_of(release(STUDY, folder, ledger, door, new_id=lambda: "ab" * 16))["predicate"]
    assert record["release"] == {"id": "ab" * 16, "time": "2026-11-21T12:00Z"}
    assert record["claim"] == {
        "neighbours": "add-remove",
        "unit": "person",
        "max_rows": 3,
        "people": None,
        "measure": "epsilon",
        "rho": None,
        "epsilon": "0.4",
        "delta": "0",
        "delta_kept": "0",
    }
    assert record["account"] == {
        "name": "registry",
        "measure": "epsilon",
        "delta": "0",
        "delta_kept": "0",
        "total": "1",
        "spent_before": "0.1",
        "spent_after": "0.5",
        "delta_spent_before": "0",
        "delta_spent_after": "0",
        "released": [
            {"sequence": 2, "charged": "0.1", "delta_charged": "0"},
            {"sequence": 3, "charged": "0.4", "delta_charged": "0"},
        ],
    }
    assert record["ledger"] == {
        "sequence": 3,
        "previous": ledger.entry(2).hash,
        "rollback_suspected": False,
        "separate_people_declared": False,
    }
    assert set(record["software"]) == {"dpdesk", "opendp", "opendp_library_sha256"}
    assert record["study"]["data"] == {"format": "csv"}
    assert record["study"]["columns"][0]["step"] == "0.5"


def test_each_query_carries_what_its_claim_rests_on(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    record = record_of(release(STUDY, folder, ledger, door))["predicate"]
    query = record["queries"][2]
    assert query["question"]["where"] == [{"column": "days", "between": ["1.5", 10]}]
    assert (query["cells"], query["share"], query["charged"]) == (2, "0.2", "0.2")
    assert query["drawn_in"] == 2
    for query in record["queries"]:
        shares = [Epsilon.of(part["share"]) for part in query["parts"]]
        assert sum((s.micro for s in shares), 0) == Epsilon.of(query["share"]).micro
        for part in query["parts"]:
            found = loss(Noise("laplace", float(part["scale"])), int(part["sensitivity"]))
            assert repr(found) == part["loss"]
            assert Fraction(found) <= Fraction(part["share"])
            assert (part["mechanism"], part["norm"]) == ("laplace", "l1")
            assert Fraction(part["width"]) > 0 and int(part["half_width"]) > 0


def leaves(value: Any) -> list[Any]:
    """Every plain value of nested members."""
    if isinstance(value, dict):
        return [leaf for member in value.values() for leaf in leaves(member)]
    return [leaf for m in value for leaf in leaves(m)] if isinstance(value, list) else [value]


def test_a_record_has_no_float_and_is_ascii(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    wide = replace(STUDY, title="Aufenthalte \u2013 \u00fcber 60")
    done = release(wide, folder, ledger, door)
    assert {type(v) for v in leaves(record_of(done))} <= {str, int, bool, type(None)}
    text = ledger.payload(done.sequence)
    salted = record_of(done) | {"salt": json.loads(text)["salt"]}
    assert text.isascii() and text == canonical(salted)


@pytest.mark.threat("A3")
def test_a_record_names_no_file_and_no_moment(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    named = replace(STUDY, data=replace(STUDY.data, path=str(folder / "stays.csv")))
    done = release(named, Path("."), ledger, door)
    text = ledger.payload(done.sequence)
    assert "stays.csv" not in text and str(folder) not in text
    assert not re.search(r"\d\d:\d\d:\d\d", text)
    declared = replace(STUDY, data=replace(STUDY.data, extract="2026 autumn"))
    done = release(declared, folder, ledger, door)
    assert "extract" not in record_of(done)["predicate"]["study"]["data"]
    assert "autumn" not in ledger.payload(done.sequence)


def test_the_figures_are_what_the_door_gave(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    payload = record_of(release(STUDY, folder, ledger, door))
    assert payload["predicate"]["drawn"]["stays"] == [["100"]]
    assert payload["predicate"]["drawn"]["days"] == [["100", "107", "114", "121"]]
    by_sex = payload["tables"][1]
    assert [c["role"] for c in by_sex["columns"]][:2] == ["group", "value"]
    assert [row[:2] for row in by_sex["rows"]] == [["f", "100"], ["m", "107"]]


def test_real_noise_lands_near_the_truth(ledger: Ledger, folder: Path) -> None:
    dear = one_query(epsilon=Epsilon.of("1"))
    payload = record_of(release(dear, folder, ledger, OpenDPDoor()))
    (row,) = payload["tables"][0]["rows"]
    scale = float(payload["predicate"]["queries"][0]["parts"][0]["scale"])
    # Farther than this with a chance of e**-40.
    assert abs(Decimal(row[0]) - 80) < 40 * math.ceil(scale)
    assert ledger.account("registry").left == Epsilon(0)


def test_what_the_study_may_not_spend_is_refused(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    tight = replace(STUDY, budget=replace(STUDY.budget, epsilon=Epsilon.of("0.35")))
    problem = refusal(lambda: release(tight, folder, ledger, door))
    amounts = {"planned": "0.4", "limit": "0.35", "over": "0.05"}
    assert problem == Problem("$.budget.epsilon", "plan-over-study-limit", amounts)
    assert door.calls == [] and ledger.head()[0] == 1


def test_what_the_account_cannot_pay_is_refused_with_what_is_left(
    ledger: Ledger, folder: Path, door: ConstantDoor, dpdesk_home: Path
) -> None:
    charge(ledger, "registry", Epsilon.of("0.7"))
    for opened in (ledger, Ledger.open(Home.at(dpdesk_home))):
        problem = refusal(lambda opened=opened: release(STUDY, folder, opened, door))
        assert problem.code == "budget-exceeded"
        assert problem.params == {
            "name": "registry",
            "requested": "0.4",
            "left": "0.3",
            "short": "0.1",
        }
    assert door.calls == [] and ledger.head()[0] == 2


def test_a_budget_in_rho_is_refused_where_the_study_has_it(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    """A study file of an account in zCDP has no member of epsilon."""
    ledger.new_account("small", Rho.of("0.005"), delta=Delta.of("1e-9"))
    dear = Query("stays", "count", rho=Rho.of("0.01"))
    for limit, code in (("0.001", "plan-over-study-limit"), ("1", "budget-exceeded")):
        study = replace(STUDY, budget=Budget("small", rho=Rho.of(limit)), queries=(dear,))
        problem = refusal(partial(release, study, folder, ledger, door))
        assert (problem.path, problem.code) == ("$.budget.rho", code)


def test_what_another_program_spent_meanwhile_is_seen_before_the_draw(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    def meanwhile(done: int, total: int) -> None:
        if ledger.head()[0] == 1:
            charge(ledger, "registry", Epsilon.of("0.9"))

    problem = refusal(lambda: release(STUDY, folder, ledger, door, meanwhile))
    assert (problem.code, problem.params["left"]) == ("budget-exceeded", "0.1")
    assert door.calls == [] and ledger.head()[0] == 2


def test_the_last_micro_epsilon_can_be_spent_once(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    whole = one_query(epsilon=ONE)
    release(whole, folder, ledger, door)
    assert refusal(lambda: release(whole, folder, ledger, door, fresh=True)).params["left"] == "0"


def test_an_unknown_account_is_named_before_the_data_is_read(
    ledger: Ledger, tmp_path: Path, door: ConstantDoor
) -> None:
    other = replace(STUDY, budget=replace(STUDY.budget, account="nobody"))
    problem = refusal(lambda: release(other, tmp_path / "no-data", ledger, door))
    assert (problem.code, problem.params) == ("account-unknown", {"name": "nobody"})


def test_an_unfinished_study_is_refused(ledger: Ledger, folder: Path, door: ConstantDoor) -> None:
    with pytest.raises(Refused):
        release(replace(STUDY, queries=()), folder, ledger, door)
    assert ledger.head()[0] == 1


def test_missing_data_spends_nothing(ledger: Ledger, tmp_path: Path, door: ConstantDoor) -> None:
    with pytest.raises(Refused):
        release(STUDY, tmp_path / "no-data", ledger, door)
    assert ledger.account("registry").spent == Epsilon(0)


@pytest.mark.parametrize("how", ["appended", "cut off", "replaced"])
def test_data_that_is_written_while_it_is_read_spends_nothing(
    how: str,
    ledger: Ledger,
    folder: Path,
    door: ConstantDoor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def meanwhile(*given: object, **named: object) -> object:
        table = encode(*given, **named)  # type: ignore[arg-type]
        data = folder / "stays.csv"
        if how == "appended":
            with data.open("a", encoding="utf-8") as stream:
                stream.write("p9,3,f\n")
        elif how == "cut off":
            os.truncate(data, 100)
        else:
            write_data(folder, name="new.csv").replace(data)
        return table

    with monkeypatch.context() as patch:
        patch.setattr(reading, "encode", meanwhile)
        problem = refusal(lambda: release(STUDY, folder, ledger, door))
    assert (problem.path, problem.code) == ("$.data.path", "data-file-changed")
    assert ledger.account("registry").spent == Epsilon(0)
    release(STUDY, folder, ledger, door)  # nobody writes it any more


def several_files(folder: Path) -> Study:
    """The study with a second file of stays and a table of doses."""
    write_data(folder, first=2000, name="later.csv")
    (folder / "doses.csv").write_text("id,dose\np1001,3\np7,2\n", encoding="utf-8")
    data = replace(STUDY.data or DataSource(), more=(DataSource("later.csv"),))
    return replace(STUDY, data=data, tables=(FurtherTable("doses", DataSource("doses.csv"), "id"),))


@pytest.mark.parametrize("name", ["stays.csv", "later.csv", "doses.csv"])
def test_any_file_that_is_written_while_it_is_read_spends_nothing(
    name: str,
    ledger: Ledger,
    folder: Path,
    door: ConstantDoor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = several_files(folder)

    def meanwhile(*given: object, **named: object) -> object:
        table = encode(*given, **named)  # type: ignore[arg-type]
        with (folder / name).open("a", encoding="utf-8") as stream:
            stream.write("p9,3\n")
        return table

    with monkeypatch.context() as patch:
        patch.setattr(reading, "encode", meanwhile)
        problem = refusal(lambda: release(study, folder, ledger, door))
    assert problem.code == "data-file-changed"
    assert ledger.account("registry").spent == Epsilon(0)
    release(study, folder, ledger, door)
    earlier = compare_bytes(study, folder, ledger)
    assert earlier is not None
    assert earlier.bytes == "same"
    with (folder / name).open("a", encoding="utf-8") as stream:
        stream.write("p8,3\n")
    earlier = compare_bytes(study, folder, ledger)
    assert earlier is not None
    assert earlier.bytes == "differ"


def test_a_wrong_public_number_of_people_is_refused_before_the_draw(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    unit = replace(STUDY.unit, neighbours="change-one", people=41)
    problem = refusal(lambda: release(replace(STUDY, unit=unit), folder, ledger, door))
    assert problem.code == "people-count-differs"
    assert door.calls == [] and ledger.head()[0] == 1
    right = replace(STUDY, unit=replace(unit, people=40))
    claim = record_of(release(right, folder, ledger, door))["predicate"]["claim"]
    assert (claim["neighbours"], claim["people"]) == ("change-one", 40)


def test_rows_as_people_are_said_to_be_rows(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    unit = replace(STUDY.unit, person=None, max_rows=1)
    claim = release(replace(STUDY, unit=unit), folder, ledger, door).stored.record.claim
    assert (claim.unit, claim.max_rows) == ("row", 1)


def test_a_cancel_before_the_draw_spends_nothing(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        release(STUDY, folder, ledger, door, cancel=cancel)
    assert door.calls == [] and ledger.head()[0] == 1


def test_a_cancel_after_the_last_byte_is_still_heard(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    cancel = CancelToken()

    def at_the_end(done: int, total: int) -> None:
        if done >= total:
            cancel.cancel()

    with pytest.raises(Cancelled):
        release(STUDY, folder, ledger, door, at_the_end, cancel)
    assert door.calls == [] and ledger.head()[0] == 1


def test_a_cancel_while_waiting_for_the_lock_is_still_heard(
    dpdesk_home: Path, folder: Path, door: ConstantDoor
) -> None:
    cancel, looks = CancelToken(), []

    def now() -> datetime:
        looks.append("at the clock")
        if len(looks) == 3:  # to open the account, to look ahead, under the lock
            cancel.cancel()
        return NOON

    ledger = Ledger.open(Home.at(dpdesk_home), now)
    ledger.new_account("registry", ONE)
    with pytest.raises(Cancelled):
        release(STUDY, folder, ledger, door, cancel=cancel)
    assert len(looks) == 3 and door.calls == []
    assert ledger.head()[0] == 1


def test_a_cancel_during_the_draw_comes_too_late(ledger: Ledger, folder: Path) -> None:
    cancel = CancelToken()

    class Cancelling(ConstantDoor):
        def draw(self, name: str, exact: Exact, noise: Noise, sensitivity: int) -> tuple[int, ...]:
            cancel.cancel()
            return super().draw(name, exact, noise, sensitivity)

    release(STUDY, folder, ledger, Cancelling(), cancel=cancel)
    assert ledger.account("registry").spent == Epsilon.of("0.4")


@pytest.mark.parametrize(
    "broken", ["drawing.Drawn", "release_run.compose_release", "release_run.store_answer"]
)
@pytest.mark.parametrize("series", ["", "yearly"])
def test_an_error_after_the_draw_is_charged_and_shows_nothing(
    broken: str,
    series: str,
    ledger: Ledger,
    folder: Path,
    door: ConstantDoor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Which noise leads to it is an outcome of the draw; nobody comes between draw and charge."""
    locks, real = [], Ledger.transaction
    monkeypatch.setattr(Ledger, "transaction", lambda one: locks.append(1) or real(one))

    def fail(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError(f"after {len(door.calls)} draws")

    if series:
        begin_series(ledger, STUDY, Schedule(series, "year", "2026-12", 2))
    with monkeypatch.context() as patch:
        patch.setattr(f"dpdesk.release.run.{broken}", fail)
        with pytest.raises(ZeroDivisionError, match="after"):
            locks.clear()
            release(STUDY, folder, ledger, door, series=series)
    assert len(locks) == 1
    last = ledger.history()[-1]
    assert (last.entry.kind, str(last.entry.charged)) == ("failed-release", "0.4")
    assert ledger.account("registry").spent == Epsilon.of("0.4")
    assert not last.damage and last.payload is not None and last.payload.sentence
    with ledger.reading() as transaction:
        assert earlier_use(transaction, "registry", (STUDY.data or DataSource()).extract)
        assert transaction.connection.execute("SELECT account FROM sketch").fetchall()
    after = release(STUDY, folder, ledger, door, series=series)
    assert ledger.account("registry").spent == Epsilon.of("0.8")
    assert [str(c.charged) for c in after.stored.record.account.charges] == ["0.4", "0.4"]


@pytest.mark.parametrize("failed", [False, True])
def test_losses_between_two_kinds_of_neighbours_are_not_added_up(
    failed: bool, ledger: Ledger, folder: Path, door: ConstantDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To replace a person is to remove one and add another: twice what the first release lost."""
    assert ledger.neighbours("registry") == ""
    with monkeypatch.context() as patch, contextlib.suppress(ZeroDivisionError):
        if failed:
            patch.setattr("dpdesk.release.run.release_run.compose_release", _fail)
        release(STUDY, folder, ledger, door)
    assert ledger.neighbours("registry") == "add-remove"
    unit = replace(STUDY.unit or Unit(), neighbours="change-one", people=40)
    other, calls = replace(STUDY, unit=unit), len(door.calls)
    problem = refusal(lambda: release(other, folder, ledger, door))
    assert (problem.path, problem.code) == ("$.unit.neighbours", "account-people-secret")
    schedule = Schedule("yearly", "year", "2026-12", 1)
    assert refusal(lambda: begin_series(ledger, other, schedule)) == problem, "for no release"
    assert ledger.head()[0] == 2 and len(door.calls) == calls
    ledger.new_account("public", ONE)
    budget = replace(STUDY.budget or Budget(), account="public")
    people = {"budget": budget, "data": replace(STUDY.data or DataSource(), extract="public")}
    release(replace(other, **people), folder, ledger, door)
    problem = refusal(lambda: release(replace(STUDY, **people), folder, ledger, door, fresh=True))
    assert problem.code == "account-people-public"


def _fail(*_arguments: object, **_options: object) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("broken_call", [1, 2, 3])
def test_a_door_that_fails_spends_and_shows_nothing(
    ledger: Ledger, folder: Path, broken_call: int
) -> None:
    class Failing(ConstantDoor):
        def add_noise(
            self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
        ) -> tuple[int, ...]:
            drawn = super().add_noise(name, values, noise, sensitivity)
            if len(self.calls) == broken_call:
                raise DoorRefused("the noise library failed")
            return drawn

    with pytest.raises(DoorRefused):
        release(STUDY, folder, ledger, Failing())
    assert ledger.head()[0] == 1
    assert ledger.check().sound


def test_a_record_after_a_restored_copy_says_so(
    ledger: Ledger, folder: Path, door: ConstantDoor
) -> None:
    old = ledger.home.ledger.read_bytes()
    release(one_query(), folder, ledger, door)
    ledger.home.ledger.write_bytes(old)
    problem = refusal(lambda: release(one_query(), folder, ledger, door))
    assert problem.code == "ledger-rolled-back"
    ledger.reconcile("backup was put back")
    record = record_of(release(one_query(), folder, ledger, door))["predicate"]
    assert record["ledger"]["rollback_suspected"] is True
    assert record["account"]["spent_after"] == "0.2"
    assert len(record["account"]["released"]) == 2


@pytest.mark.threat("C7")
def test_two_studies_share_one_account(ledger: Ledger, folder: Path, door: ConstantDoor) -> None:
    release(STUDY, folder, ledger, door)
    other = replace(STUDY, title="Others", queries=(women(),))
    record = record_of(release(other, folder, ledger, door))["predicate"]
    assert record["account"]["spent_before"] == "0.4"


@pytest.mark.threat("E11", "G11")
def test_the_plan_is_what_is_charged(ledger: Ledger, folder: Path, door: ConstantDoor) -> None:
    done = release(STUDY, folder, ledger, door)
    assert ledger.entry(done.sequence).charged == compiler.compile(STUDY).total


def test_with_constant_noise_the_ledger_is_the_same_for_any_data(tmp_path: Path) -> None:
    left = []
    for number, people in enumerate((0, 1, 500)):
        place = tmp_path / str(number)
        place.mkdir()
        write_data(place, people, first=10_000 * number)
        ledger = Ledger.open(Home.at(place / "home"), now=lambda: NOON)
        door = ConstantDoor()
        with one_salt():
            ledger.new_account("registry", ONE)
            release(STUDY, place, ledger, door, new_id=lambda: "0" * 32)
        with closing(sqlite3.connect(ledger.home.ledger)) as connection:
            rows = connection.execute("SELECT * FROM entry").fetchall()
        heads = ledger.home.heads.read_bytes()
        left.append((rows, heads, door.calls, ledger.notices, ledger.check()))
    assert left[0] == left[1] == left[2]
