# SPDX-License-Identifier: Apache-2.0
"""One query's noise, drawn through the door on a table: of a file, or made up for a rehearsal."""

from __future__ import annotations

from collections.abc import Callable

from dpdesk.data.aggregation.aggregate import measure, text_counts
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.exact import Exact, ExactTexts
from dpdesk.privacy.noise.door import Door
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.sealing.sealed_counts import OpenedCounts
from dpdesk.study.model.document import Study


def draw_query(
    study: Study,
    query: QueryPlan,
    table: EncodedTable | OpenedCounts,
    door: Door,
    begins: Callable[[], object] = int,
) -> Drawn:
    """Measure each part of a query on a table, and add its noise; of a public number nothing.

    Args:
        study: the study that the plan was made from.
        table: or what a database counted of it.
        door: where the noise comes from.
        begins: called before each draw, after what it is made on was counted.
    """
    first = next(iter(query.parts), None)
    if first is not None and first.noise.threshold is not None:
        found = _texts(study, query, first, table)
        name = f"{query.query.id}.{first.name}"
        begins()
        return Drawn.of_found(door.draw_found(name, found, first.noise, first.sensitivity))

    def drawn(part: Part) -> tuple[int, ...]:
        vector = _vector(study, query, part, table)
        begins()
        return door.draw(f"{query.query.id}.{part.name}", vector, part.noise, part.sensitivity)

    return Drawn(tuple(map(drawn, query.parts)))


def _vector(
    study: Study, query: QueryPlan, part: Part, table: EncodedTable | OpenedCounts
) -> Exact:
    if isinstance(table, OpenedCounts):
        return table.vector(query.query.id, part.name)
    return measure(table, study, part.measure)


def _texts(
    study: Study, query: QueryPlan, part: Part, table: EncodedTable | OpenedCounts
) -> ExactTexts:
    if isinstance(table, OpenedCounts):
        return table.texts(query.query.id, part.name)
    return text_counts(table, study, part.measure)
