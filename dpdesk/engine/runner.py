# SPDX-License-Identifier: Apache-2.0
"""Carries out an order on a table, and seals what it counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dpdesk.engine.answers import count_plan
from dpdesk.engine.database import Database
from dpdesk.engine.kept_rows import keep_rows
from dpdesk.engine.meaning import Meaning
from dpdesk.privacy import compiler
from dpdesk.release.sealing.countable import refuse_uncountable
from dpdesk.release.sealing.order_file import CountingOrder
from dpdesk.release.sealing.sealed_counts import ExactCounts, seal_counts
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource


@dataclass(frozen=True)
class Binding:
    """Which table is meant, and which of its columns by other names.

    Attributes:
        table: the table's name, perhaps with its schema before a dot.
        columns: the table's own column for each header that it has under another name.
    """

    table: str
    columns: dict[str, str]

    @classmethod
    def of(cls, study: Study, mapping: dict[str, str], table: str = "") -> Binding:
        """The declared table: of the file's name without its ending, where no other is named."""
        name = table or Path((study.data or DataSource()).path).stem
        return cls(name, mapping)


def run_order(order: CountingOrder, database: Database, binding: Binding, today: date) -> bytes:
    """Count what an order asks for, and seal it.

    Raises:
        Refused: ``order-past``; what ``countable`` and ``keep_rows`` refuse.
    """
    order.refuse_past(today)
    return seal_counts(count(order.study, database, binding), order)


def count(study: Study, database: Database, binding: Binding) -> ExactCounts:
    """The exact counts of a study, in clear; they are to be sealed at once.

    Raises:
        Refused: as :func:`run_order`, and what keeps the study from being compiled.
    """
    plan = compiler.compile(study)
    refuse_uncountable(plan.study)
    meaning = Meaning(plan.study)
    source = database.source(binding.table)
    source = source.rename(binding.columns)
    try:
        kept = keep_rows(database, source, plan.study, meaning)
        return count_plan(database, kept, plan, meaning)
    finally:
        database.clean()
