# SPDX-License-Identifier: Apache-2.0
"""A reading process that dies or talks nonsense takes nobody with it."""

from __future__ import annotations

import os
import signal
import struct
import traceback
from pathlib import Path

import pytest

from dpdesk.data.codebook.read import read_codebook
from dpdesk.data.files.batch import Wanted
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import open_table, read_header, sample_rows
from dpdesk.data.reader_process import file_worker
from dpdesk.data.reader_process.client import ReaderFault
from dpdesk.data.reader_process.frames import FrameKind
from dpdesk.data.reader_process.isolated_workbook import look_at, propose_workbook, sheets
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.data.reader_process.broken import SECRET, write_deadly_sav, write_sav
from tests.data.reader_process.children import (
    answering,
    is_there,
    kept_pid,
    speak,
    watch_starts,
    write_large_workbook,
)

pytestmark = pytest.mark.started_readers

DAMAGED = [("$.data.path", "data-file-damaged")]


def problems_of(refused: Refused) -> list[tuple[str, str]]:
    """Where and what, and nothing of what the library said."""
    assert refused.__cause__ is None and refused.__context__ is None
    return [(problem.path, problem.code) for problem in refused.problems]


def frame(mark: bytes, content: bytes, length: int | None = None) -> bytes:
    return struct.pack(">cQ", mark, len(content) if length is None else length) + content


def sav(path: Path) -> DataSource:
    return DataSource(str(path), "spss")


def test_a_file_that_kills_its_reader_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = watch_starts(monkeypatch)
    path = tmp_path / "t.sav"
    write_deadly_sav(path)
    with pytest.raises(Refused) as caught:
        read_header(recognise(path), Path())
    assert problems_of(caught.value) == DAMAGED
    with pytest.raises(Refused) as caught:
        read_codebook(path)
    assert problems_of(caught.value) == [("$", "codebook-file-damaged")]
    assert caught.value.problems[0].params == {"name": "t.sav"}
    assert [child.status for child in started] == [-signal.SIGSEGV] * 2
    assert "".join(capfd.readouterr()) == "" and SECRET not in str(caught.value)
    assert kept_pid() is None and not any(is_there(child.pid) for child in started)
    write_sav(path)
    assert read_header(recognise(path), Path()) == ("id",)


def test_a_reader_that_is_killed_between_two_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = watch_starts(monkeypatch)
    path = tmp_path / "t.xlsx"
    write_large_workbook(path, 120_000)
    source = DataSource(str(path), "excel", sheet="Stays", header_row=1)
    with pytest.raises(Refused) as caught, open_table(source, Path()) as table:
        loads = table.loads([Wanted(place) for place in range(3)])
        assert next(loads)().rows == 50_000
        os.kill(started[0].pid, signal.SIGKILL)
        list(loads)
    assert problems_of(caught.value) == DAMAGED
    assert kept_pid() is None and not is_there(started[0].pid)


def test_a_reader_that_dies_idle_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = watch_starts(monkeypatch)
    write_sav(tmp_path / "t.sav")
    assert read_header(sav(tmp_path / "t.sav"), Path()) == ("id",)
    os.kill(started[0].pid, signal.SIGKILL)
    os.waitid(os.P_PID, started[0].pid, os.WEXITED | os.WNOWAIT)
    assert read_header(sav(tmp_path / "t.sav"), Path()) == ("id",)
    assert len(started) == 2 and not is_there(started[0].pid)


def test_a_reader_that_dies_while_nothing_is_asked_of_its_open_table(tmp_path: Path) -> None:
    file_worker.end_all()
    write_sav(tmp_path / "t.sav")
    with open_table(sav(tmp_path / "t.sav"), Path()) as table:
        header = table.header
        os.kill(table._client._child.pid, signal.SIGKILL)  # type: ignore[attr-defined]
    assert header == ("id",) and kept_pid() is None


VALUE, BATCH, ASK = (kind.mark for kind in (FrameKind.VALUE, FrameKind.BATCH, FrameKind.ASK))
REFUSAL, FAULT, PROGRESS = (
    kind.mark for kind in (FrameKind.REFUSAL, FrameKind.FAULT, FrameKind.PROGRESS)
)
HEADER = frame(VALUE, b'["id"]')
NONSENSE = {
    "nothing": b"",
    "half a frame": b"v\0\0",
    "an unknown kind": frame(b"?", b""),
    "a question": frame(ASK, b"{}"),
    "no JSON": frame(VALUE, b"{"),
    "deep JSON": frame(VALUE, b"[" * 100_000),
    "the wrong JSON": frame(VALUE, b'{"header": 1}'),
    "a header of numbers": frame(VALUE, b"[1]"),
    "no text": frame(VALUE, b"\xff\xfe\xfd"),
    "more than there is": frame(VALUE, b"[]", 1 << 27),
    "more than may be": frame(VALUE, b"[]", 1 << 62),
    "a batch of no table": frame(BATCH, b"x" * 40),
    "an empty refusal": frame(REFUSAL, b"[]"),
    "a refusal of numbers": frame(REFUSAL, b"[[1, 2, {}]]"),
    "a refusal in words": frame(REFUSAL, b'[["$", "HIV-positive!", {}]]'),
    "a refusal with rows": frame(REFUSAL, b'[["$", "data-file-empty", {"name": [1]}]]'),
    "a fault in words": frame(FAULT, b"ValueError: HIV-positive"),
    "a long fault": frame(FAULT, b"V" * 500),
    "what it read, printed": b"HIV-positive 1\nHIV-positive 2\n",
    "a header, then no answer": HEADER,
    "a header, then no batch": HEADER + frame(BATCH, b"\0" * 64),
    "a header, then rows": HEADER + frame(VALUE, b'[["HIV-positive"]]'),
    "a header, then a short batch": HEADER + frame(BATCH, b""),
    "long progress": frame(PROGRESS, b"\0" * 17),
    "short progress": frame(PROGRESS, b"\0" * 15),
    "progress beyond the end": frame(PROGRESS, b"\0" * 7 + b"\2" + b"\0" * 7 + b"\1"),
}


CUT_OFF = ("nothing", "half a frame", "more than there is", "a header, then no answer")


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_a_broken_file(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    # It goes on after that, so that not its end is what is noticed, but for what ends too early.
    lasts = name not in (
        "nothing",
        "half a frame",
        "more than there is",
        "a header, then no answer",
    )
    started = speak(monkeypatch, answering(NONSENSE[name], "time.sleep(999)" if lasts else ""))
    (tmp_path / "t.sav").write_bytes(b"")
    with pytest.raises(Refused) as caught, open_table(sav(tmp_path / "t.sav"), Path()) as table:
        [load() for load in table.loads([Wanted(0)])]
    assert problems_of(caught.value) == DAMAGED
    assert "HIV" not in "".join(traceback.format_exception(caught.value))
    assert "".join(capfd.readouterr()) == ""
    assert kept_pid() is None and not any(is_there(child.pid) for child in started)


@pytest.mark.parametrize(
    "said",
    [b"1", b"[1]", b'["a", "b"]', b'["a", true]', b'["a", 1.5]', b"[[], [], []]", b"[1, 2, 3, 4]"],
)
def test_nonsense_about_a_workbook_is_a_broken_file(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"")
    asked = [lambda: propose_workbook(path), lambda: look_at(DataSource(str(path)), Path(), 5)]
    asked += [lambda: sheets(path)] if said != b'["a", "b"]' else []
    for ask in asked:
        speak(monkeypatch, answering(frame(VALUE, said), "time.sleep(999)"))
        with pytest.raises(Refused) as caught:
            ask()
        assert problems_of(caught.value) == DAMAGED


@pytest.mark.parametrize(
    "said",
    [
        *(b"{}", b"[[]]", b'[["a", "", "", "", [1], []]]', b'[["a", "", "", 1, [], []]]'),
        *(b'[["a", "", "", "", [[1, 2]], []]]', b'[["a", "", "", "", [[[], "x"]], []]]'),
        *(b'[["a", "", "", "", [], [[1]]]]', b'[["a", "", "", "", [[{"float": "7"}, "x"]], []]]'),
    ],
)
def test_nonsense_about_labels_is_a_broken_codebook(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sav(tmp_path / "t.sav")
    speak(monkeypatch, answering(frame(VALUE, said), "time.sleep(999)"))
    with pytest.raises(Refused) as caught:
        read_codebook(tmp_path / "t.sav")
    assert problems_of(caught.value) == [("$", "codebook-file-damaged")]


def test_rows_of_another_width_are_nonsense(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = frame(VALUE, b'[["1"], ["2", "3"]]')
    speak(monkeypatch, answering(HEADER + rows, "time.sleep(999)"))
    with pytest.raises(Refused) as caught:
        sample_rows(sav(tmp_path / "t.sav"), Path(), 5)
    assert problems_of(caught.value) == DAMAGED


@pytest.mark.skipif(os.name == "nt", reason="there nobody can tell")
@pytest.mark.parametrize("more", [b"", frame(VALUE, b'["HIV-positive"]'), b"?"])
def test_who_says_more_than_was_asked_is_not_kept(
    more: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = f"time.sleep(0.1); os.read(0, 999); os.write(1, {frame(VALUE, b'null') + more!r})\n"
    speak(monkeypatch, answering(HEADER, closed + "time.sleep(999)"))
    write_sav(tmp_path / "t.sav")
    assert read_header(sav(tmp_path / "t.sav"), tmp_path) == ("id",)
    assert (kept_pid() is not None) == (more == b"")
    file_worker.end_all()


def test_a_load_that_comes_too_late_harms_nobody_else(tmp_path: Path) -> None:
    write_sav(tmp_path / "t.sav")
    with open_table(sav(tmp_path / "t.sav"), Path()) as table:
        (load,) = list(table.loads([Wanted(0)]))
    pid = kept_pid()
    assert load().rows == 3
    load.args[0][40:] = b""  # type: ignore[attr-defined]
    with pytest.raises(Refused) as caught:
        load()
    assert problems_of(caught.value) == DAMAGED
    assert kept_pid() == pid is not None and is_there(pid)
    assert read_header(sav(tmp_path / "t.sav"), Path()) == ("id",)


def test_a_fault_reports_the_name_of_its_class_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(monkeypatch, answering(frame(FAULT, b"ZeroDivisionError"), "time.sleep(999)"))
    with pytest.raises(ReaderFault) as caught:
        read_header(sav(tmp_path / "t.sav"), Path())
    assert str(caught.value) == "ZeroDivisionError" and caught.value.__context__ is None
    assert kept_pid() is None


@pytest.mark.parametrize(
    ("code", "format", "expected"),
    [
        (answering(frame(FAULT, b"MemoryError"), "time.sleep(999)"), "excel", "too-large"),
        (answering(frame(FAULT, b"MemoryError"), "time.sleep(999)"), "sas", "damaged"),
        (answering(b"", "os.abort()"), "excel", "too-large"),
        (answering(b"", "os.abort()"), "stata", "damaged"),
        (answering(b"", "os.kill(os.getpid(), 11)"), "excel", "damaged"),
    ],
)
def test_a_reader_that_gets_no_memory(
    code: str, format: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(monkeypatch, code)
    source = DataSource("t", format, sheet="Stays", header_row=1)  # type: ignore[arg-type]
    with pytest.raises(Refused) as caught:
        read_header(source, tmp_path)
    assert problems_of(caught.value) == [("$.data.path", f"data-file-{expected}")]


def test_a_reader_that_fills_its_errors_and_reads_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = "os.write(2, b'HIV-positive' * 1_000_000)\n"
    code = f"import os\n{noise}" + answering(HEADER, "os.close(0); time.sleep(999)")
    speak(monkeypatch, code)
    with open_table(sav(tmp_path / "t.sav"), Path()) as table:
        assert table.header == ("id",)
        with pytest.raises(Refused) as caught:
            while True:
                # More than a pipe holds: the question itself gets stuck, were it not for its end.
                list(table.loads([Wanted(0)] * 10_000))
    assert problems_of(caught.value) == DAMAGED
    assert "".join(capfd.readouterr()) == ""


def test_a_broken_file_shows_its_rows_to_nobody(tmp_path: Path) -> None:
    write_deadly_sav(tmp_path / "t.sav")
    with pytest.raises(Refused) as caught:
        sample_rows(sav(tmp_path / "t.sav"), Path(), 5)
    assert SECRET not in "".join(traceback.format_exception(caught.value))
