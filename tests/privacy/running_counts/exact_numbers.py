# SPDX-License-Identifier: Apache-2.0
"""What a strategy counts of given bins, before noise."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpdesk.data.aggregation.node_counts import node_counts, weighted_bins
from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy
from dpdesk.privacy.running_counts.square_root import SquareRoot
from dpdesk.privacy.running_counts.strategy import Strategy


def exact_numbers(strategy: Strategy, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Cell by cell, as ``data`` computes them from the rows of every bin."""
    if isinstance(strategy, SquareRoot):
        return weighted_bins(counts, strategy.falls, strategy.scales)
    assert isinstance(strategy, Hierarchy)
    return node_counts(counts, strategy.bins, strategy.widths)
