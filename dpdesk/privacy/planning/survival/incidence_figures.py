# SPDX-License-Identifier: Apache-2.0
"""Figures that follow from cumulative incidences: of what was drawn, public plans, nothing else.

Each is that of ``derived_figures`` for the part without an event of a kind, turned over: of that
part S the incidence is 1 - S, and a difference of two groups changes its sign. So do both ends.

Claim: the exact figure, or with chance that of the population, lies between the ends 95 times in
100. What moves S is in ``incidence_band``; what is of second order is no proof, but was measured
(``tests/privacy/planning/survival/test_incidence_figures.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dpdesk.privacy.planning.survival.derived_figures import (
    DerivedFigure,
    Ends,
    difference_at,
    survival_at,
)
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand


def incidence_figures(
    bands: Sequence[Sequence[IncidenceBand]], times: Sequence[int], miss: float
) -> Iterator[DerivedFigure]:
    """Of each group and kind the incidence, then of each group but the first beside the first.

    Args:
        bands: of each group one a kind.
        times: the declared ones, as bins at whose ends they are, rising; at least one.
        miss: how often each may be outside.
    """
    for group, kinds in enumerate(bands):
        for kind, band in enumerate(kinds):
            for bin in times:
                yield _turned(survival_at(band, group, bin, miss), kind, 1.0)
    for group in range(1, len(bands)):
        for kind, pair in enumerate(zip(bands[group], bands[0], strict=True)):
            for bin in times:
                yield _turned(difference_at(pair, (group, 0), bin, miss), kind, 0.0)


def _turned(figure: DerivedFigure, kind: int, whole: float) -> DerivedFigure:
    """What is left of the whole."""

    def less(ends: Ends | None) -> Ends | None:
        return None if ends is None else (whole - ends[1], whole - ends[0])

    is_one = len(figure.groups) == 1
    return replace(
        figure,
        name="incidence-at" if is_one else "incidence-difference",
        kind=kind,
        value=None if figure.value is None else whole - figure.value,
        noise=less(figure.noise),
        chance=less(figure.chance),
    )
