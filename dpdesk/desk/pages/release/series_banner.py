# SPDX-License-Identifier: Apache-2.0
"""Whether this release is an instalment of a planned series, which reserved its budget."""

from __future__ import annotations

from dpdesk.desk.core.instalments import matching_series, running_series
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.release.ledger.decisions.series import Series


class SeriesBanner(Banner):
    """Says that it is one, and offers to release beside the series; or why it is none."""

    def __init__(self, session: Session) -> None:
        super().__init__(Tone.INFO, stands_out=True)
        self._session = session
        self._series: Series | None = None
        self.action_pressed.connect(self._change)
        self.hide()

    def show_state(self, state: DeskState) -> None:
        states = self._session.accounts.states
        series = self._series = matching_series(states, state)
        others = () if state.checked or not state.must_read else running_series(states, state)
        self.setVisible(series is not None or bool(others))
        if series is not None:
            self._show_series(series)
        elif others:
            self._show_others(others, state)

    def _show_others(self, others: tuple[Series, ...], state: DeskState) -> None:
        """The account's series ask something else, and keep their budget from this release."""
        names = ", ".join(one.begun.name for one in others)
        text = self.tr(
            "A series asks the same queries each time, with the same groups, bounds and shares, "
            "about periods of the same length. This plan differs, so it uses the remaining budget."
        )
        tone = Tone.ATTENTION if state.over_planned else Tone.INFO
        self.say(self.tr("Not a release of the series {0}.").format(names), text, tone)
        self.set_action("")

    def _show_series(self, series: Series) -> None:
        begun, number = series.begun, series.drawn + 1
        head = self.tr("Release {0} of {1} in series {2}.")
        head = head.format(number, begun.count, begun.name)
        if self._session.series == begun.name:
            text = self.tr("It gets new noise and is charged in full to the reserved budget: {0}.")
            self.say(head, text.format(words.budget(begun.instalment)), Tone.DONE)
            self.set_action(self.tr("Release outside the series"))
        else:
            text = self.tr(
                "{0} is reserved for this release. Outside the series it uses the remaining "
                "budget instead."
            )
            self.say(head, text.format(words.budget(begun.instalment)), Tone.ATTENTION)
            self.set_action(self.tr("Release in the series"))

    def _change(self) -> None:
        if self._series is not None:
            name = self._series.begun.name
            self._session.draw_instalment("" if self._session.series == name else name)
