# SPDX-License-Identifier: Apache-2.0
"""Which columns seem to name a person, by header and title alone; no cell is looked at."""

from __future__ import annotations

from enum import Enum

from dpdesk.study.suggest.identifiers import identifier_kind


class Mark(Enum):
    """How a column is pointed out."""

    NONE = "none"
    DIRECT = "direct"
    QUASI = "quasi"


def mark_of(name: str, title: str = "") -> Mark:
    """The mark of a header."""
    kind = identifier_kind(name, title)
    if kind is None:
        return Mark.NONE
    if kind.is_direct:
        return Mark.DIRECT
    return Mark.QUASI if kind.is_quasi else Mark.NONE
