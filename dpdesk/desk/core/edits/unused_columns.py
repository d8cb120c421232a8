# SPDX-License-Identifier: Apache-2.0
"""Columns that keep a study from being released although no query uses them.

A codebook describes what it describes: a laboratory value without bounds is in use once it is
imported, and nobody asked for it. Such columns are left out by one press, which Undo takes back.
"""

from __future__ import annotations

import re

from dpdesk.desk.core.state import DeskState

_COLUMN = re.compile(r"\$\.columns\[([0-9]+)\](?:\..*)?", re.ASCII)


def only_in_the_way(state: DeskState) -> tuple[str, ...]:
    """The columns that no query uses, where they alone keep the study from being released."""
    if not state.blocking or not state.study.queries:
        return ()
    found: dict[str, None] = {}
    for problem in state.blocking:
        match = _COLUMN.fullmatch(problem.path)
        if match is None:
            return ()
        found[state.study.columns[int(match[1])].name] = None
    return tuple(found) if state.study.used_names.isdisjoint(found) else ()
