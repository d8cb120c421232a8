# SPDX-License-Identifier: Apache-2.0
"""Two windows, or a hand, on one study file: neither overwrites the other, nothing is lost."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.document import Document
from dpdesk.study.json.study_files import load_study
from dpdesk.study.problem import Refused
from tests.release.studies import STUDY

PAIR = tuple[Document, Document]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stays.dpdesk"


@pytest.fixture
def both(qtbot: QtBot, path: Path) -> PAIR:
    """Two documents on one file."""
    first, second = Document(), Document()
    first.start(STUDY, path)
    second.open(path)
    return first, second


def titled(document: Document, title: str) -> None:
    document.edit(replace(document.study, title=title), "Change the title", "title")


def title_at(path: Path) -> str:
    return load_study(path).study.title


def beside(path: Path) -> dict[str, str]:
    """Titles of the studies beside a study."""
    return {p.name: title_at(p) for p in path.parent.glob("*.dpdesk") if p != path}


def quarrel(both: PAIR) -> tuple[Document, Document]:
    first, second = both
    titled(first, "First")
    assert first.save()
    titled(second, "Second")
    assert not second.save()
    return both


def test_autosave_overwrites_nobody_and_says_so(both: PAIR, path: Path, qtbot: QtBot) -> None:
    first, second = both
    titled(first, "First")
    assert first.save()
    with qtbot.waitSignal(second.changed_outside):
        titled(second, "Second")
    assert title_at(path) == "First"
    assert second.study.title == "Second"
    assert not second.is_saved
    assert second.is_at_odds


def test_keeping_mine_keeps_theirs_beside(both: PAIR, path: Path) -> None:
    _first, second = quarrel(both)
    kept = second.keep_mine()
    assert kept is not None
    assert (title_at(path), title_at(kept)) == ("Second", "First")
    assert kept.parent == path.parent
    assert second.is_saved
    assert not second.is_at_odds
    titled(second, "Third")
    assert second.save()
    assert title_at(path) == "Third"


def test_loading_theirs_keeps_mine_beside(both: PAIR, path: Path) -> None:
    _first, second = quarrel(both)
    kept = second.load_theirs()
    assert kept is not None
    assert (title_at(path), title_at(kept)) == ("First", "Second")
    assert second.study.title == "First"
    assert second.is_saved
    assert not second.is_at_odds


def test_every_version_kept_has_its_own_name(both: PAIR, path: Path) -> None:
    quarrel(both)[1].keep_mine()
    first, second = both
    assert not first.look_at_file()
    assert first.keep_mine() is not None
    assert sorted(beside(path).values()) == ["First", "Second"]
    assert title_at(path) == "First"
    assert not second.look_at_file()


def test_a_change_by_hand_is_noticed_without_an_edit(both: PAIR, path: Path, qtbot: QtBot) -> None:
    raw = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(raw | {"title": "By hand"}), encoding="utf-8")
    with qtbot.waitSignal(both[0].changed_outside):
        assert not both[0].look_at_file()
    assert title_at(path) == "By hand"


def test_what_is_no_study_any_more_is_not_loaded_and_kept_on_demand(both: PAIR, path: Path) -> None:
    first = both[0]
    path.write_text("{ half", encoding="utf-8")
    titled(first, "Mine")
    assert not first.save()
    with pytest.raises(Refused):
        first.load_theirs()
    assert first.study.title == "Mine"
    assert not beside(path)
    kept = first.keep_mine()
    assert kept is not None and kept.read_text(encoding="utf-8") == "{ half"
    assert title_at(path) == "Mine"


def test_one_content_is_no_quarrel(both: PAIR, path: Path) -> None:
    for document in both:
        titled(document, "Same")
        assert document.save()
    assert not beside(path)


def test_a_file_that_was_put_back_is_no_quarrel(both: PAIR, path: Path) -> None:
    before = path.read_bytes()
    _first, second = quarrel(both)
    path.write_bytes(before)
    assert second.save()
    assert not second.is_at_odds
    assert title_at(path) == "Second"


@pytest.mark.parametrize("way", ["close", "open", "save_as"])
def test_no_way_out_loses_either(both: PAIR, path: Path, tmp_path: Path, way: str) -> None:
    other = tmp_path / "elsewhere.dpdesk"
    _first, second = quarrel(both)
    if way == "close":
        second.close()
    elif way == "open":
        Document().start(STUDY, other)
        second.open(other)
    else:
        second.save_as(other)
        assert title_at(other) == "Second"
        assert not second.is_at_odds
    assert second.study.title == "Second"
    assert title_at(path) == "First"


def test_a_file_that_is_gone_is_written_again(both: PAIR, path: Path) -> None:
    path.unlink()
    assert both[0].look_at_file()
    titled(both[0], "Again")
    assert both[0].save()
    assert title_at(path) == "Again"


def test_a_place_where_nothing_can_be_kept_changes_nothing(
    both: PAIR, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _first, second = quarrel(both)

    def full(*_args: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr("dpdesk.study.json.study_files.os.fsync", full)
    for way in (second.keep_mine, second.load_theirs):
        with pytest.raises(Refused):
            way()
    assert title_at(path) == "First"
    assert second.study.title == "Second"
    assert not beside(path)


def test_who_writes_while_a_slow_disk_does_is_not_overwritten(
    both: PAIR, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = both
    titled(first, "First")
    titled(second, "Second")
    sync, meanwhile = os.fsync, [first.save]

    def slow(handle: int) -> None:
        sync(handle)
        if meanwhile:
            assert meanwhile.pop()()

    monkeypatch.setattr("dpdesk.study.json.study_files.os.fsync", slow)
    assert not second.save()
    assert second.is_at_odds and not second.is_saved
    assert title_at(path) == "First"
    assert second.study.title == "Second"
    assert {p.name for p in path.parent.iterdir()} == {path.name}


def test_what_others_write_while_mine_is_kept_is_kept_too(
    both: PAIR, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = quarrel(both)
    titled(first, "First again")
    sync, meanwhile, calls = os.fsync, [first.save], list[int]()

    def slow(handle: int) -> None:
        sync(handle)
        calls.append(handle)
        if len(calls) == 2 and meanwhile:  # theirs is kept, mine is on the disk without its name
            assert meanwhile.pop()()

    monkeypatch.setattr("dpdesk.study.json.study_files.os.fsync", slow)
    assert second.keep_mine() is not None
    assert not meanwhile and second.is_saved
    assert title_at(path) == "Second"
    assert sorted(beside(path).values()) == ["First", "First again"]


def test_what_a_killed_window_left_of_a_save_is_removed(both: PAIR, path: Path) -> None:
    left, fresh = (path.with_name(f".{path.name}.{name}.part") for name in ("killed00", "writing0"))
    for part in (left, fresh):
        part.write_bytes(b"{")
    os.utime(left, (1_000_000_000, 1_000_000_000))
    titled(both[1], "Second")
    assert both[1].save()
    assert not left.exists() and fresh.exists()
