# SPDX-License-Identifier: Apache-2.0
"""Labels below bars: whole where there is room, broken at groups and words, never overlapping."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.plots.bar_labels import (
    MOST_LINES,
    bar_ticks,
    height,
    line_ticks,
    period_ticks,
    wrapped,
)
from dpdesk.desk.plots.bars_plot import WIDEST, ErrorBarsPlot
from dpdesk.desk.theme.metrics import Type, font


@pytest.fixture
def metrics(qapp: QApplication) -> QFontMetricsF:
    return QFontMetricsF(font(Type.QUIET, tabular=True))


def test_groups_stand_on_lines_of_their_own(metrics: QFontMetricsF) -> None:
    assert wrapped("Female, 1 to 3, No", 200, metrics) == "Female\n1 to 3\nNo"
    assert wrapped("a, b, c, d", 200, metrics) == "a\nb\nc, d"
    assert wrapped("Emergency and trauma", 400, metrics) == "Emergency and trauma"


@pytest.mark.parametrize("text", ["Emergency and trauma surgery in town", "Incomprehensibilities"])
def test_what_is_too_long_loses_its_end(metrics: QFontMetricsF, text: str) -> None:
    lines = wrapped(text, 50, metrics).split("\n")
    assert len(lines) <= MOST_LINES and lines[-1].endswith("…")
    assert all(metrics.horizontalAdvance(line) <= 50 for line in lines)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Allgemeinchirurgie", "Allgemein-\nchirurgie"),
        ("Unfallchirurgie Süd", "Unfall-\nchirurgie\nSüd"),
        ("Orthopaedics", "Ortho-\npaedics"),
        ("Geburtshilfe", "Geburts-\nhilfe"),
    ],
)
def test_a_long_word_is_parted_between_syllables(
    metrics: QFontMetricsF, text: str, shown: str
) -> None:
    room = 0.8 * max(metrics.horizontalAdvance(word) for word in text.split(" "))
    assert wrapped(text, room, metrics) == shown
    assert "…" in wrapped(text, room, metrics, parts_words=False)


@pytest.mark.parametrize("slot", [8.0, 20.0, 45.0, 160.0])
def test_no_label_reaches_into_the_next(metrics: QFontMetricsF, slot: float) -> None:
    ticks = bar_ticks([f"InternalMedicine {i}, yes" for i in range(30)], slot, metrics)
    assert ticks[0][0] == 0 and len(ticks) > 1
    step = (ticks[1][0] - ticks[0][0]) * slot
    for _, text in ticks:
        assert max(metrics.horizontalAdvance(line) for line in text.split("\n")) <= step
    assert height(ticks, metrics) >= 2 * metrics.height()


def test_labels_of_a_line_are_the_same_months_and_end_on_the_axis(metrics: QFontMetricsF) -> None:
    months = [f"{month} {year}" for year in (2023, 2024, 2025) for month in "JFMAMJJASOND"]
    wide = metrics.horizontalAdvance("M 2023")
    for slots, every in ((2, 1), (0.45, 4), (0.24, 6), (0.15, 12)):
        ticks = line_ticks(months, slots * wide, metrics)
        assert [place for place, _ in ticks] == list(range(0, 36, every))
    # The last one of 37 would stand half behind the end.
    ticks = line_ticks([*months, "J 2026"], 0.24 * wide, metrics, beyond=0.6)
    assert ticks[-1] == (30, "J 2025")


def test_the_last_point_of_a_line_has_its_label_where_it_has_room(metrics: QFontMetricsF) -> None:
    """Of twelve quarters the first had its figure and the newest had none."""
    quarters = [f"Q{n % 4 + 1} {2023 + n // 4}" for n in range(12)]
    slot = 0.9 * metrics.horizontalAdvance("Q1 2023")
    found = [place for place, _text in line_ticks(quarters, slot, metrics, beyond=0.6)]
    assert found == [1, 3, 5, 7, 9, 11]
    found = [place for place, _text in line_ticks(quarters, slot, metrics, beyond=0.4)]
    assert found == [0, 2, 4, 6, 8, 10]


def test_periods_stand_in_two_lines_where_each_has_room_so(metrics: QFontMetricsF) -> None:
    """Of twelve quarters every other one was named, and the last one was not."""
    quarters = [f"Q{n % 4 + 1} {2023 + n // 4}" for n in range(12)]
    wide = metrics.horizontalAdvance("Q1 2023")
    assert period_ticks(quarters, 2 * wide, metrics) == list(enumerate(quarters))
    two = period_ticks(quarters, wide, metrics)
    assert len(two) == 12 and two[-1] == (11, "Q4\n2025")
    assert period_ticks(quarters, 0.4 * wide, metrics) == line_ticks(quarters, 0.4 * wide, metrics)
    assert period_ticks(["Monday"] * 7, wide / 2, metrics)[0] == (0, "Monday")
    assert period_ticks([], wide, metrics) == []


def test_two_bars_are_no_walls(qtbot: QtBot) -> None:
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    made.resize(900, 260)
    made.show()
    qtbot.waitExposed(made)
    made.show_figures(["Women", "Men"], [10.0, 9.0], [1.0, 1.0], "")
    assert made._thick * made._slot() == pytest.approx(WIDEST)
    made.resize(500, 260)
    qtbot.waitUntil(lambda: made._drawn_for[0] < 500)
    assert made._thick * made._slot() == pytest.approx(WIDEST)
    made.show_figures([str(i) for i in range(12)], [10.0] * 12, [1.0] * 12, "")
    assert made._thick * made._slot() < 30
