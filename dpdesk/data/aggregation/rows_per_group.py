# SPDX-License-Identifier: Apache-2.0
"""The first rows of each person in each group, in the random order of the person's rows.

Which of a person's rows come first was drawn before anything was counted (``people.bounding``), and
follows from that person's rows alone; so does what is taken of them here.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.table import Codes


def first_of_each(pairs: npt.NDArray[np.int64], order: Codes, most: int) -> npt.NDArray[np.bool_]:
    """Which rows are among the first of their pair of person and group.

    Args:
        pairs: each row's person and group, as one number.
        order: each row's number among its person's, none twice for one person.
        most: how many of each pair, 1 or more.

    Five rows of one pair and of another, at most two of each:

    >>> first_of_each(np.array([7, 7, 3, 7, 3]), np.array([2, 0, 1, 1, 0]), 2).tolist()
    [False, True, True, True, True]
    """
    rows = np.lexsort((order, pairs))
    found = pairs[rows]
    # Rows of a pair are together, so one that has a row so many places before is beyond the limit.
    is_within = np.ones(len(rows), np.bool_)
    is_within[most:] = found[most:] != found[:-most]
    result = np.zeros(len(rows), np.bool_)
    result[rows[is_within]] = True
    return result
