# SPDX-License-Identifier: Apache-2.0
"""The annual report is one release about three tables; anyone who has its bundle checks it."""

from __future__ import annotations

from pathlib import Path

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.record.values import form_in
from dpdesk.release.verify.verification import verify
from tests.acceptance.annual.report import released
from tests.release.bundles import KEY, KNOWN


def test_a_small_registry_has_its_report(tmp_path: Path) -> None:
    done = released(tmp_path, patients=600)
    raw = build(done.stored, done.chain, KEY, form_in("de"))
    assert verify(raw, KNOWN).is_good
    files = unpack(raw)
    page = files["report.html"].decode()
    for title in ("Patients of the registry", "Survival after first contact", "Synthetische"):
        assert title in page
    assert {"tables/patients.csv", "synthetic/made-up-rows.csv"} <= files.keys()
