# SPDX-License-Identifier: Apache-2.0
"""What is said of a query of people counts people: in window, plan, report, tables and dossier."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.desk.pages.queries.accuracy import worlds_words
from dpdesk.desk.text import accuracy_words, query_words, result_words
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.planning.choice_curve import choice_curve
from dpdesk.privacy.planning.weak import weaknesses
from dpdesk.release.bundle.query_headings import ReleaseWords, headings_of, released_names
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.report.query_section import query_section
from dpdesk.release.bundle.report.report_blocks import Figures, Paragraph
from dpdesk.release.dossier.utility import _utility
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.plan_report.accuracy import accuracy_text
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.model.steps.step import OfPerson
from dpdesk.texts.weaknesses import Wording, rest
from tests.doors import ConstantDoor
from tests.release.studies import STUDY, release, write_data

ROW = re.compile(r"(?i)\b(stay|row|zeile)\w*")
LONGEST = replace(STUDY.columns[0], name="longest", made_from=OfPerson("largest", "days"))
LEAST = replace(STUDY.columns[0], name="least", made_from=OfPerson("smallest", "days"))
SEX = replace(STUDY.columns[1], name="usual", made_from=OfPerson("most-frequent", "sex"))
RATE = {"has": (IsIn("usual", ("f",)),), "per": 1_000, "over": "usual"}
OWN = {
    "share": {"has": (IsIn("usual", ("f",)),)},
    "rate": {"has": (IsIn("usual", ("f",)),), "per": 1_000},
    "standardised-rate": {**RATE, "standard": "own", "weights": (Decimal(1), Decimal(2))},
    "standardised-ratio": {**RATE, "reference": (Decimal(1), Decimal(2))},
    "quantiles": {"quantiles": (Decimal("0.1"),), "candidates": (Decimal(2), Decimal(7))},
    "distribution": {"edges": (Decimal(5),)},
    "survival": {"edges": (Decimal(5),), "has": (IsIn("usual", ("f",)),)},
    "cumulative-incidence": {"edges": (Decimal(5),), "has": (IsIn("usual", ("f", "m")),)},
    "linear-model": {"columns": ("least",)},
    "most-common": {"column": "usual"},
    "cut-off": {
        "candidates": (Decimal(2), Decimal(7)),
        "score": "closest-to-target",
        "target": 9,
    },
}
NOT_OF_PEOPLE = {"count-people", "rows-per-person", "categories-found", "randomised-response"}
ASKED = tuple(
    Query(name, of="people", epsilon=Epsilon.of("0.1")).having(
        statistic=name,
        **{"column": None if name in ("count", "share") else "longest", **OWN.get(name, {})},
    )
    for name in STATISTICS
    if name not in NOT_OF_PEOPLE | {"bounds"}
)
OF_PEOPLE: Study = replace(
    STUDY,
    title="",
    budget=replace(STUDY.budget, epsilon=Epsilon.of("9")),
    unit=replace(
        STUDY.unit,
        row_name="stay",
        row_names="stays",
        person_name="patient",
        person_names="patients",
    ),
    columns=(*STUDY.columns, LONGEST, LEAST, SEX),
    queries=ASKED,
)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> ReleaseDone:
    folder: Path = tmp_path_factory.mktemp("people")
    write_data(folder)
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of("9"))
    return release(OF_PEOPLE, folder, ledger, ConstantDoor())


def in_report(done: ReleaseDone, language: ReleaseWords) -> Iterator[str]:
    record = done.stored.record
    names, headings = released_names(record, language), headings_of(record, language)
    for table, query in zip(done.stored.tables, record.queries, strict=True):
        yield from (column.name for column in table.columns)
        yield _utility(table, query).unit
        charted = Charted(table, query, language, record.study.study)
        for block in query_section(charted, headings[query.id], names).blocks:
            if isinstance(block, Paragraph):
                yield block.text
            elif isinstance(block, Figures):
                yield from block.heads


def in_window(done: ReleaseDone) -> Iterator[str]:
    plans = {one.id: compile_query(OF_PEOPLE, one) for one in ASKED}
    yield accuracy_words.meaning_of_ranks(OF_PEOPLE, plans.values())
    for query, plan in zip(ASKED, plans.values(), strict=True):
        yield from map(str, vars(worlds_words.in_picture(OF_PEOPLE, plan)).values())
        yield accuracy_words.of_plan(OF_PEOPLE, plan)
        yield accuracy_words.needs(OF_PEOPLE, plan.query)
        yield accuracy_words.facts(OF_PEOPLE, plan)
        yield accuracy_words.meaning_of_rank(OF_PEOPLE, plan)
        yield from query_words.scores(OF_PEOPLE, query).values()
        for known in (None, plan):
            yield accuracy_words.margin_unit(OF_PEOPLE, query, known)
            yield accuracy_words.short_unit(OF_PEOPLE, query, known)
        if plan.bound is not None:
            curve = choice_curve(plan)
            assert curve is not None
            yield accuracy_words.axis(OF_PEOPLE, plan.bound.what, curve)
            yield accuracy_words.axis(OF_PEOPLE, plan.bound.what, replace(curve, rises=True))
            yield accuracy_words.limit(OF_PEOPLE, plan.bound, rises=False)
    for table, asked in zip(done.stored.tables, done.stored.record.queries, strict=True):
        yield from result_words.shown_table(table, asked.statistic).heads
        yield result_words.note(table, asked.statistic)
        yield result_words.rows_off(table, asked.statistic)
    named = Wording(
        str, str, lambda width, unit: f"{width} {unit}", accuracy_words.words.names(OF_PEOPLE)
    )
    yield from (rest(one, named) for one in weaknesses(OF_PEOPLE, plans))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_report_of_people_speaks_of_people(done: ReleaseDone, language: str) -> None:
    spoken = ReleaseWords.of(language)
    said = list(in_report(done, spoken))
    assert [text for text in said if ROW.search(text)] == []
    assert sum("patients" in text for text in said) > 5
    for query in ASKED:
        plan = compile_query(OF_PEOPLE, query)
        assert not ROW.search(accuracy_text(OF_PEOPLE, plan, spoken))


def test_the_window_speaks_of_people(done: ReleaseDone) -> None:
    said = list(in_window(done))
    assert [text for text in said if ROW.search(text)] == []
    assert sum("patients" in text or "people" in text for text in said) > 5
