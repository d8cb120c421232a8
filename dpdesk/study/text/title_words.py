# SPDX-License-Identifier: Apache-2.0
"""The words of a query's sentence, in English; the desk translates them (context ``Title``)."""

from __future__ import annotations

from typing import Final

from dpdesk.study.model.periods import Period
from dpdesk.study.model.queries import Score
from dpdesk.study.model.statistics import Statistic

FIRST: Final[dict[Statistic, str]] = {
    "count": "Count",
    "count-people": "Number",
    "share": "Share",
    "randomised-response": "Randomised response",
    "categories-found": "Categories found",
    "sum": "Sum",
    "mean": "Mean",
    "variance": "Variance",
    "standard-deviation": "Standard deviation",
    "distribution": "Distribution",
    "bounds": "Bounds",
    "median": "Median",
    "quantiles": "Quantiles",
    "interquartile-range": "Interquartile range",
    "most-common": "Most common",
    "cut-off": "Best cut-off",
}
"""The first words: the statistic."""

OF: Final = "of"
JOINTS: Final[dict[Statistic, str]] = {
    "share": "of {rows} where",
    "randomised-response": "to whether",
    "categories-found": "in",
}
"""What stands between the statistic and what it is about, where that is not "of"."""

SCORES: Final[dict[Score, str]] = {
    "value-times-count": "value times the {rows} that reach it",
    "closest-to-target": "{rows} that reach it closest to",
}
"""What makes a cut-off good."""

PERIODS: Final[dict[Period, str]] = {
    "year": "year",
    "quarter": "quarter",
    "month": "month",
    "weekday": "weekday",
}

MOST_COMMON: Final = "{0} most common"
OF_PERIOD: Final = "{0} of {1}"
IN_BINS: Final = "in bins from {0}"
AMONG: Final = "among {0}"
BY: Final = "by {0}"
FOR_EACH: Final = "for each {0}"
WHERE: Final = "where {0}"
AND: Final = " and "
OR: Final = " or "
BETWEEN: Final = "{0} from {1} to {2}"
IS: Final = "{0} is {1}"
IS_NOT: Final = "{0} is not {1}"
MISSING: Final = "{0} is missing"
NOT_MISSING: Final = "{0} is not missing"
OTHERS: Final = "{0} others"

TEMPLATES: Final[tuple[str, ...]] = (
    *FIRST.values(),
    *(OF, *JOINTS.values(), *SCORES.values(), *PERIODS.values(), MOST_COMMON, OF_PERIOD, IN_BINS),
    *(AMONG, BY, FOR_EACH, WHERE, AND, OR, BETWEEN, IS, IS_NOT, MISSING, NOT_MISSING, OTHERS),
)
"""All that a translation file needs of this module."""
