# SPDX-License-Identifier: Apache-2.0
r"""Paths that name another computer. No Qt.

Merely looking at ``\\server\share`` makes Windows connect and show the user's login there, so a
study that comes from elsewhere must not decide that it happens.
"""

from __future__ import annotations

import re

_LOCAL_DRIVE = re.compile(r"\\\\[?.]\\[a-z]:", re.IGNORECASE)


def names_a_machine(path: str) -> bool:
    r"""Whether a path may lead to another computer, on whatever system it was written.

    >>> names_a_machine(r"\\server\share\a.csv"), names_a_machine("//server/share/a.csv")
    (True, True)
    >>> names_a_machine(r"\\?\UNC\server\a.csv"), names_a_machine(r"\\.\pipe\a")
    (True, True)
    >>> names_a_machine(r"\\?\C:\a.csv"), names_a_machine(r"C:\a.csv"), names_a_machine("/a.csv")
    (False, False, False)
    """
    plain = path.strip().replace("/", "\\")
    return plain.startswith("\\\\") and not _LOCAL_DRIVE.match(plain)
