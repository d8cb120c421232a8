# SPDX-License-Identifier: Apache-2.0
"""A limit on a person's rows in one group, from the plan to whoever verifies and compares."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpdesk.data.encode import encode
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.comparison.compare_records import compare_records
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Delta, Rho
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.asking import with_group_limit
from tests.audit.worlds import draw_plan
from tests.doors import RecordingDoor
from tests.release.bundles import KNOWN
from tests.release.liar import CENT, ZCDP, found_out, honest, write_wards
from tests.release.studies import release

UNIT = ZCDP.unit or Unit()
LIMITED = replace(ZCDP, queries=tuple(with_group_limit(query, UNIT) for query in ZCDP.queries))
NAMED = replace(LIMITED, queries=tuple(replace(q, title=q.id) for q in LIMITED.queries))


def counting(most: int | None, id: str = "rows") -> Study:
    query = Query(id, "count", by=("ward",), rho=CENT, rows_per_group=most)
    return replace(ZCDP, columns=ZCDP.columns[:2], queries=(query,))


@pytest.mark.threat("G8")
def test_a_bundle_says_it_and_a_price_for_less_than_all_rows_is_found_out() -> None:
    assert [query.rows_per_group for query in LIMITED.queries] == [1, 1, None, None]
    bundle = honest(LIMITED)
    assert verify(bundle, KNOWN).is_good
    page = unpack(bundle)["report.html"].decode()
    assert "at most 1 row per person and group" in page
    assert "In one group at most 1 of them counts, chosen at random." in page

    def unlimited(predicate: dict[str, Any]) -> None:
        for query in predicate["study"]["queries"]:
            query.pop("rows_per_group", None)
        for query in predicate["queries"]:
            query["question"].pop("rows_per_group", None)

    assert "claim-sensitivity-too-small" in found_out(unlimited, NAMED)


def test_one_row_of_each_group_is_counted(tmp_path: Path) -> None:
    """Of two rows a person, 133 have both in one ward: 800 rows are 667 under the limit."""
    write_wards(tmp_path)
    counts = []
    for study in (counting(None), counting(1)):
        door = RecordingDoor()
        draw_plan(study, compile(study), encode(study, tmp_path), door)
        counts.append(sum(door.calls[0].exact))
    assert counts[0] == 800
    people = [{(i * i + n) % 3 for n in range(2)} for i in range(400)]
    assert counts[1] == sum(map(len, people))


def test_a_stored_figure_answers_the_same_limit_alone_and_comparison_says_which(
    tmp_path: Path,
) -> None:
    write_wards(tmp_path)
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("trial", Rho.of("1"), "", Delta(10**9))
    done = [release(counting(most), tmp_path, ledger, OpenDPDoor()) for most in (1, 1, None)]
    records = [one.stored.record for one in done]
    assert records[0].queries[0].drawn == records[1].queries[0].drawn
    assert records[2].queries[0].drawn != records[0].queries[0].drawn
    spent = [record.account.spent_after.units // CENT.units for record in records]
    assert spent == [1, 1, 2]
    (unlike,) = compare_records(records[0], records[2]).unlike
    assert unlike.why == ("group-limit",)
