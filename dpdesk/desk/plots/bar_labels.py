# SPDX-License-Identifier: Apache-2.0
"""What is below bars: as many lines as a bar has room for, and never into the next bar's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF

MOST_LINES = 3
LEAST_ROOM = 4.0
"""Widths of a digit; below that one label stands for several bars and is twice as wide."""
GAP = 1.0
STEPS = (1, 2, 4, 6, 12, 24, 36, 48)
"""From one label of a line to the next; months and quarters come again after 12 and after 4."""
LEAST_PART = 3
"""Letters of a word's part on a line of its own."""
SYLLABLE = re.compile(
    r"(?<=[^\W\d_])(?:sch|ch|ck|ph|th|[bcdfghjklmnpqrstvwxzß])(?=[aeiouyäöü])", re.IGNORECASE
)
JOINT = ", "
"""What stands between the groups of one row."""


def bar_ticks(labels: Sequence[str], slot: float, metrics: QFontMetricsF) -> list[tuple[int, str]]:
    """Which bars have their label, and how it is broken into lines.

    Args:
        labels: one a bar.
        slot: how wide one bar's place is.
        metrics: of the font.
    """
    digit = metrics.horizontalAdvance("0")
    every = 1
    if slot < (LEAST_ROOM + GAP) * digit:
        every = ceil((2 * LEAST_ROOM + GAP) * digit / slot)
    room = slot * every - GAP * digit
    return [
        (place, wrapped(labels[place], room, metrics)) for place in range(0, len(labels), every)
    ]


def line_ticks(
    labels: Sequence[str], slot: float, metrics: QFontMetricsF, beyond: float = 0.5
) -> list[tuple[int, str]]:
    """Which points of a line have their label: as many as stand beside one another whole.

    Of months and quarters that are the same ones in each year, if not all.

    Args:
        labels: one a point.
        slot: how far one point is from the next.
        metrics: of the font.
        beyond: how much room there is behind the last point, in slots.
    """
    widest = max((metrics.horizontalAdvance(label) for label in labels), default=0.0)
    least = max(1, ceil((widest + GAP * metrics.horizontalAdvance("00")) / slot))
    every = next((step for step in STEPS if step >= least), least)
    # The last one has its label, if it may: it is the newest. Past the end of the axis there is
    # nothing to stand on, and the picture may end there.
    half = metrics.horizontalAdvance(labels[-1]) / 2 if labels else 0.0
    has_room = half <= slot * beyond
    first = (len(labels) - 1) % every if has_room else 0
    ticks = [(place, labels[place]) for place in range(first, len(labels), every)]
    behind = slot * (len(labels) - 1 + beyond - ticks[-1][0]) if ticks else 0.0
    if len(ticks) > 1 and metrics.horizontalAdvance(ticks[-1][1]) / 2 > behind:
        ticks.pop()
    return ticks


def period_ticks(
    labels: Sequence[str], slot: float, metrics: QFontMetricsF, beyond: float = 0.5
) -> list[tuple[int, str]]:
    """The same, each in two lines where all have room so: the quarter, and its year below.

    Args:
        labels, slot, metrics, beyond: see :func:`line_ticks`.
    """
    ticks = line_ticks(labels, slot, metrics, beyond)
    lines = [line for label in labels for line in label.split(" ")]
    widest = max((metrics.horizontalAdvance(line) for line in lines), default=0.0)
    is_room = widest + GAP * metrics.horizontalAdvance("0") <= slot
    if len(ticks) == len(labels) or not is_room or len(lines) != 2 * len(labels):
        return ticks
    return [(place, label.replace(" ", "\n")) for place, label in enumerate(labels)]


def wrapped(text: str, room: float, metrics: QFontMetricsF, parts_words: bool = True) -> str:
    """A label in lines, one for each of several groups; what is too long loses its end.

    Args:
        text: the label.
        room: how wide a line may be.
        metrics: of the font.
        parts_words: a word that is too long is parted before it loses its end.
    """
    lines: list[str] = []
    groups = text.split(JOINT)
    if len(groups) > 1:
        lines = [*groups[: MOST_LINES - 1], JOINT.join(groups[MOST_LINES - 1 :])]
    for word in text.split(" ") if len(groups) == 1 else ():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (metrics.horizontalAdvance(longer) <= room or len(lines) == MOST_LINES):
            lines[-1] = longer
        else:
            lines.append(word)
    if parts_words:
        lines = _parted(lines, room, metrics)
    elide = Qt.TextElideMode.ElideRight
    return "\n".join(metrics.elidedText(line, elide, room) for line in lines if line)


def _parted(lines: list[str], room: float, metrics: QFontMetricsF) -> list[str]:
    """The same lines, words that are too long for one in two, as far as there are lines left."""
    made: list[str] = []
    for place, line in enumerate(lines):
        rest = len(lines) - place
        halves = [line] if metrics.horizontalAdvance(line) <= room else _halves(line, room, metrics)
        made += halves if len(made) + rest < MOST_LINES or len(halves) == 1 else [line]
    return made


def _halves(word: str, room: float, metrics: QFontMetricsF) -> list[str]:
    """A word in two, parted where both fit and are most alike; itself where it cannot be.

    A syllable begins with the last consonant before a vowel, in English and in German, where the
    letters of one sound stay together: "Allgemein-" and "chirurgie", "Geburts-" and "hilfe".
    """
    if not word.isalpha():
        return [word]
    found = []
    for match in SYLLABLE.finditer(word, LEAST_PART):
        ends = f"{word[: match.start()]}-", word[match.start() :]
        widths = [metrics.horizontalAdvance(end) for end in ends]
        if max(widths) <= room and len(ends[1]) >= LEAST_PART:
            found.append((max(widths), ends))
    return list(min(found)[1]) if found else [word]


def height(ticks: Sequence[tuple[int, str]], metrics: QFontMetricsF) -> float:
    """How high the labels are; the plotting library gives several lines too little."""
    lines = max((text.count("\n") + 1 for _, text in ticks), default=1)
    return metrics.height() + (lines - 1) * metrics.lineSpacing()
