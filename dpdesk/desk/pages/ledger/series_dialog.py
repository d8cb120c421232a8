# SPDX-License-Identifier: Apache-2.0
"""Planning a series of releases, which reserves its whole budget; and ending one."""

from __future__ import annotations

from datetime import date, datetime
from functools import partial

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import LedgerDialog
from dpdesk.desk.pages.working_dialog import typed_reason
from dpdesk.desk.text import words
from dpdesk.desk.text.times import month_of_year
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.privacy import compiler
from dpdesk.release.ledger.decisions.decided import RHYTHMS
from dpdesk.release.ledger.decisions.series import Schedule, Series
from dpdesk.release.ledger.spending.instalments import begin_series, end_series, price_of
from dpdesk.release.record.totals import share_of
from dpdesk.study.model.amount import Share
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused

MONTHS_BEFORE, MONTHS_AHEAD = 120, 36
"""A series may have begun before it was planned here, or begin when a contract does."""


class NewSeriesDialog(LedgerDialog):
    """Asks how often and how many times the open study is released."""

    sign = "calendar"

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("NewSeriesDialog", "Plan a series of releases?")
        text = tr(
            "NewSeriesDialog",
            "dpdesk reserves the budget of all its releases now; nothing else can spend it. Each "
            "release is charged in full to it. When you end the series, the rest is available "
            "again. All its releases ask the same queries, with the same groups, bounds and "
            "shares, about periods of the same length: each can be about a later one.",
        )
        super().__init__(window, session, title, text)
        hint = self.tr("Lower-case letters, digits and hyphens, such as monthly-wards.")
        self.name = LineField(self.tr("&Name of the series"), hint)
        self.every = ChoiceField(self.tr("Ho&w often"))
        self.count = LineField(self.tr("N&umber of releases"))
        self.first = ChoiceField(self.tr("&First month"))
        now = datetime.now().astimezone()
        self.first.set_choices(_months_around(now), f"{now:%Y-%m}")
        rhythms = {
            "month": self.tr("Every month"),
            "quarter": self.tr("Every quarter"),
            "year": self.tr("Every year"),
        }
        self.every.set_choices([(key, rhythms[key]) for key in RHYTHMS], "month")
        self._each = _price(session.state.study)
        self.price = quiet("")
        self.price.hide()
        self.count.edited.connect(self._show_price)
        self._show_account()
        self.show_parts(self.name, self.every, self.count, self.first, self.price)
        self.ok = self.add_primary(self.tr("Reserve the budget"))

    def _show_account(self) -> None:
        state = self.session.state
        if state.account is None:
            return
        rows = [
            (self.tr("Account"), state.account.name),
            (self.tr("Available"), words.budget(state.account.left)),
        ]
        if self._each is not None:
            rows.append((self.tr("Each release"), words.budget(self._each)))
            if self._each.units and self._each.measure == state.account.measure:
                most = state.account.left.units // self._each.units
                rows.append((self.tr("Enough for"), self.tr("%n release(s)", "", most)))
        self.add_rows(rows)

    @property
    def _typed_count(self) -> int:
        text = self.count.text.strip()
        return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0

    def _show_price(self) -> None:
        """What the whole series would reserve, and whether that is there."""
        each, count, account = self._each, self._typed_count, self.session.state.account
        self.price.setVisible(each is not None and count > 0)
        if each is None or account is None:
            return
        whole = share_of(each.measure, each.units * count)
        text = self.tr("The whole series: %n release(s) for {0} each, {1} together.", "", count)
        said = text.format(words.budget(each), words.budget(whole))
        left = account.left
        if left.measure == whole.measure and left.units < whole.units:
            short = self.tr("Only {0} remains in the account.")
            said = f"{said} {short.format(words.budget(left))}"
        self.price.setText(said)

    def ask(self) -> None:
        every = next(key for key in RHYTHMS if key == self.every.key)
        schedule = Schedule(self.name.text.strip(), every, self.first.key or "", self._typed_count)
        ledger, study = self.session.accounts.ledger(), self.session.state.study
        self.begin(partial(begin_series, ledger, study, schedule), self._say)

    def _say(self, series: Series) -> str:
        text = self.tr("{0} is reserved for {1}. Release each one in Release, in the series.")
        return text.format(words.budget(series.reserved), series.begun.name)


def _months_around(now: datetime) -> list[tuple[str, str]]:
    """The months in which a series may begin, as a schedule and as people write them."""
    this = 12 * now.year + now.month - 1
    months = range(this - MONTHS_BEFORE, this + MONTHS_AHEAD + 1)
    firsts = (date(month // 12, 1 + month % 12, 1) for month in months)
    return [(f"{first:%Y-%m}", month_of_year(first)) for first in firsts]


def _price(study: Study) -> Share | None:
    """What each release of a study costs, whatever was answered before; none while it has faults.

    Work: as a plan's, once when the dialog opens.
    """
    try:
        return price_of(compiler.compile(study)).share
    except Refused:
        return None


class EndSeriesDialog(LedgerDialog):
    """Asks which series ends, and why."""

    sign = "calendar"

    def __init__(self, window: QWidget, session: Session, found: tuple[Series, ...]) -> None:
        title = tr("EndSeriesDialog", "End a series?")
        text = tr(
            "EndSeriesDialog",
            "You cannot continue the series later. Its reserved budget is available again; what "
            "its releases have spent stays spent.",
        )
        super().__init__(window, session, title, text, Role.DANGER)
        self._running = {str(one.sequence): one for one in found if one.remaining}
        self.series = ChoiceField(self.tr("&Series"), placeholder=self.tr("None is running"))
        self.reason = LineField(self.tr("&Why, and who decided"))
        template = self.tr("{0} in {1}: {2} of {3} released, {4} reserved")
        named = [
            (
                key,
                template.format(
                    one.begun.name,
                    one.account,
                    one.drawn,
                    one.begun.count,
                    words.budget(one.reserved),
                ),
            )
            for key, one in self._running.items()
        ]
        self.series.set_choices(named, named[0][0] if named else None)
        self.show_parts(self.series, self.reason)
        self.ok = self.add_danger(self.tr("End the series"))
        self.ok.setEnabled(bool(named))

    def ask(self) -> None:
        series = self._running.get(self.series.key or "")
        reason = typed_reason(self.reason)
        if reason is None or series is None:
            return
        given = (self.session.accounts.ledger(), series.account, series.begun.name, reason)
        self.begin(partial(end_series, *given), self._say)

    def _say(self, series: Series) -> str:
        text = self.tr("{0} is ended; {1} is available again.")
        return text.format(series.begun.name, words.budget(series.reserved))
