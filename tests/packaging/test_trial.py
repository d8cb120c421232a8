# SPDX-License-Identifier: Apache-2.0
"""Trying the package on a clean system: the second version, and what runs in a changed root."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.source_files import ROOT

CONTROL = """Package: dpdesk
Version: 0.2.0
Architecture: all
Maintainer: nobody <nobody@example.org>
Description: a program
"""


@pytest.fixture
def packaging(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The modules of packaging/ that are tested here."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import clean_root
    import trial

    class Modules:
        pass

    modules = Modules()
    modules.__dict__.update(clean_root=clean_root, trial=trial)
    return modules


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="no dpkg here")
def test_the_same_package_gets_a_higher_number(packaging: Any, tmp_path: Path) -> None:
    root = tmp_path / "deb"
    (root / "DEBIAN").mkdir(parents=True)
    (root / "DEBIAN/control").write_text(CONTROL, encoding="utf-8")
    (root / "program").write_text("runs", encoding="utf-8")
    package = tmp_path / "dpdesk_0.2.0_all.deb"
    subprocess.run(["dpkg-deb", "--build", root, package], check=True, capture_output=True)
    other = packaging.trial.renumbered(package, tmp_path)
    versions = [packaging.trial.version(each) for each in (package, other)]
    compared = ["dpkg", "--compare-versions", versions[0], "lt", versions[1]]
    assert subprocess.run(compared, check=False).returncode == 0
    subprocess.run(["dpkg-deb", "--extract", other, tmp_path / "out"], check=True)
    assert (tmp_path / "out/program").read_text(encoding="utf-8") == "runs"


def test_files_that_no_package_owns_are_found(packaging: Any, tmp_path: Path) -> None:
    for name in ("usr/bin/known", "usr/lib/left", "home/user/kept", "var/lib/dpkg/info/a.list"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("/bin/known\n", encoding="utf-8")
    assert packaging.clean_root.CleanRoot(tmp_path).unowned() == {"/usr/lib/left"}


def _may_change_root() -> bool:
    asked = ["unshare", "--net", "--mount", "true"]
    tool = shutil.which("unshare")
    return tool is not None and subprocess.run(asked, check=False).returncode == 0


@pytest.mark.skipif(os.name != "posix" or not _may_change_root(), reason="not allowed here")
def test_inside_there_is_no_network_and_no_variable_but_those_given(packaging: Any) -> None:
    here = packaging.clean_root.CleanRoot(Path("/"))
    links = here.run("cat", "/proc/net/dev", user="root").stdout.splitlines()[2:]
    assert [line.split(":")[0].strip() for line in links] == ["lo"]
    seen = here.run("env", user="root", GIVEN="a b").stdout.splitlines()
    assert {line.split("=")[0] for line in seen} == {"PATH", "HOME", "USER", "GIVEN"}
    assert "GIVEN=a b" in seen
