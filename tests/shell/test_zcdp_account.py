# SPDX-License-Identifier: Apache-2.0
"""Accounts in zCDP from the shell: opened by rho or by what it means, raised, listed, checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.release.ledger import Ledger
from dpdesk.study.model.amount import AccountDelta, Delta, Epsilon, Rho
from tests.release.ledgers import PAYLOAD
from tests.shell.hospital import Hospital

BILLIONTH = AccountDelta(Delta(10**9))
WITH_KEPT = AccountDelta(Delta(10**9), Delta(5 * 10**8))


def shown(hospital: Hospital, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(hospital.run("account", "show", name, "--json").out)
    return found


def test_an_account_is_opened_with_a_rho(hospital: Hospital) -> None:
    said = hospital.run("account", "new", "trial", "--rho", "0.05", "--delta", "1e-9")
    assert (said.status, said.err) == (0, "")
    assert "0.05 of rho 0.05 remaining" in said.out
    members = shown(hospital, "trial")
    assert (members["measure"], members["total"], members["left"]) == ("rho", "0.05", "0.05")
    assert (members["delta"], members["delta_left"]) == ("0.000000001", "0")
    assert members["epsilon_total"] == str(account_epsilon(Rho.of("0.05"), BILLIONTH))
    assert members["epsilon_spent"] == "0"
    assert f"epsilon {members['epsilon_total']} at delta 1e-9" in said.out


@pytest.mark.parametrize("arguments", [("--epsilon", "1"), ("1",)])
def test_an_account_is_opened_with_what_its_rho_means(
    hospital: Hospital, arguments: tuple[str, ...]
) -> None:
    assert hospital.run("account", "new", "trial", *arguments, "--zcdp").status == 0
    total = Ledger.open(hospital.home).account("trial").total
    assert isinstance(total, Rho)
    assert account_epsilon(total, BILLIONTH) <= Epsilon.of(1)
    assert account_epsilon(Rho(total.nano + 1), BILLIONTH) > Epsilon.of(1)
    assert shown(hospital, "trial")["delta"] == "0.000000001"


def test_pure_epsilon_stays_the_default(hospital: Hospital) -> None:
    assert hospital.run("account", "new", "pure", "--epsilon", "1").status == 0
    members = shown(hospital, "pure")
    assert (members["measure"], members["total"]) == ("epsilon", "1")
    assert "delta" not in members


def test_both_kinds_are_listed_with_what_they_mean(hospital: Hospital) -> None:
    hospital.run("account", "new", "trial", "1", "--zcdp", "--delta", "5e-10", "--note", "made up")
    _head, small, trial = hospital.run("account", "list").out.splitlines()
    assert small.split() == ["small", "epsilon", "1", "0", "0", "1", "epsilon", "1"]
    assert trial.split()[:2] == ["trial", "rho"]
    assert trial.endswith("epsilon 1 at delta 5e-10  made up")


def test_what_is_spent_is_stated_as_epsilon_too(hospital: Hospital) -> None:
    hospital.run("account", "new", "trial", "--rho", "0.05", "--found-delta", "5e-10")
    with Ledger.open(hospital.home).transaction() as transaction:
        amounts = {"charged": Rho.of("0.02"), "delta_charged": Delta(10**8)}
        transaction.append("trial", PAYLOAD, **amounts)
    members = shown(hospital, "trial")
    assert members["epsilon_spent"] == str(account_epsilon(Rho.of("0.02"), WITH_KEPT))
    assert (members["delta_spent"], members["delta_left"]) == ("0.0000000001", "0.0000000004")
    assert members["entries"][1]["delta_charged"] == "0.0000000001"
    printed = hospital.run("account", "show", "trial").out
    assert f"what is spent so far means {members['epsilon_spent']}." in printed
    assert "5e-10 is for found categories: 1e-10 is spent, 4e-10 remaining." in printed
    assert hospital.run("ledger", "check").status == 0


def test_a_total_is_raised_in_its_own_measure(hospital: Hospital) -> None:
    hospital.run("account", "new", "trial", "--rho", "0.05", "--delta", "1e-8")
    raise_trial, board = ("account", "raise", "trial"), ("--reason", "the board")
    assert hospital.run(*raise_trial, "--rho", "0.06", *board).status == 0
    assert shown(hospital, "trial")["total"] == "0.06"
    assert hospital.run(*raise_trial, "3", "--zcdp", *board).status == 0
    members = shown(hospital, "trial")
    assert (members["epsilon_total"], members["delta"]) == ("3", "0.00000001")
    for arguments in (("2",), ("--epsilon", "2")):
        said = hospital.run(*raise_trial, *arguments, *board)
        assert said.status == 1
        assert "counts in rho, this amount is in epsilon" in said.err
    for arguments in (("--rho", "2"), ("2", "--zcdp")):
        said = hospital.run("account", "raise", "small", *arguments, "--reason", "no")
        assert said.status == 1
        assert "counts in epsilon, this amount is in rho" in said.err
    assert shown(hospital, "small")["total"] == "1"


def test_delta_for_found_categories_is_raised_and_epsilon_stays(hospital: Hospital) -> None:
    hospital.run("account", "new", "trial", "--rho", "0.05")
    before = shown(hospital, "trial")
    raise_trial, board = ("account", "raise", "trial"), ("--reason", "new drugs")
    assert hospital.run(*raise_trial, "--found-delta", "3e-10", *board).status == 0
    members = shown(hospital, "trial")
    names = ("total", "delta", "delta_kept", "delta_left")
    assert [members[name] for name in names] == [
        *("0.05", "0.0000000013", "0.0000000003", "0.0000000003"),
    ]
    assert members["epsilon_total"] == before["epsilon_total"]
    printed = hospital.run("account", "show", "trial").out
    assert "Delta for found categories raised to 3e-10: new drugs" in printed
    both = ("--rho", "0.06", "--found-delta", "4e-10")
    assert hospital.run(*raise_trial, *both, *board).status == 0
    for arguments, sentence in (
        (("--found-delta", "4e-10"), "already has a delta of 4e-10 for found categories"),
        (("--found-delta", "0"), "already has a delta of 4e-10 for found categories"),
        (("--found-delta", "1e-6"), "at most 9.99e-7 for found categories"),
        (("--rho", "0.05", "--found-delta", "5e-10"), "a total can only be raised"),
        ((), "a total can only be raised"),
    ):
        said = hospital.run(*raise_trial, *arguments, *board)
        assert (said.status, sentence in said.err) == (1, True), said.err
    assert shown(hospital, "trial")["delta_kept"] == "0.0000000004"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["1", "--delta", "1e-9"], "An account in pure epsilon has no delta"),
        (["--rho", "1", "--delta", "0"], "a delta above 0"),
        (["--rho", "1", "--delta", "0e-9"], "a delta above 0"),
        (["--rho", "1", "--delta", "0.0000011"], "one in a million"),
        (["--rho", "1", "--delta", "1"], "one in a million"),
        (["--rho", "1", "--found-delta", "1e-9"], "part of the delta 1e-9, so it must be less"),
        (["--rho", "1", "--found-delta", "2e-9"], "part of the delta 1e-9, so it must be less"),
        (["--rho", "1", "--delta", "1e-18", "--found-delta", "1e-18"], "it must be less"),
        (["--rho", "1", "--found-delta", "half"], "such as 1e-9"),
        (["1", "--zcdp", "--found-delta", "2e-9"], "it must be less"),
        (["1", "--found-delta", "1e-10"], "An account in pure epsilon has no delta"),
        (["--rho", "1", "--delta", "1.5e-18"], "multiple of 1e-18"),
        (["--rho", "1", "--delta", "1e-99"], "multiple of 1e-18"),
        (["--rho", "1", "--delta", "1E-9"], "such as 1e-9"),
        (["--rho", "1", "--delta", "nan"], "such as 1e-9"),
        (["--rho", "1", "--delta", "1,5e-9"], "with a point"),
        (["--rho", "0"], "The budget must be more than 0"),
        (["--rho", "100.1"], "100 or less"),
        (["--rho", "0.0000000001"], "nine decimals"),
        (["--rho", "1e-2"], "a plain number"),
        (["--rho", "0,1"], "with a point"),
        (["0.000001", "--zcdp"], "choose a larger epsilon"),
        (["1e-1", "--zcdp"], "a plain number"),
        (["0", "--zcdp"], "must be more than 0"),
    ],
    ids=" ".join,
)
@pytest.mark.in_turn(3)
def test_a_bad_amount_is_one_sentence_and_no_account(
    hospital: Hospital, arguments: list[str], sentence: str
) -> None:
    said = hospital.run("account", "new", "trial", *arguments)
    assert (said.status, said.out, len(said.sentences)) == (1, "", 1)
    assert sentence in said.err
    assert [a.name for a in Ledger.open(hospital.home).accounts()] == ["small"]


@pytest.mark.parametrize(
    "arguments",
    [[], ["1", "--rho", "1"], ["--epsilon", "1", "--rho", "1"], ["1", "--epsilon", "1"]],
    ids=" ".join,
)
def test_one_total_is_given(hospital: Hospital, arguments: list[str]) -> None:
    assert hospital.run("account", "new", "trial", *arguments).status == 2
