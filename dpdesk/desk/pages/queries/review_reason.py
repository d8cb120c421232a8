# SPDX-License-Identifier: Apache-2.0
"""Why a plan cannot be reviewed yet."""

from __future__ import annotations

from dpdesk.desk.core.edits.unused_columns import only_in_the_way
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import column_title


def why_not_reviewed(state: DeskState) -> str:
    """Why the plan cannot be reviewed; empty where it can."""
    problems = state.step_problems("queries") or state.blocking
    if unused := only_in_the_way(state):
        template = tr(
            "QueriesPage",
            "%n column(s) that no query uses (is|are) not declared: {0}",
            "",
            len(unused),
        )
        shown = [column_title(c) for c in state.study.columns if c.name in unused[:2]]
        return template.format(", ".join([*shown, "…"] if len(unused) > 2 else shown))
    if problems:
        return words.problem_sentence(problems[0])
    if state.limit_is_exceeded_more:
        template = tr(
            "QueriesPage",
            "{0} over this study’s limit. Press Fit shares, or change the limit in People.",
        )
        return template.format(words.amount_of_units(state.over_limit_by, state.measure))
    if state.account is not None and state.left_after < 0:
        over = words.amount_of_units(-state.left_after, state.measure)
        template = tr("QueriesPage", "Over budget by {0}. Press Fit shares.")
        return template.format(over)
    return ""
