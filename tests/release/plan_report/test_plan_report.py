# SPDX-License-Identifier: Apache-2.0
"""The plan's document says all of the plan, and nothing that is not declared."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from dpdesk import __version__
from dpdesk.privacy.compiler import compile
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.report_blocks import Blanks, Figures, Paragraph, Report, Terms
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.series import Schedule
from dpdesk.release.ledger.spending.instalments import begin_series
from dpdesk.release.places.home import Home
from dpdesk.release.plan_report.document import plan_pdf, write_plan
from dpdesk.release.plan_report.plan_pages import PlannedCost, plan_report, version_of
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CandidateParameters, RateParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Refused

SAMPLE = load_study(resource_path("sample/sample.dpdesk")).study
ENGLISH, GERMAN = ReleaseWords.of("en"), ReleaseWords.of("de")
TODAY = date(2026, 11, 25)
DAY = TODAY.isoformat()


@pytest.fixture
def home(dpdesk_home: Path) -> Home:
    return Home.at(dpdesk_home)


def report(study: Study = SAMPLE, words: ReleaseWords = ENGLISH) -> Report:
    plan = compile(study)
    return plan_report(plan, PlannedCost(plan.total), words, DAY)


def texts(made: Report) -> list[str]:
    """Every text of a document."""
    found = [made.title, *(paragraph.text for paragraph in made.opening)]
    for section in made.sections:
        found.append(section.title)
        for block in section.blocks:
            if isinstance(block, Paragraph):
                found.append(block.text)
            elif isinstance(block, Terms):
                found += [text for pair in block.pairs for text in pair]
            elif isinstance(block, Figures):
                found += [*block.heads, *(cell for row in block.rows for cell in row.cells)]
            elif isinstance(block, Blanks):
                found += [*block.boxes, *block.lines]
    return found


@pytest.mark.parametrize(("typical", "said"), [(None, "an assumed rate of"), (2, "a rate of 2")])
def test_the_margin_of_a_rate_is_said_to_be_at_one(typical: int | None, said: str) -> None:
    stay = next(c for c in SAMPLE.columns if isinstance(c, NumberColumn))
    assert stay.upper is not None and stay.lower is not None
    has = (IsMissing(stay.name, missing=False),)
    rate = None if typical is None else Decimal(typical)
    own = RateParameters(column=stay.name, has=has, per=1000, typical=rate)
    query = Query("rate", "rate", own, epsilon=Epsilon.of("0.1"), expected=1_000)
    text = " | ".join(texts(report(replace(SAMPLE, queries=(query,)))))
    assert f"margin at {said}" in text
    assumed = f"{float(200 / stay.upper):.2g}"
    assert typical is not None or f"assumed rate of {assumed} per 1,000" in text
    assert "margin at an assumed mean exposure of 15.5 days" in text
    expected = query.having(expected_exposure=Decimal("4.5"))
    text = " | ".join(texts(report(replace(SAMPLE, queries=(expected,)))))
    assert "margin at a mean exposure of 4.5 days" in text


def test_every_declaration_is_there_with_its_source() -> None:
    said = " | ".join(texts(report()))
    for column in SAMPLE.columns:
        assert column.title in said
        assert column.basis in said
    for text in ("1 to 30 in steps of 1 (days)", "Cardiology, General surgery", "2023-01-01"):
        assert text in said
    assert "out of bounds: moved to the nearest bound" in said


def test_a_board_sees_what_it_signs_and_what_l1_means() -> None:
    """Day, organisation, program and version stand on top; the decision names the plan."""
    made = report()
    version = version_of(SAMPLE)
    said = [paragraph.text for paragraph in made.opening]
    assert said[0] == SAMPLE.organisation
    assert said[1].startswith(f"Made on {DAY} with dpdesk {__version__}. Version of the plan: ")
    assert version in said[1]
    assert made.foot.startswith(f"{DAY}, version {version}. ")
    order = [section.title for section in made.sections]
    assert order[:4] == ["Queries", "People", "Budget", "Decision"], "on the page of what it is of"
    decided = made.sections[3].blocks[0]
    assert isinstance(decided, Paragraph)
    assert decided.text.startswith(
        f"This is about the plan of {DAY}, version {version}: 43 figures for 0.95 of the budget"
    )
    assert any("L1 adds up how far each number moves" in text for text in texts(made))
    assert "does not name the organisation" in texts(report(replace(SAMPLE, organisation="")))[1]
    median = Query("m", "median", CandidateParameters("length_of_stay"), epsilon=Epsilon.of("0.1"))
    said = texts(report(replace(SAMPLE, queries=(median,))))
    assert any(text.startswith("rank at most ") for text in said), "± would be of the median itself"
    assert any("and the exact place" in text for text in said)
    coarse = median.having(candidates=(Decimal(1), Decimal(5)))
    said = texts(report(replace(SAMPLE, queries=(coarse,))))
    assert any("further away than the best candidate" in text for text in said)
    fewer = replace(SAMPLE, queries=SAMPLE.queries[:-1])
    assert version_of(fewer) != version


def test_a_number_that_is_public_has_no_noise_in_the_plan() -> None:
    """Nothing is drawn for it, and the document of the plan says so."""
    public = replace(SAMPLE, unit=replace(SAMPLE.unit, neighbours="change-one", people=8_000))
    people = Query("people", "count-people", epsilon=Epsilon.of("0.1"))
    made = report(replace(public, queries=(people, *public.queries)))
    queries = next(s for s in made.sections if s.title == "Queries").blocks[0]
    assert isinstance(queries, Figures)
    assert queries.rows[0].cells[3] == "public, costs nothing"
    noise = next(s for s in made.sections if s.title == "Noise").blocks[1]
    assert isinstance(noise, Terms)
    assert noise.pairs[0][1] == "Public, costs nothing."


def test_every_query_has_margin_cost_mechanism_sensitivity_and_loss() -> None:
    made = report()
    queries = next(s for s in made.sections if s.title == "Queries").blocks[0]
    assert isinstance(queries, Figures)
    assert queries.rows[1].cells == (
        "2",
        "Mean stay: Mean of nights in hospital (days), by ward",
        "7",
        "± 0.44 days",
        "0.3",
    )
    noise = next(s for s in made.sections if s.title == "Noise").blocks[1]
    assert isinstance(noise, Terms)
    assert len(noise.pairs) == len(SAMPLE.queries)
    assert noise.pairs[1][1] == (
        "Discrete Laplace noise of scale 290 on whole numbers, 95 times in 100 within 869, "
        "L1 sensitivity 87, privacy loss 0.3; margin with an estimate of 2000 rows in a group; "
        "a group a tenth as large has about ten times the margin; only rows with a value of "
        "nights in hospital count."
    )


def test_people_neighbours_and_the_guess_are_said() -> None:
    said = texts(report())
    assert "patient_id" in said
    assert "whether somebody is in the data at all, and all that is recorded there" in said
    assert any("at most 73 in 100 times" in text for text in said)
    assert SAMPLE.unit is not None
    public = replace(SAMPLE, unit=replace(SAMPLE.unit, neighbours="change-one", people=8_000))
    assert "8000" in texts(report(public))


@pytest.mark.parametrize(
    ("opened", "line"), [("1", "Remaining after it"), ("0.5", "More than the")]
)
def test_the_account_stands_before_and_after(home: Home, opened: str, line: str) -> None:
    account = Ledger.open(home).new_account("sample-hospital", Epsilon.of(opened))
    plan = compile(SAMPLE)
    said = texts(plan_report(plan, PlannedCost(plan.total, account), ENGLISH, DAY))
    assert any(text.startswith(line) for text in said)
    assert (("Remaining after it", "0.05") in pairwise(said)) == (opened == "1")


def test_a_locked_account_and_what_is_reserved_are_said(home: Home) -> None:
    ledger = Ledger.open(home)
    ledger.new_account("sample-hospital", Epsilon.of("4"))
    begin_series(ledger, SAMPLE, Schedule("quarters", "quarter", "2027-01", 2))
    account = ledger.account("sample-hospital")
    plan = compile(SAMPLE)
    said = list(pairwise(texts(plan_report(plan, PlannedCost(plan.total, account), ENGLISH, DAY))))
    assert ("Reserved for planned series", "1.9") in said
    assert ("Remaining after it", "1.15") in said
    locked = PlannedCost(plan.total, replace(account, locked=True))
    shut = texts(plan_report(plan, locked, ENGLISH, DAY))
    assert "The account is locked: nothing can be released from it now." in shut
    assert "Remaining after it" not in shut


def test_german_has_no_english_left() -> None:
    english, german = texts(report()), texts(report(words=GERMAN))
    assert len(english) == len(german)
    same = {e for e, g in zip(english, german, strict=True) if e == g and len(e.split()) > 2}
    declared = [SAMPLE.title, SAMPLE.organisation, *(q.title for q in SAMPLE.queries)]
    for column in SAMPLE.columns:
        values = column.values if isinstance(column, CategoryColumn) else ()
        declared += [column.title, column.basis, ", ".join(values) or column.title]
    assert {text for text in same if not any(d in text for d in declared)} == {"± 95 %"}


def test_the_same_plan_has_the_same_bytes_and_another_has_others(home: Home) -> None:
    plan = compile(SAMPLE)
    first = plan_pdf(plan, home, "en", day=TODAY)
    assert first.count(b"/Type /Page\n") == 3
    assert first == plan_pdf(compile(SAMPLE), home, "en", day=TODAY)
    assert first != plan_pdf(plan, home, "de", day=TODAY)
    assert first != plan_pdf(plan, home, "en", day=TODAY + timedelta(days=1))
    more = replace(SAMPLE, queries=SAMPLE.queries[:-1])
    assert first != plan_pdf(compile(more), home, "en", day=TODAY)
    assert not home.ledger.exists()


def test_neither_path_nor_extract_is_in_it(home: Home) -> None:
    """They stay on this computer: the data's folder is no business of the board's."""
    assert SAMPLE.data is not None
    data = replace(SAMPLE.data, path="/secret-folder/canary.csv", extract="canary-extract")
    study = replace(SAMPLE, data=data)
    assert version_of(study) == version_of(SAMPLE)
    expected = plan_pdf(compile(SAMPLE), home, "en", day=TODAY)
    assert plan_pdf(compile(study), home, "en", day=TODAY) == expected


def test_long_studies_are_whole(home: Home) -> None:
    many = tuple(
        CategoryColumn(f"column {n}", values=("a", "b"), basis=f"source {n}") for n in range(450)
    )
    study = replace(SAMPLE, columns=(*SAMPLE.columns, *many))
    said = texts(report(study))
    assert {f"source {n}" for n in range(450)} <= set(said)
    assert plan_pdf(compile(study), home, "en").count(b"/Type /Page\n") > 10


def test_long_lists_say_that_they_are_cut() -> None:
    long = CategoryColumn("long", values=tuple(f"value {n}" for n in range(500)))
    said = texts(report(replace(SAMPLE, columns=(*SAMPLE.columns, long))))
    assert any(text.endswith(" …") for text in said)
    assert any(text.startswith("Lists that end in …") for text in said)


def test_a_file_that_cannot_be_written_is_refused(home: Home, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        write_plan(SAMPLE, home, tmp_path / "gone" / "plan.pdf", "en")
    assert [problem.code for problem in refused.value.problems] == ["plan-unwritable"]
