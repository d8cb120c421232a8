# SPDX-License-Identifier: Apache-2.0
r"""How far one person can move an exact answer: L1, L2 and L-infinity, from declarations alone.

Notation: k rows a person at most, C cells, neighbours D and D'. Each row lies in at most one
cell, and the rows that rules or conditions leave out lie in none, so one person's rows add to
the vector of cells

* rows:   a vector v >= 0 of whole numbers with sum(v) <= k;
* people: a 0/1 vector with at most min(k, C) ones;
* sum:    a vector whose entry in a cell with j rows lies in [j*a, j*b], a and b the lowest and
  highest weight of a row, with the j's adding to at most k.

Under add-remove one such vector v is added or taken away, so the distance is ||v||. Under
change-one v is replaced by another such vector v', so it is ||v - v'||. The two need no common
cell: a person's k rows can leave some cells and enter others, hence 2k in L1 for a histogram.

Where a query lets m of a person's rows count in one cell, m below k, v has entries of at most m, or
sums of at most m over the entries of a cell. What is largest then is in ``rows_per_group``; without
a limit of its own m is k.

Sources: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), 3.3;
Wilson et al., Differentially Private SQL with Bounded User Contribution (2020), section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dpdesk.privacy.rows_per_group import replaced, together
from dpdesk.study.model.unit import Neighbours


@dataclass(frozen=True)
class Sensitivity:
    """The largest distance between neighbours, in whole quanta.

    Attributes:
        l1: sum of absolute differences (Laplace).
        l2_squared: square of the Euclidean distance (Gaussian), kept exact.
        linf: largest absolute difference of one cell (selection).
    """

    l1: int
    l2_squared: int
    linf: int


@lru_cache(maxsize=1024)
def rows_sensitivity(
    k: int, cells: int, neighbours: Neighbours, m: int | None = None, *, split: bool = False
) -> Sensitivity:
    """Sensitivity of counting rows.

    Claim (add-remove): ||v||_1 = sum(v) <= k, attained by all k rows in one cell, which also
    attains L2 and L-infinity, since both are at most L1.

    Claim (change-one): one cell moves from v to v' in 0..k, so by at most k. With two cells or
    more, k rows leave one cell and enter another: L1 <= ||v||_1 + ||v'||_1 <= 2k and, because
    v.v' >= 0, L2 squared <= ||v||^2 + ||v'||^2 <= 2k^2; both attained.

    Claim (m rows a cell): add-remove is ``rows_per_group.together``, and change-one the sum of
    two such, of a part of the cells each. For v - v' = a - b with a <= v and b <= v', both 0 or
    more and no cell in both: they are rows that a person may have, too. With each further cell
    ``together`` grows by m (m^2), once by what is left of k, then by nothing: less and less, so
    that halves of the cells are the most. Attained by as many rows as fit into either half.

    Claim (split cells): where every cell has entries of its own, and m is of the cell, rows may
    leave one entry of each cell for another one: twice that of add-remove, and no more by the
    same a and b. An entry moves by m.

    Args:
        k: contribution bound, 1 or more.
        cells: number of cells, 1 or more; where they are split, before that.
        neighbours: the neighbour notion.
        m: a person's rows in one cell, at most; ``None`` for no limit of its own.
        split: whether each cell is split into two entries or more.
    """
    m = min(m or k, k)
    if neighbours == "add-remove":
        return Sensitivity(*together(k, m, cells), m)
    parts = (cells, cells) if split else (cells // 2, cells - cells // 2)
    (left, left_squared), (entered, squared) = (together(k, m, part) for part in parts)
    return Sensitivity(left + entered, left_squared + squared, m)


def people_sensitivity(k: int, cells: int, neighbours: Neighbours) -> Sensitivity:
    """Sensitivity of counting people with at least one row in the cell.

    Claim (add-remove): v is 0/1 with at most r = min(k, C) ones: L1 = L2 squared = r.

    Claim (change-one): v and v' differ in at most min(2r, C) places, each by one. For one cell
    this is 1 whatever k is.

    Args:
        k: contribution bound, 1 or more.
        cells: number of cells, 1 or more.
        neighbours: the neighbour notion.
    """
    reach = min(k, cells)
    if neighbours == "change-one":
        reach = min(2 * reach, cells)
    return Sensitivity(reach, reach, 1)


def one_cell_sensitivity(cells: int, neighbours: Neighbours) -> Sensitivity:
    """Sensitivity of counting people, each of whom is in at most one cell, whatever k is.

    For rows per person: a person with an id is in the cell of its number of rows in the file,
    before any row is left out; rows without an id are in none. In which cell a person is follows
    from its own rows alone, so v is 0 or has a single 1, in one cell, and nobody else's moves.

    Claim (add-remove): ||v||_1 = ||v||_2 = 1, attained by any person.

    Claim (change-one): v becomes v', each with at most a single 1. With two cells or more the 1
    leaves one cell and enters another: L1 is 2 and L2 squared 2, attained by a person with one
    row who becomes one with two; no cell moves by more than 1.

    These are the claims of counting rows where each person has one.

    Args:
        cells: number of cells, 1 or more.
        neighbours: the neighbour notion.
    """
    return rows_sensitivity(1, cells, neighbours)


def sum_sensitivity(
    k: int,
    cells: int,
    neighbours: Neighbours,
    lowest: int,
    highest: int,
    m: int | None = None,
) -> Sensitivity:
    """Sensitivity of adding up weights ``lowest..highest`` of a person's rows.

    Claim (add-remove): each row moves one cell by at most w = max(|lowest|, |highest|), so
    L1 <= k*w, attained by k rows of that weight in one cell; L2 and L-infinity are at most L1
    and attained by the same rows.

    Claim (change-one, one cell): the person's part of the sum lies between
    min(0, k*lowest) and max(0, k*highest) (no row may count at all), so it moves by at most
    their difference. With two cells or more, cells may be left and entered: L1 <= 2*k*w.
    All contributions lie in the convex hull of 0, k*lowest*e_i and k*highest*e_i, and a norm of
    a difference is convex in both, so its maximum is at two of these points: in one common cell
    (the one-cell move) or in two cells (L1 2*k*w, L2 squared 2*(k*w)^2). The one-cell move is
    at most 2*k*w, so L1 is 2*k*w; L2 and L-infinity take the larger of the two cases.

    Claim (m rows a cell): ``rows_per_group`` with w and, for a row that goes and one that comes,
    the difference of the highest and the lowest weight, 0 among them.

    Args:
        k: contribution bound, 1 or more.
        cells: number of cells, 1 or more.
        neighbours: the neighbour notion.
        lowest: lowest weight of a row.
        highest: highest weight of a row.
        m: a person's rows in one cell, at most; ``None`` for no limit of its own.
    """
    m, far = min(m or k, k), max(abs(lowest), abs(highest))
    if neighbours == "add-remove":
        rows, squared = together(k, m, cells)
        return Sensitivity(rows * far, squared * far * far, m * far)
    move = max(0, highest) - min(0, lowest)
    return Sensitivity(*replaced(k, m, cells, far, move - far), m * move)
