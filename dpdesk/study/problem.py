# SPDX-License-Identifier: Apache-2.0
"""Mistakes as values: where they are, which they are, and what a sentence about them needs.

The core never writes sentences. A code becomes one in ``dpdesk.texts.problems``. Parameters hold
declared things only, never a cell of the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """One mistake that a person can fix.

    Attributes:
        path: JSON path in the study (``$.columns[2].upper``), or ``$`` where it has no place.
        code: stable name of the mistake; ``dpdesk.texts.sentences`` has its sentence.
        params: texts that the sentence is filled with; all of them declared, none from data.
    """

    path: str
    code: str
    params: Mapping[str, str] = field(default_factory=dict)


class Refused(Exception):
    """Work that stops before anything was spent, with the problems that stopped it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(", ".join(f"{p.path} {p.code}" for p in self.problems))


def refuse(code: str, path: str = "$", **params: str) -> Refused:
    """Build the refusal for one problem, ready to raise."""
    return Refused([Problem(path, code, params)])
