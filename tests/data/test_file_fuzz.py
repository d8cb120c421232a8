# SPDX-License-Identifier: Apache-2.0
"""A short slice of the run that breaks files, and that the run notices what it looks for."""

from __future__ import annotations

import logging
import os
import random
import resource
import signal
import sys
import warnings
from pathlib import Path

import pytest

from dpdesk.data.encoding.table import EncodedTable
from dpdesk.data.opened import read_header
from dpdesk.data.reader_process import file_worker
from dpdesk.data.reader_process.client import Client
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused
from tests.audit.length import runs
from tests.data.reader_process.broken import write_sav
from tests.data.reader_process.children import answering, speak
from tests.fuzz_files import trial
from tests.fuzz_files.__main__ import run
from tests.fuzz_files.canary import CANARY
from tests.fuzz_files.farm import Ended, Farm
from tests.fuzz_files.inputs import Input, corpus, gather, make_input
from tests.fuzz_files.reader import Readers, limit_reader, reader_peak
from tests.fuzz_files.trial import Outcome, attempt

INPUTS = runs(20, 40)


@pytest.mark.long
def test_some_broken_files_end_well(tmp_path: Path) -> None:
    report = run(45, range(INPUTS), 1, tmp_path / "kept")
    assert not report.faults, report.text()
    lines = [line.split() for line in report.text().splitlines()]
    inputs, tables, sentences = next(line for line in lines if line[0] == "all")[1:]
    assert int(inputs) == INPUTS
    # Files that are all refused, or all read, would show nothing.
    assert int(tables) > INPUTS // 5 and int(sentences) > INPUTS // 5
    assert {line[0] for line in lines} >= {"csv", "excel", "parquet", "spss", "stata", "sas"}


def test_the_same_seed_and_number_give_the_same_input(tmp_path: Path) -> None:
    gather(tmp_path)
    files = corpus(tmp_path)
    for number in range(50):
        first, second = (make_input(3, number, files) for _ in range(2))
        assert (first.content, first.suffix) == (second.content, second.suffix)
        assert first.dice.random() == second.dice.random()
    assert len({make_input(3, number, files).content for number in range(50)}) > 40


def given() -> Input:
    """A file whose words are no column's name, whichever row the dice take for the header."""
    text = "id,x\n" + "1,A\n" * 9 + f"2,{CANARY}\n"
    return Input(text.encode(), ".csv", "", random.Random(5))


def test_a_whole_file_ends_in_a_table(tmp_path: Path) -> None:
    assert attempt(given(), tmp_path / "t.csv").end == "table"


def fail(error: BaseException) -> EncodedTable:
    raise error


def fail_from(error: Exception) -> EncodedTable:
    try:
        raise ValueError(CANARY)
    except ValueError:
        raise error  # noqa: B904 - the context is what is to be noticed


def refused(code: str, **params: str) -> Refused:
    return Refused([Problem("$.data.path", code, params)])


def log() -> EncodedTable:
    logging.getLogger("any").debug("a row")
    return EncodedTable({}, None, 0, None, {})


def warn() -> EncodedTable:
    warnings.warn(f"odd cell {CANARY}", stacklevel=1)
    return EncodedTable({}, None, 0, None, {})


@pytest.mark.parametrize(
    ("encode", "end"),
    [
        (lambda: fail(ValueError("x")), "exception"),
        (lambda: fail(KeyboardInterrupt()), "exception"),
        (lambda: fail(refused("no such code")), "no-sentence"),
        (lambda: fail(refused("data-column-absent")), "no-sentence"),
        (lambda: fail(Refused([])), "no-sentence"),
        (lambda: fail(refused("data-column-absent", name=CANARY)), "leak"),
        (lambda: fail(refused("data-column-absent", name="x")), "sentence"),
        (lambda: fail_from(refused("data-file-damaged")), "context"),
        (log, "noise"),
        (warn, "leak"),
    ],
)
def test_what_may_not_happen_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encode: object, end: str
) -> None:
    monkeypatch.setattr(trial, "encode", lambda *_: encode())
    assert attempt(given(), tmp_path / "t.csv").end == end


CHILD = """
import json, os, sys, time
first, last, folder = int(sys.argv[2]), int(sys.argv[3]), sys.argv[5]
with open(folder + "/lines", "w") as lines:
    for number in range(first, last):
        print(json.dumps({"begins": number}), file=lines, flush=True)
        if number == 1:
            os.abort()
        if number == 2:
            time.sleep(600)
        line = {"number": number, "format": "csv", "end": "table", "detail": "", "seconds": 0}
        print(json.dumps(line | {"peak": 7}), file=lines, flush=True)
"""


def test_who_dies_or_hangs_is_named_and_the_others_are_tried(tmp_path: Path) -> None:
    farm = Farm(0, tmp_path, 1, (sys.executable, "-c", CHILD), limit=5)
    ended = {one.number: one for one in farm.run(range(5))}
    assert {number: one.outcome.end for number, one in ended.items()} == {
        0: "table",
        1: "crash",
        2: "hang",
        3: "table",
        4: "table",
    }
    assert ended[0] == Ended(0, Outcome("csv", "table"), 7)
    assert not any(one.outcome.is_fault for one in ended.values() if one.number in (0, 3, 4))


@pytest.mark.started_readers
@pytest.mark.parametrize(
    ("status", "end", "detail"),
    [
        (-signal.SIGSEGV, "sentence", "data-file-damaged, the reader died (-11)"),
        (-signal.SIGXCPU, "hang", "the reader took too much processor time"),
        (-signal.SIGKILL, "nonsense", "the reader talked nonsense"),
    ],
)
def test_how_a_reader_ends_is_noticed(
    status: int, end: str, detail: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if status == -signal.SIGKILL:
        speak(monkeypatch, answering(b"?" * 9, "time.sleep(999)"))
    else:
        # Who said something as well would be ended for what it said, or not, as it happens.
        speak(monkeypatch, answering(b"", f"os.kill(os.getpid(), {-status})"))
    monkeypatch.setattr(Client, "failed", Client.failed)
    readers = Readers()
    readers.watch()
    with pytest.raises(Refused):
        read_header(DataSource("t.sav", "spss"), tmp_path)
    outcome = readers.judge(Outcome("spss", "sentence", "data-file-damaged"))
    assert outcome == Outcome("spss", end, detail)
    assert readers.judge(Outcome("spss", "table")) == Outcome("spss", "table")


def test_a_kept_reader_that_loops_does_not_loop_for_ever(tmp_path: Path) -> None:
    file_worker.end_all()
    write_sav(tmp_path / "t.sav")
    read_header(DataSource("t.sav", "spss"), tmp_path)
    assert file_worker._assigned is not None and reader_peak() > 1 << 24
    pid = file_worker._assigned[1].pid
    before = resource.prlimit(pid, resource.RLIMIT_CPU)
    limit_reader(20)
    soft, hard = resource.prlimit(pid, resource.RLIMIT_CPU)
    assert 20 <= soft <= 30 and hard == before[1]
    file_worker.end_all()
    limit_reader(20)


def test_what_a_child_prints_is_looked_at(tmp_path: Path) -> None:
    from tests.fuzz_files.child import with_noise

    said = os.open(tmp_path / "said", os.O_RDWR | os.O_CREAT)
    try:
        whole = Outcome("csv", "table")
        assert with_noise(whole, said) == whole
        os.write(said, b"careful")
        assert with_noise(whole, said) == Outcome("csv", "noise", "careful")
        os.pwrite(said, CANARY.encode(), 0)
        assert with_noise(whole, said).end == "leak"
        assert with_noise(whole, said) == whole
    finally:
        os.close(said)
