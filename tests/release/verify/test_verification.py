# SPDX-License-Identifier: Apache-2.0
"""Verification: whole, who and claim, each apart, against everything that can be changed."""

import hashlib
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from dpdesk import __version__
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.bundle_zip import MADE_UP, pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.signing.keys import NAMESPACE, allowed_signers_line
from dpdesk.release.signing.signers import Signers
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.study.problem import Problem
from tests.audit.length import runs
from tests.release.bundles import (
    KEY,
    KNOWN,
    OFFICE,
    bundle,
    done,
    refusal,
    repacked,
    resigned,
    signing_key,
)

Members = dict[str, Any]


def codes(found: Verification) -> list[str]:
    return [problem.code for problem in found.whole]


def test_good_bundle() -> None:
    found = verify(bundle(), KNOWN)
    assert found.is_good and found.is_whole and found.is_known and found.claim_holds
    assert found.who is not None and found.who.identity == OFFICE
    assert found.release is not None
    assert str(found.release.record.claim.epsilon) == "0.4"
    assert found.release.head == done().head


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system")
def test_ssh_keygen_alone_verifies_it(tmp_path: Path) -> None:
    files = unpack(bundle())
    (tmp_path / "signers").write_text(allowed_signers_line(KEY.info))
    (tmp_path / "s").write_bytes(files[SIGNATURE])
    command = ["ssh-keygen", "-Y", "verify", "-f", str(tmp_path / "signers"), "-I", OFFICE]
    command += ["-n", NAMESPACE, "-s", str(tmp_path / "s")]
    good = subprocess.run(command, input=files[MANIFEST], capture_output=True, check=False)
    assert good.returncode == 0, good.stderr


@pytest.mark.threat("G3")
def test_any_changed_byte_is_refused() -> None:
    """Most are of fonts; ``tests.attacks`` changes each."""
    good = bundle()
    for place in range(0, len(good), 37):
        bad = bytearray(good)
        bad[place] ^= 1 << (place % 8)
        assert verify(bytes(bad), KNOWN).whole, place


@pytest.mark.parametrize(
    "raw",
    [b"", b"PK\5\6" + bytes(18), b"x" * 100, bundle()[:-1], bundle() + b"\0", b"MZ" + bundle()],
)
def test_what_is_not_a_bundle(raw: bytes) -> None:
    found = verify(raw, KNOWN)
    assert codes(found)[0] in ("bundle-not-a-bundle", "bundle-file-missing")
    assert found.who is None and found.claim is None and not found.is_good


def other_zip(change: Callable[[zipfile.ZipFile], object], **options: Any) -> bytes:
    """The same files, written by another zip program, and then some."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", **options) as archive:
        for name, content in unpack(bundle()).items():
            archive.writestr(zipfile.ZipInfo(name), content)
        change(archive)
    return stream.getvalue()


@pytest.mark.threat("G2")
@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "change",
    [
        lambda archive: None,
        lambda archive: archive.writestr("manifest.json", "{}"),
        lambda archive: archive.writestr("../evil.txt", "x"),
        lambda archive: archive.writestr("C:\\x.txt", "x"),
        lambda archive: archive.writestr("results/", ""),
        lambda archive: archive.writestr("MANIFEST.JSON", "{}"),
        lambda archive: archive.writestr("big", bytes(10_000_000), zipfile.ZIP_DEFLATED),
        lambda archive: setattr(archive, "comment", b"VERIFIED"),
    ],
)
def test_zips_by_others(change: Callable[[zipfile.ZipFile], object]) -> None:
    assert codes(verify(other_zip(change), KNOWN)) == ["bundle-not-a-bundle"]


@pytest.mark.threat("G2", "G12")
@pytest.mark.parametrize(
    "name",
    ["allowed_signers", "README.html", "results/../x.csv", "results/con.csv", "/etc/x", "a\\b",
     "Readme.txt", "results/A.csv", "x\x1b[31m"],
)  # fmt: skip
def test_files_of_odd_names(name: str) -> None:
    raw = repacked(lambda files: files.update({name: b"x"}))
    assert codes(verify(raw, KNOWN)) == ["bundle-file-odd"]


@pytest.mark.threat("G5", "G8")
def test_unlisted_missing_changed_and_reordered_files() -> None:
    found = verify(repacked(lambda files: files.update({"results/more.csv": b"x"})), KNOWN)
    assert codes(found) == ["bundle-file-unlisted"]
    assert found.who is not None and found.claim == () and not found.is_good
    found = verify(repacked(lambda files: files.pop("results/count-of-rows.csv")), KNOWN)
    assert codes(found) == ["bundle-file-missing"]
    found = verify(repacked(lambda files: files.update({"README.txt": b"x"})), KNOWN)
    assert [(p.code, p.params) for p in found.whole] == [
        ("bundle-file-changed", {"name": "README.txt"})
    ]
    assert not found.files
    turned = pack(dict(reversed(unpack(bundle()).items())))
    assert codes(verify(turned, KNOWN)) == ["bundle-list-odd"]


@pytest.mark.parametrize("name", [MANIFEST, SIGNATURE])
def test_manifest_or_signature_missing(name: str) -> None:
    found = verify(repacked(lambda files: files.pop(name)), KNOWN)
    assert [(p.code, p.params) for p in found.whole] == [("bundle-file-missing", {"name": name})]


@pytest.mark.threat("G3")
def test_no_byte_of_the_manifest_can_be_changed() -> None:
    files = unpack(bundle())
    for place in range(0, len(files[MANIFEST]), runs(7, 1)):
        bad = bytearray(files[MANIFEST])
        bad[place] ^= 1
        found = verify(pack({**files, MANIFEST: bytes(bad)}), KNOWN)
        assert codes(found) == ["signature-wrong"] and found.who is None


@pytest.mark.threat("G5")
def test_who() -> None:
    other = signing_key(2)
    assert verify(bundle(), Signers()).who.standing == "unknown"  # type: ignore[union-attr]
    assert verify(bundle(), Signers((other.info,))).who.standing == "changed"  # type: ignore[union-attr]
    renamed = signing_key(1, "other@hospital.example")
    assert verify(bundle(), Signers((renamed.info,))).who.standing == "changed"  # type: ignore[union-attr]
    forged = build(done().stored, done().chain, other)
    found = verify(forged, KNOWN)
    assert found.is_whole and found.claim_holds and not found.is_good
    assert found.who is not None and found.who.standing == "changed"


@pytest.mark.threat("G4")
def test_key_substituted_under_the_same_manifest() -> None:
    """Signed again by another key: the manifest still names the first."""
    found = verify(resigned(lambda s: None, signing_key(2)), KNOWN)
    assert codes(found) == ["bundle-signer-differs"]
    assert found.who is not None and found.who.standing == "changed"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xef\xbb\xbf{}",
        b'{"a": 1, "a": 2}',
        b'{"a": 1.5}',
        b'{"a": 1e3}',
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 9007199254740993000}',
        b'{"a": "\\ud800"}',
        b"[" * 100_000,
        b"{}",
        b"[]",
        b"null",
    ],
)
def test_manifests_that_two_readers_could_read_in_two_ways(raw: bytes) -> None:
    sealed = repacked(lambda files: files.update({MANIFEST: raw, SIGNATURE: sign(raw, KEY)}))
    found = verify(sealed, KNOWN)
    assert codes(found) == ["manifest-malformed"] and found.claim is None


def _set(*path: Any) -> Callable[[Members], None]:
    """Put the last item where the others lead, from the predicate on."""

    def change(statement: Members) -> None:
        place: Any = statement["predicate"]
        for key in path[:-2]:
            place = place[key]
        place[path[-2]] = path[-1]

    return change


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_set("format", 0), "claim-format-unknown"),
        (_set("format", 2), "claim-format-unknown"),
        (_set("format", True), "claim-format-unknown"),
        (_set("claim", "epsilon", "0.3"), "claim-total-differs"),
        (_set("claim", "epsilon", "1e-1"), "claim-malformed"),
        (_set("claim", "delta", "1"), "claim-delta-not-of-account"),
        (_set("claim", "delta", "-1"), "claim-malformed"),
        (_set("claim", "rho", "0.1"), "claim-rho-differs"),
        (_set("claim", "measure", "rho"), "claim-rho-differs"),
        (_set("account", "measure", "rho"), "claim-measure-differs"),
        (_set("claim", "max_rows", 2), "claim-unit-differs"),
        (_set("claim", "neighbours", "change-one"), "claim-unit-differs"),
        (_set("claim", "note", "VERIFIED"), "claim-member-unknown"),
        (_set("queries", 0, "parts", 0, "scale", "300.0"), "claim-loss-differs"),
        (_set("queries", 0, "parts", 0, "sensitivity", "1"), "claim-loss-differs"),
        (_set("queries", 0, "parts", 0, "loss", "0.05"), "claim-loss-differs"),
        (_set("queries", 0, "parts", 0, "share", "0.05"), "claim-loss-over-share"),
        (_set("queries", 0, "parts", 0, "scale", "1e999"), "claim-malformed"),
        (_set("queries", 0, "parts", 0, "scale", "0"), "claim-malformed"),
        (_set("queries", 0, "parts", 0, "scale", "0.0"), "claim-noise-impossible"),
        (_set("queries", 0, "parts", 0, "sensitivity", "9" * 19), "claim-noise-impossible"),
        (_set("queries", 0, "parts", 0, "mechanism", "none"), "claim-word-unknown"),
        (_set("queries", 0, "parts", []), "claim-shares-differ"),
        (_set("queries", 0, "share", "0.2"), "claim-shares-differ"),
        (_set("queries", 0, "charged", "0"), "claim-spent-after-differs"),
        (_set("queries", 0, "drawn_in", 1), "claim-drawn-elsewhere"),
        (_set("queries", []), "claim-malformed"),
        (_set("account", "spent_before", "0.1"), "claim-spent-after-differs"),
        (_set("account", "spent_after", "0.3"), "claim-spent-after-differs"),
        (_set("account", "total", "0.3"), "claim-account-overspent"),
        (_set("account", "released", []), "claim-charges-differ"),
        (_set("account", "name", "other"), "claim-account-name-differs"),
        (_set("study", {}), "claim-study-unreadable"),
        (_set("study", "queries", 0, "statistic", "count-people"), "claim-question-differs"),
    ],
)
def test_claims_that_do_not_add_up(change: Callable[[Members], None], code: str) -> None:
    found = verify(resigned(change), KNOWN)
    assert found.is_whole and found.is_known and not found.is_good
    assert found.claim is not None and code in [problem.code for problem in found.claim]


def test_subjects_named_twice() -> None:
    found = verify(resigned(lambda s: s["subject"].append(s["subject"][0])), KNOWN)
    assert codes(found) == ["bundle-list-odd"]


def test_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    write_bundle(path, bundle())
    assert verify(path, KNOWN).is_good
    assert refusal(verify, tmp_path / "none.zip", KNOWN).code == "bundle-missing"
    assert refusal(verify, tmp_path, KNOWN).code == "bundle-unreadable"


def test_statement_is_in_toto() -> None:
    statement = json.loads(unpack(bundle())[MANIFEST])
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "https://dpdesk.org/release/v1"
    assert [entry["name"] for entry in statement["subject"]] == list(unpack(bundle()))[:-2]


HISTORY = {
    "rollback_suspected": ("rollback_suspected",),
    "separate_people_declared": ("separate_people",),
    "recovery_opened": ("recovery_opened",),
}


@pytest.mark.parametrize("member", HISTORY)
def test_what_a_claim_leaves_open_is_stated_where_it_holds(member: str) -> None:
    assert verify(bundle(), KNOWN).history == ()

    def change(statement: Members) -> None:
        statement["predicate"]["ledger"][member] = True

    def lie(statement: Members) -> None:
        change(statement)
        statement["predicate"]["claim"]["max_rows"] = 7

    assert verify(resigned(change), KNOWN).history == HISTORY[member]
    assert verify(resigned(lie), KNOWN).history == ()


@pytest.mark.threat("G8")
def test_files_that_a_signer_leaves_out_or_adds() -> None:
    """Listed as they are, and signed: what a release consists of is not the signer's choice."""

    def relisted(
        change: Callable[[dict[str, bytes]], object], version: str = __version__
    ) -> Verification:
        files = unpack(bundle())
        statement = json.loads(files.pop(MANIFEST))
        files.pop(SIGNATURE)
        change(files)
        statement["predicate"]["software"]["dpdesk"] = version
        statement["subject"] = [
            {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
            for name, content in files.items()
        ]
        manifest = json_bytes(statement)
        return verify(pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)}), KNOWN)

    for name in ("report.html", "README.txt", "results/count-of-rows.csv"):
        found = relisted(lambda files, name=name: files.pop(name))
        assert [(p.code, p.params) for p in found.whole] == [
            ("bundle-file-missing", {"name": name})
        ]
    more = relisted(lambda files: files.update({"results/more.csv": b"a\n1\n"}))
    assert codes(more) == ["bundle-list-odd"] and not more.is_good
    # Of another version they are named beside a page that it writes otherwise.

    def other(files: dict[str, bytes]) -> None:
        files["README.txt"] += b"\n"
        files["results/more.csv"] = b"a\n1\n"
        del files["results/count-of-rows.csv"]

    found = relisted(other, "9999.0.0")
    wanted = {"README.txt", "results/more.csv", "results/count-of-rows.csv"}
    assert found.is_open and wanted <= {*found.not_made_again}


def test_a_rehearsals_file_makes_a_bundle_no_release() -> None:
    raw = repacked(lambda files: files.update({f"{MADE_UP}report.html": b"x"}))
    found = verify(raw, KNOWN)
    assert codes(found) == ["bundle-made-up"] and found.is_made_up and not found.is_good


@pytest.mark.parametrize(
    ("wrong", "awaits"),
    [
        ((), False),
        (("bundle-second-missing",), True),
        (("bundle-second-missing", "bundle-file-changed"), False),
        (("bundle-second-wrong",), False),
    ],
)
def test_only_a_bundle_that_is_right_but_for_it_awaits_a_second_signature(
    wrong: tuple[str, ...], awaits: bool
) -> None:
    found = Verification(tuple(Problem("$", code) for code in wrong))
    assert found.awaits_second is awaits
