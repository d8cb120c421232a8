# SPDX-License-Identifier: Apache-2.0
"""What people read of rates: what they count in, and what their groups are called."""

from __future__ import annotations

import hashlib
import io
import json
import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from openpyxl import load_workbook

from dpdesk.desk.text.result_words import shown_table
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.charts.suitable_charts import charts_of
from dpdesk.release.bundle.query_headings import Heading, ReleaseWords
from dpdesk.release.bundle.readable import cell_writer, forms_of
from dpdesk.release.bundle.report.notes.query_notes import notes_below
from dpdesk.release.bundle.report.notes.standard_notes import about_standard
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import BundleForm
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import (
    ColumnParameters,
    QuantileParameters,
    RateParameters,
    StandardParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from dpdesk.study.text.query_ids import slug
from dpdesk.study.text.unit_names import PLAIN
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, release, write_data

QUIET = Epsilon.of(20)
DAYS = NumberColumn("days", Decimal(1), Decimal(14), Decimal("0.5"), label="days", title="Stay")
AGES = CategoryColumn("sex", ("f", "m"), labels=("[0-10)", "[10-20)"), title="Age")
RATE = RateParameters((IsIn("sex", ("f",)),), column="days", per=1_000)
QUARTILES = QuantileParameters("days", quantiles=(Decimal("0.25"), Decimal("0.5"), Decimal("0.75")))
STANDARD = StandardParameters(
    *(RATE.has, "days", 1_000),
    over="sex",
    standard="european-2013",
)
QUERIES = (
    Query("ill", "rate", RATE, by=("sex",), epsilon=QUIET),
    Query("spread", "quantiles", QUARTILES, by=("sex",), epsilon=QUIET),
    Query("direct", "standardised-rate", STANDARD, epsilon=Epsilon.of(50)),
    Query("stay", "mean", ColumnParameters("days"), epsilon=Epsilon.of(2)),
)


@cache
def done() -> ReleaseDone:
    with TemporaryDirectory() as name:
        write_data(Path(name))
        ledger = Ledger.open(Home.at(Path(name) / "home"))
        ledger.new_account("registry", Epsilon.of(100))
        budget = Budget("registry", Epsilon.of(100))
        study = replace(STUDY, columns=(DAYS, AGES), queries=QUERIES, budget=budget)
        return release(study, Path(name), ledger, OpenDPDoor())


@cache
def files(language: str) -> dict[str, bytes]:
    return unpack(build(done().stored, done().chain, KEY, BundleForm(language)))


@pytest.mark.parametrize(
    ("language", "unit", "title"),
    [
        ("en", "per 1,000 days", "per 1,000 days of stay, by age"),
        ("de", "je 1.000 days", "je 1.000 days (Stay) nach Age"),
    ],
)
def test_every_document_says_what_a_rate_counts_in(language: str, unit: str, title: str) -> None:
    page = files(language)["report.html"].decode()
    assert f"({unit})</th>" in page, "the head of the table"
    assert re.search(rf"<text[^>]*>{unit}</text>", page), "the chart"
    book = load_workbook(io.BytesIO(files(language)["results.xlsx"]))
    (sheet, *_) = [one for one in book.worksheets if one.title.startswith("1 ")]
    said = [str(cell.value) for row in sheet.iter_rows() for cell in row]
    assert any(one.endswith(f"({unit})") for one in said)
    table, *_others = json.loads(files(language)["datapackage.json"])["resources"]
    assert [field.get("unit") for field in table["schema"]["fields"]].count(unit) == 1
    assert table["title"].endswith(title)


@pytest.mark.parametrize(
    ("language", "heads"),
    [
        ("en", ("n, about", "Events, about", "Exposure, about (days)")),
        ("de", ("n, ca.", "Ereignisse, ca.", "Bezugszahl, ca. (days)")),
    ],
)
def test_what_a_rate_or_a_mean_is_of_is_read_beside_it(
    language: str, heads: tuple[str, ...]
) -> None:
    rate, _quartiles, _direct, mean = done().stored.tables
    columns = ((mean, "noisy_rows"), (rate, "noisy_events"), (rate, "noisy_exposure"))
    at = [[one.name for one in table.columns].index(name) for table, name in columns]
    drawn = [table.rows[0][place] for (table, _name), place in zip(columns, at, strict=True)]
    page = files(language)["report.html"].decode()
    book = load_workbook(io.BytesIO(files(language)["results.xlsx"]))
    read = [sheet for sheet in book.worksheets if not re.match(r"D\d* ", sheet.title)]
    for head, text in zip(heads, drawn, strict=True):
        assert f"{head}</th>" in page
        assert f">{cell_writer('number', ReleaseWords.of(language))(text)}</td>" in page
        columns_so_headed = [
            [cell.value for cell in column]
            for sheet in read
            for column in sheet.iter_cols()
            if head in [cell.value for cell in column]
        ]
        assert any(float(text) in column for column in columns_so_headed)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Compare groups by the standardised"), ("de", "Vergleichen Sie Gruppen nur nach der")],
)
def test_why_a_standardised_rate_differs_from_the_crude_one_is_said_once(
    language: str, said: str
) -> None:
    assert files(language)["report.html"].decode().count(said) == 1, "of the standardised rate"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "European standard population 2013, shortened to the ages from 0 to 19: 21,500 of its "
            "100,000 people are weighted. Such a rate is not comparable with one of all ages. Its "
            "age bands were merged, each group with the sum of theirs: 0 to under 10: 10,500; 10 "
            "to under 20: 11,000.",
        ),
        (
            "de",
            "Europastandardbevölkerung 2013, auf Alter von 0 bis 19 Jahren gekürzt: 21.500 ihrer "
            "100.000 Personen sind gewichtet.",
        ),
    ],
)
def test_how_a_standard_was_shortened_and_merged_is_said(language: str, said: str) -> None:
    page = files(language)["report.html"].decode()
    assert page.count(said) == 1
    book = load_workbook(io.BytesIO(files(language)["results.xlsx"]))
    cells = [str(cell.value) for sheet in book for row in sheet for cell in row if cell.value]
    assert said in " ".join(cells)


BANDS = tuple(Decimal(first) for first in (1, *range(5, 86, 5)))
"""All of the standard but its last two: 85 to 89, 90 to 94, 95 and more are one group."""


@pytest.mark.parametrize(
    ("lower", "edges", "said"),
    [
        (0, (*BANDS, Decimal(90), Decimal(95)), "2013, all of its 100,000 people."),
        (
            *(0, BANDS),
            "2013, all of its 100,000 people. Its bands from 85 on were merged to the open group "
            "“85 to 120”.",
        ),
        (
            *(15, (Decimal(50),)),
            "2013, shortened to the ages from 15 on: 84,000 of its 100,000 people are weighted. "
            "Such a rate is not comparable with one of all ages. Its age bands were merged, each "
            "group with the sum of theirs: 15 to 49: 45,000; 50 to 120: 39,000.",
        ),
        (0, (Decimal(7),), ""),
    ],
)
def test_an_open_age_group_names_the_bands_that_it_holds(
    lower: int, edges: tuple[Decimal, ...], said: str
) -> None:
    """A group that cuts a band has no weight, and nothing is said of it."""
    clamp: Any = "clamp"
    age = NumberColumn("age", Decimal(lower), Decimal(120), Decimal(1), outside=clamp)
    own = replace(STANDARD, over="age", edges=edges)
    released, table = done().stored.record.queries[2], done().stored.tables[2]
    study = done().stored.record.study.study
    assert study is not None
    query = next(one for one in study.queries if one.id == released.id)
    study = replace(study, columns=(*study.columns, age), queries=(replace(query, parameters=own),))
    charted = Charted(table, released, ReleaseWords.of("en"), study)
    found = about_standard(charted)
    assert found.removeprefix("European standard population ") == said


def test_why_there_is_no_standardised_rate_is_said_where_there_is_none() -> None:
    record, table = done().stored.record, done().stored.tables[2]
    words, said = ReleaseWords.of("en"), []
    for rows in (table.rows, (("", *table.rows[0][1:]),)):
        shown = replace(table, rows=rows)
        charted = Charted(shown, record.queries[2], words, record.study.study)
        notes = " ".join(notes_below(charted, Heading("Rate"), PLAIN))
        said.append("Where there is no standardised rate" in notes)
    assert said == [False, True]


def test_groups_have_one_name_in_window_report_and_workbook() -> None:
    record, table = done().stored.record, done().stored.tables[0]
    read = ["0 to under 10", "10 to under 20"]
    shown = shown_table(table, "rate", forms_of(table, record.queries[0]))
    assert [row[0] for row in shown.rows] == [*shown.labels] == read
    assert [keys[0] for keys in shown.keys] == ["[0-10)", "[10-20)"], "sorted as declared"
    boxes = charts_of(record.study.study, record.queries[1], done().stored.tables[1]).boxes()
    assert [box.name for box in boxes] == read
    assert all(name in files("en")["report.html"].decode() for name in read)


@pytest.mark.threat("G11")
@pytest.mark.parametrize("ending", [".csv", "report.html", "results.xlsx"])
def test_an_altered_standardised_figure_is_found_out(ending: str) -> None:
    """In its table, in the report or in the workbook; signed again by its own signer."""
    new, figure = dict(files("en")), done().stored.tables[2].rows[0][0]
    title = slug(done().stored.tables[2].title)[:20]
    name = next(one for one in new if one.endswith(ending) and (title in one or "." in ending[1:]))
    raw = new[name]
    new[name] = (
        other_workbook(raw, float(figure))
        if ending == "results.xlsx"
        else (raw.replace(figure.encode(), f"{float(figure) + 1:.2f}".encode()))
    )
    assert new[name] != raw
    statement, _signature = json.loads(new.pop(MANIFEST)), new.pop(SIGNATURE)
    for entry in statement["subject"]:
        entry["digest"]["sha256"] = hashlib.sha256(new[entry["name"]]).hexdigest()
    manifest = json_bytes(statement)
    signed = pack({**new, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})
    assert [one.code for one in verify(signed, KNOWN).whole] == ["bundle-file-not-as-drawn"]


def other_workbook(raw: bytes, figure: float) -> bytes:
    """The workbook with another number wherever the figure is."""
    book, out = load_workbook(io.BytesIO(raw)), io.BytesIO()
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value == figure:
                    cell.value = figure + 1
    book.save(out)
    return out.getvalue()
