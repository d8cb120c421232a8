# SPDX-License-Identifier: Apache-2.0
"""Whether the bundle has synthetic rows: declared here, made of what was released."""

from __future__ import annotations

from dataclasses import replace

from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.queries import SyntheticRows

NO, YES, TOGETHER = "no", "yes", "together"


class SyntheticCard(Card):
    """The choice; hidden where no count by group is asked that such rows could keep."""

    def __init__(self, session: Session) -> None:
        super().__init__(tr("SyntheticCard", "Add synthetic data?"))
        self._session = session
        offers = [
            (NO, self.tr("No"), ""),
            (YES, self.tr("Yes"), ""),
            (TOGETHER, self.tr("Yes, none alone"), ""),
        ]
        self.choice = Segmented(offers, self.tr("Whether the bundle has synthetic data"))
        self.choice.picked.connect(self._declare)
        self.error = Label("", role=Role.DANGER, wrap=True)
        self.hint = quiet("")
        for part in (self.choice, self.error, self.hint):
            self.body.addWidget(part)

    def _declare(self, key: str) -> None:
        study = self._session.state.study
        of = study.synthetic_rows.of if study.synthetic_rows is not None else SyntheticRows().of
        alone = _columns(study, SyntheticRows(of)) if key == TOGETHER else ()
        declared = None if key == NO else SyntheticRows(of, alone)
        self._session.edit(
            replace(study, synthetic_rows=declared), self.tr("Change the synthetic data")
        )

    def render_state(self) -> None:
        """Show what the study declares."""
        state = self._session.state
        study, declared = state.study, state.study.synthetic_rows
        self.setVisible(declared is not None or bool(_columns(study, SyntheticRows())))
        key = NO if declared is None else TOGETHER if declared.none_alone_in else YES
        self.choice.select(key)
        problems = state.problems_at("$.synthetic_rows")
        self.error.setText(words.problem_sentence(problems[0]) if problems else "")
        self.error.setVisible(bool(problems))
        said = self.tr(
            "Made up, for trying out code and forms: they keep the released counts by group and "
            "nothing else, are made from these alone, cost nothing, and are no basis for results."
        )
        if declared is not None and declared.none_alone_in:
            together = self.tr(
                "None is alone in its combination of {0}; the report says what that costs."
            )
            names = (words.title_of(study, name) for name in declared.none_alone_in)
            said = f"{said} {together.format(', '.join(names))}"
        self.hint.setText(said)


def _columns(study: Study, rows: SyntheticRows) -> tuple[str, ...]:
    """The columns of the counts that such rows keep, each once."""
    kept = (query for query in study.queries if rows.keeps(query))
    return tuple(dict.fromkeys(column_of(by) for query in kept for by in query.by))
