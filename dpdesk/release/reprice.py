# SPDX-License-Identifier: Apache-2.0
"""A released study read back, so that whoever checks a bundle can price it again.

A manifest has no floats: numbers of the study stand in it as decimal texts. Where numbers belong
is known from the study's shape, so that a category called ``0.5`` stays a text.
"""

from __future__ import annotations

import copy
import json
import re
from decimal import Decimal, InvalidOperation
from typing import Any

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.door import DoorRefused
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.question import EDITION
from dpdesk.release.record import public_study
from dpdesk.release.size import Size
from dpdesk.release.table_names import NAMED_SINCE
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused

# Short and without an exponent: a stranger's text must not become a number of a million digits.
_NUMBER = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?", re.ASCII)
_BOUNDS = ("lower", "upper", "step")
_FILES = ("path", "catalogue")
_RULES = ("missing", "unparsable", "outside")


def read_released_study(members: dict[str, Any]) -> Study | None:
    """The study of a manifest, without its data; ``None`` where it is none."""
    try:
        revived = _revived(copy.deepcopy(members))
        return study_from_bytes(json.dumps(revived).encode("utf-8"))
    except (
        Refused,
        ValueError,
        TypeError,
        AttributeError,
        KeyError,
        InvalidOperation,
        OverflowError,
    ):
        return None


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


def unreleased(members: dict[str, Any], study: Study, edition: int = EDITION) -> list[str]:
    """Members of a manifest's data source that no program writes into one of its format.

    Before format 3 a file was named by its extract, and how it was read was always told.

    Args:
        members: the study as the manifest states it.
        study: the same, read back.
        edition: the manifest's format.
    """
    said = members.get("data") or {}
    if edition < NAMED_SINCE:
        return [key for key in _FILES if key in said]
    written = public_study(study).get("data", {})
    return sorted(key for key in said if written.get(key) != said[key])


def _revived(members: dict[str, Any]) -> dict[str, Any]:
    """The members with numbers where numbers belong."""
    for column in members.get("columns", []):
        if column.get("kind") == "number":
            _revive(column, _BOUNDS)
            for rule in _RULES:
                if isinstance(column.get(rule), dict):
                    _revive(column[rule], ("replace",))
    _revive(members.get("budget") or {}, ("epsilon", "rho"))
    for query in members.get("queries", []):
        _revive_query(query)
    return members


def _revive_query(query: dict[str, Any]) -> None:
    _revive(query, ("epsilon", "rho", "delta"))
    _revive_lists(query, ("quantiles", "candidates", "edges"))
    for condition in (*query.get("where", []), *query.get("has", [])):
        _revive_lists(condition, ("between",))
    for grouping in query.get("by", []):
        if isinstance(grouping, dict):
            _revive_lists(grouping, ("edges",))


def _revive_lists(members: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in keys:
        if key in members:
            if type(members[key]) is not list:
                raise ValueError("not a list")
            members[key] = [_number(value) for value in members[key]]


def _revive(members: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in keys:
        if key in members:
            members[key] = _number(members[key])


def _number(value: Any) -> int | float:
    """The JSON number that a decimal text stands for, where none of its digits is lost."""
    if type(value) is not int and not (isinstance(value, str) and _NUMBER.fullmatch(value)):
        raise ValueError("not a plain number")
    number = Decimal(value)
    found = int(number) if number == number.to_integral_value() else float(number)
    if Decimal(repr(found)) != number:
        raise ValueError("more digits than a number keeps")
    return found
