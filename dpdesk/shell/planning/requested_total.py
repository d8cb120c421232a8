# SPDX-License-Identifier: Apache-2.0
"""The total that a command asks for: in pure epsilon, in rho, or in rho by what it means."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.privacy.accounting.conversion import account_rho
from dpdesk.release.record.amounts import (
    DEFAULT_DELTA,
    kept_problem,
    parse_delta,
    parse_kept,
    parse_share,
)
from dpdesk.study.model.amount import NO_DELTA, AccountDelta, Delta, Epsilon, Rho, Share
from dpdesk.study.problem import Refused


@dataclass(frozen=True)
class RequestedTotal:
    """A total as typed; either ``epsilon`` or ``rho`` is given.

    Attributes:
        zcdp: find the rho that stays within ``epsilon``.
        delta: the account's delta.
        found: the part of it for found categories.
    """

    epsilon: str | None = None
    rho: str | None = None
    zcdp: bool = False
    delta: str | None = None
    found: str | None = None

    @property
    def measure(self) -> str:
        return "rho" if self.zcdp or self.rho is not None else "epsilon"

    @property
    def found_delta(self) -> Delta | None:
        """The part of delta for found categories, where it is given.

        Raises:
            Refused: what is wrong with it.
        """
        return None if self.found is None else parse_kept(self.found)

    @property
    def has_total(self) -> bool:
        return self.rho is not None or self.epsilon is not None

    def of_new_account(self) -> tuple[Share, AccountDelta]:
        """Total and delta of an account to be opened.

        Raises:
            Refused: what is wrong with the amounts; ``rho-unreachable``.
        """
        whole = DEFAULT_DELTA if self.measure == "rho" else NO_DELTA
        if self.delta is not None:
            whole = parse_delta(self.delta)
        kept = self.found_delta or NO_DELTA
        if self.measure == "rho" and (problem := kept_problem(whole, kept)):
            raise Refused([problem])
        delta = AccountDelta(whole, kept)
        return self.of(delta), delta

    def of(self, delta: AccountDelta) -> Share:
        """The total, in an account of the measure asked for that has a delta.

        Raises:
            Refused: what is wrong with the amounts; ``rho-unreachable``.
        """
        if self.rho is not None:
            return parse_share(Rho, self.rho)
        epsilon = parse_share(Epsilon, self.epsilon or "")
        return account_rho(epsilon, delta) if self.zcdp else epsilon
