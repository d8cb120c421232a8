# SPDX-License-Identifier: Apache-2.0
"""What the budget panel shows of a state: amounts, their meaning, shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape

from dpdesk.desk.core.state import AccountView, DeskState
from dpdesk.desk.pages.page_list import Gauge
from dpdesk.desk.text import times, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.budget.gauge import GaugeParts
from dpdesk.desk.widgets.budget.gauge_panel import BudgetPanel, PanelText, PlanShare
from dpdesk.desk.widgets.labels.label import without_marks
from dpdesk.study.model.amount import WITHOUT_DELTA
from dpdesk.study.model.amount import Share as Budgeted
from dpdesk.study.model.baseline.expansion import questions


def show(
    panel: BudgetPanel,
    state: DeskState,
    selected: str = "",
    released: Mapping[str, Budgeted] | None = None,
    *,
    beside: Gauge = Gauge.PLAN,
) -> None:
    """Render a state in the panel.

    Args:
        panel: the panel.
        state: the state.
        selected: id of the query that is open.
        released: by id of its query, what the release on show has spent; the plan is then not
            counted again.
        beside: what it shows beside the page on show.
    """
    account = state.account
    if account is None:
        text = tr(
            "BudgetView",
            "<b>You choose the account in People</b><br>A budget account belongs to the data, not "
            "to this study. Every release from the same data is charged to the same account.",
        )
        title, _line, rest = text.partition("<br>")
        if beside is Gauge.ACCOUNT:
            title = tr("BudgetView", "You choose the account here")
        panel.show_budget(GaugeParts(), PanelText(title=without_marks(title), guess=rest), ())
        return
    measure = account.measure
    planned = 0 if released is not None else _units(state.planned, measure)
    by_this = sum(_units(paid, measure) for paid in (released or {}).values())
    spent = account.spent.units - by_this
    held = account.reserved
    amounts = (account.total.units, spent, planned, by_this)
    parts = GaugeParts(*amounts, measure, held, not account.locked)
    said = _text(state, released is not None, beside)
    shares = _shares(state, selected, released, measure)
    if beside is Gauge.RELEASES and account.releases:
        title = tr("BudgetView", "Releases")
        said, shares = replace(said, shares_title=title), _past(account)
    panel.show_budget(parts, said, shares)


def _past(account: AccountView) -> tuple[PlanShare, ...]:
    template = tr("BudgetView", "Release {0}, {1}")
    return tuple(
        PlanShare(
            template.format(one.number, times.day(one.time, brief=True)),
            one.paid.units,
            is_free=not one.paid.units,
        )
        for one in account.releases
    )


def _shares(
    state: DeskState, selected: str, released: Mapping[str, Budgeted] | None, measure: str
) -> tuple[PlanShare, ...]:
    """What each query costs, or has cost; nothing where the ledger has its answer."""
    shares = []
    # With a study alone: the first window shows before plans, numpy and the report are loaded.
    from dpdesk.desk.text.baseline import baseline_words

    for one in questions(state.study):
        if one.share is None or one.share.measure != measure:
            continue
        if released is None:
            paid, is_free = _units(state.to_pay(one), measure), state.is_free(one)
        else:
            parts = [part.id for part in state.parts_of(one) if part.id in released]
            paid = sum(_units(released[part], measure) for part in parts)
            is_free = bool(parts) and not paid
            paid = paid if parts else one.share.units
        title = baseline_words.asked_title(state.study, one)
        shares.append(PlanShare(title, 0 if is_free else paid, one.id == selected, is_free))
    return tuple(shares)


def _units(amount: Budgeted | None, measure: str) -> int:
    """An amount in the smallest parts of the account's measure; none where it is in another."""
    return amount.units if amount is not None and amount.measure == measure else 0


def _text(state: DeskState, is_released: bool, beside: Gauge) -> PanelText:
    account = state.account
    after = account.spent if account and is_released else state.spent_after
    title = tr("BudgetView", "This plan")
    if is_released:
        title = tr("BudgetView", "This release")
    empty = tr("BudgetView", "No queries yet.")
    if beside is not Gauge.QUERIES:
        empty = tr("BudgetView", "No queries yet. You add them in the step Queries.")
    name = account.name if account else ""
    return PanelText(name, _guess_sentence(state, after, is_released), title, empty, is_released)


def _locked_sentence(account: AccountView) -> str:
    """In place of what was spent so far means: nobody knows it."""
    if account.needs_reconciling and not account.needs_opening:
        return tr(
            "BudgetView",
            "<b>Locked.</b> An older copy of the ledger is in use and may lack spending. Nothing "
            "can be spent until you reconcile it in History.",
        )
    if account.needs_reconciling:
        template = tr(
            "BudgetView",
            "<b>Locked.</b> Less than {0} may remain: what was spent is not certain. Reconcile "
            "the ledger in History, then unlock the account there.",
        )
        return template.format(words.budget(account.left))
    if account.is_moved:
        return tr(
            "BudgetView",
            "<b>Moved to another computer.</b> Nothing can be spent here until you unlock the "
            "account in History.",
        )
    template = tr(
        "BudgetView",
        "<b>Locked.</b> Less than {0} may remain: what was spent is not certain. Nothing can be "
        "spent until you unlock the account in History.",
    )
    return template.format(words.budget(account.left))


def _guess_sentence(state: DeskState, after: Budgeted, is_released: bool) -> str:
    if state.account is not None and state.account.locked:
        return _locked_sentence(state.account)
    delta = state.account.delta if state.account else WITHOUT_DELTA
    # The text is markup, the name is the custodian's.
    person = escape(words.names(state.study).person)
    bound = words.guess_probability(after, delta)
    is_planned = bool(not is_released and state.planned.units)
    if not bound:
        return _unlimited(is_planned).format(person)
    if is_planned:
        template = tr(
            "BudgetView",
            "Once this plan is released, a guess about any one {1} can be right at most {0} "
            "times; a coin toss: 50 in 100.",
        )
    elif after.units:
        template = tr(
            "BudgetView",
            "After all releases so far, a guess about any one {1} can be right at most {0} times; "
            "a coin toss: 50 in 100.",
        )
    else:
        template = tr(
            "BudgetView", "Nothing is released yet: a guess about any one {1} is still a coin toss."
        )
    return template.format(f"<b>{bound}</b>", person)


def _unlimited(is_planned: bool) -> str:
    """Instead of a limit of 100 in 100 times, which would limit nothing."""
    if is_planned:
        return tr(
            "BudgetView",
            "Once this plan is released, a guess about any one {0} can be right nearly always, "
            "<b>more than 99 in 100</b> times; a coin toss: 50.",
        )
    return tr(
        "BudgetView",
        "After all releases so far, a guess about any one {0} can be right nearly always, <b>more "
        "than 99 in 100</b> times; a coin toss: 50.",
    )
