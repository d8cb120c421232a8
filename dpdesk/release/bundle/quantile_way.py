# SPDX-License-Identifier: Apache-2.0
"""Which way the quantiles of a query are drawn, and what that means for asking more of them."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.noise.noise import Noise
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.study.model.statistics import DECLARATIONS, Statistic

OFF_COUNTS: Final[Template] = (
    "All quantiles are read from the same noisy counts, so more of them cost no accuracy."
)
BOTH: Final[Template] = "Both quartiles are read from the same noisy counts."
CHOSEN: Final[Template] = (
    "Each quantile is chosen by itself, so more of them make each less accurate."
)


def quantile_way(statistic: Statistic, noise: Noise, words: ReleaseWords) -> str:
    """One sentence; empty where a statistic is always drawn one way.

    Args:
        statistic: what is asked.
        noise: of the query's first draw.
    """
    if not DECLARATIONS[statistic].reads_counts:
        return ""
    if not DECLARATIONS[statistic].can_ask_more:
        return words.say(BOTH) if noise.is_additive else ""
    return words.say(OFF_COUNTS if noise.is_additive else CHOSEN)
