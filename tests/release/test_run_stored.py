# SPDX-License-Identifier: Apache-2.0
"""A question that was answered is answered again, for nothing, with the same figures."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from dpdesk.privacy.compiler import compile as compile_study
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics import METHODS
from dpdesk.release.ledger import Ledger, answers
from dpdesk.release.ledger.answers import _meaning, find_answer
from dpdesk.release.ledger.fingerprints import Separation
from dpdesk.release.ledger.spending.prices import paid_before
from dpdesk.release.places.home import Home
from dpdesk.release.record.released_study import ReleasedStudy
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Budget, Study
from dpdesk.study.model.unit import DataSource
from tests.audit.length import runs
from tests.doors import ConstantDoor
from tests.release.ledgers import ONE, TENTH, least, refusal, without_rules
from tests.release.studies import STUDY, one_query, record_of, release, women, write_data
from tests.strategies import studies


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", ONE)
    return ledger


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_data(tmp_path)
    return tmp_path


def spent(ledger: Ledger) -> str:
    return str(ledger.account("registry").spent)


def figures(done: ReleaseDone) -> object:
    return (record_of(done)["predicate"]["drawn"], record_of(done)["tables"])


@pytest.mark.threat("E4")
def test_many_times_the_same_question_cost_once(ledger: Ledger, folder: Path) -> None:
    first = release(STUDY, folder, ledger, OpenDPDoor())
    times = runs(20, 100)
    for _ in range(times - 1):
        again = release(STUDY, folder, ledger, OpenDPDoor())
        assert figures(again) == figures(first)
    assert spent(ledger) == "0.4"
    assert ledger.head()[0] == times + 1
    assert {str(e.charged) for e in ledger.account("registry").entries[2:]} == {"0"}


def test_a_stored_answer_says_when_it_was_drawn(ledger: Ledger, folder: Path) -> None:
    release(STUDY, folder, ledger, ConstantDoor())
    record = record_of(release(STUDY, folder, ledger, ConstantDoor()))["predicate"]
    assert {q["drawn_in"] for q in record["queries"]} == {2}
    assert {q["charged"] for q in record["queries"]} == {"0"}
    assert [q["share"] for q in record["queries"]] == ["0.1", "0.1", "0.2"]
    assert record["claim"]["epsilon"] == "0.4"
    paid = {"sequence": 2, "charged": "0.4", "delta_charged": "0"}
    assert record["account"]["released"] == [paid]


def test_only_what_is_new_is_paid(ledger: Ledger, folder: Path) -> None:
    release(STUDY, folder, ledger, ConstantDoor())
    door = ConstantDoor()
    more = replace(STUDY, queries=(*STUDY.queries, women()))
    record = record_of(release(more, folder, ledger, door))["predicate"]
    assert [q["charged"] for q in record["queries"]] == ["0", "0", "0", "0.1"]
    assert [q["drawn_in"] for q in record["queries"]] == [2, 2, 2, 3]
    assert [call[0] for call in door.calls] == ["women.rows"]
    assert spent(ledger) == "0.5"


def reread(study: Study) -> Study:
    """The same study after its file was edited: other order of members, other white space."""
    text = study_to_bytes(study).decode()
    return study_from_bytes(text.replace("  ", "\t").replace(": ", ":").encode())


@pytest.mark.parametrize(
    "same",
    [
        reread(STUDY),
        replace(STUDY, title="Another heading", organisation=""),
        replace(STUDY, queries=tuple(replace(q, id=f"q{q.id}", title="x") for q in STUDY.queries)),
        replace(STUDY, queries=STUDY.queries[::-1]),
        replace(STUDY, columns=STUDY.columns[::-1]),
        replace(STUDY, budget=replace(STUDY.budget, epsilon=Epsilon.of("2"))),
    ],
    ids=["re-saved", "title", "names", "order", "columns", "limit"],
)
def test_what_does_not_change_the_question_costs_nothing(
    ledger: Ledger, folder: Path, same: Study
) -> None:
    first = release(STUDY, folder, ledger, OpenDPDoor())
    again = release(same, folder, ledger, OpenDPDoor())
    assert spent(ledger) == "0.4"
    drawn, renamed = (
        {query.id.removeprefix("q"): query.drawn for query in done.stored.record.queries}
        for done in (first, again)
    )
    assert drawn == {name: renamed[name] for name in drawn}


@pytest.mark.parametrize(
    "other",
    [
        one_query(epsilon=Epsilon.of("0.2")),
        one_query(statistic="count-people"),
        one_query(by=("sex",)),
        replace(one_query(), unit=replace(STUDY.unit, max_rows=2)),
        replace(one_query(), unit=replace(STUDY.unit, leading_zeros=True)),
        replace(one_query(), data=replace(STUDY.data, extract="newer")),
    ],
    ids=["price", "statistic", "groups", "bound", "ids", "extract"],
)
def test_what_changes_the_question_is_drawn_and_paid(
    ledger: Ledger, folder: Path, other: Study
) -> None:
    release(one_query(), folder, ledger, ConstantDoor())
    before = ledger.account("registry").spent
    release(other, folder, ledger, ConstantDoor())
    assert ledger.account("registry").spent > before


def test_an_account_does_not_know_anothers_answers(ledger: Ledger, folder: Path) -> None:
    release(one_query(), folder, ledger, ConstantDoor())
    ledger.new_account("second", ONE)
    other = replace(one_query(), budget=replace(STUDY.budget, account="second"))
    door = ConstantDoor()
    release(other, folder, ledger, door, separations=(Separation("registry", "another clinic"),))
    assert len(door.calls) == 1
    assert ledger.account("second").spent == TENTH


@pytest.mark.threat("E3")
def test_a_fresh_draw_costs_again_and_is_the_answer_from_then_on(
    ledger: Ledger, folder: Path
) -> None:
    study = one_query(by=("sex",))
    first = release(study, folder, ledger, OpenDPDoor())
    draws = [release(study, folder, ledger, OpenDPDoor(), fresh=True) for _ in range(4)]
    assert spent(ledger) == "0.5"
    assert any(figures(draw) != figures(first) for draw in draws)
    again = release(study, folder, ledger, OpenDPDoor())
    assert figures(again) == figures(draws[-1])
    assert record_of(again)["predicate"]["queries"][0]["drawn_in"] == draws[-1].sequence
    assert spent(ledger) == "0.5"


def test_a_question_asked_twice_in_one_study_is_paid_once(ledger: Ledger, folder: Path) -> None:
    twice = replace(STUDY, queries=(STUDY.queries[0], replace(STUDY.queries[0], id="again")))
    door = ConstantDoor()
    record = record_of(release(twice, folder, ledger, door, fresh=True))
    assert [q["charged"] for q in record["predicate"]["queries"]] == ["0.1", "0"]
    assert [q["drawn_in"] for q in record["predicate"]["queries"]] == [2, 2]
    assert record["predicate"]["drawn"]["stays"] == record["predicate"]["drawn"]["again"]
    assert len(door.calls) == 1 and spent(ledger) == "0.1"


def test_an_exhausted_account_still_gives_what_was_paid(ledger: Ledger, folder: Path) -> None:
    whole = one_query(epsilon=ONE)
    first = release(whole, folder, ledger, ConstantDoor())
    again = release(whole, folder, ledger, ConstantDoor())
    assert figures(again) == figures(first)
    with_more = replace(whole, queries=(*whole.queries, women()))
    limit = replace(with_more, budget=replace(STUDY.budget, epsilon=Epsilon.of("2")))
    problem = refusal(lambda: release(limit, folder, ledger, ConstantDoor()))
    assert problem.params == {"name": "registry", "requested": "0.1", "left": "0", "short": "0.1"}


def test_stored_answers_need_no_data(ledger: Ledger, folder: Path) -> None:
    first = release(STUDY, folder, ledger, ConstantDoor())
    (folder / "stays.csv").unlink()
    again = release(STUDY, folder, ledger, ConstantDoor())
    assert figures(again) == figures(first)


def test_no_file_is_named_anywhere_in_the_ledger(ledger: Ledger, tmp_path: Path) -> None:
    write_data(tmp_path, name="canary-file-name.csv")
    study = replace(STUDY, data=replace(STUDY.data, path="canary-file-name.csv"))
    release(study, tmp_path, ledger, ConstantDoor())
    for path in ledger.home.root.rglob("*"):
        assert not path.is_file() or b"canary-file-name" not in path.read_bytes()


TWO = replace(STUDY, queries=(STUDY.queries[0], women(), *STUDY.queries[1:]))


def point_elsewhere(ledger: Ledger, first: str, second: str) -> None:
    """Let the index say of two answers that each is the other."""
    swapped = f"CASE query WHEN '{first}' THEN '{second}' WHEN '{second}' THEN '{first}' "
    without_rules(ledger.home.ledger, f"UPDATE answer SET query = {swapped} ELSE query END")


@pytest.mark.threat("E4")
@pytest.mark.parametrize("other", ["women", "by-sex", "days", "none of the study"])
def test_an_answer_to_another_question_is_never_given_out(
    ledger: Ledger, folder: Path, other: str
) -> None:
    first = release(TWO, folder, ledger, OpenDPDoor())
    point_elsewhere(ledger, "stays", other)
    problem = refusal(lambda: release(TWO, folder, ledger, OpenDPDoor()))
    assert (problem.code, problem.params) == (
        "ledger-damaged",
        {"what": "answer", "sequence": str(first.sequence)},
    )
    point_elsewhere(ledger, "stays", other)
    assert figures(release(TWO, folder, ledger, OpenDPDoor())) == figures(first)


def test_an_answer_of_another_account_is_never_given_out(ledger: Ledger, folder: Path) -> None:
    ledger.new_account("other", ONE)
    budget = Budget(account="other", epsilon=ONE)
    elsewhere = replace(STUDY, budget=budget)
    release(STUDY, folder, ledger, OpenDPDoor())
    separate = Separation("registry", "other patients")
    theirs = release(elsewhere, folder, ledger, OpenDPDoor(), separations=(separate,))
    moved = f"UPDATE OR IGNORE answer SET sequence = {theirs.sequence}"
    without_rules(ledger.home.ledger, moved)
    problem = refusal(lambda: release(STUDY, folder, ledger, OpenDPDoor()))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "answer")


def test_an_answer_of_a_study_without_people_is_never_given_out(
    ledger: Ledger, folder: Path
) -> None:
    """No release has a study without a unit of privacy; who seals an entry can write one."""
    release(STUDY, folder, ledger, OpenDPDoor())
    said = least(query_charged=TENTH)
    account = replace(said.record.account, name="registry")
    with ledger.transaction() as transaction:
        record = replace(said.record, account=account)
        entry = transaction.append("registry", replace(said, record=record), charged=TENTH)
    moved = f"UPDATE answer SET sequence = {entry.sequence}, query = 'q' WHERE query = 'stays'"
    without_rules(ledger.home.ledger, moved)
    problem = refusal(lambda: release(STUDY, folder, ledger, OpenDPDoor()))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "answer")


@pytest.mark.parametrize("most", [1, 1024])
def test_a_plan_is_priced_by_what_was_paid_before(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(answers, "MOST_REMEMBERED", most)
    done = release(STUDY, folder, ledger, OpenDPDoor())
    plan = compile_study(TWO)
    paid, answered = paid_before(plan, ledger.home), ledger.answered()
    asked = {query.query.id: query.canonical for query in plan.queries}
    for question in (*asked.values(), *asked.values()):
        assert answered.find("registry", "stays.csv", question) == paid.get(question)
    assert asked["women"] not in paid and len(paid) == len(STUDY.queries)
    assert {(one.sequence, one.number) for one in paid.values()} == {(done.sequence, 1)}
    assert {one.day for one in paid.values()} == {done.stored.record.time[:10]}
    assert answered.is_used("registry", "stays.csv")
    assert not answered.is_used("registry", "other.csv")
    assert answered.secret.hex() not in repr(answered) and repr(answered.secret) not in repr(
        answered
    )


def test_a_price_is_asked_for_without_making_a_ledger(folder: Path, ledger: Ledger) -> None:
    nowhere = Home.at(folder / "nowhere")
    assert paid_before(compile_study(STUDY), nowhere) == {} and not nowhere.root.exists()
    release(STUDY, folder, ledger, OpenDPDoor())
    nameless = replace(STUDY, data=replace(STUDY.data or DataSource(), extract=""))
    assert paid_before(compile_study(nameless), ledger.home) == {}


@pytest.mark.parametrize("member", ["name", "sensitivity", "share", "noise"])
def test_an_answer_that_was_drawn_in_another_way_is_never_given_out(
    ledger: Ledger, folder: Path, member: str
) -> None:
    release(STUDY, folder, ledger, OpenDPDoor())
    plan = compile_study(STUDY).queries[0]
    (part,) = plan.parts
    others = {
        "name": "sum",
        "sensitivity": part.sensitivity + 1,
        "share": Epsilon(part.share.units + 1),
        "noise": replace(part.noise, blocks=2),
    }
    otherwise = replace(plan, parts=(replace(part, **{member: others[member]}),))
    with ledger.reading() as transaction:
        assert find_answer(transaction, "registry", "stays.csv", plan) is not None
        problem = refusal(lambda: find_answer(transaction, "registry", "stays.csv", otherwise))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "answer")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE answer SET sequence = 1",
        "UPDATE answer SET sequence = 3 WHERE query = 'stays'",
        "UPDATE answer SET query = 'nobody asked' WHERE query = 'stays'",
        "UPDATE answer SET query = 'stays'",
        "INSERT INTO answer VALUES (zeroblob(32), 2, 'stays')",
    ],
)
def test_an_index_that_does_not_fit_its_entries_is_found_by_a_check(
    ledger: Ledger, folder: Path, statement: str
) -> None:
    release(STUDY, folder, ledger, OpenDPDoor())
    release(STUDY, folder, ledger, OpenDPDoor())
    assert ledger.check().sound
    without_rules(ledger.home.ledger, statement)
    assert {(p.code, p.params["what"]) for p in ledger.check().problems} == {
        ("ledger-damaged", "answer")
    }


@given(studies())
def test_of_every_question_a_record_says_what_its_answer_was_drawn_for(study: Study) -> None:
    record = ReleasedStudy.of(study).study
    assert record is not None and record.unit is not None
    for query, released in zip(compile_study(study).queries, record.queries, strict=True):
        question = Question.of(record, record.unit, released)
        text = METHODS[released.statistic].in_one_form(question).canonical()
        assert _meaning(text) == _meaning(query.canonical)
