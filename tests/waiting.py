# SPDX-License-Identifier: Apache-2.0
"""Waits for what takes a moment: as long as it takes on a busy machine, and no longer."""

from __future__ import annotations

import time
from collections.abc import Callable

LIMIT_S = 300.0
"""What has not come by then never comes, however busy the machine is."""


def _sleep() -> None:
    time.sleep(0.01)


def wait_until(so: Callable[[], object], meanwhile: Callable[[], None] = _sleep) -> None:
    """Wait until something is so; fail where it does not come.

    Args:
        so: whether it is.
        meanwhile: takes a moment between two looks.
    """
    ends = time.monotonic() + LIMIT_S
    while not so():
        assert time.monotonic() < ends, "it did not happen"
        meanwhile()
