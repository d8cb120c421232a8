# SPDX-License-Identifier: Apache-2.0
"""What a manifest's predicate must look like, in every format, before anything is computed of it.

Amounts and scales are texts of bounded length: nobody's number becomes a million digits here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from dpdesk.release.ledger.storage.clock import minute
from dpdesk.release.verify.manifest_json import fits
from dpdesk.study.checks.member_checks import MOST_QUANTILES
from dpdesk.study.limits import MAX_QUERIES

FORMATS = (1, 2, 3)
AMOUNT = re.compile(r"(0|[1-9][0-9]{0,8})(\.[0-9]{1,18})?")
_WHOLE = re.compile(r"0|[1-9][0-9]{0,39}")
_FLOAT = re.compile(r"[0-9]{1,25}(\.[0-9]{1,25})?(e[+-]?[0-9]{1,3})?")
_FRACTION = re.compile(r"[1-9][0-9]{0,60}(/[1-9][0-9]{0,60})?")
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?")
_HASH = re.compile(r"[0-9a-f]{64}")
_SHORT = re.compile(r"[ -~]{1,64}")
_COMMON = {
    "name": _ID,
    "sensitivity": _WHOLE,
    "scale": _FLOAT,
    "loss": _FLOAT,
    "share": AMOUNT,
    "width": _FRACTION,
    "half_width": _WHOLE,
}
_LAPLACE = {**_COMMON, "mechanism": "laplace", "norm": "l1"}
_GAUSSIAN = {**_COMMON, "mechanism": "gaussian", "norm": "l2-squared"}
_PARTS = (
    _LAPLACE,
    _GAUSSIAN,
    {**_LAPLACE, "threshold": _WHOLE},
    {**_GAUSSIAN, "threshold": _WHOLE},
    {**_COMMON, "mechanism": "randomised-response", "norm": "rows"},
    {
        **_COMMON,
        "mechanism": "noisy-max",
        "norm": "linf",
        "blocks": int,
        "picks": int,
        "monotonic": bool,
    },
)
_QUERY = {
    "id": _ID,
    "title": str,
    "statistic": _ID,
    "question": dict,
    "cells": int,
    "share": AMOUNT,
    "charged": AMOUNT,
    "drawn_in": int,
    "parts": [_PARTS],
}
_FIRST_QUERY = {
    **_QUERY,
    "statistic": ("count", "count-people", "sum", "mean"),
    "parts": [_LAPLACE],
}
_QUERY |= {"delta": AMOUNT, "delta_charged": AMOUNT}
_NAMED_QUERY = {**_QUERY, "name": _NAME}
_TIME = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]Z")
_NAMED_QUERIES = (_NAMED_QUERY, {**_NAMED_QUERY, "drawn_at": _TIME})
"""An answer of an earlier release may say when that was."""
_SHAPE = {
    "format": 3,
    "release": {
        "id": re.compile(r"[0-9a-f]{32}"),
        "time": _TIME,
    },
    "study": dict,
    "claim": {
        "neighbours": ("add-remove", "change-one"),
        "unit": ("person", "row"),
        "max_rows": int,
        "people": (int, type(None)),
        "measure": ("epsilon", "rho"),
        "rho": (AMOUNT, type(None)),
        "epsilon": AMOUNT,
        "delta": AMOUNT,
    },
    "queries": [_NAMED_QUERIES],
    "drawn": dict,
    "account": {
        "name": _ID,
        "measure": ("epsilon", "rho"),
        "delta": AMOUNT,
        "total": AMOUNT,
        "spent_before": AMOUNT,
        "spent_after": AMOUNT,
        "delta_spent_before": AMOUNT,
        "delta_spent_after": AMOUNT,
        "released": [{"sequence": int, "charged": AMOUNT, "delta_charged": AMOUNT}],
    },
    "ledger": {
        "sequence": int,
        "previous": _HASH,
        "head": _HASH,
        "rollback_suspected": bool,
        "separate_people_declared": bool,
    },
    "software": {"dpdesk": _SHORT, "opendp": _SHORT, "opendp_library_sha256": _HASH},
    "signer": {"identity": _SHORT, "fingerprint": re.compile(r"SHA256:[A-Za-z0-9+/]{43}")},
}
_SECOND_SHAPE = {**_SHAPE, "format": 2, "queries": [_QUERY]}
_FIRST_SHAPE = {
    **{key: shape for key, shape in _SHAPE.items() if key != "drawn"},
    "format": 1,
    "claim": {
        "neighbours": ("add-remove", "change-one"),
        "unit": ("person", "row"),
        "max_rows": int,
        "people": (int, type(None)),
        "epsilon": AMOUNT,
        "delta": "0",
    },
    "queries": [_FIRST_QUERY],
    "account": {
        "name": _ID,
        "total": AMOUNT,
        "spent_before": AMOUNT,
        "spent_after": AMOUNT,
        "released": [{"sequence": int, "charged": AMOUNT}],
    },
}

_SHAPES = {1: _FIRST_SHAPE, 2: _SECOND_SHAPE, 3: _SHAPE}
_FIRST_QUESTION = {"statistic", "column", "by", "where"}


def has_shape(predicate: dict[str, Any]) -> bool:
    """Whether a predicate of a known format has that format's shape.

    Format 1 asks no more than version 0.1 could: it says less of what was drawn, and must not be
    a way to say less of what is new.
    """
    first = predicate["format"] == 1
    if not fits(predicate, _SHAPES[predicate["format"]]):
        return False
    if not all(map(_is_minute, _times(predicate))):
        return False
    queries = predicate["queries"]
    # Each draw is priced by the noise library, which takes its time.
    few = len(queries) <= MAX_QUERIES and all(len(q["parts"]) <= MOST_QUANTILES for q in queries)
    return few and (not first or all(map(_is_first, queries)))


def is_written_by(version: str, format: int) -> bool:
    """Whether a version of the program wrote bundles of a format.

    An older format says less: it has no marks of what is too noisy to use, and nothing may be
    told in it by a version that did not know it any more. What comes later writes format 3 or
    a later one. Trial versions of 0.2.0 wrote format 2.

    >>> [is_written_by(version, 2) for version in ("0.1.0", "0.2.0", "0.2.1", "1.0")]
    [False, True, False, False]
    """
    if version.startswith("0.1."):
        return format == 1
    return format == 3 or (format == 2 and version == "0.2.0")


def _times(predicate: dict[str, Any]) -> Iterator[str]:
    yield predicate["release"]["time"]
    yield from (query["drawn_at"] for query in predicate["queries"] if "drawn_at" in query)


def _is_minute(text: str) -> bool:
    """Whether a time of the right form is a minute of the calendar, as the ledger writes it.

    >>> _is_minute("2024-02-29T23:59Z"), _is_minute("2023-02-29T23:59Z")
    (True, False)
    """
    try:
        return minute(datetime.fromisoformat(text)) == text
    except ValueError:
        return False


def _is_first(query: dict[str, Any]) -> bool:
    by = query["question"].get("by", [])
    return query["question"].keys() <= _FIRST_QUESTION and fits(by, [str]) and len(by) <= 2
