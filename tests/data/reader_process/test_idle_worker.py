# SPDX-License-Identifier: Apache-2.0
"""One idle child is kept, by one process, for as long as that lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dpdesk.data.opened import open_table, read_header, sample_rows
from dpdesk.data.reader_process import child, client, idle_worker
from dpdesk.data.reader_process.book import sheets
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.data.reader_process.broken import write_sav
from tests.data.reader_process.children import (
    is_there,
    kept_pid,
    wait_until,
    watch_starts,
    write_large_workbook,
)
from tests.data.workbooks import write_workbook
from tests.source_files import ROOT


@pytest.fixture
def sav(tmp_path: Path) -> DataSource:
    write_sav(tmp_path / "t.sav")
    return DataSource(str(tmp_path / "t.sav"), "spss")


@pytest.fixture
def book(tmp_path: Path) -> DataSource:
    write_workbook(tmp_path / "t.xlsx", {"Stays": [["id", "los"], [1, 2]]})
    return DataSource(str(tmp_path / "t.xlsx"), "excel", sheet="Stays", header_row=1)


def test_one_child_reads_all_small_files(
    sav: DataSource, book: DataSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = watch_starts(monkeypatch)
    for source in (sav, book, sav):
        assert read_header(source, Path())[0] == "id"
        assert sample_rows(source, Path(), 1) != []
    assert sheets(Path(book.path)) == ("Stays",)
    assert [c.pid for c in started] == [kept_pid()]


def harmless(source: DataSource, book: DataSource) -> None:
    for wrong in (
        DataSource(str(Path(source.path).parent / "none.sav"), "spss"),
        DataSource(book.path, "spss"),
        DataSource(book.path, "excel", sheet="None", header_row=1),
        DataSource(book.path, "excel", sheet="Stays", header_row=9),
    ):
        with pytest.raises(Refused):
            read_header(wrong, Path())


def test_a_wrong_choice_is_not_held_against_the_child(sav: DataSource, book: DataSource) -> None:
    read_header(sav, Path())
    pid = kept_pid()
    harmless(sav, book)
    assert kept_pid() == pid is not None


def torn(source: DataSource) -> None:
    content = Path(source.path).read_bytes()
    Path(source.path).write_bytes(content[: len(content) // 2])
    with pytest.raises(Refused) as caught:
        read_header(source, Path())
    assert caught.value.problems[0].code == "data-file-damaged"


def left(source: DataSource) -> None:
    with open_table(source, Path()) as table:
        next(table.loads([]))


def interrupted(source: DataSource) -> None:
    with pytest.raises(KeyboardInterrupt), open_table(source, Path()):
        raise KeyboardInterrupt


def large(source: DataSource) -> None:
    write_sav(Path(source.path), 700_000)
    assert Path(source.path).stat().st_size > client.SMALL_BYTES
    read_header(source, Path())


@pytest.mark.parametrize("ends", [torn, left, large])
def test_a_child_that_may_have_taken_harm_or_room_is_not_kept(
    ends: Callable[[DataSource], None], sav: DataSource
) -> None:
    read_header(sav, Path())
    pid = kept_pid()
    assert pid is not None
    ends(sav)
    assert kept_pid() is None and not is_there(pid)


def test_an_error_of_whoever_reads_is_not_held_against_the_child(sav: DataSource) -> None:
    read_header(sav, Path())
    pid = kept_pid()
    with pytest.raises(ZeroDivisionError), open_table(sav, Path()):
        raise ZeroDivisionError
    interrupted(sav)
    assert kept_pid() == pid
    assert read_header(sav, Path()) == ("id",)


def test_a_torn_workbook_is_not_held_against_the_child(book: DataSource) -> None:
    read_header(book, Path())
    pid = kept_pid()
    torn(book)
    assert kept_pid() == pid is not None


def test_two_files_at_once_are_read_by_two(
    sav: DataSource, book: DataSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = watch_starts(monkeypatch)
    with open_table(sav, Path()) as one, open_table(book, Path()) as other:
        assert (one.header, other.header) == (("id",), ("id", "los"))
        assert other.first_rows(1) == [["1", "2"]] and one.first_rows(1) == [["0"]]
    assert len(started) == 2
    assert [is_there(c.pid) for c in started].count(True) == 1


def test_many_threads_get_their_own_answers(sav: DataSource, book: DataSource) -> None:
    def read(turn: int) -> bool:
        source, header = ((sav, ("id",)), (book, ("id", "los")))[turn % 2]
        return read_header(source, Path()) == header and bool(sample_rows(source, Path(), 1))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, range(24)))
    assert kept_pid() is not None


def test_the_folder_of_the_program_may_change_and_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_workbook(tmp_path / name / "t.xlsx", {name: [["id"]]})
        monkeypatch.chdir(tmp_path / name)
        assert sheets(Path("t.xlsx")) == (name,)
    assert kept_pid() is not None
    (tmp_path / "b" / "t.xlsx").unlink()
    (tmp_path / "b").rmdir()
    with pytest.raises(Refused) as caught:
        sheets(Path("t.xlsx"))
    assert caught.value.problems[0].code == "data-file-missing"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_copy_of_the_program_asks_a_child_of_its_own(sav: DataSource) -> None:
    read_header(sav, Path())
    pid = kept_pid()
    copy = os.fork()
    if not copy:
        # What fails here may not go on as a second run of all tests.
        try:
            was = idle_worker._idle
            same = was is None and read_header(sav, Path()) == ("id",) and kept_pid() != pid
            idle_worker.end_idle()
            os._exit(0 if same else 1)
        except BaseException:
            os._exit(2)
    _, status = os.waitpid(copy, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert kept_pid() == pid and read_header(sav, Path()) == ("id",)
    assert kept_pid() == pid


PROGRAM = """
import sys
from pathlib import Path
from dpdesk.data.reader_process import idle_worker as kept
from dpdesk.data.opened import read_header
from dpdesk.study.model.unit import DataSource
assert read_header(DataSource(sys.argv[1], "spss"), Path()) == ("id",)
print(kept._idle.pid, flush=True)
"""


def start(
    source: DataSource, then: str = "", **options: object
) -> tuple[subprocess.Popen[str], int]:
    """A program that reads a file, and the number of the child it keeps."""
    program = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM + then, source.path],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,  # type: ignore[call-overload]
    )
    return program, int(program.stdout.readline())


@pytest.mark.parametrize("then", ["", "raise SystemExit(0)", "import os; os._exit(0)"])
def test_nothing_is_left_when_the_program_ends(then: str, sav: DataSource) -> None:
    program, pid = start(sav, then)
    _, errors = program.communicate(timeout=30)
    assert (program.returncode, errors) == (0, "")
    wait_until(lambda: not is_there(pid))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_is_left_when_the_program_is_killed(end: signal.Signals, sav: DataSource) -> None:
    program, pid = start(sav, "import time; time.sleep(60)")
    assert is_there(pid)
    program.send_signal(end)
    program.communicate(timeout=30)
    wait_until(lambda: not is_there(pid))


def runs(pid: int) -> bool:
    """Whether a process does anything; who has taken over a dead one may be slow to bury it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.skipif(sys.platform != "linux", reason="this system lets the library end first")
def test_a_busy_child_goes_with_the_program(sav: DataSource, tmp_path: Path) -> None:
    write_large_workbook(tmp_path / "large.xlsx", 600_000)
    sheet = f"DataSource({str(tmp_path / 'large.xlsx')!r}, 'excel', sheet='Stays', header_row=1)"
    program, pid = start(sav, f"read_header({sheet}, Path())")
    time.sleep(1)
    assert is_there(pid) and program.poll() is None
    program.kill()
    program.communicate(timeout=30)
    # To load the sheet takes many times as long.
    wait_until(lambda: not runs(pid), 1)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no groups of processes")
def test_an_interrupt_in_the_terminal_ends_both_and_is_no_broken_file(sav: DataSource) -> None:
    # Whoever was started in the background may ignore interrupts, and leaves that to its children.
    reads = (
        "import signal\nfrom dpdesk.data.opened import open_table\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "with open_table(DataSource(sys.argv[1], 'spss'), Path()) as table:\n"
        "    print(table._talk._child.pid, flush=True)\n"
        "    table._talk._next()\n"
    )
    program, _ = start(sav, reads, start_new_session=True)
    pid = int(program.stdout.readline())  # type: ignore[union-attr]
    time.sleep(0.2)
    os.killpg(program.pid, signal.SIGINT)
    _, errors = program.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors and "Refused" not in errors
    wait_until(lambda: not is_there(pid))


def test_the_child_imports_nothing_from_the_folder_it_is_started_in(
    tmp_path: Path, sav: DataSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "dpdesk", "pandas"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    watch_starts(monkeypatch)
    assert read_header(sav, Path()) == ("id",)


def test_how_the_child_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert child.command() == [sys.executable, "-P", "-m", "dpdesk", "--read-table"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child.command() == [sys.executable, "--read-table"]


def test_the_flag_is_in_no_help_and_ends_without_a_question() -> None:
    run = [sys.executable, "-m", "dpdesk"]
    told = subprocess.run([*run, "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "usage" in told.stdout.lower() and "read-table" not in told.stdout
    ended = subprocess.run([*run, "--read-table"], cwd=ROOT, input=b"", capture_output=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_threads_that_only_watch_do_not_stay(sav: DataSource) -> None:
    from dpdesk.data.progress import CancelToken

    with open_table(sav, Path(), cancel=CancelToken()):
        assert any(thread.name == "dpdesk-cancel" for thread in threading.enumerate())
    assert not any(thread.name == "dpdesk-cancel" for thread in threading.enumerate())
