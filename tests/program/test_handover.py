# SPDX-License-Identifier: Apache-2.0
"""What a later start leaves for the open window is taken once, and nothing but a path is taken."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dpdesk.program import handover
from dpdesk.program.handover import Inbox, hand_over
from dpdesk.release.places.home import Home
from tests.source_files import ROOT
from tests.waiting import LIMIT_S, wait_until

OPENED = Path("/of anybody/größer.dpdesk")
HOLDING = """
import sys
from pathlib import Path
from dpdesk.program.handover import Inbox
from dpdesk.release.places.home import Home
inbox = Inbox.open(Home.at(Path(sys.argv[1])))
print(inbox is not None, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def home(dpdesk_home: Path) -> Home:
    made = Home.at(dpdesk_home)
    made.make()
    return made


@pytest.fixture
def inbox(home: Home) -> Iterator[Inbox]:
    made = Inbox.open(home)
    assert made is not None
    yield made
    made.close()


@contextmanager
def another_window(home: Home) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the inbox and never looks into it."""
    command = [sys.executable, "-c", HOLDING, str(home.root)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "True\n"
        try:
            yield child
        finally:
            child.kill()


@contextmanager
def asking(home: Home, path: Path = OPENED) -> Iterator[list[bool]]:
    """Another start waits for an answer meanwhile; what it learns is there in the end."""
    answers: list[bool] = []
    start = threading.Thread(target=lambda: answers.append(hand_over(home, path, LIMIT_S)))
    start.start()
    yield answers
    start.join()


def awaited(inbox: Inbox) -> Path:
    wait_until(inbox.requests)
    return inbox.requests()[0]


def left(inbox: Inbox) -> list[str]:
    return [path.name for path in inbox.folder.iterdir() if path.name != "lock"]


def lay(inbox: Inbox, content: bytes) -> Path:
    request = inbox.folder / "1-1.request"
    request.write_bytes(content)
    return request


def test_the_window_takes_what_another_start_asks_for(home: Home, inbox: Inbox) -> None:
    with asking(home) as answers:
        assert inbox.take(awaited(inbox)) == OPENED
    assert answers == [True]
    assert not left(inbox)


@pytest.mark.skipif(sys.platform == "win32", reason="names there are Unicode")
def test_a_name_that_is_no_text_is_handed_over(home: Home, inbox: Inbox) -> None:
    path = Path(os.fsdecode(b"/a/\xff\xfe\n.dpdesk"))
    with asking(home, path):
        assert inbox.take(awaited(inbox)) == path


def test_a_relative_name_is_meant_from_where_the_start_was(
    home: Home, inbox: Inbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with asking(home, Path("a.dpdesk")):
        assert inbox.take(awaited(inbox)) == tmp_path / "a.dpdesk"


def test_a_declined_file_is_opened_by_who_asks(home: Home, inbox: Inbox) -> None:
    with asking(home) as answers:
        inbox.decline(awaited(inbox))
    assert answers == [False]
    assert not left(inbox)


@pytest.mark.threat("F5")
def test_an_answer_holds_no_path_where_the_start_was_killed_meanwhile(inbox: Inbox) -> None:
    inbox.decline(lay(inbox, b"/of anybody/stays.csv"))
    (answer,) = left(inbox)
    assert (inbox.folder / answer).read_bytes() == b"" and not inbox.is_empty
    assert answer.endswith(handover.DECLINED)
    (inbox.folder / answer).unlink()
    assert inbox.is_empty


def test_a_start_whom_nobody_answers_any_more_opens_its_own_window(
    home: Home, inbox: Inbox
) -> None:
    begun = time.monotonic()
    with asking(home) as answers:
        awaited(inbox)
        inbox.close()
    assert answers == [False] and not left(inbox)
    assert time.monotonic() - begun < LIMIT_S, "it waits to the end where nobody answers"


@pytest.mark.threat("F5")
def test_a_start_that_is_interrupted_takes_its_path_with_it(
    home: Home, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(handover.time, "sleep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        hand_over(home, OPENED, wait_s=20)
    assert not left(inbox)


def test_a_window_that_never_looks_is_not_waited_for_long(home: Home, inbox: Inbox) -> None:
    assert not hand_over(home, OPENED, wait_s=0)
    assert not left(inbox)


def test_two_starts_at_once_are_both_taken(home: Home, inbox: Inbox) -> None:
    paths = {Path("/a.dpdesk"), Path("/b.dpdesk")}
    first, second = sorted(paths)
    with asking(home, first) as one, asking(home, second) as other:
        taken = {inbox.take(awaited(inbox)), inbox.take(awaited(inbox))}
    assert taken == paths
    assert one == other == [True]


def test_one_window_has_the_inbox_until_it_ends(home: Home) -> None:
    with another_window(home) as window:
        assert Inbox.open(home) is None
        window.kill()
        window.wait()
        inbox = Inbox.open(home)
    assert inbox is not None
    inbox.close()


def test_a_request_is_taken_or_withdrawn_and_never_both(home: Home, inbox: Inbox) -> None:
    with asking(home) as answers:
        request = awaited(inbox)
        request.unlink()
        assert inbox.take(request) is None
    assert answers == [True]  # whoever took it opens it


@pytest.mark.parametrize("age_s", [60, -3600])
def test_what_nobody_waits_for_is_removed_unread(inbox: Inbox, age_s: float) -> None:
    request = lay(inbox, b"/a.dpdesk")
    moment = time.time() - age_s
    os.utime(request, (moment, moment))
    assert inbox.requests() == []
    assert not left(inbox)


HOSTILE = {
    "empty": b"",
    "relative": b"a.dpdesk",
    "upwards": b"../a.dpdesk",
    "an address": b"file:///a.dpdesk",
    "an option": b"--verify-installation",
    "a NUL": b"/a\0b.dpdesk",
    "endless": b"/" + b"a" * handover.MOST_BYTES,
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=list(HOSTILE))
def test_nothing_but_an_absolute_path_is_taken(inbox: Inbox, content: bytes) -> None:
    assert inbox.take(lay(inbox, content)) is None
    assert not left(inbox)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among files")
def test_a_pipe_keeps_nobody_waiting(inbox: Inbox) -> None:
    request = inbox.folder / "1-1.request"
    os.mkfifo(request)
    assert inbox.take(request) is None
    assert not left(inbox)


def test_a_folder_in_the_place_of_a_request_is_not_taken(inbox: Inbox) -> None:
    request = inbox.folder / "1-1.request"
    request.mkdir()
    assert inbox.take(request) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps a user's folders by itself")
@pytest.mark.parametrize(("place", "mode"), [(".", 0o720), (".", 0o702), ("handover", 0o750)])
def test_a_folder_that_others_can_write_is_not_used(home: Home, place: str, mode: int) -> None:
    (home.root / "handover").mkdir(mode=0o700)
    (home.root / place).chmod(mode)
    assert Inbox.open(home) is None
    assert not hand_over(home, OPENED, wait_s=0)
    assert not [p for p in (home.root / "handover").iterdir() if p.suffix == ".request"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_to_another_folder_is_not_used(home: Home, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (home.root / "handover").symlink_to(tmp_path / "elsewhere")
    assert Inbox.open(home) is None
    assert not hand_over(home, OPENED, wait_s=0)


def test_where_nothing_can_be_written_there_is_no_inbox(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert Inbox.open(Home.at(tmp_path / "file")) is None
    assert not hand_over(Home.at(tmp_path / "file"), OPENED, wait_s=0)
