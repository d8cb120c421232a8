# SPDX-License-Identifier: Apache-2.0
"""A bundle's synthetic rows: made of what was released, marked, and made again by Verify."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.bundle.synthetic.rows import FILE, released_rows
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.queries import SyntheticRows
from tests.release.bundles import KEY, KNOWN
from tests.release.synthetic_study import STUDY, released
from tests.release.test_consistent_release import altered_bundle


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> ReleaseDone:
    return released(STUDY, tmp_path_factory.mktemp("synthetic"))


def rows_in(raw: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(unpack(raw)[FILE].decode())))


def test_every_row_is_marked_and_its_counts_are_those_released(done: ReleaseDone) -> None:
    raw = build(done.stored, done.chain, KEY)
    rows = rows_in(raw)
    assert {row["made_up"] for row in rows} == {"yes"}
    wards = Counter((row["ward"], row["dead"]) for row in rows)
    texts = {"Surgery": "1", "Medicine": "'=2", "(missing)": ""}
    for ward, dead, count, *_ in done.stored.tables[0].rows:
        assert abs(wards[texts[ward], dead] - float(count)) <= 2
    minors = sum(0 <= float(row["age"]) < 17.5 for row in rows)
    assert abs(minors - float(done.stored.tables[1].rows[1][1])) <= 2
    assert {float(row["age"]) % 0.5 for row in rows} == {0.0}
    januaries = sum(row["day"].startswith("2026-01") for row in rows)
    assert abs(januaries - float(done.stored.tables[4].rows[1][1])) <= 2
    assert min(row["day"] for row in rows) >= "2025-12-30"
    assert max(row["day"] for row in rows) <= "2026-02-02"


def test_verify_makes_them_again_and_finds_an_altered_row(done: ReleaseDone) -> None:
    raw = build(done.stored, done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    one = altered_bundle(done, FILE, lambda text: text.replace(",nein,", ",ja,", 1))
    assert [p.code for p in verify(one, KNOWN).whole] == ["bundle-file-not-as-drawn"]
    fewer = altered_bundle(done, FILE, lambda text: text[: text.rindex("yes,")])
    assert [p.code for p in verify(fewer, KNOWN).whole] == ["bundle-file-not-as-drawn"]


def test_they_follow_from_tables_and_the_releases_number_alone(done: ReleaseDone) -> None:
    record, tables = done.stored.record, done.stored.tables
    first = released_rows(record, tables)
    assert first is not None and first == released_rows(record, tables)
    other = released_rows(replace(record, id="0" * 32), tables)
    assert other is not None and other.content != first.content
    assert [one.id for one in first.tables] == ["a", "b", "c", "d", "e"]
    assert first.farthest.misplaced < 1


def test_figures_beyond_any_file_still_have_rows(done: ReleaseDone) -> None:
    """The least share of a budget, or a stranger's manifest, may state them."""
    tables = list(done.stored.tables)
    first = tables[0].rows[0]
    huge = (*first[:2], "9" * 30, *first[3:])
    tables[0] = replace(tables[0], rows=(huge, *tables[0].rows[1:]))
    made = released_rows(done.stored.record, tables)
    assert made is not None and 0 < made.count <= 100_000


def test_the_report_says_how_far_their_counts_are_off_and_what_joining_cost(
    done: ReleaseDone,
) -> None:
    members = {**done.stored.record.study.members}
    members["synthetic_rows"] = {"none_alone_in": ["age", "day", "ward"]}
    record = replace(done.stored.record, study=replace(done.stored.record.study, members=members))
    stored = replace(done.stored, record=record)
    made = released_rows(record, stored.tables)
    assert made is not None and made.joined > 0 and made.alone == 0
    assert made.cost_of_joining >= 0
    files = unpack(build(stored, done.chain, KEY))
    page = files["report.html"].decode()
    assert "no row is alone" in page and "Rows in another cell (%)" in page
    assert FILE in files["README.txt"].decode() and FILE in files["datapackage.json"].decode()
    rows = list(csv.DictReader(io.StringIO(files[FILE].decode())))
    assert len(rows) == made.count


def test_a_release_without_them_has_no_such_file(done: ReleaseDone) -> None:
    members = {k: v for k, v in done.stored.record.study.members.items() if k != "synthetic_rows"}
    record = replace(done.stored.record, study=replace(done.stored.record.study, members=members))
    files = unpack(build(replace(done.stored, record=record), done.chain, KEY))
    assert FILE not in files and "synthetic" not in files["README.txt"].decode().casefold()


def test_a_study_says_what_they_keep_or_is_refused() -> None:
    for declared in (SyntheticRows(), SyntheticRows("people", ("ward", "age"))):
        study = replace(STUDY, synthetic_rows=declared)
        assert study_from_bytes(study_to_bytes(study)) == study
    only = replace(STUDY, queries=STUDY.queries[-1:])
    assert [p.code for p in check(only)] == ["synthetic-no-count"]
    named = replace(STUDY, synthetic_rows=SyntheticRows("rows", ("ward", "id")))
    assert [(p.path, p.code) for p in check(named)] == [
        ("$.synthetic_rows.none_alone_in[1]", "synthetic-not-counted")
    ]
