# SPDX-License-Identifier: Apache-2.0
"""What follows from curves and moments, as people read it: in report, workbook, window alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.planning.linear.model_lines import NOT_KNOWN
from dpdesk.privacy.planning.survival.derived_table import (
    COLUMNS,
    NOT_REACHED,
    TERM,
)
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.readable import Form
from dpdesk.study.model.columns import Column, NumberColumn
from dpdesk.study.text.number_text import in_column, in_percent, in_text
from dpdesk.study.text.titles import group_text

HEADS: Final[tuple[Template, ...]] = (
    "Figure",
    "Group",
    "Released",
    "Noise, 95 %",
    "Noise and chance, 95 %",
)
_COLUMN: Final[Template] = "Column"
FOLLOWS: Final[Template] = "Derived from the curve"
_MODEL_FOLLOWS: Final[Template] = "The linear model, at no cost"
ABOUT_DERIVED: Final[Template] = (
    "They follow from the released curve. A range of noise holds the figure of these people, one "
    "of noise and chance that of the population they come from."
)
ABOUT_TEST: Final[Template] = (
    "The log-rank test compares the curves of all groups over all of the time in which noise "
    "surely leaves somebody at risk in each. Its chi-squared has the variance of noise beside that "
    "of chance, so p counts both: how often groups with one curve would differ as much."
)
_ABOUT_MODEL: Final[Template] = (
    "By how much the outcome rises with each column, the others alike, by least squares. A range "
    "of noise holds the coefficient of these rows, one of noise and chance that of the population "
    "they come from, if the model is right and errors spread alike. “p” counts noise and chance."
)
_NO_MODEL: Final[Template] = (
    "Noise leaves nothing of this model: its columns cannot be told from each other. Ask it with a "
    "larger share, or with fewer columns."
)
_NAMES: Final[dict[str, Template]] = {
    "survival-at": "Without an event after {time}",
    "median-time": "Median time without an event",
    "restricted-mean": "Mean time without an event, up to {time}",
    "survival-difference": "Difference after {time}",
    "log-rank": "Log-rank test",
    "incidence-at": "Incidence after {time}",
    "incidence-difference": "Difference after {time}",
    "intercept": "Outcome where all are 0 or no",
    "coefficient": "Change with each unit more",
    "coefficient-of-yes": "Change with yes instead of no",
}
_SHARES = frozenset({"survival-at", "incidence-at"})
_DIFFERENCES = frozenset({"survival-difference", "incidence-difference"})
_TIMES = frozenset({"median-time", "restricted-mean"})
_ENDS = 4
"""Where a line has the ends of its ranges, behind its figure."""
MOST_READINGS = 4
_FROM: Final[Template] = "Difference from {other} after {time}"
_NOT_REACHED: Final[Template] = "not reached"
_NOT_KNOWN: Final[Template] = "hidden by noise"
_RANGE: Final[Template] = "{lowest} to {highest}"
_OR_MORE: Final[Template] = "{lowest} or more"
_LESS: Final[Template] = "{one} less {other}"
_TEST: Final[Template] = "chi-squared {value}"
_WITH_P: Final[Template] = "{range}; {p}"
_P: Final[Template] = "p = {p}"
_LEAST_P: Final[Template] = "p at most {p}"
_POINTS: Final[Template] = "{n} points"


def is_model(table: Table) -> bool:
    """Whether what follows is a linear model."""
    return table.derived is not None and table.derived.columns[0].name == TERM


def derived_heads(table: Table, words: ReleaseWords = WORDS) -> tuple[str, ...]:
    """What heads the columns of the lines."""
    heads = (HEADS[0], _COLUMN, *HEADS[2:]) if is_model(table) else HEADS
    return tuple(words.say(head) for head in heads)


def follows(table: Table, words: ReleaseWords = WORDS) -> str:
    """The heading of the lines."""
    return words.say(_MODEL_FOLLOWS if is_model(table) else FOLLOWS)


def about_derived(table: Table, words: ReleaseWords = WORDS) -> str:
    """What the lines are, below them."""
    derived = table.derived
    if derived is not None and is_model(table):
        is_known = any(row[-1] != NOT_KNOWN for row in derived.rows)
        return words.say(_ABOUT_MODEL if is_known else _NO_MODEL)
    said = words.say(ABOUT_DERIVED)
    has_test = derived is not None and any("log-rank" in row for row in derived.rows)
    return f"{said} {words.say(ABOUT_TEST)}" if has_test else said


def derived_lines(table: Table, unit: str, words: ReleaseWords = WORDS) -> list[tuple[str, ...]]:
    """One line a figure, a cell for each head; none where nothing follows.

    Args:
        table: a query's, with what follows from it.
        unit: of the time.
        words: of the language.
    """
    derived = table.derived
    if derived is None:
        return []
    inner = len(derived.columns) - len(COLUMNS)
    return [_line(row[:inner], row[inner:], unit, words) for row in derived.rows]


@dataclass(frozen=True)
class DerivedText:
    """One figure that follows from a curve, for a table with a column for each group.

    Attributes:
        row: what it is; of a difference, from which group, too.
        group: of which group; empty for a test of all.
        other: which group it is compared with; may be empty.
        figure: the figure with its unit, or why there is none.
        noise, chance: its two ranges; may be empty.
    """

    row: str
    group: str
    other: str
    figure: str
    noise: str
    chance: str


def derived_texts(table: Table, unit: str, words: ReleaseWords = WORDS) -> list[DerivedText]:
    """What follows from curves, by figure and group; see ``derived_lines``."""
    derived = table.derived
    if derived is None:
        return []
    inner, found = len(derived.columns) - len(COLUMNS), []
    for row in derived.rows:
        groups, (name, other, up_to, *_rest) = row[:inner], row[inner:]
        said, _group, figure, *ranges = _line(groups, row[inner:], unit, words)
        if name in _DIFFERENCES | _SHARES | _TIMES:
            ends = row[inner + _ENDS : inner + _ENDS + 4]
            ranges = [_bare(name, two, words) for two in (ends[:2], ends[2:])]
        if other:
            time = _with_unit(in_text(up_to, words.numbers), unit)
            said = words.say(_FROM, other=other, time=time)
        found.append(DerivedText(said, _group_of(groups, words), other, figure, *ranges))
    return found


@dataclass(frozen=True)
class DerivedNumbers:
    """One figure that follows from a curve, each of its numbers apart.

    Attributes:
        name: what it is: "Difference after 730 days".
        group: of which group; of a difference, of which two.
        unit: of its numbers, for people.
        form: of its numbers.
        numbers: the figure, both ends of its range of noise, both of that of noise and chance,
            and p: decimal texts, empty where one is not known.
        note: why there is no figure; may be empty.
    """

    name: str
    group: str
    unit: str
    form: Form
    numbers: tuple[str, ...]
    note: str = ""


def derived_figures(
    table: Table, unit: str, points: str, words: ReleaseWords = WORDS
) -> list[DerivedNumbers]:
    """The same as ``derived_lines``, for a sheet of numbers.

    Args:
        table: see ``derived_lines``, and so are the others.
        unit: of the time.
        points: what percentage points are called.
        words: of the language.
    """
    derived = table.derived
    if derived is None:
        return []
    inner, found = len(derived.columns) - len(COLUMNS), []
    for row in derived.rows:
        name, _other, _up_to, *numbers, note = row[inner:]
        said, group, released, *_ranges = _line(row[:inner], row[inner:], unit, words)
        form: Form = "number"
        if name in _SHARES | _DIFFERENCES:
            form = "percent" if name in _SHARES else "points"
        counted = {"percent": "%", "points": points}.get(form, "" if name == "log-rank" else unit)
        shown = "" if numbers[0] and not note else released
        found.append(DerivedNumbers(said, group, counted, form, tuple(numbers), shown))
    return found


def readings(table: Table, unit: str, words: ReleaseWords = WORDS) -> list[tuple[str, ...]]:
    """The curves at one time, and their differences there, each as one line.

    It is the last of the times at which noise leaves one of them. None where there would be more
    than ``MOST_READINGS``.

    Args:
        table: see ``derived_lines``, and so are the others.
        unit: of the time.
        words: of the language.
    """
    lines = derived_lines(table, unit, words)
    if table.derived is None or not lines or is_model(table):
        return []
    at = len(table.derived.columns) - len(COLUMNS)
    at_times = [
        (line, row[at + 2], row[-1] != NOT_KNOWN)
        for line, row in zip(lines, table.derived.rows, strict=True)
        if row[at] in _SHARES | _DIFFERENCES
    ]
    # A group's times rise, and all groups have the same ones.
    times = list(dict.fromkeys(time for _, time, _ in at_times))
    known = {time for _, time, is_known in at_times if is_known}
    last = next((time for time in reversed(times) if time in known), times[-1])
    found = [line for line, time, _ in at_times if time == last]
    return found if len(found) <= MOST_READINGS else []


def shares_at_last_time(
    table: Table, unit: str, words: ReleaseWords = WORDS
) -> tuple[str, dict[str, tuple[str, str]]]:
    """The last declared time at which noise leaves two curves, and each group's share there.

    Beside the share is its range for the population, which may be empty.

    Both are empty of other tables.
    """
    derived = table.derived
    inner = 0 if derived is None else len(derived.columns) - len(COLUMNS)
    rows = () if derived is None else derived.rows
    survival = [row for row in rows if row[inner] == "survival-at"]
    if not survival:
        return "", {}
    times = [row[inner + 2] for row in survival if row[inner + 3]]
    known = (time for time in reversed(times) if times.count(time) > 1)
    last = next(known, survival[-1][inner + 2])
    shares = dict[str, tuple[str, str]]()
    for row in survival:
        name, _other, time, value, _low, _high, *ends, _p, _note = row[inner:]
        if time == last and value:
            shown = _figure(name, value, unit, words), _bare(name, tuple(ends), words)
            shares[_group_of(row[:inner], words)] = shown
    return _with_unit(in_text(last, words.numbers), unit), shares


def may_be_equal(table: Table) -> bool:
    """Whether the ranges for the population of all differences of survival curves hold 0."""
    derived = table.derived
    inner = 0 if derived is None else len(derived.columns) - len(COLUMNS)
    rows = () if derived is None else derived.rows
    ends = [
        (lowest, highest)
        for _name, _other, _time, _value, _low, _high, lowest, highest, *_rest in (
            row[inner:] for row in rows if row[inner] == "survival-difference"
        )
    ]
    is_known = bool(ends) and all(all(pair) for pair in ends)
    return is_known and all(Decimal(low) <= 0 <= Decimal(high) for low, high in ends)


def unit_of(column: Column | None) -> str:
    """The unit of a curve's time; empty where none is declared."""
    return column.label if isinstance(column, NumberColumn) else ""


def _line(
    groups: tuple[str, ...], cells: tuple[str, ...], unit: str, words: ReleaseWords
) -> tuple[str, ...]:
    name, other, up_to, value, low, high, lowest, highest, p, note = cells
    time = _with_unit(in_text(up_to, words.numbers), unit)
    group = _group_of(groups, words)
    if other:
        group = words.say(_LESS, one=group, other=other)
    released, *ranges = _read(name, (value, low, high, lowest, highest), note, unit, words)
    if p:
        said = p_text(p, words)
        ranges[1] = words.say(_WITH_P, range=ranges[1], p=said) if ranges[1] else said
    return (words.say(_NAMES[name], time=time), group, released, *ranges)


def _group_of(groups: tuple[str, ...], words: ReleaseWords) -> str:
    return ", ".join(group_text(text, words.language) for text in groups if text)


def p_text(p: str, words: ReleaseWords) -> str:
    """ "p = 0.0123", or that it is at most the least that is published."""
    return words.say(_LEAST_P if is_least(p) else _P, p=in_text(p, words.numbers))


def is_least(p: str) -> bool:
    return p.strip("0.") == "1" and p != "1"


def _read(
    name: str, texts: tuple[str, ...], note: str, unit: str, words: ReleaseWords
) -> Iterator[str]:
    """The figure, then its two ranges."""
    value, low, high, lowest, highest = texts
    if name == "log-rank" and value:
        yield words.say(_TEST, value=in_text(value, words.numbers))
    elif note:
        yield words.say(_NOT_REACHED if note == NOT_REACHED else _NOT_KNOWN)
    elif not value:
        yield words.say(_NOT_REACHED)
    else:
        yield _figure(name, value, unit, words)
    for ends in ((low, high), (lowest, highest)):
        yield _range(name, ends, unit, words)


def _range(name: str, ends: tuple[str, str], unit: str, words: ReleaseWords) -> str:
    """Both ends; of a median the upper one may not be reached.

    Points are named beside the figure alone: twice they would leave a page no room.
    """
    if not any(ends):
        return ""
    first, last = ends
    if name in _DIFFERENCES:
        high = _number(name, last, words)
    else:
        high = _figure(name, last, unit, words) if last else words.say(_NOT_REACHED)
    return words.say(_RANGE, lowest=_number(name, first, words), highest=high)


def _bare(name: str, ends: tuple[str, ...], words: ReleaseWords) -> str:
    """The same below its figure, whose unit it has."""
    if not any(ends):
        return ""
    low, high = (_number(name, end, words) if end else "" for end in ends)
    if low and not high:
        return words.say(_OR_MORE, lowest=low)
    return words.say(_RANGE, lowest=low, highest=high)


def _number(name: str, text: str, words: ReleaseWords) -> str:
    """Shares in hundredths."""
    write = in_percent if name in _SHARES | _DIFFERENCES else in_column
    return write(text, words.numbers)


def _figure(name: str, text: str, unit: str, words: ReleaseWords) -> str:
    if name in _DIFFERENCES:
        return words.say(_POINTS, n=_number(name, text, words))
    return _with_unit(_number(name, text, words), "%" if name in _SHARES else unit)


def _with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}" if unit else text
