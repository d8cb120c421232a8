# SPDX-License-Identifier: Apache-2.0
"""Editing, undoing and saving a study: nothing is lost, and undo never reaches the ledger."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.core import document as document_module
from dpdesk.desk.core import round_trip
from dpdesk.desk.core.document import Document
from dpdesk.desk.core.session import Session
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.run.release_run import release
from dpdesk.study.json.study_files import load_study, save_study
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused, refuse
from tests.release.studies import STUDY
from tests.waiting import LIMIT_S


@pytest.fixture
def document(qtbot: QtBot, tmp_path: Path) -> Document:
    made = Document()
    made.start(STUDY, tmp_path / "stays.dpdesk")
    return made


def titled(document: Document, title: str, key: str = "title") -> None:
    document.edit(replace(document.study, title=title), "Change the title", key)


def on_disk(document: Document) -> Study:
    assert document.path is not None
    return load_study(document.path).study


def block(document: Document) -> None:
    """From now on the study's file cannot be written: a folder stands in its place."""
    assert document.path is not None
    document.path.unlink()
    document.path.mkdir()


def test_a_new_study_is_saved_at_once(document: Document) -> None:
    assert on_disk(document) == STUDY
    assert document.is_saved


UNREADABLE = "a\u200bb"
"""A title that no study file may have; fields leave it out of what is typed or pasted."""


def test_an_edit_that_could_not_be_opened_again_is_not_put_in_place(document: Document) -> None:
    with pytest.raises(Refused):
        titled(document, UNREADABLE, key="")
    assert document.study == STUDY


def test_what_was_typed_and_could_not_be_opened_again_is_taken_back_once_saved(
    document: Document, qtbot: QtBot
) -> None:
    document.edit(replace(document.study, organisation="H"), "Change", "organisation")
    before, problems = document.study, []
    document.taken_back.connect(problems.extend)
    for title in ("a", UNREADABLE):
        titled(document, title)
    document.edit(replace(document.study, organisation="Ho"), "Change", "organisation")
    assert not problems, "each key is shown at once"
    qtbot.waitUntil(lambda: document.is_saved and not document.is_writing)
    assert document.study == before == on_disk(document)
    assert {problem.path for problem in problems} == {"$.title"}
    assert not document.undo_stack.canRedo(), "it would bring it back"
    document.undo_stack.undo()
    assert document.study == STUDY


def test_nothing_unreadable_is_written_by_saving_at_once(document: Document) -> None:
    titled(document, UNREADABLE)
    assert document.save() and on_disk(document) == STUDY == document.study


def test_a_key_writes_no_file(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is typed is written out once a save: at each key it cost more than showing it."""
    written: list[Study] = []
    monkeypatch.setattr(
        round_trip, "study_to_bytes", lambda study: written.append(study) or study_to_bytes(study)
    )
    for title in ("S", "St", "Sta"):
        titled(document, title)
    assert not written
    assert document.save() and len(written) == 1


def test_typing_in_one_field_undoes_in_one_step(document: Document) -> None:
    for title in ("S", "St", "Sta"):
        titled(document, title)
    document.edit(replace(document.study, organisation="H"), "Change", "organisation")
    titled(document, "Other")
    stack = document.undo_stack
    assert stack.count() == 3
    stack.undo()
    assert document.study.title == "Sta"
    stack.undo()
    stack.undo()
    assert document.study == STUDY
    for _ in range(3):
        stack.redo()
    assert (document.study.title, document.study.organisation) == ("Other", "H")


def test_edits_without_a_field_undo_one_by_one(document: Document) -> None:
    for title in ("A", "B"):
        titled(document, title, "")
    document.undo_stack.undo()
    assert document.study.title == "A"


def test_typing_back_to_the_start_leaves_nothing_to_undo(document: Document) -> None:
    titled(document, "Stay")
    titled(document, "Stays")
    assert not document.undo_stack.canUndo()
    assert document.study == STUDY


def test_an_equal_study_is_no_edit(document: Document, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(document.study_changed):
        document.edit(replace(STUDY), "Nothing")
    assert document.undo_stack.count() == 0


def test_an_edit_is_written_by_itself(document: Document, qtbot: QtBot) -> None:
    titled(document, "Later")
    assert not document.is_saved
    qtbot.waitUntil(lambda: document.is_saved)
    assert on_disk(document).title == "Later"
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: document.is_saved)
    assert on_disk(document).title == "Stays"


def test_undo_never_reaches_the_ledger(session: Session, study_file: Path) -> None:
    document = session.document
    document.open(study_file)
    titled(document, "Before")
    release(document.study, document.folder, session.accounts.ledger(), OpenDPDoor())
    spent = session.accounts.ledger().account("registry").spent
    document.undo_stack.undo()
    document.undo_stack.redo()
    assert spent.micro == 400_000
    assert session.accounts.ledger().account("registry").spent == spent
    assert len(session.accounts.ledger().history()) == 2


def test_a_save_that_fails_is_reported_and_loses_nothing(document: Document, qtbot: QtBot) -> None:
    block(document)
    titled(document, "Kept")
    with qtbot.waitSignal(document.save_failed) as failed:
        assert document.save() is False
    assert isinstance(failed.args[0], Problem)
    assert document.study.title == "Kept"
    assert not document.is_saved
    assert document.path is not None
    document.path.rmdir()
    assert document.save() is True
    assert on_disk(document).title == "Kept"


@pytest.mark.parametrize("way", ["open", "close", "start"])
def test_a_study_that_cannot_be_saved_stays_open(
    document: Document, tmp_path: Path, way: str
) -> None:
    other = Document()
    other.start(replace(STUDY, title="Other"), tmp_path / "other.dpdesk")
    block(document)
    titled(document, "Kept")
    if way == "open":
        document.open(tmp_path / "other.dpdesk")
    elif way == "start":
        document.start(Study(), tmp_path / "new.dpdesk")
    else:
        document.close()
    assert document.is_open
    assert document.study.title == "Kept"
    assert not document.is_saved


def test_a_bad_file_is_refused_and_the_open_study_stays(document: Document, tmp_path: Path) -> None:
    bad = tmp_path / "bad.dpdesk"
    titled(document, "Kept")
    for content in ("", "{", '{"dpdesk": 99}', '{"dpdesk": 1, "queries": 5}'):
        bad.write_text(content, encoding="utf-8")
        with pytest.raises(Refused):
            document.open(bad)
    with pytest.raises(Refused):
        document.open(tmp_path / "absent.dpdesk")
    assert document.study.title == "Kept"
    assert document.undo_stack.canUndo()


def test_save_as_goes_on_at_the_new_place(document: Document, tmp_path: Path) -> None:
    first = document.path
    document.save_as(tmp_path / "second.dpdesk")
    titled(document, "Second")
    document.save()
    assert on_disk(document).title == "Second"
    assert first is not None and load_study(first).study.title == "Stays"


def test_save_as_to_a_place_that_cannot_be_written_keeps_the_old_one(
    document: Document, tmp_path: Path, qtbot: QtBot
) -> None:
    first = document.path
    with qtbot.waitSignal(document.save_failed):
        document.save_as(tmp_path / "absent" / "second.dpdesk")
    assert document.path == first
    titled(document, "Kept")
    assert document.save()
    assert on_disk(document).title == "Kept"


def test_what_could_not_be_saved_is_saved_unasked_once_it_can_be(
    document: Document, qtbot: QtBot
) -> None:
    problems = list[Problem]()
    document.save_failed.connect(problems.append)
    document._retry.setInterval(10)
    block(document)
    titled(document, "Kept")
    qtbot.waitUntil(lambda: bool(problems))
    with qtbot.waitSignal(document._retry.timeout):
        pass
    qtbot.waitUntil(lambda: not document.is_writing)
    assert len(problems) == 1  # who closed the message is left in peace
    assert document.path is not None
    document.path.rmdir()
    qtbot.waitUntil(lambda: document.is_saved)
    assert on_disk(document).title == "Kept"


def test_closing_saves_first(document: Document) -> None:
    path = document.path
    titled(document, "Last words")
    document.close()
    assert path is not None and load_study(path).study.title == "Last words"
    assert not document.is_open
    assert document.study == Study()
    assert not document.undo_stack.canUndo()


def test_opening_the_open_file_again_keeps_an_edit_that_was_not_written_yet(
    document: Document, qtbot: QtBot
) -> None:
    assert document.path is not None
    titled(document, "Edited just now")
    with qtbot.assertNotEmitted(document.changed_outside):
        document.open(document.path)
        assert document.study.title == "Edited just now"
        titled(document, "And again")
        assert document.save()
    assert on_disk(document).title == "And again"


def test_opening_another_study_saves_this_one(document: Document, tmp_path: Path) -> None:
    other = Document()
    other.start(replace(STUDY, title="Other"), tmp_path / "other.dpdesk")
    first = document.path
    titled(document, "Kept")
    document.open(tmp_path / "other.dpdesk")
    assert document.study.title == "Other"
    assert first is not None and load_study(first).study.title == "Kept"


class SlowDisk:
    """Holds each write up until it may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may_go_on, self.writes = threading.Event(), 0

        def slow(study: Study, path: Path, just_before: Callable[[], None]) -> bytes:
            self.writes += 1
            assert self.may_go_on.wait(LIMIT_S)
            return save_study(study, path, just_before)

        monkeypatch.setattr("dpdesk.desk.core.known_file.save_study", slow)


def test_edits_go_on_while_a_slow_disk_writes(
    document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    titled(document, "First")
    qtbot.waitUntil(lambda: disk.writes == 1)
    titled(document, "Second")
    assert document.look_at_file()
    qtbot.wait(3 * document_module.AUTOSAVE_MS)
    assert (on_disk(document).title, document.is_saved) == (STUDY.title, False)
    disk.may_go_on.set()
    qtbot.waitUntil(lambda: document.is_saved)
    assert on_disk(document).title == "Second"
    assert disk.writes == 2
    assert not document.is_at_odds


def test_saving_waits_for_the_write_under_way(
    document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    titled(document, "First")
    qtbot.waitUntil(lambda: disk.writes == 1)
    titled(document, "Second")
    threading.Timer(0.2, disk.may_go_on.set).start()
    assert document.save()
    assert on_disk(document).title == "Second"
    assert document.is_saved


def test_a_write_that_never_ends_is_reported_and_nothing_given_up(
    document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, problems = SlowDisk(monkeypatch), list[Problem]()
    document.save_failed.connect(problems.append)
    monkeypatch.setattr(document_module, "WRITE_MS", 50)
    titled(document, "First")
    qtbot.waitUntil(lambda: disk.writes == 1)
    document.close()
    assert document.is_open
    assert [p.code for p in problems] == ["study-file-unwritable"]
    disk.may_go_on.set()
    qtbot.waitUntil(lambda: document.is_saved)
    assert on_disk(document).title == "First"


def test_an_edit_behind_a_write_that_takes_too_long_is_written_once_that_one_ends(
    document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    monkeypatch.setattr(document_module, "WRITE_MS", 50)
    titled(document, "First")
    qtbot.waitUntil(lambda: disk.writes == 1)
    titled(document, "Second")
    assert not document.save()
    disk.may_go_on.set()
    qtbot.waitUntil(lambda: document.is_saved)
    assert on_disk(document).title == "Second"


def test_what_could_not_be_saved_when_asked_is_saved_later_unasked(
    document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(study: Study, path: Path, just_before: Callable[[], None]) -> bytes:
        raise refuse("study-file-unwritable", name=path.name)

    document._retry.setInterval(50)
    with monkeypatch.context() as context:
        context.setattr("dpdesk.desk.core.known_file.save_study", full)
        titled(document, "First")
        assert not document.save()
    qtbot.waitUntil(lambda: document.is_saved)
    assert on_disk(document).title == "First"


def test_the_write_under_way_belongs_to_its_own_study(
    document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    disk = SlowDisk(monkeypatch)
    titled(document, "First")
    qtbot.waitUntil(lambda: disk.writes == 1)
    titled(document, "Second")
    threading.Timer(0.2, disk.may_go_on.set).start()
    first = document.path
    document.save_as(tmp_path / "elsewhere.dpdesk")
    assert first is not None and load_study(first).study.title == "First"
    assert on_disk(document).title == "Second"
    assert document.is_saved
    assert not document.is_at_odds


def test_saving_elsewhere_keeps_the_way_to_the_data(qtbot: QtBot, tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    near.mkdir()
    far.mkdir()
    (near / "a.csv").write_text("x\n", encoding="utf-8")
    document = Document()
    document.start(Study(data=DataSource(str(near / "a.csv"))), tmp_path / "draft.dpdesk")
    for folder, path in ((near, "a.csv"), (far, str(near / "a.csv")), (tmp_path, "near/a.csv")):
        document.save_as(folder / "study.dpdesk")
        assert document.study.data is not None
        assert document.study.data.path == path
        assert (document.folder / path).is_file()
