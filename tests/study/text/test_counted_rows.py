# SPDX-License-Identifier: Apache-2.0
"""What the row limit does to a figure is said of every query that counts rows, and of no other."""

import json
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import openpyxl
import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import form_in
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS, Statistic
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.counted_rows import counted_in_release, counted_rows, exact_figure
from tests.asking import query_for
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import STUDY, release, write_data

STAY = NumberColumn("stay", Decimal(0), Decimal(30), Decimal(1))
UNIT = Unit("pid", 3, "add-remove", None, False, "drop", "stay", "stays", "patient", "patients")
ASKED = Study(
    unit=UNIT,
    columns=(STAY, CategoryColumn("ward", ("a", "b")), YesNoColumn("ok", ("yes",), ("no",))),
)
ALL_PEOPLE = {"count-people", "rows-per-person"}
GERMAN = ReleaseWords.of("de").language


@pytest.mark.parametrize("statistic", STATISTICS)
def test_it_is_said_wherever_rows_are_counted_averaged_or_shared_out(statistic: Statistic) -> None:
    said = str(counted_rows(ASKED, query_for(statistic, STAY)))
    assert bool(said) == (statistic not in ALL_PEOPLE)
    if said:
        assert said.startswith("At most 3 stays of each patient count, chosen at random. ")
    if said and DECLARATIONS[statistic].unit != "people":
        assert said.endswith("patients with many stays weigh less than in the file.")
        is_total = DECLARATIONS[statistic].is_total
        assert ("Further stays are left out" in said) == is_total
        assert ("The figure describes these stays, not all" in said) != is_total


@pytest.mark.parametrize("statistic", STATISTICS)
def test_it_is_said_of_nothing_where_every_row_is_a_person(statistic: Statistic) -> None:
    alone = replace(ASKED, unit=Unit(None))
    assert str(counted_rows(alone, query_for(statistic, STAY))) == ""
    assert str(counted_rows(Study(), query_for(statistic, STAY))) == ""
    assert str(counted_rows(None, query_for(statistic, STAY))) == ""


def test_a_limit_of_one_row_leaves_rows_out_as_well() -> None:
    one = replace(ASKED, unit=replace(UNIT, max_rows=1))
    assert counted_rows(one, Query("q")).limit == (
        "At most 1 stay of each patient counts, chosen at random."
    )


def test_a_limit_for_each_group_is_said_beside_that_of_a_person() -> None:
    limited = Query("q", by=("ward",), rows_per_group=1)
    assert counted_rows(ASKED, limited).limit == (
        "At most 3 stays of each patient count, chosen at random. In one group at most 1 of them "
        "counts, chosen at random."
    )
    two = counted_rows(ASKED, replace(limited, rows_per_group=2), GERMAN)
    assert two.limit.endswith("In einer Gruppe zählen davon höchstens 2, zufällig ausgewählt.")
    some = replace(ASKED, queries=(Query("r"), limited))
    assert "Where a query says so, fewer of them count in one group" in str(
        counted_in_release(some)
    )
    assert "in one group" not in str(counted_in_release(replace(some, queries=(Query("r"),))))


def test_it_is_said_in_german_in_words_that_need_no_inflection() -> None:
    named = replace(
        UNIT,
        max_rows=10_000,
        row_name="Aufenthalt",
        row_names="Aufenthalte",
        person_name="Patientin",
        person_names="Patientinnen",
    )
    german = replace(ASKED, unit=named)
    assert str(counted_rows(german, query_for("mean", STAY), GERMAN)) == (
        "Je Patientin zählen höchstens 10.000 Aufenthalte, zufällig ausgewählt. Das Ergebnis "
        "beschreibt diese Aufenthalte, nicht alle: Patientinnen, die viele Aufenthalte haben, "
        "wiegen weniger als in der Datei."
    )
    one = replace(german, unit=replace(named, max_rows=1))
    assert str(counted_rows(one, Query("q"), GERMAN)).startswith(
        "Je Patientin zählt höchstens 1 Aufenthalt, zufällig ausgewählt. Weitere Aufenthalte"
    )


def test_the_exact_figure_is_that_under_the_limit_where_rows_are_counted() -> None:
    rows = replace(ASKED, queries=(Query("q"),))
    people = replace(ASKED, queries=(Query("q", "count-people"),))
    by_ward = Query("q", "count-people", by=("ward",))
    assert exact_figure(replace(people, queries=(by_ward,))) == exact_figure(rows)
    assert exact_figure(rows).endswith("row limit, bounds and rules, not that of all stays.")
    assert "Figures of stays describe these, not all" in str(counted_in_release(rows))
    for study in (people, replace(rows, unit=Unit(None)), None):
        assert exact_figure(study).endswith("under the declared bounds and rules.")
        assert str(counted_in_release(study)) == ""


BY_RULE = (
    Query("q", "count-people", by=("ward",)),
    Query("q", "count-people", where=(IsIn("ward", ("a",)),)),
    Query("q", "categories-found", CategoriesFoundParameters("ward")),
)
LOOKED_AT = "Only these stays count; all stays could give more patients."


@pytest.mark.parametrize("query", BY_RULE)
def test_people_by_group_condition_or_category_are_looked_for_in_these_rows(query: Query) -> None:
    assert str(counted_rows(ASKED, query)) == (
        f"At most 3 stays of each patient count, chosen at random. {LOOKED_AT}"
    )
    people = "Counts of patients by group, condition or category use only these stays"
    rows = "Figures of stays describe these, not all"
    alone = str(counted_in_release(replace(ASKED, queries=(query, Query("all", "count-people")))))
    assert people in alone and rows not in alone
    both = str(counted_in_release(replace(ASKED, queries=(query, Query("rows")))))
    assert both.index(rows) < both.index(people)


# --- in what is signed --------------------------------------------------------------------------


@lru_cache
def released(counts_rows: bool, language: str = "en") -> bytes:
    """A bundle of two stays a person, of which a limit of 3 leaves none out."""
    everybody = replace(STUDY.queries[1], by=(), where=())
    study = STUDY if counts_rows else replace(STUDY, queries=(everybody,))
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        ledger = Ledger.open(Home.at(folder / "home"))
        ledger.new_account("registry", Epsilon.of("1"))
        done = release(study, folder, ledger, OpenDPDoor())
    return build(done.stored, done.chain, KEY, form_in(language))


def texts(bundle: bytes) -> dict[str, str]:
    """What people read in each file, its lines joined."""
    files = unpack(bundle)
    names = ("README.txt", "report.html", "datapackage.json")
    said = {name: " ".join(files[name].decode().split()) for name in names}
    package = json.loads(files["datapackage.json"])
    said["datapackage.json"] = package["description"]
    said["resources"] = " ".join(one["description"] for one in package["resources"])
    book = openpyxl.load_workbook(BytesIO(files["results.xlsx"]))
    rows = (row for sheet in book.worksheets for row in sheet.iter_rows(values_only=True))
    cells = (cell for row in rows for cell in row if cell)
    said["results.xlsx"] = " ".join(map(str, cells))
    return said


def test_every_file_says_what_was_counted_whatever_the_rows_hold() -> None:
    for name, said in texts(released(True)).items():
        assert "At most 3 rows of each person count, chosen at random." in said, name
        if name != "resources":
            assert "under the declared row limit, bounds and rules, not that of all rows" in said
            assert "Figures of rows describe these, not all" in said, name
    shown = texts(released(True))
    assert shown["report.html"].count("At most 3 rows of each person count") > 3, "at each table"
    assert shown["resources"].count("Further rows are left out") == 1
    assert shown["resources"].count("The figure describes these rows, not all") == 1
    assert shown["results.xlsx"].count("At most 3 rows of each person count") == 2, "cover, method"


def test_a_release_of_people_alone_says_nothing_of_the_limit() -> None:
    for name, said in texts(released(False)).items():
        assert "rows of each person count" not in said, name
        assert "row limit" not in said, name


@pytest.mark.parametrize("language", ["en", "de"])
def test_whoever_verifies_makes_the_same_sentences_again(language: str) -> None:
    found = verify(released(True, language), KNOWN)
    assert found.whole == () and found.claim == () and found.not_made_again == ()


def test_german_files_say_it_in_german() -> None:
    for name, said in texts(released(True, "de")).items():
        assert "Je Person zählen höchstens 3 Zeilen, zufällig ausgewählt." in said, name
