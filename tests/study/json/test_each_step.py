# SPDX-License-Identifier: Apache-2.0
"""Each step has its place in every table of steps: a new one is missed nowhere."""

from __future__ import annotations

from typing import get_args

import pytest

from dpdesk.data.preparation import row_steps
from dpdesk.study.checks import step_checks
from dpdesk.study.json.step_json import FORMS
from dpdesk.study.model.steps import result
from dpdesk.study.model.steps.step import STEPS, CodePrefix, FileLabel, PersonStep, Step
from dpdesk.study.text import step_titles

TABLES = {
    "its form in JSON": FORMS.keys(),
    "what it can give": result._RESULTS.keys(),
    "what is refused": step_checks._CHECKS.keys(),
    "its sentence": step_titles._SAID.keys(),
    # Codes are read by their column's parser, labels given by ``encode``, and rows of a person by
    # ``person_steps``.
    "how it is made": {*row_steps._COMPILE, CodePrefix, FileLabel, *get_args(PersonStep)},
}


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_each_step_is_treated_everywhere(step: type[Step]) -> None:
    assert [what for what, known in TABLES.items() if step not in known] == []
