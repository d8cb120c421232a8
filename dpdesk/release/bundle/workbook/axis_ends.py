# SPDX-License-Identifier: Apache-2.0
"""Where an axis of a workbook's chart begins and ends: no spreadsheet may choose, and cut a bar."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from dpdesk.release.bundle.charts.axis import ticks

_TOLERANCE = 1e-9
"""Of a step: numbers as near to a round one are that one."""


@dataclass(frozen=True)
class AxisEnds:
    """An axis from one round number to another.

    Attributes:
        step: from one number that is written to the next.
        decimals: of these numbers.
    """

    low: float
    high: float
    step: float
    decimals: int

    @classmethod
    def of(cls, *drawn: float) -> AxisEnds:
        """The shortest axis of whole steps that all that is drawn is within.

        >>> AxisEnds.of(0, 2.3), AxisEnds.of(-14, 13).high
        (AxisEnds(low=0.0, high=2.5, step=0.5, decimals=1), 15.0)
        >>> AxisEnds.of(137.84453824109673, 137.84453824109676).low, AxisEnds.of(1e18).step > 0
        (137.8, True)
        """
        low, high = min(drawn), max(drawn)
        # Ends that differ in their last bit alone are one.
        apart = _TOLERANCE * max(abs(low), abs(high))
        high = high if high - low > apart else low + max(1.0, apart)
        first, second, *_others = ticks(low, high)
        step = second.value - first.value
        decimals = len(first.text.partition(".")[2])
        low, high = floor(low / step + _TOLERANCE) * step, ceil(high / step - _TOLERANCE) * step
        return cls(round(low, decimals), round(high, decimals), round(step, decimals), decimals)

    @property
    def options(self) -> dict[str, object]:
        """The same as the writer of workbooks takes it."""
        zeros = "." + "0" * self.decimals if self.decimals else ""
        return {
            "min": self.low,
            "max": self.high,
            "major_unit": self.step,
            "num_format": f"#,##0{zeros}",
        }
