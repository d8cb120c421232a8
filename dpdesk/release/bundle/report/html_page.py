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

from dpdesk.release.bundle.report.report_blocks import (
    HATCHED,
    Blanks,
    Block,
    CrossCell,
    CrossFigures,
    Figures,
    KeyFigures,
    Paragraph,
    ReadingBox,
    Report,
    Section,
    Terms,
)
from dpdesk.release.bundle.report.svg_drawing import STYLE as DRAWN
from dpdesk.release.bundle.report.svg_drawing import still, svg
from dpdesk.release.bundle.text_setting import bound
from dpdesk.study.text.spreadsheet_cells import neutral_in_page

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root{color-scheme:light dark;--text:#18202b;--quiet:#4e5866;--bg:#fff;--line:#dde1e7;
--accent:#0b6584;--second:#b85600;--third:#5a4a9c;--band:#d0e4ec;--second-band:#f5e0cc;
--third-band:#dfdaf0;--shade:#f1f3f5;--warn:#855000}
@media (prefers-color-scheme:dark){:root{--text:#e9ecf0;--quiet:#a8b1be;--bg:#20252c;
--line:#343b45;--accent:#6cc5e3;--second:#f2a154;--third:#b9a8f5;--band:#1f4658;--second-band:#573b1e;
--third-band:#3d3566;--shade:#2a3038;--warn:#f0c069}}
body{font:15px/1.5 Inter,system-ui,sans-serif;color:var(--text);background:var(--bg);
max-width:56rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 .8rem;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin-top:2.4rem;overflow-wrap:anywhere}p.author{color:var(--quiet);margin:0}
p.heading{font-weight:600;margin:1.4rem 0 0}
p.quiet,dt,caption{color:var(--quiet)}section>p.quiet{font-size:.87rem}p.warn,p.doubt{color:var(--warn);font-weight:600}
table{border-collapse:collapse;margin:.8rem 0}
thead th{border-bottom:1.5px solid var(--text);font-weight:400;color:var(--quiet);
vertical-align:bottom}
th,td{border-bottom:1px solid var(--line);padding:.3rem .8rem .3rem .4rem;text-align:left}
thead th{white-space:pre-line}
.below .margin{display:block;margin:0}.below tbody th{min-width:10rem}
tbody th{font-weight:400}tr.total th,tr.total td b{font-weight:600}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}td.number{white-space:nowrap}
td.cell{text-align:right;font-variant-numeric:tabular-nums}
td.cell b,td.cell span{display:inline-block;white-space:nowrap}
.wide{overflow-x:auto}.contents{margin:1rem 0}.contents p{font-weight:600;margin:0}
.contents ul{list-style:none;margin:.3rem 0;padding:0;columns:22rem}.contents a{color:var(--accent)}
td.cell b{font-weight:600}td.cell small{color:var(--quiet)}
.margin{color:var(--quiet);font-size:.8rem;margin-left:.4rem}
.sum,tr.total td,tr.total th{background:var(--shade)}tr.total td,tr.total th{
border-bottom:1.5px solid var(--text)}
dl{display:grid;grid-template-columns:fit-content(14rem) 1fr;gap:.2rem 1.2rem}
dd{margin:0;overflow-wrap:anywhere}
dl.facts{display:flex;flex-wrap:wrap;gap:.2rem 2.2rem;border-top:1.5px solid var(--text);
border-bottom:1px solid var(--line);padding:.7rem 0}dl.facts div dd{font-weight:600}
.read{border:1px solid var(--quiet);border-radius:8px;padding:.8rem 1.2rem;margin:1rem 0}
.read p{font-weight:600;margin:0 0 .4rem}.read dl{margin:0}.read dt{color:var(--accent);
font-weight:600;min-width:1.4rem;text-align:center}
.keys{display:flex;flex-wrap:wrap;gap:.8rem;margin:1rem 0}
.keys div{border:1px solid var(--line);border-top:3px solid var(--accent);border-radius:3px;
padding:.6rem .9rem;min-width:9rem;flex:1}.keys p{margin:0}.keys p.big{font-size:1.6rem;
font-weight:600;line-height:1.3}
tr.noisy td,td.noisy,tr.total td.noisy,p.noisy,dt.noisy{background:repeating-linear-gradient(135deg,
var(--quiet) 0 .6px,transparent .6px 6px)}
tr.noisy td span,td.noisy span,p.noisy span{background:var(--bg);padding:0 .15rem}
td.h1{background:color-mix(in srgb,var(--band) 20%,var(--bg))}
td.h2{background:color-mix(in srgb,var(--band) 40%,var(--bg))}
td.h3{background:color-mix(in srgb,var(--band) 60%,var(--bg))}
td.h4{background:color-mix(in srgb,var(--band) 80%,var(--bg))}td.h5{background:var(--band)}
@media print{@page{margin:15mm 14mm}html{font-size:12px}
body{font-size:.85rem;line-height:1.4;max-width:none;margin:0;padding:0;print-color-adjust:exact}
h2,p.heading,h2+p,h2+p+p,h2+p+p+p,section>svg:has(+.wide){break-after:avoid}
h2{margin-top:1.4rem}p{orphans:3;widows:3;margin:.5rem 0}
p.quiet{font-size:.75rem}table{font-size:.75rem;margin:.5rem 0}
th,td{padding:.15rem .5rem .15rem .3rem}
.wide{overflow:visible}svg,tr,.read,.keys,.facts,.wide:not(:has(tr:nth-child(17))){break-inside:avoid}
dl{gap:.1rem 1rem}}
@media screen and (max-width:56rem){section{overflow-x:auto}section svg{max-width:none}}
"""
_HEATS = 5
_TABLE, _TABLE_END = '<div class="wide"><table>', "</table></div>"
"""A table that is wider than the page scrolls by itself."""
_BELOW = '<div class="wide"><table class="below">'
_MANY, _LONG = 5, 12
"""Of so many columns, or with a longer margin, the margins of a cross-table are below figures."""
_CLASSES = {tone: f' class="{tone}"' for tone in ("quiet", "warn", "doubt", "heading")}
_BOX, _LINE = "\N{BALLOT BOX}", 40 * "_"
_GREEK = str.maketrans({"ε": "&epsilon;", "δ": "&delta;", "ρ": "&rho;"})


_MADE_UP = """
.mark{font-size:.8rem;font-weight:600;color:var(--second);border:1.5px dashed var(--second);
border-radius:1rem;padding:.1rem .6rem;margin-left:.6rem;white-space:nowrap;vertical-align:middle}
table{border:1.5px dashed var(--second)}td:first-child,th:first-child{padding-left:.6rem}
"""


def html_bytes(report: Report) -> bytes:
    stream = io.BytesIO()  # a page may have 30 MB: it is never in memory as a text, too
    for piece in _page(report):
        stream.write(piece.encode("utf-8"))
    return stream.getvalue()


def _page(report: Report) -> Iterator[str]:
    title, style, badge = _written(report.title), _STYLE + DRAWN, ""
    if report.mark:
        style += _MADE_UP
        title = f"{_written(report.mark)}: {title}"
        badge = f'<span class="mark">{_written(report.mark)}</span>'
    yield (
        f'<!DOCTYPE html>\n<html lang="{report.words.code}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )
    if report.facts and report.author:
        yield f'<p class="author">{_written(report.author)}</p>\n'
    yield f"<h1>{title}</h1>\n"
    yield from _facts(report.facts)
    yield from _contents(report)
    for opening in report.opening:
        yield from _block(opening)
    for section in report.sections:
        place = f' id="{_place(section)}"' if section.number else ""
        yield f"<section{place}>\n<h2>{_numbered(section)}{badge}</h2>\n"
        for block in section.blocks:
            yield from _block(block)
        yield "</section>\n"
    yield "</body>\n</html>\n"


def _facts(facts: tuple[tuple[str, str], ...]) -> Iterator[str]:
    if facts:
        pairs = (f"<div><dt>{_written(a)}</dt><dd>{_written(b)}</dd></div>\n" for a, b in facts)
        yield f'<dl class="facts">\n{"".join(pairs)}</dl>\n'


def _contents(report: Report) -> Iterator[str]:
    """The numbered sections, each with a link to it within the page."""
    if report.listed:
        links = (
            f'<li><a href="#{_place(one)}">{_numbered(one)}</a></li>\n' for one in report.listed
        )
        yield f'<div class="contents">\n<p>{_written(report.contents)}</p>\n'
        yield f"<ul>\n{''.join(links)}</ul></div>\n"


def _place(section: Section) -> str:
    return f"s{section.number}"


def _numbered(section: Section) -> str:
    """A heading behind its number, in one text: what begins with a number runs nowhere."""
    return _written(f"{section.number} {section.title}" if section.number else section.title)


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
    if block.chart is not None:
        yield svg(block.chart)
    if not block.heads:
        return
    yield f"{_TABLE}\n<thead><tr>{_cells('th', block.heads, classes)}</tr></thead>\n<tbody>\n"
    for row in block.rows:
        kind = ' class="noisy"' if row.is_noisy else ""
        yield f"<tr{kind}>{_cells('td', row.cells, classes)}</tr>\n"
    yield f"</tbody>\n{_TABLE_END}\n"


@_block.register
def _(block: CrossFigures) -> Iterator[str]:
    kinds = _column_classes(block, ' class="number sum"', ' class="number"')
    pairs = zip(kinds, block.heads, strict=True)
    if block.plain.chart is not None:
        yield svg(block.plain.chart)
    heads = "".join(f"<th{kind}>{_written(head)}</th>" for kind, head in pairs)
    yield f"{_BELOW if _is_below(block) else _TABLE}\n<thead>"
    if block.across:
        yield f'<tr><th></th><th colspan="{len(block.heads)}">{_written(block.across)}</th></tr>\n'
    yield f"<tr><th>{_written(block.corner)}</th>{heads}</tr></thead>\n<tbody>\n"
    for line in block.lines:
        kind = ' class="total"' if line.is_total else ""
        sums = _column_classes(block, " sum", "")
        cells = "".join(_cross_cell(*pair) for pair in zip(line.cells, sums, strict=True))
        yield f"<tr{kind}><th>{_written(line.name)}</th>{cells}</tr>\n"
    yield f"</tbody>\n{_TABLE_END}\n"


def _is_below(block: CrossFigures) -> bool:
    longest = max(len(cell.margin) for line in block.lines for cell in line.cells)
    return longest > _LONG or (len(block.heads) >= _MANY and not block.has_totals)


def _column_classes(block: CrossFigures, total: str, other: str) -> list[str]:
    """The total's class for the last column of a table with totals, the other one for others."""
    last = len(block.heads) - 1
    return [total if block.has_totals and at == last else other for at in range(last + 1)]


def _cross_cell(cell: CrossCell, more: str) -> str:
    heat = "" if cell.heat is None else f" h{min(_HEATS, 1 + int(cell.heat * _HEATS))}"
    kind = f"cell{heat}{' noisy' if cell.is_noisy else more}"
    tag = "span" if cell.is_noisy else "b"
    figure, said = (escape(bound(still(one))) for one in (cell.figure, cell.margin))
    margin = f'<span class="margin">{said}</span>' if said else ""
    return f'<td class="{kind}"><{tag}>{figure}</{tag}>{margin}</td>'


@_block.register
def _(block: KeyFigures) -> Iterator[str]:
    yield '<div class="keys">\n'
    for one in block.figures:
        kind = "big noisy" if one.is_noisy else "big"
        yield (
            f"<div><p>{_written(one.title)}</p>"
            f'<p class="{kind}"><span>{escape(bound(still(one.figure)))}</span></p>'
            f'<p class="quiet">{_written(one.margin)}</p></div>\n'
        )
    yield "</div>\n"


@_block.register
def _(block: ReadingBox) -> Iterator[str]:
    lines = (_reading(sign, text) for sign, text in block.lines)
    yield f'<div class="read">\n<p>{_written(block.title)}</p>\n'
    yield f"<dl>\n{''.join(lines)}</dl></div>\n"


def _reading(sign: str, text: str) -> str:
    term = '<dt class="noisy"></dt>' if sign == HATCHED else f"<dt>{_written(sign)}</dt>"
    return f"{term}<dd>{_written(text)}</dd>\n"


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
    """A text, escaped, that no spreadsheet runs; signs stay on the lines of their numbers."""
    return escape(bound(neutral_in_page(text)))
