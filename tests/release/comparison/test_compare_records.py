# SPDX-License-Identifier: Apache-2.0
"""Two releases side by side: the same questions alone, both verified, one draw told from two."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from shutil import copytree
from typing import Literal

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.comparison.compare_records import compare_records
from dpdesk.release.comparison.sides import (
    ComparedSide,
    SideName,
    bundle_side,
    fork_between,
    ledger_side,
)
from dpdesk.release.comparison.taken_back import hold_notice, taken_of
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.notice_file import notice_bytes, parse_notice
from dpdesk.release.notices.own_decision import TakenBack, taken_back, together
from dpdesk.release.notices.revoke import Wish, notice_of, revoke
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignerName
from dpdesk.release.rehearsal.made_up_files import made_up_bytes
from dpdesk.release.rehearsal.rehearse import rehearse
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.signers import Signers
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import Arithmetic, OfPerson, Operand
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN, signing_key
from tests.release.studies import STUDY, release, write_data


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    write_data(tmp_path)
    made = Ledger.open(Home.at(tmp_path / "home"))
    made.new_account("registry", Epsilon.of("10"))
    return made


def released(study: Study, folder: Path, ledger: Ledger) -> ReleaseDone:
    return release(study, folder, ledger, OpenDPDoor())


def next_extract(study: Study = STUDY) -> Study:
    return replace(study, title="Next year", data=DataSource("stays.csv", extract="next"))


def codes(raised: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in raised.value.problems]


def test_the_same_questions_of_another_extract_are_compared(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    other = released(next_extract(), tmp_path, ledger).stored.record
    found = compare_records(one, other)
    assert [query.query.id for query in found.queries] == [query.id for query in STUDY.queries]
    assert [len(query.lines) for query in found.queries] == [1, 2, 2]
    assert found.others == ()
    assert not any(query.is_same_answer for query in found.queries)
    first = found.queries[0].lines[0].difference
    assert first.value is not None
    assert one.queries[0].drawn is not None
    assert other.queries[0].drawn is not None
    assert first.value == other.queries[0].drawn.noisy[0][0] - one.queries[0].drawn.noisy[0][0]


def test_another_share_or_order_is_the_same_question(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    queries = tuple(
        replace(query, epsilon=Epsilon.of("0.3"), title="New") for query in STUDY.queries[::-1]
    )
    study = replace(next_extract(), queries=queries)
    study = replace(study, budget=replace(study.budget, epsilon=Epsilon.of(2)))  # type: ignore[type-var]
    other = released(study, tmp_path, ledger).stored.record
    assert len(compare_records(one, other).queries) == 3


def test_a_stored_answer_is_not_taken_for_two_draws(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    other = released(replace(STUDY, title="Again"), tmp_path, ledger).stored.record
    found = compare_records(one, other)
    assert all(query.is_same_answer for query in found.queries)


@pytest.mark.parametrize("other", ["time", "account"])
def test_equal_draws_of_two_ledgers_are_two(tmp_path: Path, ledger: Ledger, other: str) -> None:
    """Each ledger has an entry of that number, and small noise is often equal."""
    one = released(STUDY, tmp_path, ledger).stored.record
    elsewhere = {
        "time": {"time": "2020-01-01T00:00Z"},
        "account": {"account": replace(one.account, name="another")},
    }[other]
    found = compare_records(one, replace(one, id="0" * 32, **elsewhere))
    assert not any(query.is_same_answer for query in found.queries)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"where": (IsIn("sex", ("f",)),)}, ("conditions",)),
        ({"by": ()}, ("groups",)),
        ({"statistic": "sum"}, ("not-there",)),
    ],
)
def test_what_differs_is_named(
    tmp_path: Path, ledger: Ledger, change: dict[str, object], why: tuple[str, ...]
) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    changed = STUDY.queries[2].having(**change)
    study = replace(next_extract(), queries=(*STUDY.queries[:2], changed))
    found = compare_records(one, released(study, tmp_path, ledger).stored.record)
    assert len(found.queries) == 2
    assert [other.why for other in found.others] == [why]


def test_other_bounds_make_it_another_question(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    wider = NumberColumn("days", lower=Decimal(1), upper=Decimal(20), step=Decimal("0.5"))
    study = replace(next_extract(), columns=(wider, STUDY.columns[1]))
    found = compare_records(one, released(study, tmp_path, ledger).stored.record)
    assert [other.why for other in found.others] == [("declarations",)]
    assert len(found.queries) == 2


def test_another_contribution_bound_is_another_question(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    assert STUDY.unit is not None
    study = replace(next_extract(), unit=replace(STUDY.unit, max_rows=2))
    found = compare_records(one, released(study, tmp_path, ledger).stored.record)
    assert found.queries == ()
    assert {other.why for other in found.others} == {("unit",)}


def test_a_ledger_knows_what_it_took_back_and_nothing_of_others(
    tmp_path: Path, ledger: Ledger
) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    revoke(ledger, Wish("withdrawn", one.place.sequence, "the wrong file"), KEY.info)
    home = Home.at(tmp_path / "home")
    own = taken_back(home, one)
    assert own is not None
    assert own.decision == "withdrawn"
    assert taken_back(home, replace(one, id="0" * 32)) is None
    assert taken_back(Home.at(tmp_path / "none"), one) is None


def test_what_only_one_of_them_asks_is_said_of_each(tmp_path: Path, ledger: Ledger) -> None:
    first, second, third = STUDY.queries
    one = released(replace(STUDY, queries=(first, second)), tmp_path, ledger).stored.record
    study = replace(next_extract(), queries=(second, third.having(statistic="sum")))
    found = compare_records(one, released(study, tmp_path, ledger).stored.record)
    assert len(found.queries) == 1
    assert [asked.query.id for asked in found.only_earlier] == [first.id]
    assert [asked.query.id for asked in found.only_later] == [third.id]
    assert found.unlike == ()
    near = replace(next_extract(), queries=(first.having(where=(IsIn("sex", ("f",)),)), second))
    found = compare_records(one, released(near, tmp_path, ledger).stored.record)
    assert (found.only_earlier, found.only_later) == ((), ()), "it is said what differs"
    assert [other.why for other in found.unlike] == [("conditions",)]


def bundle_of(done: ReleaseDone, path: Path) -> ComparedSide:
    path.write_bytes(build(done.stored, done.chain, KEY))
    return bundle_side(path, KNOWN)


def test_two_copies_of_one_ledger_are_no_history(tmp_path: Path, ledger: Ledger) -> None:
    copy = tmp_path / "copy"
    copytree(tmp_path / "home", copy)
    own = bundle_of(released(STUDY, tmp_path, ledger), tmp_path / "one.zip")
    after = bundle_of(released(next_extract(), tmp_path, ledger), tmp_path / "two.zip")
    other = released(next_extract(), tmp_path, Ledger.open(Home.at(copy)))
    forked = bundle_of(other, tmp_path / "other.zip")
    assert fork_between(own, after) is None
    for pair in ((own, forked), (forked, own), (after, forked)):
        fork = fork_between(*pair)
        assert fork is not None and fork.code == "compare-fork"
    home = Home.at(tmp_path / "home")
    from_ledger = ledger_side(home, own.record.place.sequence)
    assert (from_ledger.release.head, from_ledger.bundle) == (own.release.head, None)
    assert fork_between(from_ledger, after) is None


def test_a_notice_is_held_against_both_bundles(tmp_path: Path, ledger: Ledger) -> None:
    one, two = released(STUDY, tmp_path, ledger), released(next_extract(), tmp_path, ledger)
    sides: dict[SideName, ComparedSide] = {
        "earlier": bundle_of(one, tmp_path / "one.zip"),
        "later": bundle_of(two, tmp_path / "two.zip"),
    }
    entry = revoke(ledger, Wish("withdrawn", two.sequence, "the wrong file"), KEY.info)
    notice = parse_notice(notice_of(ledger, entry.sequence, KEY))
    held = hold_notice(notice, sides, KNOWN)
    assert (held.about, held.problems) == ("later", ())
    alone = hold_notice(notice, {"earlier": sides["earlier"]}, KNOWN)
    assert alone.about is None
    assert [problem.code for problem in alone.problems] == ["notice-other-release"]
    stranger = signing_key(7, "nobody@elsewhere.example")
    signer = SignerName(stranger.info.identity, stranger.info.fingerprint)
    forged = parse_notice(notice_bytes(replace(notice, signer=signer), stranger))
    held = hold_notice(forged, sides, KNOWN)
    assert held.about is None
    assert [problem.code for problem in held.problems] == ["notice-stranger"]


def test_a_notice_of_tables_counts_of_a_release_that_has_them(
    tmp_path: Path, ledger: Ledger
) -> None:
    done = released(STUDY, tmp_path, ledger)
    sides: dict[SideName, ComparedSide] = {"earlier": bundle_of(done, tmp_path / "one.zip")}
    first, second, _third = (query.name for query in done.stored.record.queries)
    notices = []
    for table, kind in ((first, "corrected"), (second, "withdrawn")):
        wish = Wish(kind, done.sequence, f"of {table}", tables=(table,))  # type: ignore[arg-type]
        entry = revoke(ledger, wish, KEY.info)
        notices.append(parse_notice(notice_of(ledger, entry.sequence, KEY)))
    held = [hold_notice(notice, sides, KNOWN) for notice in notices]
    home = Home.at(tmp_path / "home")
    own, said = taken_back(home, done.stored.record), taken_of({}, held)["earlier"]
    assert own is not None
    for both in (own, said):
        assert (both.decision, both.tables) == ("withdrawn", tuple(sorted((first, second))))
        assert both.reason == f"of {first}. of {second}."
    other = parse_notice(notice_bytes(replace(notices[0], tables=("other",)), KEY))
    assert [one.code for one in hold_notice(other, sides, KNOWN).problems] == [
        "notice-other-release"
    ]
    for odd in (("b", "a"), ("a", "a"), ("../a",)):
        with pytest.raises(Refused):
            parse_notice(notice_bytes(replace(notices[0], tables=odd), KEY))
    whole = TakenBack("corrected", "all of it")
    assert together((own, whole)) == whole
    after = together((whole, replace(own, reason="a table", time="later")))
    assert after == replace(whole, reason="all of it. a table.")
    assert together(()) is None


def test_a_release_is_not_compared_with_itself(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    with pytest.raises(Refused) as refused:
        compare_records(one, one)
    assert codes(refused) == ["compare-same-release"]


def test_bundles_are_verified_first(tmp_path: Path, ledger: Ledger) -> None:
    done = released(STUDY, tmp_path, ledger)
    path = tmp_path / "one.zip"
    path.write_bytes(build(done.stored, done.chain, KEY))
    assert bundle_side(path, KNOWN).record == done.stored.record
    with pytest.raises(Refused) as refused:
        bundle_side(path, Signers())
    assert codes(refused) == ["compare-unverified", "compare-unknown-signer"]
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"Stays", b"Steys", 1))
    with pytest.raises(Refused) as refused:
        bundle_side(path, KNOWN)
    assert codes(refused)[0] == "compare-unverified"


def test_a_rehearsal_is_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "made_up.zip"
    path.write_bytes(made_up_bytes(rehearse(STUDY, OpenDPDoor())))
    with pytest.raises(Refused) as refused:
        bundle_side(path, KNOWN)
    assert codes(refused) == ["bundle-made-up"]


def test_nothing_is_spent(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    other = released(next_extract(), tmp_path, ledger).stored.record
    spent = ledger.account("registry").spent
    compare_records(one, other)
    assert ledger.account("registry").spent == spent


HALF = replace(
    NumberColumn("half", Decimal(0), Decimal(7), Decimal("0.5")),
    made_from=Arithmetic("divide", (Operand("days"), Decimal(2))),
)
EVER = YesNoColumn("ever", ("yes",), ("no",))


def of_half(half: NumberColumn = HALF, of: Literal["rows", "people"] = "rows") -> Study:
    """A mean of a derived column, and the same of whether a person ever had a high value of it."""
    ever = replace(
        EVER, made_from=OfPerson("any", where=(Between("half", Decimal(3), Decimal(7)),))
    )
    mean, ever_ = (replace(query, by=(), where=()) for query in STUDY.queries[::-2])
    queries = (mean.having(column="half"), replace(ever_, by=("ever",), of=of))
    return replace(STUDY, columns=(*STUDY.columns, half, ever), queries=queries)


def test_another_recipe_is_another_question_and_charged_again(
    tmp_path: Path, ledger: Ledger
) -> None:
    one = released(of_half(), tmp_path, ledger).stored.record
    spent = ledger.account("registry").spent
    again = released(of_half(), tmp_path, ledger).stored.record
    assert ledger.account("registry").spent == spent, "the same recipe is the same question"
    assert all(query.is_same_answer for query in compare_records(one, again).queries)
    thrice = replace(HALF, made_from=Arithmetic("divide", (Operand("days"), Decimal(3))))
    other = released(of_half(thrice), tmp_path, ledger).stored.record
    assert ledger.account("registry").spent.units == 2 * spent.units, "and another one is not"
    found = compare_records(one, other)
    assert [unlike.why for unlike in found.others] == [("declarations",)] * 2, "of ever, too"
    assert not found.queries


def test_people_and_rows_are_not_compared(tmp_path: Path, ledger: Ledger) -> None:
    one = released(of_half(), tmp_path, ledger).stored.record
    other = released(of_half(of="people"), tmp_path, ledger).stored.record
    found = compare_records(one, other)
    assert [query.query.id for query in found.queries] == ["days"]
    assert [unlike.query.id for unlike in found.others] == ["stays"]
