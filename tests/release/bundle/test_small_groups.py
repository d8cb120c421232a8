# SPDX-License-Identifier: Apache-2.0
"""Groups of which a rank may be off by half or more: named where the release counts them, too."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.quantile_notes import NONE_SMALL, SmallGroups, small_groups
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.notes.query_notes import cautions, notes_below
from dpdesk.release.bundle.report.notes.statements import statement
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.query_section import query_section
from dpdesk.release.bundle.report.report_blocks import Paragraph
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignedRelease, SignerName
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import Between, Condition, IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.parameters import CandidateParameters, QuantileParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.text.unit_names import PLAIN
from tests.release.studies import release


class Released(NamedTuple):
    """A release's text, and its first query."""

    text: ReleaseText
    first: Charted


ONE, LITTLE = Epsilon.of(1), Epsilon.of("0.02")
AGE = NumberColumn("age", Decimal(0), Decimal(90), Decimal(1))
WARD = CategoryColumn("ward", ("a", "b", "c"), labels=("Surgery", "Burns", "Heart"))
MEDIAN = Query("median", "median", CandidateParameters("age"), ("ward",), epsilon=LITTLE)
COUNT = Query("count", by=("ward",), epsilon=ONE, title="Rows by ward")
WHOLE = replace(COUNT, by=(), title="All rows")
MEN = (IsIn("ward", ("a",)),)
SIZES = {"a": (12_000, 90), "b": (60, 90), "c": (8_000, 40)}


def released(
    folder: Path, *queries: Query, unit: Unit | None = None, language: str = "en"
) -> Released:
    """Of a release of 60 rows of burns and many of others, drawn as ever."""
    rows = [
        f"{ward}{n},{ward},{n % ages}" for ward, (size, ages) in SIZES.items() for n in range(size)
    ]
    (folder / "rows.csv").write_text("\n".join(["id,ward,age", *rows, ""]), encoding="utf-8")
    study = Study(
        title="Ages",
        data=DataSource(path="rows.csv", extract="rows"),
        unit=unit or Unit("id", 1),
        budget=Budget("registry", epsilon=Epsilon.of(20)),
        columns=(AGE, WARD),
        queries=queries,
    )
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of(20))
    done = release(study, folder, ledger, OpenDPDoor())
    signed = SignedRelease(done.stored.record, done.chain, SignerName("office", "SHA256:x"))
    text = ReleaseText(signed, ReleaseWords.of(language))
    return Released(text, charted_queries(text, done.stored.tables)[0])


def test_a_small_group_is_named_where_the_release_counts_it(tmp_path: Path, qtbot: QtBot) -> None:
    """A median 145 rows off, in a group of 199 ± 144, stood among the others without a word."""
    text, one = released(tmp_path, MEDIAN, COUNT)
    assert [*one.small.counted] == [("Burns",)]
    count, margin = one.small.counted["Burns",]
    said = one.small.said(text.words)
    assert said == (
        f"Too noisy to use: “Burns” ({count} ± {margin}). By “Rows by ward”, the rank may be off "
        "by half of such a group or more."
    )
    heading = text.headings["median"]
    section = query_section(one, heading, PLAIN)
    assert [b.text for b in section.blocks if isinstance(b, Paragraph) and b.tone == "doubt"] == [
        said
    ]
    assert notes_below(one, heading, PLAIN)[0] == said, "on its sheet of the workbook"
    assert said in cautions(one, PLAIN), "and not on the cover alone"
    card = ResultTable()
    qtbot.addWidget(card)
    card.show_table(one.table, "Median", "median", small=one.small)
    assert card._note.text().startswith(said)


@pytest.mark.parametrize(
    "others",
    [
        (),
        (WHOLE,),
        (replace(COUNT, where=MEN),),
        (replace(COUNT, statistic="count-people"),),
        (replace(COUNT, by=("ward", Bins("age", (Decimal(40),)))),),
        (replace(COUNT, rows_per_group=1),),
    ],
    ids=["none", "of all", "of some", "of people", "of finer groups", "of one row a person"],
)
def test_nothing_is_said_by_counts_of_others(tmp_path: Path, others: tuple[Query, ...]) -> None:
    assert released(tmp_path, MEDIAN, *others, unit=Unit("id", 2)).first.small == NONE_SMALL


@pytest.mark.parametrize("where", [(), MEN], ids=["groups", "and a condition"])
def test_the_count_of_all_says_that_no_group_is_large_enough(
    where: tuple[Condition, ...], tmp_path: Path
) -> None:
    """A distance of 7,049 rows of fewer stood unmarked where nothing counted its groups."""
    median = replace(MEDIAN, where=where, epsilon=Epsilon.of("0.0001"))
    text, one = released(tmp_path, median, WHOLE)
    assert [*one.small.counted] == [()]
    assert "by “All rows”" in one.small.said(text.words)


def test_a_count_under_fewer_conditions_names_what_is_small_in_it(tmp_path: Path) -> None:
    older = replace(MEDIAN, where=(Between("age", Decimal(1), Decimal(90)),))
    one = released(tmp_path, older, replace(WHOLE, id="whole"), COUNT).first
    assert [*one.small.counted] == [("Burns",)]


def test_a_count_under_another_condition_names_none(tmp_path: Path) -> None:
    burns = replace(COUNT, where=(IsIn("ward", ("b",)),))
    assert released(tmp_path, replace(MEDIAN, where=MEN), burns).first.small == NONE_SMALL


def test_a_count_of_people_will_do_where_each_has_one_row(tmp_path: Path) -> None:
    people = replace(COUNT, statistic="count-people")
    assert [*released(tmp_path, MEDIAN, people).first.small.counted] == [("Burns",)]


def test_of_all_rows_the_count_is_said(tmp_path: Path) -> None:
    burns = (IsIn("ward", ("b",)),)
    median, count = replace(MEDIAN, by=(), where=burns), replace(WHOLE, where=burns)
    text, one = released(tmp_path, median, count)
    size, margin = one.small.counted[()]
    assert one.small.said(text.words) == (
        f"Too noisy to use: by “All rows” ({size} ± {margin}), the rank may be off by half "
        "of all or more."
    )


def test_medians_from_to_are_those_of_groups_that_are_large_enough(tmp_path: Path) -> None:
    quarters = tuple(map(Decimal, ("0.25", "0.5", "0.75")))
    quartiles = Query("q", "quantiles", QuantileParameters("age", (), quarters), ("ward",))
    one = released(tmp_path, replace(quartiles, epsilon=LITTLE), COUNT).first
    said = statement(one, PLAIN)
    assert said is not None
    assert said.text.startswith("Without “Burns”: The medians are from ")
    assert statement(replace(one, small=NONE_SMALL), PLAIN) != said


def test_many_groups_are_not_all_named() -> None:
    words = ReleaseWords.of("en")
    small = SmallGroups("Rows", {(f"w{n}",): ("5", "9") for n in range(12)})
    assert small.said(words).count("(5 ± 9)") == 10
    assert "and 2 others." in small.said(words)
    assert small_groups(None, (), (), words) == {}


def test_a_count_without_a_title_is_called_what_it_asks_in_the_reports_language(
    tmp_path: Path,
) -> None:
    text, one = released(tmp_path, MEDIAN, replace(COUNT, title=""), language="de")
    heading = text.headings["count"].title
    assert heading == "Anzahl der Zeilen nach ward"
    assert f"Nach „{heading}“ kann" in one.small.said(text.words)
