# SPDX-License-Identifier: Apache-2.0
"""A Table 1 in words: what it is called, what it shows of a column, and how accurate that is."""

from __future__ import annotations

from fractions import Fraction

from dpdesk.desk.core.edits.baseline_edits import SummaryKind, kind_of
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.result_words import release_words
from dpdesk.desk.text.translating import tr
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.statistics.variance import mean_before
from dpdesk.release.bundle.baseline.titles import NAME, baseline_title
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic, Component
from dpdesk.study.model.baseline.expansion import Asked
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query


def plain_name() -> str:
    """What a Table 1 is called that has no title of its own."""
    return catalogue().say(NAME)


def title(study: Study, table: BaselineTable) -> str:
    """ "Table 1 by Ward, where Sex is Female"."""
    return baseline_title(study, table, release_words())


def asked_title(study: Study, one: Asked) -> str:
    """What a query or a Table 1 is called."""
    if isinstance(one, Query):
        return words.query_title(study, one)
    return title(study, one)


def part_title(study: Study, query: Query) -> str:
    """What a query is called; one of a Table 1 as what it shows there."""
    component = query.component
    table = None if component is None else study.baseline_table(component.table)
    if component is None or table is None:
        return words.query_title(study, query)
    name = title(study, table)
    if component.place is None:
        return name
    column = table.characteristics[component.place].column
    return tr("BaselineWords", "{0}: {1}").format(name, words.title_of(study, column))


def summary(study: Study, table: BaselineTable) -> str:
    """ "Age, Sex and 3 more"; empty without characteristics."""
    names = list(dict.fromkeys(one.column for one in table.characteristics))
    titles = [words.title_of(study, name) for name in names]
    if len(titles) <= _NAMED:
        return ", ".join(titles)
    more = tr("BaselineWords", "{0} and %n more", "", len(titles) - _NAMED)
    return more.format(", ".join(titles[:_NAMED]))


_NAMED = 5


def kind_name(kind: SummaryKind) -> str:
    """ "mean (SD)", as rows are headed."""
    names = {
        "mean": tr("BaselineWords", "mean (SD)"),
        "median": tr("BaselineWords", "median [Q1, Q3]"),
        "counts": tr("BaselineWords", "n (%)"),
        "bins": tr("BaselineWords", "n (%) in bins"),
        "missing": tr("BaselineWords", "missing, n (%)"),
    }
    if kind in names:
        return names[kind]
    return tr("BaselineWords", "n (%) by {0}").format(words.period(kind))  # type: ignore[arg-type]


def shown_figures(study: Study, one: Characteristic) -> str:
    """ "mean (SD) + missing": what a characteristic shows."""
    own = kind_name(kind_of(study, one))
    return tr("BaselineWords", "{0} + missing").format(own) if one.missing else own


def margin_of(state: DeskState, table: BaselineTable, place: int | None) -> str:
    """ "± 60 stays", "± 0.6 years": of the first figure in a group; empty where it is unknown."""
    study = state.study
    figures = "rows"
    if place is not None:
        one = table.characteristics[place]
        figures = one.figures(study.column(one.column))
    component = Component(table.id, place, figures)  # type: ignore[arg-type]
    own = (q for q in state.parts_of(table) if q.component == component)
    plan = next((state.plans.get(query.id) for query in own), None)
    return "" if plan is None else _margin(study, plan)


def _margin(study: Study, plan: QueryPlan) -> str:
    if plan.query.declaration.is_spread:
        mean = mean_before(plan)
        return "" if mean is None else words.margin(mean, _unit(study, plan))
    if plan.bound is not None:
        return tr("BaselineWords", "rank ± {0}").format(accuracy_words.number(plan.bound.distance))
    return accuracy_words.in_short(study, plan)


def _unit(study: Study, plan: QueryPlan) -> str:
    return words.unit_of(study, plan.query)


def margin(state: DeskState, table: BaselineTable) -> str:
    """That of the least accurate counts, or else of how many there are in a group."""
    found: list[tuple[Fraction, QueryPlan]] = []
    for query in state.parts_of(table):
        plan, part = state.plans.get(query.id), query.component
        is_count = part is not None and part.figures == "counts"
        if is_count and plan is not None and plan.half_width is not None:
            found.append((plan.half_width, plan))
    if not found:
        return margin_of(state, table, None)
    return _margin(state.study, max(found, key=lambda pair: pair[0])[1])
