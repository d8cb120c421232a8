# SPDX-License-Identifier: Apache-2.0
"""The words of the dialog that makes columns from others: its units, signs and results."""

from __future__ import annotations

from fractions import Fraction

from dpdesk.desk.text import times, words
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    group_labels,
)
from dpdesk.study.model.steps.result import Result
from dpdesk.study.model.steps.step import (
    DatePartName,
    Operation,
    Step,
    TimeBetween,
    TimeUnit,
)

DECIMALS = 2
MOST_VALUES = 4


def nothing_fits(kind: type[Column] | None) -> str:
    """What an empty list of columns says, where none is declared of a kind or none fits."""
    if kind is DateColumn:
        return tr("Steps", "No date is declared yet: choose Date for a column")
    if kind is NumberColumn:
        return tr("Steps", "No number is declared yet: choose Number for a column")
    if kind is CategoryColumn:
        return tr("Steps", "No category is declared yet: choose Category for a column")
    return tr("Steps", "No column fits")


def units() -> dict[TimeUnit, str]:
    """The units as they are behind "in", which is another form in some languages."""
    return {
        "hours": tr("StepUnits", "hours"),
        "days": tr("StepUnits", "days"),
        "weeks": tr("StepUnits", "weeks"),
        "months": tr("StepUnits", "completed months"),
        "years": tr("StepUnits", "completed years"),
    }


def parts() -> dict[DatePartName, str]:
    """The parts of a date."""
    return {
        "year": tr("Steps", "year"),
        "quarter": tr("Steps", "quarter"),
        "month": tr("Steps", "month"),
        "weekday": tr("Steps", "day of the week"),
        "hour": tr("Steps", "hour"),
    }


SIGNS: dict[Operation, str] = {"add": "+", "subtract": "−", "multiply": "×", "divide": "÷"}


def operations() -> dict[Operation, str]:
    """What is done with two numbers, with its sign."""
    return {
        "add": tr("Steps", "+ plus"),
        "subtract": tr("Steps", "− minus"),
        "multiply": tr("Steps", "× times"),
        "divide": tr("Steps", "÷ divided by"),
    }


def unit_label(step: Step) -> str:
    """The unit that a step's result is counted in; empty where it is the columns' own."""
    return _labels()[step.unit] if isinstance(step, TimeBetween) else ""


def label_of(column: NumberColumn, step: Step) -> str:
    """The unit of a number that is made so: what was typed, else that of the step."""
    is_typed = column.label and column.label not in _labels().values()
    return column.label if is_typed else unit_label(step)


def _labels() -> dict[TimeUnit, str]:
    return {
        "hours": tr("Steps", "hours"),
        "days": tr("Steps", "days"),
        "weeks": tr("Steps", "weeks"),
        "months": tr("Steps", "months"),
        "years": tr("Steps", "years"),
    }


def declared_range(column: Column) -> str:
    """What a column can be, as it is declared."""
    if isinstance(column, NumberColumn):
        if column.lower is None or column.upper is None:
            return tr("Steps", "no bounds yet")
        low, high = (words.localised(words.plain(end)) for end in (column.lower, column.upper))
        return _ends(low, high, column.label)
    if isinstance(column, DateColumn):
        if column.first is None or column.last is None:
            return tr("Steps", "no period yet")
        days = (times.calendar_day(day.isoformat()) for day in (column.first, column.last))
        return _ends(*days)
    return values_text(group_labels(column))


def result_range(result: Result, unit: str) -> str:
    """What a step's result can be, as it was worked out; empty while that is not known."""
    if result.lowest is not None and result.highest is not None:
        return _ends(_number(result.lowest), _number(result.highest), unit)
    return values_text(result.values)


def values_text(values: tuple[str, ...]) -> str:
    """The first of some values, and how many more there are."""
    shown = ", ".join(values[:MOST_VALUES])
    more = len(values) - MOST_VALUES
    return shown if more <= 0 else f"{shown} " + tr("Steps", "and %n more", "", more)


def _ends(low: str, high: str, unit: str = "") -> str:
    return tr("Steps", "{0} to {1} {2}").format(low, high, unit).strip()


def _number(value: Fraction) -> str:
    rounded = round(value, DECIMALS)
    text = f"{float(rounded):.{DECIMALS}f}".rstrip("0").rstrip(".")
    return words.localised(text)
