# SPDX-License-Identifier: Apache-2.0
"""No row decides whether there is a release; a person does, and is always asked."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.data.files import packed
from dpdesk.release.ledger import Ledger
from dpdesk.shell import check
from dpdesk.study.model.amount import Epsilon
from tests.audit.length import examples
from tests.data.workbooks import write_workbook
from tests.shell.hospital import ROWS, Hospital, Said
from tests.turns import in_turn

HEADER = ROWS[0]
AGAIN = ("--fresh", "--same-extract")
LINES = {
    "header again": HEADER.encode(),
    "header again, after a blank line": b"\n" + HEADER.encode(),
    "another header": b"\nward,patients,deaths",
    "totals": b"Total,,40",
    "counts": b"2020,deaths,1234",
    "a mark that opens": b'7,"A,3',
    "marks everywhere": b'"7"",""A,"3"""',
    "nothing but marks": b'""""""',
    "NUL": b"7,A\x00,3",
    "only NUL": b"\x00",
    "lone CR": b"7,A,3\r8,A,3",
    "only CR": b"\r\r",
    "huge number": b"7,A," + b"9" * 5_000,
    "exponent": b"7,A,1e999999999",
    "huge id": b"9" * 400 + b",A,3",
    "id of a spreadsheet": b"1.23E+11,A,3",
    "Latin-1": "7,Köln,3".encode("cp1252"),
    "UTF-16": "7,A,3".encode("utf-16"),
    "surrogate": b"\xed\xa0\x80,A,3",
    "byte-order mark": b"\xef\xbb\xbf7,A,3",
    "one cell more": b"7,A,3,9",
    "very many cells": b"," * 20_000,
    "one cell": b"7",
    "blanks": b" \t ",
    "settings": b"sep=;",
    "comment": b"# 7,A,3",
    "formula": b"=cmd|' /C calc'!A0,A,3",
    "markup": b"<html><body>",
    "PDF": b"%PDF-1.7",
    "zip": b"PK\x03\x04\x14\x00",
    "gzip": b"\x1f\x8b\x08\x00\x00",
    "JSON": b'{"a": [1, 2',
    "prose": b"The patient was seen on Monday and will be seen again in four weeks, says Dr. A.",
    "nothing": b"",
}
"""Lines of one person that might trip something up."""


@pytest.fixture
def rich(hospital: Hospital) -> Hospital:
    """A hospital whose account pays for very many releases."""
    Ledger.open(hospital.home).raise_budget("small", Epsilon.of(50), "for the test")
    return hospital


def with_line(line: bytes, place: int) -> bytes:
    """The rows with a line more."""
    rows = [row.encode() for row in ROWS]
    return b"\n".join([*rows[:place], line, *rows[place:]]) + b"\n"


def ended(hospital: Hospital, content: bytes, path: Path | None = None) -> tuple[int, str]:
    """How a release ends and what it prints, figures struck out, but for words of the check."""
    (path or hospital.data).write_bytes(content)
    said = hospital.release(*AGAIN)
    words = set(check.lines_of(*_checked(hospital)))
    words |= {line for line in said.sentences if line.startswith(SEEM)}
    rest = [line for line in said.sentences if line not in words]
    return said.status, "\n".join(line for line in rest if "has changed since" not in line)


def _checked(hospital: Hospital) -> tuple[object, ...]:
    from dpdesk.study.json.study_files import load_study

    file = load_study(hospital.study)
    return file.study, check.look(file.study, file.folder)


@pytest.mark.threat("B4")
@pytest.mark.parametrize("place", [1, 3, len(ROWS)])
@pytest.mark.long
def test_a_line_of_one_person_stops_no_release(rich: Hospital, place: int) -> None:
    neighbour = ended(rich, with_line(b"7,A,3", 3))
    assert neighbour[0] == 0
    for name, line in in_turn([*LINES.items()], 4, str(place)):
        assert ended(rich, with_line(line, place)) == neighbour, name


@pytest.mark.threat("B4")
@settings(
    max_examples=examples(8, 60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(line=st.binary(max_size=40), place=st.integers(1, len(ROWS)))
def test_no_bytes_of_one_person_stop_a_release(rich: Hospital, line: bytes, place: int) -> None:
    assert ended(rich, with_line(line, place))[0] == 0


@pytest.mark.threat("B11")
def test_a_packed_file_beyond_all_measure_is_refused_before_anything_is_drawn(
    rich: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit that a row may reach: one of all that comes out, shown before the question.

    There is another one: a sheet's rows times its columns, once no far cells can be left out.
    """
    packed_file = rich.folder / "stays.csv.gz"
    rich.write_study(lambda members: members["data"].update(path=packed_file.name))
    content = rich.data.read_bytes()
    monkeypatch.setattr(packed, "MAX_UNPACKED_BYTES", len(content) + 100)
    packed_file.write_bytes(gzip.compress(content + b"7,A,3\n"))
    assert rich.release(*AGAIN).status == 0
    before = rich.spent
    packed_file.write_bytes(gzip.compress(content + b" " * 200 + b"\n"))
    sentence = "$.data.path: The compressed file unpacks to more than 64 GB; unpack it and choose "
    for said in (rich.release(*AGAIN), rich.run("check", rich.study)):
        assert said.status == 1 and said.sentences[-1].startswith(sentence) and not said.out
    assert rich.spent == before
    rich.data.write_bytes(content + b" " * 200 + b"\n")
    rich.write_study(lambda _members: None)
    assert rich.release(*AGAIN).status == 0, "a file that is not packed has no such limit"


# --- whose people they seem to be ---------------------------------------------------------------

SEEM = "These people seem to be those of the account “other”."


@pytest.fixture
def known(rich: Hospital) -> Hospital:
    """A hospital of which another account holds people who are one in twenty of these."""
    Ledger.open(rich.home).new_account("other", Epsilon.of(1))
    rich.write_data(HEADER + "\n" + "".join(f"{n},A,3\n" for n in range(1, 21)))
    rich.write_study(lambda members: members["budget"].update(account="other"))
    assert rich.release().status == 0
    rich.write_study(lambda _members: None)
    return rich


def of_people(shared: int) -> bytes:
    """Twenty people, so many of whom the other account holds."""
    people = [*range(1, shared + 1), *range(1_001, 1_021 - shared)]
    return (HEADER + "\n" + "".join(f"{n},A,3\n" for n in people)).encode()


@pytest.mark.threat("B4", "E7")
def test_one_person_who_makes_the_people_look_known_stops_no_release(known: Hospital) -> None:
    """One of 39 is chance, two of 38 are not; a person decides what that means."""
    apart, alike = ended(known, of_people(1)), ended(known, of_people(2))
    assert alike == apart and alike[0] == 0
    known.data.write_bytes(of_people(1))
    assert SEEM not in known.release(*AGAIN).err
    known.data.write_bytes(of_people(2))
    said = known.release(*AGAIN)
    assert said.status == 0 and SEEM in said.err
    assert "--separate-from other REASON" in said.err and SEEM not in said.out
    kinds = [entry.kind for entry in Ledger.open(known.home).account("small").entries]
    assert "decision" not in kinds, "nothing in the chain says that anybody was warned"


def test_a_terminal_shows_whose_people_they_seem_to_be_before_it_asks(
    known: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    known.bundle.unlink()
    known.data.write_bytes(of_people(20))
    said = typed(known, "no\n", monkeypatch)
    assert said.status == 1 and known.spent == "0"
    assert said.err.index(SEEM) < said.err.index("Type yes:")


def test_what_is_declared_is_said_no_more_and_stays(known: Hospital) -> None:
    known.data.write_bytes(of_people(20))
    declared = ("--separate-from", "other", "another clinic")
    assert SEEM not in known.release(*AGAIN, *declared).err
    assert SEEM not in known.release(*AGAIN).err
    entries = Ledger.open(known.home).account("small").entries
    assert [entry.kind for entry in entries].count("decision") == 1


# --- the question -------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """Where somebody sits and types."""

    def isatty(self) -> bool:
        return True


def typed(hospital: Hospital, text: str, patch: pytest.MonkeyPatch) -> Said:
    patch.setattr(sys, "stdin", Terminal(text))
    return hospital.run_plain("release", hospital.study, "--out", hospital.bundle)


@pytest.fixture(params=["fine", "no cell can be read"])
def asked(request: pytest.FixtureRequest, hospital: Hospital) -> Iterator[Hospital]:
    """A hospital, and whatever its file holds it is asked alike."""
    if request.param != "fine":
        hospital.write_data(f"{HEADER}\nx,y,z\n" * 30)
    return hospital


def test_a_terminal_shows_plan_and_check_and_asks(
    asked: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = typed(asked, "no\n", monkeypatch)
    assert (said.status, said.out, asked.spent) == (1, "", "0")
    shown = said.err
    order = [
        shown.index(text)
        for text in ("Total: 3 figures", "Deliberately coarse.", "Spend 0.5 and release? Type yes:")
    ]
    assert order == sorted(order)
    assert said.sentences[-1].endswith("Not released; nothing was spent.")
    assert not asked.bundle.exists()
    for answer in ("", "\n", "y\n", "yes please\n"):
        assert typed(asked, answer, monkeypatch).status == 1
    assert asked.spent == "0"
    assert typed(asked, " Yes \n", monkeypatch).status == 0
    assert asked.spent == "0.5"


def test_without_a_terminal_a_release_needs_yes_whatever_the_file_holds(asked: Hospital) -> None:
    plain = ("release", asked.study, "--out", asked.bundle)
    said = asked.run_plain(*plain)
    assert (said.status, said.out, asked.spent) == (1, "", "0")
    assert said.sentences == [
        "There is no terminal to ask at; add --yes to release without being asked. Nothing was "
        "spent."
    ]
    asked.data.unlink()
    assert asked.run_plain(*plain) == said, "nothing of the file is looked at before"


def test_what_comes_from_the_ledger_reads_no_file_and_is_asked_about_too(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hospital.release().status == 0
    hospital.bundle.unlink()
    monkeypatch.setattr(sys, "stdin", Terminal("yes\n"))
    said = hospital.run_plain("release", hospital.study, "--out", hospital.bundle, "--same-extract")
    assert said.status == 0 and "Deliberately coarse." not in said.err
    assert "Spend 0 and release? Type yes:" in said.err


@pytest.mark.threat("B4")
def test_a_row_behind_a_header_that_is_wrong_changes_nothing(rich: Hospital) -> None:
    """A lone carriage return, or a mark that stays open: both are the header's own."""
    assert refused(rich, b"\r") == refused(rich, b"\r1,A,3\r")
    for declared in (False, True):
        rich.write_study(lambda members, on=declared: members["data"].update(line_breaks=on))
        opened = refused(rich, b',"note\n1,A,3,n\n2,B,5,n\n')
        assert refused(rich, b',"note\n1,A,3,"n\n2,B,5,n\n') == opened


def refused(hospital: Hospital, rest: bytes) -> list[str]:
    """What is said of a file that begins so, for which nothing is spent."""
    hospital.data.write_bytes(HEADER.encode() + rest)
    said = hospital.release(*AGAIN)
    assert (said.status, said.out, hospital.spent) == (1, "", "0")
    return said.sentences


# --- workbooks ----------------------------------------------------------------------------------

NOTES = [
    "\u0416 EncryptedPackage",
    "WordDocument",
    "__substg1.0_",
    'see bed r="XFD9999999" moved',
    'she wrote r="A268435457"',
    '<c r="XFD1048576"/><row r="1048576">',
    "]]> <!-- <![CDATA[",
    "#SPILL!",
]


def with_note(hospital: Hospital, suffix: str, note: str) -> tuple[int, str]:
    """How a release ends over a workbook of which one cell says something."""
    path = hospital.folder / f"stays{suffix}"
    rows = [row.split(",") for row in ROWS]
    write_workbook(path, {"S": [[*rows[0], "note"], [*rows[1], note], *rows[2:]]})
    sheet = {"path": path.name, "format": "excel", "sheet": "S", "header_row": 1}
    hospital.write_study(lambda members: members["data"].update(sheet))
    return ended(hospital, path.read_bytes(), path)


@pytest.mark.threat("B4")
@pytest.mark.parametrize("suffix", [".xls", ".xlsx", ".ods"])
@pytest.mark.in_turn(3)
def test_a_cell_of_a_workbook_stops_no_release(rich: Hospital, suffix: str) -> None:
    neighbour = with_note(rich, suffix, "plain")
    assert neighbour[0] == 0
    for note in in_turn(NOTES, 2, suffix):
        assert with_note(rich, suffix, note) == neighbour, note


ERRORS = ["#DIV/0!", "#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!", "#UNKNOWN!", "#ERROR!", "Err:502"]


@pytest.mark.threat("B4")
def test_an_error_in_a_cell_stops_no_release(rich: Hospital) -> None:
    """Whatever it is called, it is an empty cell."""
    neighbour = with_note(rich, ".xlsx", "plain")
    path = rich.folder / "stays.xlsx"
    book = openpyxl.load_workbook(path)
    for error in in_turn(ERRORS, 2):
        book["S"]["D2"].value, book["S"]["D2"].data_type = error, "e"
        book.save(path)
        assert ended(rich, path.read_bytes(), path) == neighbour, error
