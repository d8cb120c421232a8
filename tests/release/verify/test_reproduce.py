# SPDX-License-Identifier: Apache-2.0
"""What a bundle shows is what was drawn: a signer who alters a figure beforehand is found out."""

import hashlib
import json
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from dpdesk import __version__
from dpdesk.privacy.compiler import compile as compile_study
from dpdesk.privacy.noise.door import library_version
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.csv_format import csv_bytes
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.record.drawn import Drawn, is_of_plan
from dpdesk.release.record.parse import stated_software
from dpdesk.release.record.values import VERSION
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from tests.audit.pairs import ADD_REMOVE, every_statistic
from tests.release.bundles import KEY, KNOWN, bundle, resigned

COUNT = "results/count-of-rows.csv"
MEAN = "results/mean-of-days-by-sex-where-days-from-1-5-to-10.csv"
Files = dict[str, bytes]


def altered(change: Callable[[Files], object], language: str = "en", **software: Any) -> bytes:
    """The bundle with other files, listed and signed properly, of another language or version."""
    files = unpack(bundle())
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    change(files)
    statement["predicate"]["software"] |= software
    statement["predicate"]["bundle"]["language"] = language
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


def test_a_bundle_of_another_language_is_not_made_again_in_full() -> None:
    """A signer who names a language that nobody has would be free to write any figure."""
    raw = altered(lambda files: files.update({"report.html": HTML}), language="fi")
    found = verify(raw, KNOWN)
    assert found.is_open and not found.is_good
    assert "report.html" in found.not_made_again
    (problem,) = found.unjudged
    assert (problem.code, problem.params["language"]) == ("bundle-other-language", "fi")


EXTREMES = (0, 1, -1, 2**63 - 1, -(2**63))


def _extreme(plan: QueryPlan, number: int) -> Drawn:
    """What the door could have given out, as far from zero as a manifest can state."""
    if plan.parts[0].noise.threshold is not None:
        return Drawn(((2**63 - 1,),), ("a",))
    vectors = []
    for part in plan.parts:
        length, noise = part.noise.length(part.cells), part.noise
        if noise.mechanism == "noisy-max":
            vectors.append(tuple(range(noise.picks)) * (length // noise.picks))
        elif noise.mechanism == "randomised-response":
            vectors.append((0,) * length)
        else:
            vectors.append((number,) * length)
    return Drawn(tuple(vectors))


@pytest.mark.threat("G1")
@pytest.mark.parametrize("number", EXTREMES)
@pytest.mark.parametrize("measure", ["epsilon", "rho"])
@pytest.mark.in_turn(6)
def test_whatever_a_door_gives_out_fits_in_a_table(measure: str, number: int) -> None:
    """So a stranger's numbers that have the form of a plan never stop who verifies them."""
    study = every_statistic(ADD_REMOVE, by=("ward",), measure=measure)
    for plan in compile_study(study).queries:
        drawn = _extreme(plan, number)
        assert is_of_plan(drawn, plan), plan.query.id
        assert csv_bytes(table(study, plan, drawn.noisy, drawn.found)), plan.query.id


def test_a_mark_that_was_taken_away_is_found_out() -> None:
    def change(files: Files) -> None:
        text = files[MEAN].decode()
        flipped = {"yes": "no", "no": "yes"}[text.rstrip().rsplit(",", 1)[1]]
        files[MEAN] = (text.rstrip().rsplit(",", 1)[0] + f",{flipped}\n").encode()

    assert codes(altered(change)) == ["bundle-file-not-as-drawn"]


HTML = b"<!DOCTYPE html>\n<h1>17</h1>"
OTHER_VERSIONS = [("0.1.0", None), ("9999.0.0", None), (None, "0.15.1"), ("1.0.0", "1.0.0")]


@pytest.mark.threat("G6", "G11")
@pytest.mark.parametrize(("dpdesk", "opendp"), OTHER_VERSIONS)
@pytest.mark.parametrize("name", [COUNT, "report.html", ""])
def test_what_another_version_made_is_neither_good_nor_a_forgery(
    name: str, dpdesk: str | None, opendp: str | None
) -> None:
    """Its version freed report, pages, workbook and tables of a green bundle.

    Its claim and what follows from the draws are judged all the same; a file that names its version
    is not made again, as one that was altered.
    """
    stated = {"dpdesk": dpdesk, "opendp": opendp}
    given = {key: text for key, text in stated.items() if text is not None}
    change = {name: HTML if name == "report.html" else b"group,count\nJohn Smith,1\n"}
    found = verify(altered(lambda files: files.update(change if name else {}), **given), KNOWN)
    assert found.is_open and not found.is_good and found.claim_holds
    assert {name} - {""} <= {*found.not_made_again}
    tables = {one for one in found.not_made_again if one.startswith("results/")}
    assert tables == {name} & {COUNT}
    (problem,) = found.unjudged
    assert problem.code == "bundle-other-files"
    names = ", ".join(found.not_made_again)
    assert problem.params == {**versions(), **given, "own": __version__, "names": names}


@pytest.mark.threat("G6")
@pytest.mark.parametrize("wrong", ["scale", "drawn"])
def test_a_claim_of_another_version_that_this_one_does_not_confirm_is_left_open(wrong: str) -> None:
    """It may account in another way, so it is no forger; but nothing of it is relied on."""

    def change(statement: dict[str, Any]) -> None:
        statement["predicate"]["software"]["dpdesk"] = "9999.0.0"
        if wrong == "scale":
            statement["predicate"]["queries"][0]["parts"][0]["scale"] = "60.0"
        else:
            statement["predicate"]["drawn"]["stays"][0].append("1")

    found = verify(resigned(change), KNOWN)
    assert found.is_open and found.claim is found.release is None and found.files == {}
    assert found.named_release is not None
    assert [problem.code for problem in found.unjudged] == ["bundle-other-version"]


@pytest.mark.threat("G6", "G12")
@pytest.mark.parametrize("member", ["dpdesk", "opendp"])
@pytest.mark.parametrize(
    "text",
    ["0.2.0x", "0.2", "0.2.0.0", "00.2.0", "0.2.0 ", "v0.2.0", "", "<script>alert(1)</script>",
     "0.2.0\n", "\u0660.2.0", "99999.0.0", "0.2.0-1", "1e3.0.0", 2, None],
    ids=repr,
)  # fmt: skip
def test_a_version_is_three_numbers(member: str, text: object) -> None:
    found = verify(altered(lambda _files: None, **{member: text}), KNOWN)
    assert not (found.is_good or found.is_open)
    assert [problem.code for problem in found.claim or ()] == ["claim-malformed"]


def test_the_versions_that_this_program_writes_are_versions() -> None:
    assert all(VERSION.fullmatch(text) for text in versions().values())
    assert stated_software(json.loads(unpack(bundle())[MANIFEST])["predicate"]) is not None


def test_a_later_format_is_another_version_s_and_not_a_forgery() -> None:
    """What it states is read no further than what made it."""

    def later(statement: dict[str, Any]) -> None:
        predicate = statement["predicate"]
        predicate.update(format=4, more=[1], bundle={"parts": 7})
        predicate["software"]["dpdesk"] = "0.9.9"
        del predicate["queries"]

    found = verify(resigned(later), KNOWN)
    assert found.is_open and found.release is found.named_release is None


def versions() -> dict[str, str]:
    """What made a bundle of this program."""
    return {"dpdesk": __version__, "opendp": library_version()}
