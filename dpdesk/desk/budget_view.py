# SPDX-License-Identifier: Apache-2.0
"""What the budget panel shows of a state: amounts, their meaning, shares."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.core import words
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.widgets.gauge import GaugeParts
from dpdesk.desk.widgets.gauge_panel import BudgetPanel, PanelText, Share
from dpdesk.study.amount import Epsilon


def show(
    panel: BudgetPanel, state: DeskState, selected: str = "", released: Epsilon | None = None
) -> None:
    """Render a state in the panel.

    Args:
        panel: the panel.
        state: the state.
        selected: id of the query that is open.
        released: what the release on show has spent; the plan is then not counted again.
    """
    account = state.account
    if account is None:
        text = QCoreApplication.translate(
            "BudgetView",
            "<b>Which account pays is set in People</b><br>A budget account belongs to the data, "
            "not to this study. Every release from the same data is paid from the same account.",
        )
        panel.show_budget(GaugeParts(), PanelText(odds=text), ())
        return
    planned = 0 if released is not None else state.planned.micro
    by_this = released.micro if released is not None else 0
    parts = GaugeParts(account.total.micro, account.spent.micro - by_this, planned, by_this)
    shares = tuple(
        Share(words.query_title(state.study, q), q.epsilon.micro, q.id == selected)
        for q in state.study.queries
        if q.epsilon is not None
    )
    panel.show_budget(parts, _text(state, released), shares)


def _text(state: DeskState, released: Epsilon | None) -> PanelText:
    account = state.account
    after = account.spent if account else Epsilon(0)
    if released is None:
        after = after + state.planned
    title = QCoreApplication.translate("BudgetView", "This plan")
    if released is not None:
        title = QCoreApplication.translate("BudgetView", "This release")
    empty = QCoreApplication.translate(
        "BudgetView", "No queries yet. You add them in the step Queries."
    )
    name = account.name if account else ""
    return PanelText(name, _odds(state, after, released), title, empty, released is not None)


def _odds(state: DeskState, after: Epsilon, released: Epsilon | None) -> str:
    bound = f"<b>{words.odds(after)}</b>"
    if released is None and state.planned.micro:
        template = QCoreApplication.translate(
            "BudgetView",
            "If this plan is released, a coin-toss guess about any one person (50 in 100) can "
            "become right at most {0} times.",
        )
    elif after.micro:
        template = QCoreApplication.translate(
            "BudgetView",
            "With all releases so far, a coin-toss guess about any one person (50 in 100) can "
            "become right at most {0} times.",
        )
    else:
        return QCoreApplication.translate(
            "BudgetView", "Nothing is released yet: a guess about any one person stays a coin toss."
        )
    return template.format(bound)
