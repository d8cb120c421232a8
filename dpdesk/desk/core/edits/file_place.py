# SPDX-License-Identifier: Apache-2.0
"""Which file of a study is meant: one of a table's, by its number."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource


@dataclass(frozen=True)
class FilePlace:
    """A file of a table.

    Attributes:
        table: the table's name; ``MAIN`` for that whose rows queries count.
        at: which of its files; 0 is the first.
    """

    table: str = MAIN
    at: int = 0

    @property
    def is_first(self) -> bool:
        """Whether it is the main table's first file."""
        return self == FIRST

    def source(self, study: Study) -> DataSource | None:
        """The file, with what is said of all files of its table; ``None`` where it is no more."""
        data = study.data_of(self.table)
        files = () if data is None else data.files
        return files[self.at] if self.at < len(files) else None

    def path(self, study: Study) -> str:
        """Where it is declared, as problems name it."""
        names = [table.name for table in study.tables]
        data = "$.data" if self.table == MAIN else f"$.tables[{names.index(self.table)}].data"
        return f"{data}.more[{self.at - 1}]" if self.at else data


FIRST = FilePlace()


def files_of(study: Study, table: str) -> tuple[tuple[FilePlace, DataSource], ...]:
    """Each file of a table, with its place."""
    data = study.data_of(table)
    files = () if data is None else data.files
    return tuple((FilePlace(table, at), file) for at, file in enumerate(files))


def all_files(study: Study) -> tuple[tuple[FilePlace, DataSource], ...]:
    """Each file of a study, those of the main table first."""
    names = (MAIN, *(table.name for table in study.tables))
    return tuple(pair for name in names for pair in files_of(study, name))
