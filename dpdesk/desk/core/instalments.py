# SPDX-License-Identifier: Apache-2.0
"""Which planned series reserved the budget that the open study asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpdesk.desk.core.state import DeskState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dpdesk.release.ledger import AccountState
    from dpdesk.release.ledger.decisions.series import Series


def running_series(states: Iterable[AccountState], state: DeskState) -> tuple[Series, ...]:
    """The series of the study's account that have releases left."""
    name = state.account.name if state.account is not None else ""
    own = (account for account in states if account.name == name)
    return tuple(one for account in own for one in account.series if one.remaining)


def matching_series(states: Iterable[AccountState], state: DeskState) -> Series | None:
    """The running series that asks what the study asks, at its price; none while it has faults.

    That the account has too little left beside the series is no fault: the series has it.
    """
    found = running_series(states, state)
    if not found or state.checked or not state.plans:
        return None
    # Loaded here: a window without a series is shown before there is a plan.
    from dpdesk.release.ledger.spending.instalments import price_together

    price = price_together(state.plans.values(), state.planned.measure)
    return next((one for one in found if one.begun.questions == price.questions), None)
