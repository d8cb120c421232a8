# SPDX-License-Identifier: Apache-2.0
"""What is remembered of a second person beside the heads: edited, it lets nobody off."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.second_person import remembered as steps
from dpdesk.release.second_person import requirement
from dpdesk.release.second_person.remembered import NAME
from dpdesk.study.problem import Refused
from tests.release.second_person import SECOND, Person, make_person
from tests.shell.hospital import Hospital

THIRD = "third@small.example"
Steps = list[dict[str, Any]]


@pytest.fixture
def second(hospital: Hospital, tmp_path: Path) -> Person:
    return make_person(tmp_path)


@pytest.fixture
def third(hospital: Hospital, tmp_path: Path) -> Person:
    return make_person(tmp_path, THIRD, 3)


def base(hospital: Hospital, *more: str | Path) -> str:
    said = hospital.run("account", "second-person", "small", *more)
    assert said.status == 0, said.err
    return said.out


def edit(hospital: Hospital, change: Callable[[Steps], object]) -> None:
    """Edit the steps of the one account that is remembered."""
    path = hospital.home.heads_folder / NAME
    members = json.loads(path.read_text(encoding="ascii"))
    change(members["accounts"][0]["steps"])
    path.write_text(json.dumps(members), encoding="ascii")


def hand_over(hospital: Hospital, second: Person, *to: str | Path) -> None:
    """Let somebody else sign, or nobody, with the present second person's signature."""
    change = hospital.folder / f"change-{len(list(hospital.folder.glob('change-*')))}.json"
    base(hospital, *to, "--reason", "she moved on", "--to", change)
    with second.at_work():
        assert hospital.run("sign", change).status == 0
    base(hospital, "--change", change)


def forget(hospital: Hospital, ledger: bytes) -> None:
    """Put an older copy of the ledger back and make good for it."""
    hospital.home.ledger.write_bytes(ledger)
    assert hospital.run("ledger", "reconcile", "--reason", "an old copy").status == 0
    hospital.run("ledger", "unlock", "small", "--reason", "looked into it")


def person_of(third: Person) -> dict[str, str]:
    info = third.key.info
    return {"before": "release", "identity": info.identity, "key": info.public_line}


@pytest.mark.threat("G11")
def test_a_step_that_nobody_signed_lets_nobody_off(
    hospital: Hospital, second: Person, third: Person
) -> None:
    base(hospital, "--signer", second.line, "--reason", "two of us")
    honest = (hospital.home.heads_folder / NAME).read_bytes()
    other = person_of(third)

    def ends(steps: Steps) -> None:
        steps.append({"entry": "a" * 64, "person": None, "replaces": steps[0]["entry"]})

    def takes_over(steps: Steps) -> None:
        steps.append({"entry": "a" * 64, "person": other, "replaces": steps[0]["entry"]})

    def comes_first(steps: Steps) -> None:
        steps.insert(0, {"entry": "a" * 64, "person": other, "replaces": steps[0]["entry"]})

    def is_beside(steps: Steps) -> None:
        steps.append({"entry": "a" * 64, "person": other, "replaces": ""})

    def follows_nothing(steps: Steps) -> None:
        steps.append({"entry": "a" * 64, "person": None, "replaces": "b" * 64})

    for change in (ends, takes_over, comes_first, is_beside, follows_nothing):
        edit(hospital, change)
        said = hospital.release()
        assert said.status == 1 and hospital.spent == "0", change.__name__
        assert "damaged" in said.err, (change.__name__, said.err)
        (hospital.home.heads_folder / NAME).write_bytes(honest)
    # The entry says who signs, whatever the file says of the same entry.
    edit(hospital, lambda steps: steps[0].update(person=None))
    assert SECOND in base(hospital)
    edit(hospital, lambda steps: steps[0].update(person=other))
    assert SECOND in base(hospital)


def test_a_signed_change_outlives_an_older_copy_of_the_ledger(
    hospital: Hospital, second: Person, third: Person
) -> None:
    base(hospital, "--signer", second.line, "--reason", "two of us")
    old = hospital.home.ledger.read_bytes()
    hand_over(hospital, second, "--signer", third.line)
    forget(hospital, old)
    assert THIRD in base(hospital)
    hand_over(hospital, third, "--end")
    assert "no second person" in base(hospital)


def test_a_remembered_change_counts_as_it_was_signed_alone(
    hospital: Hospital, second: Person, third: Person
) -> None:
    base(hospital, "--signer", second.line, "--reason", "two of us")
    old = hospital.home.ledger.read_bytes()
    hand_over(hospital, second, "--signer", third.line)
    forget(hospital, old)
    honest = (hospital.home.heads_folder / NAME).read_bytes()
    override = {
        "entry": "a" * 64,
        "time": "2026-11-23T10:00Z",
        "was": person_of(third),
        "now": None,
    }
    changes: tuple[Callable[[Steps], object], ...] = (
        lambda steps: steps[1].pop("decision"),
        lambda steps: steps[1].update(person=None),
        lambda steps: steps[1].update(override={**override, "reason": "she left"}),
        lambda steps: steps[1]["decision"].update(signature=""),
        lambda steps: steps[1]["decision"].update(reason="another reason"),
        lambda steps: (steps[1].update(person=None), steps[1]["decision"].update(person=None)),
        # Signed for the step before: it does not come a second time.
        lambda steps: steps.append(
            {**steps[1], "entry": "a" * 64, "person": None, "replaces": steps[1]["entry"]}
        ),
        lambda steps: steps.append({**steps[1], "entry": "a" * 64}),
        lambda steps: steps.append(steps[1]),
    )
    for number, change in enumerate(changes):
        edit(hospital, change)
        said = hospital.run("account", "second-person", "small")
        assert said.status == 1 and "damaged" in said.err, (number, said.out)
        (hospital.home.heads_folder / NAME).write_bytes(honest)
    assert THIRD in base(hospital)


def test_a_first_step_overrides_nobody(hospital: Hospital, third: Person) -> None:
    """Else every later bundle would tell of somebody who was never required."""
    was = person_of(third)
    override = {"entry": "a" * 64, "time": "2026-11-23T10:00Z", "was": was, "now": None}
    step = {"entry": "a" * 64, "person": None, "replaces": ""}
    account = {
        "account": "small",
        "steps": [{**step, "override": {**override, "reason": "she left"}}],
    }
    members = {"second_persons": 1, "accounts": [account]}
    (hospital.home.heads_folder / NAME).write_text(json.dumps(members), encoding="ascii")
    said = hospital.release()
    assert said.status == 1 and "damaged" in said.err and hospital.spent == "0"


def test_a_remembered_override_says_what_the_custodian_signed(
    hospital: Hospital, second: Person, third: Person
) -> None:
    base(hospital, "--signer", second.line, "--reason", "two of us")
    old = hospital.home.ledger.read_bytes()
    base(hospital, "--lost", "--end", "--reason", "her computer was stolen")
    forget(hospital, old)
    assert "no second person" in base(hospital)
    honest = (hospital.home.heads_folder / NAME).read_bytes()
    changes: tuple[Callable[[Steps], object], ...] = (
        lambda steps: steps[1].pop("override"),
        lambda steps: steps[1]["override"].update(reason="she agreed"),
        lambda steps: steps[1]["override"].update(was=person_of(third)),
        lambda steps: steps[1]["override"].update(entry="a" * 64),
        lambda steps: steps[1]["decision"].update(signature=""),
        lambda steps: steps[1].pop("decision"),
    )
    for number, change in enumerate(changes):
        edit(hospital, change)
        said = hospital.release()
        assert said.status == 1 and "damaged" in said.err, (number, said.out)
        (hospital.home.heads_folder / NAME).write_bytes(honest)
    assert hospital.release().status == 0


def test_two_programs_that_remember_at_once_forget_nobody(
    hospital: Hospital, second: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file holds the steps of every account: it is written under the ledger's lock."""
    met: list[str] = []
    write = requirement.write_steps

    def written(home: Home, steps: Any) -> None:
        with pytest.raises(Refused) as refused, Ledger(home, busy_seconds=0).transaction():
            met.append("another program writes meanwhile")
        met.append(refused.value.problems[0].code)
        write(home, steps)

    monkeypatch.setattr(requirement, "write_steps", written)
    base(hospital, "--signer", second.line, "--reason", "two of us")
    assert met == ["ledger-busy"] and SECOND in base(hospital)


def test_a_decision_that_a_full_disk_kept_from_being_noted_counts_and_is_noted_later(
    hospital: Hospital, second: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry is in the ledger by then: nobody reads that nothing was written."""

    def full(_path: Path, _raw: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(steps, "write_whole", full)
        said = hospital.run(
            *("account", "second-person", "small"),
            *("--signer", second.line, "--reason", "two of us"),
        )
    assert said.status == 1
    assert "The decision on the second person" in said.err and "cannot write" not in said.err
    assert not (hospital.home.heads_folder / NAME).exists()
    assert SECOND in base(hospital)
    noted = json.loads((hospital.home.heads_folder / NAME).read_text(encoding="ascii"))
    assert [one["account"] for one in noted["accounts"]] == ["small"]


def test_an_account_that_there_is_not_has_no_second_person_to_show(hospital: Hospital) -> None:
    said = hospital.run("account", "second-person", "smal")
    assert said.status == 1 and "smal" in said.err and not said.out
