# SPDX-License-Identifier: Apache-2.0
"""``dpdesk order``: what is to be counted next to a database, as one public file. Opens no data."""

from __future__ import annotations

from pathlib import Path

from dpdesk.release.places.home import Home
from dpdesk.release.sealing.waiting_orders import make_order
from dpdesk.shell.new_file import refuse_taken
from dpdesk.shell.output import DONE, print_json, say
from dpdesk.study import limits
from dpdesk.study.json.study_files import load_study, write_whole
from dpdesk.study.problem import refuse

ENDING = ".order.json"


def run(path: Path, out: Path | None, days: int, home: Home, as_json: bool) -> int:
    """Write an order, and keep the key that opens what is sealed to it.

    Raises:
        Refused: the study cannot be read, or ordered (``make_order``); ``order-days``;
            ``output-exists`` or ``handed-unwritable`` (param name).
    """
    if not 1 <= days <= limits.MAX_ORDER_DAYS:
        raise refuse("order-days", most=str(limits.MAX_ORDER_DAYS))
    study = load_study(path).study
    target = out or path.with_name(path.stem + ENDING)
    refuse_taken(target)
    order = make_order(study, home, days)
    try:
        write_whole(target, order.raw, handed_out=True)
    except OSError:
        raise refuse("handed-unwritable", name=target.name) from None
    if as_json:
        day, digest = order.until.isoformat(), order.digest.hex()
        print_json({"order": str(target), "number": order.number, "until": day, "sha256": digest})
        return DONE
    print(say("Order: {path}", path=target))
    print(say("Next to the database: dpdesk-engine run {name} --on duckdb:FILE", name=target.name))
    print(
        say(
            "Tell whoever runs it by phone, not with the order: its SHA-256 begins with {code}.",
            code=order.code,
        )
    )
    print(say("It can be carried out until {day}.", day=order.until.isoformat()))
    return DONE
