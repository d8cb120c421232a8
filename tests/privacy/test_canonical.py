# SPDX-License-Identifier: Apache-2.0
"""The text that names a question: the same for the same question, another for every other."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy import compiler, joint_sums
from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics import base, distribution
from dpdesk.privacy.statistics.linear import linear_model
from dpdesk.privacy.statistics.linear.moment_design import moment_design
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import Origin, Replace
from dpdesk.study.model.conditions import Between, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import DistributionParameters, SpreadParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.privacy import examples as ex
from tests.strategies import studies

ONE = ex.asking(ex.FILTERED)
Change = Callable[[Study], Study]


def text(study: Study) -> str:
    return compile_query(study, study.queries[0]).canonical


def query(**members: Any) -> Change:
    return lambda s: replace(s, queries=(s.queries[0].having(**members),))


def column(name: str, **members: Any) -> Change:
    def change(study: Study) -> Study:
        changed = (replace(c, **members) if c.name == name else c for c in study.columns)
        return replace(study, columns=tuple(changed))

    return change


def data(**members: Any) -> Change:
    return lambda s: replace(s, data=replace(s.data or DataSource(), **members))


def unit(**members: Any) -> Change:
    return lambda s: replace(s, unit=replace(s.unit or Unit(), **members))


WARDS, WEIGHTS, KNOWN = ex.FILTERED.where

SAME: dict[str, Change] = {
    "order of conditions": query(where=(KNOWN, WARDS, WEIGHTS)),
    "a condition twice": query(where=(*ex.FILTERED.where, KNOWN)),
    "order of values in a condition": query(where=(IsIn("ward", ("A", "B")), WEIGHTS, KNOWN)),
    "a value twice": query(where=(IsIn("ward", ("B", "A", "B")), WEIGHTS, KNOWN)),
    "digits of a bound": query(
        where=(WARDS, Between("weight", Decimal("5E1"), Decimal("80.50")), KNOWN)
    ),
    "id": query(id="other"),
    "heading": query(title="Stays of adults"),
    "guess of a size": query(expected=12),
    "title of the study": lambda s: replace(s, title="Other", organisation="Clinic"),
    "title of a column": column("sex", title="Sex at birth"),
    "unit of a number": column("weight", label="kilogram"),
    "source of bounds": column("weight", basis="codebook"),
    "recorded source of bounds": column("weight", origin=Origin(release=3, by_hand=True)),
    "digits of a step": column("weight", step=Decimal("0.100")),
    "order of columns": lambda s: replace(s, columns=s.columns[::-1]),
    "columns that are not used": column("stay", upper=Decimal(30)),
    "fewer columns": lambda s: replace(s, columns=s.columns[1:]),
    "other queries": lambda s: replace(s, queries=(*s.queries, ex.MEAN)),
    "order of markers": data(missing=("n/a", "?", "?")),
    "path": data(path="/elsewhere/stays.csv"),
    "name of the extract": data(extract="March"),
    "budget": lambda s: replace(s, budget=None),
}

OTHER: dict[str, Change] = {
    "statistic": query(statistic="count-people"),
    "groups": query(by=()),
    "another group": query(by=("ward",)),
    "fewer conditions": query(where=(WARDS, WEIGHTS)),
    "other values": query(where=(IsIn("ward", ("A",)), WEIGHTS, KNOWN)),
    "not in": query(where=(IsNotIn("ward", ("B", "A")), WEIGHTS, KNOWN)),
    "another end": query(where=(WARDS, Between("weight", Decimal(50), Decimal(80)), KNOWN)),
    "missing": query(where=(WARDS, WEIGHTS, IsMissing("dead", True))),
    "price": query(epsilon=Epsilon.of("0.100001")),
    "lower bound": column("weight", lower=Decimal("0.4")),
    "upper bound": column("weight", upper=Decimal("250.4")),
    "step": column("weight", step=Decimal("0.2")),
    "what is out of bounds": column("weight", outside="drop"),
    "what is no number": column("weight", unparsable=Replace(Decimal(70))),
    "what is missing": column("weight", missing=Replace(Decimal(70))),
    "values": column("sex", values=("Female", "Male", "Other")),
    "order of printed values": column("sex", values=("Male", "Female")),
    "names of values": column("sex", labels=("Frau", "Mann")),
    "names of values, permuted": column("sex", labels=("Mann", "Frau")),
    "names of codes": column("sex", values=("1", "2"), labels=("Female", "Male")),
    "names of a condition's column": column("ward", labels=("A", "B", "Cardiology")),
    "what is unknown": column("ward", unknown="drop"),
    "texts that mean yes": column("dead", yes=("1", "yes")),
    "markers of a column": column("sex", missing_values=("9",)),
    "decimal mark of a column": column("weight", decimal=","),
    "markers": data(missing=("?",)),
    "decimal mark": data(separator=";", decimal=","),
    "separator": data(separator=";"),
    "encoding": data(encoding="latin-1"),
    "person": unit(person="id"),
    "rows of a person": unit(max_rows=4),
    "neighbours": unit(neighbours="change-one", people=9),
    "leading zeros": unit(leading_zeros=True),
    "rows without id": unit(without_id="one-person"),
}


@pytest.mark.threat("E4")
@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_the_same_question_has_the_same_text(change: Change) -> None:
    assert repr(change(ONE)) != repr(ONE)
    assert text(change(ONE)) == text(ONE)


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_another_question_has_another_text(change: Change) -> None:
    assert text(change(ONE)) != text(ONE)


def test_no_two_of_the_changes_are_taken_for_each_other() -> None:
    texts = [text(change(ONE)) for change in OTHER.values()]
    assert len(set(texts)) == len(OTHER)


def comparable(study: Study) -> object:
    return Question.of(study, study.unit or Unit(), study.queries[0]).comparable()


PRICED_ALIKE = (
    *("price", "markers", "decimal mark", "decimal mark of a column", "separator", "encoding"),
    "person",
)


@pytest.mark.parametrize("change", OTHER.items(), ids=lambda pair: pair[0])
def test_two_releases_are_compared_where_they_asked_the_same(change: tuple[str, Change]) -> None:
    """Whatever it cost, of whichever people, however their file was written."""
    name, changed = change
    assert (comparable(changed(ONE)) == comparable(ONE)) == (name in PRICED_ALIKE)


def test_a_question_is_the_same_in_every_way_it_is_written_and_in_every_year() -> None:
    for change in SAME.values():
        assert comparable(change(ONE)) == comparable(ONE)
    years = [unit(neighbours="change-one", people=people)(ONE) for people in (500, 900)]
    assert comparable(years[0]) == comparable(years[1]) != comparable(ONE)
    assert comparable(unit(person=None)(ONE)) != comparable(ONE)


def test_a_further_table_is_asked_about_by_what_it_declares_not_by_where_it_lies() -> None:
    people = unit(neighbours="change-one", people=9)(ONE)
    labs = FurtherTable("labs", DataSource("labs.csv"), "id", rows="one-per-person")

    def with_labs(**members: Any) -> Study:
        return replace(people, tables=(replace(labs, **members),))

    moved = with_labs(data=DataSource("elsewhere/labs.csv"))
    assert (text(moved), comparable(moved)) == (text(with_labs()), comparable(with_labs()))
    written = with_labs(data=DataSource("labs.csv", separator=";"))
    assert text(written) != text(with_labs()) and comparable(written) == comparable(with_labs())
    others = [people, with_labs(), with_labs(keep="last", by="day"), with_labs(rows="many")]
    assert len({text(study) for study in others}) == len(others)
    assert len({str(comparable(study)) for study in others}) == len(others)


def test_a_group_asked_for_by_code_is_the_group_asked_for_by_name() -> None:
    named = column("ward", labels=("Cardiology", "Surgery", "Ward C"))(ONE)
    by_name = query(where=(IsIn("ward", ("Surgery", "Cardiology")), WEIGHTS, KNOWN))(named)
    by_both = query(where=(IsIn("ward", ("A", "B", "Surgery")), WEIGHTS, KNOWN))(named)
    other = query(where=(IsIn("ward", ("Surgery", "C")), WEIGHTS, KNOWN))(named)
    assert text(named) == text(by_name) == text(by_both) != text(other)


def test_groups_in_another_order_are_another_table() -> None:
    study = ex.asking(ex.MEAN)
    assert text(query(by=("dead", "sex"))(study)) != text(study)


@given(studies(), st.randoms(use_true_random=False))
def test_no_order_that_means_nothing_changes_the_text(study: Study, order: Any) -> None:
    def mixed(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(order.sample(items, len(items)))

    def mixed_values(condition: Any) -> Any:
        if isinstance(condition, IsIn | IsNotIn):
            return replace(condition, values=mixed(condition.values))
        return condition

    asked = [
        replace(q, id="other", where=mixed(tuple(map(mixed_values, q.where))))
        for q in study.queries
    ]
    same = replace(study, columns=mixed(study.columns), title="", queries=tuple(asked))
    for before, after in zip(study.queries, same.queries, strict=True):
        assert compile_query(same, after).canonical == compile_query(study, before).canonical


IN_RHO = replace(ex.STUDY, budget=Budget("registry", rho=Rho.of(1)))
EDGES = tuple(Decimal(edge) for edge in range(2, 15))
VARIANCE = Query("v", "variance", SpreadParameters("stay"), epsilon=Epsilon.of("0.4"))
BELOW = Query(
    "d", "distribution", DistributionParameters("stay", edges=EDGES), epsilon=Epsilon.of("0.4")
)
QUARTILES = (Decimal("0.25"), Decimal("0.75"))
COUNT = Query("c", "count", by=("sex", "dead"), rho=Rho.of("0.01"))

MODEL = Query("m", "count", rho=Rho.of("0.01"), noise="gaussian").having(
    statistic="linear-model", column="stay", columns=("weight", "dead")
)

Patch = tuple[Any, str, Any]
OTHERWISE: dict[str, tuple[Study, Query, Patch]] = {
    "shares split otherwise": (
        ex.STUDY,
        VARIANCE.having(statistic="quantiles", column="weight", quantiles=QUARTILES),
        (calibrate, "split", lambda share, _weights: (Epsilon(share.units - 1), Epsilon(1))),
    ),
    "other sums": (ex.STUDY, VARIANCE, (joint_sums, "fineness", lambda _last: 1)),
    "moments in another order": (
        IN_RHO,
        MODEL,
        (
            linear_model,
            "moment_design",
            lambda *of, **public: replace(
                (found := moment_design(*of, **public)), contrasts=found.contrasts[::-1]
            ),
        ),
    ),
    "bins where a tree was drawn": (
        ex.STUDY,
        BELOW,
        (distribution, "worst", lambda _noise, tree: len(tree.widths)),
    ),
    "the other noise": (
        IN_RHO,
        COUNT,
        (base.noise_distribution, "half_width", lambda noise, *_: noise.mechanism == "gaussian"),
    ),
}


@pytest.mark.parametrize(("study", "query", "patch"), OTHERWISE.values(), ids=OTHERWISE)
def test_an_answer_that_another_version_draws_otherwise_is_not_taken_for_this_one(
    study: Study, query: Query, patch: Patch, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = compile_query(study, query)
    monkeypatch.setattr(*patch)
    compiler._compile.cache_clear()
    after = compile_query(study, query)
    compiler._compile.cache_clear()
    drawn = [
        [(p.noise.mechanism, p.share, p.cells, p.measure) for p in q.parts] for q in (before, after)
    ]
    assert drawn[0] != drawn[1]
    assert before.canonical != after.canonical


def test_wanting_the_noise_that_is_taken_anyway_asks_the_same() -> None:
    plain = compile_query(IN_RHO, COUNT)
    (part,) = plain.parts
    texts = {
        noise: compile_query(IN_RHO, replace(COUNT, noise=noise)).canonical
        for noise in ("laplace", "gaussian")
    }
    assert [noise for noise in texts if texts[noise] == plain.canonical] == [part.noise.mechanism]


@pytest.mark.parametrize("asked", [ex.FILTERED, ex.MEAN], ids=["count", "mean"])
def test_an_answer_is_stored_under_its_question_and_its_draws(asked: Query) -> None:
    study = ex.asking(asked)
    question = Question.of(study, study.unit or Unit(), asked)
    assert text(study).startswith(f'{question.canonical()} {{"draws":[{{"name":')
