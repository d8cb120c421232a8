# SPDX-License-Identifier: Apache-2.0
"""Whether a query's counts are published as whole numbers, none below zero."""

from __future__ import annotations

from dpdesk.desk.pages.queries.accuracy.explained_toggle import ExplainedToggle
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query


class WholeNumbersToggle(ExplainedToggle):
    """It says what it does to small counts; how much is among the facts below the picture."""

    def __init__(self) -> None:
        super().__init__(tr("WholeNumbersToggle", "Whole numbers, none below 0"))

    def show_query(self, study: Study, query: Query) -> bool:
        """Show a query's; whether it counts."""
        self.toggle.setChecked(query.whole_numbers)
        said = self.tr("Small counts are then too high on average. Costs nothing.")
        if study.form_of(query) is not None and study.rounding is not None:
            said = self.tr(
                "This study rounds counts to {0}. Without negative ones, small counts are too high "
                "on average."
            ).format(study.rounding)
        self.hint.setText(said)
        # What was switched on before can be taken back everywhere.
        return query.declaration.has_whole_numbers or query.whole_numbers
