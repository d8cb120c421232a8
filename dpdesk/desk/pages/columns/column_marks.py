# SPDX-License-Identifier: Apache-2.0
"""What a column is marked with, by header and title.

No cell is looked at.
"""

from __future__ import annotations

from enum import Enum

from dpdesk.study.suggest.identifiers import identifier_kind


class IdentityMark(Enum):
    """How a column is pointed out."""

    NONE = "none"
    DIRECT = "direct"
    QUASI = "quasi"


def mark_of(name: str, title: str = "") -> IdentityMark:
    kind = identifier_kind(name, title)
    if kind is None:
        return IdentityMark.NONE
    if kind.is_direct:
        return IdentityMark.DIRECT
    return IdentityMark.QUASI if kind.is_quasi else IdentityMark.NONE
