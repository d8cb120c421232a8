# SPDX-License-Identifier: Apache-2.0
"""What a study says that each column of a table holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit


def kind_names() -> dict[str, str]:
    return {
        "number": tr("ColumnWords", "Number"),
        "category": tr("ColumnWords", "Category"),
        "yes-no": tr("ColumnWords", "Yes/no"),
        "date": tr("ColumnWords", "Date"),
    }


def column_kinds(study: Study, table: str, header: Sequence[str]) -> list[str]:
    """What each column of a header holds; of thousands, so each word is made once."""
    unused, declared, names = tr("ColumnWords", "Not used"), declared_of(study, table), kind_names()
    ids = _ids(study, table)
    kinds = [names[declared[name].kind] if name in declared else unused for name in header]
    return [ids.get(name, kind) for name, kind in zip(header, kinds, strict=True)]


def declared_of(study: Study, table: str) -> Mapping[str, Column]:
    """The declared columns that are read as they are, by what their headers are."""
    columns = study.read_from(table)
    return {c.header: c for c in columns if c.header is not None and c.made_from is None}


def _ids(study: Study, name: str) -> dict[str, str]:
    """What tells people and cases apart in a table."""
    table, unit = study.table(name), study.unit or Unit()
    person = unit.person if table is None else table.person
    case = unit.case if table is None else table.case
    words = {
        case: tr("ColumnWords", "Case number"),
        person or "": tr("ColumnWords", "Person ID column"),
    }
    return {name: word for name, word in words.items() if name}
