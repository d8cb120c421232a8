# SPDX-License-Identifier: Apache-2.0
"""Whatever is named as a file is refused at once where it is none: pipe, device, folder, socket."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from dpdesk.data.codebook.read import read_codebook, takes_catalogue
from dpdesk.data.files.file_formats import KINDS as FILE_KINDS
from dpdesk.data.files.statistical.described_variables import read_variables
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header
from dpdesk.desk.core.known_file import KnownFile
from dpdesk.release.places.home import Home
from dpdesk.release.second_person.plan_signature import USED, remember_used
from dpdesk.release.signing import key_changes
from dpdesk.release.signing.keys import read_passphrase_file
from dpdesk.release.signing.signers import load_signers
from dpdesk.release.verify.verification import verify
from dpdesk.study import regular_file
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from dpdesk.study.regular_file import open_regular

SOON_S = 10

READERS: dict[str, Callable[[Path], object]] = {
    "study": load_study,
    "place of a study": KnownFile.to_replace,
    "CSV file": lambda path: read_header(DataSource(str(path)), Path()),
    "Parquet file": lambda path: read_header(DataSource(str(path), format="parquet"), Path()),
    "SPSS file": lambda path: read_header(DataSource(str(path), format="spss"), Path()),
    "unknown data": recognise,
    "codebook": read_codebook,
    "codebook of SAS": takes_catalogue,
    "labels": lambda path: read_variables(path, FILE_KINDS["sav"], None),
    "bundle": lambda path: verify(path, load_signers(path.parent / "none")),
    "signers": load_signers,
    "passphrase": read_passphrase_file,
}


def a_pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def a_socket(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
    return folder / "socket"


def a_link_to_a_pipe(folder: Path) -> Path:
    (folder / "link").symlink_to(a_pipe(folder))
    return folder / "link"


KINDS: dict[str, Callable[[Path], Path]] = {
    "pipe": a_pipe,
    "link to a pipe": a_link_to_a_pipe,
    "socket": a_socket,
    "device": lambda _folder: Path("/dev/zero"),
    "folder": lambda folder: folder,
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_refused_at_once(
    reader: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A socket's name must be short.
    monkeypatch.chdir(tmp_path)
    path, refused = KINDS[kind](tmp_path), []

    def read() -> None:
        try:
            READERS[reader](path)
        except Refused as caught:
            refused.append(caught)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(SOON_S)
    assert not thread.is_alive(), "it waits"
    assert refused


def appended(pipe: Path) -> None:
    """Whatever adds to a file of its own, with a pipe in its place."""
    with pytest.raises(Refused), key_changes.alone(pipe.with_suffix("")):
        pass
    remember_used(Home.at(pipe.parent), "a" * 32)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_nothing_is_added_to_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "heads").mkdir()
    os.mkfifo(tmp_path / "heads" / USED)
    os.mkfifo(tmp_path / "keys.lock")
    thread = threading.Thread(target=appended, args=(tmp_path / "keys.lock",), daemon=True)
    thread.start()
    thread.join(SOON_S)
    assert not thread.is_alive(), "it waits"


def test_a_file_is_read_through_a_link_as_well(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for name in ("file", "link"):
        with open_regular(tmp_path / name) as stream:
            assert stream.read() == b"content"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_put_in_a_file_s_place_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = a_pipe(tmp_path)
    (tmp_path / "file").touch()
    found = os.stat(tmp_path / "file")
    monkeypatch.setattr(regular_file.os, "stat", lambda _path: found)
    with pytest.raises(OSError, match="regular"):
        open_regular(pipe)
