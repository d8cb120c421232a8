# SPDX-License-Identifier: Apache-2.0
"""What the noise door gave for one query, in memory and as the record keeps it.

A vector of whole numbers is a list of decimal texts. Categories found in the data are a list of
pairs: the text and its noisy count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from dpdesk.data.encoding.partition_selection import is_category
from dpdesk.privacy.door import FoundTexts
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.study import limits
from dpdesk.study.model.comparison import tidy

Noisy = tuple[tuple[int, ...], ...]
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)
_BITS = 63


@dataclass(frozen=True)
class Drawn:
    """What was drawn for one query.

    Attributes:
        noisy: one noisy vector a part.
        found: the texts that were given out, in the order of the one vector of their counts.
    """

    noisy: Noisy
    found: tuple[str, ...] = ()

    @classmethod
    def of_found(cls, found: FoundTexts) -> Drawn:
        """What was found, as it left the door."""
        return cls((tuple(count for _, count in found),), tuple(text for text, _ in found))

    def members(self) -> list[list[Any]]:
        """As the record keeps it."""
        if self.found:
            pairs = zip(self.found, self.noisy[0], strict=True)
            return [[[text, str(count)] for text, count in pairs]]
        return [[str(count) for count in vector] for vector in self.noisy]

    @classmethod
    def of_members(cls, members: list[list[Any]]) -> Drawn:
        """Read back what :meth:`members` wrote.

        Raises:
            ValueError, TypeError: it was something else.
        """
        if members and members[0] and isinstance(members[0][0], list):
            return cls.of_found(tuple((text, int(count)) for text, count in members[0]))
        return cls(tuple(tuple(int(count) for count in vector) for vector in members))


def read_drawn(members: Any, plan: QueryPlan) -> Drawn | None:
    """What a stranger's manifest says was drawn, where it has the plan's form; else ``None``."""
    if type(members) is not list or len(members) != len(plan.parts):
        return None
    pairs = zip(members, plan.parts, strict=True)
    if not all(_fits(vector, part, plan) for vector, part in pairs):
        return None
    return Drawn.of_members(members)


def _fits(vector: Any, part: Part, plan: QueryPlan) -> bool:
    if type(vector) is not list:
        return False
    if part.noise.threshold is not None:
        return _fits_found(vector, part.noise.threshold)
    if len(vector) != part.noise.length(part.cells) or not all(map(_is_integer, vector)):
        return False
    numbers = [int(text) for text in vector]
    if part.noise.mechanism == "noisy-max":
        return _are_places(numbers, part)
    if part.noise.mechanism == "randomised-response":
        return all(0 <= number <= (plan.public_rows or 0) for number in numbers)
    return True


def _are_places(numbers: list[int], part: Part) -> bool:
    """Whether every choice reports different places that there are."""
    picks, size = part.noise.picks, part.cells // part.noise.blocks
    choices = (numbers[start : start + picks] for start in range(0, len(numbers), picks))
    return all(len(set(choice)) == picks for choice in choices) and all(
        0 <= number < size for number in numbers
    )


def _is_integer(text: Any) -> bool:
    """Whether a text is how a whole number of 64 bits is written."""
    known = type(text) is str and _INTEGER.fullmatch(text) is not None
    return known and -(2**_BITS) <= int(text) < 2**_BITS


def _fits_found(pairs: list[Any], threshold: int) -> bool:
    """Whether the door could have given out these texts in this order."""
    if len(pairs) > limits.MAX_FOUND or not all(map(_is_pair, pairs)):
        return False
    found = [(-int(count), text) for text, count in pairs]
    in_order = found == sorted(found) and len({text for _, text in found}) == len(found)
    return in_order and all(-count >= threshold and _is_tidy(text) for count, text in found)


def _is_tidy(text: str) -> bool:
    """Whether a text is as the reading of a file leaves a category."""
    return bool(text) and tidy(text) == text and is_category(text)


def _is_pair(pair: Any) -> bool:
    return type(pair) is list and len(pair) == 2 and type(pair[0]) is str and _is_integer(pair[1])
