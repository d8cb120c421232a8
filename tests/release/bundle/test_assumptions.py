# SPDX-License-Identifier: Apache-2.0
"""A bundle says whom it trusts with quotation marks, and where a row is all that it protects."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.signed_bundle import MANIFEST, build
from dpdesk.release.bundle.value_sentences import value_sentences
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import form_in
from dpdesk.release.run.release_run import release
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, write_data

FILLED = "A row without an id counts as a row of the person above it"
TRUST = "relies on doubled quotation marks inside cells"
LINE = "the privacy unit is one line"


def bundle_of(study: Study, folder: Path, words: ReleaseWords = WORDS) -> bytes:
    write_data(folder)
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of("1"))
    done = release(study, folder, ledger, OpenDPDoor())
    return build(done.stored, done.chain, KEY, form_in(words.code))


@pytest.mark.threat("B14")
@pytest.mark.parametrize("fills", [True, False])
def test_the_bundle_says_whose_a_row_without_an_id_is(fills: bool, tmp_path: Path) -> None:
    assert STUDY.data is not None
    study = replace(STUDY, data=replace(STUDY.data, fill_down=fills))
    content = bundle_of(study, tmp_path)
    files = unpack(content)
    for name in ("README.txt", "report.html"):
        said = " ".join(files[name].decode("utf-8").split())
        assert (FILLED in said) == fills, name
    predicate = json.loads(files[MANIFEST])["predicate"]
    assert predicate["study"]["data"].get("fill_down", False) == fills
    verdict = verify(content, KNOWN)
    assert verdict.is_whole and verdict.claim_holds


@pytest.mark.threat("B14")
@pytest.mark.parametrize("breaks", [True, False])
@pytest.mark.parametrize("by_row", [True, False])
def test_the_bundle_says_what_it_takes_for_granted(
    breaks: bool, by_row: bool, tmp_path: Path
) -> None:
    assert STUDY.data is not None and STUDY.unit is not None
    study = replace(STUDY, data=replace(STUDY.data, line_breaks=breaks))
    if by_row:
        study = replace(study, unit=Unit(None))
    content = bundle_of(study, tmp_path)
    files = unpack(content)
    for name in ("README.txt", "report.html"):
        said = " ".join(files[name].decode("utf-8").split())
        assert (TRUST in said) == breaks, name
        assert (LINE in said) == by_row, name
    predicate = json.loads(files[MANIFEST])["predicate"]
    assert predicate["study"]["data"].get("line_breaks", False) == breaks
    assert predicate["claim"]["unit"] == ("row" if by_row else "person")
    verdict = verify(content, KNOWN)
    assert verdict.is_whole and verdict.claim_holds


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_bundle_says_to_which_steps_numbers_are_rounded(language: str, tmp_path: Path) -> None:
    """As declared, of the columns that queries use; whether any number needed it is not said."""
    days = NumberColumn("days", Decimal(1), Decimal(14), Decimal("0.5"), title="Stay", label="days")
    columns = tuple(days if c.name == "days" else c for c in STUDY.columns)
    study = replace(STUDY, columns=columns)
    words = ReleaseWords.of(language)
    files = unpack(bundle_of(study, tmp_path, words))
    step = {"en": "Stay to steps of 0.5 days.", "de": "Stay auf Schritte von 0,5 days."}[language]
    for name in ("README.txt", "report.html"):
        said = " ".join(files[name].decode("utf-8").split())
        assert said.count(step) == 1, name
    assert value_sentences(study, words)[0].endswith(step)
    assert value_sentences(replace(study, queries=study.queries[:1]), words) == ()
    asked = replace(days, lower=None, upper=None)
    assert value_sentences(replace(study, columns=(asked,)), words) == ()
