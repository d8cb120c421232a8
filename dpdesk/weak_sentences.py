# SPDX-License-Identifier: Apache-2.0
"""What is said of a weakness of a plan and of what helps: the words of window and shell.

As in ``sentences``, the desk translates the templates when it shows them, in the context ``Weak``,
and a translation file takes its entries from this table. No number of it comes from data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.explain.weak import Weakness
from dpdesk.study.text.unit_names import PLAIN, UnitNames, named_unit

FIRST: dict[str, str] = {
    "whole-range": "The margin is as wide as the range.",
    "half-range": "The margin is half of the range or more.",
    "group": "The margin is as large as the group.",
    "groups": "These are more groups than the budget carries.",
    "no-guess": "Nobody knows yet how accurate this will be.",
    "no-guess-total": "Nobody has said how large the groups are.",
    "wide-bounds": "The bounds reach far beyond what is typical.",
    "twice": "This asks the same as an earlier query.",
    "twice-free": "This asks the same as an earlier query.",
}
"""The short sentence, which stands out."""

REST: dict[str, str] = {
    "whole-range": "Values run from {lowest} to {highest}: the figure says nothing.",
    "half-range": "Values run from {lowest} to {highest}: the figure says next to nothing.",
    "group": "With about {size} {rows}, the figure cannot be told from 0.",
    "groups": "With {cells} groups of about {size} {rows} each, the figures cannot be told from 0.",
    "no-guess": "Type about how many {rows} a group has; it takes {size} or so to say something.",
    "no-guess-total": "Type about how many {rows} a group has; it takes {size} or so for figures "
    "that can be told from 0.",
    "wide-bounds": "From {lowest} to {highest}, where {typical_lowest} to {typical_highest} is "
    "typical: the noise is made for the wider range.",
    "twice": "Both are paid for. Asked once with both shares, it is more accurate.",
    "twice-free": "It is paid for once, and the same answer is printed twice.",
}
"""The sentence with the numbers."""

ACTIONS: dict[str, str] = {
    "other-groups": "Use {name}: {margin}",
    "fewer-groups": "Without {name}: {margin}",
    "no-groups": "Without groups: {margin}",
    "join": "Join neighbours, {cells} groups: {margin}",
    "narrower": "Use {lowest} to {highest}: {margin}",
    "narrower+unknown": "Use {lowest} to {highest}",
    "more-budget": "Spend {share}: {margin}",
    "one-question": "Ask once for {share}: {margin}",
    "one-question+unknown": "Ask once for {share}",
    "leave-out": "Leave this question out",
    "guess": "Type a guess",
}
"""What the one button does, with the margin that it gives."""


@dataclass(frozen=True)
class Way:
    """How numbers are written.

    Attributes:
        number: a number, by itself.
        text: a number that is a plain text.
        margin: a margin with its unit.
        names: what the study calls its rows and people.
        translate: a template in the reader's language.
    """

    number: Callable[[Fraction], str]
    text: Callable[[str], str]
    margin: Callable[[Fraction, str], str]
    names: UnitNames = PLAIN
    translate: Callable[[str], str] = str


def first(found: Weakness, way: Way) -> str:
    """What is weak, in a short sentence."""
    return way.translate(FIRST[found.code])


def rest(found: Weakness, way: Way) -> str:
    """What is weak, in numbers."""
    numbers = {name: way.number(value) for name, value in found.numbers.items()}
    return way.translate(REST[found.code]).format(rows=_counted(found, way.names), **numbers)


def _counted(found: Weakness, names: UnitNames) -> str:
    """What a group's size is counted in."""
    return names.people if found.unit == "people" else names.rows


def action(found: Weakness, way: Way) -> str:
    """The one change that helps, and the margin that it gives."""
    helps = found.remedy
    names = {name: text if name == "name" else way.text(text) for name, text in helps.names.items()}
    if helps.margin is None:
        unknown = f"{helps.code}+unknown"
        return way.translate(ACTIONS.get(unknown, ACTIONS[helps.code])).format(**names)
    margin = way.margin(helps.margin, named_unit(found.unit, way.names))
    return way.translate(ACTIONS[helps.code]).format(margin=margin, **names)
