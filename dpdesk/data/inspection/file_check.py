# SPDX-License-Identifier: Apache-2.0
"""The check of a file against its study: a coarse look, local, before each release.

It reads as a release reads (the same way in, the same coders), so what it calls unreadable is what
a release would drop. What comes out is a list of findings (``finding.py``) and nothing else. It
informs: whether there is a release is a person's decision, whatever it says, and it refuses what a
release refuses. Anyone who shows it keeps it on this computer and out of study, ledger, log and
bundle.

To look for something new, add a finding's code and weight in ``finding.py``, look for it here, and
write its sentence in ``dpdesk/texts/findings.py``.
"""

from __future__ import annotations

import filecmp
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.data.arrays.parallel import prefetched
from dpdesk.data.files.batch import Load, OpenTable, Wanted
from dpdesk.data.files.csv.csv_file import CsvTable, line_of_row
from dpdesk.data.files.line_faults import LineFaults
from dpdesk.data.files.source import open_data
from dpdesk.data.files.workbook.formulas import has_uncalculated_formulas
from dpdesk.data.inspection.about import top_table, what_it_seems
from dpdesk.data.inspection.coded_values import with_codebooks
from dpdesk.data.inspection.column_tally import (
    PARSED,
    ColumnBatch,
    ColumnTally,
    has_unread_bytes,
)
from dpdesk.data.inspection.finding import Finding, are_nearly_all, how_many_faulty
from dpdesk.data.inspection.id_tally import IdBatch, IdTally
from dpdesk.data.inspection.meetings import IdCells, Meetings
from dpdesk.data.opened import (
    ColumnPlaces,
    TableFile,
    declared_header,
    files_of,
    locate_in_files,
    open_file,
    refuse_same_file,
)
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.data.table_rows import wanted_columns
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.text_folding import lists_texts
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused


def check_file(
    study: Study,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> tuple[Finding, ...]:
    """Look whether the files are as their study says: of each the file itself, ids, columns.

    Args:
        study: what is declared; its bounds and periods need not be complete.
        progress: gets the bytes read and the bytes in all, of one file after the other.

    Raises:
        Refused: a file or its header does not fit the study; see ``opened``.
        Cancelled: ``cancel`` was raised.
    """
    cancel, files = cancel or CancelToken(), files_of(study)
    meetings, found = Meetings(study), list[Finding]()
    for name in dict.fromkeys(file.table for file in files):
        table = [file for file in files if file.table == name]
        refuse_same_file(table, folder)
        places = _places(study, table, folder, cancel)
        for at, (file, where) in enumerate(zip(table, places, strict=True)):
            look = _Look(study, file, meetings)
            said = [*_looked_at(look, folder, where, progress, cancel)]
            said += _beside_others(study, table[: at + 1], where, folder)
            found += (replace(one, table=file.table, file=file.number) for one in said)
    return (*found, *meetings.findings())


def _places(
    study: Study, files: Sequence[TableFile], folder: Path, cancel: CancelToken
) -> Sequence[ColumnPlaces | None]:
    """Where the columns are in each of a table's files; of an only one that is seen later."""
    if len(files) == 1:
        return [None]
    headers = []
    for file in files:
        with open_file(file, folder, cancel=cancel) as table:
            headers.append(declared_header(study, file.table, file.source, table.header))
    return locate_in_files(study, files[0].table, headers)


def _beside_others(
    study: Study, files: Sequence[TableFile], places: ColumnPlaces | None, folder: Path
) -> Iterator[Finding]:
    """What is said of the last one of some files of a table beside the others."""
    if places is None:
        return
    *others, file = (folder / one.source.path for one in files)
    if any(_has_same_bytes(file, other) for other in others):
        yield Finding("file-copied")
    for column, place in zip(study.read_from(files[0].table), places.columns, strict=True):
        if place is None and column.name in study.used_names:
            yield Finding("column-absent", column=column.name)


def _has_same_bytes(one: Path, other: Path) -> bool:
    """Whether two files hold the same; two sheets are of one file, which is no copy of itself."""
    try:
        return not one.samefile(other) and filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False


def _looked_at(
    look: _Look, folder: Path, places: ColumnPlaces | None, progress: Progress, cancel: CancelToken
) -> Iterator[Finding]:
    """What is found in one file."""
    study, file = look.study, look.file
    data = file.source
    with open_file(file, folder, progress, cancel) as table:
        header = declared_header(study, file.table, data, table.header)
        wanted = look.wanted(places or locate_in_files(study, file.table, [header])[0])
        with closing(prefetched(look.code, _loads(table, wanted))) as batches:
            for batch in batches:
                look.add(batch)
        lone = table.lone_returns if isinstance(table, CsvTable) else 0
        header = table.header
    columns = with_codebooks(look.of_columns(), study, data, folder, header, cancel)
    top = (*_seeming(data, folder, cancel), *_of_book(data, folder), *look.findings(lone))
    # Read as a blank, a lone carriage return makes groups of thousands of the ends of two rows.
    kept = (one for one in columns if not (lone and one.code == "seen-thousands"))
    for finding in (*top, *kept):
        yield _placed(finding, data, folder, cancel)


def checked_columns(study: Study, table: str = MAIN) -> tuple[Column, ...]:
    """The columns of a table's files that a query uses, without those that are only looked for.

    Columns that are made from codes are among them.
    """
    return tuple(
        column
        for column in study.read_from(table)
        if column.name in study.used_names and (isinstance(column, PARSED) or lists_texts(column))
    )


def _loads(table: OpenTable, wanted: list[Wanted]) -> Iterator[Load]:
    if isinstance(table, CsvTable):
        return table.loads(wanted, checked=True)
    return table.loads(wanted)


@dataclass(frozen=True, repr=False)
class _Looked:
    ids: IdBatch | None
    met: IdCells | None
    columns: list[ColumnBatch]
    faults: LineFaults
    unread_bytes: bool
    rows: int


class _Look:
    """All that is counted of a file.

    Attributes:
        study: what is declared.
        file: the file.
    """

    def __init__(self, study: Study, file: TableFile, meetings: Meetings) -> None:
        self.study, self.file = study, file
        unit, data = study.unit or Unit(), file.source
        table = study.table(file.table)
        person = unit.person if table is None else table.person
        self._ids = None if person is None else IdTally(person, unit, data)
        self._met = meetings.file(file)
        self._has_case = False
        self._tallies: list[ColumnTally] = []
        self._faults = LineFaults()
        self._unread_bytes = False
        self._rows = 0

    def wanted(self, places: ColumnPlaces) -> list[Wanted]:
        """What is read of the file: ids, case numbers where tables meet, columns that are used."""
        name, checked = self.file.table, checked_columns(self.study, self.file.table)
        there = (
            column
            for column, place in zip(self.study.read_from(name), places.columns, strict=True)
            if place is not None
        )
        pairs = zip(there, wanted_columns(self.study, places, name), strict=True)
        kept = [(column, one) for column, one in pairs if column in checked]
        self._tallies = [ColumnTally(column, self.file.source) for column, _ in kept]
        if self._ids is None or places.person is None:
            self._ids = None
            return [one for _, one in kept]
        ids = [Wanted(places.person, is_id=True)]
        if self._met is not None and places.case is not None:
            self._has_case = True
            ids.append(Wanted(places.case, is_id=True))
        return [*ids, *(one for _, one in kept)]

    def code(self, load: Load) -> _Looked:
        """Read a batch and look at it; in any thread."""
        batch = load()
        cells = list(batch.columns)
        unread = any(map(has_unread_bytes, cells))
        ids = met = None
        if self._ids is not None:
            persons = cells.pop(0)
            cases = cells.pop(0) if self._has_case else None
            ids = self._ids.look(persons)
            met = None if self._met is None else self._met.look(persons, cases)
        pairs = zip(self._tallies, cells, strict=True)
        columns = [tally.look(column) for tally, column in pairs]
        return _Looked(ids, met, columns, batch.faults or LineFaults(), unread, batch.rows)

    def add(self, batch: _Looked) -> None:
        if self._ids is not None and batch.ids is not None:
            self._ids.add(batch.ids)
        if self._met is not None and batch.met is not None:
            self._met.add(batch.met)
        for tally, column in zip(self._tallies, batch.columns, strict=True):
            tally.add(column)
        self._faults += batch.faults
        self._unread_bytes |= batch.unread_bytes
        self._rows += batch.rows

    def findings(self, lone_returns: int) -> Iterator[Finding]:
        yield from _of_lines(self._faults, lone_returns)
        if not self._rows:
            yield Finding("rows-none")
        if self._unread_bytes:
            yield Finding("bytes-unread")
        if self._ids is not None:
            yield from self._ids.findings()

    def of_columns(self) -> Iterator[Finding]:
        """What is said of the columns; of no rows nothing is: every sentence of them would hold."""
        for tally in self._tallies if self._rows else ():
            yield from tally.findings()


def _of_lines(faults: LineFaults, lone_returns: int) -> Iterator[Finding]:
    """What is said of lines that are no rows, or rows of another width."""
    if are_nearly_all(faults.one_wider, faults.rows):
        yield Finding("row-names")
        faults = replace(faults, wider=0)
    lines = faults.rows + faults.opened
    counted: Iterable[tuple[str, int]] = (
        # Causes before what follows from them.
        ("lone-cr", lone_returns),
        ("lines-open", faults.opened),
        ("rows-wider", faults.wider),
        ("rows-narrower", faults.narrower),
    )
    for code, count in counted:
        if count:
            yield Finding(code, how_many_faulty(count, lines))


def _seeming(data: DataSource, folder: Path, cancel: CancelToken) -> Iterator[Finding]:
    """What the file seems to be, by its header and first rows, where it is not about people."""
    try:
        header, rows = top_table(data, folder, cancel)
    except Refused:
        return  # what was read to its end just now is no reason to refuse a release
    seems = what_it_seems(header, rows) if header else None
    if seems is not None:
        yield Finding(f"seems-{seems.kind}", row=seems.row)


def _of_book(data: DataSource, folder: Path) -> Iterator[Finding]:
    """What is said of a workbook: that its formulas were never calculated."""
    if data.format != "excel":
        return
    with open_data(data, folder) as stream:
        if has_uncalculated_formulas(stream):
            yield Finding("formulas-uncalculated")


def _placed(finding: Finding, data: DataSource, folder: Path, cancel: CancelToken) -> Finding:
    """The finding with its line, where the file has lines."""
    if finding.row is None or not finding.column or data.format != "csv":
        return finding
    line = line_of_row(data, folder, finding.row, cancel)
    return replace(finding, line=line, row=None if line is not None else finding.row)
