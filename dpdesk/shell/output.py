# SPDX-License-Identifier: Apache-2.0
"""How the shell speaks: tables for people, JSON for programs, one sentence for a mistake."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from dpdesk.catalogue import ENGLISH, Catalogue

DONE = 0
REFUSED = 1

CATALOGUE: Final[Catalogue] = ENGLISH
"""The language in which the shell speaks."""
say, say_count = CATALOGUE.say, CATALOGUE.say_count


def print_json(members: Any) -> None:
    """Print one JSON document: ASCII, amounts as decimal strings."""
    print(json.dumps(members, indent=2, ensure_ascii=True))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    """Print aligned columns.

    Args:
        heads: column headings.
        rows: texts, one a cell.
        right: positions of the columns that are aligned to the right.
    """
    lines = [list(heads), *[list(row) for row in rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        cells = [
            text.rjust(width) if i in right else text.ljust(width)
            for i, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def complain(sentence: str) -> None:
    """Print one sentence on standard error."""
    print(sentence, file=sys.stderr)


def show_reading(done: int, total: int) -> None:
    """Show on standard error how much of a file was read, in place."""
    share = 100 * done // total if total else 100
    print(
        "\r" + say("Reading {share} %", share=share),
        end="" if done < total else "\n",
        file=sys.stderr,
        flush=True,
    )


def from_ledger(sequence: int, day: str) -> str:
    """Where a stored answer comes from, and what it costs now."""
    return say("answered from ledger entry {entry} of {day}, at no cost.", entry=sequence, day=day)


def margin_text(margin: Fraction, digits: int = 3) -> str:
    """A margin as people read it: three significant digits, no exponent."""
    value = float(margin)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{float(f'{value:.{digits}g}'):f}".rstrip("0").rstrip(".")
