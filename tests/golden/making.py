# SPDX-License-Identifier: Apache-2.0
"""What each golden study leads to: its plan, its questions, its ledger, its bundles.

Together the studies ask every statistic, of rows, people and both kinds of neighbours, in pure
epsilon and in zCDP, with every kind of group, condition and rule.

The clock, the release's id, the key and the versions are fixed, and the door adds no noise: so
every byte follows from the study and its data, exact answers included.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import dpdesk
from dpdesk.exact import Int64Vector
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import FoundTexts
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Plan
from dpdesk.privacy.planning.weak import weaknesses
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run import release_run as run
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify import reproduce
from dpdesk.release.verify.plain_documents import is_plain_workbook
from dpdesk.release.verify.verification import verify
from dpdesk.shell.confidence_levels import levels_members
from dpdesk.shell.plan import plan_members
from dpdesk.study.json.study_files import load_study
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.document import Study
from tests.doors import RecordingDoor, one_salt
from tests.release.bundles import KEY, KNOWN

STUDIES = Path(__file__).with_name("studies")
EXPECTED = Path(__file__).with_name("expected")
NAMES = tuple(path.stem for path in sorted(STUDIES.glob("*.dpdesk")))
SHOWN = ("epsilon-change-one", "rho-add-remove")
"""Studies whose files are kept to be read and compared line by line; of all, digests are."""
UNSHOWN = (
    *("study.dpdesk", "bundle.zip", "manifest.json.sig", "report.html", "report.pdf"),
    *("results.xlsx", "datapackage.json", "deployment.yaml", "ro-crate-metadata.json"),
)
"""Files that are large, or lie elsewhere."""

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
GRANTED = {
    "epsilon": (Epsilon.of("100"),),
    "rho": (Rho.of("100"), "", Delta.of("1e-9"), Delta.of("4e-10")),
}
SOFTWARE = {"opendp": "9.9.9", "opendp_library_sha256": "0" * 64}


class ExactDoor(RecordingDoor):
    """Answers without noise; of texts, those that more than one person has."""

    def find(
        self,
        name: str,
        texts: tuple[str, ...],
        counts: Int64Vector,
        noise: Noise,
        sensitivity: int,
    ) -> FoundTexts:
        pairs = zip(texts, map(int, counts), strict=True)
        found = [(text, n + (noise.threshold or 0)) for text, n in pairs if n > 1]
        return tuple(sorted(found, key=lambda pair: (-pair[1], pair[0])))


def made(name: str) -> dict[str, bytes]:
    """Every golden file of one study, by its path below ``expected``."""
    path = STUDIES / f"{name}.dpdesk"
    study = load_study(path).study
    plan = compiler.compile(study)
    ledger, payloads, bundles = _released(study)
    planned = {
        "study.dpdesk": study_to_bytes(study),
        "plan.json": _json(_plan(plan)),
        "questions.txt": "".join(f"{query.canonical}\n" for query in plan.queries).encode(),
    }
    digests = {
        "plan": {file: _digest(content) for file, content in planned.items()},
        "ledger": ledger,
        "bundles": [{file: _digest(raw) for file, raw in files.items()} for files in bundles],
    }
    shown = {**planned, **bundles[0]} if name in SHOWN else {}
    if shown:
        shown["ledger.txt"] = "".join(f"{payload}\n" for payload in payloads).encode()
    return {
        f"{name}.json": _json(digests),
        **{f"{name}/{file}": raw for file, raw in shown.items() if file not in UNSHOWN},
    }


def manifest_of(name: str) -> bytes:
    """The manifest of a golden study's bundle."""
    _entries, _payloads, (first, _again) = _released(load_study(STUDIES / f"{name}.dpdesk").study)
    return first[MANIFEST]


def _plan(plan: Plan) -> dict[str, Any]:
    """The plan in full; whole sentences are left out, for they may be worded better one day."""
    members = {**plan_members(plan, None), "levels": levels_members(plan)}
    del members["assumptions"]
    found = weaknesses(plan.study, {query.query.id: query for query in plan.queries})
    return {**members, "weak": [[one.query, one.code] for one in found]}


def _released(study: Study) -> tuple[list[dict[str, str]], list[str], list[dict[str, bytes]]]:
    """The ledger's entries and the bundles of a release, and of its queries asked once more."""
    again = replace(study, title="Once more", queries=study.queries[::-1])
    with _fixed(), one_salt(), TemporaryDirectory() as place:
        ledger = _ledger(Path(place), study)
        done = [_release(asked, ledger, number) for number, asked in enumerate((study, again))]
        entries = [_entry(ledger, 1 + number) for number in range(ledger.head()[0])]
        payloads = [_payload(ledger, 1 + number) for number in range(ledger.head()[0])]
        bundles = [build(one.stored, one.chain, KEY) for one in done]
        assert all(verify(bundle, KNOWN).is_good for bundle in bundles)
    files = [{**unpack(raw), "bundle.zip": raw} for raw in bundles]
    assert all(is_plain_workbook(one["results.xlsx"]) for one in files)
    return entries, payloads, files


def _ledger(folder: Path, study: Study) -> Ledger:
    """A ledger with the study's account; the data lies beside it."""
    for path in STUDIES.glob("*.csv"):
        shutil.copy(path, folder)
    budget = study.budget
    assert budget is not None
    ledger = Ledger.open(Home.at(folder / "home"), lambda: NOON)
    ledger.new_account(budget.account, *GRANTED[budget.measure])
    return ledger


def _release(study: Study, ledger: Ledger, number: int) -> ReleaseDone:
    folder = ledger.home.ledger.parent.parent
    name = f"{number:032x}"
    return run.release(study, folder, ledger, ExactDoor(), same_extract=True, new_id=lambda: name)


def _entry(ledger: Ledger, sequence: int) -> dict[str, str]:
    """An entry as the chain's hash covers it, payload and all."""
    entry = ledger.entry(sequence)
    payload = ledger.payload(sequence).encode()
    return {
        "kind": entry.kind,
        "charged": str(entry.charged),
        "payload": _digest(payload),
        "hash": entry.hash,
    }


def _payload(ledger: Ledger, sequence: int) -> str:
    """An entry's kind, measure and text, as ``entries_of`` reads them."""
    entry = ledger.entry(sequence)
    return f"{entry.kind} {entry.measure} {ledger.payload(sequence)}"


def entries_of(name: str) -> Iterator[tuple[str, str, str]]:
    """Kind, measure and text of every entry of a study's golden ledger."""
    for line in (EXPECTED / name / "ledger.txt").read_text("utf-8").splitlines():
        kind, measure, text = line.split(" ", 2)
        yield kind, measure, text


@contextmanager
def _fixed() -> Iterator[None]:
    """A release says which versions made it: here, always the same ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dpdesk, "__version__", "9.9.9")
        patch.setattr(run, "software", lambda: SOFTWARE)
        patch.setattr(reproduce, "library_version", lambda: SOFTWARE["opendp"])
        yield


def _json(members: Any) -> bytes:
    return (json.dumps(members, indent=1) + "\n").encode()


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
