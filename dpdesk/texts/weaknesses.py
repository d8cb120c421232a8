# SPDX-License-Identifier: Apache-2.0
"""What is said of a weakness of a plan and of what helps: the words of window and shell.

No number of it comes from data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from dpdesk.catalogue import Catalogue, Template, spoken
from dpdesk.privacy.planning.weak import Weakness
from dpdesk.study.text.unit_names import PLAIN, UnitNames, named_unit

FIRST: Final[dict[str, Template]] = {
    "whole-range": "The margin is as wide as the range.",
    "half-range": "The margin is at least half the range.",
    "group": "The margin is as large as the group.",
    "groups": "These are more groups than the budget supports.",
    "group-choice": "The group is too small for this choice.",
    "groups-choice": "These are more groups than the budget supports.",
    "no-guess": "It is not known yet how accurate this will be.",
    "no-guess-total": "The size of the groups has not been entered.",
    "no-guess-choice": "The size of the groups has not been entered.",
    "wide-bounds": "The bounds reach far beyond what is typical.",
    "twice": "This is the same request as an earlier query.",
    "twice-free": "This is the same request as an earlier query.",
    "twice-answered": "This is the same request as an earlier query.",
    "public": "This number is public already.",
    "all-places": "Every group has a place on this list: only their order costs budget.",
    "ages": "These are more age groups than the budget supports.",
    "first-bin": "Who enters in the first bin counts from its start.",
    "last-bin": "Anyone censored in the last bin counts as followed to its end.",
}
"""The short sentence, which stands out."""

REST: Final[dict[str, Template]] = {
    "whole-range": "Values run from {lowest} to {highest}: the figure is too noisy to use.",
    "half-range": "Values run from {lowest} to {highest}: the figure is of hardly any use.",
    "group": "With about {size} {rows}, the figure cannot be distinguished from 0.",
    "groups": "With {cells} groups of about {size} {rows} each, the figures cannot be "
    "distinguished from 0.",
    "group-choice": "With about {size} {rows}, the figure is too noisy to use.",
    "groups-choice": "With {cells} groups of about {size} {rows} each, the figures are too noisy "
    "to use.",
    "no-guess": "Estimate the {rows} in each of the {cells} groups. Figures need about {size} to "
    "be usable.",
    "no-guess-total": "Estimate the {rows} in each of the {cells} groups. With about {size} or "
    "fewer, a figure cannot be distinguished from 0.",
    "no-guess-choice": "Estimate the {rows} in each of the {cells} groups. With about {size} or "
    "fewer, a figure is too noisy to use.",
    "wide-bounds": "From {lowest} to {highest}, where {typical_lowest} to {typical_highest} is "
    "typical: the noise is scaled to the wider range.",
    "twice": "Both are charged. One query with both shares is more accurate.",
    "twice-free": "It is charged once, and the same figure appears twice.",
    "twice-answered": "The earlier query has a stored figure and costs nothing; this one would "
    "be charged.",
    "all-places": "You declared all {cells}, so the list itself is public. A count of each group "
    "costs the same and shows the order and the numbers.",
    "ages": "A rate is published only if each of the {cells} age groups has about {size} {rows} or "
    "more.",
    "first-bin": "That is right only of those who are there from {lowest}. A bin of {lowest} alone "
    "holds them; of everyone else, the entry then counts.",
    "last-bin": "If nobody is followed beyond {highest}, that biases the end of the curve. A last "
    "bin that begins at {highest} prevents it.",
    "public": "You declared it: {size}. The query costs nothing, and its share is not needed.",
}
"""The sentence with the numbers."""

REST_OF_ALL: Final[dict[str, Template]] = {
    "no-guess": "Estimate how many {rows} there are. The figure needs about {size} to be usable.",
}
"""The same of a query without groups, where it differs."""

ACTIONS: Final[dict[str, Template]] = {
    "other-groups": "Use {name}: {margin}",
    "fewer-groups": "Without {name}: {margin}",
    "no-groups": "Without groups: {margin}",
    "join": "Join neighbours, {cells} groups: {margin}",
    "join-ages": "Join neighbours, {cells} age groups: {margin}",
    "narrower": "Use {lowest} to {highest}: {margin}",
    "narrower+unknown": "Use {lowest} to {highest}",
    "more-budget": "Spend {share} for {margin}",
    "one-question": "Use one query with {share}: {margin}",
    "one-question+unknown": "Use one query with {share}",
    "leave-out": "Remove this query",
    "leave-out-row": "Remove this row",
    "no-columns": "Remove the groups",
    "no-share": "Remove the share",
    "count-groups": "Count each group: {margin}",
    "last-bin": "Begin a last bin at {first}",
    "first-bin": "Begin the second bin at {first}",
    "guess": "Enter an estimate",
}
"""What the one button does, with the margin that it gives."""


@dataclass(frozen=True)
class Wording:
    """How a weakness is put into words.

    Attributes:
        number: a number, by itself.
        text: a number that is a plain text.
        margin: a margin with its unit.
        names: what the study calls its rows and people.
    """

    number: Callable[[Fraction], str]
    text: Callable[[str], str]
    margin: Callable[[Fraction, str], str]
    names: UnitNames = PLAIN
    catalogue: Catalogue = field(default_factory=spoken)


def first(weakness: Weakness, wording: Wording) -> str:
    return wording.catalogue.say(FIRST[weakness.code])


def rest(weakness: Weakness, wording: Wording) -> str:
    numbers = {name: wording.number(value) for name, value in weakness.numbers.items()}
    if weakness.percent_factor == 100 and weakness.code.endswith("-range"):
        numbers = {key: f"{wording.number(100 * n)} %" for key, n in weakness.numbers.items()}
    rows = wording.names.people if weakness.of_people else wording.names.rows
    text = REST[weakness.code]
    if weakness.is_whole:
        text = REST_OF_ALL.get(weakness.code, text)
    return wording.catalogue.say(text, rows=rows, **numbers)


def action(weakness: Weakness, wording: Wording) -> str:
    """The one change that helps, and the margin that it gives."""
    helps, say = weakness.remedy, wording.catalogue.say
    names = {
        name: text if name == "name" else wording.text(text) for name, text in helps.names.items()
    }
    if helps.margin is None:
        return say(ACTIONS.get(f"{helps.code}+unknown", ACTIONS[helps.code]), **names)
    width = weakness.percent_factor * helps.margin
    margin = wording.margin(width, named_unit(weakness.unit, wording.names))
    return say(ACTIONS[helps.code], margin=margin, **names)
