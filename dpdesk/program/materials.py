# SPDX-License-Identifier: Apache-2.0
"""The digest of the bill of materials that came along with an installed program."""

from __future__ import annotations

import hashlib

from dpdesk.program.installed_files import MATERIALS, MOST_BYTES, companion
from dpdesk.study.regular_file import open_regular


def materials_digest() -> str:
    """SHA-256 of the bill of materials; empty where the program runs from its sources."""
    path = companion(MATERIALS)
    if path is None:
        return ""
    try:
        with open_regular(path) as stream:
            return hashlib.sha256(stream.read(MOST_BYTES)).hexdigest()
    except (OSError, ValueError):
        return ""
