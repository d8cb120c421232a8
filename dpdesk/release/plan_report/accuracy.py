# SPDX-License-Identifier: Apache-2.0
"""How accurate a planned query will be, in words: the one place for window, shell and documents."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpdesk.privacy.plan import QueryPlan, ScoreBound
from dpdesk.privacy.planning.weak import unit_of
from dpdesk.privacy.statistics.variance import mean_before
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.study.model.document import Study
from dpdesk.study.text.number_text import PLUS_MINUS, NumberStyle, in_column, in_text, two_digits
from dpdesk.study.text.titles import rate_unit
from dpdesk.study.text.unit_names import UnitNames, named_unit, names_of, translated_names

Write = Callable[[str, NumberStyle], str]
SCREENFUL = 1000
"""Numbers from here on are shown with group separators and two digits."""


def accuracy_text(
    study: Study, plan: QueryPlan, words: ReleaseWords, in_table: bool = False
) -> str:
    """ "± 12 days", "rank off by at most 12 rows", "reach what 40 rows have"; empty where unknown.

    Of a Table 1's mean and standard deviation "mean ± 3 days, standard deviation ± 12 days".

    Args:
        study: whose words for rows and people are used.
        in_table: numbers have the separators of those that stand below each other.
    """
    write = in_column if in_table else in_text
    names = names_of(study.unit, translated_names(words.catalogue))
    if plan.bound is None:
        per = rate_unit(study, plan.query, words.language)
        own = " ".join(filter(None, (_margin(plan, names, words, write), per)))
        mean = mean_beside(plan)
        if not own or mean is None:
            return own
        beside = f"{PLUS_MINUS} {write(two_digits(mean), words.numbers)} {unit_of(plan)}".rstrip()
        return words.say("mean {mean}, standard deviation {spread}", mean=beside, spread=own)
    distance, declared = _distance(plan.bound, names, words, write), plan.query.declaration
    if declared.finds is not None:
        return words.say("reach what {distance} have", distance=distance)
    if is_ranked_from_best(plan):
        return words.say(
            "rank at most {distance} further away than the best candidate’s", distance=distance
        )
    if declared.chooses == "rank":
        return words.say("rank at most {distance} away", distance=distance)
    return words.say("at most {distance} away", distance=distance)


def mean_beside(plan: QueryPlan) -> Fraction | None:
    """The margin of the mean that a Table 1 shows with this standard deviation."""
    component = plan.query.component
    is_mean = component is not None and component.figures == "moments"
    return mean_before(plan) if is_mean else None


def is_ranked_from_best(plan: QueryPlan) -> bool:
    """Whether a rank's bound counts from the best of declared candidates, not from the rank."""
    bound, declared = plan.bound, plan.query.declaration
    return bound is not None and bound.is_from_best and declared.chooses == "rank"


def _margin(plan: QueryPlan, names: UnitNames, words: ReleaseWords, write: Write) -> str:
    if plan.half_width is None:
        return ""
    if plan.is_public:
        return words.say("public, costs nothing")
    width = plan.query.declaration.percent_factor * plan.half_width
    kind = plan.query.of if plan.query.declaration.flips_answers else unit_of(plan)
    number = write(two_digits(width), words.numbers)
    return f"{PLUS_MINUS} {number} {_counted(kind, width, names)}".rstrip()


def _distance(bound: ScoreBound, names: UnitNames, words: ReleaseWords, write: Write) -> str:
    """ "12 admissions", "1 person", "30 points": how far from the best choice one may be."""
    number = write(two_digits(bound.distance), words.numbers)
    if bound.what in ("rows", "people"):
        return f"{number} {_counted(bound.what, bound.distance, names)}"
    if bound.distance.denominator != 1 or bound.distance >= SCREENFUL:
        return words.say("{number} points", number=number)
    return words.say_count(bound.distance.numerator, "{n} point", "{n} points", n=number)


def _counted(unit: str, value: Fraction, names: UnitNames) -> str:
    """A unit in the study's words: one patient, several patients."""
    one = {"rows": names.row, "people": names.person} if value == 1 else {}
    return one.get(unit) or named_unit(unit, names)
