# SPDX-License-Identifier: Apache-2.0
"""A query whose one figure is public: nothing is drawn, nothing is paid, and the number is right.

That every file which may be released gives it is held by ``audit.public_numbers``; here, that
nothing else is taken for public, and what becomes of it from the plan to a bundle's verification.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy.compiler import compile, compile_query
from dpdesk.privacy.planning.allocate import fit, spread
from dpdesk.privacy.planning.weak import weaknesses
from dpdesk.privacy.published_tables import table
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.run.release_run import must_draw
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from dpdesk.study.public_numbers import number_of, share_paid
from tests.audit.public_numbers import ASKED, COLUMNS, PEOPLE, UNIT, UNITS
from tests.doors import RecordingDoor
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import record_of, release
from tests.release.test_consistent_release import altered_bundle, released, study_of

PUBLIC = {
    "one row": {"rows", "people", "rows of people", "one group", "one group of people"},
    "two rows": {"people", "rows of people"},
    "add-remove": set[str](),
    "without an id": {"rows", "people", "one group", "one group of people"},
}
HALF_EPSILON = Epsilon.of("0.5")


def asked(name: str, share: Share | None = HALF_EPSILON, **unit: Any) -> Study:
    members: dict[str, Any] = ASKED[name]
    measure = share.measure if share is not None else "epsilon"
    study = study_of(HALF_EPSILON if share is None else share)
    query = Query("q").having(**members, **{measure: share})
    return replace(study, unit=replace(UNIT, **unit), columns=COLUMNS, queries=(query,))


@pytest.mark.parametrize("share", [None, HALF_EPSILON, Rho.of("0.1")])
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", ASKED)
def test_only_what_is_public_by_its_declarations_needs_no_share(
    name: str, unit: str, share: Share | None
) -> None:
    study = asked(name, share, **UNITS[unit])
    (query,) = study.queries
    if name not in PUBLIC[unit]:
        assert number_of(study, query) is None
        assert share_paid(study, query) == share
        if share is None:
            assert {problem.code for problem in check(study)} >= {"share-not-set"}
        elif not check(study):
            assert compile_query(study, query).parts
        return
    plan = compile(study)
    (one,) = plan.queries
    assert (one.parts, one.share.units, plan.total.units, one.half_width) == ((), 0, 0, 0)
    assert one.share.measure == plan.total.measure == (share or HALF_EPSILON).measure
    assert one.public_total == number_of(study, query) == PEOPLE
    found = weaknesses(study, {"q": one})
    assert [weakness.code for weakness in found] == (["public"] if share else [])
    if share:
        without = found[0].remedy.study
        assert without is not None
        assert compile(without).queries[0].canonical == one.canonical


def test_another_table_keeps_the_number_of_rows_secret() -> None:
    study = asked("rows")
    further = replace(study, tables=(FurtherTable("visits", DataSource("visits.csv"), "id"),))
    assert number_of(study, study.queries[0]) == PEOPLE
    assert number_of(further, further.queries[0]) is None


@pytest.mark.parametrize("share", [None, HALF_EPSILON, Rho.of("0.1")])
def test_it_is_released_for_nothing_and_verified(share: Share | None, tmp_path: Path) -> None:
    study = replace(asked("rows", share), unit=replace(UNIT, people=30))
    done = released(study, tmp_path)
    (query,), (made,) = done.stored.record.queries, done.stored.tables
    assert (query.share.units, query.charged.units, query.draws, query.drawn.noisy) == (
        0,
        0,
        (),
        (),
    )
    assert made.rows == (("30", "0", "30", "30", "no"),)
    assert done.stored.record.account.spent_after.units == 0
    assert parse_stored(record_of(done)) == done.stored
    raw = build(done.stored, done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    assert b"Public: it costs nothing." in unpack(raw)["report.html"]
    # Released again it is the stored answer, and no file is needed.
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    (tmp_path / "stays.csv").unlink()
    again = release(study, tmp_path, ledger, RecordingDoor())
    assert again.stored.tables == done.stored.tables
    assert again.stored.record.queries[0].drawn_in == done.sequence
    assert verify(build(again.stored, again.chain, KEY), KNOWN).is_good


def test_beside_others_it_takes_nothing_from_them(tmp_path: Path) -> None:
    study = asked("rows")
    groups = Query("groups", by=("half",), epsilon=HALF_EPSILON)
    study = replace(study, unit=replace(UNIT, people=30), queries=(*study.queries, groups))
    done = released(study, tmp_path)
    assert [query.charged for query in done.stored.record.queries] == [Epsilon(0), HALF_EPSILON]
    assert done.stored.record.account.spent_after == HALF_EPSILON
    assert done.stored.tables[0].others == done.stored.tables[1].others == ()
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good
    # Nor does it count against the study's own limit, or get a part of what is spread.
    assert fit(study, {"q": 1, "groups": 10}).queries[0] == study.queries[0]  # type: ignore[dict-item]
    spread_out = spread(study, Epsilon.of(1), {})
    assert [query.epsilon for query in spread_out.queries] == [HALF_EPSILON, Epsilon.of(1)]


def test_a_file_with_another_number_is_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    study = replace(asked("rows"), unit=replace(UNIT, people=29))
    groups = Query("groups", by=("half",), epsilon=HALF_EPSILON)
    study = replace(study, queries=(*study.queries, groups))
    with pytest.raises(Refused) as refused:
        released(study, tmp_path)
    assert [problem.code for problem in refused.value.problems] == ["people-count-differs"]
    ledger, door = Ledger.open(Home.at(tmp_path / "home")), RecordingDoor()
    alone = replace(study, queries=study.queries[:1])
    assert must_draw(alone, ledger)  # alone, too, its file is read
    with pytest.raises(Refused) as refused:
        release(alone, tmp_path, ledger, door)
    assert [problem.code for problem in refused.value.problems] == ["people-count-differs"]
    assert (door.calls, ledger.account("registry").spent.units) == ([], 0)


Members = dict[str, Any]


def _stated(members: Members) -> Members:
    query: Members = members["predicate"]["queries"][0]
    return query


def _charged(members: Members) -> None:
    account = members["predicate"]["account"]
    _stated(members)["charged"] = "0.5"
    account["spent_after"] = "0.5"


def _costly(members: Members) -> None:
    _stated(members)["share"] = "0.5"


def _drawn(members: Members) -> None:
    members["predicate"]["drawn"]["q"] = [["31"]]


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (_charged, {"claim-charges-differ", "claim-charge-here-differs", "claim-charge-not-share"}),
        (_costly, {"claim-shares-differ", "claim-total-differs", "claim-price-differs"}),
        (_drawn, {"bundle-drawn-odd"}),
    ],
    ids=["charged", "with a share", "drawn"],
)
@pytest.mark.threat("G8")
def test_a_bundle_that_charges_for_it_or_draws_is_refused(
    change: Callable[[Members], None], codes: set[str], tmp_path: Path
) -> None:
    done = released(replace(asked("rows"), unit=replace(UNIT, people=30)), tmp_path)
    files = unpack(build(done.stored, done.chain, KEY))
    statement: Members = json.loads(files[MANIFEST])
    before = json.dumps(statement)
    change(statement)
    assert json.dumps(statement) != before
    files[MANIFEST] = json_bytes(statement)
    files[SIGNATURE] = sign(files[MANIFEST], KEY)
    found = verify(pack(files), KNOWN)
    assert {problem.code for problem in (*(found.claim or ()), *found.whole)} == codes


@pytest.mark.threat("G8")
def test_a_bundle_with_another_number_is_refused(tmp_path: Path) -> None:
    done = released(replace(asked("rows"), unit=replace(UNIT, people=30)), tmp_path)
    name = f"results/{done.stored.record.queries[0].name}.csv"
    forged = altered_bundle(done, name, lambda text: text.replace("30", "31"))
    assert [problem.code for problem in verify(forged, KNOWN).whole] == ["bundle-file-not-as-drawn"]


def test_its_table_depends_on_no_file() -> None:
    study = asked("rows")
    (plan,) = compile(study).queries
    assert table(study, plan, ()).rows == (("2", "0", "2", "2", "no"),)
