# SPDX-License-Identifier: Apache-2.0
r"""Two sums over the rows of a cell of events and of exposure, drawn together.

A row has e = 1 where the event is there, else 0, and an exposure t, a whole number of quanta in
L..U, 0 <= L. It adds to the sums of its cell (F = f U, f a whole number that makes sums fine)

* *around half*: (W e, 2 f t - F e), where rows come and go, or are replaced in several cells;
* *plain*: (W e, f t), where rows are replaced in one cell.

Both sums have one noise scale and each all of the share: what a person can move is the norm of the
joint vector, as in ``joint_sums``. Two sums of their own would need the norm of (W, F) for plain
entries; around half a row with an event and one without lie on both sides of 0, so that the
exposure has half of the noise, or a quarter of the variance, for the same W.

Claim (one row). |phi| is the norm of what a row adds, |phi - phi'| that of two rows of one cell:
  around half, L1: |phi| <= w = max(2 F, W + F), |phi - phi'| <= max(2 (F - fL), W + 3 F - 2 f L);
  around half, L2: squared at most max((2F)^2, W^2 + F^2) and max((2 (F - fL))^2,
                   W^2 + (3F - 2fL)^2);
  plain:           the norm of (W, F) bounds |phi| and |phi - phi'|.
Why. Around half: without an event phi is (0, 2 f t), at most 2F; with one (W, 2 f t - F), whose
second entry is between 2fL - F and F, at most F from 0. Of two rows without or two with an event
the second entries alone differ, by 2 f |t - t'|. Of one with and one without they differ by
2 f (t - t') - F, between -(3F - 2fL) and F - 2fL. Plain: entries of 0 or more, the first 0 or W,
the second at most F, so that a difference has entries of at most W and F. All are attained: by
(0, U) or (1, U) and by rows (1, L) and (0, U).

Claim (k rows, m of them in a cell, C cells): ``rows_per_group.together`` and ``replaced`` with w
and b = |phi - phi'| - |phi|, none below 0. Why: j rows of a cell that are replaced by j' move it by
at most w max(j, j') + b min(j, j'), pair by pair (triangle inequality). L2 is rounded up to whole
numbers, which costs less than 1 in 4,000.

Weights. The rate r = E / T is released as E' / T', and E' - r T' = X (1 - r U / 2) / W - r Y / (2f)
around half, X / W - r Y / f plainly. With rho = r U, events in a row exposed longest, and S the
norm of a row, x = 2 F / S (or F / S) is chosen so that the variance of that is least at a typical
rho, which is declared or ``USUAL``: among 1/16, 2/16, ... for x with Laplace noise, for x^2 with
Gaussian noise, where W is what is left of S. Public things alone decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from dpdesk.privacy.joint_sums import LARGEST, is_middle
from dpdesk.privacy.noise.noise import Mechanism
from dpdesk.privacy.rows_per_group import replaced, together
from dpdesk.study.model.unit import Neighbours

USUAL = Fraction(1, 5)
"""rho where no typical rate is declared."""

_FINE = 4096
_PARTS = 16
_MOST_PLAIN = 12
_MOST_REPLACED = 8
"""W^2 >= 7 F^2: two rows of one cell are no further apart then than two of different cells."""


@dataclass(frozen=True)
class RateSums:
    """Two sums that are drawn together.

    Attributes:
        event: W, what an event adds to the first sum.
        beside: what an event adds to the second sum: -F around half, else 0.
        exposure: what a quantum of exposure adds to the second sum.
        row: w of the claim for k rows.
        met: b of the same claim.
    """

    event: int
    beside: int
    exposure: int
    row: int
    met: int

    @property
    def weights(self) -> tuple[tuple[int, int, int], ...]:
        """By sum: of an event, of a quantum of exposure."""
        return (self.event, 0, 0), (self.beside, self.exposure, 0)

    def sensitivity(
        self, k: int, m: int, cells: int, neighbours: Neighbours, mechanism: Mechanism
    ) -> int:
        """How far k rows of a person, at most m in a cell, can move them all, in the noise's norm.

        See the head of the module.
        """
        if neighbours == "add-remove":
            rows, squares = together(k, m, cells)
            return self.row**2 * squares if mechanism == "gaussian" else self.row * rows
        l1, squared = replaced(k, m, cells, self.row, self.met)
        return squared if mechanism == "gaussian" else l1


@lru_cache(maxsize=256)
def rate_sums(
    bounds: tuple[int, int],
    cells: int,
    neighbours: Neighbours,
    mechanism: Mechanism,
    typical: Fraction | None = None,
) -> RateSums:
    """The sums for an exposure; see the head of the module.

    Args:
        bounds: L and U, in quanta; U is 1 or more.
        cells: how many cells there are.
        neighbours: the neighbour notion.
        mechanism: the noise.
        typical: rho, events in a row exposed longest; ``None`` where nobody has declared it.
    """
    lowest, highest = bounds
    fine = -(-_FINE // highest)
    low, far = fine * lowest, fine * highest
    rho, is_plain = USUAL if typical is None else typical, is_middle(cells, neighbours)
    is_gaussian = mechanism == "gaussian"
    most = _MOST_PLAIN if is_plain else _PARTS
    if is_gaussian and neighbours == "change-one" and not is_plain:
        most = _MOST_REPLACED
    # No row adds more to a sum, where that can be; sums that grew beyond all bounds would be cut.
    least = min(most, -(-2 * _PARTS * far // LARGEST))
    part = min(range(least, most + 1), key=lambda j: _variance(j, rho, is_plain, is_gaussian))
    reach = far if is_plain else 2 * far
    if is_gaussian:
        event = isqrt(_PARTS * reach * reach // part - far * far)
    else:
        event = _PARTS * reach // part - far
    if is_plain:
        return RateSums(event, 0, fine, _norm(event, far, is_gaussian), 0)
    row = max(reach, _norm(event, far, is_gaussian))
    apart = max(reach - 2 * low, _norm(event, 3 * far - 2 * low, is_gaussian))
    return RateSums(event, -far, 2 * fine, row, max(0, apart - row))


def _variance(part: int, rho: Fraction, is_plain: bool, is_gaussian: bool) -> Fraction:
    """What of the noise's variance E' - r T' has, with this part of the norm for the exposure."""
    x = Fraction(part, _PARTS)
    half = 1 if is_plain else 2
    left = 1 - x / half**2 if is_gaussian else (1 - x / half) ** 2
    of_event = 1 if is_plain else (1 - rho / 2) ** 2
    return of_event / left + rho**2 / (x if is_gaussian else x * x)


def _norm(first: int, second: int, is_gaussian: bool) -> int:
    """L1, or L2 rounded up."""
    if not is_gaussian:
        return first + second
    square = first * first + second * second
    root = isqrt(square)
    return root + (root * root < square)
