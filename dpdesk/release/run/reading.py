# SPDX-License-Identifier: Apache-2.0
"""The data of a release: read once and sealed, its people sketched and its bytes digested."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable, check_public_count
from dpdesk.data.files.file_digest import DigestBeside
from dpdesk.data.people.sketch import SKETCH_SIZE, sketch
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.fingerprints import DataKeys, Sketch
from dpdesk.release.sealing.sealed_counts import OpenedCounts
from dpdesk.study.model.document import Study
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class SealedData:
    """What is known of the data; nothing of it leaves but through the door and keyed.

    Attributes:
        table: the rows, or what a database counted of them.
        sketch: keyed marks of some of its people, by which the ledger knows them again; empty
            where too few rows would mark any people.
        digest: keyed, of the bytes of all files, or of the order that the counts are of.
    """

    table: EncodedTable | OpenedCounts
    sketch: Sketch
    digest: bytes

    @property
    def counted_by(self) -> str:
        """The database that counted, where one did."""
        return self.table.engine if isinstance(self.table, OpenedCounts) else ""


def read_data(
    study: Study, folder: Path, ledger: Ledger, progress: Progress, cancel: CancelToken
) -> SealedData:
    """Read a study's data.

    Args:
        study: a complete study.
        ledger: whose keys are used.
        progress: gets the bytes read and the bytes in all.
        cancel: honoured until the end.

    Raises:
        Refused: ``data-in-database``; what the data's reading refuses, or ``data-file-changed``,
            where another program wrote a file meanwhile: some rows are of one state of it and
            some of another, or none of its end.
        Cancelled: ``cancel`` was raised.
    """
    refuse_in_database(study)
    keys = ledger.data_keys()
    paths = [folder / source.path for source in study.sources]
    with DigestBeside(paths, keys.digest) as beside:
        table = encode(study, folder, progress, cancel, key=keys.ids)
        # The folder says so, and no byte of a file: whether there is a release is not up to it.
        if not beside.is_unchanged:
            raise refuse("data-file-changed", "$.data.path")
        check_public_count(table, study)
        cancel.check()
        people = _marks(table, study, keys)
        digest = beside.result(cancel)
    return SealedData(table, people, digest)


def refuse_in_database(study: Study) -> None:
    """Refuse to read files of a study whose rows are in a database.

    Raises:
        Refused: ``data-in-database``.
    """
    if study.data is not None and study.data.in_database:
        raise refuse("data-in-database", "$.data")


def counted_data(counts: OpenedCounts, ledger: Ledger) -> SealedData:
    """The data of a release whose counts came sealed: nothing recognises its people.

    Their order takes the place of a file's bytes, so that it is used once.
    """
    digest = hmac.digest(ledger.digest_key(), counts.order.encode("ascii"), "sha256")
    return SealedData(counts, (), digest)


def read_people(
    study: Study, folder: Path, ledger: Ledger, progress: Progress, cancel: CancelToken
) -> Sketch:
    """The marks of a study's people, and no more of its data; see :func:`read_data`.

    Raises:
        Refused: what the data's reading refuses.
        Cancelled: ``cancel`` was raised.
    """
    keys, read = ledger.data_keys(), replace(study, queries=())
    if study.unit is not None and study.unit.person is not None:
        read = replace(read, columns=())
    return _marks(encode(read, folder, progress, cancel, key=keys.ids), study, keys)


def _marks(table: EncodedTable, study: Study, keys: DataKeys) -> Sketch:
    people = sketch(table, keys.sketch)
    by_person = study.unit is not None and study.unit.person is not None
    # A few distinct rows recur among any people: rows recognise data only where they are many.
    return people if by_person or len(people) == SKETCH_SIZE else ()
