# SPDX-License-Identifier: Apache-2.0
"""Neighbours as files: one person's lines are added, taken away or replaced, byte by byte.

A table's neighbour is made by a writer that doubles its quotation marks; a file's neighbour is
made by anybody. Here a line may hold any bytes but those that end it: stray marks, separators,
NUL, line ends of other systems, broken encodings, unpaired code units, cells too long to read.
Whose line it is, is what a slow reader says who sees this line alone (``tests.data.line_reader``).
The header stays, and the file's own mark.

Where ids are filled down, one person's lines come in blocks: a line that says whose it is, or is no
row, and lines below it with nothing in the column of people. A block is put between blocks, never
into another person's: the rows below it would be its own.
"""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import pytest

from dpdesk.data.files import source
from dpdesk.data.files.source import LINE_BYTES
from dpdesk.data.people.person import normalise_id
from dpdesk.study.model.columns import DecimalMark
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Thousands, Unit
from tests.audit.neighbour_studies import (
    FILE,
    NAMES,
    VARIANTS,
    WORST,
    made_study,
    made_unit,
    vectors,
)
from tests.data.line_reader import encoded, read_line
from tests.doors import Call, distance

T = TypeVar("T")

MISSING = "?"
VICTIM = "7"
PEOPLE = ("1", "2", "ab", "patient x", "8", "")
ENCODINGS = ("utf-8", "utf-8", "latin-1", "cp1252", "utf-16", "utf-16-be", "cp850")
MOST_LINES = 5
SEVERAL = 4
"""So many neighbours are made of each file."""
NUMBER_MARKS: tuple[tuple[Thousands, DecimalMark], ...] = (
    *(("", "."), ("", ","), (",", "."), (".", ","), (" ", ","), ("'", ".")),
)
DAYS = (
    *("2024-01-05", "2024-01-05 13:45", "2024-12-31T00:00:00Z", "05.01.2024", "5.1.2024", "1/5/24"),
    *("05-JAN-2024", "5. Jan. 2024", "5 janvier 2024 7:30", "Jan 5, 2024", "30 Feb 2024", "5JAN24"),
    *("20240105", "240105", "202401051345", "05/01/2024 07:30", "2024-02-30", "2023-12-31", "x"),
)
ANSWERS = ("yes", "no", "YES", " No", "1", "0", "", "?", "maybe")
LONGEST = 400
"""Lines are read so far where the pieces read at once are small."""


@dataclass(frozen=True)
class FileWorld:
    """A file and neighbours of it, each with other lines of one person.

    Attributes:
        study: what is asked.
        first: the file's bytes.
        neighbours: theirs.
        chunk: so many bytes are read at once.
        packed: how the file is packed, by its ending; not at all where there is none.
    """

    study: Study
    first: bytes
    neighbours: tuple[bytes, ...]
    chunk: int
    packed: str = ""

    @property
    def longest(self) -> int:
        """So many bytes of a line are read; a chunk fits, as it does in the program."""
        return longest(self.chunk)

    def read_in_pieces(self, patch: pytest.MonkeyPatch) -> None:
        """Let the program read this world's files as the world says."""
        patch.setattr(source, "CHUNK_BYTES", self.chunk)
        patch.setattr(source, "LINE_BYTES", self.longest)


def longest(chunk: int) -> int:
    """So many bytes of a line are read where so many of the file are read at once."""
    return LONGEST if 3 * chunk < LONGEST else LINE_BYTES


@dataclass(frozen=True)
class Writing:
    """How a file is written, but for its cells.

    Attributes:
        source: how it is declared.
        head: its mark and all up to the end of the header's line.
        line_end: what stands behind a line.
        foreign_end: a line end of another system, which is no end here; a blank where all are.
    """

    source: DataSource
    head: bytes
    line_end: bytes
    foreign_end: str


def file_world(seed: int) -> FileWorld:
    """A made-up world; the same for the same seed."""
    dice = random.Random(seed)
    unit = made_unit(dice)
    fills = unit.person is not None and unit.without_id == "drop" and dice.random() < 0.4
    writing = random_writing(dice, fills)
    asked = made_study(unit, writing.source.header_row == 0, dice.randrange(VARIANTS))
    study = replace(asked, data=writing.source)
    chunk = dice.choice([1, 2, 3, 7, 16, 64, 128, 1 << 21])
    maker = Lines(dice, writing, unit, longest(chunk))
    others = [line for line in maker.many(PEOPLE, 8) if maker.owner(line) != VICTIM]
    others = _bounded(others, maker, unit.max_rows)
    first = [] if unit.neighbours == "add-remove" else maker.mine()
    files = [maker.file(others, mine) for mine in (first, *(maker.mine() for _ in range(SEVERAL)))]
    return FileWorld(study, files[0], tuple(files[1:]), chunk, dice.choice(list(PACKED)))


def worst_worlds() -> dict[str, FileWorld]:
    """Pairs in which a reader that looks beyond a line goes wrong, each in its own way."""
    crowd = [f"{n},{n % 10},{'AB'[n % 2]},2024-02-03,yes,F,well" for n in range(20, 60)]
    plain = DataSource(FILE, missing=(MISSING,))
    bare = replace(plain, header_row=0)
    first, last = 'ME,"see note,5', 'ME,pipe of 12",5'
    wide, latin = (replace(bare, encoding=encoding) for encoding in ("utf-16", "latin-1"))
    return {
        "two stray marks around everybody": _world(plain, crowd, [first], [last]),
        "one mark before another's": _world(plain, [*crowd[:5], last, *crowd[5:]], [first]),
        "a lone CR in the first row": _world(bare, crowd, ["ME,1\r,A,x"]),
        "the widest row first": _world(bare, crowd, ["ME,1,A,x"]),
        "a row of more cells than a header may have": replace(
            _world(bare, crowd, ["ME,1,A" + "," * 20_000]), chunk=1 << 21
        ),
        "the only row": _world(bare, [], ["ME,1,A,x"]),
        "a first row that looks like another kind of file": _world(bare, crowd, ["%PDF-1.7,1,A"]),
        "a first row that looks packed": _world(latin, crowd, ["\x1f\x8b,1,A"]),
        "a row that closes a header's bracket": _world(plain, crowd, ["x,ME,1,</b>"], head="<a>,"),
        "a first row that looks like a byte order": _world(wide, crowd, ["\ufffe,1,A"]),
        "a mark in front of a row that was first": _world(
            bare, ['\ufeff"2,5",5,A', *crowd], ["ME,1,A"]
        ),
        "a first row of a person that is none": _world(
            replace(plain, fill_down=True),
            [*crowd[:9], *[",5,A,2024-02-03,yes,F,well"] * 4],
            [],
            ['ME,"open,5', *[",60,B,2024-02-03,yes,F,well"] * 9],
        ),
        "first rows that are none, below several people": _broken_first_rows(
            replace(plain, fill_down=True), crowd
        ),
        "an id that says that there is none": _world(
            replace(plain, fill_down=True),
            crowd[:9],
            [],
            ["?,1", *[",60,B,2024-02-03,yes,F,well"] * 9],
        ),
        "a row of a row name alone": _world(
            replace(plain, row_names=True), [f"r,{line}" for line in crowd], ["ME", "r,ME"], ["ME,"]
        ),
        "a time of day above days without one": _world(
            plain,
            [line.replace("2024-02-03", "3 Feb 24") for line in crowd],
            ["ME,1,A,3 Feb 24 23:00,yes,F,well"],
        ),
        "a row beyond the longest": _world(plain, crowd, ["ME,1,A," + "x" * 999 + ","], ["ME"]),
    }


def _broken_first_rows(declared: DataSource, crowd: list[str]) -> FileWorld:
    """Blocks below several people, each with a first line that is no row."""
    study = replace(made_study(Unit("pid", 5), False, WORST), data=declared)
    block = ['ME,"open,5', *[",9,B,2024-02-03,yes,F,well"] * 4]
    lines = [*crowd[:5], *block, *crowd[5:10], *block, *crowd[10:15], *block, *crowd[15:]]
    header = ",".join(NAMES)
    first, second = (encoded("\n".join([header, *part]), declared) for part in (crowd, lines))
    return FileWorld(study, first, (second,), 128)


def _world(
    declared: DataSource,
    others: list[str],
    above: list[str],
    below: list[str] | None = None,
    head: str = "",
) -> FileWorld:
    """Others' lines alone, and between one person's."""
    study = replace(made_study(Unit("pid"), declared.header_row == 0, WORST), data=declared)
    header = "" if declared.header_row == 0 else head + ",".join(NAMES) + "\n"
    files = (header + "\n".join(lines) for lines in (others, [*above, *others, *(below or [])]))
    first, second = (encoded(text, declared) for text in files)
    return FileWorld(study, first, (second,), 128)


def file_violations(world: FileWorld, folder: Path) -> list[tuple[str, int, float]]:
    """The draws whose distance exceeds what was declared, for any of the neighbours."""
    first, found = _calls(world, world.first, folder), []
    for raw in world.neighbours:
        second = _calls(world, raw, folder)
        assert [c.public for c in first] == [c.public for c in second]
        found += [
            (a.name, a.sensitivity, distance(a, b)) for a, b in zip(first, second, strict=True)
        ]
    return [moved for moved in found if moved[2] > moved[1]]


def _calls(world: FileWorld, raw: bytes, folder: Path) -> list[Call]:
    """What goes through the door for a text."""
    path = FILE + world.packed
    (folder / path).write_bytes(PACKED[world.packed](raw))
    assert world.study.data is not None
    return vectors(replace(world.study, data=replace(world.study.data, path=path)), folder)


def _zipped(raw: bytes) -> bytes:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(FILE, raw)
    return into.getvalue()


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda raw: gzip.compress(raw, 1),
    ".zip": _zipped,
}


# --- how it is written --------------------------------------------------------------------------


def random_writing(dice: random.Random, fills: bool = False) -> Writing:
    """A dialect; declared, but where the header says it."""
    return _written(
        dice, fills, dice.choice(["\n", "\r\n", "\r"]), dice.choice([None, None, 1, 4, 0])
    )


def writing_of(dice: random.Random, fills: bool, path: str) -> Writing:
    """A dialect of a file with a header."""
    ending, header_row = dice.choice(["\n", "\r\n", "\r"]), dice.choice([None, 1, 4])
    writing = _written(dice, fills, ending, header_row)
    return replace(writing, source=replace(writing.source, path=path))


def _written(dice: random.Random, fills: bool, ending: str, header_row: int | None) -> Writing:
    separator = dice.choice([",", ";", "\t", "|"])
    thousands, decimal = dice.choice(NUMBER_MARKS)
    declared = DataSource(
        FILE,
        missing=(MISSING,),
        separator=separator,
        thousands=thousands if separator not in thousands + decimal else "",
        decimal=decimal if separator not in thousands + decimal else ".",
        encoding=dice.choice(
            ["utf-8", "utf-8", "latin-1", "cp1252", "utf-16", "utf-16-be", "cp850"]
        ),
        header_row=header_row,
        quotes=dice.random() < 0.85,
        line_ending="cr" if ending == "\r" else dice.choice(["", "lf", "any"]),
        row_names=header_row != 0 and dice.random() < 0.3,
        fill_down=fills,
    )
    mark = "\ufeff" if declared.encoding.startswith("utf") and dice.random() < 0.5 else ""
    head = mark + _head(dice, declared, ending)
    foreign = "\n" if ending == "\r" else "\r"
    if declared.line_ending == "any":
        foreign = " "
    return Writing(declared, encoded(head, declared), encoded(ending, declared), foreign)


def _head(dice: random.Random, declared: DataSource, ending: str) -> str:
    if declared.header_row == 0:
        return ""
    plain = declared.separator.join(NAMES)
    quoted = declared.separator.join(f'"{name}"' for name in NAMES)
    header = quoted if declared.quotes and dice.random() < 0.5 else plain
    blank = dice.choice(["", "", ending])
    above = ["Report", 'of "2024', ""] if declared.header_row == 4 else []
    return "".join(f"{line}{ending}" for line in above) + blank * (not above) + header + ending


# --- what it holds ------------------------------------------------------------------------------


class Lines:
    """Makes lines of bytes, and says whose each of them is."""

    def __init__(self, dice: random.Random, writing: Writing, unit: Unit, most: int) -> None:
        self._dice = dice
        self._writing = writing
        self._unit = unit
        self._most = most
        self._source = writing.source
        self._ends = {encoded(end, writing.source) for end in "\r\n"} - {
            encoded(writing.foreign_end, writing.source)
        }

    def many(self, people: tuple[str, ...], most: int) -> list[bytes]:
        """Some lines about some people, or about nobody."""
        count = self._dice.randint(0, most)
        return [self.line(self._dice.choice(people)) for _ in range(count)]

    def mine(self, name: str = VICTIM) -> list[list[bytes]]:
        """What one person may be: their lines, and such as are no row or have no id, in blocks."""
        most = MOST_LINES if self._unit.person else 1
        found = [self.line(name) for _ in range(self._dice.randint(1, most))]
        whose = (name, None) if self._unit.without_id == "one-person" else (name, "", None)
        mine = [line for line in found if not self._unit.person or self.owner(line) in whose]
        if not self._source.fill_down:
            return [[line] for line in mine]
        return [[line, *self._below()] for line in mine if self.says(line)]

    def _below(self) -> list[bytes]:
        """Lines that do not say whose they are."""
        return [line for line in self.many(("",), 3) if not self.says(line)]

    def says(self, line: bytes) -> bool | None:
        """Whether a line says whose the rows are; ``None`` for one of nothing but blanks."""
        if read_line(line, replace(self._source, quotes=False), self._most) is None:
            return None
        cells = read_line(line, self._source, self._most)
        return cells is None or normalise_id(self._id_of(cells)) != ""

    def owners(self, lines: list[bytes]) -> list[str | None]:
        """Whose the lines of a file are."""
        found, above = [], None
        for line in lines:
            says = self.says(line) if self._source.fill_down else True
            above = self.owner(line) if says else above
            found.append(above if says is not None else None)
        return found

    def reordered(self, lines: list[bytes]) -> list[bytes]:
        """The lines in another order; as they are where an order says whose they are."""
        return lines if self._source.fill_down else self._dice.sample(lines, len(lines))

    def people(self, lines: list[bytes]) -> set[str]:
        """Who is named in some lines by an id of the declared shape."""
        found = (read_line(line, self._source, self._most) for line in lines)
        cells = {self._id_of(one) for one in found if one is not None}
        named = {one for one in cells if normalise_id(one) not in ("", MISSING)}
        return {normalise_id(one) for one in named if self._has_shape(one)}

    def _has_shape(self, cell: str) -> bool:
        shape, text = self._unit.id_shape, normalise_id(cell, leading_zeros=True)
        if shape is None:
            return True
        rest = text.removeprefix(shape.prefix)
        plain = rest.isdecimal() if shape.of == "digits" else rest.isalnum()
        is_of = shape.of == "any" or (rest.isascii() and plain)
        has_length = shape.shortest <= len(rest) <= shape.longest
        return text.startswith(shape.prefix) and is_of and has_length

    def _id_of(self, cells: list[str]) -> str:
        place = int(self._source.row_names)
        return cells[place] if place < len(cells) else ""

    def owner(self, line: bytes) -> str | None:
        """Whose a line is, read alone: an id, nobody's, or no row at all."""
        cells = read_line(line, self._source, self._most)
        if cells is None:
            return None
        found = normalise_id(self._id_of(cells))
        return "" if found == MISSING else found

    def line(self, person: str) -> bytes:
        """A line about somebody; what it holds besides may be anything."""
        kind = self._dice.random()
        if kind < 0.35:
            return self._bytes(self._plain(person))
        if kind < 0.75:
            return self._bytes(self._about(person) + self._odd())
        if kind < 0.9:
            return self._bytes(self._odd())
        return self._bytes(self._about(person)) + self._junk()

    def file(self, others: list[bytes], mine: list[list[bytes]]) -> bytes:
        """A file with these lines, in some order that keeps the others'."""
        lines = [("others", line) for line in others]
        self.place(lines, "mine", mine)
        return self.written([line for _, line in lines])

    def place(self, lines: list[tuple[T, bytes]], whose: T, blocks: list[list[bytes]]) -> None:
        """Put blocks between lines that are said whose they are; all of these keep their order."""
        for block in blocks:
            places = self._between([line for _, line in lines])
            place = self._dice.choice([places[0], places[-1], self._dice.choice(places)])
            lines[place:place] = [(whose, line) for line in block]

    def written(self, lines: list[bytes]) -> bytes:
        """A file with these lines; its last one may have no end."""
        end = self._writing.line_end
        body = b"".join(line + end for line in lines)
        if lines and self._dice.random() < 0.3:
            body = body[: -len(end)]
        return self._writing.head + body

    def _between(self, lines: list[bytes]) -> list[int]:
        """Where a block may be put: at the end, and where what stands next says whose it is."""
        if not self._source.fill_down:
            return list(range(len(lines) + 1))
        says = [self.says(line) for line in lines]
        last = [
            next((said for said in says[n:] if said is not None), True) for n in range(len(says))
        ]
        return [n for n, said in enumerate(last) if said] + [len(lines)]

    def _row_name(self) -> str:
        if not self._source.row_names:
            return ""
        return self._dice.choice(["1", "", '"r 2"', VICTIM]) + self._source.separator

    def _plain(self, person: str) -> str:
        cells = [person, self._number(), self._dice.choice(["A", "B", "b", "C", ""])]
        cells += [self._dice.choice(DAYS), self._dice.choice(ANSWERS), self._dice.choice("FMX")]
        cells += [self._dice.choice(["", "well", '"a, b"', '"he said ""no"""', MISSING])]
        cells = cells[: self._dice.choice([7, 7, 7, 7, 3, 5])]
        return self._row_name() + self._source.separator.join(cells)

    def _number(self) -> str:
        """One that is written as declared, or not quite."""
        mark = self._source.thousands
        number = self._dice.choice([self._dice.randint(-1, 12), self._dice.randint(0, 2_000)])
        written = f"{number:,}".replace(",", mark) if self._dice.random() < 0.8 else f"{number:,}"
        return written + self._dice.choice(["", "", "", f"{self._source.decimal}0", ",5", ".5"])

    def _about(self, person: str) -> str:
        shown = self._dice.choice([person, f'"{person}"', f" {person}", f' "{person}"'])
        return self._row_name() + shown + self._source.separator

    def _odd(self) -> str:
        signs = [*'"""', self._source.separator, self._source.separator, self._writing.foreign_end]
        signs += [*' \t\x00\x0b\x0c\x1c\x1a5A,;|"', "\ufeff", "\x85", "\u2028", '""', "0x1", "-07"]
        signs += ["\U0001f600", "é", self._source.separator + '"', '"' + self._source.separator]
        count = self._dice.choice([1, 2, 3, 5, 8, 13])
        found = "".join(self._dice.choices(signs, k=count))
        if self._dice.random() < 0.05:
            return found + self._dice.choice('x "') * self._dice.randint(LONGEST - 9, 3 * LONGEST)
        return found

    def _junk(self) -> bytes:
        """Whole code units that may mean nothing."""
        width = 2 if self._source.encoding.startswith("utf-16") else 1
        count = self._dice.randint(1, 6)
        units = (self._unit_of(width) for _ in range(count))
        return b"".join(unit for unit in units if unit not in self._ends)

    def _unit_of(self, width: int) -> bytes:
        if width == 1:
            return self._dice.choice([self._dice.randbytes(1), b"\xe2", b"\x82", b"\xff", b"\xc3"])
        lone = self._dice.choice([b"\x3d\xd8", b"\x00\xde", b"\xff\xff", b"\xff\xfe", b"\xfe\xff"])
        return self._dice.choice([self._dice.randbytes(2), lone])

    def _bytes(self, text: str) -> bytes:
        kept = text.replace("\n" if self._writing.foreign_end == "\r" else "\r", "")
        return encoded(kept, self._source)


def _bounded(lines: list[bytes], maker: Lines, most: int) -> list[bytes]:
    """At most so many lines of each person, so that the bound touches the victim alone."""
    seen: Counter[str | None] = Counter()
    kept: list[bytes] = []
    for line in lines:
        owner = maker.owners([*kept, line])[-1]
        seen[owner] += 1
        if seen[owner] <= most or owner is None:
            kept.append(line)
    return kept
