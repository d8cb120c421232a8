# SPDX-License-Identifier: Apache-2.0
"""What surrounds a process changes nothing about its noise."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk.privacy.noise.door import software
from tests.source_files import ROOT

DRAW = """
import json, os
import numpy as np
from dpdesk.exact import Exact
from dpdesk.privacy.noise.door import OpenDPDoor, software
from dpdesk.privacy.noise.noise import Noise

def draw():
    answer = Exact(np.zeros(8, dtype=np.int64))
    return OpenDPDoor().draw("test", answer, Noise("laplace", 1e15), 1)
"""
REPORT = """
left = sorted(name for name in os.environ if name.upper().startswith("OPENDP"))
backtrace = os.environ.get("RUST_BACKTRACE")
print(json.dumps([left, backtrace, software(), draw()]))
"""
FORK = """
draw()
drawn = []
for _ in range(4):
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.write(into, json.dumps(draw()).encode())
        os._exit(0)
    os.close(into)
    drawn.append(json.loads(os.read(out, 10_000)))
    os.waitpid(child, 0)
print(json.dumps([*drawn, draw()]))
"""


def run(code: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    surroundings = {k: v for k, v in os.environ.items() if k != "RUST_BACKTRACE"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env=surroundings | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def fake_library(tmp_path: Path) -> Path:
    """A folder with files that call themselves OpenDP's library."""
    for name in ("opendp.abi3.so", "opendp.pyd", "libopendp.so", "opendp.dll", "libopendp.dylib"):
        (tmp_path / name).write_bytes(b"not the library that was checked")
    return tmp_path


def test_the_trap_is_real(fake_library: Path) -> None:
    """Without the door, a variable puts another library in the place of the noise."""
    assert run("import opendp.prelude").returncode == 0
    assert run("import opendp.prelude", OPENDP_LIB_DIR=str(fake_library)).returncode != 0


@pytest.mark.threat("H1")
def test_no_variable_changes_the_noise_library(fake_library: Path) -> None:
    ran = run(
        DRAW + REPORT,
        OPENDP_LIB_DIR=str(fake_library),
        OPENDP_POLARS_LIB_PATH=str(fake_library / "libopendp.so"),
        OPENDP_HEADLESS="true",
        OPENDP_TEST_RELEASE="1",
        OPENDP_WHATEVER_COMES_NEXT="1",
    )
    assert ran.returncode == 0, ran.stderr
    left, backtrace, library, drawn = json.loads(ran.stdout)
    assert left == []
    assert backtrace == "0"
    assert library == software()
    assert len(set(drawn)) == 8


def test_backtraces_stay_as_the_user_set_them() -> None:
    ran = run(DRAW + REPORT, RUST_BACKTRACE="full")
    assert json.loads(ran.stdout)[1] == "full"


@pytest.mark.threat("A7")
def test_two_starts_draw_differently() -> None:
    first, second = run(DRAW + REPORT), run(DRAW + REPORT)
    assert json.loads(first.stdout)[:3] == json.loads(second.stdout)[:3]
    assert not set(json.loads(first.stdout)[3]) & set(json.loads(second.stdout)[3])


@pytest.mark.threat("A7")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forked_children_draw_differently() -> None:
    ran = run(DRAW + FORK)
    assert ran.returncode == 0, ran.stderr
    drawn = json.loads(ran.stdout)
    assert len(drawn) == 5
    assert len({value for vector in drawn for value in vector}) == 5 * 8
