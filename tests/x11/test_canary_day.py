# SPDX-License-Identifier: Apache-2.0
"""A slice of ``python -m tests.x11.canary_day``: one life, one crash, and the search itself."""

from __future__ import annotations

import base64
import gzip
import os
import shutil
import signal
import sys
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from tests.x11.canaries import Canary, Search
from tests.x11.canary_day import Day
from tests.x11.screen import screen

NEEDED = ("Xvfb", "openbox", "xdotool")
CANARY = Canary.of("cell")
needs_screen = pytest.mark.skipif(
    sys.platform != "linux" or not all(shutil.which(tool) for tool in NEEDED),
    reason=f"needs Linux, {', '.join(NEEDED)}",
)


def _zipped(raw: bytes) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cells.xml", raw)
    return stream.getvalue()


@pytest.mark.parametrize(
    "hide",
    [
        bytes,
        lambda raw: raw.upper(),
        lambda raw: raw.decode().encode("utf-16-be"),
        lambda raw: raw.hex().encode(),
        base64.b64encode,
        lambda raw: base64.b64encode(b"x" + raw),
        lambda raw: base64.b64encode(b"xy" + raw + b"z"),
        lambda raw: b"behind a head " + zlib.compress(raw),
        lambda raw: b"behind a head " + zlib.compress(raw, 1),
        lambda raw: b"behind a head " + gzip.compress(raw),
        _zipped,
        lambda raw: _zipped(_zipped(raw)),
    ],
)
def test_a_canary_is_found_however_it_is_written(
    hide: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    hidden = hide(b"a line with " + CANARY.word.encode() + b" in it")
    (tmp_path / "left behind").write_bytes(os.urandom(999) + hidden + os.urandom(999))
    (tmp_path / "alone").write_bytes(hidden)
    search = Search([CANARY])
    found = {sighting.place for sighting in search.in_folders([tmp_path], since=0)}
    assert str(tmp_path / "alone") in found
    assert search.files == 2


def test_a_canary_in_a_name_is_found_and_in_the_source_is_not(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / CANARY.word).touch()
    (tmp_path / f"recent-{CANARY.word}").touch()
    found = Search([CANARY]).in_folders([tmp_path], 0, beside=[tmp_path / "source"])
    assert [sighting.place for sighting in found] == [f"the name recent-{CANARY.word}"]


def test_the_day_declares_what_the_file_has(tmp_path: Path) -> None:
    day = Day(tmp_path, "")
    columns = day.data.read_text(encoding="utf-8").splitlines()[0].split(",")
    assert {day.declared.known, day.declared.category[0], day.declared.number[0]} <= {*columns}


@pytest.mark.threat("F1", "F2", "F3", "F4", "F5")
@needs_screen
@pytest.mark.in_turn(2)
def test_a_crash_with_cores_allowed_leaves_no_canary(tmp_path: Path) -> None:
    """The file is open, its rows on show, and as much as can be copied was."""
    with screen(1366, 768) as display:
        day = Day(tmp_path, display)
        day.open_and_die(signal.SIGSEGV)
        found, files = day.sightings()
    assert files > 3
    assert found == []
