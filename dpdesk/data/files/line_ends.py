# SPDX-License-Identifier: Apache-2.0
"""A file's own line ends become line feeds, and the byte-order marks in front of lines go.

Lines end with LF, with or without a CR, or with CR; the other sign is a blank inside a line,
because many writers do not quote it. Or each of them ends a line, as where files of several
systems were joined. Every line is translated alike, wherever it is: with the
first one goes the mark that any may have, and the last one ends where its file ends.
"""

from __future__ import annotations

import re

from dpdesk.study.model.unit import LineEnding

_LINE_END = re.compile("\r\n|\r|\n")
_MARK = "\ufeff"
_MARKS = re.compile("(?<=\n)\ufeff+")
_AFTER_CR = re.compile("(?<=\r)[\n\ufeff]+")


def ending_of(text: str) -> LineEnding:
    """What seems to end the first line of a text; empty where it has but one line."""
    first = _LINE_END.search(text)
    if first is None:
        return ""
    return "cr" if first.group() == "\r" else "lf"


class LineEnds:
    """Translates a file piece by piece.

    Attributes:
        lone: how many carriage returns so far ended no line, where lines end with LF; in a quoted
            cell they are meant.
    """

    def __init__(self, ending: LineEnding, quotes: bool = False) -> None:
        """Begin a file.

        Args:
            ending: what ends a line; empty means ``lf``. It cannot be seen: a row behind a header
                that ends with CR may begin with LF.
            quotes: whether quotation marks enclose cells.
        """
        self._ending = ending or "lf"
        self._quotes = quotes
        self._waiting = ""
        self._begins_line = True
        self._open = False
        self.lone = 0

    def translate(self, text: str, final: bool = False) -> str:
        """Translate the next piece of text, but for a last CR whose LF may be still to come."""
        text, self._waiting = self._waiting + text, ""
        if self._ending != "cr" and text.endswith("\r"):
            text, self._waiting = text[:-1], "" if final else "\r"
        read = {"cr": self._from_cr, "any": self._from_any}.get(self._ending, self._from_lf)
        result = read(text)
        if text:
            self._begins_line = result.endswith("\n") or (self._begins_line and not result)
        return result

    def translate_ascii(self, text: bytes) -> bytes | None:
        """The same for most pieces of ASCII, without the way through characters; else ``None``."""
        if self._ending != "lf" or self._waiting or text.endswith(b"\r"):
            return None
        self._begins_line = text.endswith(b"\n")
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n")
        self._count(text)
        return text.replace(b"\r", b" ")

    def _from_lf(self, text: str) -> str:
        text = text.replace("\r\n", "\n")
        if self._quotes or "\r" in text:
            self._count(text.encode("utf-8", "replace"))
        return self._without_marks(text.replace("\r", " "))

    def _from_any(self, text: str) -> str:
        return self._without_marks(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _without_marks(self, text: str) -> str:
        if _MARK in text:
            text = _MARKS.sub("", text.lstrip(_MARK) if self._begins_line else text)
        return text

    def _count(self, text: bytes) -> None:
        """Count the carriage returns that end no line; those in quoted cells are meant."""
        if b"\r" in text:
            import numpy as np  # a workbook and a header need none

            data = np.frombuffer(text, np.uint8)
            returns, ends, marks = (np.flatnonzero(data == ord(sign)) for sign in '\r\n"')
            line = np.searchsorted(ends, returns)
            starts = np.concatenate([[0], ends + 1])[line]
            within = np.searchsorted(marks, returns) - np.searchsorted(marks, starts)
            is_open = (within + (self._open & (line == 0))) % 2 == 1
            self.lone += int(np.count_nonzero(~is_open if self._quotes else returns >= 0))
        end = text.rfind(b"\n") + 1
        self._open = (text.count(b'"', end) + (self._open if not end else 0)) % 2 == 1

    def _from_cr(self, text: str) -> str:
        """A line feed behind the CR belongs to it."""
        text = _AFTER_CR.sub("", text.lstrip("\n\ufeff") if self._begins_line else text)
        return text.replace("\n", " ").replace("\r", "\n")
