# SPDX-License-Identifier: Apache-2.0
"""Rows in batches, each wanted column as its distinct texts and a code per row.

pandas tokenises, and nothing else: without types, without missing values, without an index. Two
of its habits are kept out on purpose. The width of a table is taken from its first row, so each
batch begins with a made-up header as wide as the file's. And columns read as categories turn
into numbers when every text looks like one (``01`` and ``1`` would merge), so texts stay objects.

The rules for odd rows are public and look at one row alone: cells that a short row lacks are
empty, cells beyond the header are ignored, and a line of nothing but blanks is no row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpdesk.data.csv_file import CsvRecords
from dpdesk.study.problem import refuse


@dataclass(frozen=True, repr=False)
class TextColumn:
    """One column of a batch.

    Attributes:
        codes: for each row the position of its cell in ``texts``.
        texts: the distinct cells.
    """

    codes: npt.NDArray[np.intp]
    texts: list[str]


@dataclass(frozen=True, repr=False)
class Batch:
    """Some rows of the file, in file order.

    Attributes:
        rows: how many.
        columns: the wanted columns, in the order they were asked for.
    """

    rows: int
    columns: tuple[TextColumn, ...]


def read_batches(records: CsvRecords, positions: Sequence[int]) -> Iterator[Batch]:
    """Read the columns at these positions; some 10,000 rows a batch.

    Raises:
        Refused: ``data-file-unreadable``, when the disk fails.
        Cancelled: the token that ``records`` was opened with was raised.
    """
    wanted = [str(position) for position in positions]
    used = sorted(set(wanted), key=int) or ["0"]
    line = records.separator.join(str(i) for i in range(len(records.header))) + "\n"
    for block in records.blocks:
        table = _tokenise(line.encode() + block, records.separator, used)
        columns = {name: _distinct(table[name]) for name in used}
        yield Batch(len(table), tuple(columns[name] for name in wanted))


def _tokenise(text: bytes, separator: str, used: list[str]) -> pd.DataFrame:
    try:
        return pd.read_csv(
            BytesIO(text),
            sep=separator,
            usecols=used,
            dtype=object,
            index_col=False,
            na_filter=False,
            keep_default_na=False,
            encoding_errors="replace",
            engine="c",
            low_memory=False,
        )
    except Exception:
        # Its messages quote cells: nothing of them may travel on, not even as a context.
        problem = refuse("data-file-unreadable", "$.data.path")
    raise problem


def _distinct(cells: pd.Series) -> TextColumn:
    codes, texts = pd.factorize(cells.to_numpy(dtype=object))
    return TextColumn(codes, texts.tolist())
