# SPDX-License-Identifier: Apache-2.0
"""Bugs of synthetic rows: the same again, a row alone, and farther from the tables than is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpdesk.release.bundle.synthetic import alone, rows
from dpdesk.release.bundle.synthetic.stream import Stream
from tests.audit.bugs.planting import Bug, bug

SYNTHETIC: list[Bug] = []


@bug(SYNTHETIC, "the synthetic rows of every release from the same randomness", "synthetic")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rows, "Stream", lambda _seed: Stream("always"))


@bug(SYNTHETIC, "synthetic rows that are alone stay so", "synthetic")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(alone, "_joined", lambda made, *_more: np.zeros(len(made[0]), np.bool_))


@bug(SYNTHETIC, "synthetic rows half as far from the tables as they are", "synthetic")
def _(patch: pytest.MonkeyPatch) -> None:
    real: Any = rows._Fit._distances

    def halved(self: Any, *more: Any) -> Any:
        return tuple(replace(one, misplaced=one.misplaced / 2) for one in real(self, *more))

    patch.setattr(rows._Fit, "_distances", halved)
