# SPDX-License-Identifier: Apache-2.0
"""A released study priced again by whoever checks a bundle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.door import DoorRefused
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.question import EDITION
from dpdesk.release.record.released_study import ReleasedStudy, public_data
from dpdesk.release.size import Size
from dpdesk.release.table_names import NAMED_SINCE
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused

_FILES = ("path", "catalogue")


@dataclass(frozen=True)
class RepricedStudy:
    """A released study compiled again, once for all who ask.

    Attributes:
        released: the study as a manifest states it.
        edition: the manifest's format.
    """

    released: ReleasedStudy
    edition: int = EDITION

    @cached_property
    def plans(self) -> dict[str, QueryPlan] | None:
        """Every query's plan by id; ``None`` where one cannot be made."""
        study = self.released.study
        return priced_again(study, self.edition) if study is not None else None


def priced_again(study: Study, edition: int = EDITION) -> dict[str, QueryPlan] | None:
    """Every query of a released study compiled anew, by id; ``None`` where one cannot be.

    Each is compiled as the program did that wrote the manifest's format.

    A signer's study is still a stranger's: what is too large to be released is not made.
    """
    if Size.of(study).is_too_large:
        return None
    try:
        return {query.id: compile_query(study, query, edition) for query in study.queries}
    except (Refused, DoorRefused, ValueError):
        return None


def unreleased(released: ReleasedStudy, study: Study, edition: int = EDITION) -> list[str]:
    """Members of a manifest's data source that no program writes into one of its format.

    Before format 3 a file was named by its extract, and how it was read was always told.

    Args:
        released: the study as the manifest states it.
        study: the same, read back.
        edition: the manifest's format.
    """
    if edition < NAMED_SINCE:
        return [key for key in _FILES if key in released.data]
    written = public_data(study.data) if study.data else {}
    return sorted(key for key, said in released.data.items() if written.get(key) != said)
