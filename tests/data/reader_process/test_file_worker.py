# SPDX-License-Identifier: Apache-2.0
"""A child belongs to one file and to one process, and lives no longer than either."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dpdesk.data.files.file_formats import KINDS
from dpdesk.data.opened import open_table, read_header, sample_rows
from dpdesk.data.reader_process import child, client, file_worker
from dpdesk.data.reader_process.isolated_workbook import sheets
from dpdesk.data.reader_process.labels import described
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.data.reader_process.broken import write_sav
from tests.data.reader_process.children import (
    is_there,
    kept_pid,
    watch_starts,
    write_large_workbook,
)
from tests.data.workbooks import write_workbook
from tests.source_files import ROOT
from tests.waiting import LIMIT_S, wait_until

pytestmark = pytest.mark.process_ahead


@pytest.fixture
def sav(tmp_path: Path) -> DataSource:
    write_sav(tmp_path / "t.sav")
    return DataSource(str(tmp_path / "t.sav"), "spss")


@pytest.fixture
def book(tmp_path: Path) -> DataSource:
    write_workbook(tmp_path / "t.xlsx", {"Stays": [["id", "los"], [1, 2]]})
    return DataSource(str(tmp_path / "t.xlsx"), "excel", sheet="Stays", header_row=1)


def asked_paths(monkeypatch: pytest.MonkeyPatch) -> dict[int, set[str]]:
    """Which files each child is asked about from now on."""
    file_worker.end_all()
    asked: dict[int, set[str]] = {}
    ask = child.Child.ask

    def noticed(self: child.Child, content: bytes) -> None:
        said = json.loads(content)
        path = said["source"]["path"] if "source" in said else said.get("path")
        asked.setdefault(self.pid, set()).update([path] if path else [])
        ask(self, content)

    monkeypatch.setattr(child.Child, "ask", noticed)
    return asked


@pytest.mark.started_readers
def test_no_child_is_asked_about_two_files(
    sav: DataSource, book: DataSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_paths(monkeypatch)
    for source in (sav, book, sav):
        assert read_header(source, Path())[0] == "id"
        assert sample_rows(source, Path(), 1) != []
    assert described(Path(sav.path), KINDS["sav"])[0].name == "id"
    assert sheets(Path(book.path)) == ("Stays",)
    used = [paths for paths in asked.values() if paths]
    assert [len(paths) for paths in used] == [1] * 4


def test_a_file_has_one_child_while_it_is_looked_at(
    sav: DataSource, book: DataSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = watch_starts(monkeypatch)
    for _ in range(2):
        assert read_header(sav, Path()) == ("id",)
        assert sample_rows(sav, Path(), 1) == [["0"]]
    assert [c.pid for c in started] == [kept_pid()]
    assert sheets(Path(book.path)) == ("Stays",)
    assert len(started) == 2 and [is_there(c.pid) for c in started] == [False, True]


@pytest.mark.skipif(os.name == "nt", reason="there a file says when it was made, not changed")
@pytest.mark.parametrize("how", ["written over", "replaced", "touched", "dated back"])
def test_a_file_that_changed_is_another_one(how: str, sav: DataSource) -> None:
    path = Path(sav.path)
    read_header(sav, Path())
    pid = kept_pid()
    assert pid is not None
    if how == "written over":
        write_sav(path, 7)
    elif how == "replaced":
        again = path.with_suffix(".new")
        again.write_bytes(path.read_bytes())
        os.utime(again, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
        again.replace(path)
    elif how == "touched":
        os.utime(path, ns=(1, 1))
    else:
        was = path.stat()
        path.write_bytes(path.read_bytes())
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert read_header(sav, Path()) == ("id",)
    assert kept_pid() not in (None, pid) and not is_there(pid)


def test_a_child_that_saw_a_file_change_is_not_kept(sav: DataSource) -> None:
    with open_table(sav, Path()) as table:
        pid = table._client._child.pid  # type: ignore[attr-defined]
        write_sav(Path(sav.path), 7)
    assert kept_pid() is None and not is_there(pid)


def test_value_labels_of_another_catalogue_are_read_by_another_child(
    sav: DataSource, tmp_path: Path
) -> None:
    described(Path(sav.path), KINDS["sav"])
    pid = kept_pid()
    write_sav(tmp_path / "catalogue")
    described(Path(sav.path), KINDS["sav"], tmp_path / "catalogue")
    assert pid is not None and kept_pid() != pid


def test_a_child_that_is_started_ahead_was_asked_nothing_and_reads_one_file(
    sav: DataSource, book: DataSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_paths(monkeypatch)
    read_header(sav, Path())
    assert file_worker._waiting is not None
    pid = file_worker._waiting.pid
    assert asked[pid] == set()
    # While it is not ready another one reads.
    wait_until(lambda: file_worker._waiting is not None and file_worker._waiting.is_ready)
    read_header(book, Path())
    assert kept_pid() == pid and asked[pid] == {book.path}
    assert file_worker._waiting.pid != pid
    read_header(sav, Path())
    assert not is_there(pid) and asked[pid] == {book.path}


@pytest.mark.started_readers
def test_a_child_that_dies_before_it_is_needed_is_replaced(
    sav: DataSource, book: DataSource
) -> None:
    read_header(sav, Path())
    assert file_worker._waiting is not None
    pid = file_worker._waiting.pid
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert read_header(book, Path()) == ("id", "los")
    assert kept_pid() != pid and not is_there(pid)


@pytest.mark.started_readers
def test_where_none_can_be_started_ahead_the_file_is_read_all_the_same(
    sav: DataSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    file_worker.end_all()
    with open_table(sav, Path()) as table:
        # From here on no program of that name is there to be started.
        monkeypatch.setattr(child, "command", lambda: [str(Path(sav.path) / "none")])
        assert table.header == ("id",)
    assert file_worker._waiting is None and kept_pid() is not None


def test_after_a_refusal_the_child_is_ended(sav: DataSource, book: DataSource) -> None:
    for wrong in (
        DataSource(str(Path(sav.path).parent / "none.sav"), "spss"),
        DataSource(book.path, "spss"),
        DataSource(book.path, "excel", sheet="None", header_row=1),
        DataSource(book.path, "excel", sheet="Stays", header_row=9),
    ):
        read_header(sav, Path())
        pid = kept_pid()
        with pytest.raises(Refused):
            read_header(wrong, Path())
        assert pid is not None and kept_pid() is None and not is_there(pid)


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


@pytest.mark.started_readers
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_copy_of_the_program_asks_a_child_of_its_own(sav: DataSource) -> None:
    read_header(sav, Path())
    pid = kept_pid()
    copy = os.fork()
    if not copy:
        # What fails here may not go on as a second run of all tests.
        try:
            none = file_worker._assigned is None and file_worker._waiting is None
            same = none and read_header(sav, Path()) == ("id",) and kept_pid() != pid
            file_worker.end_all()
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
from dpdesk.data.reader_process import file_worker
from dpdesk.data.opened import read_header
from dpdesk.study.model.unit import DataSource
assert read_header(DataSource(sys.argv[1], "spss"), Path()) == ("id",)
print(file_worker._assigned[1].pid, file_worker._waiting.pid, flush=True)
"""


def start(
    source: DataSource, then: str = "", **options: object
) -> tuple[subprocess.Popen[str], list[int]]:
    """A program that reads a file, and the numbers of the children it has then."""
    program = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM + then, source.path],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,  # type: ignore[call-overload]
    )
    return program, [int(pid) for pid in program.stdout.readline().split()]


@pytest.mark.parametrize("then", ["", "raise SystemExit(0)", "import os; os._exit(0)"])
@pytest.mark.in_turn(3)
def test_nothing_is_left_when_the_program_ends(then: str, sav: DataSource) -> None:
    program, pids = start(sav, then)
    _, errors = program.communicate(timeout=LIMIT_S)
    assert (program.returncode, errors) == (0, "") and len(pids) == 2
    wait_until(lambda: not any(map(is_there, pids)))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.in_turn(2)
def test_nothing_is_left_when_the_program_is_killed(end: signal.Signals, sav: DataSource) -> None:
    program, pids = start(sav, "import time; time.sleep(999)")
    assert all(map(is_there, pids))
    program.send_signal(end)
    program.communicate(timeout=LIMIT_S)
    wait_until(lambda: not any(map(is_there, pids)))


def runs(pid: int) -> bool:
    """Whether a process does anything; who has taken over a dead one may be slow to bury it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def processor_s(pid: int) -> float:
    """What a process has used of the processor; nothing once it is gone."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(said[11]) + int(said[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="this system lets the library end first")
def test_a_busy_child_goes_with_the_program(sav: DataSource, tmp_path: Path) -> None:
    write_large_workbook(tmp_path / "large.xlsx", 600_000)
    sheet = f"DataSource({str(tmp_path / 'large.xlsx')!r}, 'excel', sheet='Stays', header_row=1)"
    # One that still loads its libraries is left waiting, and another one reads.
    ready = "import time\nwhile not file_worker._waiting.is_ready: time.sleep(0.01)\n"
    program, (_, pid) = start(sav, f"{ready}read_header({sheet}, Path())")
    before = processor_s(pid)
    wait_until(lambda: processor_s(pid) > before + 0.2)
    used = [processor_s(pid)]
    assert program.poll() is None
    program.kill()
    program.communicate(timeout=LIMIT_S)
    wait_until(lambda: used.append(processor_s(pid)) or not runs(pid))
    # To load the sheet takes many times as much.
    assert max(used) - used[0] < 0.5


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no groups of processes")
def test_an_interrupt_in_the_terminal_ends_both_and_is_no_broken_file(sav: DataSource) -> None:
    # Whoever was started in the background may ignore interrupts, and leaves that to its children.
    reads = (
        "import signal\nfrom dpdesk.data.opened import open_table\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "with open_table(DataSource(sys.argv[1], 'spss'), Path()) as table:\n"
        "    print(table._client._child.pid, flush=True)\n"
        "    table._client._next()\n"
    )
    program, _ = start(sav, reads, start_new_session=True)
    pid = int(program.stdout.readline())  # type: ignore[union-attr]
    os.killpg(program.pid, signal.SIGINT)
    _, errors = program.communicate(timeout=LIMIT_S)
    assert "KeyboardInterrupt" in errors and "Refused" not in errors
    wait_until(lambda: not is_there(pid))


@pytest.mark.started_readers
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
    printed = subprocess.run([*run, "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "usage" in printed.stdout.lower() and "read-table" not in printed.stdout
    ended = subprocess.run([*run, "--read-table"], cwd=ROOT, input=b"", capture_output=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_threads_that_only_watch_do_not_stay(sav: DataSource) -> None:
    from dpdesk.data.progress import CancelToken

    with open_table(sav, Path(), cancel=CancelToken()):
        assert any(thread.name == "dpdesk-cancel" for thread in threading.enumerate())
    assert not any(thread.name == "dpdesk-cancel" for thread in threading.enumerate())
