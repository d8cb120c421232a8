# SPDX-License-Identifier: Apache-2.0
"""A Table 1 is released, laid out as journals print it, and made again by whoever verifies it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from statistics import mean, pstdev

import pytest
from openpyxl import load_workbook

from dpdesk.privacy.noise.door import Door, OpenDPDoor
from dpdesk.release.bundle.baseline.layout import (
    OVERALL,
    BaselineCell,
    BaselineLayout,
    ShownFigure,
    _judged,
    _with_share,
)
from dpdesk.release.bundle.baseline.released import released_layouts
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.comparison.compare_records import compare_records
from dpdesk.release.dossier.dossier_file import build_dossier
from dpdesk.release.dossier.subject import subject_of
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.record.values import form_in
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.doors import RecordingDoor
from tests.release.bundles import KEY, KNOWN
from tests.release.dossier.dossiers import STATED
from tests.release.studies import record_of, release
from tests.release.test_consistent_release import altered_bundle
from tests.study.baselines import BASELINE, SEXES, SMOKING, TABLE, WARDS

PEOPLE = 400
NAMES = ("tables/table-1.csv", "tables/table-1.md", "tables/table-1.tex")
Row = tuple[str, str, str, str]


def row(i: int) -> Row:
    """Ward, sex, smoking and age of one patient; some of each are missing."""
    age = "" if i % 19 == 0 else str(18 + 7 * i % 77)
    smoking = "" if i % 11 == 0 else SMOKING[i % 3]
    return WARDS[(7 * i + i // 5) % 4], "" if i % 13 == 0 else SEXES[i // 3 % 2], smoking, age


ROWS = [row(i) for i in range(PEOPLE)]


def released(study: Study, folder: Path, door: Door | None = None) -> ReleaseDone:
    lines = [f"p{i},{','.join(one)}" for i, one in enumerate(ROWS)]
    text = "\n".join(["id,ward,sex,smoking,age", *lines, ""])
    (folder / "stays.csv").write_text(text, encoding="utf-8")
    ledger = Ledger.open(Home.at(folder / "home"))
    limit = study.budget.limit if study.budget else None
    assert limit is not None
    if ledger.find_account("registry") is None:
        delta = Delta.of("0.000001") if isinstance(limit, Rho) else Delta(0)
        ledger.new_account("registry", limit, delta=delta)
    return release(study, folder, ledger, door or OpenDPDoor())


def bundle(folder: Path) -> bytes:
    done = released(BASELINE, folder)
    return build(done.stored, done.chain, KEY)


def layout_of(done: ReleaseDone) -> BaselineLayout:
    (layout,) = released_layouts(done.stored.record, done.stored.tables)
    return layout


def in_rho() -> Study:
    table = replace(TABLE, epsilon=None, rho=Rho.of("0.5"))
    return with_baseline_queries(
        replace(BASELINE, budget=Budget("registry", rho=Rho.of(9)), baseline_tables=(table,))
    )


def of_all() -> Study:
    return with_baseline_queries(replace(BASELINE, baseline_tables=(replace(TABLE, by=()),)))


def with_public_number() -> Study:
    unit = Unit("id", neighbours="change-one", people=PEOPLE)
    return with_baseline_queries(replace(BASELINE, unit=unit))


def of_all_with_public_number() -> Study:
    unit = Unit("id", neighbours="change-one", people=PEOPLE)
    return with_baseline_queries(replace(of_all(), unit=unit))


STUDIES: dict[str, Callable[[], Study]] = {
    "epsilon": lambda: BASELINE,
    "rho": in_rho,
    "all": of_all,
    "change-one": with_public_number,
    "all-change-one": of_all_with_public_number,
}


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
@pytest.mark.in_turn(2)
def test_it_is_released_read_back_and_made_again(
    study: Callable[[], Study], tmp_path: Path
) -> None:
    done = released(study(), tmp_path)
    assert parse_stored(record_of(done)) == done.stored
    raw = build(done.stored, done.chain, KEY)
    assert set(NAMES) <= unpack(raw).keys()
    found = verify(raw, KNOWN)
    assert found.is_good, found


def test_its_public_number_costs_nothing_and_stands_in_its_head(tmp_path: Path) -> None:
    done = released(of_all_with_public_number(), tmp_path)
    number, *_ = done.stored.record.queries
    assert (number.share.units, number.draws) == (0, ())
    assert sum(one.share.units for one in done.stored.record.queries) == TABLE.epsilon.units
    layout = layout_of(done)
    assert layout.heads[0].main == ShownFigure(str(PEOPLE), "0")
    # The part that a missing count is of all has that count's own margin.
    missing = next(row.cells[0] for row in layout.rows if row.figures == "missing")
    share, margin = Fraction(missing.beside[0].half_width), Fraction(missing.main.half_width)
    assert share <= 100 * margin / PEOPLE + Fraction(1, 10)


def test_in_another_language_it_is_made_again_too(tmp_path: Path) -> None:
    done = released(BASELINE, tmp_path)
    raw = build(done.stored, done.chain, KEY, form_in("de"))
    assert verify(raw, KNOWN).is_good
    assert "Tabelle 1" in unpack(raw)[NAMES[1]].decode()


def exact(group: str | None, place: int) -> list[str]:
    """The cells of one column in a ward, or in all."""
    return [one[place] for one in ROWS if group in (None, one[0])]


@pytest.mark.parametrize("study", [STUDIES["epsilon"], STUDIES["all"]], ids=["groups", "all"])
def test_without_noise_it_is_the_table_that_one_would_count(
    study: Callable[[], Study], tmp_path: Path
) -> None:
    layout = layout_of(released(study(), tmp_path, RecordingDoor()))
    for column, head in zip(layout.columns, layout.heads, strict=True):
        assert int(head.main.value) == len(exact(column or None, 0))
    for one in layout.rows:
        place = {"sex": 1, "smoking": 2, "age": 3}[TABLE.characteristics[one.place].column]
        for column, cell in zip(layout.columns, one.cells, strict=True):
            cells = exact(column or None, place)
            known, numbers = [c for c in cells if c], [int(c) for c in cells if c and place == 3]
            if one.figures == "moments":
                assert float(cell.main.value) == pytest.approx(mean(numbers), abs=0.5)
                assert float(cell.beside[0].value) == pytest.approx(pstdev(numbers), abs=0.5)
            elif one.figures == "missing":
                assert int(cell.main.value) == cells.count("")
                share = 100 * cells.count("") / len(cells)
                assert float(cell.beside[0].value) == pytest.approx(share, abs=0.5)
            elif one.figures == "quantiles":
                lower, upper = (float(one.value) for one in cell.beside)
                for part, value in ((0.25, lower), (0.5, float(cell.main.value)), (0.75, upper)):
                    below = sum(n < value for n in numbers)
                    assert below <= part * len(numbers) <= sum(n <= value for n in numbers)
            elif place < 3:
                label = (
                    ""
                    if one.label == "(missing)"
                    else {"Women": "f", "Men": "m"}.get(one.label, one.label)
                )
                count = cells.count(label)
                assert int(cell.main.value) == count
                of = len(cells) if place == 1 else len(known)
                assert float(cell.beside[0].value) == pytest.approx(100 * count / of, abs=0.5)


def with_budget(amount: str) -> Study:
    table = replace(TABLE, epsilon=Epsilon.of(amount))
    return with_baseline_queries(replace(BASELINE, baseline_tables=(table,)))


def ranked(layout: BaselineLayout) -> dict[str, BaselineCell]:
    """Median and quartiles of each column."""
    cells = next(one.cells for one in layout.rows if one.figures == "quantiles")
    return dict(zip(layout.columns, cells, strict=True))


@pytest.mark.parametrize("amount", ["0.5", "9"])
def test_quartiles_of_ranks_that_may_be_anyones_are_marked(amount: str, tmp_path: Path) -> None:
    done = released(with_budget(amount), tmp_path)
    figures = [one for c in ranked(layout_of(done)).values() for one in (c.main, *c.beside)]
    assert {one.is_noisy for one in figures if one.half_width} == {amount == "0.5"}
    # In the file, too, and where a cell of it is printed.
    files = unpack(build(done.stored, done.chain, KEY))
    lines = list(csv.DictReader(io.StringIO(files[NAMES[0]].decode())))
    marks = [one["too_noisy"] for one in lines if one["figure"] in ("median", "lower_quartile")]
    assert len(marks) == 2 * (1 + len(WARDS)) and ("yes" in marks) == (amount == "0.5")
    line = next(one for one in files[NAMES[1]].decode().splitlines() if "median" in one)
    assert line.count("\\*") == ((1 + len(WARDS)) if amount == "0.5" else 0)


def test_ranks_are_judged_by_those_who_have_a_value(tmp_path: Path) -> None:
    """378 of 400 in all have one: of these alone the distance, 195 rows, is half or more."""
    layout = layout_of(released(with_budget("2.57"), tmp_path, RecordingDoor()))
    cells = ranked(layout)
    off = Fraction(cells[OVERALL].main.half_width)
    assert PEOPLE - 22 <= 2 * off < PEOPLE == int(layout.heads[0].main.value)
    noisy = {column for column, cell in cells.items() if cell.main.is_noisy}
    assert noisy == {OVERALL, "B", "C", "D"}


def test_quartiles_in_the_wrong_order_are_marked_unless_their_range_is_known() -> None:
    lost, known = ShownFigure("54", ""), ShownFigure("54", "", ends=("50", "60"))
    cell = _judged(BaselineCell(ShownFigure("54", "3"), (lost, known)), Fraction(100))
    assert [one.is_noisy for one in (cell.main, *cell.beside)] == [False, True, False]


def test_a_count_below_zero_is_no_share_of_anything() -> None:
    share = ShownFigure("0.0", "0.3")
    for count, shown in (("-3", ""), ("0", "0.0"), ("3", "0.0")):
        assert _with_share(BaselineCell(ShownFigure(count, "9")), share).beside[0].value == shown


def test_the_overall_column_is_the_sum_of_the_groups(tmp_path: Path) -> None:
    layout = layout_of(released(BASELINE, tmp_path))
    assert layout.columns == (OVERALL, *WARDS)
    counts = [one.cells for one in layout.rows if one.figures in ("counts", "missing")]
    for first, *groups in (layout.heads, *counts):
        assert Fraction(first.main.value) == sum(Fraction(one.main.value) for one in groups)


def alter(name: str) -> Callable[[str], str]:
    """One figure of a file, or the words around it."""
    return {
        "csv": lambda text: text.replace(",n,", ",n,1", 1),
        "md": lambda text: text.replace("n = ", "n = 1", 1),
        "tex": lambda text: text.replace("n = ", "n = 1", 1),
    }[name.rpartition(".")[2]]


@pytest.mark.threat("G8")
@pytest.mark.parametrize("name", NAMES)
def test_an_altered_layout_is_found_whatever_its_signer_says(name: str, tmp_path: Path) -> None:
    done = released(BASELINE, tmp_path)
    forged = altered_bundle(done, name, alter(name))
    assert [one.code for one in verify(forged, KNOWN).whole] == ["bundle-file-not-as-drawn"]


def resigned(done: ReleaseDone, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """A bundle with other files, which its signer lists and signs."""
    files = unpack(build(done.stored, done.chain, KEY))
    statement = json.loads(files.pop(MANIFEST))
    files.pop(SIGNATURE)
    change(files)
    statement["subject"] = [
        {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
        for name, content in files.items()
    ]
    manifest = json_bytes(statement)
    return pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})


@pytest.mark.threat("G8")
def test_a_layout_that_is_missing_or_strange_is_found(tmp_path: Path) -> None:
    done = released(BASELINE, tmp_path)

    def add(files: dict[str, bytes]) -> None:
        files["tables/table-2.md"] = files[NAMES[1]]

    gone = verify(resigned(done, lambda files: files.pop(NAMES[1]) and None), KNOWN)
    assert [one.code for one in gone.whole] == ["bundle-file-missing"]
    more = verify(resigned(done, add), KNOWN)
    assert [one.code for one in more.whole] == ["bundle-list-odd"]


@pytest.mark.threat("G8")
def test_another_share_of_a_query_than_the_table_gives_it_is_found(tmp_path: Path) -> None:
    done = released(BASELINE, tmp_path)
    files = unpack(build(done.stored, done.chain, KEY))
    statement = json.loads(files[MANIFEST])
    statement["predicate"]["study"]["baseline_tables"][0]["epsilon"] = "1.5"
    files[MANIFEST] = json_bytes(statement)
    files[SIGNATURE] = sign(files[MANIFEST], KEY)
    assert "claim-price-differs" in {one.code for one in verify(pack(files), KNOWN).claim}


def test_the_csv_has_every_figure_with_its_margin(tmp_path: Path) -> None:
    files = unpack(bundle(tmp_path))
    lines = list(csv.DictReader(io.StringIO(files[NAMES[0]].decode())))
    asked = {(one["characteristic"], one["figure"]) for one in lines}
    assert ("age", "mean") in asked
    assert ("age", "upper_quartile") in asked
    assert ("smoking", "percent_missing") in asked
    assert all(one["half_width_95"] or one["figure"] not in ("n", "mean") for one in lines)
    package = json.loads(files["datapackage.json"])
    assert package["resources"][-1]["path"] == NAMES[0]
    fields = [one["name"] for one in package["resources"][-1]["schema"]["fields"]]
    assert fields == list(lines[0])
    crate = json.loads(files["ro-crate-metadata.json"])
    assert {*NAMES} <= {one["@id"] for one in crate["@graph"]}
    assert all(name in files["README.txt"].decode() for name in NAMES)


def test_a_query_that_was_answered_before_is_not_paid_again(tmp_path: Path) -> None:
    by_hand = replace(
        BASELINE, queries=tuple(replace(q, component=None) for q in BASELINE.queries[:3])
    )
    first = released(replace(by_hand, baseline_tables=()), tmp_path)
    assert all(query.charged.units for query in first.stored.record.queries)
    done = released(BASELINE, tmp_path)
    charged = [query.charged.units for query in done.stored.record.queries]
    assert [amount > 0 for amount in charged] == [False] * 3 + [True] * 7
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good


def test_own_queries_stand_before_those_of_the_table(tmp_path: Path) -> None:
    own = Query("stays", "count-people", by=("sex",), epsilon=Epsilon.of("0.1"))
    done = released(with_baseline_queries(replace(BASELINE, queries=(own,))), tmp_path)
    assert done.stored.record.queries[0].id == "stays"
    assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good


def test_report_and_workbook_have_it_as_journals_print_it(tmp_path: Path) -> None:
    files = unpack(bundle(tmp_path))
    page = files["report.html"].decode()
    assert "<h2>1 Table 1 by ward</h2>" in page
    assert "Age (years)" in page and "<th>median [Q1, Q3]</th>" in page
    # Its queries' figures are in it, and in no section of their own.
    assert not re.search("<h2>[0-9A ]*Number of", page)
    book = load_workbook(io.BytesIO(files["results.xlsx"]))
    sheet = book["1 Table 1"]
    texts = [[cell.value for cell in line] for line in sheet.iter_rows()]
    heads = next(line for line in texts if "Overall" in line)
    own = ("Figure", "Unit", "Note")
    groups = [head for head in heads if head and "95" not in head and head not in own]
    assert groups == ["Overall", *WARDS]
    smoking = [line[0] for line in texts].index("Smoking")
    assert [line[1] for line in texts[smoking + 1 :]][:8].count("rows") >= 3
    assert sum(name.startswith("D1 ") for name in book.sheetnames) == 10
    assert "2 Number" not in " ".join(book.sheetnames)


@pytest.mark.threat("G8")
@pytest.mark.parametrize("name", ["report.html", "results.xlsx", "report.pdf"])
def test_a_layout_that_was_altered_in_another_document_is_found(name: str, tmp_path: Path) -> None:
    done, other = released(BASELINE, tmp_path), released(of_all(), tmp_path)
    content = unpack(build(other.stored, other.chain, KEY))[name]

    def swap(files: dict[str, bytes]) -> None:
        files[name] = content

    found = verify(resigned(done, swap), KNOWN)
    assert [one.code for one in found.whole] == ["bundle-file-not-as-drawn"]


def test_it_is_compared_and_put_on_file_by_its_queries(tmp_path: Path) -> None:
    """Compare and dossier are about draws, and so about its queries; a registry reads its name."""
    first = released(BASELINE, tmp_path)
    data = replace(BASELINE.data or DataSource(), extract="another")
    second = released(replace(BASELINE, data=data), tmp_path)
    found = compare_records(first.stored.record, second.stored.record)
    chosen = [query.id for query in BASELINE.queries if query.statistic == "quantiles"]
    added = [query.id for query in BASELINE.queries if query.id not in chosen]
    drawn = [one.query.id for one in found.queries if one.query.statistic != "mean"]
    assert drawn == added
    assert [one.query.id for one in found.others] == chosen  # no choice is compared
    assert not any(one.is_same_answer for one in found.queries)
    raw = build(first.stored, first.chain, KEY)
    deployment = unpack(raw)["deployment.yaml"].decode()
    assert 'description: "Table 1 by ward"\n' in deployment
    subject = subject_of(verify(raw, KNOWN), STATED, ReleaseWords())
    report = unpack(build_dossier(subject, KEY))["dossier.html"].decode()
    assert all(one.title in report for one in first.stored.record.queries)


def test_the_means_of_a_table_1_are_compared_with_their_deviations(tmp_path: Path) -> None:
    """They are no queries of their own, and what a reader compares first."""
    assert BASELINE.data is not None
    done = released(BASELINE, tmp_path)
    later = replace(BASELINE, data=replace(BASELINE.data, extract="next"))
    found = compare_records(done.stored.record, released(later, tmp_path).stored.record)
    asked = [query.query.statistic for query in found.queries]
    places = [at for at, one in enumerate(asked) if one == "mean"]
    assert places and [asked[at + 1] for at in places] == ["standard-deviation"] * len(places)
    shown = [
        cell.main.value
        for row in layout_of(done).rows
        if row.figures == "moments"
        for cell in row.cells[1:]
    ]
    lines = found.queries[places[0]].lines
    earlier = [line.difference.earlier for line in lines]
    assert len(earlier) == len(shown)
    for figure, text in zip(earlier, shown, strict=True):
        assert figure is not None and abs(float(figure.value) - float(text)) <= 0.5
    assert found.queries[places[0]].title.startswith("Mean")
    assert all(line.difference.margin > 0 for line in lines)
