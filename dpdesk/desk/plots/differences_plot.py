# SPDX-License-Identifier: Apache-2.0
"""Differences of two releases with their margins, around 0."""

from __future__ import annotations

from fractions import Fraction

from dpdesk.desk.plots.bars_plot import Bar, ErrorBarsPlot
from dpdesk.desk.text import words
from dpdesk.privacy.statistics.figures_text import fixed, rounding_digits


class DifferencesPlot(ErrorBarsPlot):
    """One bar a difference; hatched is what noise alone could explain.

    All margins set the axis: unlike a figure that is too noisy to use, a difference within its
    margin says how large a change could have gone unnoticed.
    """

    def _figure(self, bar: Bar) -> str:
        """With as many digits as its margin, as the table beside it has them."""
        digits = rounding_digits(Fraction(bar.width))
        text = fixed(round(Fraction(bar.value) * 10**digits), digits)
        return f"{'+' if bar.value > 0 else ''}{words.localised(text)}"

    def _ends(self) -> tuple[float, float]:
        """What the axis reaches from and to."""
        low = min([0.0, *(bar.low for bar in self._bars)])
        high = max([0.0, *(bar.high for bar in self._bars)])
        return low, high
