# SPDX-License-Identifier: Apache-2.0
r"""The most common: of a column's declared groups, or of several yes/no columns, the top m.

The score of a group is how many rows it has, the score of a yes/no column how many rows say yes.
The winner's count is not published with it: that is a question of its own.

Sensitivity, as the largest rise plus the largest fall inside a cell (see ``score_functions``):

* *A row comes*: it raises scores by 1 and lowers none: of one column, its own group's alone; of a
  set of columns, any number of them. Where it goes, it lowers them by 1 and raises none. So 1, and
  k for a person's k rows, wherever they lie: attained by k rows of one group.
* *A row is replaced by another of the cell*: one group may rise by 1 and another fall by 1. So 2,
  and 2k: attained by k rows that all leave one group for another.
* *Several cells, change-one*: a row that leaves a cell lowers scores there by 1, one that enters
  raises scores by 1: again 2k.

Under add-remove this is OpenDP's monotonic L-infinity distance k.

Each of the m choices is made of those that are left, which OpenDP's map counts m times. Noise on
all counts costs the same whatever m is, and gives every rank at once: its sensitivity is that of
a histogram of rows over cells and groups (``rows_sensitivity``). Groups are then ranked by their
noisy counts, equal ones as declared. Of C yes/no columns a row moves all C counts, so that their
noise would have C times the scale (its root in zCDP), which is that of C choices: never better.

Claim (noise on all counts): 95 times in 100 no group that is left out, or further down, has more
rows than a chosen one by more than the highest of all noises is above the lowest of m fixed ones
(``half_widths.range_width``). Why: with counts n and noises X, let i be chosen r-th and b have the
most rows of those then left, so one of the r largest groups. As n_i + X_i >= n_b + X_b, all others
left, and those further down, are ahead of i by at most n_b - n_i <= X_i - X_b: the highest noise
less the lowest of those of the m largest groups, which the data's counts fix before any noise.

That is drawn whose bound is smaller: both follow from the declarations and the share alone. Of as
many ranks as there are groups, which they are is declared, and what is paid for is their order: the
last one is what the other choices leave, so that there are m - 1, and nothing is further down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dpdesk.privacy.distributions.half_widths import NoiseName, range_width
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.selection import top_bound
from dpdesk.privacy.plan import Part, QueryPlan, ScoreBound
from dpdesk.privacy.question import Question
from dpdesk.privacy.score_functions import Score
from dpdesk.privacy.sensitivity import rows_sensitivity
from dpdesk.privacy.statistics.base import (
    CandidateChoice,
    Noisy,
    PublishedColumn,
    additive_part,
    choice_part,
    measure_of,
    way_of,
)
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import Column, group_labels
from dpdesk.study.model.parameters import MostCommonParameters
from dpdesk.study.model.queries import Query

ROWS = Score("rows", row=1, swap=2, monotonic=True)


class MostCommon(CandidateChoice):
    """The top m in every cell: chosen, or read off noisy counts of all groups."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One draw on all cells; for choices each is a block of its own."""
        chosen = self._chosen(question)
        if _yes_no(question.query):
            return (chosen,)
        groups, counted = _groups(question), self._counted(question)
        return (min(chosen, counted, key=lambda part: _bound(part, groups, _top(question), MISS)),)

    def _counted(self, question: Question) -> Part:
        """All counts, with noise."""
        size, unit = question.size * _groups(question), question.unit
        most = question.query.rows_per_group
        found = rows_sensitivity(
            unit.max_rows, question.size, unit.neighbours, most, split=_groups(question) > 1
        )
        return additive_part("rows", _measure(question), size, found, question.share, question)

    def _chosen(self, question: Question) -> Part:
        cells, groups = question.size, _groups(question)
        picks = min(_top(question), groups - 1)
        return choice_part(
            "choice",
            _measure(question),
            cells * groups,
            ROWS.noise(cells, picks),
            ROWS.distance(question.unit, cells, question.share, question.query.rows_per_group),
            question.share,
            lambda noise: top_bound(groups, noise.scale, picks, way_of(noise)),
        )

    def inner(self, question: Question) -> tuple[str, ...]:
        """The rank, where several are asked."""
        return ("rank",) if _top(question) > 1 else ()

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """1, 2 and so on."""
        top = _top(question)
        return tuple((str(rank),) for rank in range(1, top + 1)) if top > 1 else ((),)

    def bound(self, question: Question, parts: tuple[Part, ...]) -> ScoreBound | None:
        """No group left out, or further down, has this many rows more than a chosen one.

        Each choice is within the bound of the best that was then left (see ``selection``), and
        those further down were left.
        """
        return ScoreBound(
            Fraction(_bound(parts[0], _groups(question), _top(question), MISS)), "rows"
        )

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """The same for another miss."""
        return Fraction(_bound(plan.parts[0], _groups(plan.question), _top(plan.question), miss))

    def in_one_form(self, question: Question) -> Question:
        """The one most common is the same question whether the 1 is said or not."""
        return replace(question, query=question.query.having(top=_top(question)))

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """What was chosen, by how many rows another may be ahead, and the noisy count if drawn."""
        drawn = plan.parts[0].noise.is_additive
        return (
            PublishedColumn("most_common", "choice", has_unit=False),
            PublishedColumn("rows_off_95", "score-bound", has_unit=False),
            *((PublishedColumn("noisy_rows", "part", has_unit=False),) if drawn else ()),
        )

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a rank, from the first on."""
        (part,), (drawn,) = plan.parts, noisy
        labels = _yes_no(plan.query) or (group_labels(plan.column) if plan.column else ())
        off = str(_bound(part, len(labels), plan.query.parameters.draws, MISS))
        if not part.noise.is_additive:
            picks, everyone = part.noise.picks, range(len(labels))
            for start in range(0, len(drawn), picks):
                chosen = drawn[start : start + picks]
                left = (place for place in everyone if place not in chosen)
                ranked = (*chosen, *left)[: plan.query.parameters.draws]
                yield from ((labels[place], off) for place in ranked)
            return
        for start in range(0, len(drawn), len(labels)):
            counts = drawn[start : start + len(labels)]
            by_count = sorted(range(len(labels)), key=lambda place: -counts[place])
            for place in by_count[: plan.query.parameters.draws]:
                yield labels[place], off, str(counts[place])


def _bound(part: Part, groups: int, top: int, miss: float) -> int:
    """How many rows a group further down may be ahead, at most; see the head of the module."""
    noise = part.noise
    if noise.is_additive:
        kind: NoiseName = "laplace" if noise.mechanism == "laplace" else "gaussian"
        return range_width(kind, noise.scale, groups, miss, top)
    return top_bound(groups, noise.scale, noise.picks, way_of(noise), miss)


def _top(question: Question) -> int:
    return question.query.parameters.draws


def _yes_no(query: Query) -> tuple[str, ...]:
    """The yes/no columns of which some are chosen, if not the groups of one column."""
    return query.parameters_as(MostCommonParameters).columns


def _groups(question: Question) -> int:
    """How many there are to choose from."""
    columns = _yes_no(question.query)
    return len(columns) if columns else len(group_labels(_column(question)))


def _column(question: Question) -> Column:
    if question.column is None:
        raise ValueError("the most common of a column needs the column")
    return question.column


def _measure(question: Question) -> AggregateSpec:
    """Rows by the column's groups, the groups last; or rows that say yes, by column."""
    query = question.query
    if columns := _yes_no(query):
        return measure_of(question, "rows-with-yes", columns=columns)
    by = (*query.by, _column(question).name)
    return replace(measure_of(question, "rows"), column=None, by=by)
