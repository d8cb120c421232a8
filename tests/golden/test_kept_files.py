# SPDX-License-Identifier: Apache-2.0
"""What a released version wrote is read by this one: study, ledger, bundle, dossier, notices."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

import pytest

import dpdesk
from dpdesk import cli
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.record.parse import parse_signed
from dpdesk.release.record.reprice import RepricedStudy
from dpdesk.release.sealing.order_file import read_order
from dpdesk.release.verify.claim import check_claim
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.release.verify.reproduce import rebuilt_tables
from tests.golden.kept_files import KEPT, MANIFESTS, REASON

Capture = pytest.CaptureFixture[str]
VERSIONS = tuple(path.stem for path in sorted(KEPT.glob("*.zip")))


class Kept:
    """The files of a version in a folder, and commands of this one."""

    def __init__(
        self, version: str, folder: Path, patch: pytest.MonkeyPatch, seen: Capture
    ) -> None:
        self.version, self.folder, self.patch, self.seen = version, folder, patch, seen
        for name, content in unpack((KEPT / f"{version}.zip").read_bytes()).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        patch.chdir(folder)
        patch.setenv("DPDESK_PASSPHRASE_FILE", str(folder / "passphrase"))

    def run(self, *arguments: str, home: str = "home", status: Container[int] = (0,)) -> str:
        self.patch.setenv("DPDESK_HOME", str(self.folder / home))
        self.seen.readouterr()
        ended, said = cli.main([*arguments]), self.seen.readouterr()
        assert ended in status, (arguments, said)
        return said.out + said.err


def test_the_released_version_is_kept() -> None:
    assert VERSIONS


@pytest.fixture(params=VERSIONS)
def kept(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> Kept:
    return Kept(request.param, tmp_path, monkeypatch, capsys)


def test_what_a_version_wrote_is_read(kept: Kept) -> None:
    # Another version may make other reports: then not all is judged, and nothing is wrong.
    sound = {0} if kept.version == dpdesk.__version__ else {0, 3}
    said = kept.run("verify", "bundle.zip", home="second", status=sound)
    assert "Claim: correct" in said and "Second person: known" in said
    about = ("bundle.zip", "--notice", "withdrawn.notice")
    assert REASON[1] in kept.run("verify", *about, home="second", status={4})
    kept.run("verify", "dossier.zip", "bundle.zip", home="second", status=sound)
    kept.run("signers", "rotate", "rotation.txt", home="second")
    assert read_order((kept.folder / "small.order.json").read_bytes())
    assert "withdrawn" in kept.run("account", "show", "small")
    kept.run("ledger", "check")
    kept.run("ledger", "restore", "backup.zip", home="restored")
    kept.run("ledger", "unlock", "small", *REASON, home="restored")
    kept.run("dossier", "bundle.zip", "--to", "again-dossier.zip")
    kept.run("signers", "add", "home.signers", home="third")
    kept.run("signers", "revoke", "certificate.txt", home="third")


def test_every_statistic_of_a_version_is_judged(kept: Kept) -> None:
    manifests = sorted((kept.folder / MANIFESTS).iterdir())
    assert manifests
    for path in manifests:
        record = parse_signed(parse_manifest(path.read_bytes())["predicate"]).record
        repriced = RepricedStudy(record.study)
        assert check_claim(record, repriced) == (), path.name
        assert rebuilt_tables(record, repriced) is not None, path.name


def test_a_ledger_of_a_version_goes_on(kept: Kept) -> None:
    more = ("--extract", "stays.csv", "--fresh")
    kept.run("signers", "rotate", "rotation.txt", home="second")
    kept.run("plan", "small.dpdesk", "--to", "again.json", *more)
    kept.run("sign", "again.json", home="second")
    signed = ("--signed-plan", "again.json", "--same-extract", "--yes", "--out", "again.zip")
    kept.run("release", "small.dpdesk", *more, *signed)
    assert "0.5" in kept.run("account", "show", "small")
    kept.run("ledger", "check")
    kept.run("verify", "again.zip")
    kept.run("compare", "bundle.zip", "again.zip", status={4})
