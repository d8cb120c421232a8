# SPDX-License-Identifier: Apache-2.0
"""Small codebooks written for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dpdesk.data.codebook.entry import Codebook, CodebookEntry
from dpdesk.data.codebook.read import read_codebook
from dpdesk.study.problem import Problem, Refused

REDCAP = (
    "Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"
    '"Choices, Calculations, OR Slider Labels",Field Note,'
    "Text Validation Type OR Show Slider Number,Text Validation Min,Text Validation Max,"
    "Identifier?\n"
)
CONTEXT = "http://www.w3.org/ns/csvw"


def redcap(*rows: str) -> str:
    """A dictionary with a record id and these rows: name, section, type, label, ..."""
    lines = ["record_id,form,,text,Record,,,,,,"]
    for row in rows:
        name, _, rest = row.partition(",")
        lines.append(f"{name},form,{rest}")
    return REDCAP + "\n".join(lines) + "\n"


def book(folder: Path, content: str | bytes | Any, name: str = "codebook.txt") -> Codebook:
    """Write a codebook (text, bytes or JSON members) and read it."""
    if not isinstance(content, str | bytes):
        content = json.dumps(content)
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_codebook(path)


def entry(found: Codebook, name: str) -> CodebookEntry:
    """The entry of a name that must be there."""
    got = found.entry(name)
    assert got is not None, name
    return got


def said(found: Codebook, name: str) -> dict[str, Any]:
    """The kind of an entry's column and all that is said of it."""
    got = entry(found, name)
    if got.column is None:
        return {}
    return {"kind": got.column.kind, **{key: getattr(got.column, key) for key in got.said}}


def notes(found: Codebook, name: str) -> list[str]:
    """The codes of an entry's notes."""
    return [note.code for note in entry(found, name).notes]


def refusal(folder: Path, content: str | bytes | Any) -> Problem:
    """The one problem for which a codebook is refused."""
    try:
        book(folder, content)
    except Refused as refused:
        (problem,) = refused.problems
        return problem
    raise AssertionError("nothing was refused")
