# SPDX-License-Identifier: Apache-2.0
"""What is released can be checked: what is too large for the one is refused by the other."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.release.restudy import priced_again
from dpdesk.release.size import MAX_BINS, MAX_CANDIDATES, MAX_LINES, Size
from dpdesk.study.amount import Rho
from dpdesk.study.columns import CategoryColumn, NumberColumn
from dpdesk.study.document import Study
from dpdesk.study.queries import Query
from tests.doors import ConstantDoor
from tests.release.ledgers import DELTA, RHO, refusal
from tests.release.liar import ZCDP, write_wards
from tests.release.studies import release

FINES = tuple(
    NumberColumn(f"fine{n}", lower=Decimal(0), upper=Decimal(99_999), step=Decimal(1))
    for n in range(MAX_CANDIDATES // 100_000)
)
LEAST = Rho.of("0.0001")
WIDE = CategoryColumn("wide", tuple(f"v{n}" for n in range(5_000)))
FINE = NumberColumn("fine", lower=Decimal(0), upper=Decimal(99_999), step=Decimal(1))


def asking(*queries: Query) -> Study:
    columns = (WIDE, FINE, *FINES)
    numbered = (replace(query, id=f"q{n}", rho=LEAST) for n, query in enumerate(queries))
    return replace(ZCDP, columns=columns, queries=tuple(numbered))


MEDIAN = Query("q", "median", column="fine")
BINS = Query("q", "distribution", column="fine", edges=tuple(map(Decimal, range(1, 1_000))))


@pytest.mark.parametrize(
    "study",
    [
        asking(*[Query("q", by=("wide",))] * (MAX_LINES // 5_000 + 1)),
        asking(MEDIAN, *[replace(MEDIAN, column=column.name) for column in FINES]),
        asking(*[BINS] * (MAX_BINS // 999 + 1)),
    ],
    ids=["lines", "candidates", "bins"],
)
def test_what_nobody_could_check_is_neither_released_nor_priced(
    study: Study, dpdesk_home: Path, tmp_path: Path
) -> None:
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("trial", RHO, "", DELTA)
    write_wards(tmp_path)
    door = ConstantDoor()
    problem = refusal(lambda: release(study, tmp_path, ledger, door))
    assert problem.code == "release-too-large" and not door.calls
    assert ledger.account("trial").spent == Rho(0)
    assert Size.of(study).is_too_large and priced_again(study) is None


def test_candidates_count_once_whatever_the_groups_and_quantiles() -> None:
    twenty = tuple(Decimal(n) / 100 for n in range(1, 21))
    quantiles = Query("q", "quantiles", column="fine", quantiles=twenty)
    assert Size.of(asking(replace(MEDIAN, by=("wide",)), quantiles)) == Size(5_020, 100_000, 0)
