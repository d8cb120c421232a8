# SPDX-License-Identifier: Apache-2.0
"""What a bundle shows is what was drawn: a signer who alters a figure before signing is found out.

The two bundles of version 0.1.0 were made by it, of made-up data, and must verify for ever; so
must those of format 2.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.container import pack, unpack
from dpdesk.release.rebuild import rebuilt_tables
from dpdesk.release.sshsig import sign
from dpdesk.release.verify import verify
from tests.release.bundles import KEY, KNOWN, bundle, resigned

OLD = Path(__file__).parent / "files" / "bundles-0.1.0"
FORMAT_2 = Path(__file__).parent / "files" / "bundles-format-2"
COUNT = "results/count-of-rows.csv"
MEAN = "results/mean-of-days-for-each-sex-where-days-from-1-5-to.csv"
Files = dict[str, bytes]


def altered(change: Callable[[Files], None]) -> bytes:
    """The bundle with other files, listed and signed properly."""
    files = unpack(bundle())
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    change(files)
    for entry in statement["subject"]:
        entry["digest"]["sha256"] = hashlib.sha256(files[entry["name"]]).hexdigest()
    manifest = json_bytes(statement)
    return pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})


def codes(raw: bytes) -> list[str]:
    return [problem.code for problem in verify(raw, KNOWN).whole]


def test_an_honest_bundle_is_made_again_byte_by_byte() -> None:
    assert verify(altered(lambda _files: None), KNOWN).is_good


@pytest.mark.parametrize(
    "name",
    [
        COUNT,
        MEAN,
        "report.html",
    ],
)
def test_a_figure_that_was_altered_before_signing_is_found_out(name: str) -> None:
    def change(files: Files) -> None:
        text = files[name].decode()
        digit = next(i for i in range(len(text) - 1, 0, -1) if text[i] in "12345678")
        files[name] = (text[:digit] + str(int(text[digit]) + 1) + text[digit + 1 :]).encode()

    assert codes(altered(change)) == ["bundle-file-not-as-drawn"]


@pytest.mark.parametrize(
    "drawn",
    [None, [], [[]], [["1", "2"]], [[1]], [["1.5"]], [["x"]], [["1" * 40]], [["1"], ["2"]]],
    ids=repr,
)
def test_what_was_drawn_must_have_the_form_of_the_plan(drawn: Any) -> None:
    def change(statement: dict[str, Any]) -> None:
        statement["predicate"]["drawn"]["stays"] = drawn

    assert "bundle-drawn-odd" in codes(resigned(change))


def test_other_numbers_than_the_tables_say_are_found_out() -> None:
    def change(statement: dict[str, Any]) -> None:
        (vector,) = statement["predicate"]["drawn"]["stays"]
        vector[0] = str(int(vector[0]) + 1)

    assert "bundle-file-not-as-drawn" in codes(resigned(change))


def test_of_another_versions_bundle_the_report_is_not_made_again() -> None:
    """What this version cannot make again is told, so that nobody takes it for checked."""
    assert verify(bundle(), KNOWN).not_made_again == ()
    files = unpack(bundle())
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    statement["predicate"]["software"]["dpdesk"] = "0.9.9"
    files["report.html"] = b"<h1>17</h1>"
    for entry in statement["subject"]:
        entry["digest"]["sha256"] = hashlib.sha256(files[entry["name"]]).hexdigest()
    manifest = json_bytes(statement)
    found = verify(pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)}), KNOWN)
    assert found.is_good
    assert found.not_made_again == ("README.txt", "report.html", "datapackage.json")
    old = verify((OLD / "add-remove.zip").read_bytes(), KNOWN)
    assert set(old.files) - {MANIFEST, SIGNATURE} == set(old.not_made_again)


@pytest.mark.parametrize("name", ["add-remove", "change-one"])
def test_bundles_of_version_0_1_verify(name: str) -> None:
    raw = (OLD / f"{name}.zip").read_bytes()
    found = verify(raw, KNOWN)
    assert found.is_good, (found.whole, found.claim)
    assert found.predicate["format"] == 1


@pytest.mark.parametrize("name", ["epsilon-by-ward", "rho", "change-one"])
def test_tables_of_format_2_are_made_again_as_they_were(name: str) -> None:
    """Every statistic: without marks, and with the intervals of counts uncut."""
    raw = (FORMAT_2 / f"{name}.zip").read_bytes()
    found = verify(raw, KNOWN)
    assert found.is_good, (found.whole, found.claim)
    assert found.predicate["format"] == 2
    assert found.not_made_again == ("README.txt", "report.html", "datapackage.json")
    tables = rebuilt_tables(dict(found.predicate))
    assert tables
    roles = {column["role"] for made in tables.values() for column in made["columns"]}
    assert not roles & {"mark", "nearest"}


def test_a_table_of_format_2_that_was_altered_is_found_out() -> None:
    files = unpack((FORMAT_2 / "rho.zip").read_bytes())
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    name = next(n for n in files if n.startswith("results/"))
    files[name] = files[name].replace(b"\n", b",yes\n")
    for entry in statement["subject"]:
        entry["digest"]["sha256"] = hashlib.sha256(files[entry["name"]]).hexdigest()
    manifest = json_bytes(statement)
    raw = pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})
    assert codes(raw) == ["bundle-file-not-as-drawn"]


def test_a_mark_that_was_taken_away_is_found_out() -> None:
    def change(files: Files) -> None:
        text = files[MEAN].decode()
        flipped = {"yes": "no", "no": "yes"}[text.rstrip().rsplit(",", 1)[1]]
        files[MEAN] = (text.rstrip().rsplit(",", 1)[0] + f",{flipped}\n").encode()

    assert codes(altered(change)) == ["bundle-file-not-as-drawn"]


@pytest.mark.parametrize("name", ["add-remove", "change-one"])
def test_an_old_bundle_that_was_changed_does_not(name: str) -> None:
    raw = bytearray((OLD / f"{name}.zip").read_bytes())
    for place in range(40, len(raw), 997):
        changed = bytes(raw[:place]) + bytes([raw[place] ^ 1]) + bytes(raw[place + 1 :])
        assert not verify(changed, KNOWN).is_good
