# SPDX-License-Identifier: Apache-2.0
"""What a release's queries are called, and what they ask, for all that a person reads of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dpdesk.catalogue import ENGLISH, Catalogue, Template
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.text.titles import sentence
from dpdesk.study.text.unit_names import UnitNames, names_of

CATALOGUE: Final[Catalogue] = ENGLISH
"""The language of what is signed: one for everybody, until a study declares another."""
say, say_count = CATALOGUE.say, CATALOGUE.say_count

UNTITLED: Final[Template] = "Released statistics"
"""What heads a release whose study has no title."""


@dataclass(frozen=True)
class Heading:
    """One query's heading.

    Attributes:
        title: what it is called.
        question: what it asks, where the title is the custodian's own words; else empty.
    """

    title: str
    question: str = ""


def headings_of(record: ReleaseRecord) -> dict[str, Heading]:
    """The heading of each query of a release, by the query's id.

    Records before format 3 had the declared title alone; theirs is made of their own study.
    """
    study = record.study.study
    requested = {q.id: sentence(study, q) for q in study.queries} if study is not None else {}
    return {q.id: _heading(q.title, requested.get(q.id, q.id)) for q in record.queries}


def _heading(title: str, question: str) -> Heading:
    return Heading(title or question, "" if title in ("", question) else question)


def release_title(record: ReleaseRecord) -> str:
    """What a release is headed by: its study's title, where it has one."""
    declared = record.study.title
    return declared if declared.strip() else say(UNTITLED)


def released_names(record: ReleaseRecord) -> UnitNames:
    """What a release's study calls its rows and people."""
    study = record.study.study
    return names_of(study.unit if study is not None else None)
