# SPDX-License-Identifier: Apache-2.0
"""The bundle's report.html: one page to read and print, which loads and runs nothing.

Every text is escaped, and a content security policy forbids scripts and requests even so. A text
that a spreadsheet would run gets the apostrophe that it has in a CSV file, too.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import singledispatch
from html import escape

from dpdesk.release.bundle.report.chart import svg
from dpdesk.release.bundle.report.report_blocks import (
    Blanks,
    Block,
    Figures,
    Paragraph,
    Report,
    Terms,
)
from dpdesk.study.text.spreadsheet_cells import neutral_in_page

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root{color-scheme:light dark;--text:#18202b;--quiet:#4e5866;--bg:#fff;--line:#dde1e7;
--accent:#0b6584;--warn:#855000}
@media (prefers-color-scheme:dark){:root{--text:#e9ecf0;--quiet:#a8b1be;--bg:#20252c;
--line:#343b45;--accent:#6cc5e3;--warn:#f0c069}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--bg);
max-width:52rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;overflow-wrap:anywhere}h2{overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2.2rem}
p.quiet,dt,caption{color:var(--quiet)}p.warn,p.doubt{color:var(--warn);font-weight:600}
table{border-collapse:collapse;margin:.8rem 0}
th,td{border-bottom:1px solid var(--line);padding:.25rem .8rem .25rem 0;text-align:left}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}
dd{margin:0;overflow-wrap:anywhere}
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:var(--text)}
tr.noisy td{color:var(--quiet);background:repeating-linear-gradient(135deg,var(--line) 0 1px,
transparent 1px 7px)}
svg .noisy .bar{stroke:var(--quiet);stroke-dasharray:4 3}svg .noisy .point{fill:var(--bg);
stroke:var(--quiet);stroke-dasharray:2 2}
.axis{stroke:var(--line)}.bar{stroke:var(--accent);stroke-width:2}.point{fill:var(--accent)}
@media print{section{break-inside:avoid}}
"""
_CLASSES = {"quiet": ' class="quiet"', "warn": ' class="warn"', "doubt": ' class="doubt"'}
_BOX, _LINE = "\N{BALLOT BOX}", 40 * "_"
_GREEK = str.maketrans({"ε": "&epsilon;", "δ": "&delta;", "ρ": "&rho;"})


_MADE_UP = """
:root{--second:#b85600}@media (prefers-color-scheme:dark){:root{--second:#f2a154}}
.mark{font-size:.8rem;font-weight:600;color:var(--second);border:1.5px dashed var(--second);
border-radius:1rem;padding:.1rem .6rem;margin-left:.6rem;white-space:nowrap;vertical-align:middle}
svg .made-up .bar{stroke-dasharray:4 3}svg .made-up .point{fill:var(--bg);stroke:var(--accent);
stroke-dasharray:2 2}
table{border:1.5px dashed var(--second)}td:first-child,th:first-child{padding-left:.6rem}
"""


def html_bytes(report: Report) -> bytes:
    stream = io.BytesIO()  # a page may have 30 MB: it is never in memory as a text, too
    for piece in _page(report):
        stream.write(piece.encode("utf-8"))
    return stream.getvalue()


def _page(report: Report) -> Iterator[str]:
    title, style, badge = _written(report.title), _STYLE, ""
    if report.mark:
        style += _MADE_UP
        title = f"{_written(report.mark)}: {title}"
        badge = f'<span class="mark">{_written(report.mark)}</span>'
    yield (
        f'<!DOCTYPE html>\n<html lang="{report.words.code}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n"
    )
    for paragraph in report.opening:
        yield from _block(paragraph)
    for section in report.sections:
        yield f"<section>\n<h2>{_written(section.title)}{badge}</h2>\n"
        for block in section.blocks:
            yield from _block(block)
        yield "</section>\n"
    yield "</body>\n</html>\n"


@singledispatch
def _block(block: Block) -> Iterator[str]:
    raise TypeError(block)


@_block.register
def _(block: Paragraph) -> Iterator[str]:
    text = _written(block.text)
    if block.tone == "cost":
        text = text.translate(_GREEK)
    yield f"<p{_CLASSES.get(block.tone, '')}>{text}</p>\n"


@_block.register
def _(block: Terms) -> Iterator[str]:
    items = "".join(f"<dt>{_written(a)}</dt><dd>{_written(b)}</dd>\n" for a, b in block.pairs)
    yield f"<dl>\n{items}</dl>\n"


@_block.register
def _(block: Figures) -> Iterator[str]:
    classes = [' class="number"' if numeric else "" for numeric in block.numeric]
    yield svg(block.chart, block.picture, block.is_made_up)
    yield f"<table>\n<thead><tr>{_cells('th', block.heads, classes)}</tr></thead>\n<tbody>\n"
    for row in block.rows:
        kind = ' class="noisy"' if row.is_noisy else ""
        yield f"<tr{kind}>{_cells('td', row.cells, classes)}</tr>\n"
    yield "</tbody>\n</table>\n"


@_block.register
def _(block: Blanks) -> Iterator[str]:
    yield from (f"<p>{_BOX} {_written(box)}</p>\n" for box in block.boxes)
    if block.lines:
        lines = "".join(f"<dt>{_written(line)}</dt><dd>{_LINE}</dd>\n" for line in block.lines)
        yield f"<dl>\n{lines}</dl>\n"


def _cells(tag: str, texts: tuple[str, ...], classes: list[str]) -> str:
    pairs = zip(texts, classes, strict=True)
    return "".join([f"<{tag}{kind}>{_written(text)}</{tag}>" for text, kind in pairs])


def _written(text: str) -> str:
    """A text, escaped, that no spreadsheet runs."""
    return escape(neutral_in_page(text))
