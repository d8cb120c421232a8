# SPDX-License-Identifier: Apache-2.0
"""A table as text for other programs: Markdown and LaTeX; spreadsheets take tabs."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "\N{MINUS SIGN}": "$-$",
    # Taken for an argument or a star of the line end before, were they the first of a row.
    "[": "{[}",
    "*": "{*}",
    # Other signs in LaTeX's own encoding of letters; a quote is a command in some languages.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|&~$!])")


@dataclass(frozen=True)
class CopiedCells:
    """A table as it is copied.

    Attributes:
        heads: one a column.
        rows: cells, texts.
        right: columns of numbers.
        note: what is below the table wherever it is copied to.
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Collection[int]
    note: str = ""


def as_markdown(cells: CopiedCells) -> str:
    """A table of GitHub's Markdown; what could be markup is escaped."""
    marks = ["---:" if place in cells.right else ":---" for place in range(len(cells.heads))]
    lines = [_plain_cells(cells.heads), marks, *map(_plain_cells, cells.rows)]
    below = f"\n{_plain_cells([cells.note])[0]}\n" if cells.note else ""
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + below


def _plain_cells(texts: Sequence[str]) -> list[str]:
    return [_MARKUP.sub(r"\\\1", " ".join(cell.split())) for cell in texts]


def as_latex(cells: CopiedCells) -> str:
    """A ``tabular``; what LaTeX would run or misread is escaped."""
    columns = "".join("r" if place in cells.right else "l" for place in range(len(cells.heads)))
    lines = [r"\begin{tabular}{" + columns + "}", r"\hline", _latex_line(cells.heads), r"\hline"]
    lines += [_latex_line(row) for row in cells.rows]
    below = ["", _latex_text(cells.note), ""] if cells.note else [""]
    return "\n".join([*lines, r"\hline", r"\end{tabular}", *below])


def _latex_line(cells: Sequence[str]) -> str:
    return " & ".join(map(_latex_text, cells)) + r" \\"


def _latex_text(text: str) -> str:
    escaped = _SPECIAL.sub(lambda found: _LATEX[found[0]], " ".join(text.split()))
    # Two hyphens would make a longer line.
    return re.sub("-(?=-)", "-{}", escaped)
