# SPDX-License-Identifier: Apache-2.0
"""Which table of a JSON codebook is meant: a Data Package and CSVW may describe several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from dpdesk.data.codebook.formats.csvw import is_csvw, read_csvw
from dpdesk.data.codebook.formats.draft import Draft
from dpdesk.data.codebook.formats.json_text import a_text, objects
from dpdesk.data.codebook.formats.recipes import Recipe
from dpdesk.data.codebook.formats.table_schema import read_schema
from dpdesk.study.json.strict_json import Json
from dpdesk.study.model.columns import CodebookKind
from dpdesk.study.problem import refuse

_MOST_NAMES = 20


@dataclass(frozen=True, repr=False)
class Described:
    """A table that a codebook describes.

    Attributes:
        names: what it may be called by: its name, its file's path and its file's name.
        path: where that is.
        above: what the tables of a group have in common.
    """

    names: tuple[str, ...]
    value: Json
    path: str
    above: dict[str, Json]


def read_package(
    value: Json, tables: tuple[str, ...]
) -> tuple[CodebookKind, Iterator[Draft | Recipe]]:
    """The format of a JSON codebook, and the variables of one of its tables.

    Args:
        tables: names of the wanted table, the likeliest first; they matter where the codebook
            describes several.

    Raises:
        Refused: ``codebook-unknown``, ``codebook-tables-several`` (names),
            ``codebook-elsewhere``, or what the format's reader says.
    """
    members = value if isinstance(value, dict) else {}
    if is_csvw(members):
        chosen = _chosen(_csvw_tables(members), tables)
        return "csvw", read_csvw(chosen.value, chosen.path, chosen.above)
    if "resources" in members:
        chosen = _chosen(_resources(members), tables)
        return "table-schema", read_schema(chosen.value, chosen.path)
    if "fields" in members:
        return "table-schema", read_schema(members, "$")
    if "schema" in members:
        return "table-schema", read_schema(members["schema"], "$.schema")
    raise refuse("codebook-unknown")


def table_names(value: Json) -> tuple[tuple[str, ...], ...]:
    """What each table that a document describes may be called by; one that has no name is left out.

    Raises:
        Refused: at the path of what is not as its format has it.
    """
    members = value if isinstance(value, dict) else {}
    if is_csvw(members):
        described = _csvw_tables(members)
    else:
        described = _resources(members) if "resources" in members else []
    return tuple(table.names for table in described if table.names)


def _resources(package: dict[str, Json]) -> list[Described]:
    return [
        Described(_names(item, ("name", "path"), path), item["schema"], f"{path}.schema", {})
        for path, item in objects(package["resources"], "$.resources")
        if item.get("schema") is not None
    ]


def _csvw_tables(group: dict[str, Json]) -> list[Described]:
    if "tables" not in group:
        return [Described((), group, "$", {})]
    return [
        Described(_names(item, ("url", "id", "@id"), path), item, path, group)
        for path, item in objects(group["tables"], "$.tables")
    ]


def _names(item: dict[str, Json], keys: tuple[str, ...], path: str) -> tuple[str, ...]:
    """What a table may be called by; a path in several parts names nothing."""
    texts = [a_text(item[k], f"{path}.{k}") for k in keys if isinstance(item.get(k), str)]
    return tuple(dict.fromkeys([*texts, *(PurePosixPath(text).name for text in texts)]))


def _chosen(described: list[Described], tables: tuple[str, ...]) -> Described:
    if not described:
        raise refuse("codebook-says-nothing")
    for wanted in tables:
        for table in described:
            if wanted and wanted in table.names:
                return table
    if len(described) > 1:
        names = [table.names[0] for table in described if table.names]
        raise refuse("codebook-tables-several", names=", ".join(names[:_MOST_NAMES]))
    return described[0]
