# SPDX-License-Identifier: Apache-2.0
"""Words that stand in cells alone, so that they may show up nowhere."""

from __future__ import annotations

CANARY = "Qzcanaryx"
CANARY_NUMBER = 7391846205


def holds_canary(said: str) -> bool:
    """Whether a word stands in what was said that only cells hold."""
    return CANARY in said or str(CANARY_NUMBER) in said
