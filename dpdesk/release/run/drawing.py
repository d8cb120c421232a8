# SPDX-License-Identifier: Apache-2.0
"""One query's noise, drawn through the door on a table: of a file, or made up for a rehearsal."""

from __future__ import annotations

from dpdesk.data.aggregation.aggregate import measure, text_counts
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.privacy.noise.door import Door
from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.record.drawn import Drawn
from dpdesk.study.model.document import Study


def draw_query(study: Study, query: QueryPlan, table: EncodedTable, door: Door) -> Drawn:
    """Measure each part of a query on a table, and add its noise; of a public number nothing.

    Args:
        study: the study that the plan was made from.
        door: where the noise comes from.
    """
    first = next(iter(query.parts), None)
    if first is not None and first.noise.threshold is not None:
        counts = text_counts(table, study, first.measure)
        name = f"{query.query.id}.{first.name}"
        return Drawn.of_found(door.draw_found(name, counts, first.noise, first.sensitivity))
    return Drawn(
        tuple(
            door.draw(
                f"{query.query.id}.{part.name}",
                measure(table, study, part.measure),
                part.noise,
                part.sensitivity,
            )
            for part in query.parts
        )
    )
