# SPDX-License-Identifier: Apache-2.0
"""Amounts of budget as people type them: ASCII digits and a point, nothing else."""

from __future__ import annotations

import re
from decimal import Decimal

from dpdesk.study.amount import Epsilon
from dpdesk.study.json_reader import epsilon_problem
from dpdesk.study.problem import refuse

_AMOUNT = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,12})?", re.ASCII)
_WITH_COMMA = re.compile(r"[0-9.]*,[0-9,.]*", re.ASCII)


def parse_amount(text: str) -> Epsilon:
    """Read a typed amount such as ``0.25``.

    >>> str(parse_amount("0.250"))
    '0.25'

    Raises:
        Refused: ``amount-comma`` (``0,25``), ``amount-malformed`` (``1e-1``, ``.5``, signs,
            blanks, digits of other scripts), ``epsilon-not-positive``, ``epsilon-too-fine`` or
            ``epsilon-too-large``.
    """
    if _WITH_COMMA.fullmatch(text):
        raise refuse("amount-comma")
    if not _AMOUNT.fullmatch(text):
        raise refuse("amount-malformed")
    value = Decimal(text)
    problem = epsilon_problem(value)
    if problem:
        raise refuse(problem)
    return Epsilon.of(value)
