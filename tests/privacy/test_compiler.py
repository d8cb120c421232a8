# SPDX-License-Identifier: Apache-2.0
"""Plans as worked out by hand, and what holds for the plan of every study."""

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import pytest
from hypothesis import given

from dpdesk.privacy.compiler import compile, compile_at_share, compile_query
from dpdesk.privacy.distributions.laplace import half_width
from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.plan import Part, Plan
from dpdesk.privacy.planning.share_for_margin import example_margin, margin_for, share_for
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.distribution import tree_over
from dpdesk.study import limits
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.amount import ZERO, Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import MAGNITUDES
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.unit import Budget, Unit
from dpdesk.study.problem import Refused
from dpdesk.study.public_numbers import share_paid
from tests.asking import query_for
from tests.privacy import examples as ex
from tests.strategies import drafts, studies


class Known(NamedTuple):
    """A query under a privacy unit, and its parts: name, cells, sensitivity, half-width, width."""

    query: Query
    unit: Unit
    parts: tuple[tuple[str, int, int, int, Fraction], ...]
    half_width: Fraction | None


ONE, TENTH = Fraction(1), Fraction(1, 10)
ROW = Unit()

KNOWN = [
    Known(ex.ROWS, ROW, (("rows", 1, 1, 30, ONE),), Fraction(30)),
    Known(ex.ROWS, ex.PERSON, (("rows", 1, 3, 90, ONE),), Fraction(90)),
    Known(ex.ROWS, ex.REPLACED, (("rows", 1, 3, 90, ONE),), Fraction(90)),
    Known(ex.FILTERED, ex.PERSON, (("rows", 2, 3, 90, ONE),), Fraction(90)),
    Known(ex.FILTERED, ex.REPLACED, (("rows", 2, 6, 180, ONE),), Fraction(180)),
    Known(ex.PEOPLE, ex.PERSON, (("people", 4, 3, 90, ONE),), Fraction(90)),
    Known(ex.PEOPLE, ex.REPLACED, (("people", 4, 4, 120, ONE),), Fraction(120)),
    Known(replace(ex.PEOPLE, by=()), ex.PERSON, (("people", 1, 1, 30, ONE),), Fraction(30)),
    # How many people there are is public then.
    Known(replace(ex.PEOPLE, by=()), ex.REPLACED, (), Fraction(0)),
    # 250.5 kg are 2505 quanta of 0.1 kg; three rows of that weight.
    Known(ex.TOTAL, ex.PERSON, (("sum", 2, 7_515, 225_129, TENTH),), Fraction(225_129, 10)),
    # In one cell a person's part of the sum lies in 0..3*2505.
    Known(
        replace(ex.TOTAL, by=()),
        ex.REPLACED,
        (("sum", 1, 7_515, 225_129, TENTH),),
        Fraction(225_129, 10),
    ),
    Known(ex.TOTAL, ex.REPLACED, (("sum", 2, 15_030, 450_259, TENTH),), Fraction(450_259, 10)),
    # Indices 0..13: three rows move both sums by 39 together; 2 sums, 2 sexes by 3 outcomes.
    Known(
        ex.MEAN,
        ex.PERSON,
        (("sums", 12, 39, 584, ONE),),
        Fraction(585, 700),
    ),
    Known(
        replace(ex.MEAN, expected=None),
        ex.PERSON,
        (("sums", 12, 39, 584, ONE),),
        None,
    ),
    # A margin never exceeds the range of the values.
    Known(
        replace(ex.MEAN, expected=10),
        ex.PERSON,
        (("sums", 12, 39, 584, ONE),),
        Fraction(13),
    ),
]


def shape(part: Part) -> tuple[str, int, int, int, Fraction]:
    return part.name, part.cells, part.sensitivity, part.half_width, part.width


@pytest.mark.parametrize("known", KNOWN, ids=lambda k: f"{k.query.id} {k.unit.neighbours}")
def test_plans_are_as_worked_out_by_hand(known: Known) -> None:
    study = replace(ex.asking(known.query), unit=known.unit)
    (plan,) = compile(study).queries
    assert tuple(shape(part) for part in plan.parts) == known.parts
    if known.half_width is None or plan.query.statistic != "mean":
        assert plan.half_width == known.half_width
    else:  # half a quantum for the weights between
        assert plan.half_width == pytest.approx(float(known.half_width), rel=1e-3)


def test_measures_say_what_is_computed_exactly() -> None:
    plans = {plan.query.id: [p.measure for p in plan.parts] for plan in compile(ex.STUDY).queries}
    by = ("sex", "dead")
    assert plans == {
        "rows": [AggregateSpec("rows")],
        "people": [AggregateSpec("people", by=("ward",))],
        "total": [AggregateSpec("sum", "weight", ("sex",), offset=5, factor=1)],
        "mean": [
            AggregateSpec(
                "joint-sums", "stay", by, weights=((0, 1, 0), (13, -1, 0)), last=13, fineness=13
            )
        ],
        "filtered": [AggregateSpec("rows", by=("sex",), where=ex.FILTERED.where)],
    }


@pytest.mark.threat("B12")
def test_cells_are_every_combination_of_declared_groups() -> None:
    plan = compile_query(ex.STUDY, ex.MEAN)
    assert plan.cells == (
        ("Female", "0"),
        ("Female", "1"),
        ("Female", "(missing)"),
        ("Male", "0"),
        ("Male", "1"),
        ("Male", "(missing)"),
    )
    assert compile_query(ex.STUDY, ex.ROWS).cells == ((),)


@pytest.mark.parametrize("micro", [2, 3, 99_999, 100_001, 333_333, 100_000_000])
def test_an_odd_share_is_split_without_loss(micro: int) -> None:
    quartiles = (Decimal("0.25"), Decimal("0.75"))
    asked = {"statistic": "quantiles", "column": "weight", "quantiles": quartiles}
    (plan,) = compile(ex.asking(ex.MEAN, **asked, epsilon=Epsilon(micro))).queries
    assert [p.share.micro for p in plan.parts] == [micro - micro // 2, micro // 2]
    assert plan.share == Epsilon(micro)


def holds(plan: Plan) -> None:
    """What every plan promises."""
    assert plan.total == sum((q.share for q in plan.queries), ZERO)
    assert plan.figures == sum(len(q.cells) for q in plan.queries)
    for query in plan.queries:
        assert sum((part.share for part in query.parts), ZERO) == query.share
        assert all(len(labels) == len(query.query.by) for labels in query.cells)
        for part in query.parts:
            # Of two groups that hold a public total one is drawn.
            cells = len(query.cells) - part.measure.without_last
            assert part.cells == cells * max(1, len(part.measure.weights)) >= 1
            assert part.loss == loss(part.noise, part.sensitivity)
            assert Fraction(part.loss) <= part.share.as_fraction()
            assert part.half_width == half_width(part.scale)
            assert part.width > 0


@given(studies())
def test_a_complete_study_compiles_and_keeps_its_promises(study: Study) -> None:
    plan = compile(study)
    assert plan.study == study
    asked = [q.at_share(share_paid(study, q) or ZERO) for q in study.queries]
    assert [q.query for q in plan.queries] == asked
    holds(plan)
    assert compile(study) == plan
    for query in plan.queries:
        assert query.canonical.isascii()
        question, end = json.JSONDecoder().raw_decode(query.canonical)
        assert {"question", "unit"} <= set(question)
        assert len(json.loads(query.canonical[end:])["draws"]) == len(query.parts)


def test_the_largest_study_compiles() -> None:
    column = NumberColumn("a", Decimal(-limits.MAX_QUANTA), Decimal(0), Decimal(1))
    groups = CategoryColumn("g", values=("x", "y"))
    unit = Unit("p", limits.MAX_ROWS_PER_PERSON, "change-one", people=1)
    query = Query("q", "sum", ColumnParameters("a"), by=("g",), epsilon=Epsilon(1))
    study = replace(ex.STUDY, unit=unit, columns=(column, groups), queries=(query,))
    holds(compile(study))
    holds(compile(ex.asking(query.having(statistic="mean", epsilon=Epsilon(2)), study)))


def test_a_hundred_thousand_cells_are_the_most() -> None:
    wide = tuple(CategoryColumn(n, values=tuple(f"{n}{i}" for i in range(320))) for n in "ab")
    study = replace(ex.STUDY, columns=wide, queries=(replace(ex.ROWS, by=("a", "b")),))
    with pytest.raises(Refused, match="too-many-cells"):
        compile(study)
    fewer = (replace(wide[0], values=wide[0].values[:312]), wide[1])
    assert compile(replace(study, columns=fewer)).figures == 312 * 320


def test_a_study_with_problems_names_them_all() -> None:
    study = replace(ex.STUDY, budget=None, queries=(replace(ex.ROWS, epsilon=None),))
    with pytest.raises(Refused) as refused:
        compile(study)
    assert [(p.path, p.code) for p in refused.value.problems] == [
        ("$.budget.account", "account-not-chosen"),
        ("$.budget.epsilon", "budget-not-declared"),
        ("$.queries[0].epsilon", "share-not-set"),
    ]


@given(drafts())
def test_a_query_of_an_unfinished_study_compiles_or_is_refused(study: Study) -> None:
    for query in study.queries:
        try:
            plan = compile_query(study, query)
        except Refused as refused:
            assert refused.problems
        else:
            holds(Plan(study, (plan,), plan.share))
        margin_for(study, query, Epsilon(1))
        margin_for(study, query, ZERO)


@pytest.mark.parametrize("spoilt", ["unit", "columns", "bounds", "values", "epsilon"])
def test_what_is_missing_for_a_query_is_said_without_a_crash(spoilt: str) -> None:
    study: Study = ex.STUDY
    query = replace(ex.TOTAL, by=("sex",))
    if spoilt == "unit":
        study = replace(study, unit=Unit("patient", max_rows=0))
    elif spoilt == "columns":
        study = replace(study, columns=())
    elif spoilt == "bounds":
        study = replace(study, columns=(replace(ex.WEIGHT, lower=None), ex.SEX))
    elif spoilt == "values":
        study = replace(study, columns=(ex.WEIGHT, replace(ex.SEX, values=())))
    else:
        query = replace(query, epsilon=ZERO)
    with pytest.raises(Refused):
        compile_query(study, query)
    assert (margin_for(study, query, ex.TENTH) is None) == (spoilt != "epsilon")


def test_a_query_compiles_while_others_are_unfinished() -> None:
    study = replace(ex.STUDY, budget=None, data=None, queries=(Query("other"), ex.ROWS))
    assert compile_query(study, ex.ROWS).share == ex.TENTH


NUMBERS: tuple[Statistic, ...] = (
    "sum",
    "mean",
    "variance",
    "standard-deviation",
    "median",
    "interquartile-range",
    "quantiles",
    "cut-off",
    "distribution",
    "bounds",
)


@pytest.mark.parametrize("statistic", NUMBERS)
def test_a_statistic_of_numbers_is_made_of_no_other_column(statistic: Statistic) -> None:
    """The checks refuse it before; were one forgotten, no plan would be made, or nothing said."""
    query = query_for(statistic, ex.STAY, epsilon=ex.TENTH)
    plan = replace(compile_query(ex.STUDY, query), column=ex.SEX)
    method, question = (
        METHODS[statistic],
        Question.of(ex.STUDY, ex.PERSON, query.having(column="sex")),
    )
    stops: dict[str, Callable[[], object]] = {
        "distribution": lambda: method.inner_labels(question),
        "bounds": lambda: tuple(method.texts(plan, ((0,) * MAGNITUDES,))),
    }
    with pytest.raises(ValueError, match="needs a number column"):
        stops.get(statistic, lambda: method.parts(question))()


def test_a_score_of_values_is_made_on_their_grid_alone() -> None:
    query = query_for("cut-off", ex.STAY, epsilon=ex.TENTH)
    open_ended = replace(ex.STAY, lower=None, upper=None)
    question = Question.of(replace(ex.STUDY, columns=(open_ended,)), ex.PERSON, query)
    with pytest.raises(ValueError, match="number column with bounds"):
        METHODS["cut-off"].parts(question)


WITHOUT = [
    ("most-common", ex.PERSON, {"column": "gone"}, "needs the column"),
    ("randomised-response", ex.PERSON, {}, "public number of rows"),
    ("categories-found", ex.PERSON, {"column": "ward", "rho": None, "epsilon": ex.TENTH}, "delta"),
]


@pytest.mark.parametrize(("statistic", "unit", "members", "said"), WITHOUT)
def test_nothing_is_drawn_of_what_was_not_declared(
    statistic: Statistic, unit: Unit, members: dict[str, Any], said: str
) -> None:
    query = query_for(statistic, ex.STAY, epsilon=ex.TENTH).having(**members)
    with pytest.raises(ValueError, match=said):
        METHODS[statistic].parts(Question.of(ex.STUDY, unit, query))


def test_running_counts_are_those_of_bins() -> None:
    wards = compile_query(ex.STUDY, ex.PEOPLE).parts[0]
    with pytest.raises(ValueError, match="need bins"):
        tree_over(wards, has_public_total=False)


def test_a_ratio_that_nobody_guessed_a_size_for_is_divided_by_nothing() -> None:
    plan = compile_query(ex.STUDY, replace(ex.MEAN, expected=None))
    with pytest.raises(ValueError, match="number of rows"):
        assert plan.rows_divided_by
    assert compile_query(ex.STUDY, ex.MEAN).rows_divided_by == 700


@pytest.mark.parametrize("share", ["0.05", "0.1", "3"])
@pytest.mark.parametrize("query", ex.STUDY.queries, ids=lambda q: q.id)
def test_at_another_share_a_plan_is_as_compiled_anew(query: Query, share: str) -> None:
    asked = replace(query, epsilon=Epsilon.of(share))
    known = compile_query(ex.STUDY, query)
    plan = compile_at_share(ex.STUDY, known, asked)
    assert plan == compile_query(ex.STUDY, asked)
    assert plan.canonical == compile_query(ex.STUDY, asked).canonical


@pytest.mark.parametrize(
    ("shares", "code"),
    [
        ({"epsilon": None}, "share-not-set"),
        ({"epsilon": ZERO}, "share-not-set"),
        ({"epsilon": Epsilon(1)}, "share-too-small-to-split"),
        ({"epsilon": Epsilon.of(101)}, "epsilon-too-large"),
        ({"epsilon": None, "rho": Rho.of("0.1")}, "share-measure-differs"),
    ],
)
def test_a_share_that_is_none_compiles_nothing(shares: dict[str, Any], code: str) -> None:
    asked = ex.MEAN.having(statistic="interquartile-range")
    at_share = partial(compile_at_share, ex.STUDY, compile_query(ex.STUDY, asked))
    for compiles in (at_share, partial(compile_query, ex.STUDY)):
        with pytest.raises(Refused) as refused:
            compiles(replace(asked, **shares))
        assert [problem.code for problem in refused.value.problems] == [code]


def test_nothing_compiles_before_it_is_said_whose_privacy_it_is() -> None:
    study = replace(ex.STUDY, unit=None)
    with pytest.raises(Refused) as refused:
        compile_query(study, ex.ROWS)
    (problem,) = refused.value.problems
    assert (problem.path, problem.code) == ("$.unit", "unit-not-declared")


def test_a_public_number_costs_nothing_at_another_share_either() -> None:
    study, query = replace(ex.STUDY, unit=ex.REPLACED), replace(ex.PEOPLE, by=())
    known, asked = compile_query(study, query), query.at_share(Epsilon.of("0.3"))
    assert known.is_public and compile_at_share(study, known, asked) == compile_query(study, asked)


@pytest.mark.parametrize("measure", ["epsilon", "rho"])
def test_an_example_says_what_a_mean_of_a_thousand_rows_costs(measure: str) -> None:
    share: Any = Epsilon.of("0.1") if measure == "epsilon" else Rho.of("0.01")
    study = replace(ex.STUDY, budget=Budget("b", **{measure: type(share).of(1)}))
    mean = Query("m", "mean", ColumnParameters("stay"), expected=1_000, **{measure: share})
    found = example_margin(ex.PERSON, ex.STAY, share)
    assert found == compile_query(study, mean).accuracy
    assert example_margin(ex.REPLACED, ex.STAY, share) == found, "people are taken for a secret"
    assert example_margin(None, ex.STAY, share) < found, "one row a person"  # type: ignore[operator]
    assert example_margin(ex.PERSON, replace(ex.STAY, upper=None), share) is None
    assert example_margin(ex.PERSON, replace(ex.STAY, step=Decimal(5)), share) is None


MARGINS = [
    (ex.ROWS, Fraction(5)),
    (ex.ROWS, Fraction(1)),
    (ex.PEOPLE, Fraction(33)),
    (ex.TOTAL, Fraction(2_000)),
    (ex.TOTAL, Fraction(100, 3)),
    (ex.MEAN, Fraction(1, 2)),
    (ex.MEAN, Fraction(7, 100)),
    (ex.MEAN.having(column="weight"), Fraction(2)),
]


@pytest.mark.parametrize(("query", "margin"), MARGINS)
def test_the_share_for_a_margin_is_the_smallest_that_reaches_it(
    query: Query, margin: Fraction
) -> None:
    share = share_for(ex.STUDY, query, margin)
    assert share is not None
    reached = margin_for(ex.STUDY, query, share)
    short = margin_for(ex.STUDY, query, share - Epsilon(1))
    assert reached is not None
    assert short is not None
    assert reached <= margin < short


@pytest.mark.parametrize("micro", [50_000, 100_000, 777_777, 3_000_000])
@pytest.mark.parametrize("query", [ex.ROWS, ex.TOTAL, ex.MEAN], ids=lambda q: q.id)
def test_no_more_is_asked_for_a_margin_than_what_bought_it(query: Query, micro: int) -> None:
    margin = margin_for(ex.STUDY, query, Epsilon(micro))
    assert margin is not None
    share = share_for(ex.STUDY, query, margin)
    assert share is not None
    assert share <= Epsilon(micro)
    assert margin_for(ex.STUDY, query, share) == margin


@pytest.mark.parametrize("query", [ex.ROWS, ex.TOTAL, ex.MEAN], ids=lambda q: q.id)
@pytest.mark.in_turn(2)
def test_more_budget_never_widens_a_margin(query: Query) -> None:
    shares = [Epsilon(int(20_000 * 1.07**n)) for n in range(120)]
    margins = [margin_for(ex.STUDY, query, share) for share in shares]
    known = [m for m in margins if m is not None]
    assert len(known) == len(shares)
    assert known == sorted(known, reverse=True)


def test_what_cannot_be_reached_has_no_share() -> None:
    assert share_for(ex.STUDY, ex.ROWS, Fraction(-1)) is None
    assert share_for(ex.STUDY, replace(ex.MEAN, expected=None), Fraction(1)) is None
    assert share_for(ex.STUDY, replace(ex.MEAN, expected=1), Fraction(1, 100)) is None
    assert share_for(ex.STUDY, replace(ex.ROWS, by=("age",)), Fraction(5)) is None
