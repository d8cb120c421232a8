# SPDX-License-Identifier: Apache-2.0
"""Categories found in the data, released: what is charged, what leaves, what a verifier checks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpdesk.desk.text.result_words import shown_table
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.drawn import Drawn, is_of_plan
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import MAX_DELTA_ATTO, Delta, Rho
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN, table_of
from tests.release.ledgers import pay
from tests.release.studies import record_of, release

DELTA = Delta.of("1e-10")
ASKED = Query(
    "drugs", "categories-found", CategoriesFoundParameters("drug", delta=DELTA), rho=Rho.of("0.5")
)
STUDY = Study(
    title="Drugs",
    data=DataSource("drugs.csv", extract="drugs.csv"),
    unit=Unit("pid", 2),
    budget=Budget("registry", rho=Rho.of(2)),
    columns=(CategoryColumn("drug"),),
    queries=(ASKED,),
)
Members = dict[str, Any]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    many = ["=HYPERLINK(1)", "<b>Aspirin</b>", "Ibuprofen, 400"]
    rows = [f'{i},"{many[i % 3]}"' for i in range(1_500)]
    rows += [f"{i},only patient {i} has this" for i in range(1_500, 1_550)]
    (tmp_path / "drugs.csv").write_text("pid,drug\n" + "\n".join(rows) + "\n")
    opened = Ledger.open(Home.at(tmp_path / "home"))
    opened.new_account("registry", Rho.of(2), delta=Delta.of("3e-10"), kept=Delta.of("1.5e-10"))
    return opened


def run(ledger: Ledger, folder: Path, *queries: Query, fresh: bool = False) -> ReleaseDone:
    study = replace(STUDY, queries=queries or STUDY.queries)
    return release(study, folder, ledger, OpenDPDoor(), fresh=fresh)


def test_what_many_have_is_found_and_what_one_has_is_not(ledger: Ledger, tmp_path: Path) -> None:
    """500 people each, at a threshold below 30: missed less often than e^-400."""
    done = run(ledger, tmp_path)
    rows = record_of(done)["tables"][0]["rows"]
    assert {row[0] for row in rows} == {"=HYPERLINK(1)", "<b>Aspirin</b>", "Ibuprofen, 400"}
    assert [int(row[1]) for row in rows] == sorted((int(row[1]) for row in rows), reverse=True)
    assert "only patient" not in json.dumps(record_of(done))


def test_its_bundle_is_good_and_safe_to_open(ledger: Ledger, tmp_path: Path) -> None:
    done = run(ledger, tmp_path)
    raw = build(done.stored, done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    files = unpack(raw)
    table = table_of(files, "drugs").decode()
    assert '\n"\'=HYPERLINK(1)",' in table
    assert '\n"Ibuprofen, 400",' in table
    report = files["report.html"].decode()
    assert "&lt;b&gt;Aspirin&lt;/b&gt;" in report
    assert "<b>Aspirin" not in report


def test_a_declared_name_stands_beside_what_was_found(ledger: Ledger, tmp_path: Path) -> None:
    """Also in a bundle: the names are in the released study, so its tables are made again."""
    column = CategoryColumn("drug", ("=HYPERLINK(1)", "never"), labels=("@Link", "Never"))
    done = release(replace(STUDY, columns=(column,)), tmp_path, ledger, OpenDPDoor())
    table = record_of(done)["tables"][0]
    assert [c["name"] for c in table["columns"]][:3] == ["category", "label", "people"]
    assert {row[0]: row[1] for row in table["rows"]} == {
        "=HYPERLINK(1)": "@Link",
        "<b>Aspirin</b>": "",
        "Ibuprofen, 400": "",
    }
    raw = build(done.stored, done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    files = unpack(raw)
    assert "\n\"'=HYPERLINK(1)\",'@Link," in table_of(files, "drugs").decode()
    report = files["report.html"].decode()
    assert "<td>&#x27;=HYPERLINK(1)</td><td>&#x27;@Link</td>" in report
    assert "=HYPERLINK(1), @Link</text>" in report
    assert ">Ibuprofen, 400</text>" in report
    shown = shown_table(done.stored.tables[0], "categories-found")
    assert shown.heads[:2] == ("Found", "Name")
    assert "=HYPERLINK(1), @Link" in shown.labels and "Ibuprofen, 400" in shown.labels


def test_a_table_without_its_names_is_found_out(ledger: Ledger, tmp_path: Path) -> None:
    column = CategoryColumn("drug", ("=HYPERLINK(1)",), labels=("Link",))
    done = release(replace(STUDY, columns=(column,)), tmp_path, ledger, OpenDPDoor())
    members = record_of(done)
    for row in members["tables"][0]["rows"]:
        row[1] = row[1].replace("Link", "Aspirin")
    found = verify(build(parse_stored(members), done.chain, KEY), KNOWN)
    assert not found.is_good


def test_delta_is_charged_beside_rho_and_only_once(ledger: Ledger, tmp_path: Path) -> None:
    first_done = run(ledger, tmp_path)
    first = record_of(first_done)["predicate"]
    again = run(ledger, tmp_path)
    assert (first["queries"][0]["delta"], first["queries"][0]["delta_charged"]) == (
        "0.0000000001", "0.0000000001",
    )  # fmt: skip
    assert first["account"]["delta_spent_after"] == "0.0000000001"
    free = record_of(again)["predicate"]
    assert free["queries"][0]["delta_charged"] == free["queries"][0]["charged"] == "0"
    assert free["account"]["delta_spent_after"] == "0.0000000001"
    assert record_of(again)["tables"] == record_of(first_done)["tables"]
    assert verify(build(again.stored, again.chain, KEY), KNOWN).is_good
    with ledger.reading() as transaction:
        assert transaction.sums("registry").delta_charged == DELTA
        assert transaction.sums("registry").charged == Rho.of("0.5")


def test_more_than_the_account_keeps_of_delta_is_refused_before_anything_is_spent(
    ledger: Ledger, tmp_path: Path
) -> None:
    run(ledger, tmp_path)
    with pytest.raises(Refused) as refused:
        run(ledger, tmp_path, fresh=True)
    (problem,) = refused.value.problems
    assert problem.code == "delta-exceeded"
    assert problem.params == {"name": "registry", "requested": "1e-10", "left": "5e-11"}
    with ledger.reading() as transaction:
        assert transaction.sums("registry").delta_charged == DELTA
        assert transaction.sums("registry").charged == Rho.of("0.5")


def test_an_account_whose_copies_spent_too_much_delta_releases_nothing(
    ledger: Ledger, tmp_path: Path
) -> None:
    """Verify would find the claim of such a release incorrect: nothing is spent on one."""
    other = Home.at(tmp_path / "other")
    other.make()
    shutil.copyfile(ledger.home.ledger, other.ledger)
    kept = Delta(MAX_DELTA_ATTO - DELTA.atto * 3 // 2)
    for one in (Ledger.open(other), ledger):
        one.raise_budget("registry", None, "drugs", kept)
        pay(one, "registry", Rho(1), kept)
    shutil.copyfile(other.ledger, ledger.home.ledger)
    ledger.reconcile("both were used")
    with pytest.raises(Refused, match="delta-beyond-limit"):
        run(ledger, tmp_path)
    assert ledger.account("registry").spent == Rho(2)


@pytest.mark.parametrize("delta", ["1e-18", "1.23456789e-10", "5e-7", "0.000000000000000003"])
def test_a_delta_comes_back_from_files_as_it_went_in(delta: str) -> None:
    study = replace(STUDY, queries=(ASKED.having(delta=Delta.of(delta)),))
    assert study_from_bytes(study_to_bytes(study)) == study
    released = ReleasedStudy(public_study(study)).study
    assert released is not None
    assert released.queries == study.queries


def test_two_queries_share_what_is_left(ledger: Ledger, tmp_path: Path) -> None:
    both = (ASKED, replace(ASKED, id="again", rho=Rho.of("0.4")))
    with pytest.raises(Refused, match="delta-exceeded"):
        run(ledger, tmp_path, *both)
    smaller = (ASKED, ASKED.having(id="again", delta=Delta.of("5e-11")))
    done = run(ledger, tmp_path, *smaller)
    assert record_of(done)["predicate"]["account"]["delta_spent_after"] == "0.00000000015"


def test_a_header_alone_is_a_release_without_categories(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "drugs.csv").write_text("pid,drug\n")
    done = run(ledger, tmp_path)
    assert record_of(done)["tables"][0]["rows"] == []
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good
    again = run(ledger, tmp_path)
    assert record_of(again)["predicate"]["queries"][0]["charged"] == "0"


# --- a signer who lies --------------------------------------------------------------------------


def _part(predicate: Members) -> Members:
    part: Members = predicate["queries"][0]["parts"][0]
    return part


def _lower(predicate: Members) -> None:
    _part(predicate)["threshold"] = str(int(_part(predicate)["threshold"]) - 1)


def _no_threshold(predicate: Members) -> None:
    _part(predicate).pop("threshold")


def _other_delta(predicate: Members) -> None:
    predicate["queries"][0]["delta"] = "0.0000000002"


def _free(predicate: Members) -> None:
    predicate["queries"][0]["delta_charged"] = "0"


def _over(predicate: Members) -> None:
    """Consistent, and more than the account's delta for them."""
    predicate["account"]["delta_spent_before"] = "0.0000000001"
    predicate["account"]["delta_spent_after"] = "0.0000000002"
    released = predicate["account"]["released"]
    earlier = {"sequence": 1, "charged": "0.1", "delta_charged": "0.0000000001"}
    released.insert(0, earlier)
    predicate["account"]["spent_before"], predicate["account"]["spent_after"] = "0.1", "0.6"


def _narrow(predicate: Members) -> None:
    _part(predicate)["half_width"] = "0"


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        (_lower, ["claim-threshold-too-small"]),
        (_no_threshold, ["claim-mechanism-differs"]),
        (_other_delta, ["claim-delta-charge-differs"]),
        (
            _free,
            [
                "claim-delta-charge-differs",
                "claim-delta-after-differs",
                "claim-delta-here-differs",
            ],
        ),
        (_over, ["claim-delta-overspent"]),
        (_narrow, ["claim-margin-differs"]),
    ],
)
def test_a_claim_that_was_altered_is_found_out(
    change: Callable[[Members], None], codes: list[str], ledger: Ledger, tmp_path: Path
) -> None:
    done = run(ledger, tmp_path)
    files = unpack(build(done.stored, done.chain, KEY))
    statement = json.loads(files[MANIFEST])
    change(statement["predicate"])
    files[MANIFEST] = json_bytes(statement)
    files[SIGNATURE] = sign(files[MANIFEST], KEY)
    found = verify(pack(files), KNOWN)
    assert [problem.code for problem in found.claim or ()] == codes


PLAN = compile_query(STUDY, ASKED)
LEAST = PLAN.parts[0].noise.threshold or 0
PAIRS = [["b", str(LEAST + 5)], ["a", str(LEAST)]]


def test_what_the_door_gives_reads_back() -> None:
    drawn = Drawn.of_members([PAIRS])
    assert drawn == Drawn(((LEAST + 5, LEAST),), ("b", "a"))
    assert is_of_plan(drawn, PLAN)
    assert drawn.members() == [PAIRS]
    assert Drawn.of_members([[]]) == Drawn(((),)) and is_of_plan(Drawn(((),)), PLAN)


@pytest.mark.parametrize(
    "members",
    [
        [PAIRS[::-1]],
        [[*PAIRS, ["c", str(LEAST - 1)]]],
        [[PAIRS[0], PAIRS[0]]],
        [[["x" * 101, "99999"]]],
        [[["a\u202eb", "99999"]]],
        [[["a", 99_999]]],
        [[["a", "99999", "1"]]],
        [[[1, "99999"]]],
        [["99999"]],
        [PAIRS, PAIRS],
        [],
        {},
        None,
    ],
    ids=repr,
)
def test_what_no_door_gives_is_not_read(members: Any) -> None:
    try:
        drawn = Drawn.of_members(members)
    except (ValueError, TypeError):
        return
    assert not is_of_plan(drawn, PLAN)
