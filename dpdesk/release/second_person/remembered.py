# SPDX-License-Identifier: Apache-2.0
"""What is remembered, beside the chain's heads, of who had to sign for each account.

An older copy of the ledger lacks the entry that requires a second person. Remembered in the other
folder, the requirement outlives the copy. Anyone who edits that file alone can add a requirement
and end none: a step that takes somebody's place is remembered with the decision and its signature.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from dpdesk.release.ledger.decisions.decided import (
    OverriddenSecondPerson,
    SecondPersonDecision,
)
from dpdesk.release.places.home import Home
from dpdesk.release.places.shared_folder import hand_to_group
from dpdesk.release.record.declared import (
    Declared,
    Form,
    Hash,
    HashOrNothing,
    nested,
    or_null,
    where_set,
)
from dpdesk.release.record.second_person import Override, SecondPerson
from dpdesk.release.record.strict_object import StrictObject, read_whole
from dpdesk.release.second_person.handed_over import parse_text, read_remembered
from dpdesk.study import limits
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.problem import Refused, refuse

NAME = "second-persons.json"
Steps = Mapping[str, tuple["Step", ...]]
Decided = SecondPersonDecision | OverriddenSecondPerson
_DECIDED: Mapping[str, type[Decided]] = {
    SecondPersonDecision.WORD: SecondPersonDecision,
    OverriddenSecondPerson.WORD: OverriddenSecondPerson,
}


def _decided(members: StrictObject) -> Decided:
    return _DECIDED[members.word("decision", _DECIDED)].read(members)


_DECISION = Form(lambda m, key, _share: m.nested(key, _decided), lambda said: said.members())


@dataclass(frozen=True)
class Step(Declared):
    """One decision on an account's second person.

    Attributes:
        entry: hash of its entry.
        person: who signs from then on; ``None`` where nobody has to.
        replaces: hash of the entry before; empty for the first.
        override: what is stated of it, where the person before did not sign it.
    """

    entry: Hash
    person: Annotated[SecondPerson | None, or_null(nested(SecondPerson))]
    replaces: HashOrNothing
    decision: Annotated[Decided, _DECISION]
    override: Annotated[Override | None, where_set(nested(Override))] = None


def read_steps(home: Home) -> Steps:
    """The steps of every account that is remembered; none where there is no file.

    Raises:
        Refused: ``second-persons-damaged`` or ``second-persons-closed``: what
            cannot be read could have required somebody.
    """
    raw = read_remembered(home.heads_folder / NAME)
    if raw is None:
        return {}
    try:
        return read_whole(parse_text(raw), "$", _steps)
    except Refused:
        raise refuse("second-persons-damaged") from None


def write_steps(home: Home, steps: Steps) -> None:
    """Remember the steps of every account.

    Raises:
        Refused: ``home-unwritable`` (param name).
    """
    accounts = [
        {"account": name, "steps": [step.members() for step in own]} for name, own in steps.items()
    ]
    text = json.dumps({"second_persons": 1, "accounts": accounts}, indent=1)
    try:
        write_whole(home.heads_folder / NAME, (text + "\n").encode("ascii"))
        hand_to_group(home.heads_folder / NAME)
    except OSError:
        raise refuse("home-unwritable", name=str(home.heads_folder)) from None


def _steps(members: StrictObject) -> Steps:
    members.whole("second_persons")
    return dict(members.list("accounts", _account))


def _account(members: StrictObject) -> tuple[str, tuple[Step, ...]]:
    return members.text("account", limits.ID_PATTERN), members.list("steps", Step.read)
