# SPDX-License-Identifier: Apache-2.0
r"""Figures that follow from cumulative incidences: of what was drawn, public plans, nothing else.

* **Incidence at a time**: F of a kind of event at the end of a bin.
* **Difference** of two groups' incidences at a time.

Both ends of each are those of ``shares``, with its claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpdesk.privacy.planning.survival.derived_figures import DerivedFigure, FigureName
from dpdesk.privacy.planning.survival.shares import Reported, at, difference, share_of
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
    found = [
        [[share_of(band, bin, miss) for bin in times] for band in of_group] for of_group in bands
    ]
    kinds = range(len(bands[0]))
    for group, of_group in enumerate(found):
        for kind in kinds:
            for bin, one in zip(times, of_group[kind], strict=True):
                yield _figure("incidence-at", (group,), kind, bin, at(one, miss))
    for group in range(1, len(bands)):
        for kind in kinds:
            pairs = zip(times, found[group][kind], found[0][kind], strict=True)
            for bin, one, other in pairs:
                ends = difference(one, other, miss)
                yield _figure("incidence-difference", (group, 0), kind, bin, ends)


def _figure(
    name: FigureName, groups: tuple[int, ...], kind: int, bin: int, reported: Reported | None
) -> DerivedFigure:
    value, noise, chance = reported or (None, None, None)
    return DerivedFigure(name, groups, bin, value, noise, chance, kind=kind)
