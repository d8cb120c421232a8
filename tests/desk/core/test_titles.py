# SPDX-License-Identifier: Apache-2.0
"""A study's first title tells a workbook's sheets apart, and never replaces one that was typed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpdesk.desk.core.titles import title_of, with_sheet
from dpdesk.study.document import Study
from dpdesk.study.unit import DataSource

SHEETS = ("About", "Stays_2025", "Stays 2026")
BOOK = Study(title="Icu", data=DataSource("/out/icu.xlsx", "excel"))


def title(study: Study) -> str:
    assert study.data is not None
    return f"{study.data.sheet}: {study.title}"


def test_the_sheet_of_a_workbook_with_several_is_named() -> None:
    first = with_sheet(BOOK, "Stays_2025", SHEETS)
    assert title(first) == "Stays_2025: Icu, Stays 2025"
    assert title(with_sheet(first, "Stays 2026", SHEETS)) == "Stays 2026: Icu, Stays 2026"


def test_the_only_sheet_is_not_named() -> None:
    assert title(with_sheet(BOOK, "Sheet1", ("Sheet1",))) == "Sheet1: Icu"


@pytest.mark.parametrize("typed", ["", "Intensive care", "Icu, of last year"])
def test_a_title_that_somebody_typed_stays(typed: str) -> None:
    mine = replace(BOOK, title=typed)
    assert title(with_sheet(mine, "Stays_2025", SHEETS)) == f"Stays_2025: {typed}"


def test_a_sheet_of_strange_signs_gives_a_title_that_can_be_kept() -> None:
    assert title_of("icu.xlsx", "a\u200b\nb") == "Icu, a b"
    assert len(title_of("x" * 5_000 + ".csv")) <= 1_000
