# SPDX-License-Identifier: Apache-2.0
"""A column that grows batch by batch and shrinks to the rows that are kept, in place.

Fresh memory costs more than most of what is done with it. So a column lives in one piece, which
grows where it is, and of which the kept rows move to the front.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
N = TypeVar("N", bound=np.generic)

_CHUNK_ROWS = 1 << 15


class GrowableArray(Generic[N]):
    """The values of one column, row by row.

    >>> column = GrowableArray(np.dtype(np.int64))
    >>> for batch in ([5, 3], [8, 1, 2]):
    ...     column.add(np.array(batch))
    >>> column.keep(np.array([0, 2, 4])).tolist(), len(column)
    ([5, 8, 2], 3)
    """

    def __init__(self, kind: np.dtype[N]) -> None:
        self._kind = kind
        # It grows by an eighth in place; numpy's own arrays move, or fill with zeros.
        self._bytes = bytearray()

    def __len__(self) -> int:
        return len(self._bytes) // self._kind.itemsize

    def add(self, values: npt.NDArray[N]) -> None:
        """Take in the next rows, shape ``(rows,)``.

        Raises:
            BufferError: what :meth:`all` gave is still about.
        """
        if values.size:
            self._bytes += np.ascontiguousarray(values, self._kind).view(np.uint8).data

    def all(self) -> npt.NDArray[N]:
        """All rows, shape ``(rows,)``, without a copy; while this is about, none can be added."""
        return np.frombuffer(self._bytes, self._kind)

    def keep(self, rows: Ints) -> npt.NDArray[N]:
        """Keep these rows alone.

        Args:
            rows: places of rows, rising, shape ``(kept,)``.

        Returns:
            What is kept, of the same shape, without a copy.
        """
        values = self.all()
        if len(rows) < len(values):
            compact(values, rows)
            del values
            del self._bytes[len(rows) * self._kind.itemsize :]
        return self.all()


def compact(values: npt.NDArray[N], rows: Ints) -> npt.NDArray[N]:
    """Some values, rising by place, moved to the front of their own memory."""
    # A value moves towards the front, or not at all: none is overwritten before it is read.
    for start in range(0, len(rows), _CHUNK_ROWS):
        part = rows[start : start + _CHUNK_ROWS]
        values[start : start + len(part)] = values[part]
    return values[: len(rows)]
