# SPDX-License-Identifier: Apache-2.0
"""What is most common and which cut-off is best, from the file to a bundle that verifies."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Delta, Epsilon, Rho, Share
from dpdesk.study.model.columns import CategoryColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CutOffParameters, MostCommonParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.doors import RecordingDoor
from tests.release.bundles import KEY, KNOWN, table_of
from tests.release.studies import STUDY, record_of, release

ILL = tuple(YesNoColumn(name, ("y",), ("n",)) for name in ("asthma", "gout", "=flu"))
PRICES = tuple(map(Decimal, (2, 5, 8, 13)))
WARD = CategoryColumn("ward", ("A", "B", "=C"))
QUERIES = (
    Query("ward", "most-common", MostCommonParameters("ward", top=2)),
    Query("ward-by-sex", "most-common", MostCommonParameters("ward"), by=("sex",)),
    Query("ill", "most-common", MostCommonParameters(columns=("asthma", "gout", "=flu"), top=3)),
    Query(
        "price", "cut-off", CutOffParameters("days", candidates=PRICES, score="value-times-count")
    ),
    Query(
        "half",
        "cut-off",
        CutOffParameters("days", candidates=PRICES, score="closest-to-target", target=100),
        ("sex",),
        (),
    ),
)
SHARES = [Epsilon.of("0.5"), Rho.of("0.05")]


def asked(share: Share) -> Study:
    priced = tuple(replace(query, **{share.measure: share}) for query in QUERIES)
    budget = Budget("registry", **{share.measure: type(share).of(4)})
    return replace(STUDY, columns=(*STUDY.columns, WARD, *ILL), queries=priced, budget=budget)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """600 people of one row each: 60 % in ward B, 30 % in =C; 2 of 3 have the flu, some more."""
    lines = [
        f"p{i},{1 + i % 14},{'fm'[i % 2]},{'BBBBBB==='[i % 9].replace('=', '=C')},"
        f"{'yn'[i % 5 > 0]},{'yn'[i % 2]},{'yn'[i % 3 > 1]}"
        for i in range(600)
    ]
    text = "\n".join(("id,days,sex,ward,asthma,gout,=flu", *lines)) + "\n"
    (tmp_path / "stays.csv").write_text(text, encoding="utf-8")
    return tmp_path


def opened(folder: Path, share: Share) -> Ledger:
    ledger = Ledger.open(Home.at(folder / "home"))
    delta = {"delta": Delta.of("0.000001")} if isinstance(share, Rho) else {}
    ledger.new_account("registry", type(share).of(4), **delta)
    return ledger


def tables(payload: dict[str, Any]) -> dict[str, list[list[str]]]:
    return {table["id"]: table["rows"] for table in payload["tables"]}


@pytest.mark.parametrize("share", SHARES, ids=["epsilon", "rho"])
def test_without_noise_the_best_is_chosen_and_the_bundle_is_good(
    folder: Path, share: Share
) -> None:
    done = release(asked(share), folder, opened(folder, share), RecordingDoor())
    found = tables(record_of(done))
    assert [row[:2] for row in found["ward"]] == [["1", "B"], ["2", "=C"]]
    assert [row[:2] for row in found["ward-by-sex"]] == [["f", "B"], ["m", "B"]]
    assert [row[:2] for row in found["ill"]] == [["1", "=flu"], ["2", "gout"], ["3", "asthma"]]
    reached = {price: sum(1 + i % 14 >= price for i in range(600)) for price in PRICES}
    best = max(PRICES, key=lambda price: price * reached[price])
    assert found["price"][0][0] == str(best)
    assert [row[:2] for row in found["half"]] == [["f", "8"], ["m", "13"]], "128 rows, 42 rows"
    bundle = build(done.stored, done.chain, KEY)
    assert verify(bundle, KNOWN).is_good, verify(bundle, KNOWN)
    files = unpack(bundle)
    assert b"\n1,B," in table_of(files, "ward")
    words = files["datapackage.json"].decode("utf-8")
    # Two ranks are read off noisy counts, whose sensitivity is no rise and fall.
    draws = [draw for query in done.stored.record.queries for draw in query.draws]
    moved = [d for d in draws if d.noise.monotonic and (d.sensitivity, d.noise.norm) == (3, "linf")]
    assert words.count("sensitivity 3 (largest rise plus largest fall)") == len(moved) > 0
    squared = [draw for draw in draws if draw.noise.norm == "linf-squared" and draw.noise.monotonic]
    assert words.count("summed over groups (largest rise plus largest fall)") == len(squared)
    assert len(squared) == (share.measure == "rho")
    assert b"\n2,'=C," in table_of(files, "ward"), "no spreadsheet runs a chosen text"


@pytest.mark.parametrize("share", SHARES, ids=["epsilon", "rho"])
def test_with_noise_it_is_paid_once_and_the_bundle_is_good(folder: Path, share: Share) -> None:
    ledger, study = opened(folder, share), asked(share)
    done = release(study, folder, ledger, OpenDPDoor())
    spent = type(share)(share.units * len(QUERIES))
    assert ledger.account("registry").spent == spent
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good
    one = tuple(
        query.having(top=query.parameters.draws) if query.statistic == "most-common" else query
        for query in study.queries
    )
    again = release(replace(study, queries=one), folder, ledger, OpenDPDoor())
    assert ledger.account("registry").spent == spent, "the top 1 is what was asked before"
    assert tables(record_of(again)) == tables(record_of(done))


@pytest.mark.parametrize("share", SHARES, ids=["epsilon", "rho"])
def test_an_empty_table_is_chosen_from_too(folder: Path, share: Share) -> None:
    (folder / "stays.csv").write_text("id,days,sex,ward,asthma,gout,=flu\n", encoding="utf-8")
    done = release(asked(share), folder, opened(folder, share), OpenDPDoor())
    assert [len(rows) for rows in tables(record_of(done)).values()] == [2, 2, 3, 1, 2]
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good


def test_a_bundle_that_ranks_a_group_twice_is_not_ours(folder: Path) -> None:
    done = release(asked(SHARES[0]), folder, opened(folder, SHARES[0]), RecordingDoor())
    members = record_of(done)
    members["predicate"]["drawn"]["ward"] = [["1", "1"]]
    assert not verify(build(parse_stored(members), done.chain, KEY), KNOWN).is_good
