# SPDX-License-Identifier: Apache-2.0
"""The words of a query's sentence, in English."""

from __future__ import annotations

from typing import Final, Literal

from dpdesk.catalogue import TitleWord
from dpdesk.study.model.parameters import ScoreName, StandardName
from dpdesk.study.model.periods import Period
from dpdesk.study.model.statistics import Statistic

LeftOut = Literal[
    "missing",
    "not-listed",
    "neither",
    "no-number",
    "beyond-bounds",
    "no-day",
    "beyond-period",
    "not-before",
]
"""Why a row is in neither part of a share."""

FIRST: Final[dict[Statistic, TitleWord]] = {
    "count": "Count",
    "count-people": "Number",
    "rows-per-person": "Rows per person",
    "share": "Share",
    "randomised-response": "Randomised response",
    "categories-found": "Categories found",
    "sum": "Sum",
    "mean": "Mean",
    "variance": "Variance",
    "standard-deviation": "Standard deviation",
    "rate": "Rate",
    "standardised-rate": "Age-standardised rate",
    "standardised-ratio": "Standardised ratio",
    "distribution": "Distribution",
    "survival": "Survival",
    "cumulative-incidence": "Cumulative incidence",
    "linear-model": "Linear model",
    "bounds": "Bounds",
    "median": "Median",
    "quantiles": "Quantiles",
    "interquartile-range": "Interquartile range",
    "most-common": "Most common",
    "cut-off": "Best cut-off",
}
"""The first words: the statistic."""

OF: Final[TitleWord] = "of"
JOINTS: Final[dict[Statistic, TitleWord]] = {
    "share": "of {rows} where",
    "rate": "of {rows} where",
    "standardised-rate": "of {rows} where",
    "standardised-ratio": "of {rows} where",
    "randomised-response": "to whether",
    "categories-found": "in",
    "survival": "by",
    "cumulative-incidence": "by",
}
"""What is between the statistic and what it is about, where that is not "of"."""

WITH_PROPERTY: Final[dict[Statistic, TitleWord]] = {
    "share": "Share of {rows}: {property}",
    "rate": "Rate of {rows}: {property}",
    "standardised-rate": "Age-standardised rate of {rows}: {property}",
    "standardised-ratio": "Standardised ratio of {rows}: {property}",
}
"""Of a property that a column names whole: whether it is so, and not what its cells say."""

WITH_VALUE: Final[dict[Statistic, TitleWord]] = {
    "share": "Share of {rows} with {column}",
    "rate": "Rate of {rows} with {column}",
    "standardised-rate": "Age-standardised rate of {rows} with {column}",
    "standardised-ratio": "Standardised ratio of {rows} with {column}",
}
"""Of having a value in a column, such as a day of death."""

WITH_GROUP: Final[dict[Statistic, TitleWord]] = {
    "share": "Share of {rows} with {column} classified as {values}",
    "rate": "Rate of {rows} with {column} classified as {values}",
    "standardised-rate": "Age-standardised rate of {rows} with {column} classified as {values}",
    "standardised-ratio": "Standardised ratio of {rows} with {column} classified as {values}",
}
"""Of being in some of a category column's groups, which are called as people call them."""

COUNTED: Final[dict[Statistic, TitleWord]] = {
    "count": "Count of {counted}",
    "count-people": "Number of {counted}",
    "rows-per-person": "Rows per person: {counted} with 1 to {last} or more {rows}",
}
"""Of what a count says whole: which of its words inflect differs between languages."""

SCORES: Final[dict[ScoreName, TitleWord]] = {
    "value-times-count": "value times the {rows} that reach it",
    "closest-to-target": "{rows} that reach it closest to",
}
"""What makes a cut-off good."""

PERIODS: Final[dict[Period, TitleWord]] = {
    "year": "year",
    "quarter": "quarter",
    "month": "month",
    "weekday": "weekday",
}

OR_MORE_ROWS: Final[TitleWord] = "{number} or more"
"""The last group of rows per person."""

QUARTILES: Final[TitleWord] = "Median and quartiles"
MOST_COMMON: Final[TitleWord] = "{count} most common"
OF_PERIOD: Final[TitleWord] = "{period} of {column}"
IN_BINS: Final[TitleWord] = "in bins from {edges}"
BINS_UP_TO: Final[TitleWord] = "in bins up to {ends}"
"""Of a curve over time, which is read where its bins end."""
IN_EQUAL_BINS: Final[TitleWord] = "in bins cut every {step} from {first} to {last}"
AMONG: Final[TitleWord] = "among {candidates}"
PER: Final[TitleWord] = "per {number} {exposure}"
PER_UNIT: Final[TitleWord] = "per {number} {unit} of {exposure}"
OVER: Final[TitleWord] = "weighted by {ages} ({by})"
"""The age groups of a standardised rate, and what they are weighted by."""
STANDARDS: Final[dict[StandardName, TitleWord]] = {
    "european-2013": "European standard population 2013",
    "european-1976": "European standard population 1976",
    "who-2000-2025": "WHO standard population 2000-2025",
    "segi": "world standard population, Segi",
    "own": "own weights",
}
REFERENCE: Final[TitleWord] = "reference rates"
BY: Final[TitleWord] = "by {score}"
EXPLAINED: Final[TitleWord] = "by {columns}"
"""What explains the outcome of a linear model."""
UNTIL: Final[TitleWord] = "until {event}"
"""What ends a row's time in a survival curve; before it the row may be censored."""
ENTERING: Final[TitleWord] = "at risk from {entry}"
"""From when on a row counts in a survival curve."""
FOR_EACH: Final[TitleWord] = "{question}, by {groups}"
PER_GROUP: Final[TitleWord] = "{question}, {limit}"
WHERE: Final[TitleWord] = "{question}, where {conditions}"
"""Each with what it follows: not every language parts them by a comma."""
OF_PEOPLE: Final[TitleWord] = "{question} among {people}"
"""Of a question that does not say by itself that it is of people."""
ONE_ROW_A_GROUP: Final[TitleWord] = "at most 1 {row} per {person} and group"
ROWS_A_GROUP: Final[TitleWord] = "at most {most} {rows} per {person} and group"
AND: Final[TitleWord] = " and "
OR: Final[TitleWord] = " or "
BETWEEN: Final[TitleWord] = "{column} from {lowest} to {highest}"
IS: Final[TitleWord] = "{column} is {values}"
IS_NOT: Final[TitleWord] = "{column} is not {values}"
MISSING: Final[TitleWord] = "{column} is missing"
NOT_MISSING: Final[TitleWord] = "{column} is not missing"
OTHERS: Final[TitleWord] = "{count} others"
VALUE: Final[TitleWord] = "{value}"
"""A value of a condition: a language may have to set it apart from the name of its column."""
NOT_OF_SHARE: Final[TitleWord] = "Not counted in the 100 % are {rows} where {reasons}."
ALL_OF_SHARE: Final[TitleWord] = "The 100 % are the {rows} where {conditions}; no others count."
"""Of a share of some rows: one of all of them is smaller or larger."""
LEFT_OUT: Final[dict[LeftOut, TitleWord]] = {
    "missing": "{column} has no value",
    "not-listed": "{column} is not on its list",
    "neither": "{column} is neither yes nor no",
    "no-number": "{column} is not a number",
    "beyond-bounds": "{column} is outside its bounds",
    "no-day": "{column} is not a date",
    "beyond-period": "{column} is outside its period",
    "not-before": "{column} is not before the time",
}
YES: Final[TitleWord] = "yes"
NO: Final[TitleWord] = "no"
"""What a yes/no column says, whatever its cells write for it."""
COMMON: Final = frozenset(
    (
        *("admission", "age", "area", "birth", "body", "city", "clinic", "cost", "costs"),
        *("country", "county", "date", "day", "days", "death", "diagnoses", "diagnosis"),
        *("discharge", "disease", "district", "drug", "education", "ethnicity", "first"),
        *("gender", "grade", "group", "height", "hospital", "hours", "insurance", "kind"),
        *("last", "length", "marital", "medication", "minutes", "mode", "month", "months"),
        *("nights", "number", "occupation", "outcome", "patient", "patients", "place"),
        *("procedure", "quarter", "race", "reason", "region", "result", "score", "severity"),
        *("sex", "smoking", "source", "stage", "state", "status", "stay", "stays", "surgery"),
        *("survival", "therapy", "time", "treatment", "type", "visit", "visits", "ward", "week"),
        *("weeks", "weight", "year", "years"),
    )
)
"""With which English titles of columns begin that are no names: within a sentence they are lower
case."""
OWN_GROUPS: Final[dict[str, TitleWord]] = {"(missing)": "(missing)", "(other)": "(other)"}
"""The names that the program gives to groups; no declared value can have them."""
