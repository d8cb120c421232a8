# SPDX-License-Identifier: Apache-2.0
"""The order: what is to be counted beside a database, as one public file.

It holds the declarations and questions of a study, a key that can seal and not open, and the day
until which it may be carried out. No data and no secret is in it: neither the extract's name nor
the folder of a file. Which account pays, and how much the study may spend, counts nothing, and is
not in it; in which measure shares are is, for a plan needs it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from dpdesk.release.record.write import json_bytes
from dpdesk.study.json.strict_json import JsonRules, Members, parse_json
from dpdesk.study.json.study_reader import study_from_members
from dpdesk.study.json.study_writer import study_to_bytes, study_to_members
from dpdesk.study.limits import MAX_STUDY_BYTES
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource
from dpdesk.study.problem import refuse

FORMAT: Final = "dpdesk-order"
VERSION: Final = 1
MAX_ORDER_BYTES: Final = 4 * MAX_STUDY_BYTES
"""A study's letters may each take six bytes in an order, which is ASCII."""

_ACCOUNT: Final = "any"

CODE_DIGITS: Final = 20
"""Of an order's SHA-256, read out by phone: 80 bits, which another order has to meet."""

_NUMBER = re.compile(r"[0-9a-f]{32}")
_KEY = re.compile(r"[0-9a-f]{64}")
_DAY = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")
_TIME = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]Z")
_RULES = JsonRules(size=MAX_ORDER_BYTES)


@dataclass(frozen=True)
class CountingOrder:
    """An order.

    Attributes:
        study: what is declared and asked, as :func:`public_study` leaves it.
        number: 32 random hex digits, one for each order.
        key: the X25519 public key that the counts are sealed to, 32 bytes.
        made: the minute it was made, such as ``2026-11-21T14:32Z``.
        until: the last day on which its counts are made and used.
        raw: its bytes.
    """

    study: Study
    number: str
    key: bytes
    made: str
    until: date
    raw: bytes

    @property
    def digest(self) -> bytes:
        """SHA-256 of the order's bytes: what is sealed says which order it is of."""
        return hashlib.sha256(self.raw).digest()

    @property
    def code(self) -> str:
        """What the custodian reads out by phone, such as ``4f1a 22b0 91c3 07de 55aa``.

        An order that was swapped on its way is sealed to another key: its counts would be read by
        the one who swapped it, and no later check would call them back.
        """
        digits = self.digest.hex()[:CODE_DIGITS]
        return " ".join(digits[at : at + 4] for at in range(0, CODE_DIGITS, 4))

    def refuse_other(self, stated: str) -> None:
        """Refuse to be another order than the custodian's.

        Args:
            stated: the code, or more digits of the SHA-256, in whatever groups.

        Raises:
            Refused: ``order-code-short`` (param digits), ``order-code-differs``.
        """
        digits = "".join(stated.split()).lower()
        if len(digits) < CODE_DIGITS:
            raise refuse("order-code-short", digits=str(CODE_DIGITS))
        if not self.digest.hex().startswith(digits):
            raise refuse("order-code-differs")

    def refuse_past(self, today: date) -> None:
        """Refuse an order after its last day.

        Raises:
            Refused: ``order-past`` (param day).
        """
        if today > self.until:
            raise refuse("order-past", day=self.until.isoformat())


def public_study(study: Study) -> Study:
    """A study without what is for the custodian's eyes: extract, folders, account and limit."""
    tables = tuple(replace(one, data=_public(one.data)) for one in study.tables)
    data = None if study.data is None else _public(study.data)
    budget = Budget(_ACCOUNT, epsilon=Epsilon.of(1))
    if study.budget is not None and study.budget.measure == "rho":
        budget = Budget(_ACCOUNT, rho=Rho.of(1))
    return replace(study, data=data, tables=tables, budget=budget)


def _public(data: DataSource) -> DataSource:
    """What a database needs; how a file is laid out may have been recognised by somebody's row."""
    name = re.split(r"[/\\]", data.path)[-1]
    return DataSource(
        name,
        "parquet",
        data.missing,
        decimal=data.decimal,
        thousands=data.thousands,
        fill_down=data.fill_down,
        label=data.label,
        more=tuple(map(_public, data.more)),
    )


def is_of(order: CountingOrder, study: Study) -> bool:
    """Whether an order is of a study as it is now, declarations and questions alike."""
    return study_to_bytes(order.study) == study_to_bytes(public_study(study))


def write_order(study: Study, number: str, key: bytes, made: str, until: date) -> CountingOrder:
    """The order of a complete study; the other arguments are those of :class:`CountingOrder`."""
    public = public_study(study)
    members: Members = {
        "format": FORMAT,
        "version": VERSION,
        "number": number,
        "key": key.hex(),
        "made": made,
        "until": until.isoformat(),
        "study": study_to_members(public),
    }
    return CountingOrder(public, number, key, made, until, json_bytes(members))


def read_order(raw: bytes) -> CountingOrder:
    """Read an order, which anybody may have written.

    Raises:
        Refused: ``order-malformed``; ``order-version-unknown``, of a later dpdesk; what a study
            file is refused for.
    """
    members = parse_json(raw, _RULES)
    if not isinstance(members, dict) or members.get("format") != FORMAT:
        raise refuse("order-malformed")
    if members.get("version") != VERSION:
        raise refuse("order-version-unknown")
    if members.keys() != {"format", "version", "number", "key", "made", "until", "study"}:
        raise refuse("order-malformed")
    forms = {"number": _NUMBER, "key": _KEY, "made": _TIME, "until": _DAY}
    for name, form in forms.items():
        if not isinstance(members[name], str) or not form.fullmatch(members[name]):
            raise refuse("order-malformed")
    try:
        until = date.fromisoformat(members["until"])
    except ValueError:
        raise refuse("order-malformed") from None
    study = study_from_members(members["study"])
    key = bytes.fromhex(members["key"])
    try:
        X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(key))
    except ValueError:
        # Of small order: nothing could be sealed to it, after hours of counting.
        raise refuse("order-malformed") from None
    return CountingOrder(study, members["number"], key, members["made"], until, raw)
