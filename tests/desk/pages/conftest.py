# SPDX-License-Identifier: Apache-2.0
"""One signing key for all tests of pages, and a window that has it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import new_key
from tests.desk.conftest import OpenWindow
from tests.desk.releasing import PASSPHRASE, SIGNER

EVERY_COMMIT = {"release", "results", "verify"}
"""Pages on which a mistake spends budget or vouches for what is wrong."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Of each other page a commit runs a third of the tests: what breaks a page breaks several."""
    if not EVERY_COMMIT & set(item.path.parts) and item.get_closest_marker("in_turn") is None:
        item.add_marker(pytest.mark.in_turn(3))


@pytest.fixture(scope="session")
def key_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One key for all: its passphrase is slow to stretch."""
    folder = tmp_path_factory.mktemp("key") / "keys"
    new_key(folder, SIGNER, PASSPHRASE)
    return folder


@pytest.fixture
def window_with_key(
    open_window: OpenWindow, study_file: Path, home: Home, key_folder: Path
) -> MainWindow:
    shutil.copytree(key_folder, home.keys, dirs_exist_ok=True)
    return open_window(study_file, page="release")
