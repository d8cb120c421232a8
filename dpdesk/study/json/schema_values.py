# SPDX-License-Identifier: Apache-2.0
"""How texts, numbers, amounts and days are written in a study file, as the schema says it.

What a pattern cannot say is in the descriptions: how many digits a number has.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from dpdesk.study import limits
from dpdesk.study.model.amount import ATTO, MAX_EPSILON_MICRO, MAX_RHO_NANO, MICRO, NANO

Schema = dict[str, Any]

_DAY = (
    "(?:(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29)"
)
_BEYOND = float(f"1e{limits.MAX_EXPONENT + 1}")


def value_schemas() -> dict[str, Schema]:
    """The schemas of texts, numbers, amounts and days, by name."""
    day = "A day of the calendar as YYYY-MM-DD, in the years 0001 to 9999."
    return {
        "text": _text(
            f"Up to {limits.MAX_TEXT} visible characters and plain spaces: no control, "
            "bidirectional or otherwise invisible character. dpdesk also refuses unassigned and "
            "private-use code points.",
            limits.MAX_TEXT,
            lambda sign: not limits.is_printable_text(sign),
        ),
        "path": _text(
            f"A file path of up to {limits.MAX_PATH:,} characters without control characters.",
            limits.MAX_PATH,
            lambda sign: not limits.is_path_text(sign),
        ),
        "texts": _listed("text"),
        "numbers": _listed("number"),
        **_numbers(),
        "date": {"description": day, "type": "string", "pattern": rf"^{_DAY}(?![\s\S])"},
    }


def _text(what: str, most: int, is_refused: Callable[[str], bool]) -> Schema:
    pattern = _without(is_refused)
    return {"description": what, "type": "string", "maxLength": most, "pattern": pattern}


def _numbers() -> dict[str, Schema]:
    size = {"exclusiveMinimum": -_BEYOND, "exclusiveMaximum": _BEYOND}
    what = f"A decimal number with at most {limits.MAX_SIGNIFICANT_DIGITS} significant digits."
    chance = "A probability above 0 and below 1, with at most 18 decimals."
    return {
        "number": {"description": what, "type": "number", **size},
        "whole": {"description": "A whole number.", "type": "integer", **size},
        "amount": _amount("An amount of budget (epsilon)", MAX_EPSILON_MICRO // MICRO, "six"),
        "rho": _amount("An amount of zCDP budget (rho)", MAX_RHO_NANO // NANO, "nine"),
        "delta": {
            **{"description": chance, "type": "number"},
            **{"minimum": 1 / ATTO, "exclusiveMaximum": 1},
        },
    }


def _amount(what: str, most: int, decimals: str) -> Schema:
    return {
        "description": f"{what}: above 0, at most {most}, with at most {decimals} decimals.",
        **{"type": "number", "exclusiveMinimum": 0, "maximum": most},
    }


def _without(is_refused: Callable[[str], bool]) -> str:
    r"""A pattern of texts without the refused signs up to U+FFFF; unassigned ones may come to be.

    >>> _without(lambda sign: sign in "abd")
    '^(?![\\s\\S]*[\\u0061-\\u0062\\u0064])'
    """
    ranges: list[list[int]] = []
    for code in range(0x10000):
        if not is_refused(chr(code)) or unicodedata.category(chr(code)) in ("Cn", "Co"):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    signs = "".join("-".join(f"\\u{end:04X}" for end in sorted(set(ends))) for ends in ranges)
    return rf"^(?![\s\S]*[{signs}])"


def reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _listed(name: str) -> Schema:
    return {"type": "array", "items": reference(name), "maxItems": limits.MAX_VALUES}
