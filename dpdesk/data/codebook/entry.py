# SPDX-License-Identifier: Apache-2.0
"""What a codebook proposes for each variable, in the study's own terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from dpdesk.catalogue import Template, spoken
from dpdesk.data.files.file_formats import DECLARATIONS, LABELLED
from dpdesk.study.model.columns import NO_ORIGIN, CodebookKind, Column, Origin
from dpdesk.study.model.unit import FileFormat
from dpdesk.study.problem import Problem

_FORMS: Final[dict[CodebookKind, Template]] = {
    "redcap": "REDCap data dictionary",
    "isaric-arc": "ISARIC ARC",
    "table-schema": "Table Schema",
    "csvw": "CSVW metadata",
    "plain": "Codebook",
}
_LABELS: Final[Template] = "{format} labels"

MAX_CODEBOOK_BYTES = 16_000_000

Say = Callable[..., str]
"""Says a sentence, its placeholders filled."""


def codebook_name(kind: CodebookKind, say: Say | None = None) -> str:
    """What a column's source calls a codebook; it is released, so no file's name is in it.

    Args:
        say: says a sentence; in the language spoken where it is left out.
    """
    say = say or spoken().say
    if kind in _FORMS:
        return say(_FORMS[kind])
    return say(_LABELS, format=DECLARATIONS[cast(FileFormat, kind)].title)


@dataclass(frozen=True)
class CodebookEntry:
    """What a codebook says of one variable.

    Attributes:
        name: the variable's name, white space collapsed as in a file's header.
        column: the proposed declaration, complete where it is derived or of a further table;
            ``None`` where the codebook does not say enough for
            one, or where no statistic could use the variable.
        said: names of the column's fields that the codebook speaks of. The others are at
            their defaults and propose nothing.
        title: the variable's name for people, also where there is no column.
        identifier: whether the codebook marks the variable as naming a person.
        notes: what could not be carried over, each with its place in the codebook.
        place: where it is in the codebook, of a column that is no field of the file.
        basis: where the codebook has the proposal from, where it says so.
        origin: that it is from this codebook.
    """

    name: str
    column: Column | None
    said: tuple[str, ...] = ()
    title: str = ""
    identifier: bool = False
    notes: tuple[Problem, ...] = ()
    place: str = ""
    basis: str = ""
    origin: Origin = NO_ORIGIN


@dataclass(frozen=True)
class Codebook:
    """A codebook as read.

    Attributes:
        columns: its variables, in its order; no name occurs twice.
        file: the name of its file, fit for a line; for this computer's windows alone.
    """

    kind: CodebookKind
    columns: tuple[CodebookEntry, ...]
    file: str

    @property
    def basis(self) -> str:
        """What it is and where, in the language spoken: "REDCap data dictionary, fields.csv"."""
        return f"{codebook_name(self.kind)}, {self.file}"

    @property
    def may_list_data(self) -> bool:
        """Whether a list in it can be of the values that occur: R and Python write labels so."""
        is_in_data = self.kind in LABELLED
        return is_in_data and any("labels" in entry.said for entry in self.columns)

    def entry(self, name: str) -> CodebookEntry | None:
        return next((entry for entry in self.columns if entry.name == name), None)
