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
from dpdesk.privacy.published_tables import table
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.unit import Unit
from tests.acceptance.accuracy.coverage import at_least
from tests.privacy.population.test_counts_and_shares import draws
from tests.release.test_consistent_release import study_of

RARE = 1e-7
RELEASES, MEAN = 400, 120
COUNT = Query("q", by=("sex",), comparisons=(GroupComparison("sex", "groups", "f"),))


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
            compared = with_comparisons(table(study, plan, noisy), plan, noisy).compared
            names = [column.name for column in compared.columns] if compared else []
            line = dict(zip(names, compared.rows[0], strict=True)) if compared else {}
            low, high = (Fraction(line[f"population_{end}_95"]) for end in ("lowest", "highest"))
            missed["interval of a difference"] += not low <= 0 <= high
            missed["p-value"] += line["p_value"] != "" and Fraction(line["p_value"]) <= 0.05
    for name, many in missed.items():
        if at_least(many, RELEASES, 0.05) < RARE:
            yield f"{name}: {many} of {RELEASES} are wrong"
