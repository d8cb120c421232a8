# SPDX-License-Identifier: Apache-2.0
"""A comparison says which figures there are none of, and keeps those that there are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.group_comparisons.compared import with_comparisons
from dpdesk.privacy.published_tables import table
from dpdesk.study.json.study_files import load_study
from tests.golden.making import STUDIES
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


def test_odds_of_shares_that_floats_call_all_have_no_ratio() -> None:
    """Noise of a tiny share may leave any numbers; whatever they are, there is a table."""
    lines = lines_of(1, 2**62, 1, 2**62 - 1)
    assert (lines["odds-ratio"]["value"], lines["odds-ratio"]["why_missing"]) == (
        "",
        "not-positive",
    )


def test_a_model_whose_fit_leaves_nothing_of_a_group_has_no_effect_of_it() -> None:
    """These numbers ended a release after its draw: its matrix had no inverse."""
    study = load_study(STUDIES / "epsilon-models.dpdesk").study
    plan = compile_query(study, study.queries[0])
    noisy = ((1, 1000, 10000, 1, 100, 3000, 2, 2, 5, 300, 100, 100),)
    compared = with_comparisons(table(study, plan, noisy), plan, noisy).compared
    assert compared is not None
    assert [row[-1] for row in compared.rows].count("no-effect") > 0


def test_a_group_of_which_noise_leaves_nothing_is_compared_with_none() -> None:
    lines = lines_of(600, 300, -7, 3)
    assert lines.keys() == {"difference", "ratio", "odds-ratio"}
    for line in lines.values():
        assert (line["value"], line["p_value"], line["why_missing"]) == ("", "", "not-positive")
