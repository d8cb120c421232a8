# SPDX-License-Identifier: Apache-2.0
"""Words for the statistics: their names in a sentence, in the list, and what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from dpdesk.desk.text.language import language, number_style, plain_names
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.text import titles
from dpdesk.study.text.number_text import in_text, plain
from dpdesk.study.text.title_words import FIRST, SCORES
from dpdesk.study.text.unit_names import in_query, names_of


def first_word(name: Statistic) -> str:
    """What a statistic is called at the beginning of a sentence."""
    return language().say(FIRST[name])


@dataclass(frozen=True)
class ListedStatistic:
    """A statistic as the list of statistics and its cards show it.

    Attributes:
        icon: a file's name.
        about: what it is, with ``{rows}`` and ``{people}`` for what the study calls them.
    """

    icon: str
    about: str


def icon(name: Statistic) -> str:
    return next(found[name].icon for found in listed().values() if name in found)


def listed() -> dict[str, dict[Statistic, ListedStatistic]]:
    """All statistics by what they are about, under headings."""
    return {
        tr("QueryWords", "How many"): _of_rows(),
        tr("QueryWords", "How much"): _of_totals(),
        tr("QueryWords", "How it is spread"): _of_spread(),
        tr("QueryWords", "Which one"): _of_choices(),
    }


def _of_rows() -> dict[Statistic, ListedStatistic]:
    one = ListedStatistic
    by_rows = tr("QueryWords", "Number of {people} by their number of {rows}, before the row limit")
    response = tr("QueryWords", "Randomised response: {rows} with a property, from noisy answers")
    return {
        "count": one(icon="hash", about=tr("QueryWords", "Count of {rows}")),
        "count-people": one(icon="people", about=tr("QueryWords", "Number of {people}")),
        "rows-per-person": one(icon="chart", about=by_rows),
        "share": one(icon="scales", about=tr("QueryWords", "Share of {rows} with a property")),
        "randomised-response": one(icon="switch", about=response),
    }


def _of_totals() -> dict[Statistic, ListedStatistic]:
    one = ListedStatistic
    deviation = tr("QueryWords", "Standard deviation of a number")
    rate = tr("QueryWords", "Rate: {rows} with a property, per so much of a number")
    standardised = tr("QueryWords", "Age-standardised rate, by a standard population")
    ratio = tr("QueryWords", "Standardised ratio: events beside those expected at reference rates")
    return {
        "sum": one(icon="sigma", about=tr("QueryWords", "Sum of a number")),
        "mean": one(icon="mean", about=tr("QueryWords", "Mean of a number")),
        "variance": one(icon="swap", about=tr("QueryWords", "Variance of a number")),
        "standard-deviation": one(icon="swap", about=deviation),
        "rate": one(icon="scales", about=rate),
        "standardised-rate": one(icon="scales", about=standardised),
        "standardised-ratio": one(icon="equals", about=ratio),
    }


def _of_spread() -> dict[Statistic, ListedStatistic]:
    one = ListedStatistic
    between = tr("QueryWords", "Interquartile range of a number, with both quartiles")
    running = tr("QueryWords", "Cumulative distribution of a number over bins")
    survival = tr("QueryWords", "Survival: {rows} without an event so far, by time")
    kinds = tr("QueryWords", "Cumulative incidence of several kinds of event, by time")
    model = tr("QueryWords", "Linear model: what a number rises with, other numbers alike")
    bounds = tr("QueryWords", "Bounds of a number, estimated privately")
    return {
        "median": one(icon="equals", about=tr("QueryWords", "Median of a number")),
        "quantiles": one(icon="columns", about=tr("QueryWords", "Quantiles of a number")),
        "interquartile-range": one(icon="columns", about=between),
        "distribution": one(icon="chart", about=running),
        "survival": one(icon="history", about=survival),
        "cumulative-incidence": one(icon="chart", about=kinds),
        "linear-model": one(icon="chart", about=model),
        "bounds": one(icon="parcel", about=bounds),
    }


def _of_choices() -> dict[Statistic, ListedStatistic]:
    one = ListedStatistic
    most, best = (
        tr("QueryWords", "Most common group, or the top few"),
        tr("QueryWords", "Best cut-off of a number among candidates"),
    )
    categories = tr("QueryWords", "Categories found in the data, if enough {people} have them")
    return {
        "most-common": one(icon="stamp", about=most),
        "cut-off": one(icon="sliders", about=best),
        "categories-found": one(icon="tag", about=categories),
    }


def or_more(rows: int) -> str:
    """The last line of rows per person: "10 or more"."""
    return titles.number_of_rows(f"{rows} {titles.OPEN}", language())


def number(value: Decimal) -> str:
    """A number in the locale's spelling, without trailing zeros."""
    return in_text(plain(value), number_style())


def typed(value: Decimal) -> str:
    """A number as it is in a list that is typed: without separators, which may be blanks."""
    style = number_style()
    return plain(value).replace("-", style.minus).replace(".", style.decimal)


def numbers(values: Sequence[Decimal]) -> str:
    """A list of numbers; of a long one the ends."""
    return titles.number_list(values, language())


def scores(study: Study, query: Query) -> dict[str, str]:
    """What can make a query's cut-off good."""
    rows = in_query(names_of(study.unit, plain_names()), query.of).rows
    return {key: language().say(text).format(rows=rows) for key, text in SCORES.items()}


def costs_again(study: Study, name: str) -> str:
    """What becomes of a column's query for bounds once they are declared; empty without one.

    Values are then held against the declared bounds before they are counted, so that it asks
    something else, and no stored answer is one to it.
    """
    asks = any(q.declaration.finds == "bounds" and q.column == name for q in study.queries)
    text = tr(
        "QueryWords",
        "With declared bounds, the query that found them is a new query and costs budget again. "
        "Remove it from Queries if you no longer need it.",
    )
    return text if asks else ""
