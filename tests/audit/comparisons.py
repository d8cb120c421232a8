# SPDX-License-Identifier: Apache-2.0
"""Comparisons of groups: their intervals hold, and groups that are alike are seldom told apart.

Two groups have equally many people, each as chance has it. Of many releases 19 in 20 should have an
interval that holds the difference, which is 0, and a p-value above 5 %; fewer are found where
chance alone does that less than once in ten million looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.group_comparisons import null_tables
from dpdesk.privacy.group_comparisons.compared import with_comparisons
from dpdesk.privacy.published_tables import Table, table
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.unit import Unit
from tests.acceptance.accuracy.coverage import at_least
from tests.privacy.population.test_counts_and_shares import draws
from tests.release.test_consistent_release import study_of

RARE = 1e-7
RELEASES, MEAN = 400, 120
COUNT = Query("q", by=("sex",), comparisons=(GroupComparison("sex", "groups", "f"),))


SHARE = Query(
    *("q", "share", PropertyParameters((IsIn("ward", ("A",)),)), ("sex", "icu")),
    comparisons=(GroupComparison("sex", "model", "f"),),
)
ROWS, PART = 300, 0.5


def model_findings(_folder: Path) -> Iterator[str]:
    """Of both sexes in both groups of the other grouping half have the property."""
    study = replace(study_of(Epsilon.of("0.1"), SHARE), unit=Unit())
    plan, dice = compile_query(study, study.queries[0]), np.random.default_rng(43)
    missed = {"interval of an effect": 0, "p-value of an effect": 0}
    for _ in range(RELEASES):
        having = dice.binomial(ROWS, PART, 4)
        counts = np.stack([ROWS - having, having], axis=1).ravel()
        noisy = (tuple((counts + draws(dice, plan.parts[0].noise, 8)).tolist()),)
        line = _line(with_comparisons(table(study, plan, noisy), plan, noisy))
        low, high = (float(line[f"population_{end}_95"]) for end in ("lowest", "highest"))
        missed["interval of an effect"] += not low <= 1 <= high
        missed["p-value of an effect"] += line["p_value"] != "" and float(line["p_value"]) <= 0.05
    for name, many in missed.items():
        if at_least(many, RELEASES, 0.05) < RARE:
            yield f"{name}: {many} of {RELEASES} are wrong"


def _line(made: Table) -> dict[str, str]:
    """The first line of its comparisons."""
    assert made.compared is not None
    names = [column.name for column in made.compared.columns]
    return dict(zip(names, made.compared.rows[0], strict=True))


def comparison_findings(_folder: Path) -> Iterator[str]:
    """See the head of the module."""
    study = replace(study_of(Epsilon.of("0.1"), COUNT), unit=Unit())
    plan, dice = compile_query(study, study.queries[0]), np.random.default_rng(41)
    missed = {"interval of a difference": 0, "p-value": 0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(null_tables, "DRAWS", 199)
        for _ in range(RELEASES):
            counts = dice.poisson(MEAN, 2) + draws(dice, plan.parts[0].noise, 2)
            noisy = (tuple(counts.tolist()),)
            line = _line(with_comparisons(table(study, plan, noisy), plan, noisy))
            low, high = (Fraction(line[f"population_{end}_95"]) for end in ("lowest", "highest"))
            missed["interval of a difference"] += not low <= 0 <= high
            missed["p-value"] += line["p_value"] != "" and Fraction(line["p_value"]) <= 0.05
    for name, many in missed.items():
        if at_least(many, RELEASES, 0.05) < RARE:
            yield f"{name}: {many} of {RELEASES} are wrong"
