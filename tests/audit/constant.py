# SPDX-License-Identifier: Apache-2.0
"""Constant: a release and its bundle, with a door that answers constants, and all they leave.

Whatever reaches the outside around the door shows here, because nothing comes through it: a row
count, a hash, a clipped cell, a file's name or date, a warning, another error.

Exempt, because they stay on the custodian's machine and are nowhere exported: progress in bytes,
the sketches by which the ledger recognises people and the digests by which it recognises files
(both keyed), the ledger's secret, and what a check against the file returns. The check is run
before each release all the same: nothing else that is left behind may show what it found.
"""

from __future__ import annotations

import io
import logging
import os
import sqlite3
import warnings
from collections.abc import Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpdesk.data.inspection.file_check import check_file
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignedRelease, SignerName, StoredRelease
from dpdesk.release.record.write import json_bytes, signed_members
from dpdesk.release.run.release_run import release
from dpdesk.release.sealing.sealed_counts import OpenedCounts
from dpdesk.release.verify.verification import verify
from dpdesk.study.json.study_writer import canonical
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource
from dpdesk.study.problem import Refused
from tests.audit.tables import Rows, Style, write_table
from tests.doors import ConstantDoor, one_salt
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import record_of

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ACCOUNT = "wards"
Outcome = dict[str, Any]
"""What was left behind, by where it was left."""


@dataclass(frozen=True)
class Table:
    """A table as it lies on the disk: everything but the header and the layout is its own.

    Attributes:
        rows: its rows.
        name: the file's name.
        style: how it is written.
        time: when it was changed last.
        further: the rows of the study's further tables, by the names of their files.
    """

    rows: Rows
    name: str = "table.csv"
    style: Style = field(default_factory=Style)
    time: int = 0
    further: Mapping[str, Rows] = field(default_factory=dict)


class _Lines(logging.Handler):
    """Every log line, whatever its level."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name} {record.getMessage()}")


def outcome(
    study: Study,
    table: Table,
    folder: Path,
    total: Epsilon | None = None,
    counts: OpenedCounts | None = None,
) -> Outcome:
    """Release a study on a table twice, the second time from stored answers, and export both.

    Args:
        study: what is asked; its account is replaced.
        table: what it is asked of.
        folder: an empty folder of this release's own.
        total: what the account holds.
        counts: what a database counted, in place of the table.
    """
    source = replace(study.data or DataSource(), path=table.name, extract=table.name)
    in_rho = study.budget is not None and study.budget.measure == "rho"
    budget = Budget(ACCOUNT, rho=Rho.of(100)) if in_rho else Budget(ACCOUNT, Epsilon.of(100))
    study = replace(study, data=source, budget=budget)
    write_table(folder, table.rows, source, table.style, table.name)
    for name, rows in table.further.items():
        write_table(folder, rows, source, table.style, name)
    for name in (table.name, *table.further):
        os.utime(folder / name, (table.time, table.time))
    home, door, lines = Home.at(folder / "home"), ConstantDoor(), _Lines()
    out, err, root = io.StringIO(), io.StringIO(), logging.getLogger()
    level = root.level
    root.addHandler(lines)
    root.setLevel(logging.NOTSET)
    try:
        with one_salt(), warnings.catch_warnings(record=True) as warned, redirect_stdout(out), (
            redirect_stderr(err)
        ):  # fmt: skip
            warnings.simplefilter("always")
            shown = _released(study, folder, home, door, total, counts)
    finally:
        root.removeHandler(lines)
        root.setLevel(level)
    return {
        **shown,
        "door calls": door.calls,
        "log lines": lines.lines,
        "warnings": [str(w.message) for w in warned],
        "stdout": out.getvalue(),
        "stderr": err.getvalue(),
        **_ledger(home),
    }


def _released(
    study: Study,
    folder: Path,
    home: Home,
    door: ConstantDoor,
    total: Epsilon | None,
    counts: OpenedCounts | None,
) -> Outcome:
    ledger = Ledger.open(home, now=lambda: NOON)
    if study.budget is not None and study.budget.measure == "rho":
        ledger.new_account(ACCOUNT, Rho.of(100), delta=Delta.of("1e-9"), kept=Delta.of("5e-10"))
    else:
        ledger.new_account(ACCOUNT, total or Epsilon.of(100))
    shown: Outcome = {}
    for turn in ("first", "unasked", "again"):
        try:
            if counts is None:
                check_file(study, folder)
            done = release(
                *(study, folder, ledger, door),
                new_id=lambda: "0" * 32,
                same_extract=turn == "again",
                counts=counts,
            )
            # Files once: they say what the manifest says.
            bundle = _signed(ledger.release(done.sequence), done.chain, turn == "first")
        except Exception as error:
            shown[f"{turn} error"] = _texts_of(error)
        else:
            shown[f"{turn} record"] = canonical(record_of(done))
            shown[f"{turn} head"] = (done.sequence, done.head)
            shown[f"{turn} bundle"] = bundle
            shown[f"{turn} bundle is good"] = turn != "first" or verify(bundle, KNOWN).is_good
    return {**shown, "history": ledger.history(), "notices": ledger.notices}


def _signed(stored: StoredRelease, chain: tuple[str, ...], is_whole: bool) -> bytes:
    """A bundle, or what its manifest states."""
    if is_whole:
        return build(stored, chain, KEY)
    signer = SignerName(KEY.info.identity, KEY.info.fingerprint)
    return json_bytes(signed_members(SignedRelease(stored.record, chain, signer)))


def _texts_of(error: BaseException | None) -> list[str]:
    """An error and whatever travels with it: a traceback prints all of it."""
    texts = []
    while error is not None:
        problems = error.problems if isinstance(error, Refused) else ()
        texts.append(f"{type(error).__name__} {error} {problems} {getattr(error, '__notes__', '')}")
        error = error.__cause__ or error.__context__
    return texts


def _ledger(home: Home) -> Outcome:
    """The tables of the ledger that say what happened, and what is remembered of its chain."""
    with closing(sqlite3.connect(home.ledger)) as connection:
        entries = connection.execute("SELECT * FROM entry ORDER BY sequence").fetchall()
        answers = connection.execute("SELECT sequence, query FROM answer ORDER BY 1, 2").fetchall()
        uses = connection.execute("SELECT number, time, length(digest) FROM extract_use").fetchall()
    heads = home.heads.read_bytes()
    return {"entries": entries, "answers": answers, "extracts used": uses, "heads": heads}


def differences(first: Outcome, second: Outcome) -> list[str]:
    """Where two outcomes differ."""
    places = sorted(first.keys() | second.keys())
    return [place for place in places if first.get(place) != second.get(place)]
