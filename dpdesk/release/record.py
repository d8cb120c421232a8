# SPDX-License-Identifier: Apache-2.0
"""The record of a release: all that may ever be shown of it, as plain JSON without floats.

It is stored in the ledger's entry, and is the only source for results, history, stored answers
and bundles, at once or years later. It holds declared things, released values and the ledger's
own sums; nothing that depends on the data in any other way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath
from typing import Any

import dpdesk
from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.privacy.figures import Table, table
from dpdesk.privacy.plan import Part, Plan, QueryPlan
from dpdesk.privacy.question import EDITION
from dpdesk.release.drawn import Drawn
from dpdesk.release.ledger.chain import Entry, sums_of
from dpdesk.release.ledger.sums import plus, together
from dpdesk.release.table_names import table_names
from dpdesk.study.checks.extracts import file_name
from dpdesk.study.json.study_writer import Members, question_to_members, study_to_members
from dpdesk.study.model.amount import NO_DELTA, Delta, Rho, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import RECOGNISED, Unit
from dpdesk.study.text.titles import title

LOCAL = ("path", "catalogue", "extract")
"""Members of a study's data that name files of the custodian's, or say which ones they are."""

_PLACES = (*LOCAL, "sheet", "header_row")

FORMAT = EDITION
"""Format 1, of version 0.1, knew pure epsilon and Laplace noise alone; see ``EDITION``. In format 2
a query had the title that was declared for it, often none, and its table was called by its id;
since format 3 each has a title, and a name for its table that is made of it."""


@dataclass(frozen=True)
class Answer:
    """One query's answer in a release.

    Attributes:
        plan: the query's plan.
        drawn: what was drawn.
        charged: what was paid for it now; nothing for a stored answer.
        drawn_in: sequence of the entry in which its noise was drawn.
        drawn_at: that entry's minute.
    """

    plan: QueryPlan
    drawn: Drawn
    charged: Share
    drawn_in: int
    drawn_at: str

    @property
    def delta_charged(self) -> Delta:
        """What was paid of the account's delta, with what was paid of its budget."""
        return self.plan.delta if self.charged.units else NO_DELTA


@dataclass(frozen=True)
class Place:
    """Where in the ledger a release stands.

    Attributes:
        release_id: 32 random hex digits.
        time: the minute before the draw.
        sequence: the entry's place in the chain.
        previous: hash of the entry before.
        entries: the account's entries so far.
        rollback_suspected: see ``AccountState``.
        separate_people_declared: see ``AccountState``.
    """

    release_id: str
    time: str
    sequence: int
    previous: str
    entries: tuple[Entry, ...]
    rollback_suspected: bool
    separate_people_declared: bool

    @property
    def delta(self) -> Delta:
        """The account's delta: nothing in pure epsilon."""
        return Delta(sum(entry.delta_granted.atto for entry in self.entries))


def build_record(
    plan: Plan, answers: tuple[Answer, ...], place: Place, software: dict[str, str]
) -> Members:
    """The whole record of a release, with one answer for each query of the plan."""
    study = plan.study
    titles = [title(study, query.query) for query in plan.queries]
    named = zip(answers, titles, table_names(titles), strict=True)
    return {
        "predicate": {
            "format": FORMAT,
            "release": {"id": place.release_id, "time": place.time},
            "study": public_study(study),
            "claim": _claim(study.unit or Unit(), plan.total, place.delta),
            "queries": [_query(answer, place, called, name) for answer, called, name in named],
            "drawn": {a.plan.query.id: a.drawn.members() for a in answers},
            "account": _account(study, answers, place),
            "ledger": _ledger(place),
            "software": {"dpdesk": dpdesk.__version__, **software},
        },
        "tables": [
            table_members(table(study, a.plan, a.drawn.noisy, a.drawn.found)) for a in answers
        ],
    }


def public_study(study: Study) -> Members:
    """The study as released: without files and their names, numbers as ints or decimal texts.

    How the file is read is released where the custodian declared it. What was recognised may
    differ by one person's row: a letter that is no UTF-8, or the only ``1,5``. Sheet and header
    row are places in the file; whether they have to be chosen may depend on a row, too.
    """
    members = study_to_members(study)
    by_hand = study.data.by_hand if study.data else ()
    recognised = (part for part in RECOGNISED if part not in by_hand)
    for part in (*_PLACES, *recognised):
        members.get("data", {}).pop(part, None)
    path = study.data.path if study.data else ""
    for column in members.get("columns", ()):
        if "basis" in column:
            column["basis"] = without_file_name(column["basis"], path)
    released: Members = plain_numbers(members)
    return released


def without_file_name(basis: str, path: str) -> str:
    """Where bounds come from, without the data file's name, which earlier versions put there.

    >>> without_file_name("SPSS labels in Smith.sav: ward list", "in/Smith.sav")
    'SPSS labels: ward list'
    """
    name = file_name(path)
    # Without an ending it is a word like any other, such as "data".
    if not PurePath(name).suffix:
        return basis
    return re.sub(rf"(?: in|,)? ?(?<!\w){re.escape(name)}(?!\w)", "", basis)


def without_local(study: Members) -> Members:
    """A study's members without those that stay on the custodian's computer."""
    if not isinstance(study.get("data"), dict):
        return study
    data = {key: value for key, value in study["data"].items() if key not in LOCAL}
    return {**study, "data": data}


def plain_numbers(value: Any) -> Any:
    """Members in which each float is the decimal text that it was declared as.

    >>> plain_numbers({"step": 0.5, "lower": 1, "upper": 1e-06})
    {'step': '0.5', 'lower': 1, 'upper': '0.000001'}
    """
    if isinstance(value, float):
        return f"{Decimal(repr(value)):f}"
    if isinstance(value, dict):
        return {key: plain_numbers(member) for key, member in value.items()}
    return [plain_numbers(item) for item in value] if isinstance(value, list) else value


def _claim(unit: Unit, total: Share, delta: Delta) -> Members:
    """What all figures of the release together may cost.

    In zCDP rho is the cost, and epsilon what it means at the account's delta.
    """
    members: Members = {
        "neighbours": unit.neighbours,
        "unit": "row" if unit.person is None else "person",
        "max_rows": unit.max_rows,
        "people": unit.people,
        "measure": total.measure,
        "rho": None,
        "epsilon": str(total),
        "delta": str(delta),
    }
    if isinstance(total, Rho):
        members |= {"rho": str(total), "epsilon": str(account_epsilon(total, delta))}
    return members


def _query(answer: Answer, place: Place, called: str, name: str) -> Members:
    """A query's answer. An earlier release's says when that was: its own bundle says so too."""
    query = answer.plan.query
    earlier = {"drawn_at": answer.drawn_at} if answer.drawn_in < place.sequence else {}
    return {
        **earlier,
        "id": query.id,
        "title": called,
        "name": name,
        "statistic": query.statistic,
        "question": plain_numbers(question_to_members(query)),
        "cells": len(answer.plan.lines),
        "share": str(answer.plan.share),
        "charged": str(answer.charged),
        "delta": str(answer.plan.delta),
        "delta_charged": str(answer.delta_charged),
        "drawn_in": answer.drawn_in,
        "parts": [_part(part) for part in answer.plan.parts],
    }


def _part(part: Part) -> Members:
    return {
        "name": part.name,
        "mechanism": part.noise.mechanism,
        "norm": part.noise.norm,
        "sensitivity": str(part.sensitivity),
        "scale": repr(part.scale),
        "loss": repr(part.loss),
        "share": str(part.share),
        "width": str(part.width),
        "half_width": str(part.half_width),
        **_choice(part),
    }


def _choice(part: Part) -> Members:
    """What only a choice among candidates, or what was found in the data, has."""
    if part.noise.threshold is not None:
        return {"threshold": str(part.noise.threshold)}
    if part.noise.mechanism != "noisy-max":
        return {}
    return {
        "blocks": part.noise.blocks,
        "picks": part.noise.picks,
        "monotonic": part.noise.monotonic,
    }


def _account(study: Study, answers: tuple[Answer, ...], place: Place) -> Members:
    name = study.budget.account if study.budget else ""
    before = sums_of(place.entries, name)
    charged = together(before.measure, (a.charged for a in answers))
    delta = Delta(sum(a.delta_charged.atto for a in answers))
    paid = [(e.sequence, e.charged, e.delta_charged) for e in place.entries]
    paid.append((place.sequence, charged, delta))
    return {
        "name": name,
        "measure": before.measure,
        "delta": str(before.delta_granted),
        "total": str(before.granted),
        "spent_before": str(before.charged),
        "spent_after": str(plus(before.charged, charged)),
        "delta_spent_before": str(before.delta_charged),
        "delta_spent_after": str(before.delta_charged + delta),
        "released": [
            {"sequence": s, "charged": str(c), "delta_charged": str(d)}
            for s, c, d in paid
            if c.units
        ],
    }


def _ledger(place: Place) -> Members:
    return {
        "sequence": place.sequence,
        "previous": place.previous,
        "rollback_suspected": place.rollback_suspected,
        "separate_people_declared": place.separate_people_declared,
    }


def table_members(found: Table) -> Members:
    return {
        "id": found.id,
        "title": found.title,
        "columns": [
            {"name": c.name, "role": c.role, "unit": c.unit, "description": c.title}
            for c in found.columns
        ],
        "rows": [list(row) for row in found.rows],
    }
