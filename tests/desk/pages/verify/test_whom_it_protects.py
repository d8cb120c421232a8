# SPDX-License-Identifier: Apache-2.0
"""The window says whom a verified claim protects: epsilon alone is no promise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.unit import Unit
from tests.release.bundles import KEY, KNOWN, resigned
from tests.release.studies import STUDY, release, write_data

assert STUDY.unit is not None
PERSON = STUDY.unit


@pytest.mark.parametrize(
    ("unit", "whom"),
    [
        (
            replace(PERSON, max_rows=3),
            "whether one person with up to 3 rows is in the data at all",
        ),
        (replace(PERSON, max_rows=1), "whether one person with up to 1 row is in the data at all"),
        (Unit(), "whether one row is in the data at all"),
    ],
    ids=["rows", "one row", "a row"],
)
@pytest.mark.in_turn(2)
def test_a_claim_that_holds_says_whom_it_protects(
    session: Session, tmp_path: Path, unit: Unit, whom: str
) -> None:
    write_data(tmp_path)
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("registry", Epsilon.of("1"))
    made = release(replace(STUDY, unit=unit), tmp_path, ledger, OpenDPDoor())
    page = VerifyPage(session)
    page.answers.show_answers(verify(build(made.stored, made.chain, KEY), KNOWN))
    assert f"It protects: {whom}." in page.answers.claim.accessibleName()


def test_a_claim_that_does_not_hold_promises_nothing(session: Session) -> None:
    def change(statement: dict[str, dict[str, dict[str, str]]]) -> None:
        statement["predicate"]["claim"]["epsilon"] = "0.001"

    page = VerifyPage(session)
    page.answers.show_answers(verify(resigned(change), KNOWN))
    assert "It protects" not in page.answers.claim.accessibleName()
