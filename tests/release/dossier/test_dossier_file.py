# SPDX-License-Identifier: Apache-2.0
"""The dossier's zip: the same bytes, a signature that stock tools check, and what breaks it."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.dossier.dossier_check import (
    MOST_SIGNATURES,
    DossierCheck,
    check_dossier,
    is_dossier,
)
from dpdesk.release.dossier.dossier_file import NAMESPACE, SIGNATURE, build_dossier
from dpdesk.release.dossier.governance import COUNTERSIGN_NAMESPACE, MANIFEST
from dpdesk.release.signing.keys import NAMESPACE as RELEASE_NAMESPACE
from dpdesk.release.signing.keys import SigningKey, allowed_signers_line
from dpdesk.release.signing.signers import Signers
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Problem
from tests.release.bundles import KEY, KNOWN, bundle, signing_key
from tests.release.bundles import resigned as resigned_bundle
from tests.release.dossier.dossiers import STATED, dossier, resigned, sealed, subject, verified
from tests.release.stock_command import stock_command

OFFICER = signing_key(7, "officer@hospital.example")
needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")


def check(raw: bytes, *, given: bool = True, **more: Any) -> DossierCheck:
    return check_dossier(raw, KNOWN, [verified()] if given else (), **more)


def codes(found: DossierCheck) -> list[str]:
    return [problem.code for problem in found.whole]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_same_release_and_texts_give_the_same_bytes(language: str) -> None:
    again = build_dossier(subject(language=language), KEY)
    assert again == dossier(language)
    other = build_dossier(subject(replace(STATED, purpose="Another"), language), KEY)
    assert other != again


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_verifies_and_follows_from_its_bundle(language: str) -> None:
    found = check(dossier(language))
    assert found.is_good and found.is_given and found.remade == "yes"
    manifest = unpack(bundle())["manifest.json"]
    assert found.manifest_sha256 == hashlib.sha256(manifest).hexdigest()
    alone = check(dossier(language), given=False)
    assert alone.is_good and not alone.is_given and alone.remade == "not-checked"


def test_another_bundle_is_not_taken_for_its_own() -> None:
    def rename(statement: dict[str, Any]) -> None:
        statement["predicate"]["release"] = "0" * 32

    other = verify(resigned_bundle(rename), KNOWN)
    found = check_dossier(dossier(), KNOWN, [other])
    assert not found.is_given and found.remade == "not-checked"


def test_a_stranger_is_named_as_one() -> None:
    found = check_dossier(dossier(), Signers(()), [])
    assert found.is_whole and not found.is_good
    assert found.who is not None and found.who.standing == "unknown"


@pytest.mark.threat("E1")
def test_every_changed_byte_is_noticed() -> None:
    raw = dossier()
    tail = range(len(raw) - 4_000, len(raw))
    for place in [*random.Random(1).sample(range(len(raw)), 400), *tail]:
        changed = bytearray(raw)
        changed[place] ^= 1 << (place % 8)
        assert not check(bytes(changed), given=False).is_good, place


@pytest.mark.parametrize("name", ["README.txt", "dossier.html", "dossier.pdf", "dossier.json"])
def test_a_file_that_is_not_as_listed_is_named(name: str) -> None:
    """Packed anew, so that the zip itself is in order."""
    files = unpack(dossier())
    files[name] += b" "
    changed = Problem("$.files", "bundle-file-changed", {"name": name})
    assert changed in check(pack(files), given=False).whole


def test_a_language_is_a_code_and_no_path() -> None:
    """It would lead to another file, and the same words would be another language."""
    raw = build_dossier(subject(language="./de"), KEY)
    assert b'"./de"' in unpack(raw)["dossier.json"]
    assert check(raw).remade == "no"


def _altered_page(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    files["dossier.html"] = files["dossier.html"].replace(b"60 in 100", b"51 in 100")
    _listed(files, manifest, "dossier.html")


def _altered_number(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members = json.loads(files["dossier.json"])
    members["risks"][0]["release"] = 1
    files["dossier.json"] = json.dumps(members).encode("ascii")
    _listed(files, manifest, "dossier.json")


def _language_of_another_file(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members = json.loads(files["dossier.json"])
    members["language"] = "../../de"
    files["dossier.json"] = json.dumps(members).encode("ascii")
    _listed(files, manifest, "dossier.json")


def _no_members(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    files["dossier.json"] = b"[]"
    _listed(files, manifest, "dossier.json")


def _listed(files: dict[str, bytes], manifest: dict[str, Any], name: str) -> None:
    manifest["files"][name] = hashlib.sha256(files[name]).hexdigest()


@pytest.mark.parametrize(
    "change", [_altered_page, _altered_number, _language_of_another_file, _no_members]
)
def test_a_figure_altered_before_signing_is_found_with_the_bundle(
    change: Callable[[dict[str, bytes], dict[str, Any]], None],
) -> None:
    found = check(resigned(change))
    assert found.is_whole and found.remade == "no" and not found.is_good


def _script(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    files["dossier.html"] = files["dossier.html"].replace(b"</body>", b"<script>x</script></body>")
    _listed(files, manifest, "dossier.html")


def _open_action(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    files["dossier.pdf"] = files["dossier.pdf"].replace(b"/PageMode", b"/OpenAct")
    _listed(files, manifest, "dossier.pdf")


def _other_version(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["made_by"] = "dpdesk 9.9.9"


@pytest.mark.parametrize("change", [_script, _open_action])
def test_what_a_program_might_run_is_refused_whoever_signed_it(
    change: Callable[[dict[str, bytes], dict[str, Any]], None],
) -> None:
    assert codes(check(resigned(change), given=False)) == ["bundle-active-content"]


def test_another_versions_dossier_is_not_made_again() -> None:
    assert check(resigned(_other_version)).remade == "not-checked"


@pytest.mark.parametrize(
    "manifest",
    [
        {"kind": "dpdesk-bundle"},
        {"format": 2},
        {"format": None},
        {"bundle_manifest_sha256": "0" * 63},
        {"bundle_manifest_sha256": ["0" * 64]},
        {"signer": "office"},
        {"signer": {"identity": "x"}},
        {"signer": {"identity": "\x1b[2J", "fingerprint": "SHA256:x"}},
        {"signer": {"identity": "a\nSigner: known", "fingerprint": "SHA256:x"}},
        {"release": "\x1b[2J"},
        {"files": {}},
        {"more": 1},
        {"release": 1},
    ],
    ids=str,
)
def test_a_manifest_of_another_form_is_refused(manifest: dict[str, Any]) -> None:
    raw = resigned(lambda _files, members: members.update(manifest))
    assert codes(check(raw, given=False)) == ["dossier-manifest-odd"]


def test_other_files_are_refused() -> None:
    files = unpack(dossier())
    manifest = json.loads(files[MANIFEST])
    more = {"extra.txt": b"x", **files}
    fewer = {name: content for name, content in files.items() if name != "README.txt"}
    for odd in (more, fewer, dict(reversed(files.items()))):
        assert codes(check(pack(odd), given=False)) == ["dossier-files-odd"]
    large = {**files, "README.txt": bytes(200_000)}
    assert codes(check(sealed(large, manifest), given=False)) == ["bundle-file-too-large"]


def test_a_signature_for_another_use_does_not_hold() -> None:
    files = unpack(dossier())
    for namespace in (RELEASE_NAMESPACE, COUNTERSIGN_NAMESPACE):
        files[SIGNATURE] = sign(files[MANIFEST], KEY, namespace)
        assert codes(check(pack(files), given=False)) == ["signature-malformed"]


def test_a_bundle_is_no_dossier_and_a_dossier_no_bundle() -> None:
    assert is_dossier(dossier()) and not is_dossier(bundle()) and not is_dossier(b"PK\3\4")
    assert not verify(dossier(), KNOWN).is_whole
    assert codes(check_dossier(bundle(), KNOWN)) == ["dossier-files-odd"]


def countersigned(key: SigningKey = OFFICER) -> bytes:
    return sign(unpack(dossier())[MANIFEST], key, COUNTERSIGN_NAMESPACE)


def test_countersignatures_beside_it_are_read(tmp_path: Path) -> None:
    path = tmp_path / "d.zip"
    path.write_bytes(dossier())
    (tmp_path / "d.zip.officer.sig").write_bytes(countersigned())
    (tmp_path / "other.zip.officer.sig").write_bytes(b"of another file")
    if os.name == "posix":
        (tmp_path / "d.zip.\x1b[2J.sig").write_bytes(b"a name that would steer a terminal")
    (found,) = check_dossier(path, KNOWN).countersignatures
    assert (found.name, found.fingerprint) == ("d.zip.officer.sig", OFFICER.info.fingerprint)
    assert found.identity == "" and found.problem is None
    known = Signers((KEY.info, OFFICER.info))
    (found,) = check_dossier(path, known).countersignatures
    assert found.identity == "officer@hospital.example"
    assert check_dossier(path, known).is_good


@pytest.mark.parametrize(
    "armored",
    [
        lambda: b"",
        lambda: b"x" * 5_000,
        lambda: unpack(dossier())[SIGNATURE],
        lambda: sign(b"other bytes", OFFICER, COUNTERSIGN_NAMESPACE),
    ],
    ids=["empty", "long", "the custodian's own", "of other bytes"],
)
def test_a_countersignature_that_does_not_hold_is_said(armored: Callable[[], bytes]) -> None:
    found = check(dossier(), given=False, beside={"d.zip.x.sig": armored()})
    (only,) = found.countersignatures
    assert only.problem is not None and not only.fingerprint and not found.is_good


def test_thousands_of_signatures_beside_it_are_not_all_read(tmp_path: Path) -> None:
    path = tmp_path / "d.zip"
    path.write_bytes(dossier())
    for number in range(MOST_SIGNATURES + 50):
        (tmp_path / f"d.zip.{number}.sig").write_bytes(b"x")
    assert len(check_dossier(path, KNOWN).countersignatures) == MOST_SIGNATURES


@needs_ssh
def test_stock_tools_check_it_and_countersign_it(tmp_path: Path) -> None:
    files = unpack(dossier())
    unpacked = tmp_path / "dossier"
    unpacked.mkdir()
    (unpacked / SIGNATURE).write_bytes(files[SIGNATURE])
    line = allowed_signers_line(KEY.info).replace(RELEASE_NAMESPACE, NAMESPACE)
    (tmp_path / "allowed_signers").write_text(line, encoding="ascii")
    command = stock_command(files["README.txt"].decode("utf-8"))
    for message, status in ((files[MANIFEST] + b" ", 255), (files[MANIFEST], 0)):
        (unpacked / MANIFEST).write_bytes(message)
        run = subprocess.run(["sh", "-c", command], capture_output=True, cwd=unpacked)
        assert run.returncode == status

    raw = OFFICER.private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    (unpacked / "key").write_bytes(raw)
    (unpacked / "key").chmod(0o600)
    command = ["ssh-keygen", "-Y", "sign", "-n", COUNTERSIGN_NAMESPACE, "-f", "key", MANIFEST]
    assert " ".join(command).replace("-f key", "-f KEY") in files["README.txt"].decode("utf-8")
    (unpacked / SIGNATURE).unlink()
    subprocess.run(command, check=True, capture_output=True, cwd=unpacked)
    (tmp_path / "d.zip").write_bytes(dossier())
    (unpacked / SIGNATURE).rename(tmp_path / "d.zip.officer.sig")
    (found,) = check_dossier(tmp_path / "d.zip", KNOWN).countersignatures
    assert found.problem is None and found.fingerprint == OFFICER.info.fingerprint
