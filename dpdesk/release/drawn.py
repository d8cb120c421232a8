# SPDX-License-Identifier: Apache-2.0
"""What the noise door gave for one query, in memory and as the record keeps it.

A vector of whole numbers is a list of decimal texts. Categories found in the data are a list of
pairs: the text and its noisy count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from dpdesk.data.found import is_category
from dpdesk.privacy.door import FoundTexts
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.study import limits

Noisy = tuple[tuple[int, ...], ...]
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,18})", re.ASCII)


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
    if not all(_fits(vector, part) for vector, part in pairs):
        return None
    return Drawn.of_members(members)


def _fits(vector: Any, part: Part) -> bool:
    if type(vector) is not list:
        return False
    if part.noise.threshold is not None:
        return _fits_found(vector, part.noise.threshold)
    return len(vector) == part.noise.length(part.cells) and all(map(_is_integer, vector))


def _is_integer(text: Any) -> bool:
    return type(text) is str and bool(_INTEGER.fullmatch(text))


def _fits_found(pairs: list[Any], threshold: int) -> bool:
    """Whether the door could have given out these texts in this order."""
    if len(pairs) > limits.MAX_FOUND or not all(map(_is_pair, pairs)):
        return False
    found = [(-int(count), text) for text, count in pairs]
    in_order = found == sorted(found) and len({text for _, text in found}) == len(found)
    return in_order and all(-count >= threshold and is_category(text) for count, text in found)


def _is_pair(pair: Any) -> bool:
    return type(pair) is list and len(pair) == 2 and type(pair[0]) is str and _is_integer(pair[1])
