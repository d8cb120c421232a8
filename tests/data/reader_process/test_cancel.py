# SPDX-License-Identifier: Apache-2.0
"""Whoever cancels does not wait for a library that cannot be interrupted."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dpdesk.data.codebook.read import read_codebook
from dpdesk.data.files.batch import Wanted
from dpdesk.data.inspection.raw_preview import top_rows
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import open_table, read_header, sample_rows
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.data.reader_process.isolated_workbook import look_at, sheets
from dpdesk.study.model.unit import DataSource
from tests.data.reader_process.broken import write_sav
from tests.data.reader_process.children import (
    is_there,
    kept_pid,
    speak,
    watch_starts,
    write_large_workbook,
)
from tests.waiting import LIMIT_S, wait_until

pytestmark = pytest.mark.started_readers

SILENT = f"import time; time.sleep({2 * LIMIT_S})"
"""A process that answers when nobody waits any more."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> DataSource:
    """A sheet of more rows than a pipe holds."""
    path = tmp_path_factory.mktemp("large") / "t.xlsx"
    write_large_workbook(path, 150_000)
    return DataSource(str(path), "excel", sheet="Stays", header_row=1)


@contextmanager
def cancelling(token: CancelToken) -> Iterator[None]:
    """Cancel in a moment what would last longer than the limit, and see that it was let go."""
    threading.Timer(0.2, token.cancel).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled) as caught:
        yield
    assert time.monotonic() - begun < LIMIT_S
    assert caught.value.__context__ is None


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="this system freezes no process")
@pytest.mark.parametrize("what", ["header", "look", "recognise", "rows", "top"])
def test_a_sheet_that_is_being_loaded_is_let_go(
    what: str, large: DataSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, token = watch_starts(monkeypatch, is_frozen=True), CancelToken()
    with cancelling(token):
        if what == "look":
            look_at(large, Path(), 5, token)
        elif what == "recognise":
            recognise(Path(large.path), token)
        elif what == "rows":
            sample_rows(large, Path(), 5, token)
        elif what == "top":
            top_rows(large, Path(), 5, token)
        else:
            read_header(large, Path(), token)
    assert kept_pid() is None and not any(is_there(child.pid) for child in started)


def test_a_token_that_was_raised_before_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, token = watch_starts(monkeypatch), CancelToken()
    write_sav(tmp_path / "t.sav")
    token.cancel()
    with (
        pytest.raises(Cancelled),
        open_table(DataSource(str(tmp_path / "t.sav"), "spss"), Path(), cancel=token),
    ):
        raise AssertionError
    assert started == []


def test_a_child_that_never_answers_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = speak(monkeypatch, SILENT)
    token = CancelToken()
    source = DataSource("t.sav", "spss")
    with cancelling(token), open_table(source, tmp_path, cancel=token):
        raise AssertionError
    assert not is_there(started[0].pid)


@pytest.mark.parametrize("what", ["sheets", "labels"])
def test_what_a_file_says_of_itself_can_be_let_go(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_sav(tmp_path / "t.sav")
    speak(monkeypatch, SILENT)
    token = CancelToken()
    with cancelling(token):
        if what == "sheets":
            sheets(tmp_path / "t.xlsx", token)
        else:
            read_codebook(tmp_path / "t.sav", cancel=token)
    assert kept_pid() is None


def test_a_child_that_does_not_even_read_the_question_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = b"v" + (6).to_bytes(8, "big") + b'["id"]'
    speak(monkeypatch, f"import os; os.write(1, {said!r}); {SILENT}")
    token = CancelToken()
    source = DataSource("t.sav", "spss")
    with open_table(source, tmp_path, cancel=token) as table, cancelling(token):
        # A question that no pipe holds.
        next(table.loads([Wanted(0)] * 10_000))


def test_cancelling_between_batches_needs_no_next_one(large: DataSource) -> None:
    token = CancelToken()
    with open_table(large, Path(), cancel=token) as table:
        pid = table._client._child.pid  # type: ignore[attr-defined]
        loads = table.loads([Wanted(0)])
        next(loads)
        token.cancel()
        # The child is gone although nobody waits for it.
        wait_until(lambda: os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG))  # type: ignore[arg-type, return-value]
        with pytest.raises(Cancelled):
            next(loads)
    assert not is_there(pid) and kept_pid() is None


def test_what_was_done_when_somebody_cancels_stays_done(tmp_path: Path) -> None:
    write_sav(tmp_path / "t.sav")
    token = CancelToken()
    with open_table(DataSource(str(tmp_path / "t.sav"), "spss"), Path(), cancel=token) as table:
        rows = table.first_rows(2)
        token.cancel()
    assert rows == [["0"], ["1"]]
    # Whoever saw the token may have ended the child by then.
    assert kept_pid() is None
