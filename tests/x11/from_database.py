# SPDX-License-Identifier: Apache-2.0
"""From the names of a table's columns to a verified bundle, by two people on two accounts.

The custodian has no data: only a file whose one line names the columns. A colleague may log in to
the database, and may not enter the custodian's home.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from tests.x11.first_hour import (
    SAMPLE,
    Look,
    columns,
    export_and_verify,
    people,
    queries,
    release,
)
from tests.x11.hands import Hands

TABLE = "admissions"

Colleague = Callable[[Path], tuple[Path, str]]
"""Runs an order, and gives the sealed file and the SHA-256 that the runner printed."""


def sample_rows() -> pa.Table:
    """The sample hospital's file as a table of texts."""
    with SAMPLE.data.open(newline="", encoding="utf-8") as stream:
        header, *lines = csv.reader(stream)
    return pa.table(dict(zip(header, map(list, zip(*lines, strict=True)), strict=True)))


def header_alone(folder: Path) -> Path:
    """A file of the table's column names."""
    path = folder / f"{TABLE}.csv"
    path.write_text(SAMPLE.data.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
    return path


def from_a_table_to_a_verified_bundle(
    hands: Hands, names: Path, order: Path, colleague: Colleague, bundle: Path, look: Look
) -> None:
    """Do all of it."""
    hands.press("New study from a file…")
    hands.choose_file("Choose a data file", names)
    hands.until("Continue to People", "Button")
    hands.press("In a database")
    look("1-in-a-database")
    hands.press("Continue to People")
    people(hands, lambda _name: None)
    columns(hands, replace(SAMPLE, data=names), lambda _name: None)
    queries(hands, SAMPLE)
    look("2-queries")
    hands.press("Data")
    hands.press("Save the order…")
    hands.choose_file("Save the order", order)
    look("3-order")
    sealed, digest = colleague(order)
    hands.press("Open sealed counts…")
    hands.choose_file("Open sealed counts", sealed)
    hands.desk.wait(lambda view: any(one.name == digest for one in view.controls), digest)
    look("4-opened")
    hands.press("Release")
    release(hands, look)
    export_and_verify(hands, bundle, look)
