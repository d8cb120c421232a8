# SPDX-License-Identifier: Apache-2.0
"""What files of SPSS, Stata and SAS say of their variables, read by the library that knows them.

Their data is not read: metadata alone is. This runs in a process of its own (``apart.labels``).
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpdesk.data.codebook.entry import MAX_VARIABLES
from dpdesk.data.files.magic import Kind
from dpdesk.data.reader_process.labels import Described
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

_READERS: dict[Kind, str] = {
    "sav": "read_sav",
    "por": "read_por",
    "dta": "read_dta",
    "sas7bdat": "read_sas7bdat",
    "xport": "read_xport",
}


def read_variables(path: Path, file: Kind, catalogue: Path | None) -> list[Described]:
    """The variables of a file and what it says of each.

    Args:
        path: the file.
        file: its kind.
        catalogue: value labels of a SAS file.

    Raises:
        Refused: ``codebook-file-damaged`` or ``codebook-file-unreadable`` (name),
            ``codebook-too-many-variables`` (most).
    """
    found = _metadata(path, file, catalogue)
    names = found.column_names
    if None in names or len(found.column_labels) != len(names):
        raise refuse("codebook-file-damaged", name=path.name)
    if len(names) > MAX_VARIABLES:
        raise refuse("codebook-too-many-variables", most=str(MAX_VARIABLES))
    return [
        _described(found, name, label)
        for name, label in zip(names, found.column_labels, strict=True)
    ]


def _described(found: Any, name: str, label: str | None) -> Described:
    ranges = found.missing_ranges.get(name, [])
    labels = found.variable_value_labels.get(name, {})
    return Described(
        name,
        label or "",
        found.original_variable_types.get(name) or "",
        found.readstat_variable_types.get(name, ""),
        tuple((value, str(text)) for value, text in labels.items()),
        tuple((part["lo"], part["hi"]) for part in ranges),
    )


def _metadata(path: Path, file: Kind, catalogue: Path | None) -> Any:
    # Loaded here: no other codebook needs it.
    import pyreadstat

    read: Callable[..., tuple[Any, Any]] = getattr(pyreadstat, _READERS[file])
    options: dict[str, Any] = {"metadataonly": True}
    if file in ("sav", "dta", "sas7bdat"):
        options["user_missing"] = True
    damaged = refuse("codebook-file-damaged", name=path.name)
    with contextlib.ExitStack() as opened:
        try:
            if file == "sas7bdat" and catalogue is not None:
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
