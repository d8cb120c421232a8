# SPDX-License-Identifier: Apache-2.0
"""Orders that wait for their counts: each with the key that opens them, until they are released.

They lie in the user's own home. The key is of one order and serves once: it is deleted when the
release that used its counts is in the ledger, and the ledger itself refuses the same counts again
(``uses.note_use``), whatever became of the key.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from dpdesk.privacy import compiler
from dpdesk.release.ledger.storage.clock import Clock, minute, utc_now
from dpdesk.release.places.home import Home
from dpdesk.release.record.size import refuse_too_large
from dpdesk.release.sealing.countable import refuse_uncountable
from dpdesk.release.sealing.order_file import (
    MAX_ORDER_BYTES,
    CountingOrder,
    is_of,
    read_order,
    write_order,
)
from dpdesk.release.sealing.sealed_counts import (
    MAGIC,
    MAX_SEALED_BYTES,
    OpenedCounts,
    open_counts,
    refuse_unsealable,
)
from dpdesk.release.signing.keys import write_new
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

_SECRET_END = ".secret"
_ORDER_END = ".order.json"


@dataclass(frozen=True)
class _WaitingOrder:
    order: CountingOrder
    secret: bytes


def make_order(study: Study, home: Home, days: int, now: Clock = utc_now) -> CountingOrder:
    """Make an order, and keep the key that opens its counts.

    Args:
        study: a complete study.
        days: how many days it may be carried out.

    Raises:
        Refused: what keeps the study from being compiled, or its release from being checked;
            what ``refuse_uncountable`` and ``refuse_unsealable`` refuse; ``home-unwritable``
            (param name).
    """
    plan = compiler.compile(study)
    refuse_uncountable(plan.study)
    refuse_too_large(plan.study)
    refuse_unsealable(plan)
    key, made = X25519PrivateKey.generate(), now()
    public = key.public_key().public_bytes_raw()
    until = made.date() + timedelta(days=days)
    order = write_order(study, secrets.token_hex(16), public, minute(made), until)
    try:
        home.orders.mkdir(mode=0o700, exist_ok=True)
        write_new(home.orders / (order.number + _SECRET_END), key.private_bytes_raw())
        write_new(home.orders / (order.number + _ORDER_END), order.raw)
    except OSError:
        raise refuse("home-unwritable", name=str(home.orders)) from None
    return order


def waiting_orders(home: Home) -> tuple[CountingOrder, ...]:
    """The orders of a home whose counts can still be opened, the latest first."""
    found = (waiting.order for waiting in _all_waiting(home))
    return tuple(sorted(found, key=lambda order: (order.made, order.number), reverse=True))


def opened(path: Path, study: Study, home: Home, today: date) -> OpenedCounts:
    """Open a sealed file for the release of a study; the file and its order stay as they are.

    Raises:
        Refused: ``counts-unreadable`` (param name); ``counts-malformed``;
            ``counts-of-other-order`` where no order of this home that waits is of this study as it
            is now; ``order-past``; what ``open_counts`` refuses.
    """
    sealed = _read(path)
    waiting = _waiting_for(sealed, home)
    if waiting is None or not is_of(waiting.order, study):
        raise refuse("counts-of-other-order")
    waiting.order.refuse_past(today)
    unit = study.unit or Unit()
    people = unit.people if unit.neighbours == "change-one" else None
    plan = compiler.compile(study)
    return open_counts(sealed, waiting.order, waiting.secret, plan, people)


def forget(home: Home, number: str) -> None:
    """Delete an order's key: what was sealed to it can never be opened again."""
    for end in (_SECRET_END, _ORDER_END):
        with contextlib.suppress(OSError):
            (home.orders / (number + end)).unlink()


def _read(path: Path) -> bytes:
    try:
        with open_regular(path) as stream:
            sealed = stream.read(MAX_SEALED_BYTES + 1)
    except (OSError, ValueError):
        raise refuse("counts-unreadable", name=path.name) from None
    if len(sealed) > MAX_SEALED_BYTES or not sealed.startswith(MAGIC):
        raise refuse("counts-malformed")
    return sealed


def _waiting_for(sealed: bytes, home: Home) -> _WaitingOrder | None:
    """The waiting order that a sealed file says it is of."""
    digest = sealed[len(MAGIC) :][:32]
    return next((one for one in _all_waiting(home) if one.order.digest == digest), None)


def _all_waiting(home: Home) -> Iterator[_WaitingOrder]:
    """Each order of which the key is there, too; what cannot be read is passed over."""
    for path in sorted(home.orders.glob("*" + _ORDER_END)):
        try:
            with open_regular(path) as stream:
                order = read_order(stream.read(MAX_ORDER_BYTES + 1))
            with open_regular(path.with_name(order.number + _SECRET_END)) as stream:
                secret = stream.read(33)
        except (OSError, ValueError, Refused):
            continue
        yield _WaitingOrder(order, secret)
