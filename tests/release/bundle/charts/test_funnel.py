# SPDX-License-Identifier: Apache-2.0
"""Funnels: limits hold noise and chance, one drawing serves window and print, none divides by 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.bundle.charts.drawing import Area, FilledBand, Stroke
from dpdesk.release.bundle.charts.funnel import LEVELS, Funnel, funnel_of, has_funnel
from dpdesk.release.bundle.charts.funnel_drawing import funnel_drawing, said_below, words_of
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.report.svg_drawing import svg
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import RateParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.privacy import examples as ex
from tests.privacy.statistics.rates.test_rate import DAYS, DIED, ONE_ROW

UNITS = 40
WARDS = CategoryColumn("ward", tuple(f"w{n}" for n in range(UNITS)), title="Ward")
RATE = RateParameters(DIED, "days", 1_000)
QUERY = Query("q", "rate", RATE, ("ward",), epsilon=Epsilon.of("0.4"))
STUDY = Study(
    unit=ONE_ROW,
    budget=Budget("registry", Epsilon.of(5)),
    columns=(DAYS, WARDS, ex.SEX),
    queries=(QUERY,),
)


class Released:
    """What a funnel reads of a released query."""

    def __init__(self, noisy: tuple[int, ...]) -> None:
        self.drawn = self
        self.noisy = (noisy,)


def funnel(plan: QueryPlan, events: object, exposed: object, noise: bool = True) -> Funnel | None:
    pairs = zip(np.asarray(events).tolist(), np.asarray(exposed).tolist(), strict=True)
    weights = plan.parts[0].measure.weights
    exact = np.array([int(a * e + b * t) for e, t in pairs for a, b, _ in weights])
    noisy = OpenDPDoor().add_noise("q", exact, plan.parts[0].noise, 1) if noise else exact
    return funnel_of(STUDY, QUERY, Released(tuple(map(int, noisy))), WARDS.values)  # type: ignore[arg-type]


EXPOSED = np.linspace(4_000, 30_000, UNITS).astype(int)
PLAN = compile_query(STUDY, QUERY)


@pytest.mark.audit
@pytest.mark.in_turn(2)
def test_units_that_do_not_differ_are_inside_as_often_as_the_limits_say() -> None:
    """Limits without the noise would leave out far more."""
    chance, runs = np.random.default_rng(3), 50
    beyond, alone = [0, 0], 0
    for _ in range(runs):
        found = funnel(PLAN, chance.poisson(0.02 * EXPOSED), EXPOSED)
        assert found is not None
        for place in (0, 1):
            beyond[place] += sum(one.outside > place for one in found.points)
        narrow = np.interp(
            [one.exposure for one in found.points], found.limits.exposures, found.limits.chance
        )
        off = [abs(one.value - found.centre) for one in found.points]
        alone += int((np.array(off) > narrow).sum())
    for count, level in zip(beyond, LEVELS, strict=True):
        assert binom.sf(count - 1, runs * UNITS, level) > 1e-4
    assert beyond[0] > 0.3 * LEVELS[0] * runs * UNITS, "limits that nothing leaves say nothing"
    assert alone > 1.5 * beyond[0]


def test_a_unit_that_differs_is_outside_and_named() -> None:
    events = np.round(0.02 * EXPOSED)
    events[7] *= 3
    found = funnel(PLAN, events, EXPOSED, noise=False)
    assert found is not None
    assert [one.name for one in found.points if one.outside == 2] == ["w7"]
    drawing = funnel_drawing(found, words_of(found, STUDY, QUERY, WORDS), 495, "t", WORDS.numbers)
    page = svg(drawing)
    assert "w7 59.9" in page
    assert "39 inside" in page
    assert "1 outside (2.0 by accident)" in page
    assert "per 1,000 days" in page
    german = ReleaseWords.of("de")
    funnel_words = words_of(found, STUDY, QUERY, german)
    assert funnel_words.outside == "1 außerhalb (2,0 zufällig)"
    assert "kein Urteil" in said_below(found, german)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_band_is_between_the_limits_and_made_up_there_is_none(language: str) -> None:
    found, words = (
        funnel(PLAN, np.round(0.02 * EXPOSED), EXPOSED, noise=False),
        ReleaseWords.of(language),
    )
    assert found is not None
    named = words_of(found, STUDY, QUERY, words)
    drawing, made_up = (
        funnel_drawing(found, named, 495, "t", words.numbers, is_made_up=flag)
        for flag in (False, True)
    )
    (band,) = (shape for shape in drawing.shapes if isinstance(shape, FilledBand))
    limits = [
        one.points
        for one in drawing.shapes
        if isinstance(one, Stroke) and one.role == "accent" and len(one.points) > 2 and not one.dash
    ]
    assert band.points == (*limits[0], *reversed(limits[1]))
    assert svg(drawing).count('<polyline class="f-band"') == 1
    filled = [one for one in made_up.shapes if isinstance(one, FilledBand | Area)]
    assert not filled, "nothing made up is filled"


def test_units_without_an_exposure_have_no_point_and_are_counted() -> None:
    events, exposed = np.round(0.02 * EXPOSED), EXPOSED.copy()
    exposed[[3, 5]] = 0, -800
    found = funnel(PLAN, events, exposed, noise=False)
    assert found is not None
    assert found.without == 2
    assert len(found.points) == UNITS - 2
    assert said_below(found, WORDS).endswith("distinguished from 0.")
    assert funnel(PLAN, events, np.zeros(UNITS), noise=False) is None
    assert funnel(PLAN, np.zeros(UNITS), EXPOSED, noise=False) is None, "no rate of all"


def test_only_groups_that_are_units_make_a_funnel() -> None:
    assert has_funnel(STUDY, QUERY)
    decades = replace(WARDS, values=tuple(f"[{n}-{n + 10})" for n in range(0, 100, 10)))
    few = replace(WARDS, values=("a", "b"))
    for column in (decades, few):
        assert not has_funnel(replace(STUDY, columns=(DAYS, column, ex.SEX)), QUERY)
    assert not has_funnel(STUDY, replace(QUERY, by=()))
    assert not has_funnel(STUDY, replace(QUERY, by=("ward", "sex")))
