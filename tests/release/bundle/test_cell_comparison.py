# SPDX-License-Identifier: Apache-2.0
"""A release says how cells were compared, and one that was asked before says what it said then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import release
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from tests.doors import ConstantDoor
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, write_data


def report(study: Study, folder: Path) -> str:
    write_data(folder)
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of(1))
    done = release(study, folder, ledger, ConstantDoor())
    raw = build(ledger.release(done.sequence), done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    return unpack(raw)["report.html"].decode()


def of_sex(**changes: object) -> Study:
    days, sex = STUDY.columns
    return replace(STUDY, columns=(days, replace(sex, **changes)))


def test_a_study_that_compares_exactly_is_reported_as_before(tmp_path: Path) -> None:
    assert "ompared" not in report(STUDY, tmp_path)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            ("f", "m"),
            "Compared with the declared values, ignoring case and surrounding spaces: sex.",
        ),
        (("f", "F"), "Compared letter by letter, because declared texts differ only in case: sex"),
    ],
)
def test_the_report_says_which_comparison_holds(
    values: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    study = of_sex(values=values, compare="folded")
    where = replace(study, queries=study.queries[1:2])
    assert said in report(where, tmp_path)


def test_an_exact_column_beside_a_folded_one_is_named_too(tmp_path: Path) -> None:
    sex = STUDY.columns[1]
    ward = replace(sex, name="id", title="Ward", values=("p1", "p2"), labels=())
    query = replace(STUDY.queries[1], by=("sex", "id"))
    folded = replace(sex, compare="folded")
    unit = replace(STUDY.unit, person=None, max_rows=1)
    study = replace(STUDY, unit=unit, columns=(folded, ward), queries=(query,))
    shown = report(study, tmp_path)
    assert "ignoring case and surrounding spaces: sex." in shown
    assert "letter by letter: Ward." in shown
