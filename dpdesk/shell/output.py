# SPDX-License-Identifier: Apache-2.0
"""How the shell speaks: tables for people, JSON for programs, one sentence for a mistake."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from dpdesk.catalogue import Template, spoken
from dpdesk.study.text.number_text import NumberStyle, in_column, in_text
from dpdesk.study.text.sentence_language import (
    Language,
    Written,
    day_text,
    language_of,
    localised,
    localised_text,
    numbers_of,
)
from dpdesk.study.text.shown_text import shown_text

DONE = 0
REFUSED = 1
WITHDRAWN = 4
"""The exit status where what is well in itself was withdrawn or corrected."""
_MINUTE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ")
_CODES: Final[dict[str, Template]] = {
    "epsilon": "epsilon",
    "rho": "rho",
    "rows": "rows",
    "people": "people",
    "sum": "sum",
    "sums": "sums",
    "bins": "bins",
    "tree": "tree",
    "weighted-bins": "weighted bins",
    "magnitudes": "magnitudes",
    "choice": "choice",
    "yeses": "yeses",
    "laplace": "laplace",
    "gaussian": "gaussian",
    "noisy-max": "noisy-max",
    "randomised-response": "randomised-response",
    "open-account": "open-account",
    "raise": "raise",
    "release": "release",
    "failed-release": "failed release",
    "decision": "decision",
    "reconcile": "reconcile",
}
"""Measures, draws, mechanisms and kinds of entries: in tables words, in JSON as they are."""


def say(source: str, /, **values: object) -> str:
    """A sentence in the language that the shell speaks; see ``Catalogue.say``."""
    return spoken().say_word("", source).format(**localised(values, spoken()))


def say_count(number: int, one: str, many: str, /, **values: object) -> str:
    """A sentence in the form that a number takes; see ``Catalogue.say_count``."""
    return spoken().counting(number, one, many).format(**localised(values, spoken()))


def in_words(code: str) -> str:
    """A code of plan or ledger in the language that the shell speaks; another text as it is."""
    return say(_CODES[code]) if code in _CODES else code


def language() -> Language:
    """What makes sentences of queries, in the language that the shell speaks."""
    return language_of(spoken(), numbers())


def numbers() -> NumberStyle:
    """The signs of numbers in the language that the shell speaks."""
    return numbers_of(spoken())


def in_sentence(number: str) -> Written:
    return Written(in_text(number, numbers()))


def in_cell(number: str) -> Written:
    return Written(in_column(number, numbers()))


def minute(stamp: str) -> str:
    """A ledger's minute as reports write it; a damaged entry's as it is."""
    if not _MINUTE.fullmatch(stamp):
        return stamp
    return f"{day_text(stamp[:10], spoken())} {stamp[11:16]} UTC"


def print_json(members: Any) -> None:
    """Print one JSON document: ASCII, amounts as decimal strings."""
    print(json.dumps(members, indent=2, ensure_ascii=True))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    """Print aligned columns.

    Args:
        rows: texts, one a cell.
        right: positions of the columns that are aligned to the right.
    """
    lines = [list(heads), *(list(_localised_row(row, right)) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        cells = [
            text.rjust(width) if i in right else text.ljust(width)
            for i, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def _localised_row(row: Sequence[str], right: Sequence[int]) -> Iterator[str]:
    for place, text in enumerate(row):
        yield localised_text(text, spoken()) if place in right else shown_text(text)


def complain(sentence: str) -> None:
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


def from_ledger(
    release: int, sequence: int, day: str, taken_back: Mapping[str, str] | None = None
) -> str:
    """Where a stored answer comes from, and what it costs now.

    Args:
        release: the number of the release that it was drawn in.
        taken_back: ``kind`` and ``reason`` where it was withdrawn or corrected since.
    """
    source = {"release": release, "entry": sequence, "day": day}
    if taken_back is not None:
        return say(_TAKEN_BACK[taken_back["kind"]], **source, reason=taken_back["reason"])
    template = (
        "stored figure of release {release} (entry {entry} of the ledger) of {day}, at no cost."
    )
    return say(template, **source)


_TAKEN_BACK: Final[dict[str, Template]] = {
    "withdrawn": "stored figure of release {release} (entry {entry} of the ledger) of {day}, "
    "which was withdrawn ({reason}). --fresh draws new noise and charges it.",
    "corrected": "stored figure of release {release} (entry {entry} of the ledger) of {day}, "
    "which was corrected ({reason}). --fresh draws new noise and charges it.",
}


def margin_text(margin: Fraction, digits: int = 3) -> str:
    """A margin as people read it: three significant digits, no exponent."""
    value = float(margin)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{float(f'{value:.{digits}g}'):f}".rstrip("0").rstrip(".")
