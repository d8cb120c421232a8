# SPDX-License-Identifier: Apache-2.0
"""What a declared comparison of groups is called, in the window, plans and reports."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import TitleWord
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.queries import ComparisonKind, GroupComparison, Query
from dpdesk.study.model.statistics import ModelKind
from dpdesk.study.text.sentence_language import ENGLISH, Language
from dpdesk.study.text.titles import column_name, group_text, grouped_by

_KINDS: Final[dict[ComparisonKind, TitleWord]] = {
    "groups": "compares each group of {column} with {reference}",
    "model": "compares each group of {column} with {reference} by a {model}",
    "trend": "shows the trend over {column}",
    "test": "tests whether the groups of {column} are alike",
}
_MODELS: Final[dict[ModelKind, TitleWord]] = {
    "logistic": "logistic model",
    "poisson": "Poisson model",
    "linear": "linear model",
}
_COSTS_NOTHING: Final[TitleWord] = "It {comparison}, which costs nothing."


def compared_groups(study: Study, query: Query, language: Language = ENGLISH) -> list[str]:
    """A sentence for each comparison of a query's groups."""
    costs = language.say(_COSTS_NOTHING)
    return [
        costs.format(comparison=comparison_title(study, query, one, language))
        for one in query.comparisons
    ]


def comparison_title(
    study: Study, query: Query, one: GroupComparison, language: Language = ENGLISH
) -> str:
    """ "compares each group of Sex with F"."""
    by = next((by for by in query.by if column_of(by) == one.by), None)
    column = column_name(study, one.by) if by is None else grouped_by(study, by, language)
    reference = group_text(one.reference, language)
    model = language.say(_MODELS[query.declaration.model or "logistic"])
    said = language.say(_KINDS[one.kind])
    return said.format(column=column, reference=reference, model=model)
