# SPDX-License-Identifier: Apache-2.0
"""From an order to what goes through the noise door: made, sealed, opened and measured for real."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from dpdesk.engine.runner import Binding, run_order
from dpdesk.engine.spark import database_of
from dpdesk.privacy import compiler
from dpdesk.release.run.drawing import draw_query
from dpdesk.release.sealing.order_file import read_order, write_order
from dpdesk.release.sealing.sealed_counts import OpenedCounts, open_counts
from dpdesk.study.model.document import Study
from tests.doors import Call, RecordingDoor

TODAY = date(2026, 11, 21)
_NUMBER = 32 * "0"
_KEY = X25519PrivateKey.generate()


@dataclass(frozen=True)
class CountedOrder:
    """An order that was carried out.

    Attributes:
        sealed: the sealed file.
        opened: what is in it.
    """

    sealed: bytes
    opened: OpenedCounts


def carried_out(study: Study, backend: Any, binding: Binding) -> CountedOrder:
    """What a database counts, after it was sealed to an order and opened again."""
    public = _KEY.public_key().public_bytes_raw()
    made = write_order(study, _NUMBER, public, f"{TODAY.isoformat()}T12:00Z", TODAY)
    order = read_order(made.raw)
    sealed = run_order(order, database_of(backend), binding, TODAY)
    plan = compiler.compile(order.study)
    opened = open_counts(sealed, order, _KEY.private_bytes_raw(), plan, None)
    return CountedOrder(sealed, opened)


def calls_of(study: Study, backend: Any, binding: Binding) -> list[Call]:
    """What goes through the noise door for a study that a database counts."""
    door, opened = RecordingDoor(), carried_out(study, backend, binding).opened
    for query in compiler.compile(study).queries:
        draw_query(study, query, opened, door)
    return door.calls
