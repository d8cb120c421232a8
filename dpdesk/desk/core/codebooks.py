# SPDX-License-Identifier: Apache-2.0
"""A codebook for the desk: read and compared off the GUI thread, and what is ticked at first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from dpdesk.data.codebook.beside import codebook_beside, described_columns
from dpdesk.data.codebook.change import Change
from dpdesk.data.codebook.diff import diff, offered
from dpdesk.data.codebook.entry import Codebook
from dpdesk.data.codebook.read import described_tables, read_codebook, takes_catalogue
from dpdesk.data.files.file_formats import LABELLED
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.jobs import Work
from dpdesk.study import limits
from dpdesk.study.model.columns import CodebookKind
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused


@dataclass(frozen=True)
class CodebookRequest:
    """Which codebook is to be compared.

    Attributes:
        path: its file.
        table: name of one of its tables; empty for the one that describes the study's file.
        catalogue: the value labels of a SAS file.
    """

    path: Path
    table: str = ""
    catalogue: Path | None = None


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
        declared = {column.name for column in study.columns}
        imported = any(column.origin.codebook == self.kind for column in study.columns)
        return not imported and not declared.issuperset(self.described)


def looking_for_codebook(study: Study, folder: Path, header: tuple[str, ...]) -> Work:
    """The work of looking for a codebook of the study's file, in it and beside it.

    Its result is an ``OfferedCodebook``, or ``None``. No data is read.
    """

    def work(_progress: Progress, cancel: CancelToken) -> OfferedCodebook | None:
        own = own_labels(study, folder)
        if own is not None:
            inside = _own_codebook(own, header, cancel)
            if inside is not None:
                return inside
        path = folder / study.data.path if study.data else folder
        beside = codebook_beside(path, header, cancel)
        if beside is None:
            return None
        return OfferedCodebook(CodebookRequest(beside.path), beside.kind, beside.described)

    return work


def _own_codebook(
    own: CodebookRequest, header: tuple[str, ...], cancel: CancelToken
) -> OfferedCodebook | None:
    try:
        codebook = read_codebook(own.path, catalogue=own.catalogue, cancel=cancel)
    except Refused:
        return None
    described = described_columns(codebook, header)
    return OfferedCodebook(own, codebook.kind, described, is_inside=True) if described else None


def comparing(wanted: CodebookRequest, study: Study, header: tuple[str, ...]) -> Work:
    """The work of comparing; its result is a ``CodebookComparison``. The data file is not opened.

    Args:
        wanted: which codebook.
        study: what is declared.
        header: the names of the file's columns; while they are unknown, every variable counts as
            being in the file.
    """

    def work(_progress: Progress, cancel: CancelToken) -> CodebookComparison:
        likely = (wanted.table or _file_name(study),)
        tables = described_tables(wanted.path)
        table = next((names[0] for names in tables if likely[0] in names), "")
        if len(tables) > 1 and not table:
            return CodebookComparison(wanted, tables=tuple(names[0] for names in tables))
        codebook = read_codebook(wanted.path, likely, wanted.catalogue, cancel)
        cancel.check()
        changes = diff(study, codebook, header or None)
        return CodebookComparison(
            wanted,
            codebook,
            (*(c for c in changes if c.is_offered), *(c for c in changes if not c.is_offered)),
            tuple(names[0] for names in tables) if len(tables) > 1 else (),
            table,
            takes_catalogue(wanted.path),
        )

    return work


def _file_name(study: Study) -> str:
    """A table's likeliest name: that of the study's file."""
    return PurePath(study.data.path.replace("\\", "/")).name if study.data else ""


def first_ticks(study: Study, changes: Iterable[Change]) -> frozenset[str]:
    """What is ticked before anybody chose: what is new and names nobody.

    A declaration that is there is replaced only where somebody says so. Where not all that is new
    fits into a study, there is nothing to prefer some of it by, and nothing is ticked.
    """
    new = frozenset(c.name for c in offered(changes) if c.state == "new")
    return new if len(new) + len(study.columns) <= limits.MAX_COLUMNS else frozenset()


def own_labels(study: Study, folder: Path) -> CodebookRequest | None:
    """The labels inside the study's own file, where its format has any."""
    data = study.data
    if data is None or not data.path or data.format not in LABELLED:
        return None
    return CodebookRequest(folder / data.path, catalogue=_own_catalogue(study, folder))


def wanted_file(study: Study, folder: Path, path: Path) -> CodebookRequest:
    """A chosen file; of the SAS file that the study is about, with its catalogue."""
    own = own_labels(study, folder)
    is_own = own is not None and own.path.resolve() == path.resolve()
    return CodebookRequest(path, catalogue=own.catalogue if own is not None and is_own else None)


def _own_catalogue(study: Study, folder: Path) -> Path | None:
    catalogue = study.data.catalogue if study.data else ""
    return folder / catalogue if catalogue else None
