# SPDX-License-Identifier: Apache-2.0
"""What the system refuses of a path that a command was given, or of what the command says.

Asking whether a file is there can fail, too: its name is longer than any file's, or its folder is
closed to anyone who asks. That is no mistake of the program.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path

from dpdesk.study.problem import Problem

_OF_PATHS = frozenset({errno.ENAMETOOLONG, errno.EACCES, errno.EPERM})
_OF_OUTPUT = frozenset({errno.ENOSPC, errno.EIO})
_LONGEST = 60


def unusable(error: OSError, given: Iterable[object]) -> Problem | None:
    """The problem behind an error; ``None`` where it is another one.

    Codes: ``path-unusable`` (param name), ``answer-unwritable``.

    Args:
        given: the command's options; a path among them was typed by anyone who reads this.
    """
    if error.filename is None:
        return Problem("$", "answer-unwritable") if error.errno in _OF_OUTPUT else None
    name = Path(error.filename).name
    # A signature's file, say, is called after the one that was named.
    is_typed = any(path.name and name.startswith(path.name) for path in _paths(given))
    if error.errno not in _OF_PATHS or not is_typed:
        return None
    shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    return Problem("$", "path-unusable", {"name": shown})


def _paths(given: Iterable[object]) -> Iterable[Path]:
    for value in given:
        if isinstance(value, Path):
            yield value
        elif isinstance(value, list):
            yield from (one for one in value if isinstance(one, Path))
