# SPDX-License-Identifier: Apache-2.0
"""Finds the codebook of a data file in the file's own folder, by its name and by what it describes.

Only small texts and workbooks whose name says that they describe something are read, so that
another table of the folder is not; and what is found is offered, never applied. The data file is
not opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath

from dpdesk.data.codebook.entry import Codebook
from dpdesk.data.codebook.read import TEXT_ENDINGS, read_codebook
from dpdesk.data.codebook.table_diff import of_table
from dpdesk.data.files.file_formats import WORKBOOK
from dpdesk.data.progress import CancelToken
from dpdesk.study.model.columns import CodebookKind, plain_name
from dpdesk.study.problem import Refused

MOST_BYTES = 2_000_000
"""A codebook that is looked at without being asked for; the largest in use has half of it."""

_MOST_NAMES = 5_000
"""Files of a folder whose names are looked at."""

_MOST_FILES = 12
"""Files that are read."""

_SUFFIXES = frozenset((*TEXT_ENDINGS, *WORKBOOK.endings))
_CODEBOOK_WORDS = re.compile(
    r"code ?book|codebuch|kodebuch|dictionary|data ?dict|meta ?data|data ?package|"
    r"(?:table ?)?schema|variables?\b|variablen|datensatz ?beschreibung|feld ?beschreibung|"
    r"\bcsvw\b|\blabels?\b|columns\b|spalten\b"
)
_BETWEEN_WORDS = re.compile(r"[\s._-]+")


@dataclass(frozen=True)
class CodebookBeside:
    """A codebook that describes a data file.

    Attributes:
        described: the file's columns that it would declare, in its order.
    """

    path: Path
    kind: CodebookKind
    described: tuple[str, ...]


def codebook_beside(
    data: Path, header: tuple[str, ...], cancel: CancelToken | None = None, table: str = ""
) -> CodebookBeside | None:
    """The codebook in a data file's folder that describes most of its columns.

    A codebook describes the file where at least half of its variables are columns of the file,
    or half of the columns are variables of it: a registry's codebook may cover many extracts.

    Args:
        table: name of the further table that the file is of; empty for the main one.

    Returns:
        The codebook; ``None`` where none describes the file, or the folder cannot be read.

    Raises:
        Cancelled: the token was raised.
    """
    found = []
    for path in _likely_codebooks(data):
        if cancel is not None:
            cancel.check()
        about = _about(path, data.name, header, table, cancel)
        if about is not None:
            found.append(about)
    return max(found, key=lambda one: len(one.described), default=None)


def described_columns(codebook: Codebook, header: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of a file that a codebook would declare; none where it is about another file."""
    inside = frozenset(map(plain_name, header))
    known = [entry for entry in codebook.columns if entry.name in inside]
    if 2 * len(known) < min(len(codebook.columns), len(inside)):
        return ()
    return tuple(entry.name for entry in known if entry.column is not None)


def _likely_codebooks(data: Path) -> list[Path]:
    """The files of the folder that may be its codebook, by name; those named as it is first."""
    try:
        with os.scandir(data.parent) as entries:
            names = sorted(entry.name for entry in islice(entries, _MOST_NAMES))
    except OSError:
        return []
    likely = [name for name in names if name != data.name and _is_likely(name, data.name)]
    likely.sort(key=lambda name: not name.casefold().startswith(data.stem.casefold()))
    return list(islice(_small(data.parent, likely), _MOST_FILES))


def _is_likely(name: str, data: str) -> bool:
    path = PurePath(name)
    if path.suffix.casefold() not in _SUFFIXES:
        return False
    words = _BETWEEN_WORDS.sub(" ", path.stem.casefold())
    is_named_alike = path.suffix.casefold() == ".json" and path.stem in (data, PurePath(data).stem)
    return is_named_alike or _CODEBOOK_WORDS.search(words) is not None


def _small(folder: Path, names: list[str]) -> Iterator[Path]:
    for name in names:
        try:
            if (folder / name).stat().st_size <= MOST_BYTES:
                yield folder / name
        except OSError:
            continue


def _about(
    path: Path, data: str, header: tuple[str, ...], table: str, cancel: CancelToken | None
) -> CodebookBeside | None:
    """What a codebook says of a file; ``None`` where it is none, or another's."""
    try:
        codebook = read_codebook(path, (data,), cancel=cancel)
    except Refused:
        return None
    described = described_columns(of_table(codebook, table) if table else codebook, header)
    return CodebookBeside(path, codebook.kind, described) if described else None
