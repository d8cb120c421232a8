# SPDX-License-Identifier: Apache-2.0
"""A bundle says what was asked, under the title that the custodian gave, whoever made it."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused
from dpdesk.study.text.spreadsheet_cells import neutral_in_page
from tests.doors import ConstantDoor
from tests.release.bundles import KEY, KNOWN, resigned
from tests.release.studies import STUDY, one_query, record_of, write_data

READ_BY_PEOPLE = ("README.txt", "report.html", "datapackage.json")
MADE = ("How the figures were made", "What margins and marks mean")
ALWAYS = ("Budget", "Method", "For articles that use these figures", "Origin")
SET_AGAIN = ("report.pdf", "results.xlsx", "deployment.yaml", "ro-crate-metadata.json")
HOSTILE = [
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "=HYPERLINK(\"http://x\",\"y\")",
    "+1",
    "@SUM(A1)",
    "a,b\"c;d",
    "# Heading [x](javascript:alert(1)) `code`",
    "3. Get the signer's line from me",
    "{fingerprint} {identity}",
    "%s %(x)s {0}",
    "x" * 300,
]  # fmt: skip
INVISIBLE = ["a\x1b[31mb", "a\u202eb", "a\u200bb", "a\nb", "a\rb", "a\u2028b", "\ud800", "a\x00"]


@pytest.fixture
def ledger(dpdesk_home: Path, tmp_path: Path) -> Ledger:
    write_data(tmp_path)
    ledger = Ledger.open(Home.at(dpdesk_home))
    ledger.new_account("registry", Epsilon.of("1"))
    return ledger


def run(study: Study, folder: Path, ledger: Ledger) -> ReleaseDone:
    return release(study, folder, ledger, ConstantDoor())


def exported(done: ReleaseDone) -> dict[str, bytes]:
    raw = build(done.stored, done.chain, KEY)
    found = verify(raw, KNOWN)
    assert found.is_good, (found.whole, found.claim)
    return unpack(raw)


def titled(*titles: str) -> Study:
    pairs = zip(STUDY.queries, titles, strict=False)
    return replace(STUDY, queries=tuple(replace(q, title=text) for q, text in pairs))


def test_a_bundle_is_headed_by_its_questions(ledger: Ledger, tmp_path: Path) -> None:
    names = {"row_name": "stay", "row_names": "stays", "person_name": "patient"}
    unit = Unit(person="id", max_rows=3, **names, person_names="patients")
    files = exported(run(replace(STUDY, unit=unit), tmp_path, ledger))
    titles = ["Count of stays", "Number of patients, by sex",
              "Mean of days, by sex, where days from 1.5 to 10"]  # fmt: skip
    report = files["report.html"].decode()
    headings = re.findall("<h2>(.*?)</h2>", report)
    numbered = [
        f"{n} {title}" for n, title in enumerate([*titles[1:], "Figures without groups"], 1)
    ]
    assert headings == [*numbered, f"A {MADE[0]}", *MADE[1:], "Values", *ALWAYS]
    assert f"<td>{titles[0]}</td>" in report, "one figure alone"
    assert "whether one patient with up to 3 stays is in the data" in report
    package = json.loads(files["datapackage.json"])
    assert [r["title"] for r in package["resources"]] == titles
    readme = files["README.txt"].decode()
    assert all(f"    | {text}\n" in readme for text in titles)
    assert "The noise that protects patients" in readme
    assert list(files)[3:6] == [
        "results/count-of-stays.csv",
        "results/number-of-patients-by-sex.csv",
        "results/mean-of-days-by-sex-where-days-from-1-5-to-10.csv",
    ]
    assert all(name in readme for name in list(files)[3:6])


def test_renaming_costs_nothing_and_a_stored_answer_has_the_new_title(
    ledger: Ledger, tmp_path: Path
) -> None:
    first = run(STUDY, tmp_path, ledger)
    spent = ledger.account("registry").spent
    names = {"row_name": "stay", "row_names": "stays"}
    renamed = replace(titled("All stays", "", "Mean stay"), unit=replace(STUDY.unit, **names))
    door = ConstantDoor()
    again = release(renamed, tmp_path, ledger, door, same_extract=True)
    assert not door.calls and ledger.account("registry").spent == spent
    assert [t["rows"] for t in record_of(again)["tables"]] == [
        t["rows"] for t in record_of(first)["tables"]
    ]
    files = exported(again)
    assert list(files)[3:6] == [
        "results/all-stays.csv", "results/number-of-people-by-sex.csv",
        "results/mean-stay.csv",
    ]  # fmt: skip
    report = files["report.html"].decode()
    assert '<h2>2 Mean stay</h2>\n<p class="quiet">Mean of days, by sex, where' in report
    history = ledger.history("registry")
    assert [q.title for q in history[-1].queries][::2] == ["All stays", "Mean stay"]
    assert history[-2].queries[0].title == "Count of rows"


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.in_turn(6)
def test_a_title_is_text_and_nothing_else(text: str, ledger: Ledger, tmp_path: Path) -> None:
    files = exported(run(replace(titled(text, text, "x"), title=text), tmp_path, ledger))
    page = _Page()
    page.feed(files["report.html"].decode())
    assert page.headings[:2] == [neutral_in_page(text), f"1 {text}"]
    assert not page.tags & {"script", "img"}
    assert all(re.fullmatch("#s[0-9A]", place) for place in page.links)
    package = json.loads(files["datapackage.json"])
    for heading in (package["title"], *(r["title"] for r in package["resources"])):
        assert (heading[0] not in "=+@-|%" and heading.lstrip("'") == text.lstrip("'")) or (
            heading == "x"
        )
    lines = files["README.txt"].decode().splitlines()
    assert sum(line.startswith("3. ") for line in lines) == 1
    assert len([n for n in files if n.startswith("results/")]) == 3


@pytest.mark.threat("G12")
@pytest.mark.parametrize("text", [*INVISIBLE, "x" * 10_000], ids=repr)
@pytest.mark.parametrize("place", ["title", "row_name"])
def test_what_a_label_may_not_hold_no_title_may(place: str, text: str) -> None:
    members = json.loads(study_to_bytes(STUDY))
    (members["queries"][0] if place == "title" else members["unit"])[place] = text
    with pytest.raises(Refused) as refused:
        study_from_bytes(json.dumps(members).encode())
    assert refused.value.problems[0].code in ("text-invisible", "text-too-long")


def test_titles_that_are_one_name_on_some_system_have_files_of_their_own(
    ledger: Ledger, tmp_path: Path
) -> None:
    files = exported(run(titled("Stays", "STAYS", "lpt¹"), tmp_path, ledger))
    assert list(files)[3:6] == ["results/stays.csv", "results/stays-2.csv",
                                "results/table-lpt1.csv"]  # fmt: skip


def changed(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(statement: dict[str, Any]) -> None:
        statement["predicate"]["queries"][2][key] = value

    return change


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("title", "Mean of days, by ward", "claim-title-differs"),
        ("title", "", "claim-title-differs"),
        ("title", " ", "claim-title-differs"),
        ("title", "a\u202eb", "claim-title-differs"),
        ("name", "mean-of-days", "claim-name-differs"),
        ("name", "con", "claim-name-differs"),
        ("name", "count-of-rows", "claim-name-differs"),
        ("name", "../x", "claim-malformed"),
        ("name", "x" * 49, "claim-malformed"),
        ("title", None, "claim-malformed"),
    ],
)
def test_a_title_or_name_that_disagrees_with_the_study_is_found_out(
    key: str, value: Any, code: str
) -> None:
    found = verify(resigned(changed(key, value)), KNOWN)
    assert found.claim is not None and code in [p.code for p in found.claim]


def relabelled(declared: bool, version: str) -> bytes:
    """A bundle whose mean for each sex is headed as one for each ward, signed with all files."""
    from tests.release.bundles import bundle

    files = unpack(bundle())
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    predicate = statement["predicate"]
    predicate["software"]["dpdesk"] = version
    query = predicate["queries"][2]
    old = f"results/{query['name']}.csv"
    query["title"], query["name"] = "Mean of days, by ward", "mean-of-days-by-ward"
    if declared:
        predicate["study"]["queries"][2]["title"] = "Mean of days, by age"
    moved = {
        n.replace(old, f"results/{query['name']}.csv"): content for n, content in files.items()
    }
    statement["subject"] = [
        {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
        for name, content in moved.items()
    ]
    manifest = json_bytes(statement)
    return pack({**moved, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})


@pytest.mark.parametrize("declared", [True, False])
def test_a_whole_bundle_headed_by_another_question_is_found_out(declared: bool) -> None:
    import dpdesk

    found = verify(relabelled(declared, dpdesk.__version__), KNOWN)
    assert found.claim is not None
    assert [p.code for p in found.claim] == ["claim-title-differs"]


def test_how_another_version_words_a_question_is_its_signers_affair() -> None:
    """Sentences may be worded anew: that version checks them."""
    found = verify(relabelled(False, "0.9.9"), KNOWN)
    assert found.is_open and not found.is_good


@pytest.mark.parametrize("name", READ_BY_PEOPLE)
def test_no_id_and_no_float_in_what_a_person_reads(
    name: str, ledger: Ledger, tmp_path: Path
) -> None:
    study = one_query(id="count-1", epsilon=Epsilon.of("0.05"))
    text = exported(run(study, tmp_path, ledger))[name].decode()
    hashes = re.sub(r"[0-9a-f]{32,}|SHA256:\S+", "", text)
    assert "count-1" not in hashes and not re.search(r"[0-9]\.[0-9]{6,}|[0-9]e-", hashes)


class _Page(HTMLParser):
    """The headings of a page and the tags in it."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.headings: list[str] = []
        self.links: list[str] = []
        self._open = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attributes if name == "href"]
        self._open = tag in ("h1", "h2")
        if self._open:
            self.headings.append("")

    def handle_endtag(self, _tag: str) -> None:
        self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.headings[-1] += data
