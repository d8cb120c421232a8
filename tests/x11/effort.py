# SPDX-License-Identifier: Apache-2.0
"""What a walk costs a person: clicks, keys, letters and notches of the wheel, page by page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

COLUMNS = ("clicks", "keys", "letters", "notches")


@dataclass
class Effort:
    """What was done since the page was reached, and what each page before took.

    Attributes:
        clicks: presses of the mouse, or of controls through the accessibility bus.
        keys: keys that move or press; the letters of texts are counted apart.
        letters: what was typed into fields.
        notches: of the wheel.
        pages: by page, in the order of the walk.
    """

    clicks: int = 0
    keys: int = 0
    letters: int = 0
    notches: int = 0
    pages: dict[str, Effort] = field(default_factory=dict)

    def leave(self, page: str) -> None:
        """All that was done since the last page was left belongs to this one."""
        self.pages[page] = replace(self, pages={})
        self.clicks = self.keys = self.letters = self.notches = 0

    def table(self) -> str:
        """A line a page, and their sum."""
        lines = [("page", *COLUMNS)]
        counted = {
            page: [getattr(one, name) for name in COLUMNS] for page, one in self.pages.items()
        }
        counted["in all"] = [sum(column) for column in zip(*counted.values(), strict=True)]
        lines += [(page, *map(str, numbers)) for page, numbers in counted.items()]
        return "\n".join(f"{line[0]:<12}" + "".join(f"{x:>9}" for x in line[1:]) for line in lines)

    def numbers(self) -> list[int]:
        """In the order of the columns."""
        return [self.clicks, self.keys, self.letters, self.notches]
