# SPDX-License-Identifier: Apache-2.0
"""``dpdesk ledger series``: releases that recur, and what is reserved for them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.ledger.decisions.decided import Rhythm
from dpdesk.release.ledger.decisions.series import Schedule, Series
from dpdesk.release.ledger.spending.instalments import begin_series, end_series
from dpdesk.release.places.home import Home
from dpdesk.shell.account import entered, in_measure, open_ledger
from dpdesk.shell.output import DONE, print_json, print_table, say
from dpdesk.study.json.study_files import load_study

_HEADS: Final[tuple[Template, ...]] = (
    "series",
    "account",
    "every",
    "released",
    "of",
    "instalment",
    "reserved",
    "next due",
)
_RHYTHMS: Final[dict[str, Template]] = {
    "month": "month",
    "quarter": "quarter",
    "year": "year",
}


def new(home: Home, path: Path, schedule: tuple[str, Rhythm, str, int], as_json: bool) -> int:
    """Reserve a study's whole schedule."""
    name, every, first, count = schedule
    study = load_study(path).study
    first = first or datetime.now(UTC).strftime("%Y-%m")
    ledger = open_ledger(home)
    series = begin_series(ledger, study, Schedule(name, every, first, count))
    if as_json:
        print_json(series_members(series))
        return DONE
    with entered():
        left = ledger.account(series.account).left
    print(
        say(
            "Series “{name}”: {reserved} reserved for {count} releases of {one} each; the "
            "account “{account}” has {left} remaining.",
            name=name,
            count=count,
            one=in_measure(series.begun.instalment),
            reserved=in_measure(series.reserved),
            left=left,
            account=series.account,
        )
    )
    print(say("Release each with: dpdesk release STUDY --series {name}", name=name))
    return DONE


def show_all(home: Home, as_json: bool) -> int:
    found = open_ledger(home).series() if home.ledger.exists() else ()
    if as_json:
        print_json([series_members(one) for one in found])
    elif found:
        print_table([say(head) for head in _HEADS], [_row(one) for one in found], (3, 4, 5, 6))
    else:
        print(say("There are no planned series."))
    return DONE


def end(home: Home, account: str, name: str, reason: str, as_json: bool) -> int:
    ledger = open_ledger(home)
    series = end_series(ledger, account, name, reason)
    with entered():
        left = ledger.account(account).left
    if as_json:
        print_json({"freed": str(series.reserved), "left": str(left)})
        return DONE
    print(
        say(
            "Series “{name}” ended: {freed} is no longer reserved, and the account “{account}” "
            "has {left} remaining.",
            name=name,
            freed=in_measure(series.reserved),
            left=left,
            account=account,
        )
    )
    return DONE


def series_members(series: Series) -> dict[str, Any]:
    begun = series.begun
    return {
        "entry": series.sequence,
        "name": begun.name,
        "account": series.account,
        "every": begun.every,
        "first": begun.first,
        "count": begun.count,
        "instalment": str(begun.instalment),
        "delta": str(begun.delta),
        "released": series.drawn,
        "remaining": series.remaining,
        "reserved": str(series.reserved),
        "next_due": series.due or None,
        "ended": series.ended,
    }


def _row(series: Series) -> tuple[str, ...]:
    begun = series.begun
    due = say("ended") if series.ended else series.due or say("done")
    counts = (str(series.drawn), str(begun.count))
    amounts = (in_measure(begun.instalment), in_measure(series.reserved))
    return (begun.name, series.account, say(_RHYTHMS[begun.every]), *counts, *amounts, due)
