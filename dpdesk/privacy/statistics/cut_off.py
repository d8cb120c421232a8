# SPDX-License-Identifier: Apache-2.0
r"""The best cut-off: one of declared candidates p is chosen, by how many rows reach it.

Let N(p) = #{x >= p}, which falls, or stays, from each candidate to the next. A row x adds 1 to
N(p) for every candidate p <= x, in its own cell alone.

**value-times-count**: p * N(p), the revenue at price p, in quanta of the column's grid. Let P be
the highest candidate or 0, M the lowest or 0, whichever is further out; W = P - M. Sensitivity as
the largest rise plus the largest fall inside a cell (see ``score_functions``):

* *A row comes*: the score of each p <= x moves by p: it rises by at most P, falls by at most -M,
  together W. Where a row goes, the other way about. Attained by a row at the upper bound.
* *A row is replaced by another of its cell*: N moves by 1 for the candidates between the two, for
  all to one side; again at most W. So a person's k rows in one cell count k * W under both
  neighbours, and 2k * W where they may leave a cell and enter another.

Where no candidate is negative this is OpenDP's monotonic L-infinity distance k * P.

**closest-to-target**: -|N(p) - T| for the target T. A row moves N by 1 or not at all, for all
candidates to one side, and so does a row that replaces another; hence no score moves by more than
1, as the largest change of one score. It is not monotonic: the score of a candidate with fewer
rows than T rises where that of one with more falls. Attained at every candidate that a row
reaches.

No score overflows: a value has at most ``MAX_QUANTA`` quanta, N stops at ``ROW_CAP``, and their
product is below 2**62; the target is at most ``ROW_CAP``. That N stops changes nothing above: it
still moves by 1 or not at all, and to the same side.

Sources: McSherry and Talwar, Mechanism design via differential privacy (2007), for the price of a
digital good; Dwork and Roth, The algorithmic foundations of differential privacy (2014), 3.4, for
the bidders 1, 1, 1 and 3.01.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.privacy.distributions.selection import score_bound
from dpdesk.privacy.plan import Part, QueryPlan, ScoreBound
from dpdesk.privacy.question import Question
from dpdesk.privacy.score_functions import Score
from dpdesk.privacy.statistics.base import (
    CandidateChoice,
    Noisy,
    PublishedColumn,
    choice_part,
    grid_of,
    measure_of,
    number_column,
    way_of,
)
from dpdesk.privacy.statistics.figures_text import exact_texts
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import Grid
from dpdesk.study.model.groupings import candidate_indices, grid_text
from dpdesk.study.model.parameters import CutOffParameters
from dpdesk.study.model.queries import Query

CLOSEST = Score("closest-to-target", row=1, swap=1)


def value_times_count(grid: Grid, places: tuple[int, ...]) -> Score:
    """The score p * N(p) of candidates at these places of a grid, rising."""
    lowest, highest = (grid.offset + grid.factor * place for place in (places[0], places[-1]))
    reach = max(highest, 0) - min(lowest, 0)
    return Score("value-times-count", reach, reach, True, "score", grid.quantum)


def score_of(question: Question) -> Score:
    """The declared score of a query; one that is not known has no sensitivity."""
    name = _parameters(question.query).score
    if name == "value-times-count":
        return value_times_count(grid_of(question), _places(question))
    return CLOSEST if name == "closest-to-target" else Score(str(name))


class CutOff(CandidateChoice):
    """One choice in every cell."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One draw on all cells; each is a block of its own."""
        score, cells, wide = score_of(question), question.size, len(_places(question))
        return (
            choice_part(
                "choice",
                _measure(question),
                cells * wide,
                score.noise(cells),
                score.distance(question.unit, cells, question.share, question.query.rows_per_group),
                question.share,
                lambda noise: score_bound(wide, noise.scale, way_of(noise)),
                score.width,
            ),
        )

    def bound(self, question: Question, parts: tuple[Part, ...]) -> ScoreBound | None:
        """How far the chosen cut-off's score may be below the best."""
        score = score_of(question)
        return ScoreBound(parts[0].half_width * score.width, score.counts)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The cut-off, and how far from the best it may be."""
        name = (
            "rows_off_95"
            if _parameters(plan.query).score == "closest-to-target"
            else "score_off_95"
        )
        return (
            PublishedColumn("cut_off", "value"),
            PublishedColumn(name, "score-bound", has_unit=False),
        )

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell."""
        (part,), (chosen,), column = plan.parts, noisy, number_column(plan)
        off = exact_texts(0, part.half_width, part.width)[1]
        for place in chosen:
            yield grid_text(column, part.measure.candidates[place]), off


def _parameters(query: Query) -> CutOffParameters:
    return query.parameters_as(CutOffParameters)


def _places(question: Question) -> tuple[int, ...]:
    return candidate_indices(number_column(question), _parameters(question.query).candidates)


def _measure(question: Question) -> AggregateSpec:
    cut_off, places = _parameters(question.query), _places(question)
    if cut_off.score == "closest-to-target":
        target = cut_off.target or 0
        return measure_of(question, "closest-to-target", candidates=places, target=target)
    grid = grid_of(question)
    weights = {"offset": grid.offset, "factor": grid.factor}
    return measure_of(question, "value-times-count", candidates=places, **weights)
