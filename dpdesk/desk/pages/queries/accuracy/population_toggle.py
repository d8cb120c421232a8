# SPDX-License-Identifier: Apache-2.0
"""Whether an interval for the population is wanted beside each figure, or why there is none."""

from __future__ import annotations

from dpdesk.desk.pages.queries.accuracy.explained_toggle import ExplainedToggle
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.study.checks.by_statistic.member_checks import no_population
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.text.unit_names import in_query

NOT_KNOWN, NO_VARIANCE = "population-not-known", "population-no-variance"


class PopulationToggle(ExplainedToggle):
    """It says what the interval means, or why there can be none."""

    def __init__(self) -> None:
        super().__init__(tr("PopulationToggle", "Interval for the population"))

    def show_query(self, study: Study, query: Query) -> bool:
        """Show a query's; whether its statistic can have one."""
        why = no_population(study, query)
        self.toggle.setChecked(query.population)
        # What was switched on before can be taken back everywhere.
        self.toggle.setEnabled(why is None or query.population)
        names = words.names(study)
        said = self.tr("Noise and chance together, the {rows} being a sample; costs nothing.")
        if query.declaration.needs_spread:
            said = self.tr(
                "Noise and chance together, approximately; the {rows} are a sample. Costs nothing."
            )
        if why == NO_VARIANCE:
            said = self.tr("Only beside a variance of the same column, groups and conditions.")
        elif why is not None:
            said = self.tr("Only with 1 {row} per {person}; ask of {people} instead.")
        rows = in_query(names, query.of).rows
        self.hint.setText(
            said.format(rows=rows, row=names.row, person=names.person, people=names.people)
        )
        return why != NOT_KNOWN or query.population
