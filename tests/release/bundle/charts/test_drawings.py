# SPDX-License-Identifier: Apache-2.0
"""What is drawn: every figure with its margin, inside its frame, told apart without colour."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dpdesk.release.bundle.charts.bars_drawing import bars_drawing
from dpdesk.release.bundle.charts.box_drawing import box_drawing
from dpdesk.release.bundle.charts.curve_drawing import StepWords, curve_drawing
from dpdesk.release.bundle.charts.description import (
    MOST_BARS,
    MOST_CURVES,
    MOST_SERIES,
    Box,
    ChartFigure,
    Curve,
    CurvePoint,
    FigureChart,
    LineSeries,
)
from dpdesk.release.bundle.charts.drawing import (
    Area,
    ChartDrawing,
    FilledBand,
    PointMark,
    Stroke,
    Word,
)
from dpdesk.release.bundle.charts.lines_drawing import LOOKS, lines_drawing
from dpdesk.release.bundle.text_setting import BOLD, TEXT, text_width
from dpdesk.study.text.number_text import ENGLISH

WIDTH = 495.0
LONG = "Allgemein- und Unfallchirurgie, Station 12, mit Tagesklinik"


def figure(label: str, value: float, margin: float, noisy: bool = False) -> ChartFigure:
    ends = value - margin, value + margin
    return ChartFigure(label, value, *ends, noisy, f"{value:,.1f}", f"± {margin:.1f}")


def bars(count: int, label: str = "Ward", unit: str = "days") -> FigureChart:
    labels = tuple(f"{label} {place}" for place in range(count))
    figures = tuple(
        figure(name, 900.0 - 40 * place, 5 + place, noisy=place == 1)
        for place, name in enumerate(labels)
    )
    return FigureChart(labels, (LineSeries("", figures),), unit)


def lines(count: int, series: int, places: int = 12) -> FigureChart:
    labels = tuple(f"Q{1 + place % 4} {2023 + place // 4}" for place in range(places))
    made = tuple(
        LineSeries(f"{LONG} {at}", tuple(figure(name, 90.0 + 300 * at, 20) for name in labels))
        for at in range(series)
    )
    return FigureChart(labels[:count], made, is_line=True)


def curves(count: int, points: int) -> list[Curve]:
    made = tuple(
        CurvePoint(place, 100 * (place + 1) / points, 90 * (place + 1) / points, 100.0)
        for place in range(points)
    )
    return [Curve(f"{LONG} {at}", made) for at in range(count)]


def drawings() -> Iterator[ChartDrawing | None]:
    for made_up in (False, True):
        for count, label in itertools.product((2, 5, 8, 9, MOST_BARS), ("Ward", LONG)):
            yield bars_drawing(bars(count, label), WIDTH, "t", ENGLISH, made_up)
        for series in range(1, MOST_SERIES + 1):
            yield lines_drawing(lines(12, series), WIDTH, "t", ENGLISH, made_up)
        for count, points in itertools.product(range(1, MOST_CURVES + 1), (3, 60)):
            yield curve_drawing(curves(count, points), "days", WIDTH, "t", ENGLISH, made_up)
        boxes = [Box(LONG, (3.0, 8.0, 20.0), (1.0, 60.0), ((2.0, 4.0),) * 3), Box("b", (1, 1, 1))]
        heads = ("Median", "Quartiles")
        yield box_drawing(boxes, "days", WIDTH, "t", ENGLISH, str, heads, made_up)


def falling(names: str, points: int = 12) -> list[Curve]:
    """Survival curves that lie upon each other, from 100 % to about 70 %."""
    made = tuple(
        CurvePoint(30.0 * place, 100 - 2.5 * place, 99 - 2.5 * place, 100.0)
        for place in range(1, points + 1)
    )
    return [Curve(name, made, 0.0, tuple(range(5_000, 4_000, -90))[:points]) for name in names]


@pytest.mark.parametrize("is_made_up", [False, True])
def test_curves_over_time_are_told_apart_in_black_and_white(is_made_up: bool) -> None:
    """By dash and mark, which are at places of their own; what a band is, and the axis, is said."""
    words = StepWords("At risk", "a band", "from {} to {}".format)
    drawing = curve_drawing(falling("abc"), "days", WIDTH, "t", ENGLISH, is_made_up, words)
    assert drawing is not None
    texts = [shape for shape in drawing.shapes if isinstance(shape, Word)]
    said = [shape.text for shape in texts]
    assert {"At risk", "a band", "from 60\u00a0% to 100\u00a0%", "days"} <= set(said)
    assert [said.count(name) for name in "abc"] == [2, 2, 2], "at the curve, and at its numbers"
    marks = [s for s in drawing.shapes if isinstance(s, PointMark)]
    assert len({(round(m.x, 3), round(m.y, 3)) for m in marks}) == len(marks)
    assert {mark.shape for mark in marks} == {look.mark for look in LOOKS[:3]}
    thick = {s.dash for s in drawing.shapes if isinstance(s, Stroke) and s.width == "thick"}
    assert len(thick) >= 2 and ("" in thick) != is_made_up
    bands = [s for s in drawing.shapes if isinstance(s, FilledBand)]
    assert len(bands) == (0 if is_made_up else 3) == len({band.fill for band in bands})
    # Numbers at risk are below the times that are written, and below nothing else.
    times = {w.x for w in texts if w.text in {str(30 * place) for place in range(13)}}
    at_risk = {w.x for w in texts if "," in w.text and w.anchor == "middle"}
    assert at_risk < times and len(times) == len(at_risk) + 1
    assert [w.x for w in texts if w.text == "\N{EN DASH}"] == 3 * [max(times)], "the last time"
    # The lists of names have one order, from the highest end to the lowest.
    ordered = [w.text for w in sorted(texts, key=lambda w: w.y) if w.text in set("abc")]
    assert ordered[:3] == ordered[3:]
    curves = [s.points for s in drawing.shapes if isinstance(s, Stroke) and len(s.points) > 4]
    assert all(one[-1][1] == one[-2][1] and one[-1][0] > max(times) for one in curves)
    assert len(curves) >= 3, "the last step is seen before its tail"
    for x, y in corners(drawing):
        assert -6 <= x <= WIDTH + 6 and -1 <= y <= drawing.height + 1


@pytest.mark.parametrize(("points", "fall"), [(365, 0.2), (40, 2.5), (1, 99.5)])
def test_curves_of_any_number_of_bins_are_drawn(points: int, fall: float) -> None:
    """Of a year's days each step is narrow; of one that noise may end at once, none is left."""
    made = tuple(
        CurvePoint(place, 100 - fall * place, 99 - fall * place, 100.0)
        for place in range(1, points + 1)
    )
    both = [Curve(name, made, 0.0) for name in "ab"]
    drawing = curve_drawing(both, "days", WIDTH, "t", ENGLISH, False)
    assert drawing is not None
    assert {s.shape for s in drawing.shapes if isinstance(s, PointMark)} == {
        look.mark for look in LOOKS[:2]
    }


def corners(drawing: ChartDrawing) -> Iterator[tuple[float, float]]:
    """The outermost points of all that is drawn."""
    for shape in drawing.shapes:
        if isinstance(shape, Stroke):
            yield from shape.points
        elif isinstance(shape, Area):
            yield shape.x, shape.y
            yield shape.x + shape.width, shape.y + shape.height
        elif isinstance(shape, PointMark):
            yield shape.x, shape.y
        elif isinstance(shape, FilledBand):
            yield from shape.points
        else:
            wide = text_width(shape.text, BOLD if shape.is_bold else TEXT, shape.size)
            start = shape.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * wide
            yield start, shape.y - 0.7 * shape.size
            yield start + wide, shape.y


def test_all_is_drawn_inside_the_frame() -> None:
    for number, drawing in enumerate(drawings()):
        assert drawing is not None
        for x, y in corners(drawing):
            inside = -6 <= x <= WIDTH + 6 and -1 <= y <= drawing.height + 1
            assert inside, (number, x, y, drawing.height)


@pytest.mark.parametrize("count", [2, 8, 9, MOST_BARS])
def test_each_bar_has_its_figure_its_margin_and_its_interval(count: int) -> None:
    chart = bars(count)
    drawing = bars_drawing(chart, WIDTH, "t", ENGLISH)
    words = [shape.text for shape in drawing.shapes if isinstance(shape, Word)]
    assert drawing.has_all and "days" in words
    for one in chart.figures:
        assert one.figure in words and one.margin in words
    hatched = [s for s in drawing.shapes if isinstance(s, Area) and s.is_hatched]
    assert len(hatched) == 1, "the one that is too noisy to use"
    longest = sum(
        1 for shape in drawing.shapes if isinstance(shape, Stroke) and shape.role == "ink"
    )
    assert longest == 3 * count, "an interval and its two caps"


def both(chart: FigureChart) -> FigureChart:
    """The same with intervals for the population, which are wider."""
    series = tuple(
        LineSeries(
            one.name,
            tuple(f and replace(f, population=(f.low - 40, f.high + 70)) for f in one.figures),
        )
        for one in chart.series
    )
    return replace(chart, series=series, intervals=("noise alone", "noise and chance"))


@pytest.mark.parametrize("chart", [bars(2), bars(12), lines(12, 1), lines(12, 2)])
def test_noise_and_chance_stand_apart_and_are_named_where_both_are_known(
    chart: FigureChart,
) -> None:
    """The noise is a box; what has caps reaches further, and the axis holds it."""
    draw = lines_drawing if chart.is_line else bars_drawing
    plain, drawn = (draw(one, WIDTH, "t", ENGLISH) for one in (chart, both(chart)))
    texts = [[s.text for s in one.shapes if isinstance(s, Word)] for one in (plain, drawn)]
    assert "noise alone" not in texts[0]
    assert texts[1][-2:] == ["noise alone", "noise and chance"]
    boxes = [
        [s for s in one.shapes if isinstance(s, Area) and s.fill == "ground"]
        for one in (plain, drawn)
    ]
    count = len(chart.figures)
    assert [len(found) for found in boxes] == [0, count + 1], "one a figure, one in the legend"
    whole = [s for s in drawn.shapes if isinstance(s, Stroke) and s.role == "ink"][::3]
    for box, stroke in zip(boxes[1][:count], whole, strict=False):
        (left, top), (right, bottom) = stroke.points
        long = abs(right - left) + abs(bottom - top)
        assert long > (box.width if chart.lies else box.height) > 0
    assert both(chart).reach[1] == chart.reach[1] + 70
    for x, y in corners(drawn):
        assert -6 <= x <= WIDTH + 6 and -1 <= y <= drawn.height + 1


def test_lines_are_told_apart_by_dash_and_by_mark() -> None:
    assert len({(look.dash, look.mark) for look in LOOKS}) == len(LOOKS) == MOST_SERIES
    assert len({look.dash for look in LOOKS}) == len({look.mark for look in LOOKS}) == len(LOOKS)
    drawing = lines_drawing(lines(12, MOST_SERIES), WIDTH, "t", ENGLISH)
    thick = {s.dash for s in drawing.shapes if isinstance(s, Stroke) and s.width == "thick"}
    assert thick == {look.dash for look in LOOKS}


def test_names_at_the_ends_of_lines_are_not_over_one_another() -> None:
    same = tuple(
        LineSeries(name, tuple(figure(str(at), 100.0, 3) for at in range(5))) for name in "abcd"
    )
    chart = FigureChart(tuple("12345"), same, is_line=True)
    drawing = lines_drawing(chart, WIDTH, "t", ENGLISH)
    names = [s for s in drawing.shapes if isinstance(s, Word) and s.text in ("a", "b", "c", "d")]
    heights = sorted(word.y for word in names)
    assert len(heights) == 4
    assert all(later - one > 2 * 8 for one, later in itertools.pairwise(heights))


def test_years_stand_once_below_their_quarters() -> None:
    drawing = lines_drawing(lines(12, 1), WIDTH, "t", ENGLISH)
    words = [shape.text for shape in drawing.shapes if isinstance(shape, Word)]
    assert [words.count(text) for text in ("Q1", "2023", "2024", "2025")] == [3, 1, 1, 1]


def test_nothing_made_up_is_filled() -> None:
    for chart in (bars(4), bars(12)):
        made_up = bars_drawing(chart, WIDTH, "t", ENGLISH, is_made_up=True)
        released = bars_drawing(chart, WIDTH, "t", ENGLISH)
        filled = [
            sum(isinstance(s, Area) and s.fill == "band" for s in one.shapes)
            for one in (made_up, released)
        ]
        assert filled == [0, len(chart.labels) - 1]


def test_what_says_nothing_is_not_drawn() -> None:
    assert curve_drawing([Curve("a", ())], "", WIDTH, "t", ENGLISH) is None
    assert box_drawing([], "", WIDTH, "t", ENGLISH, str, ("", "")) is None
