# SPDX-License-Identifier: Apache-2.0
"""What a release needs is loaded while its key is unlocked, and decides nothing there."""

import sys
import threading
from pathlib import Path

import pytest

from dpdesk.privacy.noise import noise_library
from dpdesk.release.bundle import text_setting
from dpdesk.release.bundle.report import pdf_pages
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.shell.release import unlock_to_release
from dpdesk.study.problem import Refused

PASSPHRASE = "only for this test"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home.at(tmp_path / "home")
    keys.new_key(home.keys, "office@hospital.example", PASSPHRASE)
    return home


@pytest.fixture(autouse=True)
def _nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "xlsxwriter", raising=False)
    noise_library.library_digest.cache_clear()
    text_setting.canvas_class.cache_clear()


def _is_loaded() -> bool:
    pages = text_setting.canvas_class.cache_info().currsize
    return bool(
        pages and noise_library.library_digest.cache_info().currsize and "xlsxwriter" in sys.modules
    )


def test_all_is_loaded_when_the_key_is_unlocked(home: Home) -> None:
    assert not _is_loaded()
    assert unlock_to_release(home, PASSPHRASE).info.identity == "office@hospital.example"
    assert _is_loaded()


def test_a_wrong_passphrase_is_refused_and_leaves_no_thread(home: Home) -> None:
    with pytest.raises(Refused) as refused:
        unlock_to_release(home, "another one")
    assert refused.value.problems[0].code == "key-wrong-passphrase"
    assert "preload" not in {thread.name for thread in threading.enumerate()}


def test_what_cannot_be_loaded_is_reported_where_it_is_needed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noise_library, "expected_digest", lambda: "0" * 64)
    monkeypatch.setitem(text_setting._FILES, text_setting.TEXT, "fonts/none.ttf")
    unlock_to_release(home, PASSPHRASE)
    with pytest.raises(Refused):
        noise_library.check_library()
    with pytest.raises(FileNotFoundError):
        pdf_pages.load_fonts()
