# SPDX-License-Identifier: Apache-2.0
"""Amounts of budget as people type them: ASCII digits and a point; a delta also as ``1e-9``."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TypeVar

from dpdesk.study.json.json_reader import share_problem
from dpdesk.study.model.amount import MAX_DELTA_ATTO, Amount, Delta
from dpdesk.study.problem import Problem, Refused, refuse

DEFAULT_DELTA = Delta(10**9)
"""One in a thousand million: the delta of an account in rho unless the custodian sets another.

It is a policy and comes from no data: one that followed the number of people would tell it.
"""

LEAST_DELTA = Delta(2)
"""Its half is the smallest delta there is."""

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
    return "delta-too-fine" if delta < LEAST_DELTA else None


def _read(form: re.Pattern[str], text: str, otherwise: str) -> Decimal:
    if _WITH_COMMA.fullmatch(text):
        raise refuse("amount-comma")
    if not form.fullmatch(text):
        raise refuse(otherwise)
    return Decimal(text)


def _refuse(code: str | None) -> None:
    if code:
        raise Refused([Problem("$", code)])
