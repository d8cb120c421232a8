# SPDX-License-Identifier: Apache-2.0
"""The proofs can fail: each planted bug is caught, and the program without bugs passes them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.bugs.planting import Bug
from tests.audit.detectors import DETECTORS, findings
from tests.audit.length import FULL, some
from tests.audit.mutants import BUGS, caught_by
from tests.turns import TURN, in_turn

pytestmark = pytest.mark.audit

OWN = ("several", "files", "constant", "guess", "sharp", "margins")
"""Proofs that run long and have tests of their own, which the program passes."""

DEAR = [*(name for name in DETECTORS if name not in OWN), *OWN]
"""The proofs, last those that run most."""

MISFITS = {"AttributeError escapes", "NameError escapes", "TypeError escapes"}


@pytest.mark.parametrize("name", DETECTORS if FULL else DEAR[: -len(OWN)])
@pytest.mark.in_turn(8)
def test_the_program_itself_passes(name: str, tmp_path: Path) -> None:
    assert findings(name, tmp_path) == []


@pytest.mark.threat("B8")
@pytest.mark.parametrize(
    "bug", in_turn(BUGS, 32) if TURN else some(BUGS, 16), ids=lambda bug: bug.name
)
def test_each_planted_bug_is_caught(bug: Bug) -> None:
    """By each proof that must catch it; a few, by their quickest proof, in the short slice."""
    proofs = bug.proofs if FULL else sorted(bug.proofs, key=DEAR.index)[:1]
    found = caught_by(bug, proofs)
    assert set(found) == set(proofs) != set()
    # A bug whose patch does not fit the program any more proves nothing by breaking.
    assert not MISFITS.intersection(*found.values())


def test_no_bug_stays_planted(tmp_path: Path) -> None:
    for bug in BUGS:
        caught_by(bug, ())
    assert findings("replay", tmp_path) == []


def test_bugs_have_names_of_their_own() -> None:
    names = [bug.name for bug in BUGS]
    assert sorted(set(names)) == sorted(names)
