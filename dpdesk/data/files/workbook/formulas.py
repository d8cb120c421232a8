# SPDX-License-Identifier: Apache-2.0
"""Whether a workbook holds formulas without results, as libraries write that calculate nothing.

Its cells are read as empty, for a formula is its last result. For the custodian's check alone.
"""

from __future__ import annotations

import re
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile

_SHEETS = "xl/worksheets/"
_UNCALCULATED = re.compile(rb"(?:</f>|<f(?: [^<>]*)?/>)\s*(?:<v>\s*</v>|<v\s*/>)?\s*</c>")
_PIECE_BYTES = 1 << 20
_LONGEST = 1 << 10
MOST_BYTES = 1 << 28
"""Bytes of a workbook's sheets that are looked at."""


def has_uncalculated_formulas(stream: BinaryIO) -> bool:
    """Whether some sheet of a workbook has a formula without a result.

    Args:
        stream: a file, at its beginning; ``False`` for all that is no .xlsx.
    """
    try:
        with ZipFile(stream) as archive:
            parts = [name for name in archive.namelist() if name.startswith(_SHEETS)]
            return any(_is_in(archive, name) for name in parts)
    except (BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
        return False


def _is_in(archive: ZipFile, name: str) -> bool:
    rest, read = b"", 0
    with archive.open(name) as part:
        while read < MOST_BYTES and (piece := part.read(_PIECE_BYTES)):
            if _UNCALCULATED.search(rest + piece):
                return True
            rest, read = piece[-_LONGEST:], read + len(piece)
    return False
