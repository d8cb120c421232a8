# SPDX-License-Identifier: Apache-2.0
"""Budget belongs to the people: their data is recognised under another name."""

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.data.encode import encode
from dpdesk.data.inspection.finding import Finding
from dpdesk.data.people.sketch import SKETCH_SIZE, sketch
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.fingerprints import Separation, Sketch, known_accounts
from dpdesk.release.places.home import Home
from dpdesk.release.run.known_people import find_known_people
from dpdesk.release.run.reading import read_data, read_people
from dpdesk.study.model.document import Study
from tests.doors import ConstantDoor
from tests.release.ledgers import ONE, refusal
from tests.release.studies import STUDY, one_query, record_of, release, write_data

PEOPLE = 2_000

OTHERS = Separation("registry", "another clinic")
KNOWN = Finding("people-known", account="registry")


@pytest.fixture
def ledger(dpdesk_home: Path, tmp_path: Path) -> Ledger:
    """A ledger in which account ``registry`` has released the stays of 2,000 people."""
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", ONE)
    ledger.new_account("second", ONE)
    write_data(tmp_path, PEOPLE)
    release(one_query(), tmp_path, ledger, ConstantDoor())
    return ledger


def second(path: str = "stays.csv") -> Study:
    """The study on another account and another file."""
    budget = replace(STUDY.budget, account="second")
    return replace(one_query(), budget=budget, data=replace(STUDY.data, path=path))


def suggested(ledger: Ledger, folder: Path, study: Study) -> str | None:
    table = encode(study, folder, key=ledger.data_keys().ids)
    return most_alike(ledger, sketch(table, ledger.data_keys().sketch))


def most_alike(ledger: Ledger, people: Sketch) -> str | None:
    """The account whose people are most alike, if any clearly are."""
    with ledger.reading() as transaction:
        return next(iter(known_accounts(transaction.connection, people)), None)


def edit(folder: Path, how: str) -> None:
    """Write a changed copy of the file as ``other.csv``."""
    head, *rows = (folder / "stays.csv").read_text().splitlines()
    changed = {
        "renamed": rows,
        "one-cell": [rows[0].replace(",f", ",m"), *rows[1:]],
        "reordered": rows[::-1],
        "re-cased": [row.upper().replace(",F", ",f").replace(",M", ",m") for row in rows],
        "without-1-percent": [row for i, row in enumerate(rows) if i % 100],
        "half": rows[: len(rows) // 2],
        "twice": [row.replace("p", "x") for row in rows] + rows,
    }[how]
    (folder / "other.csv").write_text("\n".join([head, *changed]) + "\n")


@pytest.mark.threat("C7", "E7")
@pytest.mark.parametrize(
    "how",
    ["renamed", "one-cell", "reordered", "re-cased", "without-1-percent", "half", "twice"],
)
def test_an_edited_copy_is_recognised_and_refuses_nothing(
    ledger: Ledger, tmp_path: Path, how: str
) -> None:
    edit(tmp_path, how)
    study = second("other.csv")
    assert suggested(ledger, tmp_path, study) == "registry"
    assert find_known_people(study, tmp_path, ledger) == (KNOWN,)
    release(study, tmp_path, ledger, ConstantDoor())
    kinds = [e.kind for e in ledger.account("second").entries]
    assert kinds == ["open-account", "release"], "no entry says that anybody was warned"


def test_what_was_declared_is_said_no_more(ledger: Ledger, tmp_path: Path) -> None:
    assert find_known_people(second(), tmp_path, ledger) == (KNOWN,)
    assert find_known_people(second(), tmp_path, ledger, separations=(OTHERS,)) == ()
    release(second(), tmp_path, ledger, ConstantDoor(), separations=(OTHERS,))
    assert find_known_people(second(), tmp_path, ledger) == ()
    assert find_known_people(one_query(), tmp_path, ledger) == (), "for either account"


def test_every_account_with_these_people_is_named_and_declared_at_once(
    ledger: Ledger, tmp_path: Path
) -> None:
    release(second(), tmp_path, ledger, ConstantDoor())
    ledger.new_account("third", ONE)
    third = replace(second(), budget=replace(STUDY.budget, account="third"))
    found = find_known_people(third, tmp_path, ledger)
    assert [finding.account for finding in found] == ["registry", "second"]
    both = tuple(Separation(finding.account, "another clinic") for finding in found)
    release(third, tmp_path, ledger, ConstantDoor(), separations=both)
    assert find_known_people(third, tmp_path, ledger) == ()
    kinds = [e.kind for e in ledger.account("third").entries]
    assert kinds == ["open-account", "decision", "decision", "release"]


def test_neither_the_own_account_nor_a_declared_one_is_named_beside_others(
    ledger: Ledger, tmp_path: Path
) -> None:
    release(second(), tmp_path, ledger, ConstantDoor())
    assert find_known_people(second(), tmp_path, ledger) == (KNOWN,)
    ledger.new_account("third", ONE)
    third = replace(second(), budget=replace(STUDY.budget, account="third"))
    release(third, tmp_path, ledger, ConstantDoor(), separations=(OTHERS,))
    found = find_known_people(third, tmp_path, ledger)
    assert [finding.account for finding in found] == ["second"]


def test_what_is_declared_twice_is_one_entry(ledger: Ledger, tmp_path: Path) -> None:
    release(second(), tmp_path, ledger, ConstantDoor(), separations=(OTHERS, OTHERS))
    kinds = [e.kind for e in ledger.account("second").entries]
    assert kinds == ["open-account", "decision", "release"]


def test_people_are_known_by_their_ids_and_no_other_column_is_read(
    ledger: Ledger, tmp_path: Path
) -> None:
    ids = "\n".join(row.split(",")[0] for row in (tmp_path / "stays.csv").read_text().splitlines())
    (tmp_path / "ids.csv").write_text(ids + "\n")
    assert find_known_people(second("ids.csv"), tmp_path, ledger) == (KNOWN,)


def test_where_rows_are_people_all_their_cells_recognise_them(
    ledger: Ledger, tmp_path: Path
) -> None:
    by_row = replace(STUDY.unit, person=None, max_rows=1)
    rows = [f"p{i},{i % 14 + 1},{'fm'[i % 2]}" for i in range(40)]
    (tmp_path / "rows.csv").write_text("\n".join(["id,days,sex", *rows]) + "\n")
    first = replace(one_query(), unit=by_row, data=replace(STUDY.data, path="rows.csv"))
    release(first, tmp_path, ledger, ConstantDoor())
    again = replace(second("rows.csv"), unit=by_row)
    assert find_known_people(again, tmp_path, ledger) == (), "14 different rows are in every file"


def test_the_file_is_read_only_where_another_account_is_known(
    ledger: Ledger, tmp_path: Path
) -> None:
    (tmp_path / "stays.csv").unlink()
    assert find_known_people(one_query(), tmp_path, ledger) == ()
    assert find_known_people(second(), tmp_path, ledger, separations=(OTHERS,)) == ()
    assert refusal(lambda: find_known_people(second(), tmp_path, ledger)).code == (
        "data-file-missing"
    )


def stored_sketches(ledger: Ledger) -> list[tuple[bytes]]:
    with ledger.reading() as transaction:
        return transaction.connection.execute("SELECT content FROM sketch").fetchall()


@pytest.mark.threat("C7")
@pytest.mark.parametrize("people", [0, 1, 3, 40, 255, 256, 400])
@pytest.mark.parametrize("by_row", [False, True])
def test_no_length_reveals_how_many_people_a_file_has(
    dpdesk_home: Path, tmp_path: Path, people: int, by_row: bool
) -> None:
    """It was 8 bytes a person, up to 256 people."""
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", ONE)
    write_data(tmp_path, people)
    unit = replace(STUDY.unit, person=None, max_rows=1) if by_row else STUDY.unit
    for _ in range(2):
        release(replace(one_query(), unit=unit), tmp_path, ledger, ConstantDoor(), fresh=True)
    assert [len(content) for (content,) in stored_sketches(ledger)] == [8 * SKETCH_SIZE]


def test_no_later_sketch_of_an_account_reveals_who_stayed(
    dpdesk_home: Path, tmp_path: Path
) -> None:
    """Random values that differ each time would leave the people as what two sketches share."""
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", ONE)
    for extract, people in (("first", 40), ("second", 40), ("third", 41)):
        write_data(tmp_path, people)
        study = replace(one_query(), data=replace(STUDY.data, extract=extract))
        release(study, tmp_path, ledger, ConstantDoor())
    first, again, more = (
        {content[i : i + 8] for i in range(0, len(content), 8)}
        for (content,) in stored_sketches(ledger)
    )
    assert first == again and len(again & more) == SKETCH_SIZE - 1


@pytest.mark.parametrize("people", [1, 3, 40, 255])
def test_few_people_are_recognised_among_what_fills_their_sketch(
    dpdesk_home: Path, tmp_path: Path, people: int
) -> None:
    ledger = Ledger.open(Home.at(dpdesk_home))
    for account in ("registry", "second"):
        ledger.new_account(account, ONE)
    write_data(tmp_path, people)
    release(one_query(), tmp_path, ledger, ConstantDoor())
    assert find_known_people(second(), tmp_path, ledger) == (KNOWN,)
    write_data(tmp_path, people, first=50_000, name="other.csv")
    assert find_known_people(second("other.csv"), tmp_path, ledger) == ()


def test_the_marks_are_those_that_a_release_stores(ledger: Ledger, tmp_path: Path) -> None:
    for unit in (STUDY.unit, replace(STUDY.unit, person=None, max_rows=1)):
        study = replace(second(), unit=unit)
        rest = (tmp_path, ledger, no_progress, CancelToken())
        assert read_people(study, *rest) == read_data(study, *rest).sketch


def test_people_whose_ids_are_hashed_are_recognised_by_the_ledgers_key(
    dpdesk_home: Path, tmp_path: Path
) -> None:
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", ONE)
    head, *rows = write_data(tmp_path, PEOPLE).read_text().splitlines()
    long = "\n".join([head, *(f"{'0123abcd-' * 3}{row}" for row in rows)]) + "\n"
    for name in ("stays.csv", "other.csv"):
        (tmp_path / name).write_text(long)
    release(one_query(), tmp_path, ledger, ConstantDoor())
    assert suggested(ledger, tmp_path, second("other.csv")) == "registry"
    strangers = sketch(encode(second("other.csv"), tmp_path), ledger.data_keys().sketch)
    assert most_alike(ledger, strangers) is None


def test_other_people_are_not_recognised(ledger: Ledger, tmp_path: Path) -> None:
    write_data(tmp_path, PEOPLE, first=50_000, name="other.csv")
    assert suggested(ledger, tmp_path, second("other.csv")) is None
    release(second("other.csv"), tmp_path, ledger, ConstantDoor())
    assert not ledger.account("second").separate_people_declared


def test_the_same_account_may_grow(ledger: Ledger, tmp_path: Path) -> None:
    write_data(tmp_path, 2 * PEOPLE, name="newer.csv")
    newer = replace(one_query(), data=replace(STUDY.data, path="newer.csv", extract="newer"))
    release(newer, tmp_path, ledger, ConstantDoor())
    assert str(ledger.account("registry").spent) == "0.2"


@pytest.mark.threat("E7")
def test_a_decision_is_an_entry_and_stands_in_every_later_record(
    ledger: Ledger, tmp_path: Path
) -> None:
    reason = "ids are numbered anew in each clinic"
    done = release(
        second(),
        tmp_path,
        ledger,
        ConstantDoor(),
        separations=(Separation(OTHERS.account, reason),),
    )
    assert record_of(done)["predicate"]["ledger"]["separate_people_declared"] is True
    decision = ledger.history("second")[1]
    assert (decision.entry.kind, decision.reason) == ("decision", reason)
    assert decision.entry.sequence == done.sequence - 1
    assert record_of(done)["predicate"]["ledger"]["previous"] == decision.entry.hash
    again = release(second(), tmp_path, ledger, ConstantDoor(), fresh=True)
    assert record_of(again)["predicate"]["ledger"]["separate_people_declared"] is True
    assert [e.kind for e in ledger.account("second").entries] == [
        "open-account",
        "decision",
        "release",
        "release",
    ]


def test_a_decision_holds_for_both_accounts(ledger: Ledger, tmp_path: Path) -> None:
    release(
        second(),
        tmp_path,
        ledger,
        ConstantDoor(),
        separations=(OTHERS,),
    )
    record = record_of(release(one_query(), tmp_path, ledger, ConstantDoor(), fresh=True))
    assert record["predicate"]["ledger"]["separate_people_declared"] is True
    assert all(a.separate_people_declared for a in ledger.accounts())


def test_a_decision_about_one_account_is_none_about_a_third(ledger: Ledger, tmp_path: Path) -> None:
    release(
        second(),
        tmp_path,
        ledger,
        ConstantDoor(),
        separations=(OTHERS,),
    )
    ledger.new_account("third", ONE)
    third = replace(second(), budget=replace(STUDY.budget, account="third"))
    assert KNOWN in find_known_people(third, tmp_path, ledger)


def test_a_decision_is_recorded_whether_the_data_needed_it_or_not(
    ledger: Ledger, tmp_path: Path
) -> None:
    """Otherwise the chain in every later bundle would tell whether the people look alike."""
    write_data(tmp_path, PEOPLE, first=50_000, name="other.csv")
    study = second("other.csv")
    separation = Separation("registry", "to be sure")
    release(study, tmp_path, ledger, ConstantDoor(), separations=(separation,))
    kinds = ["open-account", "decision", "release"]
    assert [e.kind for e in ledger.account("second").entries] == kinds
    release(study, tmp_path, ledger, ConstantDoor(), fresh=True, separations=(separation,))
    assert [e.kind for e in ledger.account("second").entries] == [*kinds, "release"]


def test_a_decision_names_an_account_that_there_is(ledger: Ledger, tmp_path: Path) -> None:
    separation = Separation("nobody", "no such account")
    problem = refusal(
        lambda: release(second(), tmp_path, ledger, ConstantDoor(), separations=(separation,))
    )
    assert (problem.code, problem.params["name"]) == ("account-unknown", "nobody")
    assert [e.kind for e in ledger.account("second").entries] == ["open-account"]


def test_a_refused_release_leaves_no_decision(ledger: Ledger, tmp_path: Path) -> None:
    problem = refusal(
        lambda: release(
            second(),
            tmp_path,
            ledger,
            ConstantDoor(),
            separations=(Separation("registry", "x" * 400),),
        )
    )
    assert problem.code == "text-too-long"
    assert [e.kind for e in ledger.account("second").entries] == ["open-account"]


def test_rows_that_recur_among_any_people_recognise_nothing(ledger: Ledger, tmp_path: Path) -> None:
    """Where rows are people and only some dozens of rows differ, they are in every file."""
    by_row = replace(STUDY.unit, person=None, max_rows=1)
    write_data(tmp_path, PEOPLE, first=50_000, name="other.csv")
    release(replace(one_query(), unit=by_row), tmp_path, ledger, ConstantDoor())
    release(replace(second("other.csv"), unit=by_row), tmp_path, ledger, ConstantDoor())


@pytest.mark.threat("F7")
def test_no_id_is_in_any_file_of_the_home(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "stays.csv").write_text("id,days,sex\n" + "canary-person,3,f\n" * 3)
    fresh = replace(one_query(), data=replace(STUDY.data, extract="canaries"))
    release(fresh, tmp_path, ledger, ConstantDoor())
    for path in ledger.home.root.rglob("*"):
        assert not path.is_file() or b"canary-person" not in path.read_bytes()
