# SPDX-License-Identifier: Apache-2.0
"""A forest has a line for each coefficient or effect, in its width, around what is no effect."""

from __future__ import annotations

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.group_comparisons.compared import with_comparisons
from dpdesk.privacy.planning.survival.derived_table import with_derived
from dpdesk.privacy.published_tables import table
from dpdesk.release.bundle.charts.description import ChartFigure
from dpdesk.release.bundle.charts.drawing import PointMark, Stroke, Word
from dpdesk.release.bundle.charts.forest import Forest, forest_drawing, forest_of
from dpdesk.release.bundle.query_headings import WORDS
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.stated_answers import QueryAnswer, released_query
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import Epsilon
from tests.acceptance.publish import linear
from tests.golden.making import STUDIES
from tests.privacy.planning.linear.test_coefficients import plan_of, rows_of

WIDTH = 495.0
RATIOS = Forest(
    (
        ChartFigure("A with B", 2.0, 1.0, 4.0, figure="2.0", margin="1.0 to 4.0"),
        ChartFigure("C with B", 0.5, 0.25, 0.8, figure="0.50", margin="0.25 to 0.80"),
    ),
    is_ratio=True,
)


def test_a_model_has_a_line_for_each_column() -> None:
    plan = plan_of(Epsilon.of(100))
    noisy = (linear.exact(plan, rows_of(1)[0]),)
    study = linear.made_up(Epsilon.of(100))
    made = with_derived(table(study, plan, noisy), plan, noisy)
    answer = released_query(QueryAnswer(plan, Drawn(noisy), True, 0, ""), "Model", "model", 0)
    forest = forest_of(study, study.queries[0], answer, made, WORDS)
    assert forest is not None
    assert [one.label for one in forest.figures] == ["a", "b", "c"]
    assert len(forest.intervals) == 2
    assert forest.said.startswith("a: 0.")
    drawing = forest_drawing(forest, WIDTH, "Model", WORDS.numbers)
    words = [shape.text for shape in drawing.shapes if isinstance(shape, Word)]
    assert {one.figure for one in forest.figures} | {"a", "b", "c"} <= set(words)
    marks = [shape for shape in drawing.shapes if isinstance(shape, PointMark)]
    assert len(marks) == 3
    assert all(0 < mark.x < WIDTH for mark in marks)


def test_a_model_that_noise_hides_has_no_forest() -> None:
    plan = plan_of(Epsilon.of(100))
    noisy = (linear.exact(plan, [one[:0] for one in rows_of(1)[0]]),)
    study = linear.made_up(Epsilon.of(100))
    made = with_derived(table(study, plan, noisy), plan, noisy)
    answer = released_query(QueryAnswer(plan, Drawn(noisy), True, 0, ""), "Model", "model", 0)
    assert forest_of(study, study.queries[0], answer, made, WORDS) is None


def test_ratios_are_as_far_from_one_as_their_inverse() -> None:
    drawing = forest_drawing(RATIOS, WIDTH, "Ratios", WORDS.numbers)
    double, half = (shape.x for shape in drawing.shapes if isinstance(shape, PointMark))
    (one,) = {
        shape.points[0][0]
        for shape in drawing.shapes
        if isinstance(shape, Stroke) and shape.role == "axis" and shape.width == "plain"
    }
    assert double - one == pytest.approx(one - half)
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Word)]
    assert "1" in texts
    assert "0" not in texts


STRONG = (1, 11, 12, 1000, 50, 1000, 12, 23, 0, 12, -5, 23)
WIDE = (10**11, 10**8, 10**5, 1000, 1000, 1000, 10**11, 1000, 10**6, 10**5, 10**4, 1)


@pytest.mark.parametrize(
    ("noisy", "drawn"), [(STRONG, ["Male", "2025"]), (WIDE, ["Not said", "2025"])]
)
def test_ratios_with_an_end_that_is_written_as_0(noisy: tuple[int, ...], drawn: list[str]) -> None:
    """It is as far out as the other one; a ratio that is itself is in the table alone."""
    study = load_study(STUDIES / "epsilon-models.dpdesk").study
    plan = compile_query(study, study.queries[0])
    made = with_comparisons(table(study, plan, (noisy,)), plan, (noisy,))
    answer = released_query(QueryAnswer(plan, Drawn((noisy,)), True, 0, ""), "Model", "model", 0)
    forest = forest_of(study, study.queries[0], answer, made, WORDS)
    assert forest is not None
    for one, name in zip(forest.figures, drawn, strict=True):
        assert one.label.startswith(name)
    drawing = forest_drawing(forest, WIDTH, "Ratios", WORDS.numbers)
    lines = [shape.points for shape in drawing.shapes if isinstance(shape, Stroke)]
    for mark in (shape for shape in drawing.shapes if isinstance(shape, PointMark)):
        ends = [x for points in lines for x, y in points if y == mark.y]
        assert 0 < min(ends) < mark.x < max(ends) < WIDTH
