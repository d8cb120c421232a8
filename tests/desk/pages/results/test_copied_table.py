# SPDX-License-Identifier: Apache-2.0
"""What is pasted is a table, and none of its cells is markup or a command."""

from __future__ import annotations

from dpdesk.desk.pages.results.copied_table import CopiedCells, as_latex, as_markdown
from dpdesk.desk.widgets.tables.copied_text import copied_text

HEADS = ["Ward", "Mean, %"]
ROWS = [["A*b_c|<i>", "\N{MINUS SIGN}1 ± 3"], ["two\nlines", r"\input{x} & $y$ #1 ~^"]]


def test_markdown_is_a_table_and_no_cell_is_markup() -> None:
    assert as_markdown(CopiedCells(HEADS, ROWS, {1})).splitlines() == [
        "| Ward | Mean, % |",
        "| :--- | ---: |",
        r"| A\*b\_c\|\<i\> | " + "\N{MINUS SIGN}1 ± 3 |",
        r"| two lines | \\input\{x\} \& \$y\$ \#1 \~^ |",
    ]


def test_latex_is_a_tabular_and_runs_nothing() -> None:
    lines = as_latex(CopiedCells(HEADS, ROWS, {1})).splitlines()
    assert lines[0] == r"\begin{tabular}{lr}" and lines[-1] == r"\end{tabular}"
    assert lines[2] == r"Ward & Mean, \% \\"
    assert lines[4] == r"A{*}b\_c\textbar{}\textless{}i\textgreater{} & $-$1 $\pm$ 3 \\"
    assert lines[5] == (
        r"two lines & \textbackslash{}input\{x\} \& \$y\$ \#1 "
        r"\textasciitilde{}\textasciicircum{} \\"
    )


def test_a_name_is_neither_an_argument_of_a_line_nor_a_sign_of_html() -> None:
    """After a line end ``[18,65)`` is a length, and ``&lt;5`` in Markdown is ``<5``."""
    rows = [["[18,65)", "1"], ["* all", "2"], ["&lt;5", "3"], ['5---9 "mg"', "4"]]
    lines = as_latex(CopiedCells(HEADS, rows, {1})).splitlines()[4:-2]
    assert lines == [
        r"{[}18,65) & 1 \\",
        r"{*} all & 2 \\",
        r"\&lt;5 & 3 \\",
        r"5-{}-{}-9 \symbol{34}mg\symbol{34} & 4 \\",
    ]
    assert r"| \&lt;5 | 3 |" in as_markdown(CopiedCells(HEADS, rows, {1}))


def test_a_quoted_formula_is_not_run_where_it_is_pasted() -> None:
    assert copied_text(['"=1+1"'], [('a "b"',)]) == '\'"=1+1"\na "b"\n'
