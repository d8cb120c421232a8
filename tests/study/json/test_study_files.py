# SPDX-License-Identifier: Apache-2.0
"""Saving a study never costs the one that was there: not at a power cut, not at a full disk."""

import errno
import io
import os
import stat
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, given, settings

from dpdesk.study.folder_lock import alone_in
from dpdesk.study.json.study_files import (
    StudyFile,
    keep_beside,
    load_study,
    make_part_folder,
    moved_data,
    remove_left_behind,
    save_new,
    save_over,
    save_study,
    write_whole,
)
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.strategies import drafts

OLD, NEW = Study(title="Old"), Study(title="New")
posix = pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")


class PowerCut(BaseException):
    """The moment at which everything stops."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "studies"
    folder.mkdir()
    return folder / "stays.dpdesk"


def refusal(path: Path) -> tuple[str, dict[str, str]]:
    with pytest.raises(Refused) as refused:
        load_study(path)
    (problem,) = refused.value.problems
    return problem.code, dict(problem.params)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drafts())
def test_what_is_saved_is_loaded(path: Path, study: Study) -> None:
    save_study(study, path)
    assert load_study(path) == StudyFile(path, study)
    assert os.listdir(path.parent) == [path.name]


def torn(cut: type[BaseException]) -> Callable[[int, str], io.FileIO]:
    """A file that takes half of what is written, and no more."""

    class Torn(io.FileIO):
        def write(self, content: bytes) -> NoReturn:  # type: ignore[override]
            super().write(content[: len(content) // 2])
            raise cut

    return Torn


FAILING = ("os.fdopen", "os.fsync", "shutil.copymode", "os.replace")


@pytest.mark.parametrize("step", FAILING)
@pytest.mark.parametrize("cut", [PowerCut, OSError])
def test_whatever_fails_leaves_the_old_study(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str, cut: type[BaseException]
) -> None:
    save_study(OLD, path)

    def fail(*_args: object, **_kwargs: object) -> None:
        raise cut

    failing = torn(cut) if step == "os.fdopen" else fail
    monkeypatch.setattr(f"dpdesk.study.json.study_files.{step}", failing)
    with pytest.raises(Refused if cut is OSError else cut):
        save_study(NEW, path)
    monkeypatch.undo()
    assert load_study(path).study == OLD
    assert os.listdir(path.parent) == [path.name]


def test_content_is_on_disk_before_it_takes_the_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    fsync, move = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (happened.append("fsync"), fsync(handle)))

    def replace(part: str, name: Path) -> None:
        happened.append("replace")
        assert Path(part).read_bytes() == study_to_bytes(NEW)
        assert Path(part).parent == name.parent
        move(part, name)

    monkeypatch.setattr(os, "replace", replace)
    save_study(NEW, path)
    assert happened[:2] == ["fsync", "replace"]


def test_a_missing_study_is_reported_by_its_name_alone(path: Path) -> None:
    assert refusal(path) == ("study-file-missing", {"name": "stays.dpdesk"})


def test_a_folder_is_no_study(path: Path) -> None:
    path.mkdir()
    assert refusal(path) == ("study-file-unreadable", {"name": "stays.dpdesk"})


def test_an_empty_file_is_no_study(path: Path) -> None:
    path.touch()
    assert refusal(path) == ("study-file-empty", {})
    path.write_bytes(b" \n")
    assert refusal(path) == ("study-file-empty", {})


def test_a_file_beyond_the_limit_is_refused(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(10_000_000)
    assert refusal(path) == ("json-too-large", {})


def test_a_folder_that_is_gone_is_reported(path: Path) -> None:
    path.parent.rmdir()
    with pytest.raises(Refused) as refused:
        save_study(NEW, path)
    (problem,) = refused.value.problems
    assert (problem.code, dict(problem.params)) == ("study-file-unwritable", {"name": path.name})


@posix
def test_a_link_stays_a_link(path: Path, tmp_path: Path) -> None:
    save_study(OLD, path)
    link = tmp_path / "link.dpdesk"
    link.symlink_to(path)
    save_study(NEW, link)
    assert link.is_symlink()
    assert load_study(path).study == NEW


@posix
def test_a_study_stays_readable_to_whom_it_was(path: Path) -> None:
    save_study(OLD, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o664)
    save_study(NEW, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o664


def test_relative_data_starts_at_the_study(path: Path) -> None:
    save_study(OLD, path)
    assert load_study(path).folder == path.parent.resolve()


def test_any_bytes_are_written_whole(path: Path) -> None:
    write_whole(path, b"\x00\r\n\xff")
    assert path.read_bytes() == b"\x00\r\n\xff"
    write_whole(path, b"")
    assert path.read_bytes() == b""


@posix
def test_a_link_that_leads_to_itself_is_replaced_by_the_file(path: Path) -> None:
    path.symlink_to(path.name)
    save_study(NEW, path)
    assert load_study(path).study == NEW and not path.is_symlink()


LONG = ("a" * 248, "é" * 124, "😀" * 62, "a" * 241)
"""Names that are as long as a file's can be, or leave an unfinished one no room."""


@pytest.mark.parametrize("stem", LONG)
def test_a_study_whose_name_is_as_long_as_names_can_be_is_saved(tmp_path: Path, stem: str) -> None:
    path = tmp_path / f"{stem}.dpdesk"
    path.write_bytes(study_to_bytes(OLD))
    save_study(NEW, path)
    assert load_study(path).study == NEW
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("stem", LONG)
def test_the_other_version_of_a_long_name_is_kept_each_time(tmp_path: Path, stem: str) -> None:
    path = tmp_path / f"{stem}.dpdesk"
    contents = [b"first", b"second", b"third"]
    kept = [keep_beside(path, content) for content in contents]
    assert [one.read_bytes() for one in kept] == contents
    assert [one.name[-15:] for one in kept][1:] == ["-other-2.dpdesk", "-other-3.dpdesk"]
    assert len(os.listdir(tmp_path)) == 3


@pytest.mark.parametrize("stem", ["stays", *LONG])
def test_what_a_killed_program_left_of_a_long_name_is_removed(tmp_path: Path, stem: str) -> None:
    path, other = tmp_path / f"{stem}.dpdesk", tmp_path / "other.dpdesk"
    left, foreign = make_part_folder(path), make_part_folder(other)
    for part in (left, foreign):
        os.utime(part, (0, 0))
    remove_left_behind(path)
    assert not left.exists() and foreign.exists()
    fresh = make_part_folder(path)
    remove_left_behind(path)
    assert fresh.exists()


@posix
@pytest.mark.parametrize("mode", [0o444, 0o555])
def test_a_study_that_may_not_be_written_is_not_replaced(path: Path, mode: int) -> None:
    save_study(OLD, path)
    path.chmod(mode)
    with pytest.raises(Refused, match="study-file-unwritable"):
        save_study(NEW, path)
    assert load_study(path).study == OLD
    assert os.listdir(path.parent) == [path.name]


def test_two_programs_that_replace_one_file_take_turns(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_study(OLD, path)
    opened = load_study(path)
    move = os.replace
    monkeypatch.setattr("dpdesk.study.folder_lock.WAIT_S", 0)

    def replace(part: str, name: Path) -> None:
        monkeypatch.setattr(os, "replace", move)
        with pytest.raises(Refused, match="study-file-busy"):
            save_over(opened, Study(title="Between look and replacement"))
        move(part, name)

    monkeypatch.setattr(os, "replace", replace)
    save_over(opened, NEW)
    with pytest.raises(Refused, match="study-file-changed"):
        save_over(opened, OLD)
    assert load_study(path).study == NEW
    assert os.listdir(path.parent) == [path.name]


def test_a_new_study_replaces_none_that_came_meanwhile(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def slow(handle: int) -> None:
        sync(handle)
        path.write_bytes(study_to_bytes(OLD))

    monkeypatch.setattr(os, "fsync", slow)
    with pytest.raises(Refused, match="study-file-exists"):
        save_new(NEW, path)
    assert load_study(path).study == OLD


def test_two_versions_that_are_kept_at_once_have_two_names(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync, meanwhile = os.fsync, [b"theirs"]

    def slow(handle: int) -> None:
        sync(handle)
        if meanwhile:
            keep_beside(path, meanwhile.pop())

    monkeypatch.setattr(os, "fsync", slow)
    assert keep_beside(path, b"mine").read_bytes() == b"mine"
    assert {p.read_bytes() for p in path.parent.iterdir()} == {b"mine", b"theirs"}


@posix
def test_where_no_folder_can_be_locked_files_are_written_all_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_args: object) -> NoReturn:
        raise OSError(errno.ENOLCK, "this file system knows no locks")

    monkeypatch.setattr("dpdesk.study.folder_lock.fcntl.flock", unknown)
    save_study(NEW, path)
    assert load_study(path).study == NEW


@posix
def test_who_waits_for_a_folder_gets_it_when_it_is_free(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, fcntl = ExitStack(), import_module("fcntl")  # Windows has none
    flock = fcntl.flock
    held.enter_context(alone_in(path.parent))

    def waits(handle: int, how: int) -> None:
        if how == fcntl.LOCK_EX:
            held.close()
        flock(handle, how)

    monkeypatch.setattr(fcntl, "flock", waits)
    save_study(NEW, path)
    assert load_study(path).study == NEW


@posix
def test_a_folder_that_was_waited_for_too_long_is_free_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpdesk.study.folder_lock.WAIT_S", 0)
    with alone_in(path.parent), pytest.raises(Refused, match="study-file-busy"):
        save_study(NEW, path)
    monkeypatch.undo()
    save_study(NEW, path)
    assert load_study(path).study == NEW


def test_every_data_path_of_a_study_that_moves_leads_to_the_same_file(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "before" / "below"
    further = FurtherTable("labs", DataSource("below/l.csv", more=(DataSource("l2.csv"),)), "pid")
    data = DataSource("a.csv", more=(DataSource("below/b.csv"), DataSource()))
    moved = moved_data(Study(data=data, tables=(further,)), before, after)
    assert [source.path for source in moved.sources] == [
        *(str(before / "a.csv"), "b.csv", ""),
        *("l.csv", str(before / "l2.csv")),
    ]
    assert moved_data(Study(), before, after) == Study()
