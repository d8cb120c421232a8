# SPDX-License-Identifier: Apache-2.0
"""A way to draw, described: everything public about it, and nothing of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.study.model.amount import Measure

Mechanism = Literal["laplace", "gaussian", "noisy-max", "randomised-response"]
Norm = Literal["l1", "l2-squared", "linf", "linf-squared", "rows"]

_NORMS: dict[Mechanism, Norm] = {
    "laplace": "l1",
    "gaussian": "l2-squared",
    "noisy-max": "linf",
    "randomised-response": "rows",
}


SQUARED_NORMS = frozenset({"l2-squared", "linf-squared"})
"""Norms that are the square of a distance."""


@dataclass(frozen=True)
class Noise:
    """One mechanism with its parameters.

    Attributes:
        mechanism: ``laplace`` and ``gaussian`` add discrete noise to every entry of a vector;
            ``noisy-max`` reports the places of the highest scores; ``randomised-response``
            flips each entry of a vector of 0 and 1 and reports how many ones are left.
        scale: scale of the noise, in quanta; for ``randomised-response`` the probability with
            which an entry is left as it is.
        measure: in what the loss is counted; ``noisy-max`` adds exponential noise for epsilon
            and Gumbel noise for rho.
        blocks: ``noisy-max``: the vector is this many blocks of equal length, one choice each.
        picks: ``noisy-max``: how many places each choice reports.
        monotonic: ``noisy-max``: in a block, ``False`` takes the largest change of one score for
            the distance, ``True`` the largest rise plus the largest fall. They are the same where
            all scores move to one side, which is what the noise library calls so.
        threshold: ``laplace`` and ``gaussian`` on counts of texts that were found in the data:
            a text leaves only with a noisy count of so much or more. ``None``: every entry leaves.
    """

    mechanism: Mechanism
    scale: float
    measure: Measure = "epsilon"
    blocks: int = 1
    picks: int = 1
    monotonic: bool = False
    threshold: int | None = None

    @property
    def norm(self) -> Norm:
        """How the distance of neighbouring vectors is measured.

        ``linf`` is the sum over the blocks of the largest difference inside each, ``linf-squared``
        that of its square: choices in different blocks are independent draws, whose losses add,
        and a loss of rho is a square.
        """
        if self.mechanism == "noisy-max" and self.measure == "rho" and self.blocks > 1:
            return "linf-squared"
        return _NORMS[self.mechanism]

    @property
    def is_additive(self) -> bool:
        """Whether every entry gets noise of its own and stays a figure."""
        return self.mechanism in ("laplace", "gaussian")

    def length(self, cells: int) -> int:
        """How many whole numbers come out of a vector of ``cells`` entries."""
        if self.mechanism == "noisy-max":
            return self.blocks * self.picks
        return 1 if self.mechanism == "randomised-response" else cells
