# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.threats`` writes ``docs/threats.md``: known attacks and the tests against each.

A test says with ``@pytest.mark.threat("A1")`` which failure it would notice. The list of failures
stands here; what no test of the suite can show has a sentence beside it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.source_files import ROOT, name_of, python_files

PAGE = ROOT / "docs" / "threats.md"

CHAPTERS = {
    "A": "Noise and arithmetic",
    "B": "What depends on the data and is not noise",
    "C": "The unit of privacy",
    "D": "Mechanisms",
    "E": "Accounts and ledger",
    "F": "What stays on the machine",
    "G": "Bundles and their verification",
    "H": "Libraries and builds",
}

THREATS = {
    "A1": "Gaps among floating-point outputs tell the answer",
    "A2": "The precision of an output tells the answer",
    "A3": "Running time tells the noise",
    "A4": "A sum wraps in its integer type",
    "A5": "The order of additions changes a sum",
    "A6": "Sensitivity for the wrong neighbours, or one that uses the number of rows",
    "A7": "Randomness that can be predicted or repeats",
    "A8": "Missing values, NaN and infinity show through",
    "A9": "Whole numbers of 32 bits by default",
    "A10": "The noise library accepts what lies outside its domain",
    "A11": "Dividing in floats charges less than is lost",
    "A12": "Theory of continuous noise applied to whole numbers",
    "A13": "The classical Gaussian formula beyond its range",
    "A14": "Rho converted to too small an epsilon",
    "A15": "Delta computed from the data, or too large",
    "A16": "A sampler that is biased",
    "A17": "Post-processing that looks at the true answer",
    "A18": "A scale of zero, of infinity or of no number",
    "B1": "Bounds, bins or categories taken from the data",
    "B2": "One cell changes how others are read",
    "B3": "Messages quote cells",
    "B4": "The number of rows is told",
    "B5": "The number of clipped, dropped or missing cells is told",
    "B6": "A digest of the data is published",
    "B7": "Groups that are published because somebody is in them",
    "B8": "Small groups hidden by their true counts",
    "B9": "Accuracy computed from the true answer",
    "B10": "Names, paths and times in a bundle's files",
    "B11": "The data decides what is computed or refused",
    "B12": "The data decides the order of lines",
    "B13": "Headers and cells of the file in exported texts",
    "B14": "A number that is declared public and is not",
    "C1": "One person has many rows",
    "C2": "One id written in several ways",
    "C3": "Rows without an id",
    "C4": "The rows kept of a person depend on their order or on others",
    "C5": "Conditions and derived columns that look at other people's rows",
    "C6": "Groups charged once although a person is in several",
    "C7": "The same people in another file",
    "C8": "Claims beyond what was proved",
    "D1": "A mean by the true number of rows, or with its budget unsplit",
    "D2": "A variance with an unbounded part",
    "D3": "A quantile's candidates taken from the data",
    "D4": "A choice priced as monotonic that is not",
    "D5": "A noisy maximum that tells its value or is priced wrongly",
    "D6": "Wrong versions of the sparse vector technique",
    "D7": "A histogram in which a person counts more often than declared",
    "D8": "One noise used for several answers",
    "E1": "Shares that do not add up under adaptive questions",
    "E2": "A budget that starts anew with the program",
    "E3": "Drawing again until the answer pleases",
    "E4": "Averaging the same question",
    "E5": "Budget given back",
    "E6": "An older copy of the ledger put back",
    "E7": "An edited copy of the data as new people",
    "E8": "Budget that depends on the clock",
    "E9": "Two programs spend the same budget",
    "E10": "A crash between noise and charge",
    "E11": "The data decides the cost",
    "E12": "Rounding and spelling of amounts",
    "F1": "Raw cells in temporary files",
    "F2": "Raw cells in logs and tracebacks",
    "F3": "Raw cells in crash dumps",
    "F4": "Raw cells in the clipboard",
    "F5": "The data's folder in settings and lists of recent files",
    "F6": "Thumbnails, search index, screenshots, synchronised folders",
    "F7": "Raw cells in what the database leaves behind",
    "F8": "Signing keys and passphrases that are easy to take",
    "F9": "Network connections",
    "F10": "Raw cells in plots, tooltips and what screen readers hear",
    "G1": "Texts that a spreadsheet runs",
    "G2": "Hostile zip files",
    "G3": "What is verified differs from what is read",
    "G4": "Another key, or a weak one",
    "G5": "A key that comes in the bundle is trusted",
    "G6": "A signature made for another use",
    "G7": "JSON that two readers read in two ways",
    "G8": "Files that nobody signed",
    "G9": "Old, missing or forked bundles",
    "G10": "A report that does something",
    "G11": "What is signed differs from what was reviewed",
    "G12": "A bundle's texts imitate the verifier",
    "H1": "Another noise library in place of the right one",
    "H2": "A library's new version behaves otherwise",
    "H3": "Unproved features of the noise library switched on",
    "H4": "Functions of the noise library that claim too little",
    "H5": "Installers and packages that were exchanged",
}

WHY_NOT = {
    "A3": "Draws take different times, and no test claims otherwise: whoever uses the computer "
    "while it draws is not protected against. A bundle has no durations.",
    "B14": "The one such number, that of people where neighbours replace each other, is declared "
    "by the custodian and named in the bundle as taken for granted; nobody can test that it is "
    "public.",
    "D6": "The program does not have it.",
    "E6": "Whoever puts back ledger, second record and all bundles together is noticed by "
    "recipients alone, who hold earlier bundles.",
    "F1": "What the operating system writes to its swap file is not in the program's hands: the "
    "disk is to be encrypted.",
    "F6": "Screenshots, thumbnails and the search index belong to the operating system: the window "
    "does not keep others from taking its picture, and no test opens a desktop's index. A "
    "folder that is synchronised is known by names and marks, of which no list is complete.",
    "H1": "Whoever may change the whole program may change the list too; whether a package is the "
    "published one is seen from the digest published beside it.",
    "H5": "Packages are not signed by a publisher; their digests are published beside them. Two "
    "builds are compared by `packaging/build.py compare`, which takes minutes.",
}


class Marked(NamedTuple):
    """A test and a threat that it answers."""

    threat: str
    file: str
    test: str


@cache
def marked() -> tuple[Marked, ...]:
    """All that the tests' marks say, by file and line."""
    files = [path for path in python_files("tests") if path.name.startswith("test_")]
    return tuple(
        Marked(threat, name_of(path), test)
        for path in files
        for threat, test in marks(path.read_text(encoding="utf-8"))
    )


def marks(source: str) -> Iterator[tuple[str, str]]:
    """Threat and test of each mark in a source.

    >>> list(marks('@pytest.mark.threat("A1", "B2")\\ndef test_it(): ...'))
    [('A1', 'test_it'), ('B2', 'test_it')]
    """
    if ".threat(" not in source:  # as in most files
        return
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and _is_mark(decorator.func):
                    yield from ((ast.literal_eval(arg), node.name) for arg in decorator.args)


def _is_mark(function: ast.expr) -> bool:
    return ast.unparse(function) == "pytest.mark.threat"


def answer(threat: str) -> str:
    """What a line of the page says of a threat: its tests, then the sentence."""
    tests = [f"[{words(m.test)}](../{m.file})" for m in marked() if m.threat == threat]
    return "<br>".join([*tests, *([WHY_NOT[threat]] if threat in WHY_NOT else [])])


def words(test: str) -> str:
    """A test's name as people read it.

    >>> words("test_no_row_is_lost")
    'no row is lost'
    """
    return test.removeprefix("test_").replace("_", " ")


def page() -> str:
    """The page as Markdown."""
    lines = [
        "# Known attacks on differential privacy, and the tests against them",
        "",
        "How programs of this kind were broken or claimed too much, and which tests would notice "
        "it here. Made by `python -m tests.threats` from the marks of the tests.",
    ]
    for letter, title in CHAPTERS.items():
        lines += ["", f"## {letter}. {title}", "", "| | failure | tests |", "|---|---|---|"]
        lines += [
            f"| {threat} | {words} | {answer(threat)} |"
            for threat, words in THREATS.items()
            if threat[0] == letter
        ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
