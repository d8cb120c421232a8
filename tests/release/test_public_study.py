# SPDX-License-Identifier: Apache-2.0
"""The study as it is released says nothing about where files lie."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.record.released_study import LOCAL as LOCAL_MEMBERS
from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.release.record.reprice import unreleased
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import FORMATS, RECOGNISED, THOUSANDS, DataSource
from tests.release.bundles import KNOWN
from tests.release.liar import ZCDP, honest, judged


def test_no_place_of_a_file_is_released() -> None:
    data = DataSource("/wards/canary/a.sas7bdat", "sas", catalogue="/wards/canary/a.sas7bcat")
    said = json.dumps(public_study(Study(data=data)))
    assert "canary" not in said
    assert '"sas"' in said


LOCAL = DataSource(
    path="wards.csv",
    extract="canary-extract",
    catalogue="canary-catalogue",
    sheet="canary-sheet",
    header_row=1,
)
"""The file of the wards, with all that a study may say of where its table lies."""


@settings(max_examples=60)
@given(
    source=st.builds(
        DataSource,
        path=st.just("canary-path"),
        format=st.sampled_from(FORMATS),
        missing=st.lists(st.just("?"), max_size=1).map(tuple),
        separator=st.sampled_from(",;|"),
        decimal=st.sampled_from((".", ",")),
        encoding=st.sampled_from(("utf-8", "cp1252")),
        extract=st.just("canary-extract"),
        sheet=st.just("canary-sheet"),
        header_row=st.one_of(st.none(), st.integers(0, 9)),
        thousands=st.sampled_from(THOUSANDS),
        quotes=st.booleans(),
        line_ending=st.sampled_from(("", "lf", "cr", "any")),
        line_breaks=st.booleans(),
        row_names=st.booleans(),
        fill_down=st.booleans(),
        catalogue=st.just("canary-catalogue"),
        in_database=st.booleans(),
        by_hand=st.sets(st.sampled_from(RECOGNISED)).map(
            lambda said: tuple(part for part in RECOGNISED if part in said)
        ),
    )
)
def test_of_no_data_source_a_local_member_is_released_or_doubted(source: DataSource) -> None:
    """What the writer writes is all that the verifier lets pass: one rule, from both sides."""
    study = Study(data=source)
    members = public_study(study)
    assert "canary" not in json.dumps(members) and not set(LOCAL_MEMBERS) & members["data"].keys()
    assert "in_database" not in members["data"]
    recognised = set(RECOGNISED) & members["data"].keys()
    assert recognised <= set(source.by_hand)
    read = ReleasedStudy(members).study
    assert read is not None and unreleased(ReleasedStudy(members), read) == []


@pytest.mark.threat("B13")
def test_no_file_of_a_bundle_says_where_the_data_lies() -> None:
    files = unpack(honest(replace(ZCDP, data=LOCAL)))
    assert verify(honest(replace(ZCDP, data=LOCAL)), KNOWN).is_good
    for content in files.values():
        assert b"canary" not in content and b"wards.csv" not in content
    data = json.loads(files["manifest.json"])["predicate"]["study"]["data"]
    assert not set(LOCAL_MEMBERS) & data.keys()


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("path", "/wards/Smith_2024.csv"),
        ("extract", "Smith_2024.csv, 3 March"),
        ("catalogue", "formats.sas7bcat"),
        ("sheet", "Smith"),
        ("header_row", 3),
        ("decimal", ","),
        ("encoding", "cp1252"),
        ("separator", ";"),
    ],
)
def test_a_signer_who_reveals_the_file_is_found_out(member: str, value: object) -> None:
    """All files fit and every figure is paid for, but the claim does not cover what this tells."""
    found = judged(lambda predicate: predicate["study"]["data"].update({member: value}))
    assert found.is_whole and found.claim is not None
    assert [(p.code, p.params) for p in found.claim] == [("claim-study-local", {"members": member})]


def test_a_study_without_data_is_released_as_it_is() -> None:
    assert "data" not in public_study(Study())
