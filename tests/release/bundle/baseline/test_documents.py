# SPDX-License-Identifier: Apache-2.0
"""No declared text means anything in Markdown or LaTeX, and a stranger's file may hold no other."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.bundle.baseline.documents import latex, markdown, word_page
from dpdesk.release.bundle.baseline.printed import PrintedCell, PrintedRow, PrintedTable
from dpdesk.release.verify.active_content import is_plain_latex, is_plain_markdown
from dpdesk.study.limits import is_printable_text
from tests.source_files import ROOT

TEXTS = st.text(max_size=12).filter(is_printable_text)


def table(text: str) -> PrintedTable:
    cell = PrintedCell(text, f"± {text}", is_noisy=True)
    rows = (PrintedRow(text), PrintedRow(text, (cell, cell), is_inner=True))
    return PrintedTable("table-1", "table-1", text, text, (text, text), (cell, cell), rows, (text,))


@given(TEXTS)
def test_whatever_is_declared_is_plain(text: str) -> None:
    assert is_plain_markdown(markdown(table(text)).encode())
    assert is_plain_latex(latex(table(text)).encode())


@given(TEXTS)
def test_a_page_for_word_processors_has_its_borders_and_runs_nothing(text: str) -> None:
    page = word_page(table(text)).decode()
    assert {tag for _end, tag in re.findall(r"<(/?)([a-z0-9]+)", page)} <= _WORD_TAGS
    head, *_inner, last = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    assert all("border-top:1pt solid" in cell for cell in re.findall(r"<th[^>]*>", head))
    for line in (head, last):
        cells = re.findall(r"<t[hd][^>]*>", line)
        assert len(cells) == 3 and all("border-bottom:1pt solid" in cell for cell in cells)


_WORD_TAGS = {"html", "head", "meta", "body", "p", "b", "br", "table", "tr", "th", "td"}


@given(TEXTS)
def test_every_row_has_every_cell(text: str) -> None:
    lines = [line for line in markdown(table(text)).splitlines() if line.startswith("| ")]
    bare = [line.replace("\\\\", "").replace("\\|", "") for line in lines]
    assert {line.count("|") for line in bare} == {4}


@pytest.mark.parametrize(
    "text",
    [
        "<script>x</script>",
        "[a](http://x)",
        "![a](x.png)",
        "a&#60;b",
        "`x`",
        "https://x.example",
        "www.x.example",
        "$\\href{x}{y}$",
        "\0",
    ],
)
def test_what_markdown_means_is_refused_of_strangers(text: str) -> None:
    assert not is_plain_markdown(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "\\input{secret}",
        "\\write18{rm}",
        "\\begin{filecontents}",
        "\\hlinex",
        "\\par@x",
        "^^5cinput",
        "\\csname input\\endcsname",
        "% comment",
        "#1",
        "~",
        "\\catcode",
    ],
)
def test_what_latex_runs_is_refused_of_strangers(text: str) -> None:
    assert not is_plain_latex(text.encode())


def test_bytes_that_are_no_text_are_refused() -> None:
    assert not is_plain_markdown(b"\xff")
    assert not is_plain_latex(b"\xff")


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Python before 3.11.5 takes the beginning of one that does not match: see ``pieces``."""
    repeated = re.compile(r"\)(?:[*+?]|\{[^}]*\})\+")
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "dpdesk").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"""(?<![a-z])r[bf]?["']|rb["']""", line) and repeated.search(line)
    }
    # Its groups end without a way back of their own: the same in both, 300,000 texts.
    assert found == {"dpdesk/data/files/csv/records.py"}
