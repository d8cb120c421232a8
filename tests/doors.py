# SPDX-License-Identifier: Apache-2.0
"""Doors for the proofs: one that answers constants, one that records, one that replays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pytest

from dpdesk.exact import Int64Vector
from dpdesk.privacy.noise.door import Door, FoundTexts, OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.release.ledger import transaction


@dataclass(frozen=True)
class Call:
    """What went through a door, and what came out."""

    name: str
    exact: tuple[int, ...]
    noise: Noise
    sensitivity: int
    noisy: tuple[int, ...]
    texts: tuple[str, ...] = ()

    @property
    def public(self) -> tuple[object, ...]:
        """What must not depend on the data; how many texts were found does."""
        length = len(self.exact) if self.noise.threshold is None else None
        return (self.name, length, self.noise, self.sensitivity)

    @property
    def scale(self) -> float:
        """Scale of the noise."""
        return self.noise.scale


class ConstantDoor(Door):
    """Answers the same numbers whatever the data is."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        self.calls.append((name, len(values), noise, sensitivity))
        length = noise.length(len(values))
        if noise.mechanism == "noisy-max":
            return tuple(place % noise.picks for place in range(length))
        if noise.mechanism == "randomised-response":
            # No more people can say yes than there are, and how many there are is public.
            return (len(values) // 2,)
        return tuple(100 + 7 * i for i in range(length))

    def find(
        self,
        name: str,
        texts: tuple[str, ...],
        counts: Int64Vector,
        noise: Noise,
        sensitivity: int,
    ) -> FoundTexts:
        least = noise.threshold or 0
        self.calls.append((name, noise, sensitivity))
        return (("found", least + 7), ("=found & <found>", least))


class KeepingDoor(OpenDPDoor):
    """The real door; keeps what it gave."""

    def __init__(self) -> None:
        self.given: list[tuple[int, ...]] = []

    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        self.given.append(super().add_noise(name, values, noise, sensitivity))
        return self.given[-1]


class RecordingDoor(Door):
    """Answers without noise and remembers the exact numbers."""

    def __init__(self, tape: list[tuple[int, ...]] | None = None) -> None:
        self.calls: list[Call] = []
        self._tape = tape

    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        exact = tuple(int(v) for v in values)
        noisy = self._tape[len(self.calls)] if self._tape is not None else noiseless(exact, noise)
        self.calls.append(Call(name, exact, noise, sensitivity, noisy))
        return noisy

    def find(
        self,
        name: str,
        texts: tuple[str, ...],
        counts: Int64Vector,
        noise: Noise,
        sensitivity: int,
    ) -> FoundTexts:
        exact = tuple(int(v) for v in counts)
        self.calls.append(Call(name, exact, noise, sensitivity, (), texts))
        return ()


def noiseless(exact: tuple[int, ...], noise: Noise) -> tuple[int, ...]:
    """What a mechanism says of a vector when it adds no noise."""
    if noise.mechanism == "randomised-response":
        return (sum(exact),)
    if noise.is_additive:
        return exact
    blocks = np.array(exact).reshape(noise.blocks, -1)
    return tuple(
        int(i) for row in np.argsort(-blocks, axis=1, kind="stable")[:, : noise.picks] for i in row
    )


def distance(first: Call, second: Call) -> float:
    """The exact distance of two recorded vectors in their noise's norm; see ``Noise``."""
    noise = first.noise
    if noise.threshold is not None:
        here, there = (dict(zip(c.texts, c.exact, strict=True)) for c in (first, second))
        moved = [here.get(text, 0) - there.get(text, 0) for text in here.keys() | there.keys()]
    else:
        moved = [a - b for a, b in zip(first.exact, second.exact, strict=True)]
    if noise.norm == "l2-squared":
        return sum(d * d for d in moved)
    if noise.norm == "rows":
        return sum(d != 0 for d in moved)
    if noise.norm == "l1":
        return sum(map(abs, moved))
    size = len(moved) // noise.blocks
    blocks = [moved[start : start + size] for start in range(0, len(moved), size)]
    if noise.monotonic:
        apart = [max(0, *block) - min(0, *block) for block in blocks]
    else:
        apart = [max(map(abs, block)) for block in blocks]
    return sum(d * d for d in apart) if noise.norm == "linf-squared" else sum(apart)


@contextmanager
def one_salt() -> Iterator[None]:
    """The ledger's salts, which are drawn from the system and know nothing of the data, stay."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "new_salt", lambda: "0" * 32)
        yield
