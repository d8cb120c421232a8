# SPDX-License-Identifier: Apache-2.0
"""Small files that go from one person to another: read whole, in one form, and written whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dpdesk.study.json.strict_json import parse_json, signed_rules
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

MAX_BYTES = 4_000_000
MAX_SIGNATURE = 1_000
_RULES = signed_rules(MAX_BYTES, 200_000)


def parse_text(raw: bytes) -> Any:
    """The JSON of a file that was handed over.

    Raises:
        Refused: anything that a strict reader may not let pass; see ``parse_json``.
    """
    return parse_json(raw, _RULES)


def read_handed(path: Path, most: int = MAX_BYTES) -> bytes:
    """The bytes of a file that was handed over.

    Raises:
        Refused: ``handed-unreadable`` (param name).
    """
    try:
        with open_regular(path) as stream:
            raw = stream.read(most + 1)
    except (OSError, ValueError):
        raise refuse("handed-unreadable", name=path.name) from None
    if len(raw) > most:
        raise refuse("handed-unreadable", name=path.name)
    return raw


def read_remembered(path: Path) -> bytes | None:
    """What a file beside the ledger's heads remembers of second persons; ``None`` without one.

    Raises:
        Refused: ``second-persons-damaged``, or ``second-persons-closed`` where nobody may look.
    """
    try:
        with open_regular(path) as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    except PermissionError:
        raise refuse("second-persons-closed") from None
    except (OSError, ValueError):
        raise refuse("second-persons-damaged") from None
    if len(raw) > MAX_BYTES:
        raise refuse("second-persons-damaged")
    return raw


def write_handed(path: Path, content: bytes) -> None:
    """Write a file to hand over, whole or not at all; never over another one.

    Raises:
        Refused: ``handed-exists`` or ``handed-unwritable`` (param name).
    """
    if os.path.exists(path):
        raise refuse("handed-exists", name=path.name)
    try:
        write_whole(path, content, handed_out=True)
    except OSError:
        raise refuse("handed-unwritable", name=path.name) from None
