# SPDX-License-Identifier: Apache-2.0
"""No mistake that the study can be refused for goes untested."""

import ast

from dpdesk.texts.problems import SENTENCES
from tests.source_files import ROOT, python_files
from tests.study.checks import (
    test_baseline_checks,
    test_comparison_checks,
    test_step_checks,
    test_study_checks,
    test_table_checks,
)
from tests.study.json import test_refusals, test_step_json

OF_CASES = (
    *test_step_checks.CASES,
    *test_table_checks.CASES,
    *test_baseline_checks.CASES,
    *test_comparison_checks.CASES,
)
ELSEWHERE = {
    "baseline-too-many-queries",
    "too-many-groupings",
    "column-twice",
    "query-twice",
    "number-too-long",
} | {
    "epsilon-not-positive",
    "extract-not-declared",
    "found-of-derived",
    "people-of-statistic",
    "people-wants-person-columns",
    "people-without-person",
    "step-without-person",
    "epsilon-too-fine",
    "rho-too-fine",
    "json-not-text",
    "json-too-large",
    "study-file-busy",
    "study-file-changed",
    "study-file-exists",
    "study-file-missing",
    "study-file-unreadable",
    "study-file-unwritable",
}
"""Codes with a test of their own instead of a line in a table."""


def codes_in_source() -> set[str]:
    """Texts of the study's modules that have a sentence; ``x-not-declared`` is put together."""
    texts = {
        node.value
        for path in python_files(str(ROOT / "dpdesk" / "study"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {text for text in texts if text in SENTENCES}


def codes_in_tables() -> set[str]:
    refusals = test_refusals.NOT_JSON + test_refusals.NOT_A_STUDY
    refusals = refusals + test_refusals.MEMBERS + test_refusals.VALUES
    checks = test_study_checks.DECLARED + test_study_checks.COLUMNS + test_study_checks.QUERIES
    steps = {code for _step, _path, code in test_step_json.REFUSED}
    return steps | {case.code for case in (*refusals, *checks, *OF_CASES)}


def test_every_code_has_its_case() -> None:
    assert len(codes_in_source()) > 50
    assert codes_in_source() - codes_in_tables() - ELSEWHERE == set()


def test_every_case_has_its_sentence() -> None:
    assert codes_in_tables() - SENTENCES.keys() == set()
