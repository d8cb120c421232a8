# SPDX-License-Identifier: Apache-2.0
"""A noise library that is not the one that was installed draws nothing."""

import base64
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dpdesk.privacy.noise import noise_library
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.problem import Refused
from tests.doors import ConstantDoor
from tests.release.ledgers import ONE
from tests.release.studies import STUDY, release, write_data
from tests.source_files import ROOT

NATIVE = b"what the wheel brought along"
CHECK = """
import sys
from dpdesk.privacy.noise.noise_library import check_library
from dpdesk.study.problem import Refused
sys.prefix = sys.argv[1]
try:
    check_library()
    print("taken")
except Refused as refused:
    print(*(problem.code for problem in refused.problems))
"""


@pytest.fixture
def native(tmp_path: Path) -> Path:
    """The native part of a small package that is called like the noise library."""
    path = tmp_path / "opendp" / "lib" / "opendp.abi3.so"
    path.parent.mkdir(parents=True)
    (tmp_path / "opendp" / "__init__.py").write_text("")
    path.write_bytes(NATIVE)
    return path


def by_record(folder: Path) -> None:
    """Say what it should be as an installed wheel does."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(NATIVE).digest()).decode().rstrip("=")
    info = folder / "opendp-0.0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: opendp\nVersion: 0.0.0\n")
    (info / "RECORD").write_text(f"opendp/lib/opendp.abi3.so,sha256={digest},{len(NATIVE)}\n")


def by_list(folder: Path) -> None:
    """Say what it should be as an installed program does."""
    digest = hashlib.sha256(NATIVE).hexdigest()
    (folder / noise_library.LIST).write_text(f"{digest}  opendp/lib/opendp.abi3.so\n")


def checked(folder: Path) -> str:
    """What a process says that has this library."""
    ran = subprocess.run(
        [sys.executable, "-c", CHECK, str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.strip()


@pytest.mark.threat("H1")
@pytest.mark.parametrize("say", [by_record, by_list])
def test_one_altered_byte_is_refused(
    say: Callable[[Path], None], native: Path, tmp_path: Path
) -> None:
    say(tmp_path)
    assert checked(tmp_path) == "taken"
    native.write_bytes(NATIVE[:-1] + b"!")
    assert checked(tmp_path) == "noise-library-altered"


@pytest.mark.threat("H1")
@pytest.mark.parametrize("say", [by_record, by_list])
def test_a_file_beside_the_library_is_refused(
    say: Callable[[Path], None], native: Path, tmp_path: Path
) -> None:
    """What is loaded may be the one of which nothing that was installed speaks."""
    say(tmp_path)
    native.with_name("opendp2.abi3.so").write_bytes(NATIVE)
    assert checked(tmp_path) == "noise-library-altered"


def by_nothing(_folder: Path) -> None:
    """No record but that of the library that is installed elsewhere."""


def by_another_record(folder: Path) -> None:
    """A record that speaks of other files alone."""
    by_record(folder)
    record = folder / "opendp-0.0.0.dist-info" / "RECORD"
    record.write_text(record.read_text().replace("opendp.abi3.so", "gone.abi3.so"))


@pytest.mark.parametrize("say", [by_nothing, by_another_record])
def test_a_library_of_which_nothing_says_what_it_should_be_is_taken(
    say: Callable[[Path], None], native: Path, tmp_path: Path
) -> None:
    say(tmp_path)
    assert checked(tmp_path) == "taken"
    native.unlink()
    assert checked(tmp_path) == "taken"


def test_a_library_that_was_never_installed_has_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    (native,) = noise_library._native_files()
    monkeypatch.setattr(sys, "path", [])
    assert noise_library._recorded(native) is None


def test_what_is_installed_here_is_what_its_record_says() -> None:
    assert noise_library.expected_digest() == noise_library.library_digest()


@pytest.mark.threat("H1")
def test_nothing_is_spent_with_an_altered_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_data(tmp_path)
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("registry", ONE)
    monkeypatch.setattr(noise_library, "library_digest", lambda: "0" * 64)
    with pytest.raises(Refused) as caught:
        release(STUDY, tmp_path, ledger, ConstantDoor())
    assert [problem.code for problem in caught.value.problems] == ["noise-library-altered"]
    assert ledger.account("registry").spent.units == 0
