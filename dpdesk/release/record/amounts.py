# SPDX-License-Identifier: Apache-2.0
"""Amounts of budget as people type them: ASCII digits and a point; a delta also as ``1e-9``."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypeVar

from dpdesk.study.json.json_reader import share_problem
from dpdesk.study.model.amount import MAX_DELTA_ATTO, NO_DELTA, AccountDelta, Amount, Delta
from dpdesk.study.problem import Problem, Refused, refuse

DEFAULT_DELTA = Delta(10**9)
"""One in a thousand million: the delta of an account in rho unless the custodian sets another.

It is a policy and comes from no data: one that followed the number of people would show it.
"""

S = TypeVar("S", bound=Amount)

_AMOUNT = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,12})?", re.ASCII)
_DELTA = re.compile(r"[0-9](?:\.[0-9]{1,30}|(?:\.[0-9]{1,9})?e-[0-9]{1,2})?", re.ASCII)
_WITH_COMMA = re.compile(r"[0-9.]*,[0-9,.]*(?:e-[0-9]*)?", re.ASCII)


def parse_share(kind: type[S], text: str) -> S:
    """Read a typed amount of budget such as ``0.25``.

    >>> from dpdesk.study.model.amount import Epsilon, Rho
    >>> str(parse_share(Epsilon, "0.250")), parse_share(Rho, "0.05").nano
    ('0.25', 50000000)

    Raises:
        Refused: ``amount-comma`` (``0,25``), ``amount-malformed`` (``1e-1``, ``.5``, signs,
            blanks, digits of other scripts), ``epsilon-not-positive``, ``epsilon-too-large``,
            ``epsilon-too-fine`` or ``rho-too-fine``.
    """
    value = _read(_AMOUNT, text, "amount-malformed")
    _refuse(share_problem(kind, value))
    return kind.of(value)


def parse_delta(text: str) -> Delta:
    """Read a typed delta such as ``1e-9`` or ``0.000000001``.

    >>> parse_delta("1e-9") == parse_delta("0.000000001") == DEFAULT_DELTA
    True

    Raises:
        Refused: ``amount-comma``, ``delta-malformed``, ``delta-not-positive``, ``delta-too-fine``
            or ``delta-too-large``.
    """
    value = _read(_DELTA, text, "delta-malformed")
    if value * 10**18 % 1:
        raise refuse("delta-too-fine")
    result = Delta.of(f"{value:f}")
    _refuse(delta_problem(result))
    return result


def delta_text(delta: Delta) -> str:
    """A delta as people write it.

    >>> [delta_text(Delta(atto)) for atto in (10**9, 5 * 10**8, 0)]
    ['1e-9', '5e-10', '0']
    """
    return f"{delta.as_decimal().normalize():e}" if delta.atto else "0"


def delta_problem(delta: Delta) -> str | None:
    """The code of what is wrong with the delta of an account in rho, or ``None``."""
    if not delta.atto:
        return "delta-not-positive"
    if delta.atto > MAX_DELTA_ATTO:
        return "delta-too-large"
    return None


def kept_problem(whole: Delta, kept: Delta) -> Problem | None:
    """``kept-too-large`` (param delta) where nothing of a delta would be left to convert."""
    if kept.atto and kept >= whole:
        return Problem("$.delta_kept", "kept-too-large", {"delta": delta_text(whole)})
    return None


def parse_kept(text: str) -> Delta:
    """Read the part of a delta for found categories: nothing, or as :func:`parse_delta`.

    >>> parse_kept("0"), parse_kept("5e-10")
    (Delta(units=0), Delta(units=500000000))

    Raises:
        Refused: as :func:`parse_delta`.
    """
    return NO_DELTA if text == "0" else parse_delta(text)


def found_problem(
    name: str, delta: AccountDelta, left: Delta, requested: Delta, path: str = "$.budget.account"
) -> Problem | None:
    """Why an account cannot pay for found categories: ``found-none-kept`` (param name) or
    ``delta-exceeded`` (name, requested, left); ``None`` where it can.

    Args:
        name: the account.
        delta: its delta.
        left: what of the part for found categories is neither spent nor reserved.
        requested: what they cost of it.
        path: where to say it.
    """
    if requested <= left:
        return None
    if not delta.kept.atto:
        return Problem(path, "found-none-kept", {"name": name})
    amounts = {"requested": delta_text(requested), "left": delta_text(left)}
    return Problem(path, "delta-exceeded", {"name": name, **amounts})


def neighbours_problem(name: str, held: str, neighbours: str) -> Problem | None:
    """Why an account cannot pay for losses between neighbours of a kind: ``account-people-secret``
    or ``account-people-public`` (param name); ``None`` where it can.

    Args:
        name: the account.
        held: of which kind its losses are so far; empty for none.
        neighbours: those of the study.
    """
    if held in ("", neighbours):
        return None
    code = "account-people-secret" if held == "add-remove" else "account-people-public"
    return Problem("$.unit.neighbours", code, {"name": name})


def _read(form: re.Pattern[str], text: str, otherwise: str) -> Decimal:
    if _WITH_COMMA.fullmatch(text):
        raise refuse("amount-comma")
    if not form.fullmatch(text):
        raise refuse(otherwise)
    return Decimal(text)


def _refuse(code: str | None) -> None:
    if code:
        raise Refused([Problem("$", code)])
