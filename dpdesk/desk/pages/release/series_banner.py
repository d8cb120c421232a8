# SPDX-License-Identifier: Apache-2.0
"""Whether this release is an instalment of a planned series, which reserved its budget."""

from __future__ import annotations

from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.release.ledger.decisions.series import Series
from dpdesk.release.ledger.spending.instalments import price_of
from dpdesk.study.problem import Refused


def matching_series(session: Session, state: DeskState) -> Series | None:
    """The running series of the account that asks what the study asks, at its price."""
    from dpdesk.privacy import compiler

    name = state.account.name if state.account is not None else ""
    own = [account for account in session.accounts.states if account.name == name]
    found = [series for account in own for series in account.series if series.remaining]
    # That the account has too little left beside the series is why it is offered.
    if not found or state.checked:
        return None
    try:
        price = price_of(compiler.compile(state.study))
    except Refused:
        return None
    return next((s for s in found if s.begun.questions == price.questions), None)


class SeriesBanner(Banner):
    """Offers to release as an instalment, or beside the series."""

    def __init__(self, session: Session) -> None:
        super().__init__(Tone.INFO, stands_out=True)
        self._session = session
        self._series: Series | None = None
        self.action_pressed.connect(self._change)
        self.hide()

    def show_state(self, state: DeskState) -> None:
        series = self._series = matching_series(self._session, state)
        self.setVisible(series is not None)
        if series is None:
            return
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
