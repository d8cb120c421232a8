# SPDX-License-Identifier: Apache-2.0
"""`dpdesk dossier`, and what `dpdesk verify` says of one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.dossier.governance import COUNTERSIGN_NAMESPACE, MANIFEST
from dpdesk.release.signing.sshsig import sign
from tests.release.bundles import signing_key
from tests.shell.hospital import Hospital

TYPED = ("--purpose", "Report 2026", "--recipient", "Ministry", "--review-date", "2027-11-30")


@pytest.fixture
def released(hospital: Hospital) -> Hospital:
    assert hospital.release().status == 0
    return hospital


def test_it_is_written_without_the_data_and_verifies(released: Hospital) -> None:
    released.data.unlink()
    released.study.unlink()
    said = released.run("dossier", released.bundle, "--to", released.folder, *TYPED)
    assert (said.status, said.err) == (0, "")
    path = released.folder / "bundle-dossier.zip"
    assert path.name in said.out
    both = released.run("verify", released.bundle, path)
    assert both.status == 0 and both.err == ""
    assert "This is a dossier about a release" in both.out
    assert "Follows from its bundle: yes" in both.out
    alone = released.run("verify", path)
    assert alone.status == 0 and "give that bundle, too" in alone.out


def test_what_was_typed_in_is_kept_for_the_next_one(released: Hospital) -> None:
    first, second = released.folder / "one.zip", released.folder / "two.zip"
    assert released.run("dossier", released.bundle, "--to", first, *TYPED).status == 0
    said = released.run("dossier", released.bundle, "--to", second, "--recipient", "Press")
    assert said.status == 0
    stated = [json.loads(unpack(p.read_bytes())["dossier.json"])["stated"] for p in (first, second)]
    assert [one["purpose"] for one in stated] == ["Report 2026", "Report 2026"]
    assert [one["recipient"] for one in stated] == ["Ministry", "Press"]


def test_again_it_is_the_same_file_and_never_written_over(released: Hospital) -> None:
    paths = [released.folder / name for name in ("one.zip", "two.zip")]
    for path in paths:
        assert released.run("dossier", released.bundle, "--to", path, *TYPED).status == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()
    said = released.run("dossier", released.bundle, "--to", paths[0])
    assert said.status == 1 and "exists already" in said.err


def test_german_and_json(released: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    path = released.folder / "de.zip"
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    said = released.run("dossier", released.bundle, "--to", path.with_suffix(""), "--json", *TYPED)
    assert json.loads(said.out)["file"] == "de.zip"
    files = unpack(path.read_bytes())
    assert (
        'lang="de"' in files["dossier.html"].decode()
        and b"Herausgreifen" in (files["dossier.html"])
    )
    members = json.loads(released.run("verify", path, released.bundle, "--json").out)["bundles"]
    assert [m.get("kind", "bundle") for m in members] == ["bundle", "dossier"]
    assert members[1]["bundle"]["remade"] == "yes" and members[1]["verified"]


def test_a_countersignature_is_shown_and_a_wrong_one_is_said(released: Hospital) -> None:
    path = released.folder / "d.zip"
    assert released.run("dossier", released.bundle, "--to", path).status == 0
    officer = signing_key(7, "officer@hospital.example")
    manifest = unpack(path.read_bytes())[MANIFEST]
    beside = path.with_name("d.zip.officer.sig")
    beside.write_bytes(sign(manifest, officer, COUNTERSIGN_NAMESPACE))
    said = released.run("verify", path)
    assert said.status == 0 and f"Countersigned: not known, {officer.info.fingerprint}" in said.out
    beside.write_bytes(sign(manifest + b" ", officer, COUNTERSIGN_NAMESPACE))
    said = released.run("verify", path)
    assert said.status == 1 and "d.zip.officer.sig is not valid" in said.err


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (("--review-date", "soon"), "2027-01-31"),
        (("--purpose", "a\u202eb"), "invisible"),
        (("--purpose", "x" * 2_001), "2000"),
    ],
)
@pytest.mark.in_turn(2)
def test_a_text_that_cannot_stand_is_one_sentence(
    released: Hospital, typed: tuple[str, str], sentence: str
) -> None:
    said = released.run("dossier", released.bundle, "--to", released.folder / "d.zip", *typed)
    assert said.status == 1 and len(said.sentences) == 1 and sentence in said.err
    assert not (released.folder / "d.zip").exists()


def test_a_bundle_that_does_not_verify_gets_none(released: Hospital) -> None:
    released.bundle.write_bytes(released.bundle.read_bytes()[:-1])
    said = released.run("dossier", released.bundle, "--to", released.folder / "d.zip")
    assert said.status == 1 and "verifies" in said.err
    assert not (released.folder / "d.zip").exists()
    missing: Path = released.folder / "none.zip"
    assert "none.zip" in released.run("dossier", missing, "--to", released.folder).err
