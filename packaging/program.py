# SPDX-License-Identifier: Apache-2.0
"""What the program is called and which files it opens, for the packages of every system."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

NAME = "dpdesk"
DESKTOP_ID = "org.dpdesk.dpdesk"
"""The name of its desktop entry, its window class, its bundle on macOS."""
SUMMARY: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "description"
]
MAINTAINER = "dpdesk maintainers"
CATEGORIES = ("Science", "MedicalSoftware", "DataVisualization")
KEYWORDS = ("privacy", "statistics", "release", "epsilon", "noise", "hospital")
DESCRIPTION = (
    "dpdesk turns a file about patients into statistics that may leave the building. Every figure "
    "carries differentially private noise, all figures together stay inside a privacy budget that "
    "a ledger keeps, and the result is a signed bundle that anyone can check with tools they "
    "already have.",
    "It runs on the data custodian's own computer and never opens a network connection.",
)
"""Paragraphs for menus and package lists."""


@dataclass(frozen=True)
class FileKind:
    """A kind of file that opens by a double-click.

    Attributes:
        mime: its MIME type.
        ending: with the dot.
        comment: what a file manager calls it.
        parent: the MIME type that it is a special case of, where file managers may know.
        magic: what its first bytes are: (place, bytes), all of them.
    """

    mime: str
    ending: str
    comment: str
    parent: str | None
    magic: tuple[tuple[int, bytes], ...]


STUDY = FileKind(
    "application/vnd.dpdesk.study+json",
    ".dpdesk",
    "dpdesk study",
    "application/json",
    ((0, b"{"),),
)
BUNDLE = FileKind(
    # A zip like any other by its ending: only its first bytes tell it from one. They are a stored
    # member of 1980-01-01, README.txt, as dpdesk/release/bundle/bundle_zip.py writes it.
    "application/vnd.dpdesk.bundle+zip",
    ".zip",
    "dpdesk bundle",
    # Were it said to be a zip, GNOME would take every zip for a bundle.
    None,
    ((0, b"PK\3\4\x14\0\0\0\0\0\0\0\x21\0"), (30, b"README.txt")),
)
FILE_KINDS = (STUDY, BUNDLE)


def version() -> str:
    """The program's version, read without importing it."""
    text = (ROOT / "dpdesk" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise ValueError("dpdesk/__init__.py names no version")
    return found[1]
