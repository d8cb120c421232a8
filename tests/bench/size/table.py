# SPDX-License-Identifier: Apache-2.0
"""The table, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.size.cases import CASES, OURS
from tests.bench.size.goals import Goal, Outcomes, goals
from tests.bench.size.process import Rounds

MEBIBYTE = 1 << 20
WIDTH = 44


def table(outcomes: Outcomes) -> Iterator[str]:
    """Seconds and memory of each process, ours in parts, then the goals.

    CPU seconds say how busy a process kept the cores; where others use them too, they say more.
    """
    yield f"{'process':<{WIDTH}}{'least':>10}{'median':>10}{'CPU':>10}{'peak':>11}  version"
    for case in CASES:
        yield f"{case.name:<{WIDTH}}{_figures(outcomes[case.name])}"
    if outcomes[OURS.name].said:
        yield from _parts(outcomes[OURS.name])
    yield ""
    yield f"{'goal (medians)':<{WIDTH}}{'measured':>10}{'wanted':>16}"
    for goal in goals(outcomes):
        yield f"{goal.name:<{WIDTH}}{_judged(goal)}"


def _figures(rounds: Rounds) -> str:
    if not rounds.said:
        return f"{'failed' if rounds.failed else 'not here'}: {rounds.trouble}"
    peak = f"{rounds.peak / MEBIBYTE:7.0f} MiB"
    seconds = (min(rounds.seconds), rounds.median, rounds.middle("cpu"))
    return "".join(f"{each:8.2f} s" for each in seconds) + f"{peak}  {rounds.said[0]['version']}"


def _parts(ours: Rounds) -> Iterator[str]:
    encoded = [each["encoded"] for each in ours.said]
    middle = ours.middle("encoded")
    yield f"{'  of dpdesk: read, encode, bound':<{WIDTH}}{min(encoded):8.2f} s{middle:8.2f} s"
    for name in ours.said[0]["queries"]:
        least = min(each["queries"][name] for each in ours.said) * 1_000
        whole, exact = (1_000 * ours.middle(kind, name) for kind in ("queries", "exact"))
        of_it = f"  {exact:.0f} ms of it exact"
        yield f"{'  of dpdesk: ' + name:<{WIDTH}}{least:7.0f} ms{whole:7.0f} ms{of_it}"


def _judged(goal: Goal) -> str:
    if goal.measured is None:
        return f"{'n/a':>10}{_wanted(goal):>16}  not measured"
    digits = 0 if goal.unit == "ms" else 2 if goal.measured >= 0.1 else 3
    measured = f"{goal.measured:.{digits}f} {goal.unit}"
    return f"{measured:>10}{_wanted(goal):>16}  {'MISSED' if goal.missed else 'met'}"


def _wanted(goal: Goal) -> str:
    if goal.least and goal.most < float("inf"):
        return f"{goal.least:g} to {goal.most:g} {goal.unit}"
    if goal.least:
        return f">= {goal.least:g} {goal.unit}"
    return f"<= {goal.most:g} {goal.unit}"
