# SPDX-License-Identifier: Apache-2.0
"""Groups that a study compares: made at no price, in every file, and again by who verifies."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from openpyxl import load_workbook

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.published_tables import TableColumn
from dpdesk.privacy.reconcile.cross_totals import AddingTable, CellTotal
from dpdesk.release.bundle.baseline.printed import PrintedCell, PrintedRow, PrintedTable
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.compared_text import compared_file_names, compared_text
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import POPULATION_ROLES
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.notes import statements
from dpdesk.release.bundle.report.notes.main_findings import coverage, main_findings
from dpdesk.release.bundle.report.notes.statements import statement
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.report_blocks import Paragraph, Terms
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.dossier.stated import Stated
from dpdesk.release.dossier.subject import subject_of
from dpdesk.release.dossier.utility import utility_section
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.record.values import SignedRelease, SignerName, form_in
from dpdesk.release.rehearsal.made_up_files import made_up_bytes
from dpdesk.release.rehearsal.rehearse import rehearse
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.parameters import (
    ColumnParameters,
    PropertyParameters,
    RateParameters,
    SpreadParameters,
)
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.unit import Unit
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import record_of
from tests.release.test_consistent_release import altered_bundle, released, study_of

SEX = GroupComparison("sex", "groups", "f")
AGES = Bins("age", (Decimal(3), Decimal(6)))
AGE = ColumnParameters("age")
OLD = PropertyParameters((IsIn("ward", ("A",)),))
SEX_MODEL = GroupComparison("sex", "model", "f")
QUERIES = (
    Query("count", by=("sex", AGES), comparisons=(SEX, GroupComparison("age", "trend"))),
    Query("crossed", by=("sex", "ward"), comparisons=(GroupComparison("ward", "test"),)),
    Query("share", "share", OLD, by=("sex",), comparisons=(SEX, GroupComparison("sex", "test"))),
    Query("mean", "mean", AGE, by=("sex",), comparisons=(SEX, SEX_MODEL)),
    Query(
        *("model", "share", OLD, ("sex", AGES)),
        comparisons=(SEX_MODEL, GroupComparison("age", "model", "0 to 2")),
    ),
    Query(
        *("rate", "rate", RateParameters((IsIn("ward", ("A",)),), "age", 100), ("sex",)),
        comparisons=(SEX_MODEL,),
    ),
    Query("spread", "variance", SpreadParameters("age"), by=("sex",)),
)


def asked(*queries: Query) -> Study:
    study = study_of(Epsilon.of("1.25"), *queries)
    zero = Replace(Decimal(0))
    age = NumberColumn("age", Decimal(0), Decimal(9), Decimal(1), zero, zero, label="years")
    ward, _sex, icu = study.columns
    # Of wards the first is mixed with rows without a value: nobody should compare it.
    columns = (ward, CategoryColumn("sex", ("f", "m")), icu, age)
    return replace(study, columns=columns, unit=Unit())


OFF = (-0.01, 0.01, -0.04, 0.04)
"""Of both ends of the range of noise, then of that for the population."""
MODELLED = (
    *("Odds ratio (logistic model)", "Rate ratio (Poisson model)"),
    *("Difference (years) (linear model)", "A model compares groups of people who are alike"),
)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> ReleaseDone:
    return released(asked(*QUERIES), tmp_path_factory.mktemp("compared"), rows=900)


def compared(done: ReleaseDone, id: str) -> dict[tuple[str, ...], dict[str, str]]:
    """The lines of a query's comparisons, by what is compared and the figure."""
    table = next(one for one in done.stored.tables if one.id == id).compared
    assert table is not None
    names = [column.name for column in table.columns]
    figure = names.index("figure")
    return {row[: figure + 1]: dict(zip(names, row, strict=True)) for row in table.rows}


def test_each_comparison_is_in_every_file(done: ReleaseDone) -> None:
    assert parse_stored(record_of(done)) == done.stored
    bundle = build(done.stored, done.chain, KEY)
    assert verify(bundle, KNOWN).is_good
    files = unpack(bundle)
    names = [query.name for query in done.stored.record.queries]
    held = {name for name in files if name.startswith("comparisons/")}
    assert held == {f"comparisons/{name}.csv" for name in names[:-1]}
    page, described = files["report.html"].decode(), files["datapackage.json"].decode()
    for said in (
        "Groups compared",
        "m with f (0 to 2)",
        "Odds ratio",
        "all groups of age (years) (f)",
        *MODELLED,
    ):
        assert said in page
    assert "no p: its level is not known for means" in page
    assert "all groups of sex, ward" not in page, "a mixed group is compared in its file alone"
    (crossed,) = (q.name for q in done.stored.record.queries if q.id == "crossed")
    barred = f"are not shown here, but in comparisons/{crossed}.csv."
    assert barred in page
    assert ",ward,," in files[f"comparisons/{crossed}.csv"].decode()
    assert all(name in described and name in files["README.txt"].decode() for name in held)
    book = load_workbook(io.BytesIO(files["results.xlsx"]))
    cells = [str(cell.value) for sheet in book for row in sheet for cell in row]
    assert any("all groups of age" in one for one in cells)
    assert not any("all groups of sex, ward" in one for one in cells), "nor has the workbook it"
    assert any(barred in one for one in cells)


def test_a_test_says_how_noise_is_counted(done: ReleaseDone) -> None:
    """Where there is one, and only there: chi-squared is none of a table of chi-squared."""
    files = unpack(build(done.stored, done.chain, KEY))
    said = "So a table of chi-squared does not give its p"
    assert said in files["report.html"].decode()
    words = ReleaseWords.of("en")
    tested = {
        query.id
        for query, table in zip(done.stored.record.queries, done.stored.tables, strict=True)
        if (found := compared_text(table, query, words, "points")) and said in found.meaning
    }
    assert tested == {"crossed", "share"}


def test_the_registry_the_officer_and_a_rehearsal_know_of_them(done: ReleaseDone) -> None:
    files = unpack(build(done.stored, done.chain, KEY))
    assert b"ratios, odds ratios, trends and tests of the groups" in files["deployment.yaml"]
    found = verify(build(done.stored, done.chain, KEY), KNOWN)
    subject = subject_of(found, Stated(), ReleaseWords.of("en"))
    said = [block.text for block in utility_section(subject).blocks if isinstance(block, Paragraph)]
    assert any(text.startswith("Groups are compared") for text in said)
    study = done.stored.record.study.study
    assert study is not None
    made = unpack(made_up_bytes(rehearse(study, OpenDPDoor())))
    of_groups = {name for name in made if name.startswith("made_up_comparisons/")}
    assert len(of_groups) == len(compared_file_names(done.stored.record)) > 0
    for name in of_groups:
        _head, *lines = made[name].decode().splitlines()
        assert lines and all(line.startswith("made up,") for line in lines)


def test_columns_of_a_test_are_described_as_such(done: ReleaseDone) -> None:
    """Groups that are alike are meant, no curves; and degrees of freedom have no noise."""
    files = unpack(build(done.stored, done.chain, KEY))
    described = [
        (field["name"], field["description"])
        for one in json.loads(files["datapackage.json"])["resources"]
        if one["path"].startswith("comparisons/")
        for field in one["schema"]["fields"]
    ]
    assert {said for name, said in described if name == "degrees_of_freedom"} == {
        "Degrees of freedom of the test."
    }
    (p_value,) = {said for name, said in described if name == "p_value"}
    assert "make groups that are alike differ as much" in p_value


def test_figures_are_those_of_the_tables(done: ReleaseDone) -> None:
    table = next(one for one in done.stored.tables if one.id == "share")
    share = {row[0]: Decimal(row[1]) for row in table.rows}
    found = compared(done, "share")
    assert len(found) == 4
    line = found["m", "sex", "f", "difference"]
    assert abs(Decimal(line["value"]) - (share["m"] - share["f"])) <= Decimal("0.002")
    low, high = (Decimal(line[f"population_{end}_95"]) for end in ("lowest", "highest"))
    assert low <= Decimal(line["value"]) <= high
    ratio = found["m", "sex", "f", "ratio"]
    assert abs(Decimal(ratio["value"]) - share["m"] / share["f"]) <= Decimal("0.02")
    assert ratio["p_value"] == line["p_value"] != ""
    test = found["", "sex", "", "chi-squared"]
    assert (test["degrees_of_freedom"], test["why_missing"]) == ("1", "")
    assert compared(done, "crossed")["", "", "ward", "", "chi-squared"]["p_value"]
    assert compared(done, "mean")["m", "sex", "f", "difference"]["why_missing"] == "not-measured"


def test_effects_of_a_model_are_of_consistent_figures(done: ReleaseDone) -> None:
    """Of one grouping alone they are differences and ratios of the table itself."""
    mean = compared(done, "mean")
    modelled = mean["m", "sex", "f", "modelled-difference"]
    own = Decimal(mean["m", "sex", "f", "difference"]["value"])
    assert abs(Decimal(modelled["value"]) - own) <= Decimal("0.02")
    table = next(one for one in done.stored.tables if one.id == "rate")
    rate = {row[0]: Decimal(row[1]) for row in table.rows}
    ratio = compared(done, "rate")["m", "sex", "f", "modelled-rate-ratio"]
    assert abs(Decimal(ratio["value"]) - rate["m"] / rate["f"]) <= Decimal("0.03")
    lines = compared(done, "model")
    assert [key[:4] for key in lines] == [
        ("m", "", "sex", "f"),
        ("", "3 to 5", "age", "0 to 2"),
        ("", "6 to 9", "age", "0 to 2"),
    ]
    for line in lines.values():
        low, high = (Decimal(line[f"population_{end}_95"]) for end in ("lowest", "highest"))
        assert low <= Decimal(line["value"]) <= high


@pytest.mark.threat("G8")
@pytest.mark.parametrize("column", ["value", "population_lowest_95", "p_value"])
def test_an_altered_comparison_is_found(column: str, done: ReleaseDone) -> None:
    name = next(one.name for one in done.stored.record.queries if one.id == "share")
    own = compared(done, "share")["m", "sex", "f", "difference"][column]
    forged = altered_bundle(
        done,
        f"comparisons/{name}.csv",
        lambda text: text.replace(f",{own},", f",{Decimal(own) + 1},", 1),
    )
    assert [problem.code for problem in verify(forged, KNOWN).whole] == ["bundle-file-not-as-drawn"]


@pytest.mark.threat("G8")
def test_a_comparison_that_was_left_out_is_missed(done: ReleaseDone) -> None:
    tables = tuple(replace(one, compared=None) for one in done.stored.tables)
    forged = build(replace(done.stored, tables=tables), done.chain, KEY)
    problems = {(one.code, one.params.get("name")) for one in verify(forged, KNOWN).whole}
    names = [query.name for query in done.stored.record.queries]
    missing = {("bundle-file-missing", f"comparisons/{name}.csv") for name in names[:-1]}
    assert missing <= problems


def test_it_is_read_in_the_language_of_the_bundle(done: ReleaseDone) -> None:
    bundle = build(done.stored, done.chain, KEY, form_in("de"))
    assert verify(bundle, KNOWN).is_good
    page = unpack(bundle)["report.html"].decode()
    assert "Gruppen im Vergleich" in page and "m mit f" in page


def test_a_report_states_no_more_than_ranges_allow(done: ReleaseDone) -> None:
    signed = SignedRelease(done.stored.record, done.chain, SignerName("office", "SHA256:x"))
    text = ReleaseText(signed, ReleaseWords.of("en"))
    charted = {one.query.id: one for one in charted_queries(text, done.stored.tables)}

    def said(
        second: tuple[str, ...], *, beyond: tuple[str, str] | None = None, alike: int = 0
    ) -> str:
        """Of two shares, the first 0.30 ± 0.05; both with such a range for the population.

        Args:
            second: the other one, its margin and its ends.
            beyond: its range for the population.
            alike: how many groups more are like the first one.
        """
        found, rows = charted["share"].table, (("0.30", "0.05", "0.25", "0.35"), second)
        columns = [TableColumn("sex", "group", "", "sex")]
        roles = ("value", "half-width", "lowest", "highest", *(POPULATION_ROLES if beyond else ()))
        columns += [TableColumn(role, role, "", "") for role in roles]
        more: list[tuple[str, ...]] = [("0.20", "0.40"), beyond] if beyond else [(), ()]
        lines = tuple((g, *row, *end) for g, row, end in zip("fm", rows, more, strict=True))
        lines += tuple((f"g{n}", *lines[0][1:]) for n in range(alike))
        shown = replace(found, columns=tuple(columns), rows=lines, compared=None)
        found = statement(replace(charted["share"], table=shown), text.names)
        return "" if found is None else found.text

    near, far = ("0.34", "0.05", "0.29", "0.39"), ("0.50", "0.05", "0.45", "0.55")
    assert said(near) == "From 30 to 34 %. Noise alone could explain these differences."
    assert "whether it is chance was not tested" in said(far)
    both = said(near, beyond=("0.24", "0.44"))
    assert "includes 24 to 40 %, so these figures do not tell the groups apart" in both
    apart = ("0.41", "0.59")
    assert said(far, beyond=apart).startswith("m (50 %) and f (30 %) differ by more")
    assert said(far, beyond=apart, alike=3).startswith("m (50 %) and f (30 %) differ by more")
    assert said(far, beyond=apart, alike=4) == said(far, alike=4) == "", "by chance too often"


def test_a_report_begins_with_what_its_sections_state(done: ReleaseDone) -> None:
    """Differences, then the largest groups; the rest by the numbers of sections alone."""
    text = ReleaseText(SignedRelease(done.stored.record, SignerName("a", "b"), form_in("en")))
    charted = {one.query.id: one for one in charted_queries(text, done.stored.tables)}
    found, columns = charted["share"].table, [TableColumn("sex", "group", "", "sex")]
    columns += [
        TableColumn(role, role, "", "")
        for role in ("value", "half-width", "lowest", "highest", *POPULATION_ROLES)
    ]

    def of(*shares: str) -> Charted:
        """Groups of that many hundredths, their ranges for the population 4 wide on each side."""
        rows = tuple(
            (f"g{n}", f"0.{share}", "0.01", *(f"{int(share) / 100 + off:.2f}" for off in OFF))
            for n, share in enumerate(shares)
        )
        table = replace(found, columns=tuple(columns), rows=rows, compared=None)
        return replace(charted["share"], table=table)

    listed = {"4": of("30", "31"), "5": of("30", "50"), "6": of("31", "30"), "8": of("33", "31")}
    listed["9"] = of("30", "50", "30", "31", "31", "32")
    heading, terms, caveat = main_findings(text, listed, {})
    assert isinstance(terms, Terms) and isinstance(caveat, Paragraph)
    assert heading == Paragraph("Main findings", "heading")
    (name, said), *others = terms.pairs
    assert name.startswith("5 ") and said.startswith("g1 (50 %) and g0 (30 %) differ by more")
    # Of six groups the two that are furthest apart are called neither different nor alike.
    assert others == [
        (
            "No difference shown",
            "Noise and chance, or noise alone, could explain the differences of groups in "
            "sections 4, 6 and 8.",
        )
    ]
    assert "of several, one may be wrong" in caveat.text
    few = dict([*listed.items()][:2])
    assert main_findings(text, few, {}) == ()
    five = {str(number): one for number, one in enumerate(listed.values(), start=1)}
    (counted,) = coverage(text, five, {}, single=[listed["4"], charted["mean"]])
    (where,) = [said for _term, said in counted.pairs]
    assert where.endswith("in sections 1 to 6"), "the last one holds what is without groups"
    hidden = replace(listed["4"].table, rows=(("g0", "", "", "", "", "", "", "yes"),) * 2)
    marked = replace(hidden, columns=(*hidden.columns, TableColumn("too_noisy", "mark", "", "")))
    listed["4"] = replace(listed["4"], table=marked)
    cells = PrintedCell("3", is_noisy=True), PrintedCell("9")
    lines = PrintedRow("Sex"), PrintedRow("f", cells, is_inner=True)
    table_1 = PrintedTable("t", "t", "Table 1", "Table 1", ("a", "b"), cells[1:] * 2, lines, ())
    noisy = main_findings(text, listed, {"1": table_1})[1]
    assert isinstance(noisy, Terms)
    said = "1 of 4 figures in section 1 and 2 of 2 figures in section 4."
    assert noisy.pairs[-1] == ("Too noisy to quote", said)


def test_the_largest_group_of_very_many_is_not_looked_for(
    done: ReleaseDone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each group adds all lines up: of thousands, an export took minutes."""
    text = ReleaseText(SignedRelease(done.stored.record, SignerName("a", "b"), form_in("en")))
    charted = {one.query.id: one for one in charted_queries(text, done.stored.tables)}
    added_up = []
    totals = AddingTable.totals

    def noted(table: AddingTable, kept: Sequence[int]) -> Mapping[tuple[str, ...], CellTotal]:
        added_up.append(kept)
        return totals(table, kept)

    monkeypatch.setattr(AddingTable, "totals", noted)
    statement(charted["crossed"], text.names)
    assert added_up == [(0,)]
    monkeypatch.setattr(statements, "MOST_ADDED_UP", len(charted["crossed"].table.rows) - 1)
    assert statement(charted["crossed"], text.names) is None
    assert added_up == [(0,)]


def test_noise_that_leaves_nothing_says_so(tmp_path: Path) -> None:
    few = replace(QUERIES[2], epsilon=Epsilon.of("0.002"))
    study = replace(asked(few), queries=(few,))
    lines = compared(released(study, tmp_path, rows=60), "share").values()
    assert all(line["p_value"] == "" for line in lines)
    assert {line["why_missing"] for line in lines} <= {"noise", "not-positive", "no-interval"}
