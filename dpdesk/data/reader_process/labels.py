# SPDX-License-Identifier: Apache-2.0
"""What a file of SPSS, Stata or SAS says of its variables, as another process reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpdesk.data.files.format_declaration import FileKind
from dpdesk.data.files.statistical.described_variables import DescribedVariable
from dpdesk.data.progress import CancelToken
from dpdesk.data.reader_process.client import About, open_client
from dpdesk.data.reader_process.frames import Broken
from dpdesk.data.reader_process.messages import code_from, texts
from dpdesk.study.problem import refuse


def described(
    path: Path, file: FileKind, catalogue: Path | None = None, cancel: CancelToken | None = None
) -> tuple[DescribedVariable, ...]:
    """The variables of a file and what it says of each.

    Args:
        cancel: ends the reading, whatever the reader is in the middle of.

    Raises:
        Refused: ``codebook-file-damaged`` or ``codebook-file-unreadable`` (name),
            ``codebook-too-many-variables`` (most).
        Cancelled: the token was raised.
    """
    damaged = refuse("codebook-file-damaged", name=path.name)
    there = None if catalogue is None else str(catalogue.absolute())
    with open_client(About(path, damaged, damaged, catalogue), cancel=cancel) as asked:
        return asked.value(
            labels_from, "labels", path=str(path.absolute()), file=file.key, catalogue=there
        )


def labels_from(said: Any) -> tuple[DescribedVariable, ...]:
    """Variables, out of JSON.

    Raises:
        Broken: they are none.
    """
    if not isinstance(said, list):
        raise Broken
    return tuple(_variable(variable) for variable in said)


def _variable(said: Any) -> DescribedVariable:
    if not isinstance(said, list) or len(said) != 6:
        raise Broken
    name, title, format, storage = texts(said[:4])
    labels = tuple((code_from(value), _text(text)) for value, text in _pairs(said[4]))
    missing = tuple((code_from(low), code_from(high)) for low, high in _pairs(said[5]))
    return DescribedVariable(name, title, format, storage, labels, missing)


def _pairs(said: Any) -> list[list[Any]]:
    if not isinstance(said, list):
        raise Broken
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in said):
        raise Broken
    return said


def _text(said: Any) -> str:
    return texts([said])[0]
