# SPDX-License-Identifier: Apache-2.0
"""JSON as manifests may hold it, and the shape that a document must have.

ASCII only, no fraction or exponent: two readers cannot understand such a document in two ways.
"""

from __future__ import annotations

import re
from typing import Any

from dpdesk.study.json.strict_json import JsonRules, no_number, parse_json, short_integer

RULES = JsonRules(
    # Above the manifest of the largest release (see ``size``): three numbers of 20 signs a line.
    size=24_000_000,
    depth=10,
    brackets=1_000_000,
    commas=1_000_000,
    encoding="ascii",
    has_whole_pairs=True,
    whole=short_integer,
    fraction=no_number,
)


def parse_manifest(raw: bytes) -> Any:
    """Parse the bytes of a manifest.

    Raises:
        Refused: anything that a strict reader may not let pass; see ``parse_json``.
    """
    return parse_json(raw, RULES)


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
