# SPDX-License-Identifier: Apache-2.0
"""JSON as manifests may hold it, and the shape that a document must have.

ASCII only, no member twice, no fraction or exponent, no NaN, bounded depth and size: two readers
cannot understand such a document in two ways.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

MAX_BYTES = 24_000_000
"""Above the manifest of the largest release (see ``size``): three numbers of 20 signs a line."""

MAX_ITEMS = 1_000_000
"""Commas, so that a document of small values cannot become gigabytes of objects."""

MAX_BRACKETS = 1_000_000
MAX_DEPTH = 10
MAX_DIGITS = 15
_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


class NotStrict(ValueError):
    """A document that is not strict JSON, or not of the shape it must have."""


def parse_strict(raw: bytes) -> Any:
    """Parse the bytes of a manifest.

    Raises:
        NotStrict: for anything that a strict reader may not let pass.
    """
    if len(raw) > MAX_BYTES or raw.count(b",") > MAX_ITEMS:
        raise NotStrict
    # Two backslashes are one in a text; what is left of them begins an escape.
    escaped = raw.replace(b"\\\\", b"")
    if _is_too_deep(escaped) or _has_half_pair(escaped):
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


def _is_too_deep(raw: bytes) -> bool:
    """Whether brackets are too many, or nested too deep; in linear time and memory.

    Every second quotation mark ends a text; ``|32`` makes a square bracket a curly one.

    Args:
        raw: without escaped backslashes.
    """
    signs = np.frombuffer(raw.replace(b'\\"', b""), np.uint8)
    outside = ~np.logical_xor.accumulate(signs == ord('"'))
    opened = ((signs | 32) == ord("{")) & outside
    closed = ((signs | 32) == ord("}")) & outside
    brackets = opened[opened | closed]
    if brackets.size > MAX_BRACKETS:
        return True
    levels = np.cumsum(np.where(brackets, 1, -1))
    return bool(levels.max(initial=0) > MAX_DEPTH)


def _has_half_pair(raw: bytes) -> bool:
    """Whether a text has half of a surrogate pair: it cannot be written anywhere.

    Args:
        raw: without escaped backslashes.
    """
    return _HALF.search(_PAIR.sub(b"", raw)) is not None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise NotStrict
    return members


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MAX_DIGITS:
        raise NotStrict
    return int(text)


def _none_of_those(text: str) -> Any:
    raise NotStrict
