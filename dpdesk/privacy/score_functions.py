# SPDX-License-Identifier: Apache-2.0
r"""What makes a candidate good, and how far one person can move that: the exponential mechanism.

A score is usable only with its sensitivity, which somebody proved. It is declared for one row, as
the largest distance between the scores of one cell before and after

* ``row``: a row comes, or goes;
* ``swap``: a row is replaced by another one of the same cell, at most ``2 * row``.

Claim: a person of at most k rows moves the scores, summed over cells, by at most

* add-remove: k * row;
* change-one, one cell: k * max(row, swap);
* change-one, several cells: 2k * row.

Why: go from one table to its neighbour row by row. A distance is at most the sum of those of the
steps, and the sum over the cells of the largest distances inside each is a distance. Add-remove
has at most k steps. Under change-one the i-th row of the one person is replaced by the i-th of the
other; where only one of the two rows counts in the cell, that step costs ``row``. Among several
cells a row may leave one and enter another, which costs ``row`` in each, and ``swap``, being two
steps at most, costs no more. The declared distances hold for every table, so for those between too.

Among several cells the choices are independent draws. For epsilon their losses add up with their
distances. For rho each loses as the square of its own distance, so what counts is the largest sum
of the squares over the cells:

* add-remove: (k * row)^2;
* change-one, one cell: (k * max(row, swap))^2;
* change-one, several cells: k^2 * max(swap^2, 2 * row^2).

Why: let x_b of the person's rows leave cell b and y_b enter it. By the same steps its distance is
at most f(x_b, y_b), f(x, y) = row * max(x, y) + (swap - row) * min(x, y), the larger of two linear
functions as swap <= 2 * row, and never negative; so its square is convex, and the sum of them is
largest at a corner of what x and y can be (both 0 or more, adding up to k at most): all rows swap
in one cell, (swap * k)^2; or all leave one for another, 2 (row * k)^2. Under add-remove one of x
and y is 0, and the sum of squares is at most the square of the sum. Attained where row and swap
are: the squared sum of the distances, (2k * row)^2, is charged where swap is 2 * row, and up to
twice what is due where it is row.

Where m of the k rows count in one cell, x and y have entries of at most m, too. Their corners are
then those of ``rows_per_group.replaced``, with row for w and swap - row, or 0, for b; the sum over
the cells, and under add-remove, are those of ``rows_per_group``.

Two distances can be declared (``monotonic``, see ``Noise``): the largest change of one score; or
the largest rise plus the largest fall. The choice costs twice as much in the first, so the second
is never dearer, and half as dear where all scores move to one side.

Source: McSherry and Talwar, Mechanism design via differential privacy (2007); Dwork and Roth, The
algorithmic foundations of differential privacy (2014), 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.rows_per_group import replaced, together
from dpdesk.study.model.amount import Share
from dpdesk.study.model.parameters import SCORES
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import refuse

Counted = Literal["rows", "score"]


@dataclass(frozen=True)
class Score:
    """One declared score, in whole points.

    Attributes:
        name: what it is called in a study.
        row: see the head of the module; ``None`` where nobody has declared it.
        swap: see the head of the module.
        monotonic: which distance is declared.
        counts: what a point is worth: a row, or so much of a unit of the score's own.
        width: how much one point is worth.
    """

    name: str
    row: int | None = None
    swap: int | None = None
    monotonic: bool = False
    counts: Counted = "rows"
    width: Fraction = Fraction(1)

    def sensitivity(self, unit: Unit, cells: int, m: int | None = None) -> int:
        """How far one person moves the scores, summed over cells.

        Args:
            unit: the privacy unit.
            cells: number of cells.
            m: a person's rows in one cell, at most; ``None`` for no limit of its own.

        Raises:
            Refused: ``score-without-sensitivity`` (params score, choices).
        """
        if not self.row or self.swap is None or not 0 <= self.swap <= 2 * self.row:
            params = {"score": self.name, "choices": ", ".join(SCORES)}
            raise refuse("score-without-sensitivity", "$.query.score", **params)
        return self._moved(unit, cells, m)[0]

    def squared(self, unit: Unit, cells: int, m: int | None = None) -> int:
        """The largest sum, over cells, of the squares of how far one person moves the scores.

        Raises:
            Refused: ``score-without-sensitivity``.
        """
        self.sensitivity(unit, cells, m)
        return self._moved(unit, cells, m)[1]

    def _moved(self, unit: Unit, cells: int, m: int | None) -> tuple[int, int]:
        """Both; see the head of the module."""
        k, row, swap = unit.max_rows, self.row or 0, self.swap or 0
        most = min(m or k, k)
        if unit.neighbours == "add-remove":
            rows, squares = together(k, most, cells)
            return rows * row, squares * row * row
        return replaced(k, most, cells, row, max(0, swap - row))

    def distance(self, unit: Unit, cells: int, share: Share, m: int | None = None) -> int:
        """How far one person moves the scores in the norm of the choice that a share buys."""
        noise = replace(self.noise(cells), measure=share.measure)
        squares = noise.norm == "linf-squared"
        return self.squared(unit, cells, m) if squares else self.sensitivity(unit, cells, m)

    def noise(self, cells: int, picks: int = 1) -> Noise:
        """The choice in every cell, its scale still open."""
        return Noise("noisy-max", 1.0, blocks=cells, picks=picks, monotonic=self.monotonic)
