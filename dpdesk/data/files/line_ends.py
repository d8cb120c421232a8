# SPDX-License-Identifier: Apache-2.0
"""A file's own line ends become line feeds, and the byte-order marks in front of lines go.

Lines end with LF, with or without a CR, or with CR; the other sign is a blank inside a line,
because many writers do not quote it. Every line is translated alike, wherever it stands: with the
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
        lone: how many carriage returns so far ended no line, where lines end with LF.
    """

    def __init__(self, ending: LineEnding) -> None:
        """Begin a file.

        Args:
            ending: what ends a line; empty means ``lf``. It cannot be seen: a row behind a header
                that ends with CR may begin with LF.
        """
        self._ending = ending or "lf"
        self._waiting = ""
        self._begins_line = True
        self.lone = 0

    def translate(self, text: str, final: bool = False) -> str:
        """Translate the next piece of text, but for a last CR whose LF may be still to come."""
        text, self._waiting = self._waiting + text, ""
        if self._ending != "cr" and text.endswith("\r"):
            text, self._waiting = text[:-1], "" if final else "\r"
        result = self._from_cr(text) if self._ending == "cr" else self._from_lf(text)
        if text:
            self._begins_line = result.endswith("\n") or (self._begins_line and not result)
        return result

    def translate_ascii(self, text: bytes) -> bytes | None:
        """The same for most pieces of ASCII, without the way through characters; else ``None``."""
        if self._ending != "lf" or self._waiting or text.endswith(b"\r"):
            return None
        self._begins_line = text.endswith(b"\n")
        if b"\r" not in text:
            return text
        text = text.replace(b"\r\n", b"\n")
        self.lone += text.count(b"\r")
        return text.replace(b"\r", b" ")

    def _from_lf(self, text: str) -> str:
        text = text.replace("\r\n", "\n")
        self.lone += text.count("\r")
        text = text.replace("\r", " ")
        if _MARK in text:
            text = _MARKS.sub("", text.lstrip(_MARK) if self._begins_line else text)
        return text

    def _from_cr(self, text: str) -> str:
        """A line feed behind the CR belongs to it."""
        text = _AFTER_CR.sub("", text.lstrip("\n\ufeff") if self._begins_line else text)
        return text.replace("\n", " ").replace("\r", "\n")
