# SPDX-License-Identifier: Apache-2.0
"""The Table 1s of a rehearsal: laid out as a release's, from made-up figures."""

from __future__ import annotations

from dataclasses import replace

from dpdesk.privacy.statistics.variance import mean_before
from dpdesk.release.bundle.baseline.layout import Answered, layouts
from dpdesk.release.bundle.baseline.printed import printed
from dpdesk.release.bundle.baseline.released import ReleasedBaseline
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.rehearsal.rehearse import Rehearsal, RehearsedQuery


def made_up_baselines(rehearsal: Rehearsal, words: ReleaseWords) -> tuple[ReleasedBaseline, ...]:
    """Each Table 1 of a rehearsal, in the order of its study.

    Rows are made up query by query, so that no figure is made consistent with others.
    """
    answers = {one.plan.query.id: _answered(one) for one in rehearsal.queries}
    found = layouts(rehearsal.study, answers)
    return tuple(ReleasedBaseline(one, printed(rehearsal.study, one, words)) for one in found)


def marked_baseline(baseline: ReleasedBaseline, mark: str) -> ReleasedBaseline:
    """A table whose title says that it is made up."""
    title = f"{mark}: {baseline.printed.title}"
    return replace(baseline, printed=replace(baseline.printed, title=title))


def _answered(one: RehearsedQuery) -> Answered:
    is_spread = one.plan.query.declaration.is_spread
    margin = mean_before(one.plan) if is_spread else None
    return Answered(one.plan, one.table, one.drawn.drawn.noisy, None, margin)
