# SPDX-License-Identifier: Apache-2.0
"""The total that a command asks for: in pure epsilon, in rho, or in rho by what it means."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.privacy.accounting.conversion import account_rho
from dpdesk.release.record.amounts import DEFAULT_DELTA, parse_delta, parse_share
from dpdesk.study.model.amount import NO_DELTA, Delta, Epsilon, Rho, Share


@dataclass(frozen=True)
class RequestedTotal:
    """A total as typed; either ``epsilon`` or ``rho`` is given.

    Attributes:
        zcdp: find the rho that stays within ``epsilon``.
    """

    epsilon: str | None = None
    rho: str | None = None
    zcdp: bool = False
    delta: str | None = None

    @property
    def measure(self) -> str:
        return "rho" if self.zcdp or self.rho is not None else "epsilon"

    def of_new_account(self) -> tuple[Share, Delta]:
        """Total and delta of an account to be opened.

        Raises:
            Refused: what is wrong with the amounts; ``rho-unreachable``.
        """
        delta = DEFAULT_DELTA if self.measure == "rho" else NO_DELTA
        if self.delta is not None:
            delta = parse_delta(self.delta)
        return self.of(delta), delta

    def of(self, delta: Delta) -> Share:
        """The total, in an account of the measure asked for that has a delta.

        Raises:
            Refused: what is wrong with the amounts; ``rho-unreachable``.
        """
        if self.rho is not None:
            return parse_share(Rho, self.rho)
        epsilon = parse_share(Epsilon, self.epsilon or "")
        return account_rho(epsilon, delta) if self.zcdp else epsilon
