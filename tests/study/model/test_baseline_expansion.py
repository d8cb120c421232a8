# SPDX-License-Identifier: Apache-2.0
"""A Table 1 is ordinary queries whose shares add up to its price, made of declarations alone."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.release.record.released_study import ReleasedStudy
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.baseline.declared import Characteristic
from dpdesk.study.model.baseline.expansion import own_queries, queries_of, with_baseline_queries
from dpdesk.study.model.columns import CATEGORY, Replace
from dpdesk.study.model.conditions import IsIn, IsMissing
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.study.baselines import BASELINE, STUDY, TABLE


def priced(price: Share, *own: Share | None) -> list[Share | None]:
    """The shares of a table's queries, whose first characteristics have shares of their own."""
    rows = list(TABLE.characteristics)
    for place, share in enumerate(own):
        rows[place] = replace(rows[place], **({} if share is None else {share.measure: share}))
    blank = {"epsilon": None, "rho": None, price.measure: price}
    table = replace(TABLE, characteristics=tuple(rows), **blank)
    return [query.share for query in queries_of(STUDY, table)]


def test_what_is_asked_is_what_a_custodian_would_ask_by_hand() -> None:
    asked = {query.id: query for query in BASELINE.queries}
    assert list(asked) == [
        "table-1-n",
        "table-1-1-counts",
        "table-1-2-counts",
        "table-1-2-missing",
        "table-1-3-mean",
        "table-1-3-mean-all",
        "table-1-3-missing",
        "table-1-4-quartiles",
        "table-1-4-quartiles-all",
        "table-1-5-counts",
    ]
    assert asked["table-1-1-counts"].by == ("ward", "sex")
    assert asked["table-1-5-counts"].by == ("ward", Bins("age", (Decimal(18), Decimal(65))))
    assert asked["table-1-3-missing"].where == (IsMissing("age"),)
    # Rows of no ward are in no column, so they are not in the one of all.
    assert asked["table-1-3-mean-all"].where == (IsIn("ward", ("A", "B", "C", "D")),)
    assert (asked["table-1-3-mean"].expected, asked["table-1-3-mean-all"].expected) == (500, 2000)


def test_where_every_row_is_in_a_group_all_rows_are_asked() -> None:
    ward = replace(STUDY.columns[0], missing=CATEGORY, unknown=Replace("A"))
    study = replace(STUDY, columns=(ward, *STUDY.columns[1:]), baseline_tables=(TABLE,))
    whole = with_baseline_queries(study).query("table-1-3-mean-all")
    assert whole is not None
    assert whole.where == ()
    assert whole.expected == 5 * 500


@pytest.mark.parametrize("price", [14, 100, 999_999, 1_000_000, 7_777_777])
@pytest.mark.parametrize("kind", [Epsilon, Rho])
def test_shares_add_up_to_the_price_to_the_last_unit(price: int, kind: type[Share]) -> None:
    shares = priced(kind(price))
    assert all(share is not None and share.units > 0 for share in shares)
    assert sum(share.units for share in shares if share) == price


@pytest.mark.parametrize("price", [Epsilon(999_999), Rho(100)])
def test_what_is_public_takes_nothing_of_the_price(price: Share) -> None:
    """Replacing people leaves their number; a group's is secret all the same."""
    unit = Unit("id", neighbours="change-one", people=400)
    blank = {"epsilon": None, "rho": None, price.measure: price}
    for by in ((), ("ward",)):
        table = replace(TABLE, by=by, **blank)
        first, *others = queries_of(replace(STUDY, unit=unit), table)
        secret, *_ = queries_of(STUDY, table)
        assert first.share == (secret.share if by else type(price)(0))
        assert all(one.share is not None and one.share.units > 0 for one in others)
        assert sum(one.share.units for one in (first, *others) if one.share) == price.units


def test_a_price_that_only_what_is_public_would_have_is_not_spent() -> None:
    unit = Unit("id", neighbours="change-one", people=400)
    own = tuple(replace(one, epsilon=Epsilon(50)) for one in TABLE.characteristics)
    table = replace(TABLE, by=(), characteristics=own, epsilon=Epsilon(1_000))
    shares = [one.share for one in queries_of(replace(STUDY, unit=unit), table)]
    assert sum(share.units for share in shares if share) == 50 * len(own)


def test_a_characteristic_has_the_share_that_it_was_given() -> None:
    shares = priced(Epsilon.of(1), Epsilon.of("0.5"), None, Epsilon.of("0.1"))
    units = [share.units if share else 0 for share in shares]
    assert units[1] == 500_000
    assert sum(units[4:7]) == 100_000
    assert sum(units) == 1_000_000


@pytest.mark.parametrize(
    "shares",
    [
        priced(Epsilon(13)),
        priced(Epsilon.of(1), Epsilon.of(1)),
        priced(Epsilon.of(1), Epsilon.of("0.999999")),
        priced(Epsilon.of(1), Rho.of("0.1")),
    ],
)
def test_a_price_that_does_not_reach_is_no_share(shares: list[Share | None]) -> None:
    assert set(shares) == {None}


def test_equal_accuracy_takes_more_for_what_is_noisier_and_less_for_all_together() -> None:
    units = {query.id: query.share.units if query.share else 0 for query in BASELINE.queries}
    assert units["table-1-4-quartiles"] == pytest.approx(2 * units["table-1-1-counts"], abs=2)
    assert units["table-1-3-mean-all"] == pytest.approx(units["table-1-3-mean"] / 4, abs=2)
    # “Other” sexes and missing ones are counted, so each row of a ward is in that table, too.
    assert units["table-1-n"] < units["table-1-1-counts"]
    rows = replace(TABLE, characteristics=TABLE.characteristics[1:])
    alone = {query.id: query.share for query in queries_of(STUDY, rows)}
    assert alone["table-1-n"] == pytest.approx(alone["table-1-1-counts"]) or (
        abs(alone["table-1-n"].units - alone["table-1-1-counts"].units) <= 1  # type: ignore[union-attr]
    )


def test_a_table_comes_back_from_its_file_and_from_a_record() -> None:
    rows = (*TABLE.characteristics, Characteristic("sex", period="month", epsilon=Epsilon(7)))
    table = replace(TABLE, characteristics=rows, title="Patients", where=(IsMissing("age"),))
    own = Query("stays", epsilon=Epsilon.of("0.1"))
    study = with_baseline_queries(replace(STUDY, queries=(own,), baseline_tables=(table,)))
    raw = study_to_bytes(study)
    assert study_from_bytes(raw) == study
    assert [one["id"] for one in json.loads(raw)["queries"]] == ["stays"]
    again = ReleasedStudy.of(study).study
    assert again is not None
    assert again.queries == study.queries
    assert again.baseline_tables == study.baseline_tables
    by_period = replace(TABLE, by=(Periods("age", "year"),))
    dated = with_baseline_queries(replace(STUDY, baseline_tables=(by_period,)))
    assert study_from_bytes(study_to_bytes(dated)) == dated


def test_its_queries_go_with_it_and_are_made_anew() -> None:
    own = Query("stays", epsilon=Epsilon.of("0.1"))
    study = with_baseline_queries(replace(BASELINE, queries=(own, *BASELINE.queries[3:])))
    assert study.queries == (own, *BASELINE.queries)
    assert own_queries(study) == (own,)
    assert with_baseline_queries(replace(study, baseline_tables=())).queries == (own,)
