# SPDX-License-Identifier: Apache-2.0
"""What is pasted is a table, and none of its cells is markup or a command."""

from __future__ import annotations

from dpdesk.desk.pages.results.copied_table import as_latex, as_markdown

HEADS = ["Ward", "Mean, %"]
ROWS = [["A*b_c|<i>", "\N{MINUS SIGN}1 ± 3"], ["two\nlines", r"\input{x} & $y$ #1 ~^"]]


def test_markdown_is_a_table_and_no_cell_is_markup() -> None:
    assert as_markdown(HEADS, ROWS, {1}).splitlines() == [
        "| Ward | Mean, % |",
        "| :--- | ---: |",
        r"| A\*b\_c\|\<i\> | " + "\N{MINUS SIGN}1 ± 3 |",
        r"| two lines | \\input\{x\} & $y$ \#1 ~^ |",
    ]


def test_latex_is_a_tabular_and_runs_nothing() -> None:
    lines = as_latex(HEADS, ROWS, {1}).splitlines()
    assert lines[0] == r"\begin{tabular}{lr}" and lines[-1] == r"\end{tabular}"
    assert lines[2] == r"Ward & Mean, \% \\"
    assert lines[4] == r"A*b\_c|<i> & $-$1 $\pm$ 3 \\"
    assert lines[5] == (
        r"two lines & \textbackslash{}input\{x\} \& \$y\$ \#1 "
        r"\textasciitilde{}\textasciicircum{} \\"
    )
