# SPDX-License-Identifier: Apache-2.0
"""A text packed alone in a gzip or zip file is read where it lies, and nothing else of it is."""

from __future__ import annotations

import gzip
import io
import random
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.encode import encode
from dpdesk.data.files import packed
from dpdesk.data.files.source import read_chunks
from dpdesk.data.inspection.ragged_rows import ragged_rows
from dpdesk.data.inspection.raw_preview import top_rows
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header, sample_rows
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused
from tests.audit.length import runs
from tests.data.workbooks import write_workbook

TEXT = b"id;days\n" + b"".join(b"%d;%d\n" % (n, n % 9) for n in range(3_000))
DAYS = NumberColumn("days", Decimal(0), Decimal(10), Decimal(1))
Pack = Callable[[bytes], bytes]


def zipped(*members: tuple[str, bytes], kind: int = zipfile.ZIP_DEFLATED, mode: int = 0) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.compress_type, info.external_attr = kind, mode << 16
            archive.writestr(info, content)
    return out.getvalue()


def streamed(content: bytes) -> bytes:
    """A zip whose sizes stand behind the data, as written into a pipe."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.out = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            self.out += bytes(data)  # type: ignore[call-overload]
            return len(bytes(data))  # type: ignore[call-overload]

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", content)
    return bytes(pipe.out)


def zipped_alone(content: bytes, level: int = 9) -> bytes:
    """By gzip, without the time: tests are named by what they are given, in each worker anew."""
    return gzip.compress(content, level, mtime=0)


PACKS: dict[str, Pack] = {
    "gzip": zipped_alone,
    "zip": lambda text: zipped(("t.csv", text)),
    "zip, stored": lambda text: zipped(("folder/t.csv", text), kind=zipfile.ZIP_STORED),
    "zip, by a Mac": lambda text: zipped(("t.csv", text), ("__MACOSX/._t.csv", b"\0\5\x16\7")),
    "zip, by Unix": lambda text: zipped(("t.csv", text), mode=stat.S_IFREG | 0o644),
    "zip, streamed": streamed,
}


def written(folder: Path, content: bytes, name: str = "t.csv.gz") -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def code(path: Path) -> str:
    """What a packed file is refused for; whoever looks at it first says the same."""
    with pytest.raises(Refused) as refused:
        source = recognise(path)
        for chunk in read_chunks(source, Path(), no_progress, CancelToken()):
            assert len(chunk) <= 3 << 21
    assert [p.path for p in refused.value.problems] == ["$.data.path"]
    assert refused.value.__cause__ is None
    return refused.value.problems[0].code


MAGIC = [b"PK12", b"PK\3\4", b"\x1f\x8b", b"BZh91AY&SY", b"7z\xbc\xaf", b"Rar!\x1a\x07", b"PAR1"]
NAMELESS = replace(DAYS, name="(column 2)")


@pytest.mark.parametrize("pack", [None, *PACKS])
@pytest.mark.parametrize("start", MAGIC)
def test_a_first_row_does_not_say_what_is_packed(
    start: bytes, pack: str | None, tmp_path: Path
) -> None:
    rows = start + b",5\n7,3\n"
    path = written(tmp_path, PACKS[pack](rows) if pack else rows, "t.csv.gz" if pack else "t.csv")
    data = DataSource(str(path), header_row=0, encoding="latin-1")
    table = encode(Study(data=data, unit=Unit(None), columns=(NAMELESS,)), Path())
    assert table.column("(column 2)").codes.tolist() == [5, 3]


def test_a_row_below_the_header_is_not_looked_at_for_another_kind(tmp_path: Path) -> None:
    top = b"id,days,note\n7,3,"
    text = top + b"x" * (455 - len(top)) + b",SPSSPORT\n"
    text = text.replace(b"x,SPSSPORT", b"x SPSSPORT")
    assert text.index(b"SPSSPORT") == 456
    data = DataSource(str(written(tmp_path, zipped_alone(text))))
    assert len(b"".join(read_chunks(data, Path(), no_progress, CancelToken()))) == len(text)


def test_a_column_may_be_called_as_an_archive_begins(tmp_path: Path) -> None:
    path = written(tmp_path, zipped_alone(b"PK;BZh\n1;2\n"))
    assert read_header(recognise(path), Path()) == ("PK", "BZh")


def test_a_name_that_promises_a_packed_text_is_held_to_it(tmp_path: Path) -> None:
    data = DataSource(str(written(tmp_path, b"7,3\n")), header_row=0)
    with pytest.raises(Refused) as refused:
        b"".join(read_chunks(data, Path(), no_progress, CancelToken()))
    assert refused.value.problems[0].code == "data-file-damaged"


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_packed_text_is_the_text(pack: str, encoding: str, tmp_path: Path) -> None:
    text = TEXT.decode().encode(encoding)
    plain = recognise(written(tmp_path, text, "t.csv"))
    reported: list[tuple[int, int]] = []
    path = written(tmp_path, PACKS[pack](text))
    source = recognise(path)
    assert source == DataSource(str(path), separator=";", encoding=plain.encoding)
    assert read_header(source, Path()) == ("id", "days")
    assert sample_rows(source, Path(), 2) == [["0", "0"], ["1", "1"]]
    assert top_rows(source, Path(), 2)[0] == ["id", "days"]
    assert ragged_rows(source, Path()) == ragged_rows(plain, Path())
    tables = [
        encode(
            Study(data=data, unit=Unit("id"), columns=(DAYS,)),
            Path(),
            progress=lambda done, total: reported.append((done, total)),
        )
        for data in (plain, source)
    ]
    assert tables[0].column("days").codes.tolist() == tables[1].column("days").codes.tolist()
    size = path.stat().st_size
    assert reported[-1] == (size, size)
    assert all(0 <= done <= total for done, total in reported)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv", "t.csv.gz"]


def flagged(content: bytes, flag: int) -> bytes:
    """A zip that says something of its one member, at both places."""
    place = content.index(b"PK\1\2")
    out = bytearray(content)
    for at in (6, place + 8):
        out[at : at + 2] = struct.pack("<H", struct.unpack_from("<H", out, at)[0] | flag)
    return bytes(out)


ONE = zipped(("t.csv", TEXT))
GZ = zipped_alone(TEXT)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (GZ + GZ, "data-file-several"),
        (GZ + b"\0", "data-file-several"),
        (GZ + b"more", "data-file-several"),
        (GZ[:-1], "data-file-damaged"),
        (GZ[:-9], "data-file-damaged"),
        (GZ[:20], "data-file-damaged"),
        (GZ[:-8] + b"\0\0\0\0" + GZ[-4:], "data-file-damaged"),
        (GZ[:200] + b"\xff" * 20 + GZ[220:], "data-file-damaged"),
        (zipped_alone(GZ), "data-file-compressed"),
        (zipped_alone(ONE), "data-file-packed-table"),
        (zipped_alone(b"PAR1" + bytes(99)), "data-file-packed-table"),
        (zipped(("t.csv", GZ)), "data-file-compressed"),
        (zipped(("t.csv", ONE)), "data-file-packed-table"),
        (zipped(("a.csv", TEXT), ("b.csv", TEXT)), "data-file-archive"),
        (zipped(("a.csv", TEXT), ("__MACOSX/a", b""), ("__MACOSX/b", b"")), "data-file-archive"),
        (zipped(("__MACOSX/._a.csv", b"x"), ("a.csv", TEXT)), "data-file-several"),
        (zipped(), "data-file-archive"),
        (zipped(("folder/", b"")), "data-file-archive"),
        (zipped(("t.csv", b"/etc/passwd"), mode=stat.S_IFLNK | 0o777), "data-file-archive"),
        (zipped(("t.csv", TEXT), mode=stat.S_IFIFO | 0o644), "data-file-archive"),
        (zipped(("t.csv", TEXT), kind=zipfile.ZIP_LZMA), "data-file-compressed"),
        (zipped(("t.csv", TEXT), kind=zipfile.ZIP_BZIP2), "data-file-compressed"),
        (flagged(ONE, 0x1), "data-file-locked"),
        (flagged(ONE, 0x41), "data-file-locked"),
        (ONE + b"more", "data-file-archive"),
        (ONE + ONE, "data-file-archive"),
        (ONE[: len(ONE) // 2], "data-file-damaged"),
        (ONE[:60] + bytes(20) + ONE[80:], "data-file-damaged"),
        (zipped_alone(b"  \n"), "data-file-empty"),
        (zipped_alone(b"%PDF-1.7"), "data-file-pdf"),
        (zipped(("t.csv", b"")), "data-file-empty"),
    ],
)
def test_nothing_but_one_text_is_read(content: bytes, expected: str, tmp_path: Path) -> None:
    assert code(written(tmp_path, content)) == expected


def test_a_workbook_is_no_packed_text(tmp_path: Path) -> None:
    write_workbook(tmp_path / "t.xlsx", {"S": [["a", "b"], [1, 2]]})
    assert recognise(tmp_path / "t.xlsx").format == "excel"


def test_a_bomb_is_refused_while_it_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 8 << 20
    monkeypatch.setattr(packed, "MAX_UNPACKED_BYTES", most)
    text = zipped_alone(b"id\n" + b"\n" * (64 << 20), 9)
    assert len(text) < 100_000
    path = written(tmp_path, text)
    source = recognise(path)
    out = 0
    tracemalloc.start()
    with pytest.raises(Refused) as refused:
        for chunk in read_chunks(source, Path(), no_progress, CancelToken()):
            out += len(chunk)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused.value.problems[0].code == "data-file-unpacks-large"
    assert out <= most + (1 << 21)
    assert peak < 32 << 20


def test_one_line_of_blanks_does_not_decide_whether_the_others_are_read(tmp_path: Path) -> None:
    """It packs to a thousandth: a limit to the ratio would be one person's to reach."""
    whole = Study(
        data=recognise(written(tmp_path, TEXT, "t.csv")), unit=Unit("id"), columns=(DAYS,)
    )
    with gzip.open(tmp_path / "t.csv.gz", "wb", 9) as out:
        out.write(TEXT)
        for _ in range(runs(60, 300)):
            out.write(b" " * (1 << 20))
        out.write(b"\n9999;9\n")
    path = tmp_path / "t.csv.gz"
    assert path.stat().st_size < runs(60, 300) << 11  # less than a five hundredth
    table = encode(replace(whole, data=recognise(path)), Path())
    # The line has one cell: it is no row.
    assert table.people() == encode(whole, Path()).people() + 1 == 3_001
    assert table.column("days").codes[-1] == 9


@pytest.mark.parametrize("pack", ["gzip", "zip", "zip, streamed"])
def test_no_broken_byte_raises_anything_but_a_refusal(pack: str, tmp_path: Path) -> None:
    dice = random.Random(20_261_122)
    whole = PACKS[pack](TEXT[:600])
    for _ in range(runs(short=25, full=500)):
        content = bytearray(whole)
        for _ in range(dice.choice((1, 1, 2, 8))):
            content[dice.randrange(len(content))] = dice.randrange(256)
        content = content[: dice.choice((len(content), dice.randrange(4, len(content))))]
        path = written(tmp_path, bytes(content))
        try:
            for _ in read_chunks(recognise(path), Path(), no_progress, CancelToken()):
                pass
        except Refused as refused:
            assert refused.__cause__ is None and refused.__context__ is None
