# SPDX-License-Identifier: Apache-2.0
"""Killed at any instant, and run by many at once: what was shown was paid, and nothing is lost."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from tests.audit.length import runs
from tests.doors import ConstantDoor
from tests.release.ledgers import ONE
from tests.release.studies import record_of, release, write_data
from tests.source_files import ROOT
from tests.waiting import LIMIT_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")

Run = Callable[[str, int], None]

RUNS = runs(3, 7)
KILLS = runs(6, 40)
RACED = runs(10, 100)
SHARE = Epsilon.of("0.01")
UNPAID = ("before-reading", "before-draw", "after-draw", "before-insert", "after-insert")
POINTS = {
    **dict.fromkeys((*UNPAID, "before-commit"), False),
    **dict.fromkeys(("after-commit", "while-remembering", "before-showing"), True),
}


@pytest.fixture
def home(request: pytest.FixtureRequest, dpdesk_home: Path, tmp_path: Path) -> Home:
    home = Home.at(dpdesk_home)
    Ledger.open(home).new_account("registry", getattr(request, "param", ONE))
    write_data(tmp_path, first=7_770_000)
    return home


@pytest.fixture(scope="module")
def dying() -> Iterator[subprocess.Popen[str]]:
    """The program that dies; it is started once."""
    command = [sys.executable, "-m", "tests.release.dying"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as program:
        yield program
        assert program.stdin is not None
        program.stdin.close()
        assert program.wait(LIMIT_S) == 0


@pytest.fixture
def run_dying(dying: subprocess.Popen[str], home: Home, tmp_path: Path) -> Run:
    """Runs the program that dies, at a point, so many times."""

    def run(what: str, number: int) -> None:
        assert dying.stdin is not None and dying.stdout is not None
        dying.stdin.write(json.dumps([what, str(home.root), str(tmp_path), str(number)]) + "\n")
        dying.stdin.flush()
        assert dying.stdout.readline() == "\n", f"{what} failed"

    return run


def shown(folder: Path) -> list[list[str]]:
    """What the program showed: sequence, charge and number."""
    path = folder / "shown.txt"
    return [line.split() for line in path.read_text().splitlines()] if path.exists() else []


def assert_paid(home: Home, folder: Path) -> Ledger:
    """What was shown is in the ledger, whole, and paid."""
    ledger = Ledger.open(home)
    assert ledger.check().sound
    for sequence, charged, number in shown(folder):
        payload = json.loads(ledger.payload(int(sequence)))
        assert payload["predicate"]["drawn"]["stays"] == [[number]]
        assert str(ledger.entry(int(sequence)).charged) == charged
    shown_micro = sum(Epsilon.of(charged).micro for _s, charged, _n in shown(folder))
    account = ledger.account("registry")
    assert shown_micro <= account.spent.micro <= account.total.micro
    return ledger


@pytest.mark.threat("E10")
@pytest.mark.parametrize(("point", "committed"), POINTS.items())
def test_killed_at_a_point(
    home: Home, tmp_path: Path, run_dying: Run, point: str, committed: bool
) -> None:
    run_dying(point, RUNS)
    ledger = assert_paid(home, tmp_path)
    spent = ledger.account("registry").spent
    assert shown(tmp_path) == []
    # Heads that lag are written before the next transaction, which dies there, too.
    runs = 1 if point in ("after-commit", "while-remembering") else RUNS
    assert spent.micro == (runs * SHARE.micro if committed else 0)
    if committed:
        assert_stored_answer_is_free(ledger, tmp_path)


def assert_stored_answer_is_free(ledger: Ledger, folder: Path) -> None:
    """What a killed program had paid for is shown by the next one, for nothing."""
    from tests.release.dying import STUDY

    sequence, _head = ledger.head()
    stored = json.loads(ledger.payload(sequence))["predicate"]["drawn"]
    before = ledger.account("registry").spent
    done = release(STUDY, folder, ledger, ConstantDoor())
    assert record_of(done)["predicate"]["drawn"] == stored
    assert [path.name for path in ledger.home.heads_folder.iterdir()] == ["heads.json"]
    assert ledger.account("registry").spent == before


@pytest.mark.threat("E10")
@pytest.mark.parametrize("how", ["anywhere", "storm"])
def test_killed_at_unforeseen_moments(home: Home, tmp_path: Path, run_dying: Run, how: str) -> None:
    run_dying(how, KILLS)
    ledger = assert_paid(home, tmp_path)
    assert ledger.rolled_back() is None
    # A kill loses at most the showing of one release; and some were not killed too early.
    entries = [e for e in ledger.account("registry").entries if e.kind == "release"]
    assert 0 < len(shown(tmp_path)) <= len(entries) <= len(shown(tmp_path)) + KILLS


@pytest.mark.threat("F1")
def test_nothing_of_the_data_is_left_by_a_killed_release(
    home: Home, tmp_path: Path, run_dying: Run
) -> None:
    for point in ("after-draw", "before-commit", "while-remembering"):
        run_dying(point, 2)
    left = [path for path in home.root.rglob("*") if path.is_file()]
    assert {path.suffix for path in left} >= {".sqlite", ".json"}
    assert not [path.name for path in left if b"p777" in path.read_bytes()]


@pytest.mark.threat("E9")
@pytest.mark.parametrize("home", [Epsilon(RACED * SHARE.units)], indirect=True, ids=["raced"])
def test_four_programs_cannot_both_spend_the_last_of_it(
    home: Home, tmp_path: Path, run_dying: Run
) -> None:
    run_dying("race", 4)
    ledger = assert_paid(home, tmp_path)
    assert ledger.account("registry").left == Epsilon(0)
    assert len(shown(tmp_path)) == RACED
    assert len({sequence for sequence, _c, _n in shown(tmp_path)}) == RACED
