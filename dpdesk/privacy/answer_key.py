# SPDX-License-Identifier: Apache-2.0
"""What an answer is stored under: the question, and how its figures are drawn.

A stored answer is shown with the scales, margins and meaning of today's plan. That is true of it
only where it was drawn as today's plan would draw it, and the plan's own choices (a tree over the
bins, Gaussian noise rather than Laplace, how a share is split) may be made otherwise by a later
version. They are therefore part of the text: an answer drawn otherwise is another answer.

Scales are not: they follow from the share, the mechanism and the sensitivity, and their last bit
may be another one on another machine.
"""

from __future__ import annotations

from dpdesk.privacy.plan import Part
from dpdesk.study.json.strict_json import Members
from dpdesk.study.json.study_writer import canonical


def named(question: str, parts: tuple[Part, ...]) -> str:
    """One text for everything that the answer's distribution depends on.

    Args:
        question: see ``Question.canonical``.
        parts: its draws.
    """
    return f"{question} {canonical({'draws': [_members(part) for part in parts]})}"


def _members(part: Part) -> Members:
    """How one draw is made, in whole numbers; what the question states is left out."""
    noise, measure = part.noise, part.measure
    return {
        "name": part.name,
        "noise": [noise.mechanism, noise.measure, noise.monotonic],
        "shape": [part.cells, noise.blocks, noise.picks, *measure.widths],
        "sensitivity": part.sensitivity,
        "share": part.share.units,
        "threshold": noise.threshold,
        "quanta": [
            *(measure.kind, measure.offset, measure.factor, measure.last, measure.fineness),
            *(number for entry in measure.weights for number in entry),
            *(*measure.falls, *measure.scales, *measure.squares),
            *(number for pair in measure.contrasts for number in pair),
        ],
        "scores": [*measure.levels, measure.target],
    }
