# SPDX-License-Identifier: Apache-2.0
"""Published figures: a pure function of plan and noisy integers, with margins that hold."""

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpdesk.privacy.compiler import compile, compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Noisy, Table, rounding_digits, table
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.privacy.statistics.mean import mean_figure
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CandidateParameters, ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.privacy import examples as ex
from tests.strategies import studies

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
i64 = st.integers(-(2**63), 2**63 - 1)
FIGURES = ("value", "half-width", "lowest", "highest")


def published(query: Query, *noisy: tuple[int, ...], study: Study = ex.STUDY) -> Table:
    return table(study, compile_query(study, query), noisy)


def cells(made: Table, role: str) -> list[str]:
    at = [i for i, column in enumerate(made.columns) if column.role == role]
    return [row[i] for row in made.rows for i in at]


def numbers(row: tuple[str, ...], made: Table) -> list[Decimal]:
    """Value, half-width, lowest and highest of a row."""
    at = [i for i, column in enumerate(made.columns) if column.role in FIGURES]
    return [Decimal(row[i]) for i in at]


def test_a_count_is_its_noisy_integer() -> None:
    most = 2**63 - 1
    made = published(ex.PEOPLE, (120, 0, -7, most))
    assert made.rows == (
        ("A", "120", "90", "30", "210", "120", "", "no"),
        ("B", "0", "90", "0", "90", "0", "", "yes"),
        ("C", "-7", "90", "0", "83", "-7", "", "yes"),
        ("(other)", str(most), "90", str(most - 90), str(most + 90), str(most), "", "no"),
    )
    assert [(c.name, c.role) for c in made.columns] == [
        ("ward", "group"),
        ("count_people", "value"),
        ("half_width_95", "half-width"),
        ("lowest_95", "lowest"),
        ("highest_95", "highest"),
        ("noisy_people", "part"),
        ("nearest_possible", "nearest"),
        ("too_noisy", "mark"),
    ]
    assert (made.too_noisy, made.says_nothing) == (2, False)


def test_a_table_says_nothing_where_no_line_does() -> None:
    made = published(ex.PEOPLE, (1, 0, -7, 2))
    assert (made.too_noisy, made.says_nothing) == (4, True)
    assert not replace(made, rows=()).says_nothing, "a table of no lines has none that is noisy"
    choice = published(Query("q", "median", CandidateParameters("stay"), epsilon=ex.TENTH), (3,))
    assert (choice.too_noisy, choice.says_nothing) == (0, False)


def test_a_sum_is_scaled_back_exactly() -> None:
    made = published(ex.TOTAL, (12_345, -10))
    assert made.rows == (
        ("Female", "1234.5", "22512.9", "0", "23747.4", "12345", "", "yes"),
        ("Male", "-1", "22512.9", "0", "22511.9", "-10", "", "yes"),
    )
    assert {c.unit for c in made.columns if c.role in FIGURES} == {"kg"}


def test_a_sum_of_a_public_number_of_rows_is_cut_to_what_they_add_up_to() -> None:
    """500 people of 0.5 to 250.5 kg, none of them left out."""
    sure = replace(ex.WEIGHT, missing=Replace(Decimal(70)), unparsable=Replace(Decimal(70)))
    alone = Unit(None, 1, "change-one", people=500)
    study = replace(ex.STUDY, columns=(sure,), unit=alone)
    query = replace(ex.TOTAL, by=(), epsilon=Epsilon.of("0.01"))
    made = published(query, (0,), study=study)
    (low,), (high,) = cells(made, "lowest"), cells(made, "highest")
    assert (low, Fraction(high)) == ("250", compile_query(study, query).half_width)
    made = published(query, (1_252_500,), study=study)
    assert cells(made, "highest") == ["125250"]


def test_figures_that_were_made_consistent_are_published_with_what_rounding_moved_them() -> None:
    """121 rows, and 30 and 50 by sex: of all three 107 1/3, and a third of 41 more by sex."""
    sexes = replace(ex.SEX, missing=Replace("Male"), unknown=Replace("Male"))
    study = replace(ex.STUDY, columns=(sexes, ex.STAY))
    queries = (ex.ROWS, replace(ex.ROWS, id="sexes", by=("sex",)))
    plans = [compile_query(study, query) for query in queries]
    drawn: list[Noisy] = [((121,),), ((30, 50),)]
    answers = [Answer(plan, noisy, 1) for plan, noisy in zip(plans, drawn, strict=True)]
    found = consistent_figures(answers)
    total, by_sex = (table(study, plans[i], drawn[i], (), found[i]) for i in (0, 1))
    assert (total.others, by_sex.others) == (("sexes",), ("rows",))
    # Alone each is within 90. Of (2 X + Y + Z) / 3, which is the error of each, 5 in 100 are
    # beyond 71 (added up in numpy); and each is rounded by 1/3 or 2/3.
    assert total.rows == (("107", "72", "35", "179", "121", "", "no"),)
    assert by_sex.rows == (
        ("Female", "44", "72", "0", "116", "30", "", "yes"),
        ("Male", "63", "72", "0", "135", "50", "", "yes"),
    )
    with pytest.raises(ValueError, match="no figures that add up"):
        table(study, compile_query(study, ex.MEAN.having(by=())), ((3, 10),), (), found[0])


def test_no_digit_of_a_long_sum_is_lost() -> None:
    lower, step = Decimal("0.000123456789012"), Decimal("0.00123456789012")
    study = replace(ex.STUDY, columns=(NumberColumn("a", lower, lower + 100 * step, step),))
    query = Query("q", "sum", ColumnParameters("a"), epsilon=ex.TENTH)
    plan = compile_query(study, query)
    made = table(study, plan, ((2**62 + 1,),))
    assert plan.parts[0].width == Fraction(lower)
    assert Fraction(cells(made, "value")[0]) == (2**62 + 1) * Fraction(lower)


def test_a_mean_and_its_margin_are_rounded_together() -> None:
    # Half of the range of 13 days above the first. Each sum has noise of 3 * 13 / 0.2 = 195 days,
    # half of each is in the mean: together 4.11 / 2 times 195 for 1,000 rows.
    study = replace(ex.STUDY, queries=())
    query = replace(ex.MEAN, by=("sex",))
    made = published(query, (6_500, 6_500, 5, -5), study=study)
    assert made.rows == (
        ("Female", "7.50", "0.41", "7.09", "7.91", "1000", "6500", "6500", "no"),
        ("Male", "", "", "", "", "0", "5", "-5", "yes"),
    )


@pytest.mark.parametrize(("drawn", "value"), [((1_800, -500), "14.0"), ((-500, 1_800), "1.0")])
def test_a_mean_stays_within_its_bounds(drawn: tuple[int, ...], value: str) -> None:
    made = published(replace(ex.MEAN, by=()), drawn)
    assert cells(made, "value") == [value]
    low, high = Decimal(cells(made, "lowest")[0]), Decimal(cells(made, "highest")[0])
    assert Decimal(1) <= low <= high <= Decimal(14)


@pytest.mark.threat("D1")
@pytest.mark.parametrize("count", [0, -1, -(2**63)])
def test_a_mean_of_nobody_says_nothing_and_keeps_its_parts(count: int) -> None:
    made = published(replace(ex.MEAN, by=()), (3, 13 * count - 3))
    assert [cells(made, role) for role in FIGURES] == [[""]] * 4
    assert cells(made, "part") == [str(count), "3", str(13 * count - 3)]


def test_a_margin_is_never_wider_than_the_range() -> None:
    made = published(replace(ex.MEAN, by=()), (6, 7))
    assert numbers(made.rows[0], made) == [7, 13, 1, 14]


def test_bounds_with_a_fraction_are_cut_outwards() -> None:
    """A range of 1.5 to 99.5, printed in whole numbers, keeps the means beyond 98 and below 2."""
    column = replace(ex.STAY, lower=Decimal("1.5"), upper=Decimal("99.5"), step=Decimal("0.5"))
    study = replace(ex.STUDY, columns=(column,))
    made = published(replace(ex.MEAN, by=()), (196, 196), study=study)
    assert numbers(made.rows[0], made)[2:] == [1, 100]


@pytest.mark.parametrize("name", ["count", "half_width_95", "noisy_rows", "count_2"])
def test_every_column_has_a_name_of_its_own(name: str) -> None:
    group = CategoryColumn(name, values=("a",), title="Own")
    second = CategoryColumn("count", values=("b",))
    columns = (group,) if name == "count" else (group, second)
    study = replace(ex.STUDY, columns=columns)
    query = Query("q", by=tuple(c.name for c in columns), epsilon=ex.TENTH)
    made = published(query, (1,), study=study)
    names = [c.name for c in made.columns]
    assert len(set(names)) == len(names)
    assert names[0] == name
    assert made.columns[0].title == "Own"


@st.composite
def tapes(draw: st.DrawFn) -> tuple[Study, QueryPlan, Noisy]:
    """A query's plan with arbitrary noisy integers."""
    study = draw(studies())
    plan = draw(st.sampled_from(compile(study).queries))
    some = st.one_of(i64, st.integers(-1_000, 1_000))
    noisy = tuple(tuple(draw(some) for _ in range(part.cells)) for part in plan.parts)
    return study, plan, noisy


@pytest.mark.threat("A17", "B8", "B9")
@given(tapes())
def test_the_table_follows_from_plan_and_noise_alone(tape: tuple[Study, QueryPlan, Noisy]) -> None:
    study, plan, noisy = tape
    made = table(study, plan, noisy)
    bare = replace(study, data=None, budget=None, title="", queries=())
    assert table(bare, plan, noisy) == made
    groups = len(plan.by)
    assert [row[:groups] for row in made.rows] == list(plan.cells)
    # A mean has several sums a line in one draw, and their count before them; of two counts that
    # add up to a public total, one is drawn.
    drawn = [str(number) for vector in noisy for number in vector]
    each = -(-len(drawn) // len(made.rows))
    at = [place for place, column in enumerate(made.columns) if column.role == "part"][-each:]
    assert [row[place] for row in made.rows for place in at][: len(drawn)] == drawn
    names = [column.name for column in made.columns]
    assert len(names) == len(set(names)) == len(made.rows[0])


@pytest.mark.threat("A1")
@given(tapes())
def test_every_figure_is_a_plain_number_inside_its_range(
    tape: tuple[Study, QueryPlan, Noisy],
) -> None:
    study, plan, noisy = tape
    made = table(study, plan, noisy)
    for row in made.rows:
        texts = [text for text, c in zip(row, made.columns, strict=True) if c.role in FIGURES]
        if plan.query.statistic == "mean" and texts == [""] * 4:
            continue
        assert all(NUMBER.fullmatch(text) for text in texts)
        value, half_width, low, high = map(Fraction, texts)
        assert low <= high
        assert half_width >= 0
        assert value - half_width <= low
        assert high <= value + half_width
        assert low <= value <= high or plan.query.statistic != "mean"


@given(
    lower=st.integers(-500, 500),
    last=st.integers(1, 300),
    step=st.sampled_from(["1", "0.5", "0.1", "0.25", "7"]),
    count=st.integers(1, 5_000),
    share=st.integers(2, 5_000_000),
    data=st.data(),
)
def test_a_mean_that_the_noise_keeps_within_its_margin_is_within_what_is_printed(
    lower: int, last: int, step: str, count: int, share: int, data: st.DataObject
) -> None:
    width = Decimal(step)
    low = Decimal(lower) * width / 2
    column = NumberColumn("a", low, low + last * width, width)
    study = replace(ex.STUDY, columns=(column,))
    query = Query("q", "mean", ColumnParameters("a"), epsilon=Epsilon(share))
    plan = compile_query(study, query)
    total, (part,) = data.draw(st.integers(0, last * count)), plan.parts
    noises = data.draw(st.tuples(*[st.integers(-(4 * part.half_width), 4 * part.half_width)] * 2))
    drawn = total + noises[0], last * count - total + noises[1]
    mean, figure = Fraction(total, count), mean_figure(plan, drawn)
    exact = Fraction(low) + Fraction(width) * mean
    assume(figure is not None and abs(figure.value - exact) <= figure.half_width)
    made = table(study, plan, (drawn,))
    value, half_width, lowest, highest = numbers(made.rows[0], made)
    assert abs(Fraction(value) - exact) <= Fraction(half_width)
    assert Fraction(lowest) <= exact <= Fraction(highest)


@given(st.integers(-5_000, 5_000), st.integers(1, 400))
def test_what_is_printed_is_within_a_tenth_of_the_margin_of_the_figure(
    noisy_sum: int, noisy_count: int
) -> None:
    plan, drawn = compile_query(ex.STUDY, replace(ex.MEAN, by=())), (noisy_sum, 13 * noisy_count)
    figure = mean_figure(plan, drawn)
    assume(figure is not None)
    assert figure
    made = table(ex.STUDY, plan, (drawn,))
    value, half_width, _, _ = numbers(made.rows[0], made)
    moved = abs(Fraction(value) - figure.value)
    assert moved <= figure.half_width / 10
    assert figure.half_width + moved <= Fraction(half_width) <= figure.half_width * Fraction(6, 5)


@pytest.mark.parametrize(
    ("half_width", "digits"),
    [("123", 0), ("12.3", 0), ("9.99", 1), ("1", 1), ("0.87", 2), ("0.0123", 3), ("0", 2)],
)
def test_a_margin_is_shown_with_two_digits(half_width: str, digits: int) -> None:
    assert rounding_digits(Fraction(half_width)) == digits


def test_an_interval_for_the_population_is_beside_each_figure_on_request() -> None:
    asked = replace(ex.PEOPLE, population=True)
    made, plain = (published(query, (120, 0, -7, 900)) for query in (asked, ex.PEOPLE))
    assert {"population-lowest", "population-highest"} <= {c.role for c in made.columns}
    low, high = cells(made, "population-lowest"), cells(made, "population-highest")
    margins = zip(cells(made, "lowest"), cells(made, "highest"), strict=True)
    # It holds what the margin does and chance, too.
    for ends, inner in zip(zip(low, high, strict=True), margins, strict=True):
        assert Decimal(ends[0]) <= Decimal(inner[0]) < Decimal(inner[1]) <= Decimal(ends[1])
    kept = [i for i, c in enumerate(made.columns) if not c.role.startswith("population")]
    assert tuple(tuple(row[i] for i in kept) for row in made.rows) == plain.rows
    # It is no other question: a stored figure answers it.
    plans = [compile_query(ex.STUDY, query) for query in (asked, ex.PEOPLE)]
    assert plans[0].canonical == plans[1].canonical


def test_a_figure_beyond_all_counts_has_no_interval_for_the_population() -> None:
    made = published(replace(ex.PEOPLE, population=True), (120, 0, -7, 2**62))
    assert cells(made, "population-highest")[-1] == ""


def test_the_population_of_a_mean_follows_from_a_variance_of_its_cells() -> None:
    asked = ex.MEAN.having(epsilon=ex.TENTH, population=True)
    beside = replace(asked.having(statistic="variance", population=False), id="spread")
    study = replace(ex.STUDY, unit=Unit(), queries=(asked, beside))
    plan = compile_query(study, asked)
    sums = (12_000, 40_000)
    drawn = (sums * len(plan.cells),)
    widths = []
    for share in ("1", "0.1"):
        spread = compile_query(study, beside.having(epsilon=Epsilon.of(share)))
        of_cell = (10_000, 15_000, 10_000)
        made = table(study, plan, drawn, spread=(spread, (of_cell * len(plan.cells),)))
        low, high = cells(made, "population-lowest")[0], cells(made, "population-highest")[0]
        widths.append(Decimal(high) - Decimal(low))
    # The noise of the variance is in it, too.
    assert 0 < widths[0] < widths[1]
    assert set(cells(table(study, plan, drawn), "population-lowest")) == {""}
    other = compile_query(study, replace(beside, by=()))
    with pytest.raises(ValueError, match="other cells"):
        table(study, plan, drawn, spread=(other, ((200_000, 300_000, 200_000),)))


def test_the_population_of_a_known_total_is_a_part_of_it() -> None:
    dead = replace(ex.DEAD, unknown="category")
    study = replace(ex.STUDY, columns=(dead,), unit=Unit(None, 1, "change-one", people=500))
    query = Query("dead", by=("dead",), population=True, epsilon=Epsilon.of("0.5"))
    plan = compile_query(study, query)
    assert plan.public_total == 500
    made = table(study, plan, (tuple(490 for _ in range(plan.parts[0].cells)),))
    low, high = cells(made, "population-lowest"), cells(made, "population-highest")
    assert all(0 <= Decimal(a) < Decimal(b) <= 500 for a, b in zip(low, high, strict=True))
