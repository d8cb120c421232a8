# SPDX-License-Identifier: Apache-2.0
"""An order from the window, run on PostgreSQL by a second account, released and verified."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zipfile
from pathlib import Path

import pytest

from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from tests.engine.counted import order_arguments
from tests.engine.second_account import database_of, engine_as, run_as, second_account
from tests.x11.first_hour import all_is_on_the_screen
from tests.x11.from_database import (
    TABLE,
    from_a_table_to_a_verified_bundle,
    header_alone,
    sample_rows,
)
from tests.x11.screen import Rect, screen
from tests.x11.spoken import LOCALES, Spoken
from tests.x11.test_first_hour import HEIGHT, IS_FULL, NEEDED, WAYS, WIDTH

pytestmark = pytest.mark.skipif(
    not all(shutil.which(tool) for tool in NEEDED), reason=f"needs {', '.join(NEEDED)}"
)


@pytest.mark.skipif(not IS_FULL, reason="packaging/test.py --screen runs it")
@pytest.mark.parametrize("language", LOCALES)
def test_from_a_database_to_a_verified_bundle(language: str, tmp_path: Path) -> None:
    pictures = None
    if "DPDESK_SCREENS" in os.environ:
        pictures = Path(os.environ["DPDESK_SCREENS"]) / f"database-{language}"
        pictures.mkdir(parents=True, exist_ok=True)
    home, bundle = tmp_path / "home", tmp_path / "figures.zip"
    home.mkdir(mode=0o700)
    faults: dict[str, list[str]] = {}
    with (
        second_account() as account,
        database_of(account, TABLE, sample_rows()) as variables,
        tempfile.TemporaryDirectory(dir="/tmp") as shared,
        screen(WIDTH, HEIGHT) as display,
        WAYS["mouse"](display, home, pictures, Spoken(language)) as hands,
    ):
        # What both can reach: a stick, or a share.
        Path(shared).chmod(0o1777)

        def colleague(order: Path) -> tuple[Path, str]:
            for private in (home, Path(variables["PGHOST"], "data")):
                assert "Permission denied" in run_as(account, ["ls", str(private)], Path(shared))
            order.chmod(0o644)
            asked = ["run", *order_arguments(order), "--on", "postgres"]
            said = engine_as(account, variables, asked, Path(shared))
            assert "SHA-256" in said, said
            return Path(shared, "stays.sealed"), said.split("SHA-256: ")[1].strip()

        def look(name: str) -> None:
            view = hands.desk.settled()
            hands.desk.picture(name)
            faults[name] = all_is_on_the_screen(view, Rect(0, 0, WIDTH, HEIGHT))

        from_a_table_to_a_verified_bundle(
            hands, header_alone(tmp_path), Path(shared, "stays.order.json"), colleague, bundle, look
        )
    assert {name: found for name, found in faults.items() if found} == {}
    assert verify(bundle, known_signers(Home.at(home))).is_good
    with zipfile.ZipFile(bundle) as opened:
        asked = json.loads(opened.read("manifest.json"))["predicate"]["queries"]
    assert {query["counted_by"].split()[0] for query in asked} == {"postgres"}
