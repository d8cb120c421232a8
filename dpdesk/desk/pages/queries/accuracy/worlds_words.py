# SPDX-License-Identifier: Apache-2.0
"""The same query in two worlds, in words: what a promise to one person compares."""

from __future__ import annotations

from html import escape

from dpdesk.desk.plots.two_worlds_plot import WorldsWords
from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.privacy.accounting.guess_probability import likelihood_ratio
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.statistics.base import squared_unit
from dpdesk.study.model.amount import AccountDelta, Epsilon, Share
from dpdesk.study.model.document import Study


def in_picture(study: Study, plan: QueryPlan) -> WorldsWords:
    """What is in the picture of a query's two worlds."""
    names = _of_the_worlds(study)
    if plan.parts[0].noise.is_additive:
        return WorldsWords(*names, unit=_unit(study, plan))
    if plan.bound is None:
        first = tr("Worlds", "if it is no")
        second = tr("Worlds", "if it is yes")
        axis = tr("Worlds", "what is said")
        return WorldsWords(first, second, axis, answers=(tr("Worlds", "no"), tr("Worlds", "yes")))
    if plan.bound.what in ("rows", "people"):
        what = accuracy_words.counted(study, plan.bound.what)
    else:
        what = tr("Worlds", "points")
    if _replaces(study):
        axis = tr("Worlds", "{0} ahead, with the values in the data")
    else:
        axis = tr("Worlds", "{0} ahead, if not in the data")
    return WorldsWords(*names, axis.format(what))


def caption(study: Study, plan: QueryPlan) -> str:
    part = plan.parts[0]
    if plan.found_from is not None:
        return tr("Worlds", "Drawn for the count of one category that others have as well.")
    if part.noise.mechanism == "randomised-response":
        return tr("Worlds", "How often one row says yes or no, by what it contains.")
    draws = len(plan.parts) * part.noise.picks
    several = tr("Worlds", "Drawn for one of the %n draw(s) that share the budget.", "", draws)
    if part.noise.mechanism == "noisy-max":
        choice = tr(
            "Worlds",
            "How often one of two candidates is chosen, by how far it is ahead of the other. The "
            "curves are as far apart as the budget allows.",
        )
        return f"{choice} {several}" if draws > 1 else choice
    if len(plan.parts) == 1:
        text = tr("Worlds", "Drawn for the {0} who changes the figure most.")
        return text.format(words.names(study).person)
    return several


def explanation(study: Study, share: Share, delta: AccountDelta) -> str:
    """What two worlds mean; rich text.

    Args:
        study: it says what a person is called.
        share: what the query costs.
        delta: the account's.
    """
    person = escape(words.names(study).person)
    if _replaces(study):
        head = tr(
            "Worlds",
            "<b>The same query in two worlds:</b> one {0} has the values in the data, or any "
            "others.",
        )
    else:
        head = tr(
            "Worlds", "<b>The same query in two worlds:</b> one {0} is in the data, or is not."
        )
    if isinstance(share, Epsilon):
        template = tr(
            "Worlds",
            "Any figure you could see is at most <b>{0} times</b> as likely in one world as in "
            "the other. A budget of {1} guarantees that.",
        )
        ratio = words.localised(f"{likelihood_ratio(share):.3g}")
        bound = template.format(ratio, words.amount(share))
    else:
        template = tr(
            "Worlds",
            "Figures that are much likelier in one world than in the other are themselves "
            "unlikely. A budget of {0} guarantees that.",
        )
        bound = template.format(words.budget(share))
    template = tr(
        "Worlds",
        "So a guess about this {0} can be right at most <b>{1}</b> times; a coin toss: 50 in 100.",
    )
    bound_of_guess = words.guess_probability(share, delta)
    if not bound_of_guess:
        template = tr(
            "Worlds",
            "So a guess about this {0} can be right nearly always, <b>more than 99 in 100</b> "
            "times; a coin toss: 50.",
        )
    guess = template.format(person, bound_of_guess)
    return "<br><br>".join((head.format(person), bound, guess))


def _replaces(study: Study) -> bool:
    """Whether neighbours have other values of the person, not a person more or less."""
    return study.unit is not None and study.unit.neighbours == "change-one"


def _of_the_worlds(study: Study) -> tuple[str, str]:
    if _replaces(study):
        first = tr("Worlds", "values in the data")
        return first, tr("Worlds", "other values")
    first = tr("Worlds", "not in the data")
    return first, tr("Worlds", "in the data")


def _unit(study: Study, plan: QueryPlan) -> str:
    """Of the first draw, which need not be the query's: a mean's is a sum, a share's a count."""
    measure, own = plan.parts[0].measure, words.unit_of(study, plan.query)
    kind, is_squared = measure.kind, any(product for *_, product in measure.weights)
    if kind in ("sum", "joint-sums"):
        return squared_unit(own) if own and is_squared else own
    counts_people = kind in ("people", "found")
    return accuracy_words.counted(study, "people" if counts_people else plan.query.of)
