# SPDX-License-Identifier: Apache-2.0
"""Doors for the proofs: one that answers constants, one that records, one that replays."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.exact import Int64Vector
from dpdesk.privacy.door import Door


@dataclass(frozen=True)
class Call:
    """What went through a door, and what came out."""

    name: str
    exact: tuple[int, ...]
    sensitivity: int
    scale: float
    noisy: tuple[int, ...]

    @property
    def public(self) -> tuple[object, ...]:
        """What must not depend on the data."""
        return (self.name, len(self.exact), self.sensitivity, self.scale)


class ConstantDoor(Door):
    """Answers the same numbers whatever the data is."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def add_noise(
        self, name: str, values: Int64Vector, sensitivity: int, scale: float
    ) -> tuple[int, ...]:
        self.calls.append((name, len(values), sensitivity, scale))
        return tuple(100 + 7 * i for i in range(len(values)))


class RecordingDoor(Door):
    """Answers fixed numbers and remembers the exact ones."""

    def __init__(self, tape: list[tuple[int, ...]] | None = None) -> None:
        self.calls: list[Call] = []
        self._tape = tape

    def add_noise(
        self, name: str, values: Int64Vector, sensitivity: int, scale: float
    ) -> tuple[int, ...]:
        exact = tuple(int(v) for v in values)
        noisy = self._tape[len(self.calls)] if self._tape is not None else exact
        self.calls.append(Call(name, exact, sensitivity, scale, noisy))
        return noisy


def l1_distance(first: Call, second: Call) -> int:
    """The exact L1 distance of two recorded vectors."""
    return sum(abs(a - b) for a, b in zip(first.exact, second.exact, strict=True))
