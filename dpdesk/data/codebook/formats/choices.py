# SPDX-License-Identifier: Apache-2.0
"""Lists of values as codebooks write them: codes with names, or names alone."""

from __future__ import annotations

import re
from decimal import Decimal

from dpdesk.data.codebook.formats.draft import LabelledCode
from dpdesk.data.codebook.formats.texts import number

_CODED = re.compile(r"\s*(?P<code>[^=:]{1,60}?)\s*(?:=|:)\s*(?P<label>.*\S)\s*", re.DOTALL)
_NEXT_CODE = re.compile(r",(?=\s*[^\s,=:]{1,20}\s*=)")
_RANGE = re.compile(
    r"\s*(?:(?:from|von)\s+)?(?P<low>[+-]?[0-9.,]+)\s*(?:\.\.\.?|-|–|to|bis)\s*"
    r"(?P<high>[+-]?[0-9.,]+)\s*"
)


def redcap_choices(text: str) -> tuple[LabelledCode, ...] | None:
    """The choices of a REDCap dictionary, ``1, Male | 2, Female``; ``None`` where they are none."""
    pairs = [part.partition(",") for part in text.replace("\n", "|").split("|") if part.strip()]
    if not pairs or not all(code.strip() and comma for code, comma, _ in pairs):
        return None
    return tuple((code.strip(), " ".join(label.split())) for code, _, label in pairs)


def uncoded_choices(text: str) -> tuple[LabelledCode, ...] | None:
    """The choices of a REDCap dictionary that has names alone, ``Male | Female``."""
    parts = [" ".join(part.split()) for part in text.replace("\n", "|").split("|")]
    names = [part for part in parts if part]
    if len(names) < 2 or any("," in name for name in names):
        return None
    return tuple((name, name) for name in names)


def plain_choices(text: str) -> tuple[LabelledCode, ...] | None:
    """A list in prose: ``1=Male; 2=Female``, ``a | b``, ``m, f, d``; ``None`` where it is mixed.

    A value without a name is its own name.
    """
    parts = [part.strip() for part in _parts(text) if part.strip()]
    coded = [_CODED.fullmatch(part) for part in parts]
    if parts and all(coded):
        return tuple(
            (choice["code"], " ".join(choice["label"].split())) for choice in coded if choice
        )
    if "|" in text and (listed := redcap_choices(text)) is not None:
        return listed
    if not parts or any("=" in part for part in parts):
        return None
    return tuple((part, part) for part in parts)


def _parts(text: str) -> list[str]:
    """The entries, parted by the strongest separator that is there."""
    for separator in ("|", "\n", ";"):
        if separator in text:
            return text.split(separator)
    return _NEXT_CODE.split(text) if "=" in text else text.split(",")


def plain_range(text: str) -> tuple[Decimal, Decimal] | None:
    """The two ends of a range in prose, ``0-120`` or ``0 bis 120``."""
    match = _RANGE.fullmatch(text)
    if match is None:
        return None
    low, high = number(match["low"]), number(match["high"])
    return None if low is None or high is None else (low, high)
