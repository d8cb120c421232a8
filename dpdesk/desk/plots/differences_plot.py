# SPDX-License-Identifier: Apache-2.0
"""Differences of two releases with their margins, around 0."""

from __future__ import annotations

from dpdesk.desk.plots.bars_plot import ErrorBarsPlot


class DifferencesPlot(ErrorBarsPlot):
    """One bar a difference; hatched is what noise alone could explain.

    All margins set the axis: unlike a figure that is too noisy to use, a difference within its
    margin says how large a change could have gone unnoticed.
    """

    def _ends(self) -> tuple[float, float]:
        """What the axis reaches from and to."""
        low = min([0.0, *(bar.low for bar in self._bars)])
        high = max([0.0, *(bar.high for bar in self._bars)])
        return low, high
