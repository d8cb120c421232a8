# SPDX-License-Identifier: Apache-2.0
"""What is beside a column's form: whom it identifies, and values that are to be split."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesk.desk.core import value_lines
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study.suggest.identifiers import identifier_kind


class IdentityRemark(Remark):
    """There only while a column seems to name a person."""

    def show_column(self, name: str, title: str) -> None:
        """Say what a column's header means for people; nothing for the empty name."""
        kind = identifier_kind(name, title) if name else None
        if kind is not None and kind.is_direct:
            self.say(
                self.tr(
                    "The name suggests that this column identifies people. Leave it out unless "
                    "you are sure it does not."
                ),
                Tone.ATTENTION,
            )
        elif kind is not None and kind.is_quasi:
            self.say(
                self.tr(
                    "Together with other columns, this may identify people. Use as little of it "
                    "as you can."
                ),
                Tone.INFO,
            )
        else:
            self.say("")


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
        super().__init__(Tone.ATTENTION, action=tr("SplitBanner", "Split them"))

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
