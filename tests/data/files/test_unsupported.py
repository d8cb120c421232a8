# SPDX-License-Identifier: Apache-2.0
"""Files without a table are refused for what they are; no table is taken for one of them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sqlite3
import struct
import tarfile
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import feather

from dpdesk.data.files.unsupported import unsupported_code
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused
from dpdesk.texts.problems import sentence

SECRET = "Westerling"
ROW = {"name": SECRET, "age": 7}
TABLE = f"name,age\n{SECRET},7\n".encode()
PAGE = f"<table><tr><td>{SECRET}</td></tr></table>"
OFFICE = f'<?mso-application progid="Excel.Sheet"?><Workbook><a>{SECRET}</a></Workbook>'


def database(folder: Path) -> bytes:
    with sqlite3.connect(folder / "made.db") as connection:
        connection.execute("create table visits (name text)")
    connection.close()
    return (folder / "made.db").read_bytes()


def tar() -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        part = tarfile.TarInfo("visits.csv")
        part.size = len(TABLE)
        archive.addfile(part, io.BytesIO(TABLE))
    return made.getvalue()


def arrow() -> bytes:
    made = io.BytesIO()
    feather.write_feather(pa.table({"name": [SECRET]}), made)
    return made.getvalue()


R_TABLE = b"X\n\0\0\0\3\0\4\1\0\0\3\5\0" + bytes(40)
TEXTS = {
    "json": [
        json.dumps([ROW, ROW]),
        json.dumps({"visits": [ROW]}, indent=2),
        f"{json.dumps(ROW)}\n{json.dumps(ROW)}\n",
        json.dumps([[SECRET, 7], ["b", 8]]),
        json.dumps([SECRET, "b"]),
        f"\n [\n  {json.dumps(ROW)}\n]",
        "{}",
        "[]\n",
    ],
    "markup": [
        f'<?xml version="1.0"?><a>{SECRET}</a>',
        f"<!DOCTYPE html><p>{SECRET}",
        f"<html>\n<body>{SECRET}",
        PAGE,
        f'\n<visits>\n<visit age="7">{SECRET}</visit></visits>',
        OFFICE,
        "<!-- made by a program -->\n<a/>",
    ],
    "hl7": [
        f"MSH|^~\\&|HIS|H|LAB|H|20240101||ADT^A01|0|P|2.5\rPID|1||0^^^H||{SECRET}^J\r",
        "FHS|^~\\&|A\n",
        "\x0bMSH#^~\\&#HIS\n",
    ],
    "arff": [
        f"@RELATION h\n@ATTRIBUTE name STRING\n@DATA\n{SECRET}\n",
        "% made by a program\n\n@relation 'a b'\n",
    ],
    "sas-program": [
        f"data work.stays;\n  input name $ age;\n  datalines;\n{SECRET} 7\n;\nrun;\n",
        "/* made\n by */ options nodate;\nDATA a(keep=b);\n",
        f"data a; input name $; cards;\n{SECRET}\n;\n",
        "* a comment;\nproc print data=a;\nrun;\n",
    ],
    "rtf": [f"{{\\rtf1\\ansi {SECRET}}}"],
}
BYTES = {
    "pdf": [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"],
    "archive": [b"7z\xbc\xaf\x27\x1c\0\4", b"Rar!\x1a\x07\x01\0", tar()],
    "compressed": [bz2.compress(TABLE), lzma.compress(TABLE)],
    "picture": [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0\0\x10JFIF",
        b"GIF89a\1\0\1\0",
        b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0",
        b"RIFF\x24\0\0\0WEBPVP8 ",
        bytes(128) + b"DICM\2\0\0\0",
    ],
    "r": [
        gzip.compress(R_TABLE, mtime=0),
        lzma.compress(R_TABLE),
        bz2.compress(R_TABLE),
        b"RDX3\nX\n\0",
    ],
    "dbase": [
        bytes([3, 124, 1, 31])
        + struct.pack("<IHH", 1, 65, 9)
        + bytes(20)
        + b"NAME".ljust(32, b"\0")
        + b"\r "
        + SECRET[:8].encode(),
    ],
    "columnar": [arrow(), b"\x89HDF\r\n\x1a\n\0", b"ORC\x08\x03", b"Obj\1\4\x16"],
}
CASES = [(kind, text.encode(), "utf-8") for kind, texts in TEXTS.items() for text in texts]
CASES += [(kind, head, "latin-1") for kind, heads in BYTES.items() for head in heads]


@pytest.mark.parametrize(
    ("kind", "content", "encoding"), CASES, ids=[f"{at}-{case[0]}" for at, case in enumerate(CASES)]
)
def test_what_it_is_and_the_way_out_are_said(
    kind: str, content: bytes, encoding: str, tmp_path: Path
) -> None:
    refused_as(kind, content, encoding, tmp_path)


def test_a_database_is_recognised(tmp_path: Path) -> None:
    refused_as("database", database(tmp_path), "utf-8", tmp_path)


def test_a_text_in_another_encoding_is_recognised(tmp_path: Path) -> None:
    refused_as("json", json.dumps(ROW).encode("utf-16"), "utf-16", tmp_path)
    refused_as("json", json.dumps(ROW).encode("utf-8-sig"), "utf-8", tmp_path)


def refused_as(kind: str, content: bytes, encoding: str, folder: Path) -> None:
    """Whatever it is called, and where a study calls it a text."""
    for name in ("t.csv", "t.xlsx", "t.sav"):
        path = folder / name
        path.write_bytes(content)
        with pytest.raises(Refused) as recognised:
            recognise(path)
        with pytest.raises(Refused) as opened:
            read_header(DataSource(path=name, encoding=encoding), folder)
        assert recognised.value.problems == opened.value.problems
        (problem,) = opened.value.problems
        assert (problem.path, problem.code) == ("$.data.path", f"data-file-{kind}")
        assert SECRET not in sentence(problem)


def test_every_sentence_has_a_way_out() -> None:
    for kind in (*TEXTS, *BYTES, "database", "document"):
        code = f"data-file-{kind}"
        _what, way = sentence(Problem("$.data.path", code)).split(";")
        assert way.strip().startswith(("save", "unpack", "ask for", "copy", "open")), code


@pytest.mark.parametrize(
    "text",
    [
        "A\n2\n3\n",
        "BMI,age\n22,40\n",
        "data x;age\n1;2\n",
        "proc;age\n1;2\n",
        "MSH|age\n1|2\n",
        "@relation_id,age\n1,2\n",
        "%,age\n1,2\n",
        "\x03,age\n1,2\n",
        "BM,age\n22,40\n",
        "BZh,age\n22,40\n",
        "ORC,age\n22,40\n",
        "FEA1,age\n22,40\n",
        "RDX2;age\n22;40\n",
        "<DATE>,<WARD>\n2020-01-01,A\n",
        "<id>\t<age>\n1\t2\n",
        "[id],[name]\n1,2\n",
        "[0,10),[10,20)\n1,2\n",
        "[0],[1]\n1,2\n",
        "{id},{age}\n1,2\n",
        '"{id}","a"\n1,2\n',
        "<5,>5\n1,2\n",
        "GIF,PNG\n1,2\n",
        "II,MM\n1,2\n",
        "MATLAB,R\n1,2\n",
        "7z,Rar\n1,2\n",
        "id\n1\n",
    ],
)
def test_a_table_stays_a_table(text: str, tmp_path: Path) -> None:
    assert unsupported_code(text.encode(), text) is None
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    assert recognise(tmp_path / "t.csv").format == "csv"


def test_what_is_packed_a_thousandfold_is_not_unpacked(tmp_path: Path) -> None:
    refused_as("compressed", bz2.compress(bytes(50_000_000)), "latin-1", tmp_path)
