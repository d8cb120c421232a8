# SPDX-License-Identifier: Apache-2.0
"""A release in German: nothing that people read of it is English, and verifying remakes it."""

from __future__ import annotations

import html
import io
import json
import re
import string
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from openpyxl import load_workbook

from dpdesk.catalogue import read_catalogue
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import cell_writer
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import BundleForm, form_in
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.release.verify.plain_documents import is_plain_workbook
from dpdesk.release.verify.verification import verify
from dpdesk.study.json.study_files import load_study
from tests import texts
from tests.golden.making import GRANTED, NAMES, STUDIES, ExactDoor
from tests.release.bundles import KEY, KNOWN, done

GERMAN = ReleaseWords.of("de")
LEAST = 20
"""Shorter pieces of sentences may stand in German ones, too."""


@lru_cache(maxsize=1)
def released(name: str) -> ReleaseDone:
    """A golden study with its data, released without noise."""
    with TemporaryDirectory() as place:
        for path in STUDIES.glob("*.csv"):
            (Path(place) / path.name).write_bytes(path.read_bytes())
        study = load_study(STUDIES / f"{name}.dpdesk").study
        assert study.budget is not None
        ledger = Ledger.open(Home.at(Path(place) / "home"))
        ledger.new_account(study.budget.account, *GRANTED[study.budget.measure])
        return release(study, Path(place), ledger, ExactDoor(), same_extract=True, language="de")


@lru_cache(maxsize=2)
def made(name: str, language: str) -> bytes:
    found = released(name)
    return build(found.stored, found.chain, KEY, form_in(language))


def documents(raw: bytes) -> dict[str, str]:
    """What people read of a bundle, as running text; the registry's draft is in English."""
    files = unpack(raw)
    page = re.sub(r"(?s)<style>.*?</style>|<[^>]*>", " ", files["report.html"].decode())
    found = {
        "README.txt": files["README.txt"].decode(),
        "report.html": html.unescape(page),
        "datapackage.json": " ".join(strings(json.loads(files["datapackage.json"]))),
        "ro-crate-metadata.json": " ".join(strings(json.loads(files["ro-crate-metadata.json"]))),
        "results.xlsx": " ".join(cells(files["results.xlsx"])),
    }
    return {name: " ".join(text.split()) for name, text in found.items()}


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for member in value:
            yield from strings(member)
    elif isinstance(value, str):
        yield value


def cells(raw: bytes) -> Iterator[str]:
    for sheet in load_workbook(io.BytesIO(raw)).worksheets:
        yield sheet.title
        for row in sheet.iter_rows(values_only=True):
            yield from (str(value) for value in row if value is not None)


@lru_cache(maxsize=1)
def english_pieces() -> frozenset[str]:
    """What stands between the placeholders of sentences, and not in their German too."""
    german = read_catalogue("de")
    pieces = set()
    for source in texts.collect():
        if texts.is_windows(source.context):
            continue
        translated = " ".join(german.say_word(source.context, source.text).split())
        for text in (source.text, source.plural):
            parts = (part for part, *_ in string.Formatter().parse(text))
            found = (" ".join(line.split()) for part in parts for line in part.split("\n"))
            found = (line for line in found if line.strip("-="))
            pieces |= {piece for piece in found if len(piece) > LEAST and piece not in translated}
    assert len(pieces) > 700
    return frozenset(pieces)


def english_in(text: str) -> list[str]:
    return sorted(piece for piece in english_pieces() if piece in text)


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("name", NAMES)
def test_a_german_bundle_has_no_english_sentence_and_is_remade(name: str) -> None:
    raw = made(name, "de")
    assert {file: english_in(text) for file, text in documents(raw).items()} == {
        "README.txt": [],
        "report.html": [],
        "datapackage.json": [],
        "ro-crate-metadata.json": [],
        "results.xlsx": [],
    }
    assert b'<html lang="de">' in unpack(raw)["report.html"]
    assert b"/Lang (de)" in unpack(raw)["report.pdf"]
    manifest = json.loads(unpack(raw)["manifest.json"])
    assert manifest["predicate"]["bundle"] == {"language": "de"}
    found = verify(raw, KNOWN)
    assert found.is_good and found.is_remade


def test_the_english_of_an_english_bundle_is_found() -> None:
    found = documents(made(NAMES[0], "en"))
    assert min(len(english_in(text)) for text in found.values()) >= 3


def test_tables_and_the_registrys_draft_are_the_same_in_every_language() -> None:
    german, english = (unpack(made(NAMES[0], language)) for language in ("de", "en"))
    tables = [file for file in german if file.startswith("results/")]
    assert (
        tables
        and [file for file in (*tables, "deployment.yaml") if german[file] != english[file]] == []
    )


def test_numbers_and_days_are_german_where_people_read_them() -> None:
    found = released("epsilon-add-remove")
    day = found.stored.record.time[:10]
    year, month, number = day.split("-")
    pages = documents(made("epsilon-add-remove", "de"))
    for name in ("README.txt", "report.html"):
        assert f"{number}.{month}.{year}" in pages[name] and day not in pages[name]
    assert " 7.504 " in pages["report.html"] and " 7504 " not in pages["report.html"]
    assert "Skala 1,5 " in pages["datapackage.json"]


def test_plain_texts_fit_a_page_and_their_headings_are_underlined() -> None:
    lines = unpack(made("epsilon-add-remove", "de"))["README.txt"].decode().split("\n")
    assert not [line for line in lines if len(line) > 80 and not line.startswith("    ")]
    rules = [place for place, line in enumerate(lines) if line and not line.strip("=-")]
    assert len(rules) == 10 and all(len(lines[p]) == len(lines[p - 1]) for p in rules)


@pytest.mark.parametrize(
    ("text", "form", "said"),
    [
        ("Monday", "weekday", "Montag"),
        ("Monday", "group", "Monday"),
        ("(missing)", "group", "(fehlt)"),
        ("(missing)", "text", "(missing)"),
        ("18 to 64", "bins", "18 bis 64"),
        ("-0.5 to 12345.5", "bins", "−0,5 bis 12.345,5"),
        ("65", "bins", "65"),
        ("12345.5", "number", "12.345,5"),
        ("18 to 64", "group", "18 to 64"),
    ],
)
def test_the_programs_own_groups_are_german_and_the_custodians_as_declared(
    text: str, form: Any, said: str
) -> None:
    assert cell_writer(form, GERMAN)(text) == said


def test_sheets_are_named_in_the_language() -> None:
    content = unpack(made(NAMES[0], "de"))["results.xlsx"]
    assert is_plain_workbook(content), "also where a name of one word has no quotes"
    names = load_workbook(io.BytesIO(content)).sheetnames
    assert names[:2] == ["Inhalt", "Kennzahlen"] and names[-2:] == [
        "D17 Grenzen lab",
        "Diagrammwerte",
    ]
    assert any(name[1:].startswith(" Mittelwert ") for name in names)


def test_files_of_queries_without_a_title_are_named_in_the_language_of_the_release() -> None:
    names = [name for name in unpack(made(NAMES[0], "de")) if name.startswith("results/")]
    assert any(name.startswith("results/mittelwert-") for name in names)
    assert not [name for name in names if re.match("results/(mean|count|share|sum)-", name)]


def test_a_language_that_no_manifest_can_name_is_english() -> None:
    assert [form_in(code).language for code in ("de", "tlh", "../x")] == ["de", "en", "en"]


def test_of_a_language_that_is_not_here_the_texts_are_not_remade() -> None:
    """Whoever made the bundle had a translation that whoever verifies it has not."""
    raw = build(done().stored, done().chain, KEY, BundleForm("fi"))
    found = verify(raw, KNOWN)
    assert found.is_open and not (found.is_good or found.is_remade)
    assert [problem.code for problem in found.unjudged] == ["bundle-other-language"]
    assert "report.html" in found.not_made_again and "results/" not in str(found.not_made_again)
