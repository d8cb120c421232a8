# SPDX-License-Identifier: Apache-2.0
"""What is released can be checked: what is too large for the one is refused by the other."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.reprice import priced_again
from dpdesk.release.record.size import MOST, Size
from dpdesk.study.model.amount import Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    CandidateParameters,
    DistributionParameters,
    PropertyParameters,
    QuantileParameters,
    SpreadParameters,
)
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.unit import Unit
from tests.doors import ConstantDoor
from tests.release.ledgers import DELTA, RHO, refusal
from tests.release.liar import ZCDP, write_wards
from tests.release.studies import release

FINES = tuple(
    NumberColumn(f"fine{n}", lower=Decimal(0), upper=Decimal(99_999), step=Decimal(1))
    for n in range(MOST["candidates"] // 100_000)
)
LEAST = Rho.of("0.0001")
WIDE = CategoryColumn("wide", tuple(f"v{n}" for n in range(5_000)))
FINE = NumberColumn("fine", lower=Decimal(0), upper=Decimal(99_999), step=Decimal(1))


def asking(*queries: Query) -> Study:
    columns = (WIDE, FINE, *FINES)
    numbered = (replace(query, id=f"q{n}", rho=LEAST) for n, query in enumerate(queries))
    return replace(ZCDP, columns=columns, queries=tuple(numbered))


MEDIAN = Query("q", "median", CandidateParameters("fine"))
BINS = Query(
    "q", "distribution", DistributionParameters("fine", edges=tuple(map(Decimal, range(1, 1_000))))
)
NAMED = CategoryColumn("named", tuple(f"{n:ä>300}" for n in range(5_000)))


def naming() -> Study:
    """Few lines, with groups' names of 600 bytes each."""
    by_name = Query("q", by=("named",))
    return replace(asking(by_name, by_name), columns=(NAMED,))


def responding() -> Study:
    """Answers of 60,000 people, twice."""
    asked = replace(
        asking(
            *[Query("q", "randomised-response", PropertyParameters(has=(IsMissing("fine"),)))] * 2
        )
    )
    return replace(asked, unit=Unit(neighbours="change-one", people=60_000))


def comparing() -> Study:
    """Each of 300 groups with the first, twice."""
    some = CategoryColumn("some", tuple(f"v{n}" for n in range(300)))
    with_first = (GroupComparison("some", "groups", "v0"),)
    queries = [Query("q", by=("some",), comparisons=with_first)] * 2
    return replace(asking(*queries), columns=(some,), unit=Unit())


@pytest.mark.parametrize(
    ("study", "code"),
    [
        (asking(*[Query("q", by=("wide",))] * (MOST["lines"] // 5_000 + 1)), "many-lines"),
        (asking(MEDIAN, *[MEDIAN.having(column=c.name) for c in FINES]), "many-candidates"),
        (asking(*[BINS] * (MOST["bins"] // 999 + 1)), "many-bins"),
        (responding(), "many-answers"),
        (comparing(), "many-intervals"),
    ],
    ids=["lines", "candidates", "bins", "answers", "intervals"],
)
@pytest.mark.in_turn(2)
def test_what_nobody_could_check_is_neither_released_nor_priced(
    study: Study, code: str, dpdesk_home: Path, tmp_path: Path
) -> None:
    assert refused(study, dpdesk_home, tmp_path) == f"release-too-{code}"
    assert Size.of(study).is_too_large and priced_again(study) is None


def test_names_that_would_fill_the_bundle_are_neither_released_nor_priced(
    dpdesk_home: Path, tmp_path: Path
) -> None:
    assert refused(naming(), dpdesk_home, tmp_path) == "release-names-too-long"
    assert priced_again(naming()) is None
    assert refused(replace(naming(), queries=naming().queries[:1]), dpdesk_home, tmp_path) == (
        "release-study-too-large"
    )


def refused(study: Study, home: Path, folder: Path) -> str:
    """The code with which a release is refused before anything is drawn or paid."""
    ledger = Ledger.open(Home.at(home))
    if not ledger.accounts():
        ledger.new_account("trial", RHO, "", DELTA)
    write_wards(folder)
    door = ConstantDoor()
    problem = refusal(lambda: release(study, folder, ledger, door))
    assert not door.calls
    assert ledger.account("trial").spent == Rho(0)
    return problem.code


def test_candidates_count_once_whatever_the_groups_and_quantiles() -> None:
    twenty = tuple(Decimal(n) / 100 for n in range(1, 21))
    quantiles = Query("q", "quantiles", QuantileParameters("fine", quantiles=twenty))
    size = Size.of(asking(replace(MEDIAN, by=("wide",)), quantiles))
    assert (size.lines, size.candidates, size.bins) == (5_020, 100_000, 0)


def test_the_names_of_cross_tables_count_on_every_line() -> None:
    study = replace(asking(Query("q", by=("wide", "named"))), columns=(WIDE, NAMED))
    names = sum(len(f"v{n}") for n in range(5_000)) + sum(
        len(f"{n:ä>300}".encode()) for n in range(5_000)
    )
    assert Size.of(study).label_bytes == 5_000 * names


def test_spreads_count_double() -> None:
    spread = Query("q", "variance", SpreadParameters("fine"), by=("wide",))
    assert (
        Size.of(asking(spread)).lines == 2 * Size.of(asking(spread.having(statistic="mean"))).lines
    )
