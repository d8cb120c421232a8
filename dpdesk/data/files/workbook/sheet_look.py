# SPDX-License-Identifier: Apache-2.0
"""What a person needs to see of a workbook to say how it is read."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.study.problem import Problem


@dataclass(frozen=True, repr=False)
class SheetLook:
    """A workbook, as last looked at.

    Attributes:
        top: the first rows of the chosen sheet as texts, for the custodian's own eyes.
        header: the names of its columns; empty where they are not known.
        problems: why not.
    """

    sheets: tuple[str, ...] = ()
    top: tuple[tuple[str, ...], ...] = ()
    header: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
