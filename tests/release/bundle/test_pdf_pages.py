# SPDX-License-Identifier: Apache-2.0
"""The report as pages to print: the same bytes everywhere, in greys, with bookmarks, and plain."""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import cast

import pytest

from dpdesk.catalogue import Translation, catalogue_of
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.charts.drawing import ChartDrawing, Word
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.report import pdf_pages
from dpdesk.release.bundle.report.page_tables import Pages, TableOnPages
from dpdesk.release.bundle.report.pdf_drawing import COLOURS
from dpdesk.release.bundle.report.pdf_pages import MOST_TABLE_LINES, pdf_bytes
from dpdesk.release.bundle.report.report_blocks import (
    Block,
    CrossCell,
    CrossFigures,
    CrossLine,
    FigureRow,
    Figures,
    Paragraph,
    Report,
    Section,
    Terms,
)
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.record.values import BundleForm
from dpdesk.release.verify.plain_documents import is_plain_pdf
from dpdesk.release.verify.verification import verify
from dpdesk.study.text.number_text import NumberStyle, in_column
from tests.release.bundles import KEY, KNOWN, bundle, done
from tests.release.reports import small

ODD_TEXTS = [
    "", " ", "a" * 400, "(", ")", "\\", "<b>x</b>", "\u202eevil", "\x1b[31m", "\ud800",
    "\U0001f600", "ε ≤ 3 · Größe · Łódź · Ωμέγα", "漢字", "/JS (x)", "\r\n\t\0",
    "endobj\nendstream",
]  # fmt: skip
WHERE_ELSE = """
import hashlib
from dpdesk.release.bundle.report.pdf_pages import pdf_bytes
from tests.release.reports import small
print(hashlib.sha256(pdf_bytes(small())).hexdigest())
"""


def chart(height: float) -> ChartDrawing:
    return ChartDrawing("", 100.0, height, (Word(0, height, "z chart"),))


def pages(content: bytes) -> int:
    return content.count(b"/Type /Page\n")


@pytest.mark.threat("B10")
def test_neither_place_nor_time_nor_settings_are_in_the_pages(tmp_path: Path) -> None:
    """A settings file that the library would run from the home folder is not run."""
    ran = tmp_path / "ran"
    settings = f"import pathlib\npathlib.Path({str(ran)!r}).touch()\npageCompression = 1\n"
    (tmp_path / ".reportlab_settings").write_text(settings)
    odd = {"HOME": str(tmp_path), "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7", "RL_invariant": "0"}
    variables = {**os.environ, **odd, "RL_pageCompression": "1", "LC_ALL": "C"}
    command = [sys.executable, "-c", WHERE_ELSE]
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == hashlib.sha256(pdf_bytes(small())).hexdigest()
    assert not ran.exists()


def test_pages_have_title_language_bookmarks_and_their_own_fonts() -> None:
    content = unpack(bundle())["report.pdf"]
    assert b"/Lang (en)" in content and b"/UseOutlines" in content
    assert b"/DisplayDocTitle true" in content
    first, *others = done().stored.record.queries
    assert b"/Title (%s)" % first.title.encode() not in content, "it has one figure"
    for query in others:
        assert b"/Title (%s)" % query.title.encode() in content
    for heading in (b"Figures without groups", b"Budget", b"Method", b"Origin"):
        assert b"/Title (%s)" % heading in content
    assert content.count(b"/FontFile2") == 2 and b"/Helvetica" not in content
    assert b"/MediaBox [ 0 0 595.28 841.89 ]" in content


def test_pages_say_every_figure_in_few_colours() -> None:
    """What they tell apart is told apart by dash and mark, too: see the drawings' own tests."""
    content = unpack(bundle())["report.pdf"]
    drawn = re.findall(rb"stream\r?\n(1 0 0 1 0 0 cm.*?)endstream", content, re.DOTALL)
    assert len(drawn) == pages(content)
    assert not re.search(rb"\s(k|K|sc|SC|scn|SCN|cs|CS)\s", b"".join(drawn))
    used = set(re.findall(rb"\n([0-9. ]+) RG\n", b"".join(drawn)))
    assert len(used) <= len(COLOURS), "lines have the colours of roles alone"
    for table in done().stored.tables:
        places = [i for i, column in enumerate(table.columns) if column.role == "value"]
        figures = {row[place] for row in table.rows for place in places}
        # A true minus sign is no ASCII and has a code of the font's own.
        positive = {figure for figure in figures if figure and not figure.startswith("-")}
        written = (in_column(figure).encode() for figure in positive)
        assert all(re.search(rb"\(%s[) ]" % re.escape(one), content) for one in written)


def test_a_long_table_is_cut_and_says_so() -> None:
    content = pdf_bytes(small(rows=MOST_TABLE_LINES + 1))
    assert b"200 of 201 lines are printed here" in content
    assert pages(content) == pages(pdf_bytes(small(rows=MOST_TABLE_LINES))) > 1
    assert b"are printed here" not in pdf_bytes(small(rows=MOST_TABLE_LINES))


@pytest.mark.threat("G10", "G12")
@pytest.mark.parametrize("text", ODD_TEXTS, ids=ascii)
def test_no_text_becomes_live_in_the_pages(text: str) -> None:
    content = pdf_bytes(small(text))
    assert is_plain_pdf(content)
    assert pages(content) == 1


def test_a_short_table_is_not_torn_and_its_head_stands_with_it() -> None:
    rows = tuple(FigureRow((f"bed{i}", "5"), False) for i in range(2))
    moved = set()
    for above, high in product(range(9), range(520, 580, 6)):
        table = Figures(("Ward", "Found"), (False, True), rows, chart(high), "results/count.csv")
        report = Report(
            "title", "", WORDS, (Paragraph("above"),) * above, (Section("part", (table,)),)
        )
        streams = pdf_bytes(report).split(b"endstream")
        found = [(stream.count(b"(Ward)"), stream.count(b"(bed")) for stream in streams]
        moved.add(tuple(pair for pair in found if pair != (0, 0)))
    assert moved == {((1, 2),)}


def test_a_cross_table_is_not_torn(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = (CrossCell("5", "", is_noisy=False),) * 2
    lines = tuple(CrossLine(f"z {n}", cells) for n in range(12))
    plain = Figures((), (), (), None, "")
    table = CrossFigures("z", "", ("a", "b"), lines, has_totals=False, plain=plain)
    for above in range(12, 45):
        found = pages_of(after(above, Paragraph("first"), table, table), "z ", monkeypatch)
        assert set(found.values()) <= {12, 13, 24, 25}, above


def test_pages_speak_another_language_with_its_numbers() -> None:
    source = "{shown} of {count} lines are printed here; {file} and results.xlsx have them all."
    german = Translation("", source, forms=("{shown} von {count} Zeilen stehen hier; {file}.",))
    words = ReleaseWords(catalogue_of("de", [german]), NumberStyle(",", "."))
    content = pdf_bytes(small(rows=1_200, words=words))
    assert b"200 von 1.200 Zeilen stehen hier" in content and b"/Lang (de)" in content


def test_a_bundle_keeps_the_language_it_was_made_in() -> None:
    raw = build(done().stored, done().chain, KEY, BundleForm("de"))
    assert b'<html lang="de">' in unpack(raw)["report.html"]
    assert verify(raw, KNOWN).is_remade


def pages_of(report: Report, begins: str, patch: pytest.MonkeyPatch) -> dict[int, int]:
    """How many lines that begin so stand on each page; those only measured are on none."""
    found: dict[int, int] = {}
    really = pdf_pages._Pages.write

    def noted(self: pdf_pages._Pages, x: float, y: float, text: str, *more: object) -> None:
        if text.startswith(begins) and not isinstance(self.canvas, pdf_pages._Blank):
            found[self.page] = found.get(self.page, 0) + 1
        really(self, x, y, text, *more)  # type: ignore[arg-type]

    with patch.context() as inner:
        inner.setattr(pdf_pages._Pages, "write", noted)
        pdf_bytes(report)
    return found


def after(lines: int, *blocks: Block) -> Report:
    before = Section("before", tuple(Paragraph("x") for _ in range(lines)))
    return Report("t", "", WORDS, (), (before, Section("z heading", blocks)))


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_no_line_of_a_paragraph_stands_alone_on_a_page(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(["z" * 66] * count)  # one word a line
    seen = set()
    for times, block in ((1, Paragraph(text)), (9, Terms((("t", text),) * 9))):
        for lines in range(12, 45):
            report = after(lines, Paragraph("x"), block)
            found = pages_of(report, "z" * 66, monkeypatch)
            assert sum(found.values()) == times * count
            assert 1 not in found.values(), lines
            seen.add(len(found))
    assert seen == {1, 2}


def test_a_chart_stands_on_the_page_of_its_heading_and_its_table_is_not_torn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = tuple(FigureRow((f"z row {n}",), False) for n in range(12))
    low, high = (Figures(("z head",), (False,), rows, chart(h), "t.csv") for h in (150, 400))
    seen, really = list[int](), pdf_pages._Pages._chart

    def noted(self: pdf_pages._Pages, drawing: ChartDrawing) -> None:
        really(self, drawing)
        if not isinstance(self.canvas, pdf_pages._Blank):
            seen.append(self.page)

    monkeypatch.setattr(pdf_pages._Pages, "_chart", noted)
    parts: dict[int, set[tuple[int, ...]]] = {id(low): set(), id(high): set()}
    for lines in range(12, 45):
        for table in (low, high):
            found = pages_of(after(lines, table), "z ", monkeypatch)
            assert seen.pop() == min(found), "the page of the heading"
            parts[id(table)].add(tuple(found.values()))
    assert parts[id(low)] == {(1 + 1 + 12,)}, "a chart and its table are on one page"
    assert parts[id(high)] == {(1 + 1 + 12,), (1, 1 + 12)}, "beside a high chart, or whole behind"


def test_a_few_terms_stay_with_their_heading(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = Terms(tuple((f"z {n}", "text") for n in range(5)))
    for lines in range(12, 45):
        assert len(pages_of(after(lines, terms), "z ", monkeypatch)) == 1, lines


class _Paper:
    """What a table is written on; keeps each text with where it is written."""

    y = 800.0
    trailing = 0.0

    def __init__(self) -> None:
        self.texts: list[str] = []

    def room(self, height: float) -> bool:
        return False

    def write(self, _x: float, _y: float, text: str, *_more: object) -> None:
        self.texts.append(text)

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_more, **_named: None


def test_ten_columns_with_long_heads_are_set_smaller_and_no_word_is_broken() -> None:
    heads = (
        *("Sex", "Bis", "Ergebnis", "± 95 % (Prozentpunkte)", "Unteres Ende", "Oberes Ende"),
        *(
            "Ereignisse",
            "Zensiert",
            "Grundgesamtheit, unteres Ende",
            "Grundgesamtheit, oberes Ende",
        ),
    )
    row = FigureRow(("Women", "1.095", *["96,92 %"] * 8), is_noisy=False)
    figures = Figures(heads, (False, *[True] * 9), [row], None, "results/a.csv")
    paper = _Paper()
    table = TableOnPages(cast("Pages", paper), figures, [row])
    table.draw()
    assert table.size < TableOnPages.SIZES[0]
    words = {word for text in paper.texts for word in text.replace("\u00a0", " ").split()}
    assert words >= {word for head in heads for word in head.split()}
    assert "%" not in paper.texts, "it is beside its number"


def test_what_is_said_before_a_short_table_stays_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tuple(FigureRow((f"z row {n}",), False) for n in range(4))
    table = Figures(("z head",), (False,), rows, None, "t.csv")
    for above in range(12, 45, 3):
        blocks = (Paragraph("z said " + "word " * 90), table)
        assert len(pages_of(after(above, *blocks), "z ", monkeypatch)) == 1, above
