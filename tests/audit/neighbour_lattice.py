# SPDX-License-Identifier: Apache-2.0
"""Files of several people, each of whom has one of two sets of lines: a lattice of neighbours.

With four people there are 16 combinations, and each differs from four others in one person's
lines: 32 pairs of neighbours, for which 16 tables are read. Of a pair made by itself two would be.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dpdesk.study.model.unit import Unit
from tests.audit.neighbour_files import VICTIM, Lines

VICTIMS = (VICTIM, "9", "cd", "né")
"""Who comes, goes or changes; nobody else has a line of theirs."""
COMBINATIONS = range(1 << len(VICTIMS))
PAIRS = tuple(
    (one, one | 1 << person)
    for one in COMBINATIONS
    for person in range(len(VICTIMS))
    if not one >> person & 1
)
"""The combinations that differ in one person, each pair once."""

Files = tuple[bytes, ...]
_Whose: TypeAlias = tuple[int, int] | None
"""A person and which of the two sets of lines; ``None`` for everybody else's."""


@dataclass(frozen=True)
class OneFile:
    """How one file's lines are made, and everybody else's lines."""

    maker: Lines
    others: list[bytes]


@dataclass(frozen=True)
class Lattice:
    """The files of each combination, and what a slow reader says of the first one.

    Attributes:
        files: bit ``n`` of a place says which lines the ``n``-th person has.
        reordered: the first ones with their lines in another order, but where ids are filled down.
        people: how many people have an id in all of the first ones.
    """

    files: tuple[Files, ...]
    reordered: Files
    people: int


def lattice(dice: random.Random, files: Sequence[OneFile], unit: Unit) -> Lattice:
    """Lines of each person in some of the files; where people come, none at first."""
    made = [(file.maker, _lines(dice, file, unit)) for file in files]
    combined = tuple(
        tuple(maker.written(_of(lines, combination)) for maker, lines in made)
        for combination in COMBINATIONS
    )
    first = [(maker, _of(lines, 0)) for maker, lines in made]
    people = {one for maker, lines in first for one in maker.people(lines)}
    reordered = tuple(maker.written(maker.reordered(lines)) for maker, lines in first)
    return Lattice(combined, reordered, len(people))


def _lines(dice: random.Random, file: OneFile, unit: Unit) -> list[tuple[_Whose, bytes]]:
    """All lines of one file, in an order that every combination keeps."""
    lines: list[tuple[_Whose, bytes]] = [(None, line) for line in file.others]
    for person, name in enumerate(VICTIMS):
        for which in (1,) if unit.neighbours == "add-remove" else (0, 1):
            # In each file by itself: a person may be in some of them alone.
            if dice.random() < 0.7:
                file.maker.place(lines, (person, which), file.maker.mine(name))
    return lines


def _of(lines: Sequence[tuple[_Whose, bytes]], combination: int) -> list[bytes]:
    return [
        line for whose, line in lines if whose is None or combination >> whose[0] & 1 == whose[1]
    ]
