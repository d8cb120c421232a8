# SPDX-License-Identifier: Apache-2.0
"""``dpdesk compare``: two verified bundles, question by question; spends nothing."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

from dpdesk.catalogue import Template
from dpdesk.privacy.differences import Difference
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.release.comparison.compare_records import (
    ComparedQuery,
    ReleaseComparison,
    Unlike,
    compare_records,
)
from dpdesk.release.comparison.taken_back import as_sentence, taken_back
from dpdesk.release.comparison.verified import verified_record
from dpdesk.release.home import Home
from dpdesk.release.ledger import HistoryEntry
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.release.signing.signers import known_signers, load_signers
from dpdesk.shell.output import DONE, complain, in_cell, print_json, print_table, say
from dpdesk.study.problem import refuse
from dpdesk.study.text.number_text import rounded

_HEADS: Final[tuple[Template, ...]] = (
    "earlier",
    "within",
    "later",
    "within",
    "difference",
    "within",
    "what it says",
)
Side = Literal["earlier", "later"]
UNLIKE: Final[dict[Unlike, Template]] = {
    "not-there": "the earlier release does not ask it",
    "no-margin": "the margin of their differences is not worked out",
    "groups": "other groups",
    "conditions": "other conditions",
    "unit": "another privacy unit",
    "declarations": "other bounds, lists or rules of its columns",
    "other": "another question of the same kind",
}
TAKEN_BACK: Final[dict[tuple[Side, str], Template]] = {
    ("earlier", "withdrawn"): "The earlier release was withdrawn: {reason}",
    ("earlier", "corrected"): "The earlier release was corrected: {reason}",
    ("later", "withdrawn"): "The later release was withdrawn: {reason}",
    ("later", "corrected"): "The later release was corrected: {reason}",
}
CAUTIONS: Final[tuple[Template, ...]] = (
    "More than noise: the difference is larger than its margin. Privacy noise alone would do that "
    "in at most 5 of 100 comparisons: of 100 groups, expect up to five.",
    "Cannot tell: noise alone could explain it. That is no evidence that nothing has changed.",
    "The margins hold the noise of both releases and nothing else: not chance, and not a change in "
    "whose data it is. The two extracts may hold the same people.",
)


def run(bundles: tuple[Path, Path], signers: Path | None, home: Home, as_json: bool) -> int:
    """Compare an earlier bundle with a later one, both verified first.

    Raises:
        Refused: a bundle does not verify, or says too little to be compared.
    """
    if signers is not None and not signers.is_file():
        raise refuse("signers-unreadable", name=signers.name)
    known = load_signers(signers) if signers else known_signers(home)
    earlier, later = (verified_record(path, known) for path in bundles)
    found = compare_records(earlier, later)
    taken = _taken_back(found, home)
    if as_json:
        print_json(_members(found, taken))
        return DONE
    for side, decided in taken.items():
        complain(say(TAKEN_BACK[side, decided.decision], reason=as_sentence(decided.reason)))
    for query in found.queries:
        _print(query)
    for other in found.others:
        why = ", ".join(say(UNLIKE[reason]) for reason in other.why)
        print(say("Not compared: {title}: {why}.", title=other.title, why=why))
    if found.queries:
        print("\n".join([say(caution) for caution in CAUTIONS]))
    return DONE


def _taken_back(found: ReleaseComparison, home: Home) -> dict[Side, HistoryEntry]:
    """The sides that this user's ledger knows to be withdrawn or corrected."""
    sides: dict[Side, ReleaseRecord] = {"earlier": found.earlier, "later": found.later}
    decided = {side: taken_back(home, record) for side, record in sides.items()}
    return {side: one for side, one in decided.items() if one is not None}


def _print(query: ComparedQuery) -> None:
    print(query.title)
    if query.is_same_answer:
        print(say("Both releases have one and the same answer: it was drawn once."))
        return
    groups = len(query.lines[0].labels)
    heads = [*([""] if groups else []), *(say(head) for head in _HEADS)]
    rows = []
    for line in query.lines:
        label = [", ".join(line.labels)] if groups else []
        rows.append((*label, *_cells(line.difference, query.query.declaration.percent_factor)))
    first = 1 if groups else 0
    print_table(heads, rows, range(first, first + 6))


def _cells(difference: Difference, times: int) -> Iterator[str]:
    """Shares as percentages, their margins and differences in percentage points."""
    behind = " %" if times > 1 else ""
    for figure in (difference.earlier, difference.later):
        yield from _figure(figure, times, behind)
    if difference.value is None:
        yield from ("-", "-", say("says nothing"))
        return
    yield from _figure(Figure(difference.value, difference.margin), times)
    yield say("more than noise") if difference.is_more_than_noise else say("cannot tell")


def _figure(figure: Figure | None, times: int, behind: str = "") -> Iterator[str]:
    if figure is None:
        yield from ("-", "-")
        return
    yield in_cell(rounded(times * figure.value, 4)) + behind
    yield f"± {in_cell(rounded(times * figure.half_width, 3, up=True))}"


def _members(found: ReleaseComparison, taken: dict[Side, HistoryEntry]) -> dict[str, Any]:
    return {
        "earlier": {"id": found.earlier.id, "time": found.earlier.time},
        "later": {"id": found.later.id, "time": found.later.time},
        "queries": [_query_members(query) for query in found.queries],
        "taken_back": {side: one.decision for side, one in taken.items()},
        "not_compared": [{"title": o.title, "why": list(o.why)} for o in found.others],
    }


def _query_members(query: ComparedQuery) -> dict[str, Any]:
    return {
        "title": query.title,
        "same_answer": query.is_same_answer,
        "lines": [
            {"groups": list(line.labels), **_line_members(line.difference)} for line in query.lines
        ],
    }


def _line_members(found: Difference) -> dict[str, Any]:
    return {
        "earlier": _pair(found.earlier),
        "later": _pair(found.later),
        "difference": None if found.value is None else _text(found.value),
        "half_width_95": None if found.value is None else _margin(found.margin),
        "more_than_noise": found.is_more_than_noise,
    }


def _pair(figure: Figure | None) -> list[str] | None:
    return None if figure is None else [_text(figure.value), _margin(figure.half_width)]


def _text(number: Fraction) -> str:
    return rounded(number, 12)


def _margin(number: Fraction) -> str:
    return rounded(number, 12, up=True)
