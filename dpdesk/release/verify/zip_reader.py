# SPDX-License-Identifier: Apache-2.0
"""A bundle's files in memory; nothing is ever unpacked to disk."""

from __future__ import annotations

import re
from pathlib import Path

from dpdesk.release.bundle.bundle_zip import MAX_BYTES, is_made_up, unpack
from dpdesk.release.bundle.second_signature import PLAN, PLAN_SIGNATURE, SECOND_SIGNATURE
from dpdesk.release.bundle.synthetic.rows import FILE as SYNTHETIC_ROWS
from dpdesk.release.bundle.synthetic.rows import MOST_BYTES
from dpdesk.study.limits import DEVICE_NAMES
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

FIXED_NAMES = frozenset(
    [
        "README.txt",
        "report.html",
        "report.pdf",
        "results.xlsx",
        "datapackage.json",
        "deployment.yaml",
        "ro-crate-metadata.json",
        "manifest.json",
        "manifest.json.sig",
    ]
)
"""The files besides the tables."""
SECOND_NAMES = {PLAN, PLAN_SIGNATURE, SECOND_SIGNATURE}
"""What the bundle of an account that requires a second person can have besides."""

_KNOWN = FIXED_NAMES | SECOND_NAMES | {SYNTHETIC_ROWS}
_LIMITS = {
    "README.txt": 100_000,
    "datapackage.json": 16_000_000,
    "manifest.json.sig": 1_000,
    "report.pdf": 16_000_000,
    "deployment.yaml": 1_000_000,
    "ro-crate-metadata.json": 1_000_000,
    "results.xlsx": 16_000_000,
    PLAN: 4_000_000,
    PLAN_SIGNATURE: 1_000,
    SECOND_SIGNATURE: 1_000,
    SYNTHETIC_ROWS: MOST_BYTES + 100_000,
}
"""Bytes of the small files; the manifest has its own (see ``manifest_json``)."""

_TABLE = re.compile(
    r"(?:results|comparisons)/([a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?)(?:\.derived)?\.csv"
)
_BASELINE = re.compile(r"tables/([a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?)\.(?:csv|md|tex)")
"""The files of a Table 1."""


def read_bundle(source: Path | bytes) -> dict[str, bytes]:
    """The files of a bundle.

    Raises:
        Refused: ``bundle-missing`` (param name), ``bundle-unreadable`` (param name),
            ``bundle-too-large``, ``bundle-not-a-bundle``, ``bundle-made-up`` of a rehearsal,
            ``bundle-file-odd`` or
            ``bundle-file-too-large`` (param name).
    """
    members = unpack(source if isinstance(source, bytes) else read_zip(source))
    if is_made_up(members):
        raise refuse("bundle-made-up")
    if not all(map(is_expected_name, members)):
        raise refuse("bundle-file-odd")
    for name, most in _LIMITS.items():
        if len(members.get(name, b"")) > most:
            raise refuse("bundle-file-too-large", name=name)
    return members


def is_expected_name(name: str) -> bool:
    """Whether a bundle may hold a file of this name.

    >>> is_expected_name("results/stays.csv"), is_expected_name("results/../stays.csv")
    (True, False)
    """
    table = _TABLE.fullmatch(name) or _BASELINE.fullmatch(name)
    return name in _KNOWN or (table is not None and table[1] not in DEVICE_NAMES)


def read_zip(path: Path) -> bytes:
    """The bytes of a bundle's or a dossier's file, and of nothing larger.

    Raises:
        Refused: ``bundle-missing`` or ``bundle-unreadable`` (param name).
    """
    try:
        with open_regular(path) as stream:
            return stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise refuse("bundle-missing", name=path.name) from None
    except (OSError, ValueError):
        raise refuse("bundle-unreadable", name=path.name) from None
