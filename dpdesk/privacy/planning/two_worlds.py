# SPDX-License-Identifier: Apache-2.0
r"""The same query with and without one person, as arrays; made from the plan alone.

What is drawn depends on what leaves the door:

* *A figure* with noise: its distribution, and the same moved by the whole sensitivity.
* *A choice* among candidates: how often one of two is chosen, by how far it is ahead of the
  other without the person, and the same with her, who moves them apart as far as is paid for.
  That pair is the worst: of two candidates the one ahead by g is left out with probability
  e^(-g / scale) / 2 (permute and flip) or 1 / (1 + e^(g / scale)) (Gumbel), and while it is
  behind the ratio of both worlds reaches, or comes near to, e^loss. With more candidates a
  person can do no more: the loss is the mechanism's (``door.loss``) whatever their number.
* *A flipped answer*: what one cell says where it holds no, and where it holds yes.

Claim: no ratio of the two leaves the range from e^-loss to e^loss of the draw, in pure epsilon.
Why: each is the exact probability (of a figure: the density of the envelope) of one outcome in two
neighbouring worlds, and the loss is the mechanism's privacy map at that distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpdesk.privacy.distributions.laplace import FloatVector
from dpdesk.privacy.distributions.selection import chances
from dpdesk.privacy.noise.noise import SQUARED_NORMS
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.planning.curves import POINTS, REACH
from dpdesk.privacy.statistics.base import score_points, way_of

SCALES = 4
"""How far the picture of a choice reaches, in scales of the noise."""

Outcome = Literal["figure", "choice", "flipped"]


@dataclass(frozen=True)
class TwoWorlds:
    """What leaves with and without one person.

    Attributes:
        outcome: what is drawn; see the head of the module.
        x: of a figure, positions in the result's unit, relative to the figure without the person;
            of a choice, how far one candidate is ahead without her, in the bound's unit; of a
            flipped answer, from 0 to 1 it says no, from 1 to 2 yes.
        without, with_person: densities of a figure, otherwise probabilities.
        ratio: without / with_person at each position.
        bound: e^loss, which the ratio never leaves (nor its inverse); infinite in zCDP, where a
            larger ratio is unlikely, not impossible.
    """

    outcome: Outcome
    x: FloatVector
    without: FloatVector
    with_person: FloatVector
    ratio: FloatVector
    bound: float


def two_worlds(plan: QueryPlan) -> TwoWorlds:
    """The worst pair of worlds for a query's first part."""
    part = plan.parts[0]
    if part.noise.is_additive:
        return _of_a_figure(part)
    return _of_a_choice(part) if part.noise.mechanism == "noisy-max" else _of_an_answer(part)


def _of_a_figure(part: Part) -> TwoWorlds:
    unit, shift = float(part.width), moved(part)
    reach = max(REACH * part.half_width, 2.0 * shift)
    x = np.linspace(-reach, reach + shift, POINTS)
    here, there = _height(part, x), _height(part, x - shift)
    with np.errstate(divide="ignore", over="ignore"):
        ratio = np.exp(_log_height(part, x) - _log_height(part, x - shift))
    return TwoWorlds("figure", x * unit, here / unit, there / unit, ratio, _bound(part))


def _of_a_choice(part: Part) -> TwoWorlds:
    shift = moved_apart(part)
    reach = math.ceil(SCALES * part.noise.scale)
    step = max(1, (2 * reach + shift) // POINTS)
    ahead = np.arange(-reach - shift, reach + 1, step)
    here = np.array([_first(part, int(gap)) for gap in ahead])
    there = np.array([_first(part, int(gap) + shift) for gap in ahead])
    point = float(part.width / score_points(part))
    x = ahead.astype(np.float64) * point
    return TwoWorlds("choice", x, here, there, here / there, _bound(part))


def _of_an_answer(part: Part) -> TwoWorlds:
    p = part.noise.scale
    says_no, says_yes = np.array([p, p, 1 - p, 1 - p]), np.array([1 - p, 1 - p, p, p])
    x, ratio = np.array([0.0, 1.0, 1.0, 2.0]), says_no / says_yes
    return TwoWorlds("flipped", x, says_no, says_yes, ratio, _bound(part))


def moved(part: Part) -> float:
    """How far one person can move one entry of a vector, in quanta."""
    is_squared = part.noise.norm in SQUARED_NORMS
    return math.sqrt(part.sensitivity) if is_squared else float(part.sensitivity)


def moved_apart(part: Part) -> int:
    """How far one person can move the scores of two candidates apart, in points.

    Scores whose sensitivity is the largest rise plus the largest fall move apart by that; where
    it is the largest change of one, one can rise and the other fall by as much. Of several groups
    in zCDP it is what one group's scores would move by for the same loss.
    """
    distance = int(moved(part))
    return distance if part.noise.monotonic else 2 * distance


def _first(part: Part, gap: int) -> float:
    """How often the first of two candidates is chosen that is ahead by this many points."""
    return float(chances((gap, 0), part.noise.scale, way_of(part.noise))[0])


def _height(part: Part, x: FloatVector) -> FloatVector:
    result: FloatVector = np.exp(_log_height(part, x))
    return result


def _log_height(part: Part, x: FloatVector) -> FloatVector:
    """Logarithm of the envelope of the noise's probabilities."""
    scale = part.scale
    if part.noise.mechanism == "gaussian":
        result: FloatVector = -0.5 * (x / scale) ** 2 - math.log(scale * math.sqrt(2 * math.pi))
        return result
    return -np.abs(x) / scale + math.log(math.tanh(0.5 / scale))


def _bound(part: Part) -> float:
    """e^loss of one draw in pure epsilon; in zCDP no ratio is impossible, only unlikely."""
    picks = part.noise.picks
    return math.exp(part.loss / picks) if part.noise.measure == "epsilon" else math.inf
