# SPDX-License-Identifier: Apache-2.0
"""Names that are made for queries, accounts and files: of a-z, 0-9 and hyphens."""

from __future__ import annotations

import re
from collections.abc import Collection

from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.text.plain_letters import spelt_out


def free_id(study: Study, query: Query) -> str:
    """A name for a query's result that no other query of the study has."""
    stem = slug(f"{query.statistic}-{query.column or ''}") or "query"
    taken = {q.id for q in study.queries}
    number = 1
    while (name := f"{stem[:34]}-{number}") in taken:
        number += 1
    return name


def free_name(name: str, taken: Collection[str]) -> str:
    """A name that is not taken, numbered where the wanted one is.

    >>> free_name("registry", {"registry", "registry-2"})
    'registry-3'
    """
    free, number = name, 2
    while free in taken:
        free, number = f"{name[:36]}-{number}", number + 1
    return free


def slug(text: str) -> str:
    """A name of a-z, 0-9 and hyphens.

    >>> slug("Length of stay, 2026")
    'length-of-stay-2026'
    >>> slug("Klinikum Süd")
    'klinikum-sued'
    """
    plain = spelt_out(text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-")
