# SPDX-License-Identifier: Apache-2.0
"""Bugs of a Table 1: what its queries cost together, and which rows they are over."""

from __future__ import annotations

from typing import Any

import pytest

from dpdesk.study.model.baseline import expansion
from tests.audit.bugs.planting import Bug, bug

BASELINES: list[Bug] = []


@bug(BASELINES, "each query of a Table 1 at the price of the whole table", "baseline", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    def apportion(total: int, weights: Any, least: Any) -> list[int]:
        return [total for _weight in weights]

    patch.setattr(expansion, "apportion", apportion)


@bug(BASELINES, "queries of all groups paid beside a Table 1, not of its price", "baseline")
def _(patch: pytest.MonkeyPatch) -> None:
    def shares_of(table: Any, parts: Any) -> Any:
        own = [part for part in parts if not part.component.is_overall]
        shares = iter(_shares_of(table, own) or [])
        return [table.share if part.component.is_overall else next(shares) for part in parts]

    patch.setattr(expansion, "shares_of", shares_of)


_shares_of = expansion.shares_of


@bug(BASELINES, "rows of no column in Overall of a Table 1", "baseline")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(expansion, "_in_a_group", lambda _study, table: table.where)
