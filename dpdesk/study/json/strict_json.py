# SPDX-License-Identifier: Apache-2.0
"""Strict JSON: what two readers could understand in two ways is refused, in linear time and memory.

What a document may be is in its rules; how it is read is the same for studies, codebooks and
manifests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from dpdesk.study import limits
from dpdesk.study.problem import refuse

Json = Any
Members = dict[str, Any]

_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_MAX_WHOLE_DIGITS = 15


def decimal(text: str) -> Decimal:
    """A decimal number, exactly.

    Raises:
        Refused: ``json-number``: it is longer than any number needs to be.
    """
    if len(text) > limits.MAX_NUMBER_TEXT:
        raise refuse("json-number")
    try:
        return Decimal(text)
    except InvalidOperation:
        raise refuse("json-number") from None


def integer(text: str) -> int:
    """A whole number.

    Raises:
        Refused: ``json-number``: it is longer than any number needs to be.
    """
    if len(text) > limits.MAX_NUMBER_TEXT:
        raise refuse("json-number")
    return int(text)


def short_integer(text: str) -> int:
    """A whole number that binary floating point holds, too.

    Raises:
        Refused: ``json-number``: it has more than 15 digits.
    """
    if len(text.lstrip("-")) > _MAX_WHOLE_DIGITS:
        raise refuse("json-number")
    return int(text)


def no_number(_text: str) -> NoReturn:
    """Refuse a number of a kind that a document may not hold: NaN, or one with a fraction.

    Raises:
        Refused: ``json-number``.
    """
    raise refuse("json-number")


@dataclass(frozen=True)
class JsonRules:
    """What a document may be, beside strict JSON.

    Attributes:
        size: bytes that it may have.
        brackets, commas: how many it may have, so that a document of small values cannot become
            gigabytes of objects; ``None`` where the size alone keeps it from that.
        encoding: of its bytes.
        has_whole_pairs: whether half a surrogate pair, which cannot be written anywhere, is
            refused at once.
        whole, fraction: read a number without and with a fraction or exponent.
    """

    size: int = limits.MAX_STUDY_BYTES
    depth: int = limits.MAX_DEPTH
    brackets: int | None = None
    commas: int | None = None
    encoding: str = "utf-8-sig"
    has_whole_pairs: bool = False
    whole: Callable[[str], int] = integer
    fraction: Callable[[str], Json] = decimal


STUDY = JsonRules()


def signed_rules(size: int, most: int) -> JsonRules:
    """Rules of signed documents: ASCII, no fraction or exponent, so that all readers agree.

    Args:
        size: bytes that it may have.
        most: brackets that it may have, and commas.
    """
    return JsonRules(size, 10, most, most, "ascii", True, short_integer, no_number)


def parse_json(raw: bytes, rules: JsonRules = STUDY) -> Json:
    """Parse strict JSON: no member twice, no NaN, nothing too deep or too large.

    Raises:
        Refused: code ``json-too-large``, ``json-not-text``, ``json-too-deep``, ``json-invalid``
            (params line, column), ``json-duplicate-key`` (param key) or ``json-number``.
    """
    if len(raw) > rules.size or _are_more(raw.count(b","), rules.commas):
        raise refuse("json-too-large")
    try:
        text = raw.decode(rules.encoding)
    except UnicodeDecodeError:
        raise refuse("json-not-text") from None
    _check_structure(raw, rules)
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_int=rules.whole,
            parse_float=rules.fraction,
            parse_constant=no_number,
        )
    except json.JSONDecodeError as error:
        raise refuse("json-invalid", line=str(error.lineno), column=str(error.colno)) from None


def shown_key(key: str) -> str:
    """An unexpected key, fit for a message: short, and without signs that steer a terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in key[:60])


def _are_more(count: int, most: int | None) -> bool:
    return most is not None and count > most


def _check_structure(raw: bytes, rules: JsonRules) -> None:
    """Refuse what could exhaust the parser, or what no text can be, before it is parsed."""
    # Two backslashes are one in a text; what is left of them begins an escape.
    escaped = raw.replace(b"\\\\", b"")
    brackets, depth = _nesting(escaped)
    if _are_more(brackets, rules.brackets):
        raise refuse("json-too-large")
    if depth > rules.depth:
        raise refuse("json-too-deep")
    if rules.has_whole_pairs and _has_half_pair(escaped):
        raise refuse("json-not-text")


def _nesting(raw: bytes) -> tuple[int, int]:
    r"""How many brackets there are outside texts, and how deep they are nested.

    Every second quotation mark ends a text; ``|32`` makes a square bracket a curly one.

    Args:
        raw: ASCII or UTF-8, in which no part of another letter is a bracket or quotation mark;
            without escaped backslashes.

    >>> _nesting(rb'{"a": [1, "]["], "b\"[": []}')
    (6, 2)
    """
    # Loaded here: the rules alone are imported by a window that has read nothing yet.
    import numpy as np

    signs = np.frombuffer(raw.replace(b'\\"', b""), np.uint8)
    outside = ~np.logical_xor.accumulate(signs == ord('"'))
    opened = ((signs | 32) == ord("{")) & outside
    closed = ((signs | 32) == ord("}")) & outside
    brackets = opened[opened | closed]
    levels = np.cumsum(np.where(brackets, 1, -1))
    return brackets.size, int(levels.max(initial=0))


def _has_half_pair(raw: bytes) -> bool:
    """Whether a text has half of a surrogate pair.

    Args:
        raw: without escaped backslashes.
    """
    return _HALF.search(_PAIR.sub(b"", raw)) is not None


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    seen: dict[str, Json] = {}
    for key, value in pairs:
        if key in seen:
            raise refuse("json-duplicate-key", key=shown_key(key))
        seen[key] = value
    return seen
