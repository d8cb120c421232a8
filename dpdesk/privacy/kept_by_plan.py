# SPDX-License-Identifier: Apache-2.0
"""What follows from a plan alone, kept as long as the plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import ref

from dpdesk.privacy.plan import QueryPlan

T = TypeVar("T")


class KeptByPlan(Generic[T]):
    """Finds something out about plans, once for each.

    The key is the plan itself, which is all that the finding depends on and never changes. It is
    compared by identity, for comparing two plans reads thousands of labels; a plan that is changed
    is another one. What is kept goes when the plan goes.

    Args:
        find: depends on nothing but the plan.
    """

    def __init__(self, find: Callable[[QueryPlan], T]) -> None:
        self._find = find
        self._kept: dict[int, tuple[ref[QueryPlan], T]] = {}

    def __call__(self, plan: QueryPlan) -> T:
        """What is found of a plan."""
        key = id(plan)
        kept = self._kept.get(key)
        if kept is not None and kept[0]() is plan:
            return kept[1]
        found = self._find(plan)
        self._kept[key] = ref(plan, lambda _gone: self._kept.pop(key, None)), found
        return found

    def __len__(self) -> int:
        return len(self._kept)
