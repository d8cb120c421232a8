# SPDX-License-Identifier: Apache-2.0
"""Neighbouring files of which the program recognises different things.

How a file is read is proposed by looking at it, rows and all. So one person's row can change what
is proposed: a letter that is no UTF-8, the only numbers with a comma, something on another sheet.
Whoever takes the proposals publishes the same bytes whether that person is in the file or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.files.file_warnings import find_warnings
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import release
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.constant import ACCOUNT, NOON
from tests.data.workbooks import write_workbook
from tests.doors import ConstantDoor, one_salt
from tests.release.bundles import KEY

SHARE = Epsilon.of("0.1")
STUDY = Study(
    title="Stays",
    unit=Unit("id", max_rows=2),
    budget=Budget(ACCOUNT, Epsilon.of(1)),
    queries=(Query("people", "count-people", epsilon=SHARE), Query("rows", "count", epsilon=SHARE)),
)
HEADER = b"id;days;note\n"
ROWS = b"1;4;well\n2;6;well\n"


@dataclass(frozen=True)
class Neighbours:
    """Two files, one of which holds one person's rows more.

    Attributes:
        name: what the person's rows change.
        suffix: how the files are called.
        write: writes a file, with the person or without.
    """

    name: str
    suffix: str
    write: Callable[[Path, bool], None]


def _text(more: bytes) -> Callable[[Path, bool], None]:
    def write(path: Path, has_person: bool) -> None:
        path.write_bytes(HEADER + ROWS + more * has_person)

    return write


def _sheets(path: Path, has_person: bool) -> None:
    table = [["id", "days", "note"], [1, 4, "well"], [2, 6, "well"]]
    later = [["id", "days", "note"], [3, 5, "well"]] if has_person else []
    write_workbook(path, {"Early": table, "Late": later})


def _comma(path: Path, has_person: bool) -> None:
    table = [["id", "days", "note"], [1, 4, "well"], [2, 6, "well"]]
    write_workbook(path, {"Stays": [*table, *([[3, "1,5", "well"]] * has_person)]})


NEIGHBOURS = (
    Neighbours("encoding", ".csv", _text("3;5;müde\n".encode("cp1252"))),
    Neighbours("decimal mark", ".csv", _text(b"3;1,5;well\n")),
    Neighbours("thousands separator", ".csv", _text(b"3;1.234,5;well\n")),
    Neighbours("the only sheet that is filled", ".xlsx", _sheets),
    Neighbours("decimal mark of a workbook's texts", ".xlsx", _comma),
)


def taken(path: Path) -> DataSource:
    """How a file is read by somebody who takes every proposal, and chooses nothing else."""
    source = recognise(path)
    study = replace(STUDY, data=source)
    if source.format == "excel":
        # What stays open is the custodian's choice, by hand.
        study = study_edits.declare_reading(study, sheet=source.sheet or "Late", header_row=1)
    marks = find_warnings(study.data or source, path.parent)(no_progress, CancelToken()).marks
    for found in marks[:1]:
        study = study_edits.confirm_reading(study, decimal=found.decimal, thousands=found.thousands)
    if study.data is None:
        raise ValueError("the study has its data")
    return study.data


def published(source: DataSource, folder: Path) -> bytes:
    """The bundle of a release, with a door that answers constants."""
    ledger = Ledger.open(Home.at(folder / "home"), now=lambda: NOON)
    ledger.new_account(ACCOUNT, Epsilon.of(1))
    study = replace(STUDY, data=replace(source, extract="stays"))
    done = release(study, folder, ledger, ConstantDoor(), new_id=lambda: "0" * 32)
    return build(ledger.release(done.sequence), done.chain, KEY)


def findings_of(pair: Neighbours, folder: Path) -> Iterator[str]:
    """What tells the bundles of two neighbouring files apart."""
    bundles, sources = [], []
    for has_person in (False, True):
        place = folder / f"{pair.name} {has_person}"
        place.mkdir()
        path = place / f"stays{pair.suffix}"
        pair.write(path, has_person)
        source = taken(path)
        sources.append(replace(recognise(path), path="", decimal=source.decimal))
        with one_salt():
            bundles.append(published(source, place))
    if sources[0] == sources[1]:
        yield f"{pair.name}: nothing else is recognised"
    if bundles[0] != bundles[1]:
        yield f"{pair.name}: one person's row shows in the bundle"
