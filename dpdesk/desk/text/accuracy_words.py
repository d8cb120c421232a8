# SPDX-License-Identifier: Apache-2.0
"""How accurate a query will be, in words: a margin of a figure, or how far off a choice may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from fractions import Fraction
from math import ceil

from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue, number_style
from dpdesk.desk.text.translating import tr
from dpdesk.privacy.noise.noise import Mechanism
from dpdesk.privacy.plan import QueryPlan, ScoreBound
from dpdesk.privacy.planning.choice_curve import ChoiceCurve
from dpdesk.privacy.planning.confidence_levels import levels_of
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import squared_unit
from dpdesk.release.bundle.query_headings import ReleaseWords, planned_form
from dpdesk.release.plan_report.accuracy import SCREENFUL, accuracy_text, is_ranked_from_best
from dpdesk.release.plan_report.planned_at import taken_for_granted
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import LinearModelParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.text.number_text import exact

TWO_DIGITS = 10
"""From so many on, a number that is rounded up to a whole one has two digits that count."""


def unit(study: Study, query: Query) -> str:
    """The unit of a query's margin, in a count the study's words; empty for choices."""
    kind = _kind(query)
    if query.declaration.is_share:
        return words.names(study).points
    if kind in ("rows", "people"):
        return counted(study, kind)
    own = words.unit_of(study, query) if kind is not None else ""
    return squared_unit(own) if own and kind == "squared" else own


def _kind(query: Query) -> str | None:
    """What a query's unit is: flipped answers are counted one a row."""
    return query.of if query.declaration.flips_answers else query.unit


def margin(study: Study, query: Query, width: Fraction) -> str:
    """ "± 12 days", "± 1 admission"."""
    kind = _kind(query)
    if kind in ("rows", "people"):
        return words.margin(width, counted(study, kind, width))
    return words.margin(as_read(query, width), unit(study, query))


def as_read(query: Query, width: Fraction) -> Fraction:
    """An accuracy as it is read and typed: a share's margin in percentage points."""
    return query.declaration.percent_factor * width


def is_bounded(query: Query) -> bool:
    """Whether the accuracy is a choice's bound, in rows or points, and no margin."""
    return not query.declaration.has_margin


def distance(study: Study, bound: ScoreBound, in_column: bool = False) -> str:
    """ "12 admissions", "5.5 rows", "1 person" or "30 points"; in a column "1,500 rows"."""
    value = bound.distance
    if bound.what in ("rows", "people"):
        return f"{number(value, in_column)} {counted(study, bound.what, value)}"
    if value.denominator != 1 or value >= SCREENFUL:
        said = number(value, in_column)
        return tr("Accuracy", "{0} points").format(said)
    return tr("Accuracy", "%n point(s)", "", value.numerator)


def counted(study: Study, what: str, value: Fraction | None = None) -> str:
    """What the study calls what is counted: "patient" where it is one, else "patients"."""
    names = words.names(study)
    if value == 1:
        return names.person if what == "people" else names.row
    return names.people if what == "people" else names.rows


def number(value: Fraction, in_column: bool = False) -> str:
    """Two significant digits, whole numbers below a thousand in full, without a sign.

    In a column it is rounded already, as all that stand beside it.
    """
    if in_column:
        return words.in_column(exact(value) or words.two_digits(value))
    digits = words.two_digits(value)
    return words.grouped(int(digits)) if digits.isdigit() else words.localised(digits)


def of_plan(study: Study, plan: QueryPlan) -> str:
    """In a line: "± 12 days", "rank off by at most 12 rows"; empty where unknown."""
    if plan.bound is None:
        return margin(study, plan.query, plan.half_width) if plan.half_width is not None else ""
    return accuracy_text(study, plan, ReleaseWords(catalogue(), number_style()))


def needs(study: Study, query: Query) -> str:
    """What estimate is lacking, without which it is unknown what a query's figures are worth."""
    if query.by:
        return tr("Accuracy", "no group size estimated")
    what = tr("Accuracy", "no number of {0} estimated")
    return what.format(counted(study, of_whom(query)))


def of_whom(query: Query) -> str:
    """Whether people or rows are in the groups of a query."""
    return "people" if query.unit == "people" else query.of


def in_short(study: Study, plan: QueryPlan) -> str:
    """For a column of a table: "± 12 days", "12 rows"; empty where unknown."""
    return distance(study, plan.bound) if plan.bound is not None else of_plan(study, plan)


def sentence(study: Study, plan: QueryPlan) -> str:
    """What the share buys; empty where the accuracy is unknown."""
    if plan.is_public:
        return tr("Accuracy", "Public: it costs nothing, and is exact.")
    cost = words.amount(plan.share)
    if plan.bound is None:
        if plan.half_width is None:
            return ""
        template = tr("Accuracy", "95 times in 100 within {0} for {1} of budget.")
        return template.format(margin(study, plan.query, plan.half_width), cost)
    if plan.query.declaration.finds == "bounds":
        template = tr(
            "Accuracy",
            "95 times in 100 the bounds cover every order of magnitude that {0} have, for {1} of "
            "budget.",
        )
    elif is_ranked_from_best(plan):
        template = tr(
            "Accuracy",
            "95 times in 100 at most {0} further away than the best candidate, for {1} of budget.",
        )
    else:
        template = tr("Accuracy", "95 times in 100 at most {0} away, for {1} of budget.")
    return template.format(distance(study, plan.bound), cost)


def is_in_full(plan: QueryPlan) -> bool:
    """Whether its accuracy is said with all its digits, as those beside it then are, too."""
    width = plan.accuracy
    if width is None:
        return False
    read = as_read(plan.query, width)
    return read.denominator == 1 and read < SCREENFUL


def mark(study: Study, plan: QueryPlan, in_full: bool = False) -> str:
    """What is below the handle: "±12", or "12 rows"; empty where unknown.

    Marks stand beside each other as figures in a column do, and have the same separators.

    Args:
        study: the open study.
        plan: of a share.
        in_full: whole numbers have all their digits; else all numbers have two that count.
    """
    if plan.bound is not None:
        near = _on_scale(plan.bound.distance, in_full)
        return distance(study, replace(plan.bound, distance=near), in_column=True)
    if plan.half_width is None:
        return ""
    return f"±{number(_on_scale(as_read(plan.query, plan.half_width), in_full), in_column=True)}"


def _on_scale(value: Fraction, in_full: bool) -> Fraction:
    """A number as it is on a scale; see :func:`mark`."""
    if in_full and value >= TWO_DIGITS:
        return Fraction(ceil(value))
    # A thousand times as large, it is no number that is written in full.
    is_whole = value.denominator == 1 and not in_full
    factor = SCREENFUL if is_whole else 1
    return Fraction(words.two_digits(value * factor)) / factor


def margin_label(query: Query) -> str:
    """What the field of the margin is called."""
    if query.declaration.finds == "bounds":
        return tr("Accuracy", "95 times in 100 fou&nd from")
    if is_bounded(query):
        return tr("Accuracy", "95 times in 100 at &most")
    return tr("Accuracy", "95 times in 100 &within")


def margin_unit(study: Study, query: Query, plan: QueryPlan | None) -> str:
    """What is in that field behind the number."""
    if not is_bounded(query):
        return unit(study, query)
    what = plan.bound.what if plan is not None and plan.bound is not None else query.of
    if query.declaration.finds == "bounds":
        return counted(study, query.of)
    if what not in ("rows", "people"):
        return tr("Accuracy", "points away")
    return tr("Accuracy", "{0} away").format(counted(study, what))


def short_unit(study: Study, query: Query, plan: QueryPlan | None) -> str:
    """The same below a head that says "within", where there is little room: "rows"."""
    what = plan.bound.what if plan is not None and plan.bound is not None else query.of
    if is_bounded(query) and what in ("rows", "people"):
        return counted(study, what)
    return margin_unit(study, query, plan)


def noise(plan: QueryPlan) -> str:
    """Which noise is used, as a sentence."""
    return noise_of({part.noise.mechanism for part in plan.parts})


def noise_of(used: Set[Mechanism]) -> str:
    """Which noise some draws use, as a sentence."""
    if used == {"laplace"}:
        return tr("Accuracy", "Laplace noise.")
    if used == {"gaussian"}:
        return tr("Accuracy", "Gaussian noise.")
    if used == {"noisy-max"}:
        return tr("Accuracy", "A noisy choice among the candidates.")
    if used == {"randomised-response"}:
        return tr("Accuracy", "Each answer is flipped with a known probability.")
    return tr("Accuracy", "Laplace and Gaussian noise.")


def facts(study: Study, plan: QueryPlan) -> str:
    """The noise, and what else is worth knowing before the release."""
    if plan.is_public:
        return sentence(study, plan)
    granted = _granted(study, plan) if _is_model(plan) else ""
    said = (*filter(None, (granted,)), *_way_of_quantiles(plan), *_beside_others(plan))
    if plan.form is not None:
        said = (*said, planned_form(plan, ReleaseWords(catalogue(), number_style())))
    sentences = [noise(plan), *said, *other_levels(study, plan)]
    if plan.beside is not None:
        template = tr("Accuracy", "Noise on the count instead would be within {0}.")
        sentences.append(template.format(margin(study, plan.query, Fraction(plan.beside))))
    if plan.found_from is not None:
        template = tr("Accuracy", "A category that {0} {1} have is found 95 times in 100.")
        people = counted(study, "people")
        sentences.append(template.format(words.grouped(plan.found_from), people))
    return " ".join(sentences)


def _way_of_quantiles(plan: QueryPlan) -> tuple[str, ...]:
    """How quantiles are drawn, and what that means for asking more of them."""
    if not plan.query.declaration.reads_counts:
        return ()
    if not plan.query.declaration.can_ask_more:
        both = tr("Accuracy", "Both quartiles are read from the same noisy counts.")
        return (both,) if plan.parts[0].noise.is_additive else ()
    if plan.parts[0].noise.is_additive:
        return (
            tr(
                "Accuracy",
                "All quantiles are read from the same noisy counts, so more of them cost no "
                "accuracy.",
            ),
        )
    return (
        tr(
            "Accuracy",
            "Each quantile is chosen by itself, so more of them make each less accurate.",
        ),
    )


def _beside_others(plan: QueryPlan) -> tuple[str, ...]:
    """What tables over the same rows mean for its figures."""
    if plan.is_left_as_drawn:
        left = tr("Accuracy", "Too many cells for tables over the same rows to be made to add up.")
        return (left,)
    if plan.joined is None:
        return ()
    if len(plan.joined.tables) == 1:
        total = tr(
            "Accuracy",
            "The release makes its counts add up to the public total, which makes this margin "
            "smaller.",
        )
        return (total,)
    template = tr(
        "Accuracy",
        "The release makes it add up with %n other table(s) over the same rows, which makes this "
        "margin smaller.",
        "",
        len(plan.joined.tables) - 1,
    )
    return (template,)


def meaning_of_margin(study: Study, plan: QueryPlan | None) -> str:
    """What a margin takes for granted that nobody typed, or what one of a rank means."""
    if plan is None or plan.is_public or _is_model(plan):
        return ""
    return _granted(study, plan) or meaning_of_rank(study, plan)


def _is_model(plan: QueryPlan) -> bool:
    """Whether what its margin takes for granted has figures, which each share changes."""
    return isinstance(plan.query.parameters, LinearModelParameters)


def _granted(study: Study, plan: QueryPlan) -> str:
    said = "; ".join(taken_for_granted(study, plan, ReleaseWords(catalogue(), number_style())))
    return f"{said[0].upper()}{said[1:]}." if said else ""


def meaning_of_rank(study: Study, plan: QueryPlan | None) -> str:
    """What "145 rows off" means, where what is published is a place in an order; else empty."""
    if plan is None or plan.bound is None or plan.query.declaration.chooses != "rank":
        return ""
    template = tr(
        "Accuracy", "Sorted by value, the published value is at most {0} away from the exact one."
    )
    if is_ranked_from_best(plan):
        template = tr(
            "Accuracy",
            "Sorted by value, the published value is at most {0} further from the exact one than "
            "the best candidate. The best candidate itself may be any number of {1} away.",
        )
    return template.format(distance(study, plan.bound), counted(study, plan.bound.what))


def meaning_of_ranks(study: Study, plans: Iterable[QueryPlan | None]) -> str:
    """The same for several plans, once for all; empty where none publishes a place in an order."""
    ranked = [plan for plan in plans if plan is not None and meaning_of_rank(study, plan)]
    kinds = {(is_ranked_from_best(plan), plan.query.of) for plan in ranked}
    exact = tr(
        "Accuracy",
        "Rank: sorted by value, the published value is at most this many {0} away from the exact "
        "one.",
    )
    best = tr(
        "Accuracy",
        "Rank among declared candidates: sorted by value, the published value is at most this many "
        "{0} further from the exact one than the best candidate.",
    )
    said = {False: exact, True: best}
    return "\n".join(said[is_best].format(counted(study, of)) for is_best, of in sorted(kinds))


def other_levels(study: Study, plan: QueryPlan) -> Iterator[str]:
    """How near 90 and 99 times in 100, and all figures at once; where that takes no time."""
    if not METHODS[plan.query.statistic].has_quick_levels:
        return
    known = levels_of(plan)
    if known is None:
        return
    shown = {
        times: _near(study, plan, width)
        for times, width in zip(known.in_100, known.each, strict=True)
        if times != 95
    }
    template = tr("Accuracy", "90 in 100: {0}; 99 in 100: {1}.")
    yield template.format(shown[90], shown[99])
    if known.claims > 1:
        together = dict(zip(known.in_100, known.at_once, strict=True))[95]
        template = tr("Accuracy", "All {0} at once, 95 in 100: {1}.")
        yield template.format(words.grouped(known.claims), _near(study, plan, together))


def _near(study: Study, plan: QueryPlan, width: Fraction) -> str:
    """A margin, or how far off."""
    if plan.bound is None:
        return margin(study, plan.query, width)
    return distance(study, replace(plan.bound, distance=width))


def limit(study: Study, bound: ScoreBound, rises: bool) -> str:
    """What is at a bound in the picture of a choice."""
    if rises:
        template = tr("Accuracy", "95 in 100 from\n{0} on")
    else:
        template = tr("Accuracy", "95 in 100 are at\nmost {0} away")
    return template.format(distance(study, bound))


def axis(study: Study, what: str, curve: ChoiceCurve) -> str:
    """What the picture of a choice counts to the right."""
    if curve.rises:
        return counted(study, what)
    if curve.reads_ranks:
        return tr("Accuracy", "{0} from the wanted rank").format(counted(study, what))
    if what not in ("rows", "people"):
        return tr("Accuracy", "points worse than the best")
    return tr("Accuracy", "{0} worse than the best").format(counted(study, what))
