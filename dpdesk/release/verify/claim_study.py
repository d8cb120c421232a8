# SPDX-License-Identifier: Apache-2.0
"""Whether a release answers what its own study asks: the same unit, account, questions, prices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpdesk.catalogue import shipped_languages
from dpdesk.release.record.released_study import ReleasedQuestion
from dpdesk.release.record.table_names import names_in, titles_in
from dpdesk.release.record.values import ReleasedQuery, ReleaseRecord
from dpdesk.study.json.json_reader import text_problem
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from dpdesk.study.problem import Problem
from dpdesk.study.public_numbers import share_paid
from dpdesk.study.text.titles import sentence

_OWN = frozenset(
    ["id", "title", "epsilon", "rho", "expected", "population", "whole_numbers", "comparisons"]
)
"""Members of a query that are no part of its question."""


def study_problems(record: ReleaseRecord) -> Iterator[Problem]:
    """What is answered that was not asked, or claimed that was not declared.

    Codes: ``claim-study-unreadable``, ``claim-unit-differs``, ``claim-account-name-differs``,
    ``claim-queries-differ``; ``claim-query-repeated``, ``claim-question-differs``,
    ``claim-price-differs`` (param query); ``claim-limit-missing``
    (measure) and ``claim-over-study-limit`` (params claimed, limit).
    """
    study = record.study.study
    if study is None or "title" not in record.study.members:
        yield Problem("$.study", "claim-study-unreadable")
        return
    budget = study.budget or Budget()
    if not _has_unit(record, study.unit):
        yield Problem("$.claim", "claim-unit-differs")
    if budget.account != record.account.name:
        yield Problem("$.account.name", "claim-account-name-differs")
    yield from _questions(record, study)
    limit = budget.limit
    if limit is None or limit.measure != record.measure:
        yield Problem("$.study.budget", "claim-limit-missing", {"measure": record.measure})
    elif record.claim.total.units > limit.units:
        params = {"claimed": str(record.claim.total), "limit": str(limit)}
        yield Problem("$.claim", "claim-over-study-limit", params)


def _has_unit(record: ReleaseRecord, unit: Unit | None) -> bool:
    """Whether the claim is for the unit of privacy that the study declares."""
    claim = record.claim
    if unit is None or (claim.unit == "row") != (unit.person is None):
        return False
    declared = (unit.neighbours, unit.max_rows, unit.people)
    return declared == (claim.neighbours, claim.max_rows, claim.people)


def _questions(record: ReleaseRecord, study: Study) -> Iterator[Problem]:
    """Each query is one of the study's, in its order, with its question and its price."""
    requested, stated = study.queries, record.queries
    ids = [query.id for query in stated]
    if repeated := next((name for name in ids if ids.count(name) > 1), None):
        yield Problem("$.queries", "claim-query-repeated", {"query": repeated})
    if [query.id for query in requested] != ids:
        yield Problem("$.queries", "claim-queries-differ")
        return
    members = record.study.members.get("queries", [])
    for index, query in enumerate(stated):
        # Queries of a Table 1 stand behind the study's own, and in no file.
        asked = requested[index]
        own = members[index] if asked.component is None else ReleasedQuestion.of(asked).members
        for code in _differences(study, asked, own, query):
            yield Problem(f"$.queries[{index}]", code, {"query": query.id})


def _differences(
    study: Study, asked: Query, members: dict[str, Any], stated: ReleasedQuery
) -> Iterator[str]:
    question = {key: value for key, value in members.items() if key not in _OWN}
    if ReleasedQuestion(question) != stated.question or asked.statistic != stated.statistic:
        yield "claim-question-differs"
    if share_paid(study, asked) != stated.share:
        yield "claim-price-differs"


def title_problems(record: ReleaseRecord) -> Iterator[Problem]:
    """``claim-title-differs`` and ``claim-name-differs``, each with param query."""
    wanted = _titles(record)
    for index, query in enumerate(record.queries):
        right = wanted.get(query.id, query.title) == query.title
        if not (right and query.title.strip()) or text_problem(query.title):
            path = f"$.queries[{index}].title"
            yield Problem(path, "claim-title-differs", {"query": query.id})
    for index, (query, name) in enumerate(zip(record.queries, _names(record), strict=True)):
        if query.name != name:
            yield Problem(f"$.queries[{index}].name", "claim-name-differs", {"query": query.id})


def _names(record: ReleaseRecord) -> tuple[str, ...]:
    """The names that its tables should have: as stated in one of the languages, else in English."""
    study, titles = record.study.study, [(query.id, query.title) for query in record.queries]
    stated, english = tuple(query.name for query in record.queries), names_in(study, titles)
    if stated == english:
        return english
    others = (names_in(study, titles_in(study, titles, code)) for code in shipped_languages()[1:])
    return next((names for names in others if names == stated), english)


def _titles(record: ReleaseRecord) -> dict[str, str]:
    """By query id, the title that the study gives."""
    study = record.study.study
    if study is None:
        return {}
    return {q.id: q.title or sentence(study, q) for q in study.queries}
