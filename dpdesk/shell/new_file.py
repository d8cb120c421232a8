# SPDX-License-Identifier: Apache-2.0
"""The files that a command writes where its user named them: never over another one.

A bundle, a plan or a page that was handed over may be the only copy of what was said; a command
that is run again, from a history or a script, must not take its place. What holds the same bytes
already may be written again, because nothing of it is lost.
"""

from __future__ import annotations

from pathlib import Path

from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular


def refuse_taken(path: Path, content: bytes | None = None) -> None:
    """Refuse a name that another file has.

    Args:
        content: what it is to hold, where that is known already; the same bytes may be there.

    Raises:
        Refused: ``output-exists`` (param name).
    """
    if path.exists() and not path.is_dir() and not _holds(path, content):
        raise refuse("output-exists", name=path.name)


def _holds(path: Path, content: bytes | None) -> bool:
    if content is None:
        return False
    try:
        with open_regular(path) as stream:
            return stream.read(len(content) + 1) == content
    except (OSError, ValueError):
        return False
