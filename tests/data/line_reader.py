# SPDX-License-Identifier: Apache-2.0
"""CSV once more, slow and obvious: one line at a time, one sign at a time.

A line is a row. What it holds is found by looking at this line alone, so nothing that stands in
another line can matter; the program has to read the same.
"""

from __future__ import annotations

from itertools import pairwise

from dpdesk.study.model.unit import DataSource

_UNITS = {"utf-16": 2, "utf-16-be": 2}
_CODECS = {"utf-16": "utf-16-le"}


def encoded(text: str, source: DataSource) -> bytes:
    """A text in the file's encoding; what the encoding lacks is left out."""
    return text.encode(_CODECS.get(source.encoding, source.encoding), "ignore")


def lines_of(raw: bytes, source: DataSource) -> list[bytes]:
    """The lines of a file without its mark, as bytes, without their line feeds.

    The last one is there even where it is empty.
    """
    width = _UNITS.get(source.encoding, 1)
    feed, back = encoded("\n", source), encoded("\r", source)
    ends = {"cr": {back}, "any": {back, feed}}.get(source.line_ending, {feed})
    units = [raw[place : place + width] for place in range(0, len(raw), width)]
    lines: list[list[bytes]] = [[]]
    for before, unit in pairwise([b"", *units]):
        if unit == feed and before == back and source.line_ending == "any":
            continue  # it ended with the carriage return
        if unit in ends:
            lines.append([])
        else:
            lines[-1].append(unit)
    return [b"".join(line) for line in lines]


def read_line(raw: bytes, source: DataSource, most: int = 1 << 24) -> list[str] | None:
    """The cells of one line; ``None`` where it is no row.

    Args:
        raw: its bytes without the line feed.
        source: how the file is read.
        most: so many bytes of its text in UTF-8 are read.
    """
    text = raw.decode(_CODECS.get(source.encoding, source.encoding), "replace")
    text = _without_ends(text, source).lstrip("\ufeff")
    text = text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
    if not text.strip(" \t".replace(source.separator, "")):
        return None
    if not source.quotes:
        return text.split(source.separator)
    cells, in_order = _cells(text, source.separator, skip_space=False)
    if not in_order:
        cells, _ = _cells(text, source.separator, skip_space=True)
    return cells


def _without_ends(text: str, source: DataSource) -> str:
    """The line without what else belongs to its end; other line ends in it are blanks."""
    if source.line_ending == "cr":
        # Line feeds and marks behind the CR belong to it, however many.
        return text.lstrip("\n\ufeff").replace("\n", " ")
    return text.removesuffix("\r").replace("\r", " ")


def _cells(text: str, separator: str, skip_space: bool) -> tuple[list[str] | None, bool]:
    """The cells, or nothing where a quoted cell stays open, and whether all marks are in order."""
    cells, place, in_order = [], 0, True
    while True:
        while skip_space and text[place : place + 1] == " ":
            place += 1
        cell, quoted = "", text[place : place + 1] == '"'
        if quoted:
            place += 1
            while text[place : place + 1] != '"' or text[place : place + 2] == '""':
                if place >= len(text):
                    return None, False
                cell += text[place]
                place += 2 if text[place] == '"' else 1
            place += 1
        while place < len(text) and text[place] != separator:
            in_order = in_order and not quoted and text[place] != '"'
            cell += text[place]
            place += 1
        cells.append(cell)
        if place >= len(text):
            return cells, in_order
        place += 1
