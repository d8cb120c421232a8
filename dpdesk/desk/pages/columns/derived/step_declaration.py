# SPDX-License-Identifier: Apache-2.0
"""What the window says of one step: dialog, menus and sentence ask its declaration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpdesk.desk.pages.columns.derived.derived_edits import first_of
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import Step

if TYPE_CHECKING:
    from dpdesk.desk.pages.columns.derived.step_sentence import StepSentence


@dataclass(frozen=True)
class StepDeclaration:
    """A kind of column in the dialog that makes columns from others.

    Attributes:
        key: of its place among the kinds.
        icon: of that place.
        title: what it is called, in the language of now.
        build: puts words and chips of a step into its sentence.
        empty: a step of which all is still to be chosen.
        kinds: the kinds of column that it is made of; the window begins with the first that fits.
        begin: that step, of the study and its name, where it is more than the step's ``column``.
        is_of_use: whether a study has what it is made of.
    """

    key: str
    icon: str
    title: Callable[[], str]
    build: Callable[[StepSentence, Any], None]
    empty: Step
    kinds: tuple[type[Column], ...] = ()
    begin: Callable[[Study, str], Step] | None = None
    is_of_use: Callable[[Study], bool] = lambda study: True

    def first(self, study: Study) -> Step:
        """The step that the window begins with."""
        name = first_of(study, *self.kinds)
        if self.begin is not None:
            return self.begin(study, name)
        chosen: dict[str, Any] = {"column": name} if self.kinds else {}
        return replace(self.empty, **chosen)
