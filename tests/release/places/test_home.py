# SPDX-License-Identifier: Apache-2.0
"""Where things are kept, and that they are kept apart."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.release.places import home as homes
from dpdesk.release.places.home import Home
from dpdesk.study.problem import Refused
from tests.source_files import ROOT


def test_dpdesk_home_moves_everything(dpdesk_home: Path) -> None:
    home = Home.locate()
    places = (home.ledger, home.heads, home.keys, home.signers, home.settings)
    assert all(dpdesk_home in place.parents for place in places)
    assert len(set(places)) == len(places)


def test_folders_are_made_for_the_user_alone(dpdesk_home: Path) -> None:
    home = Home.locate()
    assert home.keys.is_dir() and home.heads_folder.is_dir()
    if os.name == "posix":
        assert stat.S_IMODE(dpdesk_home.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="Windows has lists of rights")
def test_folders_above_are_nobody_elses_whatever_the_umask(tmp_path: Path) -> None:
    """Whoever may write there could put a home of their own in this one's place."""
    before = os.umask(0)
    try:
        Home.locate({"DPDESK_HOME": str(tmp_path / "above" / "more" / "home")})
    finally:
        os.umask(before)
    for name in ("above", "above/more", "above/more/home"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o700, name


def test_ledger_and_heads_lie_in_different_folders() -> None:
    assert Home.of_user().ledger.parent != Home.of_user().heads.parent
    assert Home.locate().ledger.parent != Home.locate().heads.parent


@pytest.mark.parametrize("platform", ["win32", "darwin", "linux"])
def test_the_heads_folder_is_another_one_on_every_system(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    for name in ("user_data_dir", "user_log_dir", "user_state_dir"):
        monkeypatch.setattr(
            homes.platformdirs, name, lambda *_a, _n=name, **k: asked.append((_n, k)) or _n
        )
    monkeypatch.setattr(homes.sys, "platform", platform)
    Home.of_user()
    data, heads = asked
    assert data != heads


def test_an_empty_variable_means_the_usual_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(homes.platformdirs, "user_data_dir", lambda *_a, **_k: str(tmp_path / "d"))
    monkeypatch.setattr(homes.platformdirs, "user_state_dir", lambda *_a, **_k: str(tmp_path / "s"))
    monkeypatch.setattr(homes.sys, "platform", "linux")
    assert Home.locate({"DPDESK_HOME": ""}).ledger == tmp_path / "d" / "ledger.sqlite"


def test_a_relative_home_does_not_follow_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Home.locate({"DPDESK_HOME": "here"}).root == tmp_path / "here"


def test_a_home_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Refused) as refused:
        Home.locate({"DPDESK_HOME": str(tmp_path / "file" / "home")})
    assert refused.value.problems[0].code == "home-unwritable"


@pytest.mark.parametrize(("given", "name"), [("", "~"), ("~nobody-here/a", "~nobody-here/a")])
@pytest.mark.skipif(sys.platform == "win32", reason="every user has a profile there")
def test_a_user_without_a_home_folder_reads_so(tmp_path: Path, given: str, name: str) -> None:
    """Such a user has no entry among the accounts, as in a container."""
    code = """
import pwd, sys
def no_such_user(uid):
    raise KeyError(uid)
pwd.getpwuid = no_such_user
from dpdesk.release.places.home import Home
from dpdesk.study.problem import Refused
try:
    Home.locate({"DPDESK_HOME": sys.argv[1]})
except Refused as refused:
    print(refused.problems[0].code, refused.problems[0].params["name"])
"""
    kept = {k: v for k, v in os.environ.items() if k != "HOME" and not k.startswith("XDG_")}
    found = subprocess.run(
        [sys.executable, "-c", code, given],
        cwd=tmp_path,
        env={**kept, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == f"home-unwritable {name}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="Windows has lists of rights")
@pytest.mark.parametrize("name", ["root", "heads_folder", "keys"])
def test_a_folder_that_everybody_may_write_is_refused(dpdesk_home: Path, name: str) -> None:
    """Whoever may write there puts back an old ledger, or another key."""
    home = Home.locate()
    folder: Path = getattr(home, name)
    folder.chmod(0o777)
    with pytest.raises(Refused) as refused:
        Home.locate()
    (problem,) = refused.value.problems
    assert (problem.code, problem.params) == ("home-open", {"name": str(folder)})
    # Several custodians may share one through a group.
    folder.chmod(0o770)
    assert Home.locate() == home
