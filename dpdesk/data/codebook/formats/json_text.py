# SPDX-License-Identifier: Apache-2.0
"""JSON codebooks: strict, bounded, and each mistake at its place."""

from __future__ import annotations

import re
from decimal import Decimal

from dpdesk.data.codebook.entry import MAX_CODEBOOK_BYTES
from dpdesk.study import limits
from dpdesk.study.json.strict_json import Json, JsonRules, parse_json
from dpdesk.study.problem import Problem, Refused, refuse

_RULES = JsonRules(MAX_CODEBOOK_BYTES, depth=20)
_OWN_CODES = {
    "json-too-large": "codebook-too-large",
    "json-too-deep": "codebook-too-deep",
    "json-not-text": "codebook-unknown",
}
_HALF = re.compile("[\ud800-\udfff]")


def parse(raw: bytes) -> Json:
    """Parse a codebook's JSON.

    Raises:
        Refused: ``codebook-too-large`` (most), ``codebook-too-deep``, ``codebook-unknown``, or
            ``json-invalid``, ``json-duplicate-key`` and ``json-number`` as ``parse_json`` says.
    """
    try:
        return parse_json(raw, _RULES)
    except Refused as refused:
        problem = refused.problems[0]
    code = _OWN_CODES.get(problem.code, problem.code)
    params = {"most": str(MAX_CODEBOOK_BYTES // 1_000_000)} | dict(problem.params)
    raise Refused([Problem(problem.path, code, params)])


def objects(value: Json, path: str) -> list[tuple[str, dict[str, Json]]]:
    """The objects of a list with their paths; an absent list has none.

    Raises:
        Refused: ``type-list``, ``type-object`` or ``codebook-too-many-variables`` (most).
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise refuse("type-list", path)
    if len(value) > limits.MAX_CODEBOOK_VARIABLES:
        raise refuse("codebook-too-many-variables", path, most=str(limits.MAX_CODEBOOK_VARIABLES))
    return [(f"{path}[{i}]", an_object(item, f"{path}[{i}]")) for i, item in enumerate(value)]


def an_object(value: Json, path: str) -> dict[str, Json]:
    """An object; an absent one is empty.

    Raises:
        Refused: ``type-object``.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise refuse("type-object", path)
    return value


def a_text(value: Json, path: str) -> str:
    """A text; an absent one is empty.

    Raises:
        Refused: ``type-text`` or ``text-invisible`` (half a character).
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise refuse("type-text", path)
    if _HALF.search(value):
        raise refuse("text-invisible", path)
    return value


def some_texts(value: Json, path: str) -> tuple[str, ...]:
    """A text, or a list of texts and plain values, as texts; absent: none.

    Raises:
        Refused: ``type-list`` or ``type-text``.
    """
    if value is None:
        return ()
    items = value if isinstance(value, list) else [value]
    return tuple(value_text(item, f"{path}[{i}]") for i, item in enumerate(items))


def value_text(value: Json, path: str) -> str:
    """A value as it is in a cell: texts, numbers, true and false.

    Raises:
        Refused: ``type-text``.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return f"{value:f}" if abs(value.adjusted()) < limits.MAX_NUMBER_TEXT else str(value)
    if value is None:
        raise refuse("type-text", path)
    return a_text(value, path)
