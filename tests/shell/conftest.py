# SPDX-License-Identifier: Apache-2.0
"""The shell's tests share one small hospital."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle import signed_bundle
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.verify import reproduce
from tests.shell.hospital import Hospital, make_hospital

EVERY_COMMIT = {"test_no_row_decides.py", "test_second_record.py", "test_whole_session.py"}
"""What one row must not tell, what a second record is for, and canaries."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Of the others a commit runs half: what breaks a command breaks several."""
    if item.path.name not in EVERY_COMMIT and item.get_closest_marker("in_turn") is None:
        item.add_marker(pytest.mark.in_turn(2))


@pytest.fixture(autouse=True)
def files_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle's files are made for who signs it, and not again for each who verifies it.

    That equal releases have the same files is shown by ``tests/release``, where they are made anew.
    """
    made: list[tuple[SignedRelease, Sequence[Table], dict[str, bytes]]] = []
    make = signed_bundle.files_of

    def files_of(release: SignedRelease, tables: Sequence[Table]) -> dict[str, bytes]:
        for known, of_tables, files in made:
            if known == release and [*of_tables] == [*tables]:
                return dict(files)
        files = make(release, tables)
        made.append((release, tables, dict(files)))
        return files

    for module in (signed_bundle, reproduce):
        monkeypatch.setattr(module, "files_of", files_of)


@pytest.fixture
def hospital(
    tmp_path: Path,
    dpdesk_home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Hospital:
    """A file, a study, an account with one epsilon, and a key."""
    return make_hospital(tmp_path, capsys, monkeypatch)
