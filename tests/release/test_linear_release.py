# SPDX-License-Identifier: Apache-2.0
"""Linear models are released with titles for people, compared, and found out where altered."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.readable import for_people
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import form_in
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.release.verify.verification import verify
from dpdesk.shell import compare
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from tests.acceptance.publish import linear
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import release
from tests.release.test_consistent_release import altered_bundle

TITLES = {"a": "Age at entry", "b": "Body weight", "c": "Creatinine", "y": "Nights"}
MADE = linear.made_up(Epsilon.of(10))
ASKED = replace(
    MADE,
    columns=tuple(replace(one, title=TITLES[one.name]) for one in MADE.columns),
    data=DataSource("first.csv", extract="first"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ledger]:
    folder = tmp_path_factory.mktemp("linear")
    dice = np.random.default_rng(3)
    for name in ("first", "second"):
        own = dice.integers(0, 101, (2000, 3))
        outcome = np.clip(np.rint(40 + own @ [0.3, -0.1, 0] + dice.normal(0, 8, 2000)), 0, 100)
        lines = (f"{a},{b},{c},{y:.0f}" for (a, b, c), y in zip(own, outcome, strict=True))
        (folder / f"{name}.csv").write_text("\n".join(("a,b,c,y", *lines)) + "\n")
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("made-up", Epsilon.of(40))
    return folder, ledger


def _released(place: tuple[Path, Ledger], study: Study = ASKED) -> ReleaseDone:
    return release(study, *place, OpenDPDoor())


def _next(extract: str) -> Study:
    return replace(ASKED, data=DataSource("second.csv", extract=extract))


@pytest.fixture(scope="module")
def done(place: tuple[Path, Ledger]) -> ReleaseDone:
    return _released(place)


@pytest.mark.parametrize(("language", "rows"), [("en", "Number of rows"), ("de", "Anzahl der")])
def test_people_read_titles_and_files_keep_names(
    done: ReleaseDone, language: str, rows: str
) -> None:
    raw = build(done.stored, done.chain, KEY, form_in(language))
    assert verify(raw, KNOWN).is_good
    files = unpack(raw)
    book = load_workbook(io.BytesIO(files["results.xlsx"]))
    reading = {cell.value for cell in (cell for row in book.worksheets[1] for cell in row)}
    moments = {"Age at entry", "Age at entry²", "Age at entry × Body weight", "Nights²"}
    assert moments <= reading
    assert any(str(one).startswith(rows) for one in reading)
    page = files["report.html"].decode()
    for said in moments:
        assert f">{said}</" in page
    assert not {"a", "a²", "a × b"} & reading
    assert ">a × b</" not in page and ">a</" not in page
    figures = files[f"results/{done.stored.record.queries[0].name}.csv"].decode()
    assert "a × b," in figures and "Body" not in figures


@pytest.mark.threat("G8")
def test_an_altered_coefficient_is_found(done: ReleaseDone) -> None:
    name = f"results/{done.stored.record.queries[0].name}.derived.csv"

    def change(text: str) -> str:
        old = "a,coefficient,,,0."
        assert old in text
        return text.replace(old, "a,coefficient,,,1.", 1)

    found = verify(altered_bundle(done, name, change), KNOWN)
    assert [one.code for one in found.whole] == ["bundle-file-not-as-drawn"]


def test_two_models_are_compared_moment_by_moment(
    place: tuple[Path, Ledger], done: ReleaseDone, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, ledger = place
    later = _released(place, _next("second"))
    fewer = ASKED.queries[0].having(columns=("a", "b"))
    other = _released(place, replace(_next("third"), queries=(fewer,)))
    paths = [folder / f"{at}.zip" for at in range(3)]
    for path, one in zip(paths, (done, later, other), strict=True):
        path.write_bytes(build(one.stored, one.chain, KEY))
    signers = folder / "signers"
    signers.write_text(allowed_signers_line(KEY.info) + "\n")
    assert compare.run((paths[0], paths[1]), signers, ledger.home, as_json=False) == 0
    said = capsys.readouterr().out
    for line in ("Number of rows ", "Nights ", "Age at entry × Body weight ", "Creatinine² "):
        assert f"\n{line}" in said
    assert said.count("±") == 1 * 3 + 15 * 3, "a head, and 15 moments"
    assert compare.run((paths[0], paths[2]), signers, ledger.home, as_json=False) == 0
    said = capsys.readouterr().out
    (refused,) = filter(None, said.splitlines())
    assert refused.startswith("Not compared: Linear model of nights by age at entry and body")


def test_no_two_lines_have_one_label_whatever_columns_are_called(
    place: tuple[Path, Ledger],
) -> None:
    """The number of rows, a product and a square beside columns that are called as these are."""
    folder, ledger = place
    names = {"a": "rows", "b": "y²", "c": "y × y", "y": "y"}
    text = (folder / "first.csv").read_text().replace("a,b,c,y", ",".join(names.values()), 1)
    (folder / "named.csv").write_text(text)
    asked = replace(
        MADE,
        columns=tuple(replace(one, name=names[one.name]) for one in MADE.columns),
        queries=(MADE.queries[0].having(columns=("rows", "y²", "y × y")),),
        data=DataSource("named.csv", extract="named"),
    )
    done = release(asked, folder, ledger, OpenDPDoor())
    raw = build(done.stored, done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    (table,), record = done.stored.tables, done.stored.record
    labels = [row[0] for row in table.rows]
    assert len({*labels}) == len(labels) == 15 and {"rows", '"rows"', "y²", '"y²"'} < {*labels}
    read = for_people(table, asked, record.queries[0])
    assert read.derived is not None
    assert [row[0] for row in read.derived.rows] == ["", "rows", "y²", "y × y"]
    assert [read.rows[at][0] for at in (0, 1)] == ["Number of rows", "rows"]
