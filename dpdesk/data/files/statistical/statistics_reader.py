# SPDX-License-Identifier: Apache-2.0
"""Tables out of files of SPSS, Stata and SAS, some rows at a time.

The library behind this raises with texts that quote cells, and warns with names of columns:
neither travels on.
"""

from __future__ import annotations

import codecs
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from dpdesk.data.files.format_declaration import FileKind
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.study.problem import refuse

if TYPE_CHECKING:
    import pandas as pd

_ENCODINGS = {
    "latin-1": "ISO-8859-1",
    "cp1252": "WINDOWS-1252",
    "cp1250": "WINDOWS-1250",
    "cp850": "CP850",
    "iso-8859-15": "ISO-8859-15",
}
"""Names by which the library knows encodings; with UTF-8, the usual one, the file has its say."""

_BYTES = "ISO-8859-1"
"""Every byte is a character of its own there, so that no cell can fail to be one."""

_WINDOWS = re.compile(r"windows-(?=[0-9])", re.IGNORECASE)
_ASCII = bytes(range(128))

_PROGRESS_BYTES = 1 << 20


@dataclass(frozen=True)
class FileVariable:
    """A column as the file describes it.

    Attributes:
        name: its name, as the library tells it apart.
    """

    name: str
    format: str
    storage: str

    @property
    def is_text(self) -> bool:
        return self.storage == "string"

    @property
    def is_single(self) -> bool:
        """Whether its values are numbers of seven digits."""
        return self.storage == "float"


class WatchedStream:
    """A file being read: says how far it is, and fails as soon as the reading is to stop."""

    def __init__(self, stream: BinaryIO, progress: Progress, cancel: CancelToken) -> None:
        self._stream = stream
        self._progress = progress
        self.cancel = cancel
        self._size = stream.seek(0, 2)
        self._reported = self._read = 0

    def begin(self, share: float = 0) -> None:
        """Start from the file's beginning; of what is to come, this share needs no reading."""
        self._stream.seek(0)
        self._read = int(self._size * share)

    def read(self, count: int) -> bytes:
        self.cancel.check()
        data = self._stream.read(count)
        self._read += len(data)
        if self._read >= self._reported + _PROGRESS_BYTES:
            self.report_progress(self._read)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def report_progress(self, done: int | None = None) -> None:
        """Say how far the reading is, never less than before; without a number, at the end."""
        self._reported = max(self._reported, min(self._size, self._size if done is None else done))
        self._progress(self._reported, self._size)


class StatisticsReader:
    """Reads one file.

    A text that is not in the file's encoding makes the library stop. It is one person's, and must
    not decide whether there is a release; so texts come as bytes, and are read here. Those of a
    portable file (.por), which has its own table of characters, the library reads one by one.
    """

    def __init__(
        self, stream: WatchedStream, kind: FileKind, encoding: str, unnamed: str = "utf-8"
    ) -> None:
        """Read what the file says of its columns.

        Args:
            encoding: what texts are declared to be in; UTF-8, the usual one, lets the file say it.
            unnamed: what they are in where neither says it.
        """
        self._stream = stream
        self._kind = kind
        self._has_own_characters = "encoding" in kind.lacks
        self._encoding = _ENCODINGS.get(encoding)
        # No table of no rows: pandas takes half of the time to this process's first answer.
        _, metadata = self._parsed(metadataonly=True, output_format="dict")
        if None in metadata.column_names:
            # In a broken file names may be cut off.
            raise refuse("data-file-damaged", "$.data.path")
        self._count: int | None = metadata.number_rows
        if len(set(metadata.column_names)) < len(metadata.column_names):
            raise refuse("data-file-damaged", "$.data.path")
        storage, shown = metadata.readstat_variable_types, metadata.original_variable_types
        self.variables = tuple(
            FileVariable(name, shown[name] or "", storage[name]) for name in metadata.column_names
        )
        reported = encoding if self._encoding else metadata.file_encoding
        self._codec = "" if self._has_own_characters else _codec(reported or unnamed)
        self._raw_names = self._names_as_bytes() if self._codec else []

    def _names_as_bytes(self) -> list[str]:
        """The columns' names where texts come as bytes."""
        _, metadata = self._parsed(metadataonly=True, output_format="dict", encoding=_BYTES)
        names: list[str] = metadata.column_names
        if len(set(names)) < len(self.variables) or None in names:
            raise refuse("data-file-damaged", "$.data.path")
        return names

    def tables(
        self, places: Sequence[int], rows: int | None, strict: bool = False
    ) -> Iterator[pd.DataFrame]:
        """The columns at these places, this many rows at once; all of them for ``None``.

        Args:
            places: columns, from 0.
            rows: how many at once.
            strict: whether to refuse a text that is not in the file's encoding: for looking, so
                that the custodian declares another. Else U+FFFD represents what cannot be read.

        Raises:
            Refused: ``data-file-encoding``, also where the file names an encoding whose texts
                cannot be read one by one: that is the file's, whatever they are.
        """
        is_whole = self._has_own_characters or not any(self.variables[p].is_text for p in places)
        if not (strict or is_whole or self._codec):
            raise refuse("data-file-encoding", "$.data.path")
        if strict or is_whole:
            yield from self._tables([self.variables[place].name for place in places], rows)
            return
        import pandas as pd

        for table in self._tables([self._raw_names[p] for p in places], rows, encoding=_BYTES):
            chosen = {self.variables[p]: table[self._raw_names[p]] for p in places}
            yield pd.DataFrame(
                {
                    variable.name: _read_texts(column, self._codec) if variable.is_text else column
                    for variable, column in chosen.items()
                }
            )

    def _tables(self, names: Sequence[str], rows: int | None, **how: str) -> Iterator[pd.DataFrame]:
        # The library renames the second of two namesakes, and asks for both by the first's name.
        requested = sorted({*names, *(name.partition("_duplicated")[0] for name in names)})
        done = 0
        while self._count is None or done < self._count:
            share = done / self._count if self._count else 0
            table, _ = self._parsed(
                share, usecols=requested, row_offset=done, row_limit=rows or 0, **how
            )
            if not set(names) <= set(table.columns):
                raise refuse("data-file-damaged", "$.data.path")
            done += len(table)
            yield table
            if rows is None or len(table) < rows:
                break
        self._stream.report_progress()

    def _parsed(self, share: float = 0, **options: Any) -> tuple[pd.DataFrame, Any]:
        # Loaded here: reading a text file needs none of it.
        import pyreadstat

        read: Callable[..., tuple[pd.DataFrame, Any]]
        read = getattr(pyreadstat, self._kind.library_reader)
        if self._encoding and not self._has_own_characters:
            options.setdefault("encoding", self._encoding)
        self._stream.begin(share)
        code = "data-file-damaged"
        try:
            with warnings.catch_warnings(action="ignore"):
                return read(self._stream, disable_datetime_conversion=True, **options)
        except UnicodeError:
            code = "data-file-encoding"
        except Exception as error:  # noqa: BLE001 - a broken file may raise anything
            code = _code(error)
        self._stream.cancel.check()
        raise refuse(code, "$.data.path")


def _codec(name: str) -> str:
    """Python's name of an encoding in which ASCII is ASCII; empty where it knows none.

    >>> _codec("WINDOWS-932"), _codec("EUCKR"), _codec("CP037"), _codec("CP922")
    ('cp932', 'euc_kr', '', '')
    """
    try:
        codec = codecs.lookup(_WINDOWS.sub("cp", name.strip()))
        is_ascii = codec.decode(_ASCII)[0].encode("ascii") == _ASCII
    except (LookupError, ValueError):
        return ""
    return codec.name if is_ascii else ""


def _read_texts(column: pd.Series[Any], codec: str) -> pd.Series[Any]:
    """Texts that came as bytes; each is read by itself."""
    import pandas as pd

    texts = column.tolist()
    if all(not isinstance(text, str) or text.isascii() for text in texts):
        return column
    read = [_read_text(text, codec) if isinstance(text, str) else text for text in texts]
    return pd.Series(read, column.index, column.dtype)


def _read_text(text: str, codec: str) -> str:
    """A text without the character that the column's width may have cut at its end."""
    if text.isascii():
        return text
    return codecs.getincrementaldecoder(codec)("replace").decode(text.encode(_BYTES))


def _code(error: Exception) -> str:
    """A mistake's code by the library's own fixed texts; nothing else of them is kept."""
    about = str(error)
    charset = "Unable to convert string" in about or "character set" in about
    return "data-file-encoding" if charset else "data-file-damaged"
