# SPDX-License-Identifier: Apache-2.0
"""A release's tables over the same rows add up; whoever verifies it makes them again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import NO_DELTA, Delta, Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import record_of, release

FILE = "stays.csv"
WARDS, SEXES = ("A", "B", "C"), ("f", "m")


def study_of(share: Epsilon | Rho, *queries: Query, **unit: object) -> Study:
    def kept(name: str, values: tuple[str, ...]) -> CategoryColumn:
        rest = Replace(values[0])
        return CategoryColumn(name, values, missing=rest, unknown=rest)

    priced = (q.having(**{share.measure: share}) for q in queries)
    return Study(
        title="Stays",
        data=DataSource(FILE, extract="made up"),
        unit=replace(Unit("id", 3), **unit),
        budget=Budget("registry", **{share.measure: type(share).of(9)}),
        columns=(kept("ward", WARDS), kept("sex", SEXES), CategoryColumn("icu", ("no", "yes"))),
        queries=tuple(priced),
    )


def released(study: Study, folder: Path, home: str = "home", rows: int = 60) -> ReleaseDone:
    lines = [f"p{i // 2},{WARDS[i % 3]},{SEXES[i // 7 % 2]},no,{i % 10}" for i in range(rows)]
    (folder / FILE).write_text("id,ward,sex,icu,age\n" + "\n".join(lines) + "\n", encoding="utf-8")
    ledger = Ledger.open(Home.at(folder / home))
    limit = study.budget.limit if study.budget else None
    assert limit is not None
    delta = Delta.of("0.000001") if isinstance(limit, Rho) else NO_DELTA
    ledger.new_account("registry", limit, delta=delta)
    return release(study, folder, ledger, OpenDPDoor())


COUNTS = (
    Query("all", "count"),
    Query("wards", "count", by=("ward",)),
    Query("sexes", "count", by=("sex",)),
    Query("both", "count", by=("sex", "ward")),
)


def values(done: ReleaseDone, name: str) -> dict[tuple[str, ...], Fraction]:
    table = next(one for one in done.stored.tables if one.id == name)
    place = [column.role for column in table.columns].index("value")
    return {row[:place]: Fraction(row[place]) for row in table.rows}


@pytest.mark.parametrize("share", [Epsilon.of("0.5"), Rho.of("0.1")], ids=["epsilon", "rho"])
def test_tables_add_up_and_are_made_again(share: Epsilon | Rho, tmp_path: Path) -> None:
    done = released(study_of(share, *COUNTS), tmp_path)
    both = values(done, "both")
    for ward in WARDS:
        assert values(done, "wards")[(ward,)] == sum(both[sex, ward] for sex in SEXES)
    for sex in SEXES:
        assert values(done, "sexes")[(sex,)] == sum(both[sex, ward] for ward in WARDS)
    assert values(done, "all")[()] == sum(both.values())
    assert done.stored.tables[0].others == ("wards", "sexes", "both")
    assert parse_stored(record_of(done)) == done.stored
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good


Members = dict[str, Any]


def altered_bundle(done: ReleaseDone, name: str, change: Callable[[str], str]) -> bytes:
    """A bundle whose signer changed a file, and signed what its manifest then says."""
    files = unpack(build(done.stored, done.chain, KEY))
    files[name] = change(files[name].decode()).encode()
    statement: Members = json.loads(files[MANIFEST])
    for one in statement["subject"]:
        if one["name"] == name:
            one["digest"]["sha256"] = hashlib.sha256(files[name]).hexdigest()
    files[MANIFEST] = json_bytes(statement)
    files[SIGNATURE] = sign(files[MANIFEST], KEY)
    return pack(files)


@pytest.mark.threat("G8")
def test_an_altered_figure_and_one_as_it_was_drawn_are_found(tmp_path: Path) -> None:
    done = released(study_of(Epsilon.of("0.5"), *COUNTS), tmp_path)
    (query,) = (one for one in done.stored.record.queries if one.id == "all")
    name, drawn = f"results/{query.name}.csv", str(query.drawn.noisy[0][0])
    figure = done.stored.tables[0].rows[0][0]
    more = altered_bundle(done, name, lambda text: text.replace(figure, f"1{figure}", 1))
    raw = altered_bundle(done, name, lambda text: text.replace(figure, drawn, 1))
    for one in (more, *((raw,) if drawn != figure else ())):
        assert [problem.code for problem in verify(one, KNOWN).whole] == [
            "bundle-file-not-as-drawn"
        ]


def test_a_stored_answer_stays_out_of_the_tables_drawn_later(tmp_path: Path) -> None:
    share = Epsilon.of("0.5")
    first = released(study_of(share, COUNTS[1]), tmp_path)
    assert first.stored.tables[0].others == ()
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    done = release(study_of(share, *COUNTS), tmp_path, ledger, OpenDPDoor())
    assert [table.others for table in done.stored.tables] == [
        ("sexes", "both"),
        (),
        ("all", "both"),
        ("all", "sexes"),
    ]
    assert done.stored.tables[1].rows == first.stored.tables[0].rows
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good


@pytest.mark.parametrize("by", ["ward", "sex"])
def test_groups_of_a_public_total_add_up_to_it_and_are_made_again(by: str, tmp_path: Path) -> None:
    unit: Members = {"max_rows": 1, "neighbours": "change-one", "people": 30}
    study = study_of(Epsilon.of("0.5"), Query("groups", "count", by=(by,)), **unit)
    done = released(study, tmp_path)
    assert sum(values(done, "groups").values()) == 30
    (query,) = done.stored.record.queries
    # Of two groups one number left the door.
    assert len(query.drawn.noisy[0]) == (3 if by == "ward" else 1)
    assert done.stored.tables[0].has_public_total
    assert parse_stored(record_of(done)) == done.stored
    raw = build(done.stored, done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    assert b"add up to the public total" in unpack(raw)["report.html"]

    def cheated(text: str) -> str:
        head, first, *rest = text.splitlines(keepends=True)
        label, value, *others = first.split(",")
        return "".join((head, ",".join((label, f"1{value}", *others)), *rest))

    forged = altered_bundle(done, f"results/{query.name}.csv", cheated)
    assert [problem.code for problem in verify(forged, KNOWN).whole] == ["bundle-file-not-as-drawn"]


def test_a_mark_of_a_public_total_is_written_in_one_way(tmp_path: Path) -> None:
    done = released(study_of(Epsilon.of("0.5"), COUNTS[1]), tmp_path)
    members = record_of(done)
    members["tables"][0]["public_total"] = False
    with pytest.raises(Refused):
        parse_stored(members)
