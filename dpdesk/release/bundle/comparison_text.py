# SPDX-License-Identifier: Apache-2.0
"""How cells were compared with declared values, for the plan and for those who read a release."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study.model.columns import column_title
from dpdesk.study.model.comparison import EXACT, FOLDED, comparisons, has_collision
from dpdesk.study.model.document import Study


def comparison_sentences(study: Study) -> tuple[str, ...]:
    """Which listed columns are compared how; nothing where no query uses one."""
    return tuple(_sentences(study))


def _sentences(study: Study) -> Iterator[str]:
    missing = study.data.missing if study.data else ()
    found = comparisons(study)
    collided = [c for c in found if has_collision(c, missing)]
    folded = [c for c, way in found.items() if way == FOLDED]
    exact = [c for c, way in found.items() if way == EXACT and c not in collided]
    for columns, how in (
        (folded, "Compared with the declared values without case and outer spaces"),
        (exact, "Compared with the declared values letter by letter"),
        (collided, "Compared letter by letter, because declared texts differ in case alone"),
    ):
        if columns:
            yield f"{how}: {', '.join(column_title(column) for column in columns)}."


def declares_folding(study: Study) -> bool:
    """Whether a listed column of a query asks for folding; no study of version 0.1 does."""
    return any(getattr(column, "compare", EXACT) == FOLDED for column in comparisons(study))
