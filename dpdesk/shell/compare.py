# SPDX-License-Identifier: Apache-2.0
"""``dpdesk compare``: two verified bundles, question by question; spends nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template, spoken
from dpdesk.privacy.planning.differences import Difference
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.statistics.figures_text import Figure, range_texts
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import line_names
from dpdesk.release.comparison.compare_records import (
    ComparedQuery,
    ReleaseComparison,
    compare_records,
)
from dpdesk.release.comparison.sides import ComparedSide, SideName, bundle_side, fork_between
from dpdesk.release.comparison.taken_back import NoticeHeld, hold_notice, own_taken, taken_of
from dpdesk.release.notices.notice_file import read_notice
from dpdesk.release.notices.own_decision import TakenBack
from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers, load_signers
from dpdesk.shell.output import (
    DONE,
    REFUSED,
    WITHDRAWN,
    complain,
    in_cell,
    in_sentence,
    print_json,
    print_table,
    say,
)
from dpdesk.study.problem import refuse
from dpdesk.study.reuse.moved_periods import MovedPeriod
from dpdesk.study.text.number_text import rounded
from dpdesk.texts.comparison import (
    GROUPS_COMPARED,
    MARGINS,
    POPULATIONS,
    SAME_ANSWER,
    line_name,
    meanings,
    only_sentences,
    said_of,
    taken_sentences,
    unlike_sentence,
)
from dpdesk.texts.problems import sentence

_HEADS: Final[tuple[Template, ...]] = (
    "earlier",
    "±",
    "later",
    "±",
    "difference",
    "±",
    "what it says",
)


@dataclass(frozen=True)
class _SidesSaid:
    """What is said of the two releases themselves."""

    is_forked: bool
    taken: Mapping[SideName, TakenBack]
    notices: Sequence[NoticeHeld]


def run(
    bundles: tuple[Path, Path],
    signers: Path | None,
    home: Home,
    as_json: bool,
    notices: Sequence[Path] = (),
) -> int:
    """Compare an earlier bundle with a later one, both verified first; a notice may be of either.

    The status is that of ``verify`` for both bundles: refused where no single history of their
    ledger holds both or a notice does not count, and withdrawn where one was taken back.

    Raises:
        Refused: a bundle does not verify, or says too little to be compared; a notice cannot be
            read.
    """
    if signers is not None and not signers.is_file():
        raise refuse("signers-unreadable", name=signers.name)
    known = load_signers(signers) if signers else known_signers(home)
    earlier, later = (bundle_side(path, known) for path in bundles)
    found = compare_records(earlier.record, later.record)
    sides: dict[SideName, ComparedSide] = {"earlier": earlier, "later": later}
    held = [hold_notice(read_notice(path), sides, known) for path in notices]
    fork = fork_between(earlier, later)
    standing = _SidesSaid(fork is not None, taken_of(own_taken(home, sides), held), held)
    if as_json:
        print_json(_members(found, standing))
    else:
        if fork is not None:
            complain(sentence(fork))
        _say_taken_back(standing)
        _print_found(found)
    if fork is not None or not all(one.about for one in held):
        return REFUSED
    return WITHDRAWN if standing.taken else DONE


def _say_taken_back(standing: _SidesSaid) -> None:
    for text in taken_sentences(standing.taken):
        complain(text)
    problems = [problem for held in standing.notices for problem in held.problems]
    for text in dict.fromkeys(map(sentence, problems)):
        complain(text)


def _print_found(found: ReleaseComparison) -> None:
    for query in found.queries:
        _print(query, line_names(found.study, query.query, ReleaseWords.of(spoken().language)))
    for other in found.unlike:
        print(unlike_sentence(other.title, other.why))
    for text in only_sentences(found, lambda one: one.title):
        print(text)
    if found.queries:
        for head, text in meanings():
            print(f"{head}: {text}")
        print(say(MARGINS))
    if any(query.has_population for query in found.queries):
        print(say(POPULATIONS))


def _print(query: ComparedQuery, called: Mapping[str, str]) -> None:
    print(query.title)
    if query.query.comparisons:
        print(say(GROUPS_COMPARED))
    if query.is_same_answer:
        print(say(SAME_ANSWER))
        return
    for text in said_of(query):
        print(text)
    groups, is_asked = len(query.lines[0].labels), query.has_population
    heads = [*([""] if groups else []), *(say(head) for head in _HEADS)]
    heads += [say("for the population")] * is_asked
    rows, times = [], query.query.declaration.percent_factor
    for line in query.lines:
        label = [line_name(line, [called] * groups)] if groups else []
        population = [_population(line.population, times)] * is_asked
        rows.append((*label, *_cells(line.difference, times), *population))
    first = 1 if groups else 0
    print_table(heads, rows, range(first, first + 6))


def _population(ends: Ends | None, times: int) -> str:
    if ends is None:
        return "-"
    low, high = (in_sentence(text) for text in range_texts((times * ends[0], times * ends[1])))
    return say("between {low} and {high}", low=low, high=high)


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


def _members(found: ReleaseComparison, standing: _SidesSaid) -> dict[str, Any]:
    return {
        "earlier": {"id": found.earlier.id, "time": found.earlier.time},
        "later": {"id": found.later.id, "time": found.later.time},
        "queries": [_query_members(query) for query in found.queries],
        "one_history": not standing.is_forked,
        "taken_back": {side: one.decision for side, one in standing.taken.items()},
        "notices": [_notice_members(held) for held in standing.notices],
        "not_compared": [{"title": o.title, "why": list(o.why)} for o in found.others],
        "only_earlier": [one.title for one in found.only_earlier],
        "only_later": [one.title for one in found.only_later],
    }


def _notice_members(held: NoticeHeld) -> dict[str, Any]:
    return {
        "about": held.about,
        "problems": [problem.code for problem in held.problems],
        "kind": held.notice.kind,
        "time": held.notice.time,
        "reason": held.notice.reason,
    }


def _query_members(query: ComparedQuery) -> dict[str, Any]:
    return {
        "title": query.title,
        "same_answer": query.is_same_answer,
        "moved": [_moved_members(one) for one in query.moved],
        "read_otherwise": [column.name for _before, column in query.read],
        "lines": [
            {
                "groups": list(line.labels),
                "earlier_groups": list(line.before or line.labels),
                **_line_members(line.difference),
                "population_95": _ends(line.population),
            }
            for line in query.lines
        ],
    }


def _moved_members(one: MovedPeriod) -> dict[str, Any]:
    periods = {"earlier": one.before, "later": one.now}
    days = {side: [str(p.first), str(p.last)] for side, p in periods.items()}
    return {"what": one.now.what, "column": one.now.column, **days}


def _line_members(found: Difference) -> dict[str, Any]:
    return {
        "earlier": _pair(found.earlier),
        "later": _pair(found.later),
        "difference": None if found.value is None else _text(found.value),
        "half_width_95": None if found.value is None else _margin(found.margin),
        "more_than_noise": found.is_more_than_noise,
    }


def _ends(ends: Ends | None) -> list[str] | None:
    return None if ends is None else [*range_texts(ends)]


def _pair(figure: Figure | None) -> list[str] | None:
    return None if figure is None else [_text(figure.value), _margin(figure.half_width)]


def _text(number: Fraction) -> str:
    return rounded(number, 12)


def _margin(number: Fraction) -> str:
    return rounded(number, 12, up=True)
