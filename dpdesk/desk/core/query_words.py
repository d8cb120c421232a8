# SPDX-License-Identifier: Apache-2.0
"""Words for the statistics: their names in a sentence, in the list, and what they are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from PySide6.QtCore import QCoreApplication, QLocale

from dpdesk.study.groupings import Bins, Grouping
from dpdesk.study.statistics import Statistic

SHOWN = 4
"""So many numbers of a list are shown; of longer lists the ends."""


@dataclass(frozen=True)
class StatisticWords:
    """How a statistic is called.

    Attributes:
        first: the first word of a sentence.
        joint: the word between it and what it is about.
        about: what it is, for the list of statistics.
    """

    first: str
    joint: str
    about: str


def statistic_words(name: Statistic) -> StatisticWords:
    """The words of a statistic."""
    return (_of_rows(name) or _of_numbers(name) or _of_choices(name))[name]


def _of_rows(name: Statistic) -> dict[Statistic, StatisticWords]:
    tr = QCoreApplication.translate
    of = tr("QueryWords", "of")
    found: dict[Statistic, StatisticWords] = {
        "count": StatisticWords(tr("QueryWords", "Count"), of, tr("QueryWords", "Count of rows")),
        "count-people": StatisticWords(
            tr("QueryWords", "Number"), of, tr("QueryWords", "Number of people")
        ),
        "share": StatisticWords(
            tr("QueryWords", "Share"),
            tr("QueryWords", "of rows where"),
            tr("QueryWords", "Share of rows with a property"),
        ),
        "randomised-response": StatisticWords(
            tr("QueryWords", "Randomised response"),
            tr("QueryWords", "to whether"),
            tr("QueryWords", "Randomised response: rows with a property, from noisy answers"),
        ),
        "categories-found": StatisticWords(
            tr("QueryWords", "Categories found"),
            tr("QueryWords", "in"),
            tr("QueryWords", "Categories found in the data, if enough people have them"),
        ),
    }
    return found if name in found else {}


def _of_numbers(name: Statistic) -> dict[Statistic, StatisticWords]:
    tr = QCoreApplication.translate
    of = tr("QueryWords", "of")
    found: dict[Statistic, StatisticWords] = {
        "sum": StatisticWords(tr("QueryWords", "Sum"), of, tr("QueryWords", "Sum of a number")),
        "mean": StatisticWords(tr("QueryWords", "Mean"), of, tr("QueryWords", "Mean of a number")),
        "variance": StatisticWords(
            tr("QueryWords", "Variance"), of, tr("QueryWords", "Variance of a number")
        ),
        "standard-deviation": StatisticWords(
            tr("QueryWords", "Standard deviation"),
            of,
            tr("QueryWords", "Standard deviation of a number"),
        ),
        "distribution": StatisticWords(
            tr("QueryWords", "Distribution"),
            of,
            tr("QueryWords", "Cumulative distribution of a number over bins"),
        ),
        "bounds": StatisticWords(
            tr("QueryWords", "Bounds"),
            of,
            tr("QueryWords", "Bounds of a number, estimated privately"),
        ),
    }
    return found if name in found else {}


def _of_choices(_name: Statistic) -> dict[Statistic, StatisticWords]:
    tr = QCoreApplication.translate
    of = tr("QueryWords", "of")
    return {
        "median": StatisticWords(
            tr("QueryWords", "Median"), of, tr("QueryWords", "Median of a number")
        ),
        "quantiles": StatisticWords(
            tr("QueryWords", "Quantiles"), of, tr("QueryWords", "Quantiles of a number")
        ),
        "interquartile-range": StatisticWords(
            tr("QueryWords", "Interquartile range"),
            of,
            tr("QueryWords", "Interquartile range of a number, with both quartiles"),
        ),
        "most-common": StatisticWords(
            tr("QueryWords", "Most common"),
            of,
            tr("QueryWords", "Most common group, or the top few"),
        ),
        "cut-off": StatisticWords(
            tr("QueryWords", "Best cut-off"),
            of,
            tr("QueryWords", "Best cut-off of a number among candidates"),
        ),
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
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "\N{MINUS SIGN}").replace(".", QLocale().decimalPoint())


def numbers(values: Iterable[Decimal]) -> str:
    """A list of numbers; of a long one the ends."""
    shown = [number(value) for value in values]
    if len(shown) > SHOWN:
        shown = [*shown[: SHOWN - 2], "…", shown[-1]]
    return "; ".join(shown)


def bins(grouping: Grouping) -> str:
    """ "in bins from 18; 65"; empty where there are none."""
    if not isinstance(grouping, Bins):
        return ""
    template = QCoreApplication.translate("QueryWords", "in bins from {0}")
    return template.format(numbers(grouping.edges))


def scores() -> dict[str, str]:
    """What can make a cut-off good."""
    return {
        "value-times-count": QCoreApplication.translate(
            "QueryWords", "value times the rows that reach it"
        ),
        "closest-to-target": QCoreApplication.translate(
            "QueryWords", "rows that reach it closest to"
        ),
    }
