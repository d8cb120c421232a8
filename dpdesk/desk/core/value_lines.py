# SPDX-License-Identifier: Apache-2.0
"""A category's values as they are typed: one a line, ``1 = Male`` where a code has a name.

A value that would be read as something else, such as one with an equals sign in it, is in
quotation marks: ``"a = b" = both``. What is written is read back as the same values and labels.
"""

from __future__ import annotations

import re

from dpdesk.desk.core.edits.study_edits import clean_text, visible_text
from dpdesk.study import limits
from dpdesk.study.model.columns import CategoryColumn, value_labels

# Values such as <=5 or a=b are values; only behind a number is an equals sign enough by itself.
_NUMBERED = re.compile(r"([+-]?[0-9]+(?:[.,][0-9]+)?)\s*=(?!=)\s*(.*)", re.ASCII)
_NAMED = re.compile(r"(.*?\S) =(?: (.*))?")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"(?: =(?: (.*))?)?')

Named = tuple[str, str]


def read_lines(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The values and the labels that lines of text declare; no labels where none is given.

    >>> read_lines("1 = Male\\n2=Female\\n>=65\\n9")
    (('1', '2', '>=65', '9'), ('Male', 'Female', '>=65', '9'))
    """
    pairs = [pair for line in text.splitlines() if (pair := _read(line))[0]]
    values = tuple(value for value, _ in pairs)
    labels = tuple(label or value for value, label in pairs)
    return values, () if labels == values else labels


def split_values(text: str, marks: str = ",;") -> str:
    """The lines with each value between separators on a line of its own.

    >>> split_values(">30, NO")
    '>30\\nNO'
    >>> split_values("Smith, ")
    'Smith, '
    """
    return "\n".join(part for line in text.splitlines() for part in _parts(line, marks))


def _parts(line: str, marks: str) -> list[str]:
    """The values of a line that names several; a line in quotation marks is one.

    Behind a value's name a separator belongs to the name, unless each part has a name of its own.
    """
    if line.lstrip().startswith('"'):
        return [line]
    parts = [part.strip() for part in re.split(f"[{re.escape(marks)}]", line)]
    if _read(line)[1] and not all(_read(part)[1] for part in parts):
        return [line]
    return parts if len(parts) > 1 and all(parts) else [line]


def as_lines(column: CategoryColumn) -> str:
    """The lines that declare a column's values and labels."""
    pairs = zip(column.values, value_labels(column), strict=True)
    return "\n".join(_line(value, "" if label == value else label) for value, label in pairs)


def declares(text: str, column: CategoryColumn) -> bool:
    """Whether lines of text mean what a column declares already."""
    values, labels = read_lines(text)
    return values == column.values and (labels or values) == value_labels(column)


def _read(line: str) -> Named:
    """A line's value and label; each empty where there is none."""
    value, tab, label = line.partition("\t")
    if tab and value.strip() and label.strip():
        return clean_text(value).strip(), clean_text(label).strip()
    text = visible_text(line).strip()
    quoted = _QUOTED.fullmatch(text)
    if quoted and _is_quoted(quoted[1].replace('""', '"')):
        return _short(quoted[1].replace('""', '"')), _short(quoted[2] or "")
    match = _NUMBERED.fullmatch(text) or _NAMED.fullmatch(text)
    return (_short(match[1]), _short(match[2] or "")) if match else (_short(text), "")


def _is_quoted(inner: str) -> bool:
    """Whether marks around a text are there because of what it holds; others belong to it."""
    return "=" in inner or inner.startswith('"')


def _line(value: str, label: str) -> str:
    plain = f"{value} = {label}" if label else value
    if _read(plain) == (value, label) or not value.strip():
        return plain
    marked = '"' + value.replace('"', '""') + '"'
    return f"{marked} = {label}" if label else marked


def _short(text: str) -> str:
    return text[: limits.MAX_TEXT].strip()
