# SPDX-License-Identifier: Apache-2.0
"""What lies in a bundle: the same bytes for the same record, and nothing that runs or betrays."""

import csv
import getpass
import io
import json
import os
import re
import socket
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.charts.description import MOST_BARS
from dpdesk.release.bundle.csv_format import csv_bytes
from dpdesk.release.bundle.query_headings import WORDS
from dpdesk.release.bundle.report.query_chart import Charted, drawing_of
from dpdesk.release.bundle.report.svg_drawing import svg
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build
from dpdesk.release.record.parse import parse_stored
from dpdesk.study.json.study_writer import canonical
from dpdesk.study.text.number_text import MINUS
from dpdesk.study.text.spreadsheet_cells import neutral, neutral_parts
from tests.release.bundles import KEY, bundle, done, payload, refusal, table_of, typed
from tests.release.stock_command import stock_command
from tests.release.studies import record_of

RUN_BY_SPREADSHEETS = [
    "=1+1", "+1", "-x", "@SUM(A1)", "|cmd", "%x", " =1", "'=1", "''=1", "=",
    "\uff1d1", "\uff0b1", "\uff0d1", "\uff20x", "-1+1", '=HYPERLINK("http://x")',
]  # fmt: skip
LIVE_TEXTS = [
    "<script>alert(1)</script>",
    "</title><script src=//x></script>",
    '"><img src=x onerror=alert(1)>',
    "<svg onload=alert(1)>",
    "javascript:alert(1)",
    "</style><b>",
    "&lt;script&gt;",
    "' onmouseover='x",
]


@pytest.mark.threat("B10")
def test_same_record_same_bytes() -> None:
    again = json.loads(canonical(record_of(done())))
    assert build(parse_stored(again), done().chain, KEY) == bundle()


@pytest.mark.threat("B10")
def test_other_programs_read_it_and_it_says_nothing_of_the_machine() -> None:
    with zipfile.ZipFile(io.BytesIO(bundle())) as archive:
        assert archive.testzip() is None
        assert archive.namelist()[-2:] == [MANIFEST, SIGNATURE]
        for entry in archive.infolist():
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)
            assert (entry.extra, entry.comment, entry.external_attr >> 16) == (b"", b"", 0o100644)
    for word in (getpass.getuser(), socket.gethostname(), str(Path.home()), str(Path.cwd())):
        if len(word) > 4:  # a user may be called "root" or "page"
            assert word.encode() not in bundle()


@pytest.mark.threat("B6")
def test_every_long_hex_text_is_a_digest_of_a_member_or_declared() -> None:
    statement = json.loads(unpack(bundle())[MANIFEST])
    predicate = statement["predicate"]
    known = {entry["digest"]["sha256"] for entry in statement["subject"]}
    known |= {predicate["ledger"]["head"], predicate["ledger"]["previous"]}
    known |= {predicate["software"]["opendp_library_sha256"]}
    assert set(re.findall(r"\b[0-9a-f]{64}\b", bundle().decode("utf-8", "replace"))) <= known


def test_manifest_is_ascii_without_fractions() -> None:
    raw = unpack(bundle())[MANIFEST]
    assert raw.isascii() and raw.endswith(b"}\n") and b"\r" not in raw and b"\x1a" not in raw
    json.loads(raw, parse_float=lambda text: pytest.fail(text))


def test_tables_are_the_record() -> None:
    files = unpack(bundle())
    for table in record_of(done())["tables"]:
        content = table_of(files, table["id"]).decode("utf-8")
        rows = list(csv.reader(io.StringIO(content)))
        assert rows[0] == [column["name"] for column in table["columns"]]
        assert rows[1:] == table["rows"]


def test_datapackage_describes_each_column_of_each_table() -> None:
    files = unpack(bundle())
    package = json.loads(files["datapackage.json"])
    assert package["profile"] == "tabular-data-package"
    assert {r["path"] for r in package["resources"]} == {n for n in files if n.endswith(".csv")}
    for resource in package["resources"]:
        header = files[resource["path"]].decode("utf-8").splitlines()[0].split(",")
        assert [field["name"] for field in resource["schema"]["fields"]] == header
        assert all(field["description"] for field in resource["schema"]["fields"])
        assert "scale" in resource["description"]
        assert "95 times in 100 within" in resource["description"]


@pytest.mark.threat("G1")
@pytest.mark.parametrize("text", RUN_BY_SPREADSHEETS)
def test_texts_that_a_spreadsheet_would_run_get_an_apostrophe(text: str) -> None:
    assert neutral(text) == f"'{text}"
    table = payload()["tables"][1]
    table["rows"][0][0] = text
    table["columns"][0]["name"] = text
    rows = list(csv.reader(io.StringIO(csv_bytes(typed(table)).decode("utf-8"), newline="")))
    assert rows[0][0] == rows[1][0] == f"'{text}"


@pytest.mark.parametrize("text", ["-1", "-0.5", "0", "[0-10)", "<30", "a=b", "'s-Gravenhage", ""])
def test_other_texts_stay(text: str) -> None:
    assert neutral(text) == text


def test_different_labels_stay_different() -> None:
    labels = {*RUN_BY_SPREADSHEETS, *("'" + text for text in RUN_BY_SPREADSHEETS)}
    assert len(set(map(neutral, labels))) == len(labels)


@pytest.mark.threat("G1")
@pytest.mark.parametrize("text", RUN_BY_SPREADSHEETS)
def test_a_text_that_a_semicolon_cuts_runs_in_no_part(text: str) -> None:
    """In German, Dutch or French a spreadsheet cuts a line at semicolons, quoted or not."""
    assert neutral_parts(f"see;{text};2") == f"see;'{text};2"
    table = payload()["tables"][1]
    table["rows"][0][0] = f"a, b;{text}"
    table["columns"][0]["name"] = f"c;{text}"
    written = csv_bytes(typed(table)).decode("utf-8")
    for line in written.split("\n")[:2]:
        parts = [part.strip('"') for part in line.split(";")]
        assert not {part[:1] for part in parts} & set("=+-@|%\t\r\uff1d\uff0b\uff0d\uff20")


def test_labels_with_semicolons_stay_different() -> None:
    labels = {"a;=1", "a;'=1", "a;''=1", "'a;=1", "=a;=1", "'=a;=1", "a;=1;=1", "a;b"}
    assert len(set(map(neutral_parts, labels))) == len(labels)


@pytest.mark.threat("G1")
@pytest.mark.parametrize("figure", ["=1", "1e5", "nan", "1,5", " 1", "--1", "٣", "1\n"])
def test_a_figure_that_is_no_number_is_refused(figure: str) -> None:
    table = payload()["tables"][1]
    table["rows"][0][1] = figure
    problem = refusal(csv_bytes, typed(table))
    assert (problem.code, problem.params) == ("figure-malformed", {"table": table["id"]})


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def _tags(record: dict[str, Any]) -> _Tags:
    page = unpack(build(parse_stored(record), done().chain, KEY))["report.html"].decode("utf-8")
    assert "default-src 'none'" in page and "http:" not in page and "https:" not in page
    tags = _Tags()
    tags.feed(page)
    return tags


@pytest.mark.threat("G10")
@pytest.mark.parametrize("text", LIVE_TEXTS)
@pytest.mark.in_turn(6)
def test_no_text_becomes_live_in_the_report(text: str) -> None:
    plain = _tags(payload())
    record = payload()
    record["predicate"]["study"]["title"] = text
    record["predicate"]["study"]["organisation"] = text
    for table in record["tables"]:
        table["title"] = text
        for column in table["columns"]:
            # What a noisy part is of is known by its name, which the report does not show.
            name = column["name"] if column["role"] == "part" else f"{text}{column['name']}"
            column.update(name=name, description=text, unit=text)
            if column["role"] == "group":
                for row in table["rows"]:
                    row[0] = text
    live = _tags(record)
    # A picture has as many lines of a label as have room.
    assert [tag for tag in live.tags if tag != "text"] == [t for t in plain.tags if t != "text"]
    assert {name for name, _ in live.attributes} == {name for name, _ in plain.attributes}
    assert "script" not in live.tags
    assert not any(name.startswith("on") or name == "src" for name, _ in live.attributes)
    to = [value for name, value in live.attributes if name == "href"]
    assert all(value.startswith("#s") for value in to), "to a section of the page"


def test_report_holds_every_figure_and_a_chart() -> None:
    page = unpack(bundle())["report.html"].decode("utf-8")
    charts = 0
    for table in record_of(done())["tables"]:
        roles = [column["role"] for column in table["columns"]]
        for row in table["rows"]:
            pairs = zip(row, roles, strict=True)
            # Both ends follow from a figure and its margin.
            ends = ("lowest", "highest") if "half-width" in roles else ()
            left_out = ("part", "nearest", "mark", *ends)
            shown = [cell for cell, role in pairs if role not in left_out]
            found = (f">(±\xa0)?{text.replace('-', MINUS)}</td>" for text in shown)
            assert all(re.search(one, page) for one in found)
        # A noisy denominator of 0 or less leaves a mean without a figure to draw.
        charts += any(row[roles.index("value")] for row in table["rows"]) and len(table["rows"]) > 1
    assert page.count("<svg") == charts > 0


def test_report_says_what_makes_the_account_doubtful() -> None:
    record = payload()
    page = unpack(build(parse_stored(record), done().chain, KEY))["report.html"]
    assert b'class="warn"' not in page
    record["predicate"]["ledger"].update(rollback_suspected=True, separate_people_declared=True)
    page = unpack(build(parse_stored(record), done().chain, KEY))["report.html"]
    assert page.count(b'class="warn"') == 2


def test_report_and_chart_say_what_is_too_noisy_to_use() -> None:
    record = payload()
    (table, *others) = record["tables"]
    for other in others:
        other["rows"] = [[*row[:-1], "no"] for row in other["rows"]]
    assert table["columns"][-1]["role"] == "mark"
    for mark, times in (("yes", 1), ("no", 0)):
        table["rows"] = [[*row[:-1], mark] for row in table["rows"][:1]]
        page = unpack(build(parse_stored(record), done().chain, KEY))
        assert page["report.html"].decode().count("too noisy to use") == times
        assert (b'<tr class="noisy">' in page["report.html"]) == (mark == "yes")
        found = typed({**table, "rows": 2 * table["rows"]})
        assert ('class="noisy' in drawing(found, 0)) == (mark == "yes")


def test_a_mark_is_yes_or_no() -> None:
    table = payload()["tables"][0]
    table["rows"][0][-1] = "perhaps"
    assert refusal(csv_bytes, typed(table)).code == "figure-malformed"


def charted(table: Table, query: int) -> Charted:
    record = done().stored.record
    return Charted(table, record.queries[query], WORDS, record.study.study)


def drawing(table: Table, query: int) -> str:
    made = drawing_of(charted(table, query))
    return svg(made) if made is not None else ""


def test_no_chart_of_nothing_or_of_too_much() -> None:
    table = payload()["tables"][1]
    marked = ["", "no"]
    empty = {**table, "rows": [[row[0], "", "", "", "", "-3", *marked] for row in table["rows"]]}
    assert drawing(typed(empty), 1) == ""
    many = {**table, "rows": [table["rows"][0]] * (MOST_BARS + 1)}
    assert drawing(typed(many), 1) == ""
    some = {**table, "rows": [["f", "5", "1", "4", "6", "5", *marked]] * MOST_BARS}
    assert drawing(typed(some), 1).count("<rect") == MOST_BARS


def test_each_interval_of_the_chart_holds_its_point() -> None:
    """Noise may take a count below 0 or a share beyond all; the table beside it has the figure."""
    for value, low, high in ((-22, 0, 68), (120, 20, 100), (30, 10, 50)):
        table = payload()["tables"][1]
        ends = (str(value), "90", str(low), str(high), "-3")
        table["rows"] = [["f", *ends, "", "no"] for _row in table["rows"]]
        for figure in charted(typed(table), 1).figures.figures:
            assert figure is not None and (figure.low, figure.high) == (low, high)
            assert figure.drawn == min(max(value, low), high)


def test_readme_is_ascii_and_names_command_and_key() -> None:
    text = unpack(bundle())["README.txt"].decode("ascii")
    assert KEY.info.fingerprint in text
    assert max(len(line) for line in text.splitlines()) < 190
    assert stock_command(text).startswith("ssh-keygen -Y verify -f ../allowed_signers")


def test_written_whole_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.zip"
    write_bundle(path, bundle())
    assert path.read_bytes() == bundle()
    problem = refusal(write_bundle, tmp_path / "none" / "b.zip", b"")
    assert (problem.code, problem.params) == ("bundle-unwritable", {"name": "b.zip"})
    assert [p.name for p in tmp_path.iterdir()] == ["b.zip"]


@pytest.mark.threat("F1")
def test_what_a_killed_export_left_goes_with_the_next(tmp_path: Path) -> None:
    names = (".b.zip.x1.part", ".b.zip.x2.part", ".c.zip.x3.part", "b.zip.part")
    for name in names:
        (tmp_path / name).write_bytes(b"half")
    for name in names[:1] + names[2:]:
        os.utime(tmp_path / name, (1, 1))
    write_bundle(tmp_path / "b.zip", b"whole")
    assert {p.name for p in tmp_path.iterdir()} == {"b.zip", *names[1:]}
