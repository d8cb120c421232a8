# SPDX-License-Identifier: Apache-2.0
"""What is asked and answered, as JSON, and whether it is what it should be.

Anyone who reads an answer must take nothing for granted: it may come from a process whose memory a
broken file has overwritten.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple
from typing import TYPE_CHECKING, Any

from dpdesk.data.files.statistical.described_variables import Code, DescribedVariable
from dpdesk.data.reader_process.frames import Broken
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused

if TYPE_CHECKING:
    # At run time it would bring Arrow along, which the child loads when it needs it.
    from dpdesk.data.files.batch import Wanted
    from dpdesk.data.files.workbook.sheet_look import SheetLook

_CODE = re.compile(r"[a-z][a-z0-9-]{0,99}")
_TYPE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")


def to_json(value: Any) -> bytes:
    """A value as JSON; half a character pair, as file names may have, is let pass."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def from_json(content: bytes | bytearray) -> Any:
    """The value that a JSON text says.

    Raises:
        Broken: it is none.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        pass
    raise Broken


def source_from(said: Mapping[str, Any]) -> DataSource:
    """A data source, out of what ``asdict`` makes of one."""
    lists = {key: tuple(said[key]) for key in ("missing", "by_hand", "more")}
    return DataSource(**{**said, **lists})


def wanted_to(columns: Sequence[Wanted]) -> list[dict[str, Any]]:
    return [asdict(column) for column in columns]


def problems_to(problems: Iterable[Problem]) -> Any:
    return [[problem.path, problem.code, dict(problem.params)] for problem in problems]


def problems_from(said: Any) -> tuple[Problem, ...]:
    """Mistakes, out of JSON.

    Raises:
        Broken: they are none.
    """
    if not isinstance(said, list):
        raise Broken
    return tuple(_problem(problem) for problem in said)


def refusal_from(content: bytes | bytearray) -> Refused:
    """A refusal, out of JSON.

    Raises:
        Broken: it is none.
    """
    problems = problems_from(from_json(content))
    if not problems:
        raise Broken
    return Refused(problems)


def _problem(said: Any) -> Problem:
    if not isinstance(said, list) or len(said) != 3:
        raise Broken
    path, code, params = said
    if not isinstance(path, str) or not isinstance(code, str) or not _CODE.fullmatch(code):
        raise Broken
    if not isinstance(params, dict) or not all(isinstance(p, str) for p in params.values()):
        raise Broken
    return Problem(path, code, params)


def type_name(content: bytes | bytearray) -> str:
    """The name of an exception's class: all that is reported of a fault.

    Raises:
        Broken: it is no name.
    """
    name = bytes(content).decode("ascii", "replace")
    if not _TYPE_NAME.fullmatch(name):
        raise Broken
    return name


def texts(said: Any) -> tuple[str, ...]:
    """Some texts.

    Raises:
        Broken: they are none.
    """
    if not isinstance(said, list) or not all(isinstance(text, str) for text in said):
        raise Broken
    return tuple(said)


def rows(said: Any) -> list[list[str]]:
    """Rows of texts.

    Raises:
        Broken: they are none.
    """
    if not isinstance(said, list):
        raise Broken
    return [list(texts(row)) for row in said]


def look_to(look: SheetLook) -> Any:
    return [look.sheets, look.top, look.header, problems_to(look.problems)]


def labels_to(variables: Iterable[DescribedVariable]) -> Any:
    return [
        [
            *astuple(variable)[:4],
            [[code_to(value), text] for value, text in variable.labels],
            [[code_to(low), code_to(high)] for low, high in variable.missing],
        ]
        for variable in variables
    ]


def code_to(value: Any) -> Any:
    """A labelled value, ready for JSON, which has no word for what is no number."""
    if isinstance(value, float):
        plain = float(value)
        return plain if math.isfinite(plain) else {"float": str(plain)}
    return value if isinstance(value, str | int) else str(value)


def code_from(said: Any) -> Code:
    """A labelled value, out of JSON.

    Raises:
        Broken: it is none.
    """
    if isinstance(said, dict) and said.get("float") in ("nan", "inf", "-inf"):
        return float(said["float"])
    if isinstance(said, str | int | float):
        return said
    raise Broken
