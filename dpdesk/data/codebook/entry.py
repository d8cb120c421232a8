# SPDX-License-Identifier: Apache-2.0
"""What a codebook proposes for each variable, in the study's own terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.data.files.file_formats import DECLARATIONS, LABELLED
from dpdesk.study.model.columns import Column
from dpdesk.study.model.unit import FileFormat
from dpdesk.study.problem import Problem

CodebookForm = Literal["redcap", "isaric-arc", "table-schema", "csvw", "plain"]
CodebookKind = CodebookForm | FileFormat
"""A form of codebooks, or the format of a data file that holds labels."""

KIND_NAMES: dict[CodebookKind, str] = {
    "redcap": "REDCap data dictionary",
    "isaric-arc": "ISARIC ARC",
    "table-schema": "Table Schema",
    "csvw": "CSVW metadata",
    "plain": "Codebook",
    **{format: f"{DECLARATIONS[format].title} labels" for format in LABELLED},
}
"""What a column's basis calls a codebook. A basis is released: no file's name stands in it."""

MAX_CODEBOOK_BYTES = 16_000_000


@dataclass(frozen=True)
class CodebookEntry:
    """What a codebook says of one variable.

    Attributes:
        name: the variable's name, white space collapsed as in a file's header.
        column: the proposed declaration; ``None`` where the codebook does not say enough for
            one, or where no statistic could use the variable.
        said: names of the column's fields that the codebook speaks of. The others stand at
            their defaults and propose nothing.
        title: the variable's name for people, also where there is no column.
        identifier: whether the codebook marks the variable as naming a person.
        notes: what could not be carried over, each with its place in the codebook.
        basis: where the proposal comes from, for the release: "REDCap data dictionary".
    """

    name: str
    column: Column | None
    said: tuple[str, ...] = ()
    title: str = ""
    identifier: bool = False
    notes: tuple[Problem, ...] = ()
    basis: str = ""


@dataclass(frozen=True)
class Codebook:
    """A codebook as read.

    Attributes:
        kind: its format.
        columns: its variables, in its order; no name stands twice.
        basis: where it comes from, for this computer's windows alone, such as "REDCap data
            dictionary, dictionary.csv".
    """

    kind: CodebookKind
    columns: tuple[CodebookEntry, ...]
    basis: str

    @property
    def may_list_data(self) -> bool:
        """Whether a list in it can be of the values that occur: R and Python write labels so."""
        is_in_data = self.kind in LABELLED
        return is_in_data and any("labels" in entry.said for entry in self.columns)

    def entry(self, name: str) -> CodebookEntry | None:
        """The entry of that name, if there is one."""
        return next((entry for entry in self.columns if entry.name == name), None)
