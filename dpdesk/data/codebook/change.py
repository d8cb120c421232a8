# SPDX-License-Identifier: Apache-2.0
"""What a codebook would change in one variable of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from dpdesk.study.model.columns import Column
from dpdesk.study.problem import Problem

VariableState = Literal[
    "new", "differs", "same", "not-in-file", "not-in-codebook", "person", "nothing-proposed"
]


@dataclass(frozen=True)
class MemberChange:
    """One member of a declaration that the codebook would change.

    Attributes:
        field: the member's name; ``kind`` where the column would be of another kind.
        declared: its value in the study; ``None`` where it has none.
        proposed: its value in the codebook.
    """

    field: str
    declared: Any
    proposed: Any


@dataclass(frozen=True)
class Change:
    """One variable, in the codebook, in the study or in both.

    Attributes:
        state: how the two compare. ``person`` is the column that tells people apart, which no
            codebook changes; ``nothing-proposed`` is a variable that no column can be made of.
        declared: the study's column; ``None`` where it has none.
        proposed: the column that would be declared; ``None`` where none is offered.
        members: what would change; of a new column, all that the codebook says.
        identifier: whether the codebook, or the variable's name, says that it names a person:
            it is not taken over unless it is chosen by name.
        notes: what could not be carried over.
    """

    name: str
    state: VariableState
    declared: Column | None = None
    proposed: Column | None = None
    members: tuple[MemberChange, ...] = ()
    identifier: bool = False
    notes: tuple[Problem, ...] = ()

    @property
    def is_offered(self) -> bool:
        return self.state in ("new", "differs")
