# SPDX-License-Identifier: Apache-2.0
"""The file of a rehearsal says in each of its parts that it is made up, and is never a bundle."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import MADE_UP, pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.record.write import manifest_members
from dpdesk.release.rehearsal.made_up_files import (
    DESCRIPTION,
    made_up_bytes,
    marked_path,
    write_made_up,
)
from dpdesk.release.rehearsal.rehearse import Rehearsal, rehearse
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN, done
from tests.release.studies import STUDY


@lru_cache(maxsize=1)
def rehearsal() -> Rehearsal:
    return rehearse(STUDY, OpenDPDoor())


@lru_cache(maxsize=2)
def files(language: str = "en") -> dict[str, bytes]:
    return unpack(made_up_bytes(rehearsal(), language))


def codes(verification: Verification) -> list[str]:
    return [problem.code for problem in verification.whole]


@lru_cache(maxsize=1)
def genuine() -> dict[str, bytes]:
    return unpack(build(done().stored, done().chain, KEY))


def signed_anew(changed: dict[str, bytes]) -> bytes:
    """A bundle whose manifest lists some files as they are, signed by a known key."""
    digests = [
        {"name": n, "digest": {"sha256": hashlib.sha256(c).hexdigest()}} for n, c in changed.items()
    ]
    manifest = json.loads(genuine()[MANIFEST])
    raw = json_bytes({**manifest, "subject": digests})
    return pack({**changed, MANIFEST: raw, SIGNATURE: sign(raw, KEY)})


def unmarked() -> dict[str, bytes]:
    """The tables and pages of a rehearsal under the names that a bundle has."""
    return {
        name.replace(MADE_UP, ""): content
        for name, content in files().items()
        if name != DESCRIPTION
    }


def test_every_name_and_every_line_says_made_up() -> None:
    assert all(part.startswith(MADE_UP) for name in files() for part in name.split("/"))
    for name, content in files().items():
        if name.endswith(".csv"):
            head, *rows = csv.reader(io.StringIO(content.decode()))
            assert head[0] == "made_up"
            assert rows
            assert all(row[0] == "made up" for row in rows)


@pytest.mark.parametrize(("language", "mark"), [("en", "Made up"), ("de", "Erfunden")])
def test_every_heading_of_the_report_says_made_up(language: str, mark: str) -> None:
    page = files(language)[f"{MADE_UP}report.html"].decode()
    headings = page.split("<h2>")[1:]
    assert len(headings) >= len(STUDY.queries) + 2
    assert all(f'<span class="mark">{mark}</span></h2>' in heading for heading in headings)
    assert f"<h1>{mark}:" in page
    assert page.count('<g class="made-up">') == page.count("<svg")
    assert ">Released" not in page


def test_the_pages_to_print_say_so_too() -> None:
    pages = files()[f"{MADE_UP}report.pdf"]
    headings = re.findall(rb"/Title \(([^\n]*)\)", pages)
    assert len(headings) >= len(STUDY.queries) + 3
    assert all(heading.startswith(b"[Made up] ") for heading in headings)


def test_the_description_says_what_it_is() -> None:
    found = json.loads(files()[DESCRIPTION])
    assert (found["type"], found["made_up"], found["signed"]) == ("dpdesk-rehearsal", True, False)


def test_verify_says_made_up_not_a_release() -> None:
    found = verify(made_up_bytes(rehearsal()), KNOWN)
    assert codes(found) == ["bundle-made-up"]
    assert found.is_made_up
    assert not found.is_good
    assert (found.who, found.release) == (None, None)


def test_another_name_of_the_file_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "stays-release-1.zip"
    path.write_bytes(made_up_bytes(rehearsal()))
    assert codes(verify(path, KNOWN)) == ["bundle-made-up"]


def test_without_its_description_it_is_still_made_up() -> None:
    rest = {name: content for name, content in files().items() if name != DESCRIPTION}
    assert codes(verify(pack(rest), KNOWN)) == ["bundle-made-up"]


def test_names_in_capitals_do_not_help() -> None:
    loud = {name.upper(): content for name, content in files().items()}
    assert codes(verify(pack(loud), KNOWN)) == ["bundle-made-up"]


def test_a_zip_of_another_program_is_no_bundle() -> None:
    stream = io.BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for name, content in unmarked().items():
            archive.writestr(name, content)
    assert codes(verify(stream.getvalue(), KNOWN)) == ["bundle-not-a-bundle"]


def test_bundle_names_without_a_manifest_do_not_verify() -> None:
    assert codes(verify(pack(unmarked()), KNOWN)) == ["bundle-file-missing"]


def test_a_genuine_manifest_around_it_does_not_verify() -> None:
    wrapped = {**genuine(), **unmarked()}
    ends = {name: wrapped.pop(name) for name in (MANIFEST, SIGNATURE)}
    assert "bundle-file-changed" in codes(verify(pack({**wrapped, **ends}), KNOWN))


def test_a_known_key_over_its_tables_does_not_verify() -> None:
    own = genuine()
    tables = {n: c for n, c in unmarked().items() if n.startswith("results/") and n in own}
    assert tables
    listed = {n: tables.get(n, c) for n, c in own.items() if n not in (MANIFEST, SIGNATURE)}
    found = verify(signed_anew(listed), KNOWN)
    assert set(codes(found)) == {"bundle-file-not-as-drawn"}
    assert not found.is_good


def test_its_description_signed_as_a_manifest_does_not_verify() -> None:
    raw = files()[DESCRIPTION]
    assert codes(verify(pack({MANIFEST: raw, SIGNATURE: sign(raw, KEY)}), KNOWN)) == [
        "manifest-malformed"
    ]


def test_one_of_its_files_beside_a_release_makes_all_of_it_made_up() -> None:
    name = f"{MADE_UP}report.html"
    assert codes(verify(pack({**genuine(), name: files()[name]}), KNOWN)) == ["bundle-made-up"]


def test_a_release_is_not_taken_for_made_up() -> None:
    assert verify(pack(genuine()), KNOWN).is_good


@pytest.mark.parametrize("use", [build, manifest_members])
def test_nothing_that_signs_or_records_takes_a_rehearsal(use: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        use(rehearsal(), "0" * 64, KEY) if use is build else use(rehearsal())


def test_its_file_has_a_name_that_says_so(tmp_path: Path) -> None:
    assert marked_path(tmp_path, "Stays").name == "made_up_stays.zip"
    assert marked_path(tmp_path / "a.zip", "Stays").name == "made_up_a.zip"
    assert marked_path(tmp_path / "made_up_a.zip", "Stays").name == "made_up_a.zip"


def test_no_other_file_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "made_up_a.zip"
    path.write_bytes(b"somebody's own")
    with pytest.raises(Refused) as refused:
        write_made_up(path, made_up_bytes(rehearsal()))
    assert refused.value.problems[0].code == "made-up-over-other"
    assert path.read_bytes() == b"somebody's own"
    path.unlink()
    for _ in range(2):
        write_made_up(path, made_up_bytes(rehearsal()))
    assert verify(path, KNOWN).is_made_up
