# SPDX-License-Identifier: Apache-2.0
"""Asks whether what was typed as one value is several."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.core import value_lines
from dpdesk.desk.widgets.labels.banner import Banner, Tone

MARKS = ",;"


def split_lines(lines: str) -> str:
    """The lines with each value on its own.

    >>> split_lines("young, old")
    'young\\nold'
    """
    return value_lines.split_values(lines, MARKS)


class SplitBanner(Banner):
    """Says what counts as one value, and how many there would be."""

    def __init__(self) -> None:
        split = QCoreApplication.translate("SplitBanner", "Split them")
        super().__init__(Tone.ATTENTION, action=split)

    def show_lists(self, lists: Sequence[str]) -> None:
        """Come on show where a value of a list looks like several, else go.

        Args:
            lists: what is typed in each field, one value a line.
        """
        joined = next((lines for lines in lists if split_lines(lines) != lines), "")
        self.setVisible(bool(joined))
        if joined:
            count = len(value_lines.read_lines(split_lines(joined))[0])
            shown = next(line for line in joined.splitlines() if split_lines(line) != line)
            text = self.tr("“{0}” counts as one value. Split, there would be %n.", "", count)
            self.say("", text.format(shown.strip()))
