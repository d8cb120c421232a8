# SPDX-License-Identifier: Apache-2.0
"""The steps that the window makes columns by, in the order of the dialog."""

from __future__ import annotations

from typing import Final

from dpdesk.desk.pages.columns.derived.step_declaration import StepDeclaration
from dpdesk.desk.pages.columns.derived.steps_of_many_rows import OF_MANY_ROWS
from dpdesk.desk.pages.columns.derived.steps_of_one_row import OF_ONE_ROW
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import Step

DECLARED: Final = {one.key: one for one in (*OF_ONE_ROW, *OF_MANY_ROWS)}


def declared(step: Step) -> StepDeclaration:
    """The declaration of a step."""
    return next(one for one in DECLARED.values() if type(one.empty) is type(step))


def offered_steps(study: Study, column: Column) -> tuple[StepDeclaration, ...]:
    """The steps that a study has a use for, and the one that a column is made by."""
    own = type(column.made_from)
    return tuple(one for one in DECLARED.values() if one.is_of_use(study) or type(one.empty) is own)
