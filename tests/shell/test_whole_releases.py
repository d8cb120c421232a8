# SPDX-License-Identifier: Apache-2.0
"""Every pair of what may meet in a release, from the study to a bundle that verifies.

Each feature changes the study, the account or the commands as a custodian would; whole commands
run over real files and a real ledger. Two that meet have to end as each of them alone does.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from tests.release.second_person import Person, make_person
from tests.shell.hospital import Hospital

FEATURES = (
    "series",
    "plan-signed",
    "export-signed",
    "found-categories",
    "private-bounds",
    "stored-answers",
    "drawn-anew",
    "zcdp",
    "german",
    *(("shared-ledger",) if sys.platform == "linux" else ()),
)
PAIRS = [frozenset(pair) for pair in combinations(FEATURES, 2)]
ACCOUNT, DELTA, FOUND_DELTA = "ours", "1e-9", "5e-10"
TWICE = ("--every", "month", "--count", "2")


@pytest.fixture
def second(hospital: Hospital, tmp_path: Path) -> Person:
    """The second person, who knows the custodian."""
    own = keys.show(hospital.home.keys)
    assert own is not None
    return make_person(tmp_path, knows=(own,))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "+".join(sorted(pair)))
@pytest.mark.in_turn(8)
def test_each_pair_comes_to_a_bundle_that_verifies(
    hospital: Hospital,
    second: Person,
    pair: frozenset[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "shared-ledger" in pair:
        share(hospital, tmp_path, monkeypatch)
    if "german" in pair:
        monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    hospital.write_study(lambda members: declare(members, pair))
    open_account(hospital, pair, second)
    if pair & {"stored-answers", "drawn-anew"}:
        release(hospital, pair - {"series", "drawn-anew"}, second)
    if "series" in pair:
        ran(hospital, "ledger", "series", "new", hospital.study, "wards", *TWICE)
        release(hospital, pair, second)
    before = spent(hospital)
    release(hospital, pair, second)
    found = json.loads(ran(hospital, "verify", hospital.bundle, "--json"))
    assert found["verified"] and found["remade"]["ok"]
    is_paid = bool(pair & {"series", "drawn-anew"}) or "stored-answers" not in pair
    assert (spent(hospital) != before) == is_paid
    with second.at_work():  # the other side reads the same bundle
        assert json.loads(ran(hospital, "verify", hospital.bundle, "--json"))["verified"]
    assert ran(hospital, "ledger", "check")
    readme = unpack(hospital.bundle.read_bytes())["README.txt"].decode()
    assert readme.startswith("Veröffentlichte Statistiken") == ("german" in pair)


def test_what_is_signed_names_the_instalment_and_no_other_is_released(
    hospital: Hospital, second: Person, tmp_path: Path
) -> None:
    pair = frozenset({"series", "plan-signed"})
    open_account(hospital, pair, second)
    hospital.write_study(lambda members: declare(members, pair))
    ran(hospital, "ledger", "series", "new", hospital.study, "wards", *TWICE[:-1], "3")
    plan = write_plan(hospital, "--series", "wards")
    with second.at_work():
        said = hospital.run("sign", plan)
    assert "Release 1 of 3 in series wards." in said.out
    assert json.loads(plan.read_bytes())["instalment"] == {"series": "wards", "number": 1, "of": 3}
    more = ("--signed-plan", plan, "--extract", "first")
    outside = hospital.release(*more)
    assert outside.status == 1 and "release 1 in series “wards”" in outside.err
    assert spent(hospital) == "0"
    assert hospital.release(*more, "--series", "wards").status == 0
    first = hospital.bundle.read_bytes()
    assert spent(hospital) == "0.5"
    hospital.bundle.unlink()
    again = hospital.release(*more, "--series", "wards", "--same-extract")
    assert again.status == 0 and hospital.bundle.read_bytes() == first, "once, then for nothing"
    early = write_plan(hospital, "--series", "wards")
    late = write_plan(hospital, "--series", "wards")
    with second.at_work():
        ran(hospital, "sign", early)
        ran(hospital, "sign", late)
    more = ("--extract", "second", "--series", "wards")
    assert hospital.release("--signed-plan", early, *more).status == 0
    refused = hospital.release("--signed-plan", late, "--extract", "third", *more[2:])
    assert refused.status == 1 and "release 2 in series “wards”" in refused.err
    assert spent(hospital) == "1"


@pytest.mark.parametrize("signed", [(), ("--fresh",)])
def test_what_is_signed_says_whether_all_is_drawn_anew(
    hospital: Hospital, second: Person, signed: tuple[str, ...]
) -> None:
    open_account(hospital, frozenset({"plan-signed"}), second)
    hospital.write_study(lambda members: declare(members, frozenset()))
    plan = write_plan(hospital, *signed)
    with second.at_work():
        said = ran(hospital, "sign", plan)
    assert ("drawn again and charged again" in said) == bool(signed)
    other = () if signed else ("--fresh",)
    refused = hospital.release("--signed-plan", plan, *other)
    assert refused.status == 1 and "all figures again" in refused.err and spent(hospital) == "0"
    assert hospital.release("--signed-plan", plan, *signed).status == 0


def share(hospital: Hospital, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger of the machine's group, and the custodian in their usual home."""
    shared = folder / "shared"
    shared.mkdir()
    os.chown(shared, -1, os.getgid())
    shared.chmod(0o2770)
    machine = folder / "machine.json"
    machine.write_text(json.dumps({"shared_ledger": str(shared)}), encoding="utf-8")
    machine.chmod(0o644)
    monkeypatch.setenv("DPDESK_MACHINE", str(machine))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(folder / "usual"))
    monkeypatch.delenv("DPDESK_HOME")  # a home that is named has a ledger of its own
    mine, hospital.home = hospital.home.keys, Home.locate()
    shutil.copytree(mine, hospital.home.keys, dirs_exist_ok=True)


def declare(members: dict[str, Any], pair: Iterable[str]) -> None:
    """What the features ask of the study."""
    is_rho = bool({"zcdp", "found-categories"} & set(pair))
    members["budget"] = {"account": ACCOUNT, "rho" if is_rho else "epsilon": 1}
    members["unit"].update(max_rows=1)
    stays, mean = members["queries"]
    if "found-categories" in pair:
        found = {"id": "codes", "statistic": "categories-found", "column": "ward"}
        members["queries"].append({**found, "epsilon": 0.2, "delta": 1e-10})
    if "private-bounds" in pair:
        members["columns"][1] = {"name": "stay", "kind": "number", "step": 1}
        members["queries"] = [stays, {**mean, "id": "reach", "statistic": "bounds"}]
    if is_rho:
        for query in members["queries"]:
            query["rho"] = query.pop("epsilon")


def open_account(hospital: Hospital, pair: Iterable[str], second: Person) -> None:
    """An account with room for all that the features release."""
    is_rho = "zcdp" in pair or "found-categories" in pair
    total = ("--rho", "5", "--delta", DELTA) if is_rho else ("--epsilon", "5")
    if "found-categories" in pair:
        total = (*total, "--found-delta", FOUND_DELTA)
    before = {"plan-signed": "release", "export-signed": "export"}
    stages = [before[feature] for feature in pair if feature in before]
    required: tuple[str | Path, ...] = ()
    if stages:
        stage = "both" if len(stages) == 2 else stages[0]
        required = ("--second-person", second.line, "--before", stage)
    ran(hospital, "account", "new", ACCOUNT, *total, *required)


def release(hospital: Hospital, pair: frozenset[str], second: Person) -> None:
    """One release, with everything that its second person has to sign."""
    drawn = ["--fresh"] if "drawn-anew" in pair else []
    drawn += ["--series", "wards"] if "series" in pair else []
    more: list[str | Path] = [*drawn, "--same-extract"]
    if "plan-signed" in pair:
        plan = write_plan(hospital, *drawn)
        with second.at_work():
            ran(hospital, "sign", plan)
        more += ["--signed-plan", plan]
    said = hospital.release(*more)
    assert said.status == 0, said.err
    if "export-signed" in pair:
        with second.at_work():
            ran(hospital, "sign", hospital.bundle)


def write_plan(hospital: Hospital, *more: str) -> Path:
    """The plan for the second person."""
    path = hospital.folder / f"plan-{len(list(hospital.folder.glob('plan-*.json')))}.json"
    ran(hospital, "plan", hospital.study, "--to", path, *more)
    return path


def ran(hospital: Hospital, *arguments: str | Path) -> str:
    """What a command says that has to come to its end."""
    said = hospital.run(*arguments)
    assert said.status == 0, (arguments, said.err)
    return said.out


def spent(hospital: Hospital) -> str:
    found: dict[str, Any] = json.loads(ran(hospital, "account", "show", ACCOUNT, "--json"))
    return str(found["spent"])
