# SPDX-License-Identifier: Apache-2.0
"""Whether a list of values that hardly fits the file is the other side of a codebook.

Names are declared and the file holds their codes, or codes and the file holds names: then groups
of 0 come out, which nobody calls too noisy. That the two sides are one list is what a codebook
says, the file's own labels or one that is beside it; no cell is looked at for it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from dpdesk.data.codebook.beside import codebook_beside
from dpdesk.data.codebook.entry import Codebook
from dpdesk.data.codebook.read import read_codebook
from dpdesk.data.files.file_formats import LABELLED
from dpdesk.data.inspection.finding import SEEN, Finding
from dpdesk.data.progress import CancelToken
from dpdesk.study.model.columns import CategoryColumn, Column, YesNoColumn, value_labels
from dpdesk.study.model.document import Study
from dpdesk.study.model.text_folding import folded
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused

_SIDES = (f"{SEEN}codes", f"{SEEN}names")
"""What cells look like that may be the other side of the list."""


@dataclass(frozen=True)
class _Place:
    """Where codebooks are looked for."""

    data: DataSource
    folder: Path
    header: tuple[str, ...]
    cancel: CancelToken


def with_codebooks(
    found: Iterable[Finding],
    study: Study,
    data: DataSource,
    folder: Path,
    header: tuple[str, ...],
    cancel: CancelToken,
) -> Iterator[Finding]:
    """The findings of columns; those of lists with the codebook that explains them.

    Args:
        found: what is said of each column, one after the other.
        data: the file that they are columns of.

    Raises:
        Cancelled: the token was raised.
    """
    books: list[tuple[Codebook, str]] | None = None
    for name, group in groupby(found, key=lambda finding: finding.column):
        said = list(group)
        column = study.column(name)
        if isinstance(column, CategoryColumn | YesNoColumn) and _may_be_coded(said):
            if books is None:
                books = list(_codebooks(_Place(data, folder, header, cancel)))
            said = _explained(said, column, books)
        yield from said


def _may_be_coded(said: Sequence[Finding]) -> bool:
    """Whether the file may hold the other side; where much fits, only if the rest looks like it."""
    first, *more = said
    if first.code != "listed" or first.amount == "nearly-all":
        return False
    return all(one.code in _SIDES for one in more) and bool(more or first.amount != "some")


def _explained(
    said: list[Finding], column: CategoryColumn | YesNoColumn, books: list[tuple[Codebook, str]]
) -> list[Finding]:
    for codebook, source in books:
        entry = codebook.entry(column.header or column.name)
        side = _side(column, entry.column) if entry is not None else ""
        if side:
            code = SEEN + side
            return [said[0], Finding(code, said[0].amount, column.name, source=source)]
    return said


def _side(column: CategoryColumn | YesNoColumn, described: Column | None) -> str:
    """Which side of a codebook's list a column declares, if it is one side alone."""
    codes, names = _both_sides(described)
    listed = {folded(text) for text in _listed(column)}
    if codes == names or not listed or listed <= codes & names:
        return ""
    if listed <= names:
        return "coded"
    return "labelled" if listed <= codes and not _has_labels(column) else ""


def _both_sides(described: Column | None) -> tuple[set[str], set[str]]:
    if isinstance(described, CategoryColumn):
        sides = described.values, value_labels(described)
    elif isinstance(described, YesNoColumn):
        ends = described.no, described.yes
        sides = tuple(end[-1] for end in ends if end), tuple(end[0] for end in ends if end)
    else:
        return set(), set()
    codes, names = ({folded(text) for text in side} for side in sides)
    return codes, names


def _listed(column: CategoryColumn | YesNoColumn) -> tuple[str, ...]:
    return column.values if isinstance(column, CategoryColumn) else (*column.yes, *column.no)


def _has_labels(column: CategoryColumn | YesNoColumn) -> bool:
    return isinstance(column, CategoryColumn) and bool(column.labels)


def _codebooks(place: _Place) -> Iterator[tuple[Codebook, str]]:
    """The file's own labels, then the codebook beside it; each with the name it is known by."""
    path, data = place.folder / place.data.path, place.data
    catalogue = place.folder / data.catalogue if data.catalogue else None
    if data.format in LABELLED:
        with suppress(Refused):
            yield read_codebook(path, catalogue=catalogue, cancel=place.cancel), ""
    beside = codebook_beside(path, place.header, place.cancel)
    if beside is not None:
        with suppress(Refused):
            yield read_codebook(beside.path, (path.name,), cancel=place.cancel), beside.path.name
