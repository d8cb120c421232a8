# SPDX-License-Identifier: Apache-2.0
"""Random texts that look like tables, read with every setting that a study may declare."""

from __future__ import annotations

import random

from dpdesk.study.checks.study_checks import SEPARATORS
from dpdesk.study.model.unit import ENCODINGS, THOUSANDS, DataSource
from tests.data.tables import ANSWERS, DAYS, IDS, NUMBERS, WARDS
from tests.fuzz_files.canary import CANARY, CANARY_NUMBER

NAMES = ("pid", "stay", "ward", "ok", "day", "pid", "", " age ", "Größe", "n\u00fcll", '"', "1")
CELLS = (
    *NUMBERS, *WARDS, *ANSWERS, *DAYS, *IDS, CANARY, f"{CANARY}\n{CANARY}", f'"{CANARY}',
    str(CANARY_NUMBER), f"1.{CANARY_NUMBER}", "1.234.567,89", "1,234,567.89", "1'000", "1 000",
    "1\u00a0000", "\ud800", "\U0001f600", "\u202e", "\u2028", "\x85", "\x0b", "x" * 5000,
    "9" * 5000, "1" + "e9" * 9, "-", "+", ".", ",", "--1", "1-", "\t", "#N/A", "\ufeff", "\x1a",
)  # fmt: skip
_ENDS = ("\n", "\r\n", "\r", "\n\n", "\n\r")


def random_text(dice: random.Random) -> tuple[bytes, str]:
    """A text, and the encoding that it was written in."""
    separator, end = dice.choice(SEPARATORS), dice.choice(_ENDS)
    width = dice.choice((1, 2, 5, 5, 8, 60))
    lines = [dice.choice(("", "List of stays", f"Printed{separator}2020")) for _ in range(3)]
    lines = lines[: dice.choice((0, 0, 0, 1, 3))]
    lines.append(separator.join(_quoted(dice, dice.choice(NAMES)) for _ in range(width)))
    for _ in range(dice.choice((0, 1, 7, 30))):
        lines.append(_row(dice, separator, width))
    text = dice.choice(("", "", "\ufeff")) + end.join(lines) + dice.choice((end, ""))
    encoding = dice.choice(ENCODINGS)
    return text.encode(encoding, "replace"), encoding


def _row(dice: random.Random, separator: str, width: int) -> str:
    ragged = dice.random() < 0.1
    count = dice.randint(0, width + 3) if ragged else width
    return separator.join(_quoted(dice, dice.choice(CELLS)) for _ in range(count))


def _quoted(dice: random.Random, cell: str) -> str:
    """A cell by the book, mostly; without quotation marks, or with too few, at times."""
    way = dice.random()
    if way < 0.15:
        return cell
    if way < 0.2:
        return f'"{cell}"'
    if way < 0.5 or any(mark in cell for mark in ',;\t|"\r\n'):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def random_source(dice: random.Random, path: str, encoding: str) -> DataSource:
    """Any way to read a text; the encoding that it was written in more often than others."""
    separator, decimal = dice.choice(SEPARATORS), dice.choice((".", ","))
    thousands = dice.choice(THOUSANDS)
    if dice.random() < 0.95:
        # Mostly as the forms allow it.
        decimal = "." if separator == "," else decimal
        thousands = "" if thousands == decimal else thousands
    return DataSource(
        path,
        missing=dice.choice(((), ("NA", "?"), (CANARY,), tuple(str(n) for n in range(90, 100)))),
        separator=separator,
        decimal=decimal,
        encoding=encoding if dice.random() < 0.7 else dice.choice(ENCODINGS),
        header_row=dice.choice((None, None, None, 0, 1, 2, 4, 1000)),
        thousands=thousands,
        quotes=(quotes := dice.random() < 0.8),
        line_ending=dice.choice(("", "", "lf", "cr", "any")),
        line_breaks=quotes and dice.random() < 0.5,
    )
