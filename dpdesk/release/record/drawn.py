# SPDX-License-Identifier: Apache-2.0
"""What the noise door gave for one query, in memory and as the record keeps it.

A vector of whole numbers is a list of decimal texts. Categories found in the data are a list of
pairs: the text and its noisy count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpdesk.privacy.noise.door import FoundTexts
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.study import limits
from dpdesk.study.model.text_folding import is_category, tidy

Noisy = tuple[tuple[int, ...], ...]
_BITS, _SIGNS = 63, 20


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
    def of_found(cls, texts: FoundTexts) -> Drawn:
        """What was found, as it left the door."""
        return cls((tuple(count for _, count in texts),), tuple(text for text, _ in texts))

    def members(self) -> list[list[Any]]:
        if self.found:
            pairs = zip(self.found, self.noisy[0], strict=True)
            return [[[text, str(count)] for text, count in pairs]]
        return [[str(count) for count in vector] for vector in self.noisy]

    @classmethod
    def of_members(cls, members: Any) -> Drawn:
        """Read back what :meth:`members` wrote, and nothing else.

        Raises:
            ValueError, TypeError: it was something else.
        """
        if type(members) is not list or set(map(type, members)) - {list}:
            raise TypeError("not a list of vectors")
        if members and members[0] and type(members[0][0]) is list:
            (pairs,) = members
            if set(map(type, pairs)) - {list}:
                raise TypeError("not a list of pairs")
            texts, counts = map(list, zip(*pairs, strict=True))
            if set(map(type, texts)) - {str}:
                raise TypeError("not a text")
            return cls((_integers(counts),), tuple(texts))
        return cls(tuple(map(_integers, members)))


def _integers(texts: list[str]) -> tuple[int, ...]:
    """Whole numbers of 64 bits, each written in the one way that they are.

    Raises:
        ValueError, TypeError: something else is among them.
    """
    if max(map(len, texts), default=0) > _SIGNS:
        raise ValueError("not whole numbers of 64 bits")  # before they become numbers, slowly
    numbers = tuple(map(int, texts))
    plain = list(map(str, numbers)) == texts
    if not plain or min(numbers, default=0) < -(2**_BITS) or max(numbers, default=0) >= 2**_BITS:
        raise ValueError("not whole numbers of 64 bits")
    return numbers


def is_of_plan(drawn: Drawn, plan: QueryPlan) -> bool:
    """Whether the door could have given this out for a plan."""
    if len(drawn.noisy) != len(plan.parts):
        return False
    threshold = plan.parts[0].noise.threshold if plan.parts else None
    if threshold is not None:
        return _could_be_found(drawn, threshold)
    pairs = zip(drawn.noisy, plan.parts, strict=True)
    return not drawn.found and all(_could_be_drawn(vector, part, plan) for vector, part in pairs)


def _could_be_drawn(numbers: tuple[int, ...], part: Part, plan: QueryPlan) -> bool:
    if len(numbers) != part.noise.length(part.cells):
        return False
    if part.noise.mechanism == "noisy-max":
        return _are_places(numbers, part)
    if part.noise.mechanism == "randomised-response":
        return all(0 <= number <= (plan.public_rows or 0) for number in numbers)
    return True


def _are_places(numbers: tuple[int, ...], part: Part) -> bool:
    """Whether every choice reports different places that there are."""
    picks, size = part.noise.picks, part.cells // part.noise.blocks
    choices = (numbers[start : start + picks] for start in range(0, len(numbers), picks))
    return all(len(set(choice)) == picks for choice in choices) and all(
        0 <= number < size for number in numbers
    )


def _could_be_found(drawn: Drawn, threshold: int) -> bool:
    """Whether the door could have given out these texts in this order."""
    (counts,) = drawn.noisy
    if len(counts) != len(drawn.found) or len(counts) > limits.MAX_FOUND:
        return False
    pairs = [(-count, text) for count, text in zip(counts, drawn.found, strict=True)]
    in_order = pairs == sorted(pairs) and len(set(drawn.found)) == len(pairs)
    return (
        in_order and min(counts, default=threshold) >= threshold and all(map(_is_tidy, drawn.found))
    )


def _is_tidy(text: str) -> bool:
    """Whether a text is as the reading of a file leaves a category."""
    return bool(text) and tidy(text) == text and is_category(text)
