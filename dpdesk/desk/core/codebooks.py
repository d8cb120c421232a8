# SPDX-License-Identifier: Apache-2.0
"""A codebook for the desk: read and compared off the GUI thread, and what is ticked at first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import MappingProxyType

from dpdesk.data.codebook.beside import codebook_beside, described_columns
from dpdesk.data.codebook.change import Change
from dpdesk.data.codebook.diff import diff, offered
from dpdesk.data.codebook.entry import Codebook
from dpdesk.data.codebook.read import described_tables, read_codebook, takes_catalogue
from dpdesk.data.codebook.table_diff import diff_of_table
from dpdesk.data.files.file_formats import LABELLED
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.edits.file_place import files_of
from dpdesk.desk.core.jobs.jobs import Work
from dpdesk.desk.core.network_paths import names_a_machine
from dpdesk.study import limits
from dpdesk.study.model.columns import CodebookKind
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.problem import Refused

Header = tuple[str, ...]


@dataclass(frozen=True)
class CodebookRequest:
    """Which codebook is to be compared.

    Attributes:
        path: its file.
        table: name of one of its tables; empty for the one that describes the study's file.
        catalogue: the value labels of a SAS file.
        of: the study's table whose columns it is about; ``MAIN`` for that which queries count.
    """

    path: Path
    table: str = ""
    catalogue: Path | None = None
    of: str = MAIN


@dataclass(frozen=True)
class CodebookComparison:
    """A codebook against a study.

    Attributes:
        wanted: what was asked for.
        codebook: as read; ``None`` while one of several tables is still to be chosen.
        changes: what may be accepted first, each part in the codebook's order.
        tables: names of the tables of a codebook that describes several.
        table: the one that was compared.
        takes_catalogue: whether value labels may stand in another file.
    """

    wanted: CodebookRequest
    codebook: Codebook | None = None
    changes: tuple[Change, ...] = ()
    tables: tuple[str, ...] = ()
    table: str = ""
    takes_catalogue: bool = False


@dataclass(frozen=True)
class OfferedCodebook:
    """A codebook that nobody asked for: it is beside the study's file, or in it.

    Attributes:
        wanted: what is read where it is reviewed.
        kind: its format.
        described: the file's columns that it would declare.
        is_inside: whether it is the labels of the file itself.
    """

    wanted: CodebookRequest
    kind: CodebookKind
    described: tuple[str, ...]
    is_inside: bool = False

    def is_news(self, study: Study) -> bool:
        """Whether it would declare a column that is not, and nothing of it was imported yet."""
        columns = [column for column in study.columns if column.table == self.wanted.of]
        declared = {column.in_file or column.name for column in columns}
        imported = any(column.origin.codebook == self.kind for column in columns)
        return not imported and not declared.issuperset(self.described)


def looking_for_codebooks(study: Study, folder: Path, headers: Mapping[str, Header]) -> Work:
    """The work of looking for a codebook of each table, in its files and beside them.

    Its result is a list of ``OfferedCodebook``, the main table's first. No data is read.

    Args:
        headers: the columns of each table whose files were read.
    """

    def work(_progress: Progress, cancel: CancelToken) -> list[OfferedCodebook]:
        offers = (
            _offered(study, folder, table, headers[table], cancel)
            for table in (MAIN, *(one.name for one in study.tables))
            if headers.get(table)
        )
        return [offer for offer in offers if offer is not None]

    return work


def _offered(
    study: Study, folder: Path, table: str, header: Header, cancel: CancelToken
) -> OfferedCodebook | None:
    """The codebook in a table's files, else the one beside them that describes most."""
    own, fields = own_labels(study, folder, table), _fields(study, table, header)
    if own is not None:
        inside = _own_codebook(own, fields, cancel)
        if inside is not None:
            return inside
    paths = _one_of_each_folder(study, folder, table)
    found = [codebook_beside(path, fields, cancel, table) for path in paths]
    beside = max(filter(None, found), key=lambda one: len(one.described), default=None)
    if beside is None:
        return None
    return OfferedCodebook(CodebookRequest(beside.path, of=table), beside.kind, beside.described)


def _fields(study: Study, table: str, header: Header) -> Header:
    """The columns that a codebook is found by; ids occur in every table, and tell none apart."""
    further = study.table(table)
    ids = () if further is None else (further.person, further.case)
    return tuple(name for name in header if name not in ids)


def _one_of_each_folder(study: Study, folder: Path, table: str) -> Iterator[Path]:
    """The first file of a table in each folder; none on a computer that nobody connected to."""
    seen = set[Path]()
    for _place, file in files_of(study, table):
        path = folder / file.path
        if path.parent not in seen and not (seen and names_a_machine(file.path)):
            seen.add(path.parent)
            yield path


def _own_codebook(
    own: CodebookRequest, header: tuple[str, ...], cancel: CancelToken
) -> OfferedCodebook | None:
    try:
        codebook = read_codebook(own.path, catalogue=own.catalogue, cancel=cancel)
    except Refused:
        return None
    described = described_columns(codebook, header)
    return OfferedCodebook(own, codebook.kind, described, is_inside=True) if described else None


def comparing(
    wanted: CodebookRequest,
    study: Study,
    header: tuple[str, ...],
    further: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> Work:
    """The work of comparing; its result is a ``CodebookComparison``. The data file is not opened.

    Args:
        wanted: which codebook.
        study: what is declared.
        header: the names of the table's columns; while they are unknown, every variable counts as
            being in its files.
        further: what columns of further tables are called, each with its table and its header.
    """

    def work(_progress: Progress, cancel: CancelToken) -> CodebookComparison:
        likely = (wanted.table or _file_name(study, wanted.of),)
        tables = described_tables(wanted.path)
        table = next((names[0] for names in tables if likely[0] in names), "")
        if len(tables) > 1 and not table:
            return CodebookComparison(wanted, tables=tuple(names[0] for names in tables))
        codebook = read_codebook(wanted.path, likely, wanted.catalogue, cancel)
        cancel.check()
        about = study.table(wanted.of)
        if about is None:
            changes = diff(study, codebook, header or None)
        else:
            names = {head: name for name, (of, head) in further.items() if of == about.name}
            changes = diff_of_table(study, about, codebook, header or None, names)
        return CodebookComparison(
            wanted,
            codebook,
            (*(c for c in changes if c.is_offered), *(c for c in changes if not c.is_offered)),
            tuple(names[0] for names in tables) if len(tables) > 1 else (),
            table,
            takes_catalogue(wanted.path),
        )

    return work


def _file_name(study: Study, table: str) -> str:
    """A table's likeliest name: that of its first file."""
    data = study.data_of(table)
    return PurePath(data.path.replace("\\", "/")).name if data is not None else ""


def first_ticks(study: Study, changes: Iterable[Change]) -> frozenset[str]:
    """What is ticked before anybody chose: what is new and names nobody.

    A declaration that is there is replaced only where somebody says so. Where not all that is new
    fits into a study, there is nothing to prefer some of it by, and nothing is ticked.
    """
    new = frozenset(c.name for c in offered(changes) if c.state == "new")
    return new if len(new) + len(study.columns) <= limits.MAX_COLUMNS else frozenset()


def own_labels(study: Study, folder: Path, table: str = MAIN) -> CodebookRequest | None:
    """The labels inside a table's first file, where its format has any."""
    data = study.data_of(table)
    if data is None or not data.path or data.format not in LABELLED:
        return None
    catalogue = folder / data.catalogue if data.catalogue else None
    return CodebookRequest(folder / data.path, catalogue=catalogue, of=table)


def wanted_file(study: Study, folder: Path, path: Path, of: str = MAIN) -> CodebookRequest:
    """A chosen file for a table's columns; of the table's own SAS file, with its catalogue."""
    own = own_labels(study, folder, of)
    if own is not None and own.path.resolve() == path.resolve():
        return CodebookRequest(path, catalogue=own.catalogue, of=of)
    return CodebookRequest(path, of=of)
