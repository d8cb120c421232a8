# SPDX-License-Identifier: Apache-2.0
r"""A Table 1 as files: CSV with every figure and margin, Markdown and LaTeX as journals print it.

Declared texts are in them, which nobody may run: a table's cells are made neutral for spreadsheets,
in Markdown and LaTeX each sign that means something is escaped.

>>> markdown_text("a*b|<i>[x](y)"), latex_text("50 % of A_1 \\input{x}")
('a\\*b\\|\\<i\\>\\[x\\](y)', '50 \\% of A\\_1 \\textbackslash{}input\\{x\\}')
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.usable import NO, YES
from dpdesk.release.bundle.baseline.layout import OVERALL, BaselineLayout, BaselineRow, ShownFigure
from dpdesk.release.bundle.baseline.printed import PrintedCell, PrintedRow, PrintedTable
from dpdesk.release.bundle.csv_format import csv_bytes
from dpdesk.study.model.baseline.declared import Figures
from dpdesk.study.text.spreadsheet_cells import neutral, neutral_in_page

FOLDER: Final = "tables"
ENDINGS: Final = ("csv", "md", "tex")

_FIGURES: Final[Mapping[Figures, tuple[str, ...]]] = {
    "rows": ("n",),
    "counts": ("n", "percent"),
    "moments": ("mean", "standard_deviation"),
    "quantiles": ("median", "lower_quartile", "upper_quartile"),
    "missing": ("n_missing", "percent_missing"),
}
_ABOVE, _BELOW = "border-top:1pt solid #000000;", "border-bottom:1pt solid #000000;"
_RULED: Final = f"{_ABOVE}{_BELOW}font-weight:normal;"
_WORD_HEAD: Final = (
    '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n</head>\n'
    '<body style="font-family:sans-serif;font-size:10pt">\n'
)
_WORD_TABLE: Final = '<table cellspacing="0" style="border-collapse:collapse;font-size:9pt">'
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&@$^]|:(?=//)|(?<=[wW])\.)")
_LATEX: Final = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{MINUS SIGN}": r"$-$",
    "[": "{[}",
    "]": "{]}",
    "*": r"$\ast$",
}


def documents(layout: BaselineLayout, table: PrintedTable) -> dict[str, bytes]:
    """The files of one table, by name."""
    contents = csv_bytes(data_table(layout)), markdown(table).encode(), latex(table).encode()
    return dict(zip(file_names(table.file_name), contents, strict=True))


def file_names(table: str) -> tuple[str, ...]:
    """The names of one table's files: CSV, Markdown, LaTeX.

    >>> file_names("table-1")
    ('tables/table-1.csv', 'tables/table-1.md', 'tables/table-1.tex')
    """
    return tuple(f"{FOLDER}/{table}.{ending}" for ending in ENDINGS)


def data_table(layout: BaselineLayout) -> Table:
    """One line a figure: for programs, with every margin."""
    heads = ("characteristic", "category", "group", "figure")
    columns = (
        *(TableColumn(name, "group", "", "") for name in heads),
        TableColumn("value", "value", "", ""),
        TableColumn("half_width_95", "half-width", "", ""),
        TableColumn("rows_off_95", "score-bound", "", ""),
        TableColumn("too_noisy", "mark", "", ""),
    )
    return Table(layout.table.id, "", columns, tuple(_lines(layout)))


def _lines(layout: BaselineLayout) -> Iterator[tuple[str, ...]]:
    head = BaselineRow(-1, "rows", "", layout.heads)
    for row in (head, *layout.rows):
        about = "" if row is head else layout.table.characteristics[row.place].column
        for group, cell in zip(layout.columns, row.cells, strict=True):
            names = _FIGURES[row.figures]
            for name, one in zip(names, (cell.main, *cell.beside), strict=False):
                mark = YES if one.is_noisy else NO
                labels = (about, row.label, group if group != OVERALL else "(overall)", name)
                yield (*labels, one.value, *_margins(row.figures, one), mark)


def _margins(figures: Figures, one: ShownFigure) -> tuple[str, str]:
    """A figure's margin, and that of a rank."""
    return ("", one.half_width) if figures == "quantiles" else (one.half_width, "")


def markdown(table: PrintedTable) -> str:
    """A table of GitHub's Markdown, with its title above and its notes below."""
    heads = ["", *(f"**{markdown_text(one)}**" for one in table.columns)]
    counts = ["", *(markdown_text(one.whole) for one in table.heads)]
    lines = [heads, [":--", *["--:"] * len(table.columns)], counts]
    lines += [_markdown_row(row, len(table.columns)) for row in table.rows]
    rows = [f"| {' | '.join(line)} |" for line in lines]
    notes = [markdown_text(note) for note in table.all_notes]
    return "\n".join([f"**{markdown_text(table.title)}**", "", *rows, "", *_spaced(notes)]) + "\n"


def _markdown_row(row: PrintedRow, columns: int) -> list[str]:
    stub = markdown_text(row.stub)
    stub = f"&nbsp;&nbsp;{stub}" if row.is_inner else f"**{stub}**"
    cells = [markdown_text(cell.whole) for cell in row.cells]
    return [stub, *(cells or [""] * columns)]


def _spaced(notes: list[str]) -> list[str]:
    """A paragraph each."""
    return "\n\n".join(notes).split("\n")


def markdown_text(text: str) -> str:
    """A text in which no sign means anything; a spreadsheet does not run it, either."""
    return _MARKDOWN.sub(r"\\\1", neutral(text))


def latex(table: PrintedTable) -> str:
    """A table environment that needs no package."""
    columns = "r" * len(table.columns)
    heads = " & ".join(["", *(latex_text(one) for one in table.columns)])
    counts = " & ".join(["", *(latex_text(one.whole) for one in table.heads)])
    rows = [_latex_row(row, len(table.columns)) for row in table.rows]
    notes = [latex_text(note) for note in table.all_notes]
    lines = [
        r"\begin{table}",
        rf"\caption{{{latex_text(table.title)}}}",
        rf"\begin{{tabular}}{{l{columns}}}",
        r"\hline",
        rf"{heads} \\",
        rf"{counts} \\",
        r"\hline",
        *rows,
        r"\hline",
        r"\end{tabular}",
        *(rf"\par {note}" for note in notes),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def word_page(table: PrintedTable) -> bytes:
    """A page with the table alone, whose borders word processors take over.

    Rules are above and below the head and below the last row, as journals have them; they are said
    at each cell, because word processors read no classes.
    """
    heads = [("", PrintedCell("")), *zip(table.columns, table.heads, strict=True)]
    last = len(table.rows) - 1
    head = "".join(
        _cell("th", f"<b>{_plain(name)}</b><br>{_together(count)}", _RULED, place > 0)
        for place, (name, count) in enumerate(heads)
    )
    rows = (
        _word_row(row, len(table.columns), _BELOW if at == last else "")
        for at, row in enumerate(table.rows)
    )
    notes = "".join(f"<p>{_plain(note)}</p>\n" for note in table.all_notes)
    return (
        f"{_WORD_HEAD}<p><b>{_plain(table.title)}</b></p>\n{_WORD_TABLE}\n<tr>{head}</tr>\n"
        f"{''.join(rows)}</table>\n{notes}</body>\n</html>\n"
    ).encode()


def _word_row(row: PrintedRow, columns: int, border: str) -> str:
    stub = f"&nbsp;&nbsp;&nbsp;{_plain(row.stub)}" if row.is_inner else f"<b>{_plain(row.stub)}</b>"
    shown = [*row.cells] or [PrintedCell("")] * columns
    cells = "".join(_cell("td", _together(cell), border, is_number=True) for cell in shown)
    return f"<tr>{_cell('td', stub, border, is_number=False)}{cells}</tr>\n"


def _cell(tag: str, content: str, border: str, is_number: bool) -> str:
    align = "right" if is_number else "left"
    return f'<{tag} align="{align}" style="{border}padding:2pt 6pt">{content}</{tag}>'


def _together(cell: PrintedCell) -> str:
    """A cell that is broken before its margin alone."""
    parts = (_plain(text).replace(" ", "&nbsp;") for text in (cell.text, cell.margin_only) if text)
    return " ".join(parts)


def _plain(text: str) -> str:
    return escape(neutral_in_page(text))


def _latex_row(row: PrintedRow, columns: int) -> str:
    stub = latex_text(row.stub)
    stub = rf"\quad {stub}" if row.is_inner else rf"\textbf{{{stub}}}"
    cells: list[PrintedCell | None] = [*row.cells] or [None] * columns
    texts = (latex_text(cell.whole) if cell else "" for cell in cells)
    return rf"{' & '.join((stub, *texts))} \\"


def latex_text(text: str) -> str:
    """A text in which no sign means anything."""
    return "".join(_LATEX.get(sign, sign) for sign in neutral(text))
