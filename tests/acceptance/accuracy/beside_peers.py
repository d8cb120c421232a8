# SPDX-License-Identifier: Apache-2.0
"""Errors at one budget beside the best published mechanisms, and how often margins hold."""

from __future__ import annotations

from typing import Final

from tests.acceptance.accuracy import (
    choices,
    counts,
    coverage,
    found,
    mean,
    quantiles,
    running_counts,
    shares,
    tables,
)

ROWS: Final = (
    shares.rows,
    counts.rows,
    mean.rows,
    quantiles.rows,
    running_counts.rows,
    choices.rows,
    found.rows,
    tables.rows,
)


def main() -> int:
    """Print a line each; 1 where somebody does better and nothing says why, or a margin is off."""
    print(f"{'95 in 100 errors':<55} {'ours':>12} {'best':>12} {'ratio':>6}          whose")
    worse = False
    for rows in ROWS:
        for row in rows():
            print(row.line, flush=True)
            worse |= row.is_worse
    for held in tables.covered():
        print(held, flush=True)
        worse |= held.is_too_low or held.is_too_high
    return max(int(worse), coverage.main())
