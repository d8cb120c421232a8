# SPDX-License-Identifier: Apache-2.0
"""The walks of five acts: what is counted, and that each act still runs."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.model.columns import CategoryColumn, plain_name
from tests.source_files import ROOT
from tests.walks import ACTS, Step, Walk, walk, walked

MOST_FUNCTIONS, MOST_CALLS = 300, 1_000
"""Of one key pressed: an edit renders only what it changed."""

WALK = Walk(
    (
        Step("a", "begin", ()),
        Step("b", "work", ("a",)),
        Step("a", "helped", ("a", "b")),
        Step("b", "again", ("a",)),
        Step("b", "again", ("a", "b")),
        Step("c", "end", ("a",)),
    )
)


def test_a_walk_that_goes_back_is_counted() -> None:
    assert dict(WALK.returns) == {"a": 1, "b": 1}
    assert dict(WALK.call_backs) == {"b -> a": 1}
    assert WALK.summary() == "functions 5, modules 3, calls 6, returns 2, call-backs 1"


def test_calls_in_other_threads_are_noted() -> None:
    def act() -> None:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(plain_name, " a ").result() == plain_name(" a ")

    assert [step[:2] for step in walked(act).steps] == [("study.model.columns", "plain_name")] * 2


def test_a_generator_is_noted_once() -> None:
    steps = walked(lambda: list(check_column(CategoryColumn("", labels=("b",)), "$"))).steps
    assert [step.function for step in steps].count("check_column") == 1


@pytest.mark.parametrize("name", [name for name in ACTS if name != "edit"])
def test_an_act_is_walked(name: str) -> None:
    assert len(walk(name).functions) > 5


def test_an_edit_is_walked_from_the_key_to_the_gauge() -> None:
    """In a process of its own: it makes an application and a window."""
    command = [sys.executable, "-m", "tests.walks", "edit", "--steps"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "BudgetFields._step_share" in printed and "BudgetGauge.set_parts" in printed
    steps = [line for line in printed.splitlines() if line.startswith("    ")]
    functions = {line.strip() for line in steps}
    assert len(functions) <= MOST_FUNCTIONS and len(steps) <= MOST_CALLS, "renders what is the same"
