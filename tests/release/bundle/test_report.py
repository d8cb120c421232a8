# SPDX-License-Identifier: Apache-2.0
"""The report of the sample hospital: its charts, totals, contents and words."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.key_figures import total_to_quote, whole_counts
from dpdesk.release.bundle.report.release_report import report_of
from dpdesk.release.bundle.report.report_blocks import (
    CrossFigures,
    KeyFigures,
    Paragraph,
    ReadingBox,
    Report,
    Section,
)
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import BundleForm, SignedRelease, SignerName
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.resources import resource_path
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.queries import Query
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import release

MORE = (
    Query("all", "count", epsilon=Epsilon.of("0.02"), title="All stays"),
    Query(
        "kinds",
        "count",
        by=(Periods("admission_date", "quarter"), "admission_type"),
        epsilon=Epsilon.of("0.02"),
    ),
)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> ReleaseDone:
    """The sample's release, with one figure alone and with lines over quarters."""
    folder = resource_path("sample")
    study = study_from_bytes((folder / "sample.dpdesk").read_bytes())
    kept = [query for query in study.queries if query.id != "mean-stay"]
    study = replace(study, queries=(*kept, *MORE))
    ledger = Ledger.open(Home.at(tmp_path_factory.mktemp("home")))
    ledger.new_account("sample-hospital", Epsilon.of("1"))
    return release(study, folder, ledger, OpenDPDoor())


@pytest.fixture(scope="module")
def report(done: ReleaseDone) -> Report:
    signed = SignedRelease(done.stored.record, done.chain, SignerName("office", "SHA256:x"))
    return report_of(ReleaseText(signed, ReleaseWords.of("en")), done.stored.tables)


def section(report: Report, title: str) -> Section:
    return next(one for one in report.sections if one.title == title)


def cross_of(found: Section) -> CrossFigures:
    return next(block for block in found.blocks if isinstance(block, CrossFigures))


def number(text: str) -> Fraction:
    return Fraction(text.replace(",", "").replace("\N{MINUS SIGN}", "-"))


def test_totals_add_up_in_every_direction(report: Report) -> None:
    table = cross_of(section(report, "Stays"))
    assert table.has_totals and table.heads[-1] == "All" and table.lines[-1].is_total
    assert (table.corner, table.across) == ("Ward", "Sex"), "the longer list is down"
    *lines, last = [[number(cell.figure) for cell in line.cells] for line in table.lines]
    assert all(sum(line[:-1]) == line[-1] for line in lines)
    assert last == [sum(column) for column in zip(*lines, strict=True)]
    margins = [number(line.cells[0].margin[2:]) for line in table.lines]
    assert margins[0] < margins[-1] < sum(margins[:-1]), "noise partly cancels"


def test_a_table_says_which_count_to_quote_where_its_total_is_another(done: ReleaseDone) -> None:
    signed = SignedRelease(done.stored.record, done.chain, SignerName("office", "SHA256:x"))
    text = ReleaseText(signed, ReleaseWords.of("en"))
    found = charted_queries(text, done.stored.tables)
    counts = whole_counts(found, text.headings)
    assert {unit: one.title for unit, one in counts.items()} == {"rows": "All stays"}
    grouped = next(one for one in found if one.query.id == "kinds")
    assert grouped.adding is not None
    total = grouped.adding.totals(())[()].value
    same, other = (replace(counts["rows"], value=value) for value in (total, f"{total}1"))
    assert total_to_quote(grouped, {"rows": same}) == "", "nothing is to be chosen"
    assert f"quote “All stays”: {other.figure}." in total_to_quote(grouped, {"rows": other})
    assert total_to_quote(grouped, {"people": other}) == "", "another count"


def test_per_cent_are_those_of_each_column(report: Report) -> None:
    counts, shares = (b for b in section(report, "Stays").blocks if isinstance(b, CrossFigures))
    assert shares.heads == counts.heads
    *lines, totals = counts.lines
    for line, percents in zip(lines, shares.lines, strict=True):
        for cell, share, total in zip(line.cells, percents.cells, totals.cells, strict=True):
            part = 100 * number(cell.figure) / number(total.figure)
            assert abs(min(max(part, Fraction(0)), Fraction(100)) - number(share.figure)) < 1
            assert share.margin


def test_quarters_by_kind_are_lines_and_a_table(report: Report) -> None:
    found = cross_of(report.sections[5])
    assert found.plain.chart is not None
    assert found.lines[0].name == "Q1 2023"


def test_margins_without_an_interval_for_the_population_are_said_to_leave_out_chance(
    report: Report,
) -> None:
    box = next(block for block in report.opening if isinstance(block, ReadingBox))
    assert any("noise alone, not of chance" in text for _sign, text in box.lines)
    said = [
        (one.title, b.text)
        for one in report.sections
        for b in one.blocks
        if isinstance(b, Paragraph) and "noise alone, not of chance" in b.text
    ]
    assert [title for title, _text in said] == ["What margins and marks mean"], "once for all"


def test_one_figure_alone_is_before_all_tables(report: Report) -> None:
    keys = next(block for block in report.opening if isinstance(block, KeyFigures))
    assert [one.title for one in keys.figures] == ["All stays"]
    titles = [one.title for one in report.listed]
    assert titles[-2:] == ["Figures without groups", "How the figures were made"]
    assert "All stays" not in titles


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_contents_name_the_page_that_each_section_begins_on(
    done: ReleaseDone, language: str
) -> None:
    content = unpack(build(done.stored, done.chain, KEY, BundleForm(language)))["report.pdf"]
    pages = re.findall(rb"stream\r?\n(1 0 0 1 0 0 cm.*?)endstream", content, re.DOTALL)
    word = b"page" if language == "en" else b"Seite"
    said = [int(n) for n in re.findall(rb"\(" + word + rb" ([0-9]+)\) Tj", b"".join(pages[:2]))]
    # A section's number stands before its heading, in the size of headings.
    begun = [
        place
        for place, page in enumerate(pages, start=1)
        for _number in re.findall(rb"/F[0-9+]+ 13 Tf[^(]*\((?:[0-9]+|A)\) Tj", page)
    ]
    assert said == begun and len(said) == 8


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_reader_meets_no_name_of_the_file(done: ReleaseDone, language: str) -> None:
    raw = build(done.stored, done.chain, KEY, BundleForm(language))
    assert verify(raw, KNOWN).is_remade
    page = html.unescape(unpack(raw)["report.html"].decode())
    text = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    for name in ("length_of_stay", "admission_date", "age_band", "up_to", "2023-Q1"):
        assert name not in text
    places = re.findall('<a href="#([^"]+)">([^<]+)</a>', page)
    heads = re.findall('<section id="([^"]+)">\\s*<h2>([^<]+)</h2>', page)
    assert places == heads and len(heads) == 8, "the contents lead to each numbered section"
    assert "<dt>Σ</dt>" in text, "two tables add up, and the box says of what"
    assert ">'" not in text, "no text of ours begins as a formula, so none has an apostrophe"
