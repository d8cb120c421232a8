# SPDX-License-Identifier: Apache-2.0
"""No file of a bundle runs or fetches anything, also where another version wrote it."""

from __future__ import annotations

import hashlib
import json

import pytest

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.charts.bars_drawing import bars_drawing
from dpdesk.release.bundle.charts.description import ChartFigure, FigureChart, LineSeries
from dpdesk.release.bundle.charts.drawing import ChartDrawing
from dpdesk.release.bundle.query_headings import WORDS
from dpdesk.release.bundle.report.html_page import html_bytes
from dpdesk.release.bundle.report.report_blocks import (
    Blanks,
    CrossCell,
    CrossFigures,
    CrossLine,
    FigureRow,
    Figures,
    KeyFigure,
    KeyFigures,
    Paragraph,
    ReadingBox,
    Report,
    Section,
    Terms,
)
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.active_content import is_plain_report, is_plain_table
from dpdesk.release.verify.verification import verify
from tests.release.bundles import KEY, KNOWN, bundle

HEAD = b'<!DOCTYPE html>\n<html lang="en">\n<head>\n<style>p{color:red}</style></head><body>'


def of_another_version(name: str, content: bytes, version: str | None = "0.9.9") -> bytes:
    """A bundle of a later version, or of this one, honest but for one file; signed properly."""
    files = unpack(bundle())
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    if version is not None:
        statement["predicate"]["software"]["dpdesk"] = version
    files[name] = content
    for entry in statement["subject"]:
        entry["digest"]["sha256"] = hashlib.sha256(files[entry["name"]]).hexdigest()
    manifest = json_bytes(statement)
    return pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})


ACTIVE = [
    b"<script>fetch('//x')</script>",
    b"<SCRIPT src=x></SCRIPT>",
    b'<p onclick="x()">1</p>',
    b'<img src="x" onerror="x()">',
    b'<a href="javascript:x()">1</a>',
    b'<a href="//x.example/#s1">1</a>',
    b'<a href="#s1" ping="x">1</a>',
    b'<a href="#">1</a>',
    b'<iframe srcdoc="x"></iframe>',
    b'<meta http-equiv="refresh" content="0;url=https://x.example">',
    b'<link rel="stylesheet" href="https://x.example">',
    b"<svg><foreignObject><p>1</p></foreignObject></svg>",
    b'<svg><animate attributeName="href" values="x"/></svg>',
    b'<p style="background:url(https://x.example)">1</p>',
    b"<style>@import 'https://x.example';</style>",
    b"<style>p{background:u\\72l(https://x.example)}</style>",
    b"<style>p{background:image-set('x')}</style>",
    b"<style>p{color:red}",
    b'<style media="all">@import "x";</style>',
    b"<!-- --><p>1</p>",
    b"<![CDATA[<script>]]>",
    b"<?php x ?>",
    b"<p\n>1</p>",
    b"<p class='x'>1</p>",
    b"<p/onclick=x()>",
    b"<",
    b"<p>1 \0</p>",
    b"<p>\xff</p>",
    b"<form><button>1</button></form>",
    b"<base target=x>",
    b'<table><tr><td>=WEBSERVICE("http://x/")</td></tr></table>',
    b"<td>&#61;1+1</td>",
    b"<td>&NewLine;&nbsp;\xe2\x80\x8b+1</td>",
    b'<th class="a">@SUM(1)</th>',
    b"<h2>-1+cmd|x</h2>",
    b"<td>\xef\xbc\x9d1</td>",
    b"<td><b>=1</b></td>",
    b"<td>1<br>=1</td>",
    b"<td><b>-1</b>*cmd|x</td>",
    b"<td>-1<b>*cmd|x</b></td>",
    b"<svg><text>-1</text><text>*cmd|x</text></svg>",
    b"<title>=1</title>",
    b"<svg><title>-1</title><text>*cmd|x</text></svg>",
    b"<p>sep=|</p>",
]
PLAIN = [b"<td>-1</td>", b"<td>-1,5 %</td>", b"<dd>-5 to 10 \xc2\xb0C</dd>", b"<p>a = b</p>"]


@pytest.mark.threat("G10")
@pytest.mark.parametrize("content", ACTIVE, ids=lambda c: c[:30].decode("latin-1"))
def test_a_report_that_may_do_something_is_refused(content: bytes) -> None:
    assert is_plain_report(HEAD + b"<p>1</p></body></html>\n")
    page = HEAD + content + b"</body></html>\n"
    assert not is_plain_report(page)
    found = verify(of_another_version("report.html", page), KNOWN)
    assert [(p.code, p.params) for p in found.whole] == [
        ("bundle-active-content", {"name": "report.html"})
    ]
    assert found.files == {} and not found.is_good


@pytest.mark.parametrize("content", PLAIN)
def test_a_report_with_numbers_is_plain(content: bytes) -> None:
    assert is_plain_report(HEAD + content + b"</body></html>\n")


LABELS = ["=1+1", "+1", "-1+cmd|x", "-5", "-7", "*cmd|x", "-5 to 3", "@a", "sep=^", "a", "'=1"]


def drawn(chart: FigureChart, title: str) -> ChartDrawing:
    return bars_drawing(chart, 400.0, title, WORDS.numbers)


@pytest.mark.threat("G1")
def test_no_declared_text_runs_in_a_page_or_a_table() -> None:
    """It ran where a spreadsheet opened report.html: categories, titles and notes."""
    bars = tuple(ChartFigure(label, 1.0, 0.0, 2.0, figure=label, margin=label) for label in LABELS)
    rows = tuple(FigureRow((label, "-1,5"), False) for label in LABELS)
    for label in LABELS:
        chart = FigureChart(tuple(LABELS), (LineSeries(label, bars),), label)
        figures = Figures((label, "n"), (False, True), rows, drawn(chart, label), "")
        cell = CrossCell(label, label, is_noisy=False)
        line = CrossLine(label, (cell,))
        blocks = (
            Paragraph(label),
            Terms(((label, label),)),
            figures,
            CrossFigures(label, label, (label,), (line,), False, figures),
            KeyFigures((KeyFigure(label, label, label, True),)),
            ReadingBox(label, ((label, label),)),
            Blanks((label,), (label,)),
        )
        sections = (Section(label, blocks), *(Section(label, (), number) for number in "12A"))
        page = html_bytes(Report(label, "", WORDS, (Paragraph(label),), sections, contents=label))
        assert is_plain_report(page), label
        assert page.count(b'<a href="#s') == len("12A")
    assert b"<td>&#x27;=1+1</td>" in page and b"<td>-5</td>" in page


def test_a_plain_report_of_another_version_is_whole_but_not_remade() -> None:
    found = verify(of_another_version("report.html", HEAD + b"<p>17</p></body></html>\n"), KNOWN)
    assert found.is_open and not found.is_good


def test_what_this_version_writes_is_plain() -> None:
    files = unpack(bundle())
    assert is_plain_report(files["report.html"])
    assert all(is_plain_table(files[name]) for name in files if name.endswith(".csv"))
    assert verify(bundle(), KNOWN).is_remade


@pytest.mark.threat("G1")
@pytest.mark.parametrize(
    ("table", "is_plain"),
    [
        (b'ward,count\r\n"A",-17\r\n', True),
        (b"ward,count\r\n-5,-0.25\r\n", True),
        (b"ward,count\r\n=1+1,3\r\n", False),
        (b'ward,count\r\n"=1+1",3\r\n', False),
        (b"ward,count\r\nA,+1\r\n", False),
        (b"ward,count\r\nA,-cmd|x\r\n", False),
        (b"ward,count\r\nA, @SUM(1)\r\n", False),
        (b'ward,count\r\n"x;=1",3\r\n', False),
        (b"ward\r\n\xff\r\n", False),
        (b'sep=|\nward|n\nA|=HYPERLINK("x")\n', False),
        (b"sep=^\nward^n\nA^=1+1\n", False),
        (b'"SEP=^"\nward^n\n', False),
        (b"\xef\xbb\xbfsep=;\nward;n\n", False),
        (b"separate=1,n\nA,1\n", True),
    ],
)
def test_a_cell_that_a_spreadsheet_would_compute(table: bytes, is_plain: bool) -> None:
    assert is_plain_table(table) == is_plain
