# SPDX-License-Identifier: Apache-2.0
"""How many people have 1, 2, 3 ... rows, from what was counted before the contribution bound.

While the file is read nothing is known of a person but the key of each row (``people.bounding``).
When all rows are sorted by key, a person is a run, and the run's length is counted before the
bound cuts it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


def people_with_rows(by_rows: Counts, top_code: int) -> Counts:
    """People by their number of rows, those with ``top_code`` rows or more together.

    Each person with an id is in one entry, and nobody in two.

    Args:
        by_rows: how many people have 0, 1, 2 ... rows, the last or more.
        top_code: where the last entry begins, 2 or more, at most the last of ``by_rows``.

    Returns:
        Shape ``(top_code,)``: of 1, 2 ... rows.

    Raises:
        ValueError: people are not told apart so far.

    >>> people_with_rows(np.array([0, 5, 3, 0, 2]), 3).tolist()
    [5, 3, 2]
    """
    if not 2 <= top_code < len(by_rows):
        raise ValueError("people are not told apart so far")
    return np.append(by_rows[1:top_code], by_rows[top_code:].sum())
