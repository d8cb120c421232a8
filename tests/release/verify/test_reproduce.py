# SPDX-License-Identifier: Apache-2.0
"""What a bundle shows is what was drawn: a signer who alters a figure before signing is found out.

The two bundles of version 0.1.0 were made by it, of made-up data, and must verify for ever; so
must those of format 2.
"""

import csv
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from dpdesk.release.bundle.container import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.reprice import RepricedStudy
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.reproduce import rebuilt_tables
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from tests.release.bundle.test_titles import SET_AGAIN
from tests.release.bundles import KEY, KNOWN, bundle, resigned
from tests.release.liar import (
    ZCDP,
    found_out,
    honest,
    in_epsilon,
    judged,
    lied,
    retold_in_format_2,
)

OLD = Path(__file__).parents[1] / "files" / "bundles-0.1.0"
FORMAT_2 = Path(__file__).parents[1] / "files" / "bundles-format-2"
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


@pytest.mark.threat("A17")
def test_an_honest_bundle_is_made_again_byte_by_byte() -> None:
    assert verify(altered(lambda _files: None), KNOWN).is_good


@pytest.mark.threat("G11")
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
    "drawn", [[], [[]], [["1", "2"]], [["1"], ["2"]], [[["a", "1"]]]], ids=repr
)
def test_what_was_drawn_must_have_the_form_of_the_plan(drawn: Any) -> None:
    assert codes(_with_drawn(drawn)) == ["bundle-drawn-odd"]


@pytest.mark.parametrize(
    "drawn",
    [None, {}, "1", [None], [[1]], [["1.5"]], [["x"]], [["1" * 40]], [["-0"]], [["01"]], [[" 1"]],
     [["\u0661"]], [["1_0"]], [[True]], [[["a", "1"], ["b"]]], [[["a", "1"]], []], [[["a", 1]]],
     [[[1, "1"]]], [[["a", "1"], "b"]], [[str(2**63)]], [[str(-(2**63) - 1)]]],
    ids=repr,
)  # fmt: skip
def test_what_was_drawn_is_written_in_one_way(drawn: Any) -> None:
    found = verify(_with_drawn(drawn), KNOWN)
    assert [problem.code for problem in found.claim or ()] == ["claim-drawn-malformed"]


@pytest.mark.parametrize(
    "drawn", [[["1"]] * 200_000, [["9" * 4_000] * 3_000], [[["a", "1"]] * 200_000]], ids=len
)
def test_too_much_that_was_drawn_is_refused_soon(drawn: Any) -> None:
    """Vectors by the hundred thousand took seconds, as did numbers of thousands of digits."""
    raw, start = _with_drawn(drawn), process_time()
    assert not verify(raw, KNOWN).is_good
    assert process_time() - start < 5


def _with_drawn(drawn: Any) -> bytes:
    def change(statement: dict[str, Any]) -> None:
        statement["predicate"]["drawn"]["stays"] = drawn

    return resigned(change)


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
    files["report.html"] = b"<!DOCTYPE html>\n<h1>17</h1>"
    for entry in statement["subject"]:
        entry["digest"]["sha256"] = hashlib.sha256(files[entry["name"]]).hexdigest()
    manifest = json_bytes(statement)
    found = verify(pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)}), KNOWN)
    assert found.is_good
    texts = ("README.txt", "report.html", "datapackage.json")
    assert found.not_made_again == (*texts, *SET_AGAIN)
    old = verify((OLD / "add-remove.zip").read_bytes(), KNOWN)
    assert set(old.files) - {MANIFEST, SIGNATURE} == set(old.not_made_again)


@pytest.mark.parametrize("name", ["add-remove", "change-one"])
def test_bundles_of_version_0_1_verify(name: str) -> None:
    raw = (OLD / f"{name}.zip").read_bytes()
    found = verify(raw, KNOWN)
    assert found.is_good, (found.whole, found.claim)
    assert found.older_format == 1


@pytest.mark.parametrize("name", ["epsilon-by-ward", "rho", "change-one"])
def test_tables_of_format_2_are_made_again_as_they_were(name: str) -> None:
    """Every statistic: without marks, and with the intervals of counts uncut."""
    raw = (FORMAT_2 / f"{name}.zip").read_bytes()
    found = verify(raw, KNOWN)
    assert found.is_good, (found.whole, found.claim)
    assert found.older_format == 2
    assert found.not_made_again == ("README.txt", "report.html", "datapackage.json")
    assert found.release is not None
    record = found.release.record
    tables = rebuilt_tables(record, RepricedStudy(record.study, record.format))
    assert tables
    roles = {column.role for made in tables.values() for column in made.columns}
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


NOISY = replace(
    in_epsilon(),
    queries=tuple(replace(q, epsilon=Epsilon.of("0.0001")) for q in in_epsilon().queries),
)
"""The wards with so little budget that a count of 400 people cannot be told from 0."""


def marked(bundle: bytes) -> int:
    """Lines of a bundle's tables that are marked as too noisy to use."""
    tables = (text for name, text in unpack(bundle).items() if name.startswith("results/"))
    rows = [row for text in tables for row in csv.DictReader(text.decode().splitlines())]
    return sum(row.get("too_noisy") == "yes" for row in rows)


@pytest.mark.parametrize("study", [ZCDP, in_epsilon(), NOISY], ids=["rho", "epsilon", "noisy"])
def test_a_release_told_in_an_older_format_does_not_hide_what_is_too_noisy(study: Study) -> None:
    """Its tables have no marks then, and fit what was drawn: only verifying can tell."""
    found = judged(retold_in_format_2, study)
    assert found.is_good and marked(lied(retold_in_format_2, study)) == 0
    assert (found.older_format, found.unmarked) == (2, marked(honest(study)))
    assert found.unmarked or study is not NOISY
    plain = verify(honest(study), KNOWN)
    assert (plain.older_format, plain.unmarked) == (None, None)


@pytest.mark.parametrize("version", ["0.1.0", "0.2.1", "0.3.0", "1.0.0", "0.2.0 ", ""])
def test_a_version_that_never_wrote_a_format_is_found_out(version: str) -> None:
    def change(predicate: dict[str, Any]) -> None:
        retold_in_format_2(predicate)
        predicate["software"]["dpdesk"] = version

    code = "claim-format-differs" if version else "claim-malformed"
    assert found_out(change) == {code}


def test_version_0_1_wrote_no_later_format() -> None:
    def change(predicate: dict[str, Any]) -> None:
        predicate["software"]["dpdesk"] = "0.1.0"

    assert found_out(change) == {"claim-format-differs"}


def test_of_format_1_nobody_can_tell_which_lines_are_too_noisy() -> None:
    found = verify((OLD / "add-remove.zip").read_bytes(), KNOWN)
    assert (found.older_format, found.unmarked) == (1, None)
