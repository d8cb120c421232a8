# SPDX-License-Identifier: Apache-2.0
"""What columns of further tables are called before anybody declared them, by headers alone."""

from __future__ import annotations

from collections.abc import Mapping

from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN


def column_names(
    study: Study, headers: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, str]]:
    """What the columns of further tables are called in a study, with table and header.

    One that is declared has its name; others have their header's, with the table's where another
    table has such a header.

    Args:
        headers: the columns of each table, the main one's under ``MAIN``.
    """
    declared = {(c.table, c.in_file or c.name): c.name for c in study.columns if c.table}
    taken = {*headers.get(MAIN, ()), *study.by_name}
    found: dict[str, tuple[str, str]] = {}
    for table in study.tables:
        ids = {table.person, table.case}
        for header in headers.get(table.name, ()):
            name = declared.get((table.name, header))
            if name is None and header not in ids:
                name = header if header not in taken else f"{header} ({table.name})"
            if name is not None:
                found[name] = (table.name, header)
                taken.add(name)
    return found
