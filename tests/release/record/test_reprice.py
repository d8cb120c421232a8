# SPDX-License-Identifier: Apache-2.0
"""A released study is read back as it was declared, and its claim priced again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from dpdesk.privacy.distributions.laplace import half_width
from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.release.record.reprice import priced_again
from dpdesk.release.record.size import MOST
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import RECOGNISED, DataSource, Unit
from tests.release.bundles import KEY, KNOWN, bundle, resigned
from tests.strategies import studies


@given(study=studies())
def test_what_was_released_reads_back_as_it_was_declared(study: Study) -> None:
    found = ReleasedStudy(public_study(study)).study
    assert found is not None
    assert found == replace(study, data=_published(study.data))


def _published(data: DataSource | None) -> DataSource | None:
    """What is released of how a file is read: what was declared by hand, and no place in it."""
    if data is None:
        return None
    plain = DataSource()
    unsaid = ("path", "catalogue", "extract", "in_database", "sheet", "header_row")
    unsaid += tuple(part for part in RECOGNISED if part not in data.by_hand)
    return replace(data, **{part: getattr(plain, part) for part in unsaid})


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"dpdesk": 1, "columns": [{"kind": "number", "name": "a", "lower": "x"}]},
        {"dpdesk": 1, "columns": 3},
        {"dpdesk": 1, "columns": [3]},
        {"dpdesk": 1, "queries": [{"id": "a", "where": [{"between": 3}]}]},
        {"dpdesk": 1, "queries": [{"id": "a", "quantiles": {"0.5": 1}}]},
        {"dpdesk": 1, "queries": [{"id": "a", "quantiles": "5"}]},
        {
            "dpdesk": 1,
            "columns": [{"kind": "number", "name": "a", "upper": "14." + "0" * 20 + "1"}],
        },
        {
            "dpdesk": 1,
            "columns": [{"kind": "number", "name": "a", "upper": "0.1" + "0" * 20 + "1"}],
        },
        {"dpdesk": 1, "budget": {"epsilon": "NaN"}},
        {"dpdesk": 1, "budget": {"epsilon": "1e999999"}},
    ],
)
def test_what_is_no_study_reads_as_none(members: dict[str, Any]) -> None:
    assert ReleasedStudy(members).study is None


def test_more_cells_than_a_bundle_holds_are_not_made() -> None:
    wide = CategoryColumn("a", tuple(str(i) for i in range(5_000)))
    queries = tuple(Query(f"q{i}", by=("a",)) for i in range(MOST["lines"] // 5_000 + 1))
    assert priced_again(Study(unit=Unit(), columns=(wide,), queries=queries)) is None


def _lie(statement: dict[str, Any]) -> None:
    """Half the sensitivity, with the scale and the loss that go with it."""
    part = statement["predicate"]["queries"][0]["parts"][0]
    lower = int(part["sensitivity"]) // 2
    assert lower >= 1
    scale = float(part["scale"]) * lower / int(part["sensitivity"])
    part["sensitivity"] = str(lower)
    part["scale"] = repr(scale)
    part["loss"] = repr(loss(Noise("laplace", scale), lower))
    part["half_width"] = str(half_width(scale))


def _narrow(statement: dict[str, Any]) -> None:
    part = statement["predicate"]["queries"][0]["parts"][0]
    part["half_width"] = str(int(part["half_width"]) - 1)


@pytest.mark.parametrize(
    ("lie", "code"),
    [(_lie, "claim-sensitivity-too-small"), (_narrow, "claim-margin-differs")],
)
def test_a_signed_lie_about_noise_does_not_add_up(lie: Any, code: str) -> None:
    found = verify(resigned(lie), KNOWN)
    assert found.is_whole and found.is_known
    assert found.claim is not None and code in [p.code for p in found.claim]


def _at(*path: Any) -> Any:
    """Put the last item where the others lead in the predicate."""

    def change(statement: dict[str, Any]) -> None:
        place = statement["predicate"]
        for key in path[:-2]:
            place = place[key]
        place[path[-2]] = path[-1]

    return change


def _free(statement: dict[str, Any]) -> None:
    """Every figure drawn here, and nothing paid."""
    predicate = statement["predicate"]
    for query in predicate["queries"]:
        query["charged"] = "0"
    account, here = predicate["account"], predicate["ledger"]["sequence"]
    account["spent_after"] = account["spent_before"]
    account["released"] = [e for e in account["released"] if e["sequence"] != here]


@pytest.mark.parametrize("number", ["1e1000000", "Infinity", "NaN", "1" * 5_000, "1_0", "\u0661"])
@pytest.mark.parametrize("place", [("budget", "epsilon"), ("columns", 0, "lower")])
def test_numbers_that_a_stranger_wrote_are_refused_at_once(number: str, place: Any) -> None:
    found = verify(resigned(_at("study", *place, number)), KNOWN)
    assert found.claim and found.claim[0].code == "claim-study-unreadable"


@pytest.mark.parametrize(
    "change",
    [
        _free,
        _at("queries", 0, "title", "True values"),
        _at("queries", 0, "statistic", "mean"),
        _at("study", "budget", "epsilon", "0.000001"),
    ],
    ids=["free draws", "another title", "another statistic", "beyond the study's limit"],
)
def test_what_contradicts_the_study_or_the_account_does_not_add_up(change: Any) -> None:
    found = verify(resigned(change), KNOWN)
    assert found.is_whole and found.claim


COUNT = "results/count-of-rows.csv"


def _relisted(change: Any) -> bytes:
    """Other files, listed and signed as a dishonest signer would."""
    files = unpack(bundle())
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    change(files)
    statement["subject"] = [
        {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
        for name, content in files.items()
    ]
    files[MANIFEST] = json_bytes(statement)
    files[SIGNATURE] = sign(files[MANIFEST], KEY)
    return pack(files)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda files: files.update({"results/secret.csv": b"bob,1\n"}), "bundle-list-odd"),
        (lambda files: files.pop("report.html"), "bundle-file-missing"),
        (lambda files: files.pop(COUNT), "bundle-file-missing"),
        (
            lambda files: files.update({COUNT: b"x\n"}),
            "bundle-file-not-as-drawn",
        ),
    ],
    ids=["a table that no query asked for", "no report", "no table", "another table"],
)
def test_listed_files_are_those_of_the_claim(change: Any, code: str) -> None:
    found = verify(_relisted(change), KNOWN)
    assert code in [problem.code for problem in found.whole]
    assert not found.is_good and not found.files
