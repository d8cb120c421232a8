# SPDX-License-Identifier: Apache-2.0
"""Which columns seem to name a person, by header and title alone; no cell is looked at."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from dpdesk.study.suggest.identifiers import identifier_kind

_MANY_COLUMNS = 8192


class Mark(Enum):
    """How a column is pointed out."""

    NONE = "none"
    DIRECT = "direct"
    QUASI = "quasi"


@lru_cache(maxsize=_MANY_COLUMNS)
def mark_of(name: str, title: str = "") -> Mark:
    """The mark of a header; kept, because the list asks at every edit."""
    kind = identifier_kind(name, title)
    if kind is None:
        return Mark.NONE
    if kind.is_direct:
        return Mark.DIRECT
    return Mark.QUASI if kind.is_quasi else Mark.NONE
