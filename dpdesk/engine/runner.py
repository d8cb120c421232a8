# SPDX-License-Identifier: Apache-2.0
"""Carries out an order on a table, and seals what it counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import ibis.expr.types as ir

from dpdesk.engine.answers import count_plan
from dpdesk.engine.coded_rows import code_tables
from dpdesk.engine.database import Database
from dpdesk.engine.kept_rows import keep_rows
from dpdesk.engine.meaning import Meaning
from dpdesk.engine.passes import count_in_passes
from dpdesk.privacy import compiler
from dpdesk.release.sealing.countable import needs_people, refuse_uncountable
from dpdesk.release.sealing.order_file import CountingOrder
from dpdesk.release.sealing.sealed_counts import ExactCounts, seal_counts
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class Binding:
    """Which table of the database each of a study's is, and which columns by other names.

    Attributes:
        tables: by the study's own name, perhaps with a schema before a dot; where none is named
            it is the declared file's name without its ending.
        columns: by the study's name of a table, the database's own column for each header.
    """

    tables: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def table(self, study: Study, name: str) -> str:
        """What a table is called in the database."""
        data = study.data_of(name) or DataSource()
        return self.tables.get(name, Path(data.path).stem)

    def source(self, database: Database, study: Study, name: str) -> ir.Table:
        """A table as it is, with the columns' declared names.

        Raises:
            Refused: as ``Database.source``; ``engine-column-missing`` (params table, name).
        """
        table, columns = self.table(study, name), dict(self.columns.get(name, {}))
        found = database.source(table)
        for own in columns.values():
            if own not in found.columns:
                raise refuse("engine-column-missing", table=table, name=own)
        # One column may be meant by two declared names.
        kept = [one for one in found.columns if one not in columns and one not in columns.values()]
        return found.select(*kept, **{name: found[own] for name, own in columns.items()})


def run_order(order: CountingOrder, database: Database, binding: Binding, today: date) -> bytes:
    """Count what an order asks for, and seal it.

    Raises:
        Refused: ``order-past``; what :func:`count` refuses.
    """
    order.refuse_past(today)
    return seal_counts(count(order.study, database, binding), order)


def count(study: Study, database: Database, binding: Binding) -> ExactCounts:
    """The exact counts of a study, in clear; they are to be sealed at once.

    Raises:
        Refused: what keeps the study from being compiled; what ``countable``, ``code_tables`` and
            ``keep_rows`` refuse.
    """
    plan = compiler.compile(study)
    refuse_uncountable(plan.study)
    names = [MAIN, *(one.name for one in plan.study.tables)]
    meanings = {name: Meaning(plan.study, name) for name in names}
    sources = {name: binding.source(database, plan.study, name) for name in names}
    try:
        is_ranked = not comes_to_the_runner(database, plan.study)
        coded = code_tables(database, sources, meanings, is_ranked)
        if not is_ranked:
            return count_in_passes(database, coded, plan, meanings)
        questions = sum(len(query.parts) for query in plan.queries)
        kept = keep_rows(database, coded[MAIN], meanings[MAIN], questions)
        return count_plan(database, kept, plan, meanings[MAIN])
    finally:
        database.clean()


def comes_to_the_runner(database: Database, study: Study) -> bool:
    """Whether people are told apart and bounded here, some at a time, and not in the database.

    Beside an embedded engine that is the faster way: no row leaves the machine's memory.
    """
    by_person = (study.unit or Unit()).person is not None
    return needs_people(study) or (database.is_embedded and by_person)
