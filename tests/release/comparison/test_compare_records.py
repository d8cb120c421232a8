# SPDX-License-Identifier: Apache-2.0
"""Two releases side by side: the same questions alone, both verified, one draw told from two."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.privacy.door import OpenDPDoor
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.comparison.compare_records import compare_records
from dpdesk.release.comparison.taken_back import taken_back
from dpdesk.release.comparison.verified import verified_record
from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.release.notices.revoke import Wish, revoke
from dpdesk.release.rehearsal.made_up_files import made_up_bytes
from dpdesk.release.rehearsal.rehearse import rehearse
from dpdesk.release.run import ReleaseDone
from dpdesk.release.signing.signers import Signers
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN
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


def test_a_release_is_not_compared_with_itself(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    with pytest.raises(Refused) as refused:
        compare_records(one, one)
    assert codes(refused) == ["compare-same-release"]


def test_bundles_are_verified_first(tmp_path: Path, ledger: Ledger) -> None:
    done = released(STUDY, tmp_path, ledger)
    path = tmp_path / "one.zip"
    path.write_bytes(build(done.stored, done.head, KEY))
    assert verified_record(path, KNOWN) == done.stored.record
    with pytest.raises(Refused) as refused:
        verified_record(path, Signers())
    assert codes(refused) == ["compare-unverified", "compare-unknown-signer"]
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"Stays", b"Steys", 1))
    with pytest.raises(Refused) as refused:
        verified_record(path, KNOWN)
    assert codes(refused)[0] == "compare-unverified"


def test_a_rehearsal_is_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "made_up.zip"
    path.write_bytes(made_up_bytes(rehearse(STUDY, OpenDPDoor())))
    with pytest.raises(Refused) as refused:
        verified_record(path, KNOWN)
    assert codes(refused) == ["bundle-made-up"]


def test_nothing_is_spent(tmp_path: Path, ledger: Ledger) -> None:
    one = released(STUDY, tmp_path, ledger).stored.record
    other = released(next_extract(), tmp_path, ledger).stored.record
    spent = ledger.account("registry").spent
    compare_records(one, other)
    assert ledger.account("registry").spent == spent
