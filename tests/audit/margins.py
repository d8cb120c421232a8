# SPDX-License-Identifier: Apache-2.0
"""Margins: each of many releases says within which margin its figure is, and most must be right.

Of 2,000 releases 1,900 should hold the exact figure; fewer are found where chance alone does
that less than once in ten million looks. The shapes of data are those at which a margin that
forgets a noise, or takes a figure to be where it is not, fails most. ``acceptance`` looks at all
margins and shapes, at length.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tests.acceptance.accuracy.coverage import (
    ASKED,
    LEAST,
    ROWS,
    Coverage,
    at_least,
    covered,
    difference_covered,
    population_covered,
    shapes,
)

RARE = 1e-7
DRAWS, FEW = 2_000, 100
LOOKED = (
    ("share", "high", "epsilon"),
    ("mean", "high", "rho"),
    ("variance", "high", "rho"),
    ("standard deviation", "even", "rho"),
    ("share up to 59", "even", "epsilon"),
)
COMPARED = (("count", "epsilon"), ("mean", "rho"))
POPULATIONS = (("mean", "rho"),)


def margin_findings(_folder: Path) -> Iterator[str]:
    """See the head of the module."""
    for found in _each():
        missed = found.said - found.held
        if not found.said or at_least(missed, found.said, 1 - LEAST) < RARE:
            yield f"{found.name} in {found.account}, {found.shape}: {missed} of {found.said} missed"


def _each() -> Iterator[Coverage]:
    asked, data = {one.name: one for one in ASKED}, shapes()
    # Far from the middle, and not so near to the end that noise is held back there.
    data["high"] = np.where(np.arange(ROWS) % 20 > 0, 100, 0)
    for name, shape, account in LOOKED:
        yield covered(asked[name], account, shape, data[shape], DRAWS)
    for name, account in COMPARED:
        yield difference_covered(asked[name], account, "even", data["even"], DRAWS)
    for name, account in POPULATIONS:
        yield population_covered(name, account, "even", data["even"], FEW)
