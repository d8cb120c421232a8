# SPDX-License-Identifier: Apache-2.0
"""A derived column as a dialog has it: what its step and what was typed make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from dpdesk.desk.pages.columns.derived import derived_edits, step_words
from dpdesk.desk.text.translating import tr
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.checks.step_checks import check_step
from dpdesk.study.model.columns import Column, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.result import result_of
from dpdesk.study.model.steps.step import CodePrefix, Step
from dpdesk.study.problem import Problem


def made_column(
    step: Step, study: Study, before: Column, by_hand: Mapping[str, Decimal | None]
) -> Column:
    """The column that a step makes, with the bounds that were typed.

    Args:
        step: how it is made.
        study: with the columns that it is made of.
        before: the column until now.
        by_hand: which of its bounds somebody typed, and what.
    """
    made = derived_edits.column_of(step, study, before.name, before)
    if isinstance(made, YesNoColumn) and not made.yes:
        return _with_answers(made, step, study)
    if isinstance(made, NumberColumn):
        made = derived_edits.with_bounds(made, result_of(step, study.by_name), by_hand)
        return replace(made, label=step_words.label_of(made, step))
    return made


def _with_answers(column: YesNoColumn, step: Step, study: Study) -> YesNoColumn:
    """The names of yes and no: those of the first column that it is made of, or plain ones."""
    other = study.column(next(iter(result_of(step, study.by_name).taken), None))
    if isinstance(other, YesNoColumn):
        return replace(column, yes=other.yes[:1], no=other.no[:1])
    return replace(column, yes=(tr("ColumnDialog", "Yes"),), no=(tr("ColumnDialog", "No"),))


def to_choose(step: Step) -> str:
    """What is still to be chosen for a step; empty once all is."""
    if "" in step.names or (isinstance(step, CodePrefix) and not step.header):
        return tr("ColumnDialog", "Choose what the column is made of.")
    return ""


def problems_of(study: Study, column: Column) -> tuple[Problem, ...]:
    """All that keeps a derived column from being used, as the study would have it."""
    study = derived_edits.put_column(study, column)
    path = f"$.columns[{study.columns.index(column)}]"
    missing = study.data.missing if study.data else ()
    return (*check_step(study, column, path), *check_column(column, path, missing))
