# SPDX-License-Identifier: Apache-2.0
"""The marks below the handle: what some round shares would buy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import cache

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.widgets.inputs.accuracy_handle import ScaleMark
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.reconcile.planned import beside
from dpdesk.release.record.totals import share_of
from dpdesk.study.model.amount import MICRO, Epsilon, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Refused

MARK_SHARES = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)


class AccuracyMarks:
    """The marks of one query, which are remembered while nothing but its share and title change.

    Each takes milliseconds; a share that is dragged or typed asks for the same ones again.
    """

    def __init__(self) -> None:
        self._study, self._query = Study(), Query("")
        self._plan: QueryPlan | None = None
        self._known: dict[tuple[int, bool], ScaleMark | None] = {}

    def between(
        self,
        study: Study,
        query: Query,
        plan: QueryPlan | None,
        low: int,
        high: int,
        more: Iterable[int],
        measure: str,
    ) -> Iterator[ScaleMark | None]:
        """Marks of round shares, and of those in ``more``, that lie from ``low`` to ``high``.

        Where there is nothing to show of one, its place has ``None``.

        Args:
            study: the open study.
            query: the query.
            plan: its plan at its own share, where it is complete; where its margin is said with
                all its digits, so are all others.
            low, high, more: in the smallest parts of the measure.
            measure: what the account is kept in.
        """
        query = replace(query.unpriced, title="")
        is_same = query == self._query and _others(plan) == _others(self._plan)
        # Nothing is known of another query, or of it beside others or other declarations.
        if not is_same or not _is_declared_alike(study, self._study):
            self._known = {}
        self._study, self._query, self._plan = study, query, plan
        in_full = plan is not None and accuracy_words.is_in_full(plan)
        if plan is not None and plan.share.measure == measure:
            self._known.setdefault((plan.share.units, in_full), _mark_of(study, plan, in_full))
        for units in sorted({*_round_shares(measure), *more}):
            if low <= units <= high:
                yield self._mark(units, measure, in_full)

    def _mark(self, units: int, measure: str, in_full: bool) -> ScaleMark | None:
        key = units, in_full
        if key not in self._known:
            self._known[key] = self._compiled(share_of(measure, units), in_full)
        return self._known[key]

    def _compiled(self, share: Share, in_full: bool) -> ScaleMark | None:
        """What a share would buy; nothing for a query that is not complete."""
        try:
            plan = compile_query(self._study, self._query.at_share(share))
            plan = beside(plan, self._plan)
            return _mark_of(self._study, plan, in_full)
        except Refused:
            return None


def distinct(marks: Iterable[ScaleMark], own: int) -> list[ScaleMark]:
    """Marks without those of more budget that buys no other margin; the query's own stays.

    >>> two = [ScaleMark(1, "± 13", "0.01"), ScaleMark(2, "± 13", "0.02")]
    >>> [mark.budget for mark in distinct(two, 1)], [mark.budget for mark in distinct(two, 2)]
    (['0.01'], ['0.02'])
    """
    first: dict[str, ScaleMark] = {}
    for mark in marks:
        if mark.units == own or mark.margin not in first:
            first[mark.margin] = mark
    return list(first.values())


def _others(plan: QueryPlan | None) -> frozenset[int]:
    """The plans beside which a query's figures are made consistent, each the same while kept."""
    if plan is None or plan.joined is None:
        return frozenset()
    return frozenset(map(id, plan.joined.tables)) - {id(plan.alone)}


def _is_declared_alike(study: Study, other: Study) -> bool:
    """Whether nothing but the queries was edited between two states of a study."""
    names = (field.name for field in fields(Study) if field.name != "queries")
    return all(getattr(study, name) is getattr(other, name) for name in names)


@cache
def _round_shares(measure: str) -> tuple[int, ...]:
    """The round shares, in the smallest parts of a measure."""
    shares = (Epsilon(round(share * MICRO)) for share in MARK_SHARES)
    return tuple(study_edits.as_measure(share, measure).units for share in shares)


def _mark_of(study: Study, plan: QueryPlan, in_full: bool) -> ScaleMark | None:
    shown = accuracy_words.mark(study, plan, in_full)
    return ScaleMark(plan.share.units, shown, words.amount(plan.share)) if shown else None
