# SPDX-License-Identifier: Apache-2.0
"""What a standardised rate is weighted by: which ages of its standard, merged to which groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import cell_writer
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.study.model.columns import CLAMP, Column, NumberColumn
from dpdesk.study.model.groupings import Bins, labels_of
from dpdesk.study.model.parameters import (
    OWN_WEIGHTS,
    ByAgeParameters,
    StandardName,
    StandardParameters,
)
from dpdesk.study.standard_populations import bands_of, people_of, standards
from dpdesk.study.text.number_text import in_text, plain
from dpdesk.study.text.titles import weighted_by

_AGES: Final[Template] = (
    "Age groups: {ages}. Ages beyond {lowest} to {highest} count in the first and the last."
)
_ALL_AGES: Final[Template] = "Age groups: {ages}."
_WHOLE: Final[Template] = "{standard}, all of its {all} people."
_FROM: Final[Template] = (
    "{standard}, shortened to the ages from {first} on: {people} of its {all} people are weighted. "
    "Such a rate is not comparable with one of all ages."
)
_FROM_TO: Final[Template] = (
    "{standard}, shortened to the ages from {first} to {last}: {people} of its {all} people are "
    "weighted. Such a rate is not comparable with one of all ages."
)
_MERGED: Final[Template] = "Its age bands were merged, each group with the sum of theirs: {groups}."
_OPEN: Final[Template] = "Its bands from {first} on were merged to the open group “{group}”."
_OF_GROUP: Final[Template] = "{group}: {people}"


def about_ages(charted: Charted) -> str:
    """The age groups that a rate was standardised over, open ends named; may be empty."""
    asked, study, words = charted.requested, charted.study, charted.words
    own = None if asked is None else asked.parameters
    if study is None or not isinstance(own, ByAgeParameters):
        return ""
    column = study.column(own.over)
    if not isinstance(column, NumberColumn) or column.lower is None or column.upper is None:
        return ""
    write = cell_writer("bins", words)
    ages = ", ".join(map(write, labels_of(Bins(column.name, own.edges), column)))
    if column.outside != CLAMP:
        return words.say(_ALL_AGES, ages=ages)
    lowest, highest = (words.number(plain(end)) for end in (column.lower, column.upper))
    return words.say(_AGES, ages=ages, lowest=lowest, highest=highest)


def about_standard(charted: Charted) -> str:
    """How the standard was shortened and merged to the declared age groups; may be empty."""
    asked, study = charted.requested, charted.study
    own = None if asked is None else asked.parameters
    if study is None or not isinstance(own, StandardParameters) or own.standard is None:
        return ""
    column = study.column(own.over)
    if column is None or own.standard == OWN_WEIGHTS:
        return ""
    people = people_of(own.standard, own.grouping, column)
    weights = {label: many for label, many in people.items() if many is not None}
    if not weights or len(weights) < len(people):
        return ""
    title = weighted_by(own, charted.words.language)
    return " ".join(_sentences(title, own, column, weights, charted.words))


def _sentences(
    title: str,
    own: StandardParameters,
    column: Column,
    weights: Mapping[str, int],
    words: ReleaseWords,
) -> Iterator[str]:
    name: StandardName = own.standard or OWN_WEIGHTS
    standard, bands = standards()[name], bands_of(name, own.grouping, column)
    firsts = sorted(first for of_group in bands.values() for first in of_group)
    each = dict(standard.bands)
    said = {"standard": title, "all": _number(sum(each.values()), words)}
    said |= {"people": _number(sum(weights.values()), words)}
    later = [first for first in each if first > firsts[-1]]
    if later:
        ends = {"first": str(firsts[0]), "last": str(later[0] - 1)}
        yield words.say(_FROM_TO, **said, **ends)
    elif firsts[0]:
        yield words.say(_FROM, **said, first=str(firsts[0]))
    else:
        yield words.say(_WHOLE, standard=title, all=said["all"])
    write = cell_writer("bins" if isinstance(column, NumberColumn) else "group", words)
    merged = {label: of_group for label, of_group in bands.items() if len(of_group) > 1}
    if [*merged] == [*bands][-1:] and not later:
        ((label, of_group),) = merged.items()
        yield words.say(_OPEN, first=str(of_group[0]), group=write(label))
    elif merged:
        groups = (
            words.say(_OF_GROUP, group=write(label), people=_number(many, words))
            for label, many in weights.items()
        )
        yield words.say(_MERGED, groups="; ".join(groups))


def _number(people: int, words: ReleaseWords) -> str:
    return in_text(str(people), words.numbers)
