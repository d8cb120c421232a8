# SPDX-License-Identifier: Apache-2.0
"""Bugs of numbers that are taken for public and published without noise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dpdesk.release.run import reading
from dpdesk.study import public_numbers
from tests.audit.bugs.planting import Bug, bug

PUBLIC: list[Bug] = []

_total = public_numbers.public_total


@bug(PUBLIC, "rows that a rule drops taken for public ones", "public")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(public_numbers, "keeps_every_row", lambda _column: True)


@bug(PUBLIC, "as many rows as people taken for public where a person has several", "public")
def _(patch: pytest.MonkeyPatch) -> None:
    def public_total(unit: Any, *more: Any) -> Any:
        return _total(replace(unit, max_rows=1), *more)

    patch.setattr(public_numbers, "public_total", public_total)


@bug(PUBLIC, "rows that a condition leaves out taken for public ones", "public")
def _(patch: pytest.MonkeyPatch) -> None:
    def public_total(unit: Any, query: Any, *more: Any) -> Any:
        return _total(unit, replace(query, where=()), *more)

    patch.setattr(public_numbers, "public_total", public_total)


@bug(PUBLIC, "people in no table taken for public where rows lack an id", "public")
def _(patch: pytest.MonkeyPatch) -> None:
    def public_total(unit: Any, *more: Any) -> Any:
        return _total(replace(unit, without_id="drop"), *more)

    patch.setattr(public_numbers, "public_total", public_total)


@bug(PUBLIC, "a file released although its number of people is not the public one", "public")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reading, "check_public_count", lambda _table, _study: None)
