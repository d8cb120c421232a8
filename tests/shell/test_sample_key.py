# SPDX-License-Identifier: Apache-2.0
"""The sample hospital is signed with a key of its own, and a real one with a real key."""

from __future__ import annotations

import json

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import SAMPLE_ACCOUNT
from dpdesk.release.signing import keys
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.unit import Budget
from tests.shell.hospital import Hospital


def sample(hospital: Hospital) -> None:
    """The small study as a release of the sample's account."""
    Ledger.open(hospital.home).new_account(SAMPLE_ACCOUNT, Epsilon.of(1))
    hospital.write_study(lambda members: members["budget"].update(account=SAMPLE_ACCOUNT))


def without_key(hospital: Hospital) -> None:
    for name in (keys.PRIVATE_NAME, keys.PUBLIC_NAME):
        (hospital.home.keys / name).unlink()


def signer_of(hospital: Hospital) -> str:
    found = json.loads(hospital.run("verify", hospital.bundle, "--json").out)
    assert found["verified"]
    return str(found["who"]["identity"])


def test_the_shipped_study_names_the_account_that_has_its_own_key() -> None:
    study = load_study(resource_path("sample/sample.dpdesk")).study
    assert (study.budget or Budget()).account == SAMPLE_ACCOUNT


def test_the_samples_key_signs_nothing_real(hospital: Hospital) -> None:
    without_key(hospital)
    assert hospital.run("key", "new", "--sample", "--name", "sample@try.example").status == 0
    refused = hospital.release()
    assert refused.status == 1 and hospital.spent == "0", "a real study asks for a real key"
    assert hospital.run("key", "show").status == 1
    sample(hospital)
    assert hospital.release().status == 0
    assert signer_of(hospital) == "sample@try.example"
    notice = ("--reason", "tried", "--notice", hospital.folder / "n.notice")
    sequence = str(Ledger.open(hospital.home).head()[0])
    assert hospital.run("ledger", "withdraw", sequence, *notice).status == 0
    held = hospital.run("verify", hospital.bundle, "--notice", hospital.folder / "n.notice")
    assert "signed by the key that signed the bundle" in held.out
    dossier = ("dossier", hospital.bundle, "--to", hospital.folder / "d.zip")
    assert hospital.run(*dossier).status == 0


def test_a_real_key_does_not_sign_the_sample(hospital: Hospital) -> None:
    sample(hospital)
    refused = hospital.release()
    assert refused.status == 1 and not hospital.bundle.exists()
    assert "dpdesk key new --sample makes one." in refused.err
    assert Ledger.open(hospital.home).account(SAMPLE_ACCOUNT).spent == Epsilon.of(0)
