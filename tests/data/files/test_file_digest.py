# SPDX-License-Identifier: Apache-2.0
"""A file's bytes are recognised with the key alone, and digesting never stops or hangs anything."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from dpdesk.data.files.file_digest import (
    CHUNK,
    NO_DIGEST,
    DigestBeside,
    digest_of_files,
    file_digest,
)
from dpdesk.data.progress import Cancelled, CancelToken
from tests.waiting import LIMIT_S

KEY, OTHER = b"k" * 32, b"o" * 32


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "stays.csv"
    found.write_bytes(os.urandom(2 * CHUNK + 17))
    return found


def beside(path: Path) -> bytes:
    with DigestBeside([path], KEY) as digest:
        return digest.result(CancelToken())


def test_every_byte_counts_and_so_does_the_key(path: Path) -> None:
    first = file_digest(path, KEY)
    assert len(first) == 32 and first == file_digest(path, KEY) == beside(path)
    assert first != file_digest(path, OTHER)
    raw = bytearray(path.read_bytes())
    for place in (0, CHUNK, len(raw) - 1):
        raw[place] ^= 1
        path.write_bytes(raw)
        assert file_digest(path, KEY) != first
        raw[place] ^= 1
    path.write_bytes(raw)
    assert file_digest(path, KEY) == first
    path.write_bytes(raw + b"\n")
    assert file_digest(path, KEY) != first


def test_name_and_time_do_not_count(path: Path) -> None:
    first = file_digest(path, KEY)
    os.utime(path, (0, 0))
    assert file_digest(path.rename(path.with_name("renamed.csv")), KEY) == first


def test_what_is_no_file_has_no_digest(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe, tmp_path / "absent", Path("/dev/zero"), Path("a\0b")):
        assert file_digest(path, KEY) == NO_DIGEST == beside(path)


def test_a_file_that_grows_or_is_replaced_meanwhile_has_none(path: Path) -> None:
    def grows(done: int, _total: int) -> None:
        if done == CHUNK:
            with path.open("ab") as file:
                file.write(b"more")

    assert file_digest(path, KEY, grows) == NO_DIGEST
    other = path.with_name("other.csv")
    other.write_bytes(path.read_bytes())
    with DigestBeside([path], KEY) as digest:
        os.replace(other, path)
        assert digest.result(CancelToken()) == NO_DIGEST


def test_it_is_stopped_within_a_chunk(path: Path) -> None:
    cancel, seen = CancelToken(), []

    def stop(done: int, _total: int) -> None:
        seen.append(done)
        cancel.cancel()

    with pytest.raises(Cancelled):
        file_digest(path, KEY, stop, cancel)
    assert seen == [CHUNK]
    stopped = CancelToken()
    stopped.cancel()
    never_begun = DigestBeside([path], KEY)
    with pytest.raises(Cancelled):
        never_begun.result(stopped)


def test_the_thread_ends_with_what_it_was_for(path: Path) -> None:
    path.write_bytes(b"x" * (400 * CHUNK))
    with DigestBeside([path], KEY) as digest:
        pass
    digest._thread.join(LIMIT_S)
    assert not digest._thread.is_alive() and digest._digest == NO_DIGEST
    assert all(t.name != "file-digest" for t in threading.enumerate())


def test_several_files_have_one_digest_that_each_byte_and_their_order_count_for(
    path: Path,
) -> None:
    second = path.with_name("labs.csv")
    second.write_bytes(b"pid,value\n")
    both = digest_of_files([path, second], KEY)
    assert len(both) == 32
    # One file for two tables: which of them it is for is a state of its own.
    of_three = {digest_of_files(three, KEY) for three in ([path, path, second], [path, second] * 2)}
    assert len(of_three | {digest_of_files([path, second, second], KEY), both}) == 4
    assert (
        digest_of_files([path], KEY) == file_digest(path, KEY) == digest_of_files([path] * 2, KEY)
    )
    assert both not in (digest_of_files([second, path], KEY), file_digest(path, KEY))
    # A line that goes from the end of one file to the beginning of the next is another state.
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    second.write_bytes(whole[-1:] + b"pid,value\n")
    assert digest_of_files([path, second], KEY) != both
    assert digest_of_files([path, path.with_name("absent.csv")], KEY) == NO_DIGEST
    with DigestBeside([path, second], KEY) as digest:
        second.write_bytes(b"pid,value\n1,2\n")
        assert digest.result(CancelToken()) == NO_DIGEST
        assert not digest.is_unchanged
