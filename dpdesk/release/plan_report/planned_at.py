# SPDX-License-Identifier: Apache-2.0
"""What a margin before the release takes for granted, in words: for window, shell and documents.

Half-sentences; none of it is read from data. A margin that follows from noise alone, such as a
count's, takes nothing for granted.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.weak import rows_of_an_age
from dpdesk.privacy.statistics.rates.over_ages import ages_of
from dpdesk.privacy.statistics.rates.rate import assumed_exposure, assumed_rate
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    ByAgeParameters,
    LinearModelParameters,
    RateParameters,
    ReferenceParameters,
    SpreadParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.text.number_text import margin, two_digits
from dpdesk.study.text.share_rows import needed_values
from dpdesk.study.text.titles import column_name, in_sentence, joined, rate_unit
from dpdesk.study.text.unit_names import names_of


def planned_at(study: Study, plan: QueryPlan, words: ReleaseWords) -> Iterator[str]:
    """At which estimates a margin is planned, typed ones and others."""
    if plan.is_public:
        return
    yield from _at_estimate(study, plan, words)
    own = plan.query.parameters
    if isinstance(own, SpreadParameters) and own.expected_deviation is not None:
        deviation = words.number(own.expected_deviation)
        yield words.say("margin at a standard deviation of {deviation}", deviation=deviation)
    yield from _at_rate(study, plan, words)
    yield from _at_exposure(plan, words)
    yield from taken_for_granted(study, plan, words)


def taken_for_granted(study: Study, plan: QueryPlan, words: ReleaseWords) -> Iterator[str]:
    """What of that nobody typed, and no chip of a sentence says."""
    own, say = plan.query.parameters, words.say
    if holds_for_any(plan.query):
        yield say("margin for any standard deviation: for most it is several times narrower")
    match own:
        case TimeToEventParameters():
            yield say("margin without censoring: with fewer at risk it is wider")
        case ByAgeParameters():
            ages = words.number(ages_of(plan.question))
            yield say("margin with rows spread evenly over {ages} age groups", ages=ages)
        case LinearModelParameters():
            yield from _of_coefficients(study, plan, words)
    if isinstance(own, ReferenceParameters):
        yield say("at a ratio of 1")


def _of_coefficients(study: Study, plan: QueryPlan, words: ReleaseWords) -> Iterator[str]:
    """How many rows a linear model's coefficients need, and how sure they are of more."""
    # Few plans have a linear model, and all wait for what is loaded.
    from dpdesk.privacy.planning.linear.planned import planned_coefficients

    query, say, language = plan.query, words.say, words.language
    names = names_of(study.unit, language.names)
    rows = names.people if query.of == "people" else names.rows
    planned, outcome = planned_coefficients(plan), plan.column
    yield say("margin of sums over {rows}, each value taken as a number from −1 to 1", rows=rows)
    needed, size = map(words.number, (planned.needed, planned.size))
    yield say("the coefficients need about {size} {rows}", size=needed, rows=rows)
    unit = outcome.label if isinstance(outcome, NumberColumn) else ""
    own = query.parameters_as(LinearModelParameters)
    called = (in_sentence(column_name(study, name), language) for name in own.columns)
    found = [
        say("{margin} for {column}", margin=margin(one, unit, words.numbers), column=name)
        for name, one in zip(called, planned.half_widths, strict=False)
    ]
    if found:
        margins = joined(found, language)
        text = "with {size} {rows} their margins are {margins}"
        yield say(text, size=size, rows=rows, margins=margins)
    yield say(
        "this is for columns that are not related, a standard deviation of a sixth of the distance "
        "between a column's bounds, and yes in a tenth of the {rows}; otherwise margins are often "
        "several times as wide; narrower bounds help",
        rows=rows,
    )


def holds_for_any(query: Query) -> bool:
    """Whether a margin is that of any standard deviation, which falls more slowly with size.

    It is the root of the variance's; that one is hardly wider than of a known deviation.
    """
    own = query.parameters
    is_spread = isinstance(own, SpreadParameters) and own.expected_deviation is None
    return is_spread and query.unit == "column"


def _at_estimate(study: Study, plan: QueryPlan, words: ReleaseWords) -> Iterator[str]:
    """With which size of a group, and which rows count in it."""
    query, say = plan.query, words.say
    if query.expected is None or not query.declaration.is_ratio:
        return
    names = names_of(study.unit, words.language.names)
    rows, size = names.people if query.of == "people" else names.rows, words.number(query.expected)
    yield say("margin with an estimate of {size} {rows} in a group", size=size, rows=rows)
    if query.by and not holds_for_any(query):
        yield say("a group a tenth as large has about ten times the margin")
    if columns := needed_values(study, query, words.language):
        yield say("only {rows} with a value of {columns} count", rows=rows, columns=columns)


def _at_rate(study: Study, query: QueryPlan, words: ReleaseWords) -> Iterator[str]:
    """At which rate a rate's margin is planned."""
    own, column = query.query.parameters, query.column
    if not isinstance(own, RateParameters) or isinstance(own, ReferenceParameters):
        return
    unit = rate_unit(study, query.query, words.language)
    if own.typical is not None:
        yield words.say("margin at a rate of {rate}", rate=f"{words.number(own.typical)} {unit}")
    elif isinstance(column, NumberColumn) and column.upper is not None:
        assumed = two_digits(assumed_rate(column.upper, own.per or 1))
        rate = f"{words.number(Decimal(assumed))} {unit}"
        yield words.say("margin at an assumed rate of {rate}", rate=rate)


def _at_exposure(query: QueryPlan, words: ReleaseWords) -> Iterator[str]:
    """At which mean exposure it is planned, and how many rows an age group has to have."""
    own, column = query.query.parameters, query.column
    if not isinstance(own, RateParameters) or not isinstance(column, NumberColumn):
        return
    if own.expected_exposure is not None:
        mean = f"{words.number(own.expected_exposure)} {column.label}".rstrip()
        yield words.say("margin at a mean exposure of {mean}", mean=mean)
    elif column.lower is not None and column.upper is not None:
        assumed = assumed_exposure(column.lower, column.upper)
        mean = f"{words.number(assumed)} {column.label}".rstrip()
        yield words.say("margin at an assumed mean exposure of {mean}", mean=mean)
    needed = rows_of_an_age(query)
    if needed is not None:
        ages, size = map(words.number, needed)
        text = "no rate with fewer than about {size} rows in one of the {ages} age groups"
        yield words.say(text, size=size, ages=ages)
