# SPDX-License-Identifier: Apache-2.0
"""What files of SPSS, Stata and SAS say of their variables, read by the library that knows them.

Their data is not read: metadata alone is. This runs in a process of its own (``reader_process``).
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpdesk.data.files.file_formats import takes_catalogue
from dpdesk.data.files.format_declaration import FileKind
from dpdesk.study.limits import MAX_CODEBOOK_VARIABLES
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

Code = str | int | float
"""A value that has a label."""


@dataclass(frozen=True)
class DescribedVariable:
    """A variable as its file describes it.

    Attributes:
        title: its label.
        format: how its values are shown.
        storage: the type of its values.
        labels: values and what each of them means.
        missing: first and last value of each range that means "missing".
    """

    name: str
    title: str
    format: str
    storage: str
    labels: tuple[tuple[Code, str], ...] = ()
    missing: tuple[tuple[Code, Code], ...] = ()


def read_variables(path: Path, file: FileKind, catalogue: Path | None) -> list[DescribedVariable]:
    """The variables of a file and what it says of each.

    Raises:
        Refused: ``codebook-file-damaged`` or ``codebook-file-unreadable`` (name),
            ``codebook-too-many-variables`` (most).
    """
    metadata = _metadata(path, file, catalogue)
    names = metadata.column_names
    if None in names or len(metadata.column_labels) != len(names):
        raise refuse("codebook-file-damaged", name=path.name)
    if len(names) > MAX_CODEBOOK_VARIABLES:
        raise refuse("codebook-too-many-variables", most=str(MAX_CODEBOOK_VARIABLES))
    return [
        _described(metadata, name, label)
        for name, label in zip(names, metadata.column_labels, strict=True)
    ]


def _described(metadata: Any, name: str, label: str | None) -> DescribedVariable:
    ranges = metadata.missing_ranges.get(name, [])
    labels = metadata.variable_value_labels.get(name, {})
    return DescribedVariable(
        name,
        label or "",
        metadata.original_variable_types.get(name) or "",
        metadata.readstat_variable_types.get(name, ""),
        tuple((value, str(text)) for value, text in labels.items()),
        tuple((part["lo"], part["hi"]) for part in ranges),
    )


def _metadata(path: Path, file: FileKind, catalogue: Path | None) -> Any:
    # Loaded here: no other codebook needs it.
    import pyreadstat

    read: Callable[..., tuple[Any, Any]] = getattr(pyreadstat, file.library_reader)
    options: dict[str, Any] = {"metadataonly": True}
    if file.gives_missing:
        options["user_missing"] = True
    if catalogue is None:
        # Else the library makes a table of no rows by pandas, which takes longer than all else.
        options["output_format"] = "dict"
    damaged = refuse("codebook-file-damaged", name=path.name)
    with contextlib.ExitStack() as opened:
        try:
            if takes_catalogue(file) and catalogue is not None:
                options["catalog_file"] = opened.enter_context(open_regular(catalogue))
            stream = opened.enter_context(open_regular(path))
        except OSError as error:
            name = Path(error.filename or path).name
            damaged = refuse("codebook-file-unreadable", name=name)
        else:
            # The parser names its mistakes in many classes; their texts may quote the file.
            with warnings.catch_warnings(action="ignore"), contextlib.suppress(Exception):
                return read(stream, **options)[1]
    raise damaged
