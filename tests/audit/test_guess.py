# SPDX-License-Identifier: Apache-2.0
"""Guess: an exact binomial test that no attack on a worst-case pair beats the claim.

All audits together fail an honest program with probability below 1e-6: 22 pairs and the controls
at 1e-8 each. The controls show that the test can fail: a claim of two thirds of the true epsilon
is refuted.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.audit.guess import ALPHA, guess_audit
from tests.audit.pairs import EPSILON, Attack, Pair, pairs

pytestmark = pytest.mark.audit

RUNS = 1_000 if os.environ.get("DPDESK_AUDIT") == "short" else 4_000
CLAIM = EPSILON.micro / 1e6


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_no_guess_beats_the_claim(pair: Pair, tmp_path: Path) -> None:
    attack = Attack(pair, tmp_path)
    found = guess_audit(attack.release, CLAIM, RUNS)
    assert found.p >= ALPHA, found


@pytest.mark.parametrize("index", [0, 3, 6, 11, 17])
def test_the_audit_refutes_a_claim_of_two_thirds(index: int, tmp_path: Path) -> None:
    attack = Attack(pairs()[index], tmp_path)
    found = guess_audit(attack.release, CLAIM / 1.5, 4_000)
    assert found.caught, found
