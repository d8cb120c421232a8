# SPDX-License-Identifier: Apache-2.0
"""A registry's annual report as one release: ten questions about three made-up tables.

Its labels are the custodian's and a part of what is asked, so the German study is released by
itself; its door repeats the numbers that the English one drew, and both bundles say one thing.

Says what it costs, how wide its margins are, and how long anyone takes to check it; the bundles in
English and in German stay in ``build/annual``, to be opened page by page.
"""

from __future__ import annotations

import json
import shutil
import time
from decimal import Decimal
from pathlib import Path

from dpdesk.privacy.noise.door import Door
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import form_in
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import Epsilon
from tests.acceptance.annual.german import in_german
from tests.acceptance.annual.registry_files import PATIENTS, write_registry
from tests.doors import KeepingDoor, RecordingDoor
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import release

STUDY = Path(__file__).with_name("registry.dpdesk")
FOLDER = Path(__file__).parents[3] / "build" / "annual"
LANGUAGES = ("en", "de")
MOST_SECONDS = 10
"""For anyone who verifies the report's bundle, on a machine that does nothing else."""


def released(
    folder: Path, patients: int = PATIENTS, language: str = "en", door: Door | None = None
) -> ReleaseDone:
    """The report of the year, its files in an empty folder."""
    write_registry(folder, patients)
    members = json.loads(STUDY.read_text(encoding="utf-8"))
    members = in_german(members) if language == "de" else members
    (folder / STUDY.name).write_text(json.dumps(members), encoding="utf-8")
    study = load_study(folder / STUDY.name).study
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of(100))
    return release(study, folder, ledger, door or KeepingDoor())


def main() -> int:
    """Make the report, write its bundles and verify them; 1 where that is not good, or too slow."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    failed, kept, said = False, KeepingDoor(), list[list[list[str]]]()
    for language in LANGUAGES:
        folder = FOLDER / language
        folder.mkdir(parents=True)
        door = RecordingDoor(kept.given) if kept.given else kept
        done = released(folder, language=language, door=door)
        record, tables = done.stored.record, done.stored.tables
        said.append([_column(table, role) for table in tables for role in ("value", "half-width")])
        margins = [Decimal(m) for table in tables for m in _column(table, "half-width") if m]
        print(f"queries {len(record.queries)}, figures {sum(len(t.rows) for t in tables)}")
        squared = sum(m * m for m in margins)
        print(f"price {record.claim.total}, sum of squared margins {squared:.3f}")
        raw = build(done.stored, done.chain, KEY, form_in(language))
        (FOLDER / f"report-{language}.zip").write_bytes(raw)
        begun = time.process_time()
        is_good = verify(raw, KNOWN).is_good
        seconds = time.process_time() - begun
        failed |= not is_good or seconds > MOST_SECONDS
        print(f"{language}: {len(raw):,} bytes, good {is_good}, verified in {seconds:.1f} s of CPU")
    print(f"the same figures in both languages: {said[0] == said[1]}")
    return int(failed or said[0] != said[1])


def _column(table: Table, role: str) -> list[str]:
    """The cells of a table's column; none where it has no such column."""
    heads = [column.role for column in table.columns]
    at = heads.index(role) if role in heads else None
    return [] if at is None else [row[at] for row in table.rows]
