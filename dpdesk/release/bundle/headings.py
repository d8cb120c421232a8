# SPDX-License-Identifier: Apache-2.0
"""What a release's queries are called, and what they ask, for all that a person reads of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpdesk.release.reprice import read_released_study
from dpdesk.study.text.titles import sentence
from dpdesk.study.text.unit_names import UnitNames, names_of

UNTITLED = "Released statistics"
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


def headings_of(predicate: Mapping[str, Any]) -> dict[str, Heading]:
    """The heading of each query of a release's record, by the query's id.

    Records before format 3 had the declared title alone; theirs is made of their own study.
    """
    study = read_released_study(predicate["study"])
    asked = {q.id: sentence(study, q) for q in study.queries} if study is not None else {}
    return {
        query["id"]: _heading(query["title"], asked.get(query["id"], query["id"]))
        for query in predicate["queries"]
    }


def _heading(title: str, question: str) -> Heading:
    return Heading(title or question, "" if title in ("", question) else question)


def release_title(predicate: Mapping[str, Any]) -> str:
    """What a release is headed by: its study's title, where it has one."""
    declared = str(predicate["study"]["title"])
    return declared if declared.strip() else UNTITLED


def released_names(predicate: Mapping[str, Any]) -> UnitNames:
    """What a release's study calls its rows and people."""
    study = read_released_study(predicate["study"])
    return names_of(study.unit if study is not None else None)
