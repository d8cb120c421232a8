# SPDX-License-Identifier: Apache-2.0
"""A comparison says which figures there are none of, and keeps those that there are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.group_comparisons.compared import with_comparisons
from dpdesk.privacy.published_tables import table
from tests.study.checks.test_comparison_checks import GOOD, SHARE


def lines_of(*noisy: int) -> dict[str, dict[str, str]]:
    """By figure the comparison of m with f, of each those without and with the property."""
    query = replace(SHARE, by=("sex",))
    plan = compile_query(replace(GOOD, queries=(query,)), query)
    compared = with_comparisons(table(GOOD, plan, (noisy,)), plan, (noisy,)).compared
    assert compared is not None
    names = [column.name for column in compared.columns]
    rows = (dict(zip(names, row, strict=True)) for row in compared.rows)
    return {line["figure"]: line for line in rows}


@pytest.mark.parametrize(("having", "ratio"), [((300, 0), 0), ((300, 900), 3)])
def test_odds_of_a_share_of_nothing_or_of_all_have_no_ratio(
    having: tuple[int, int], ratio: int
) -> None:
    f, m = having
    lines = lines_of(900 - f, f, 900 - m, m)
    assert float(lines["ratio"]["value"]) == ratio
    odds = lines["odds-ratio"]
    assert (odds["value"], odds["p_value"], odds["why_missing"]) == ("", "", "not-positive")


def test_a_group_of_which_noise_leaves_nothing_is_compared_with_none() -> None:
    lines = lines_of(600, 300, -7, 3)
    assert lines.keys() == {"difference", "ratio", "odds-ratio"}
    for line in lines.values():
        assert (line["value"], line["p_value"], line["why_missing"]) == ("", "", "not-positive")
