# SPDX-License-Identifier: Apache-2.0
"""The statistics: one file an idea, each with its draws, its proof and its published lines.

Begin with ``base.py``, what a statistic is, and ``counts.py``, the plainest ones.
"""

from __future__ import annotations

from dpdesk.privacy.statistics.base import Method
from dpdesk.privacy.statistics.bounds import Bounds
from dpdesk.privacy.statistics.categories_found import CategoriesFound
from dpdesk.privacy.statistics.counts import CountPeople, CountRows, RowsPerPerson, Sum
from dpdesk.privacy.statistics.cut_off import CutOff
from dpdesk.privacy.statistics.distribution import Distribution
from dpdesk.privacy.statistics.linear.linear_model import LinearModel
from dpdesk.privacy.statistics.mean import Mean
from dpdesk.privacy.statistics.most_common import MostCommon
from dpdesk.privacy.statistics.quantile_counts import InterquartileRange, Quantiles
from dpdesk.privacy.statistics.quantiles import Median
from dpdesk.privacy.statistics.randomised_response import RandomisedResponse
from dpdesk.privacy.statistics.rates.over_ages import StandardisedRates, StandardisedRatio
from dpdesk.privacy.statistics.rates.rate import Rate
from dpdesk.privacy.statistics.share import Proportion
from dpdesk.privacy.statistics.survival.incidence import CumulativeIncidence
from dpdesk.privacy.statistics.survival.survival import Survival
from dpdesk.privacy.statistics.variance import StandardDeviation, Variance
from dpdesk.study.model.statistics import Statistic

METHODS: dict[Statistic, Method] = {
    "count": CountRows(),
    "count-people": CountPeople(),
    "rows-per-person": RowsPerPerson(),
    "share": Proportion(),
    "sum": Sum(),
    "mean": Mean(),
    "variance": Variance(),
    "standard-deviation": StandardDeviation(),
    "rate": Rate(),
    "standardised-rate": StandardisedRates(),
    "standardised-ratio": StandardisedRatio(),
    "median": Median(),
    "quantiles": Quantiles(),
    "interquartile-range": InterquartileRange(),
    "distribution": Distribution(),
    "survival": Survival(),
    "cumulative-incidence": CumulativeIncidence(),
    "linear-model": LinearModel(),
    "most-common": MostCommon(),
    "cut-off": CutOff(),
    "randomised-response": RandomisedResponse(),
    "categories-found": CategoriesFound(),
    "bounds": Bounds(),
}
"""What computes each statistic."""
