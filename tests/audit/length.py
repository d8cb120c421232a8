# SPDX-License-Identifier: Apache-2.0
"""How long the audits run: ``DPDESK_AUDIT`` is ``full`` or, as for every check, ``short``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
"""Where thousands of short-lived ledgers need not wait for a disk; ``None``: the usual place."""

FULL = os.environ.get("DPDESK_AUDIT", "short") == "full"


USUAL_EXAMPLES = 100
"""No profile but the one for fresh examples asks for more."""


def examples(short: int, full: int) -> int:
    """How many examples a property is tried on; as many as the profile for fresh ones asks for."""
    wanted = settings.default.max_examples if settings.default else 0
    return max(full if FULL else short, wanted if wanted > USUAL_EXAMPLES else 0)


def some(cases: Sequence[T], every: int) -> Sequence[T]:
    """All cases at full length; in the short slice each ``every``-th, the same ones each time."""
    return cases if FULL else cases[::every]


def runs(short: int, full: int) -> int:
    """How many runs a statistical test takes."""
    return full if FULL else short
