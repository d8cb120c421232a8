# SPDX-License-Identifier: Apache-2.0
"""The bundle's datapackage.json: every table and column described (Frictionless, version 1)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from dpdesk.privacy.usable import NO, YES
from dpdesk.release.csv_tables import neutral

_ROLES = {
    "group": "Group, as declared in the study before any data was read.",
    "value": "Released figure, noise included.",
    "half-width": "The exact figure lies within this distance of the released one "
    "in at least 95 of 100 releases.",
    "choice": "What was chosen among the declared candidates.",
    "quartile": "A quartile: what was chosen among the declared candidates.",
    "score-bound": "The choice is at most this far from the best one in at least 95 of 100 "
    "releases; empty where nothing is said, as of quantiles that crossed and were put in order.",
    "bound": "Bound of the column's values, estimated from noisy counts.",
    "share": "Released share of all rows, noise included.",
    "share-half-width": "The exact share lies within this distance of the released one "
    "in at least 95 of 100 releases.",
    "lowest": "Lower end of the 95 % interval, cut to what is possible.",
    "highest": "Upper end of the 95 % interval, cut to what is possible.",
    "nearest": "The possible value nearest to the figure, where noise took the whole interval "
    "out of what is possible: then the interval stands uncut. Else empty.",
    "mark": "Whether the figure is too noisy to use, by itself and its margin: a total that "
    "cannot be told from 0; another figure whose margin is half of what is possible or more; no "
    "figure at all.",
    "found": "Text found in the data; given out because the noisy count of people who have it "
    "reached a threshold.",
    "label": "Name of the text, as declared in the study; empty where none is.",
    "part": "Noisy integer that the released figure was computed from.",
}

_TYPES = {**dict.fromkeys(("group", "choice", "found", "label"), "string"), "mark": "boolean"}

_MECHANISMS = {
    "laplace": "discrete Laplace noise of scale {scale} on integers worth {width} each, "
    "95 % half-width {half_width} integers",
    "gaussian": "discrete Gaussian noise of scale {scale} on integers worth {width} each, "
    "95 % half-width {half_width} integers",
    "noisy-max": "a choice by report noisy max of scale {scale}",
    "randomised-response": "randomised response, true with probability {scale}",
}
_NORMS = {"l1": "L1", "l2-squared": "squared L2", "linf": "L-infinity", "rows": "row"}


def datapackage(payload: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    """The description of a release's tables.

    Args:
        payload: the release's record.
        files: content of each table's file by the id of its query.
    """
    predicate = payload["predicate"]
    release = predicate["release"]
    queries = {query["id"]: query for query in predicate["queries"]}
    return {
        "profile": "tabular-data-package",
        "name": f"release-{release['id']}",
        "id": release["id"],
        "title": predicate["study"]["title"],
        "created": release["time"].replace("Z", ":00Z"),
        "resources": [
            _resource(table, queries[table["id"]], files[table["id"]])
            for table in payload["tables"]
        ],
    }


def _resource(table: dict[str, Any], query: dict[str, Any], content: bytes) -> dict[str, Any]:
    return {
        "profile": "tabular-data-resource",
        "name": table["id"],
        "path": f"results/{table['id']}.csv",
        "title": table["title"] or table["id"],
        "description": _mechanism(query),
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "dialect": {"delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "header": True},
        "schema": {"fields": [_field(c) for c in table["columns"]], "missingValues": [""]},
    }


def _field(column: dict[str, Any]) -> dict[str, Any]:
    about, role = column["description"], column["role"]
    field = {
        "name": neutral(column["name"]),
        "type": _TYPES.get(role, "number"),
        "title": about or column["name"],
        "description": _ROLES[role],
    }
    if role == "mark":
        field |= {"trueValues": [YES], "falseValues": [NO]}
    return {**field, "unit": column["unit"]} if column["unit"] else field


def _mechanism(query: dict[str, Any]) -> str:
    parts = "; ".join(
        f"{part['name']}: {in_words(part)}, share {part['share']}" for part in query["parts"]
    )
    return f"Share of the budget: {query['share']}. {parts}."


def in_words(part: dict[str, Any]) -> str:
    """How one draw of a record was made, for people who know the field."""
    how = _MECHANISMS[part["mechanism"]].format(**part)
    if "threshold" in part:
        how += f", given out from {part['threshold']} upwards"
    moves = " (largest rise plus largest fall)" if part.get("monotonic") else ""
    norm = f"{_NORMS[part['norm']]} sensitivity {part['sensitivity']}{moves}"
    return f"{how}, {norm}, loss {part['loss']}"
