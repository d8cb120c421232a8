# SPDX-License-Identifier: Apache-2.0
"""Compiles a study to a plan: measures, sensitivities, scales, losses, margins. No data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial

from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.privacy.published_form import widest
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.checks.finding_checks import open_columns
from dpdesk.study.checks.query_checks import check_query, check_share
from dpdesk.study.checks.step_checks import check_step
from dpdesk.study.checks.study_checks import check, check_unit
from dpdesk.study.model.amount import Share
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from dpdesk.study.problem import Problem, Refused, refuse


def compile(study: Study) -> Plan:
    """Compile a complete study.

    Raises:
        Refused: everything that ``dpdesk.study.checks.study_checks.check`` finds.
    """
    study = with_baseline_queries(study)
    problems = check(study)
    if problems:
        raise Refused(problems)
    plans = tuple(compile_query(study, query) for query in study.queries)
    return Plan(study, plans, total_of(plans, (study.budget or Budget()).nothing))


def total_of(plans: tuple[QueryPlan, ...], nothing: Share) -> Share:
    """What plans cost together, in the measure of ``nothing``."""
    return type(nothing)(sum(plan.share.units for plan in plans))


def compile_query(study: Study, query: Query) -> QueryPlan:
    """Compile one query of a study whose other parts may still be unfinished.

    Args:
        study: the study that holds the query.
        query: the query.

    Raises:
        Refused: the query, its columns or the privacy unit are not complete.
    """
    unit = unit_of_study(study)
    path = f"$.queries[{study.queries.index(query)}]" if query in study.queries else "$.query"
    problems = (
        *check_unit(unit),
        *check_query(study, query, path),
        *_column_problems(study, query),
    )
    if problems:
        raise Refused(problems)
    return _compile(Question.of(study, unit, query))


def compile_at_share(study: Study, known: QueryPlan, query: Query) -> QueryPlan:
    """Compile a query that compiled at another share: of what is checked, only that can differ.

    Args:
        study: a study of the same data source, unit, budget and columns.
        known: the query's plan at another share, in that study.
        query: the same query at any share.

    Raises:
        Refused: the share is none, in another measure, too small or too large.
    """
    if problems := tuple(check_share(study, query, "$.query")):
        raise Refused(problems)
    return _compile(known.question.repriced(query))


def unit_of_study(study: Study) -> Unit:
    """The privacy unit.

    Raises:
        Refused: there is none.
    """
    if study.unit is None:
        raise refuse("unit-not-declared", "$.unit")
    return study.unit


def _column_problems(study: Study, query: Query) -> Iterator[Problem]:
    names = study.with_operands(query.names)
    open_ = open_columns((query,), study.columns)
    for index, column in enumerate(study.columns):
        if column.name in names:
            missing = study.missing_of(column)
            path, is_open = f"$.columns[{index}]", column.name in open_
            yield from check_column(column, path, missing, is_open=is_open)
            yield from check_step(study, column, path)


@lru_cache(maxsize=2048)
def _compile(question: Question) -> QueryPlan:
    method = METHODS[question.query.statistic]
    parts = method.parts(question)
    if question.query.of == "people":
        parts = tuple(
            replace(part, measure=replace(part.measure, of_people=True)) for part in parts
        )
    bound = method.bound(question, parts)
    if bound is not None and bound.what == "rows":
        # These are the rows of the query: of people, where it is of them.
        bound = replace(bound, what=question.query.of)
    cells = question.cells
    inner = method.inner_labels(question)
    own = margin = method.half_width(question, parts)
    if own is not None and question.form is not None:
        margin = widest(own, question.form)
    return QueryPlan(
        query=question.query,
        unit=question.unit,
        by=question.by,
        cells=cells,
        lines=tuple((*cell, *labels) for cell in cells for labels in inner),
        inner=method.inner(question),
        parts=parts,
        column=question.column,
        grid=question.grid,
        share=question.share,
        half_width=margin,
        form=question.form,
        unrounded=own,
        bound=bound,
        question=question,
        find_canonical=partial(method.answer_key, question, parts),
        public_rows=question.public_rows,
        public_total=question.public_total if question.query.declaration.counts_all else None,
        beside=method.beside(question, parts),
        delta=question.query.delta,
        found_from=method.found_from(parts),
    )
