# SPDX-License-Identifier: Apache-2.0
"""Words for the statistics: their names in a sentence, in the list, and what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.text.language import language, number_style, plain_names
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.text import titles
from dpdesk.study.text.number_text import in_text, plain
from dpdesk.study.text.title_words import FIRST, SCORES
from dpdesk.study.text.unit_names import UnitNames, names_of


def first_word(name: Statistic) -> str:
    """What a statistic is called at the beginning of a sentence."""
    return language().say(FIRST[name])


def about(name: Statistic, names: UnitNames) -> str:
    """What a statistic is, for the list of statistics."""
    text = {**_of_rows(), **_of_numbers(), **_of_choices()}[name]
    return text.format(rows=names.rows, people=names.people)


def _of_rows() -> dict[Statistic, str]:
    tr = QCoreApplication.translate
    return {
        "count": tr("QueryWords", "Count of {rows}"),
        "count-people": tr("QueryWords", "Number of {people}"),
        "share": tr("QueryWords", "Share of {rows} with a property"),
        "randomised-response": tr(
            "QueryWords", "Randomised response: {rows} with a property, from noisy answers"
        ),
        "categories-found": tr(
            "QueryWords", "Categories found in the data, if enough {people} have them"
        ),
    }


def _of_numbers() -> dict[Statistic, str]:
    tr = QCoreApplication.translate
    return {
        "sum": tr("QueryWords", "Sum of a number"),
        "mean": tr("QueryWords", "Mean of a number"),
        "variance": tr("QueryWords", "Variance of a number"),
        "standard-deviation": tr("QueryWords", "Standard deviation of a number"),
        "distribution": tr("QueryWords", "Cumulative distribution of a number over bins"),
        "bounds": tr("QueryWords", "Bounds of a number, estimated privately"),
    }


def _of_choices() -> dict[Statistic, str]:
    tr = QCoreApplication.translate
    return {
        "median": tr("QueryWords", "Median of a number"),
        "quantiles": tr("QueryWords", "Quantiles of a number"),
        "interquartile-range": tr(
            "QueryWords", "Interquartile range of a number, with both quartiles"
        ),
        "most-common": tr("QueryWords", "Most common group, or the top few"),
        "cut-off": tr("QueryWords", "Best cut-off of a number among candidates"),
    }


def kinds() -> dict[str, tuple[Statistic, ...]]:
    """All statistics by what they are about, under headings."""
    tr = QCoreApplication.translate
    return {
        tr("QueryWords", "How many"): ("count", "count-people", "share", "randomised-response"),
        tr("QueryWords", "How much"): ("sum", "mean", "variance", "standard-deviation"),
        tr("QueryWords", "How it is spread"): (
            "median",
            "quantiles",
            "interquartile-range",
            "distribution",
            "bounds",
        ),
        tr("QueryWords", "Which one"): ("most-common", "cut-off", "categories-found"),
    }


def number(value: Decimal) -> str:
    """A number in the locale's spelling, without trailing zeros."""
    return in_text(plain(value), number_style())


def typed(value: Decimal) -> str:
    """A number as it stands in a list that is typed: without separators, which may be blanks."""
    style = number_style()
    return plain(value).replace("-", style.minus).replace(".", style.decimal)


def numbers(values: Sequence[Decimal]) -> str:
    """A list of numbers; of a long one the ends."""
    return titles.number_list(values, language())


def scores(study: Study) -> dict[str, str]:
    """What can make a cut-off good."""
    rows = names_of(study.unit, plain_names()).rows
    return {key: language().say(text).format(rows=rows) for key, text in SCORES.items()}
