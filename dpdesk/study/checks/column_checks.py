# SPDX-License-Identifier: Apache-2.0
"""Judges one column's declaration."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from dpdesk.study import limits
from dpdesk.study.checks.date_checks import check_dates
from dpdesk.study.checks.finding_checks import check_unbounded
from dpdesk.study.model.columns import (
    MISSING_LABEL,
    OTHER_LABEL,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    common_divisor,
    number_grid,
)
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.model.text_folding import tidy
from dpdesk.study.problem import Problem
from dpdesk.study.text.number_text import plain


def check_column(
    column: Column, path: str, missing: tuple[str, ...] = (), *, is_open: bool = False
) -> Iterator[Problem]:
    """Problems of one column.

    Args:
        path: where it is.
        missing: the study's markers for missing cells.
        is_open: whether it needs no values; see ``finding_checks.open_columns``.
    """
    for problem in _own(column, missing, is_open):
        yield replace(problem, path=path + problem.path)


@lru_cache(maxsize=4 * limits.MAX_COLUMNS)
def _own(column: Column, missing: tuple[str, ...], is_open: bool) -> tuple[Problem, ...]:
    """Problems below the column's own path; a keystroke asks for each column and query again."""
    return tuple(_problems(column, "", missing, is_open))


def _problems(
    column: Column, path: str, missing: tuple[str, ...], is_open: bool
) -> Iterator[Problem]:
    if not column.name.strip():
        yield Problem(f"{path}.name", "column-nameless")
    markers = {m.strip() for m in (*missing, *column.missing_values)}
    if isinstance(column, NumberColumn):
        open_ = is_open and is_unbounded(column)
        yield from check_unbounded(column, path) if open_ else _number(column, path)
        yield from _readings(column, path, markers)
    elif isinstance(column, DateColumn):
        yield from check_dates(column, path)
    elif isinstance(column, CategoryColumn):
        if column.values or not is_open:
            yield from _values(column.values, f"{path}.values", markers)
        yield from _check_labels(column, f"{path}.labels", markers)
        yield from _constants(column, path, column.values)
    else:
        yield from _yes_no(column, path, markers)


def too_long(path: str) -> Problem:
    """The problem of a number that a study file cannot hold without loss."""
    return Problem(path, "number-too-long", {"most": str(limits.MAX_SIGNIFICANT_DIGITS)})


def _number(column: NumberColumn, path: str) -> Iterator[Problem]:
    declared = {k: getattr(column, k) for k in ("lower", "upper", "step")}
    long = [k for k, v in declared.items() if v is not None and not limits.is_plain_number(v)]
    if long:
        yield from (too_long(f"{path}.{key}") for key in long)
        return
    absent = [k for k in ("lower", "upper", "step") if getattr(column, k) is None]
    for key in absent:
        yield Problem(f"{path}.{key}", f"{key}-not-declared", {"name": column.name})
    if column.lower is not None and column.upper is not None and column.upper <= column.lower:
        params = _upper_params(column.lower, column.upper)
        yield Problem(f"{path}.upper", "upper-not-above-lower", params)
        return
    if column.step is not None and column.step <= 0:
        yield Problem(f"{path}.step", "step-not-positive")
        return
    if column.lower is not None and column.upper is not None and column.step is not None:
        yield from _grid(column, path, column.upper - column.lower, column.step)


def _upper_params(lower: Decimal, upper: Decimal) -> dict[str, str]:
    """The lower bound and, where a slipped decimal mark explains the mistake, what was meant."""
    params = {"lower": plain(lower)}
    guess = upper * 10
    if guess > lower:
        params["suggestion"] = plain(guess)
    return params


def _grid(column: NumberColumn, path: str, spread: Decimal, step: Decimal) -> Iterator[Problem]:
    if (Fraction(spread) / Fraction(step)).denominator != 1:
        params = _step_params(column, spread, step)
        yield Problem(f"{path}.step", "step-does-not-divide", params)
        return
    grid = number_grid(column)
    if max(abs(grid.lowest), abs(grid.highest), grid.last) > limits.MAX_QUANTA:
        yield Problem(f"{path}.step", "grid-too-fine")
        return
    yield from _number_constants(column, path)


def _step_params(column: NumberColumn, spread: Decimal, step: Decimal) -> dict[str, str]:
    """The range and, where a finer step would be accepted, that step."""
    params = {"range": plain(spread)}
    better = common_divisor(Fraction(spread), Fraction(step))
    as_decimal = Decimal(better.numerator) / Decimal(better.denominator)
    suggested = replace(column, step=as_decimal)
    if Fraction(as_decimal) == better and not any(_number(suggested, "")):
        params["suggestion"] = plain(as_decimal)
    return params


def _readings(column: NumberColumn, path: str, markers: set[str]) -> Iterator[Problem]:
    """Problems of cells that are read as numbers: what is a number or missing is read already."""
    seen: set[str] = set()
    for index, reading in enumerate(column.reads):
        cell, place = tidy(reading.cell), f"{path}.reads[{index}]"
        if not cell:
            yield Problem(f"{place}.cell", "value-blank")
        elif cell in seen:
            yield Problem(f"{place}.cell", "value-twice", {"value": cell})
        elif cell in markers:
            yield Problem(f"{place}.cell", "value-means-missing", {"value": cell})
        elif _NUMBER_LIKE.fullmatch(cell):
            yield Problem(f"{place}.cell", "reading-of-number", {"value": cell})
        if not limits.is_plain_number(reading.value):
            yield too_long(f"{place}.as")
        seen.add(cell)


_NUMBER_LIKE = re.compile(r"[+-]?[0-9][0-9.,' ]*(?:[eE][+-]?[0-9]+)?")
"""What some declaration of marks reads as a number."""


def _number_constants(column: NumberColumn, path: str) -> Iterator[Problem]:
    for key in ("missing", "unparsable", "outside"):
        rule = getattr(column, key)
        if not isinstance(rule, Replace):
            continue
        if isinstance(rule.value, Decimal) and not limits.is_plain_number(rule.value):
            yield too_long(f"{path}.{key}.replace")
        elif not _within(column, rule.value):
            yield Problem(f"{path}.{key}.replace", "constant-outside-bounds")


def _within(column: NumberColumn, value: Decimal | str) -> bool:
    if isinstance(value, str) or column.lower is None or column.upper is None:
        return False
    return column.lower <= value <= column.upper


def _values(values: tuple[str, ...], path: str, markers: set[str]) -> Iterator[Problem]:
    if not values:
        yield Problem(path, "values-not-declared")
    seen: set[str] = set()
    for index, value in enumerate(values):
        text = value.strip()
        if not text:
            yield Problem(f"{path}[{index}]", "value-blank")
        elif text in seen:
            yield Problem(f"{path}[{index}]", "value-twice", {"value": text})
        elif text in markers:
            yield Problem(f"{path}[{index}]", "value-means-missing", {"value": text})
        elif text in (MISSING_LABEL, OTHER_LABEL):
            yield Problem(f"{path}[{index}]", "value-reserved", {"value": text})
        seen.add(text)


def _yes_no(column: YesNoColumn, path: str, markers: set[str]) -> Iterator[Problem]:
    yield from _values(column.yes, f"{path}.yes", markers)
    yield from _values(column.no, f"{path}.no", markers)
    both = {v.strip() for v in column.yes} & {v.strip() for v in column.no}
    for value in sorted(both):
        yield Problem(f"{path}.no", "value-twice", {"value": value})
    yield from _constants(column, path, column.yes[:1] + column.no[:1])


def _constants(
    column: CategoryColumn | YesNoColumn, path: str, known: tuple[str, ...]
) -> Iterator[Problem]:
    for key in ("missing", "unknown"):
        rule = getattr(column, key)
        if isinstance(rule, Replace) and rule.value not in known:
            yield Problem(f"{path}.{key}.replace", "constant-not-a-value")


def _check_labels(column: CategoryColumn, path: str, markers: set[str]) -> Iterator[Problem]:
    """Problems of the labels; none where the values are their own names.

    A label that is another value is refused although a cell's code comes first: in a file that
    holds names instead of codes, that cell would be counted as the wrong value without a word.

    Args:
        path: where the labels stand.
        markers: texts that mean "missing" in the column, without white space around them.
    """
    if not column.labels:
        return
    if len(column.labels) != len(column.values):
        params = {"labels": str(len(column.labels)), "values": str(len(column.values))}
        yield Problem(path, "labels-count-differs", params)
        return
    values = [_read(value) for value in column.values]
    markers = {_read(marker) for marker in markers}
    seen: set[str] = set()
    for index, label in enumerate(column.labels):
        code = _fault(label, seen, markers)
        if code is None and _read(label) != values[index] and _read(label) in values:
            code = "label-is-other-value"
        if code is not None:
            params = {} if code == "label-blank" else {"label": _read(label)}
            yield Problem(f"{path}[{index}]", code, params)
        seen.add(_read(label))


def _fault(label: str, seen: set[str], markers: set[str]) -> str | None:
    """What is wrong with a label, whichever value it names."""
    text = _read(label)
    if not text:
        return "label-blank"
    if text in seen:
        return "label-twice"
    if text in markers:
        return "label-means-missing"
    return "label-reserved" if text in (MISSING_LABEL, OTHER_LABEL) else None


def _read(text: str) -> str:
    """A text as a cell that holds it is compared: see ``dpdesk.study.model.text_folding``."""
    return unicodedata.normalize("NFC", text.strip()).strip()
