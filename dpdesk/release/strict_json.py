# SPDX-License-Identifier: Apache-2.0
"""JSON as manifests may hold it, and the shape that a document must have.

ASCII only, no member twice, no fraction or exponent, no NaN, bounded depth and size: two readers
cannot understand such a document in two ways.
"""

from __future__ import annotations

import json
import re
from typing import Any

MAX_BYTES = 32_000_000
"""Above the manifest of the largest release (see ``size``): three numbers of 20 signs a line."""

MAX_DEPTH = 10
MAX_DIGITS = 15
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKET = re.compile(rb"[\[\]{}]")


class NotStrict(ValueError):
    """A document that is not strict JSON, or not of the shape it must have."""


def parse_strict(raw: bytes) -> Any:
    """Parse the bytes of a manifest.

    Raises:
        NotStrict: for anything that a strict reader may not let pass.
    """
    if len(raw) > MAX_BYTES or not raw.isascii() or _depth(raw) > MAX_DEPTH:
        raise NotStrict
    try:
        return json.loads(
            raw.decode("ascii"),
            object_pairs_hook=_unique,
            parse_int=_whole,
            parse_float=_none_of_those,
            parse_constant=_none_of_those,
        )
    except (ValueError, RecursionError):
        raise NotStrict from None


def fits(value: Any, shape: Any) -> bool:
    """Whether a value has a shape.

    A shape is a type (matched exactly: ``True`` is no int), a pattern for texts, a list of one
    shape for its items, a dictionary for exactly these members, or a tuple of choices.

    >>> fits({"n": [1, 2]}, {"n": [int]}), fits({"n": [True]}, {"n": [int]})
    (True, False)
    """
    if isinstance(shape, tuple):
        return any(fits(value, choice) for choice in shape)
    if isinstance(shape, dict):
        return _has_members(value, shape)
    if isinstance(shape, list):
        return type(value) is list and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, re.Pattern):
        return type(value) is str and shape.fullmatch(value) is not None
    if isinstance(shape, type):
        return type(value) is shape
    return type(value) is type(shape) and bool(value == shape)


def _has_members(value: Any, shape: dict[str, Any]) -> bool:
    if type(value) is not dict or value.keys() != shape.keys():
        return False
    return all(fits(value[key], shape[key]) for key in shape)


def _depth(raw: bytes) -> int:
    deepest = depth = 0
    for bracket in _BRACKET.findall(_QUOTED.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs) or not all(map(_whole_text, members.values())):
        raise NotStrict
    return members


def _whole_text(value: Any) -> bool:
    """No half of a surrogate pair: such a text cannot be written anywhere."""
    texts = value if isinstance(value, list) else [value]
    return not any(isinstance(t, str) and re.search("[\ud800-\udfff]", t) for t in texts)


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MAX_DIGITS:
        raise NotStrict
    return int(text)


def _none_of_those(text: str) -> Any:
    raise NotStrict
