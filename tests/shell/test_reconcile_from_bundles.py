# SPDX-License-Identifier: Apache-2.0
"""`dpdesk ledger reconcile --from`: own bundles charge again what the ledger has lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dpdesk
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.release.signing.sshsig import sign
from tests.shell.hospital import PASSPHRASE, Hospital, Said

REASON = ("--reason", "the disk died")


def _short(members: dict[str, Any]) -> None:
    """One query that costs as much as the usual ones together."""
    members["queries"] = [{**members["queries"][0], "epsilon": 0.5}]


@pytest.fixture
def released(hospital: Hospital) -> Callable[..., Path]:
    """Makes a release that costs 0.5 and gives its bundle; the account has ten to spend."""
    hospital.write_study(_short)
    assert hospital.run("account", "raise", "small", "10", *REASON).status == 0

    def release(name: str) -> Path:
        out = hospital.folder / f"{name}.zip"
        said = hospital.run("release", hospital.study, "--out", out, "--fresh", "--same-extract")
        assert said.status == 0, said.err
        return out

    return release


def reconcile(hospital: Hospital, *bundles: Path) -> Said:
    return hospital.run("ledger", "reconcile", "--from", *bundles, *REASON)


def keep(hospital: Hospital) -> Path:
    """A copy of ledger and second record, put aside."""
    kept = hospital.folder / "kept"
    kept.mkdir()
    shutil.copy(hospital.home.ledger, kept)
    shutil.copy(hospital.home.heads, kept)
    return kept


def put_back(hospital: Hospital, kept: Path) -> None:
    """What leaves no trace on this computer: both records together."""
    shutil.copy(kept / "ledger.sqlite", hospital.home.ledger)
    shutil.copy(kept / "heads.json", hospital.home.heads)


@pytest.mark.threat("E6")
def test_bundles_outlive_ledger_and_second_record(
    hospital: Hospital, released: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    released("one")
    kept = keep(hospital)
    two = released("two")
    # A later version charges what an earlier one has spent.
    monkeypatch.setattr(dpdesk, "__version__", "9999.0.0")
    three = released("three")
    put_back(hospital, kept)
    assert hospital.spent == "0.5" and hospital.run("ledger", "check").status == 0
    said = reconcile(hospital, two, three)
    assert (said.status, said.err) == (0, "")
    assert "charged 1, which the ledger did not have" in said.out
    assert hospital.spent == "1.5"
    assert Ledger.open(hospital.home).account("small").rollback_suspected
    for again in ((two, three), (two,), (three,)):
        assert "nothing was charged" in reconcile(hospital, *again).out
    assert hospital.spent == "1.5" and hospital.run("ledger", "check").status == 0
    assert hospital.run("account", "show", "small").out.count("the disk died") == 2


@pytest.mark.threat("E6")
def test_the_last_bundle_alone_says_all_that_was_spent(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    released("one")
    kept = keep(hospital)
    two, three = released("two"), released("three")
    put_back(hospital, kept)
    assert reconcile(hospital, three).status == 0
    assert hospital.spent == "1.5"
    assert "nothing was charged" in reconcile(hospital, two).out
    assert hospital.spent == "1.5"


@pytest.mark.threat("E6")
def test_the_last_bundle_says_it_where_the_second_record_was_deleted(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    """That it is missing is an entry, which comes where the other copy went on."""
    released("one")
    kept = keep(hospital)
    two, three = released("two"), released("three")
    put_back(hospital, kept)
    hospital.home.heads.unlink()
    said = reconcile(hospital, three)
    assert said.status == 0 and "charged 1, which" in said.out, (said.out, said.err)
    assert hospital.spent == "1.5"
    assert "nothing was charged" in reconcile(hospital, two, three).out
    assert hospital.spent == "1.5"
    # A second record that was lost alone makes nobody's own bundles foreign, or charged twice.
    hospital.home.heads.unlink()
    four = released("four")
    assert "nothing was charged" in reconcile(hospital, two, three, four).out
    assert hospital.spent == "2"


@pytest.mark.threat("E6")
def test_of_bundles_that_do_not_belong_nothing_is_said_to_be_held(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    released("one")
    kept = keep(hospital)
    released("two")
    three = released("three")
    put_back(hospital, kept)
    released("four")
    said = reconcile(hospital, three)
    assert said.status == 1 and "cannot be linked" in said.err
    assert "contains everything" not in said.out


@pytest.mark.threat("E6")
def test_a_locked_ledger_is_charged_once_for_both_traces(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    released("one")
    kept = keep(hospital)
    two, three = released("two"), released("three")
    shutil.copy(kept / "ledger.sqlite", hospital.home.ledger)
    assert reconcile(hospital, two, three).status == 0
    assert hospital.spent == "1.5"
    assert "nothing was charged" in reconcile(hospital, three, two).out
    assert hospital.spent == "1.5"


@pytest.mark.threat("E6")
def test_what_was_reconciled_before_is_not_charged_again(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    released("one")
    kept = keep(hospital)
    two, three = released("two"), released("three")
    shutil.copy(kept / "ledger.sqlite", hospital.home.ledger)
    assert hospital.run("ledger", "reconcile", *REASON).status == 0
    assert "nothing was charged" in reconcile(hospital, two, three).out
    assert hospital.spent == "1.5"


@pytest.mark.threat("E6")
def test_two_copies_that_both_spent_are_added_up(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    released("one")
    kept = keep(hospital)
    theirs = [released("two"), released("three")]
    put_back(hospital, kept)
    own = released("four")
    assert hospital.spent == "1"
    assert reconcile(hospital, *theirs, own).status == 0
    assert hospital.spent == "2"


@pytest.mark.threat("E6")
def test_bundles_of_other_keys_and_other_ledgers_do_not_count(
    hospital: Hospital, released: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = released("one")
    elsewhere = hospital.folder / "elsewhere"
    shutil.copytree(hospital.home.keys, elsewhere / "keys")
    monkeypatch.setenv("DPDESK_HOME", str(elsewhere))
    assert hospital.run("account", "new", "small", "5").status == 0
    other = [released("other-1"), released("other-2")]
    monkeypatch.setenv("DPDESK_HOME", str(hospital.home.root))
    said = reconcile(hospital, *other)
    assert said.status == 1 and said.err.count("cannot be linked to this ledger") == 2
    altered = hospital.folder / "altered.zip"
    altered.write_bytes(one.read_bytes().replace(b"0.5", b"0.4"))
    assert "not a complete bundle" in reconcile(hospital, altered).err
    assert hospital.spent == "0.5"


def _info(hospital: Hospital) -> keys.KeyInfo:
    info = keys.show(hospital.home.keys)
    assert info is not None
    return info


@pytest.mark.threat("E6")
def test_a_bundle_of_a_known_colleague_does_not_count(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    kept = keep(hospital)
    one, line = released("one"), hospital.folder / "line"
    line.write_text(allowed_signers_line(_info(hospital)), encoding="utf-8")
    put_back(hospital, kept)
    shutil.rmtree(hospital.home.keys)
    keys.new_key(hospital.home.keys, "colleague@small.example", PASSPHRASE)
    assert hospital.run("signers", "add", line).status == 0
    said = reconcile(hospital, one)
    assert said.status == 1 and "not signed by this computer's own key" in said.err
    assert hospital.spent == "0"
    shutil.rmtree(hospital.home.keys)
    keys.new_key(hospital.home.keys, "data-office@small.example", PASSPHRASE)
    assert reconcile(hospital, one).status == 0
    assert hospital.spent == "0.5"


def _in_rho(members: dict[str, Any]) -> None:
    members["budget"] = {"account": "small", "rho": 1}
    for query in members["queries"]:
        query["rho"] = query.pop("epsilon")


def test_accounts_of_two_measures_and_one_name_are_refused(
    hospital: Hospital, released: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, homes = released("one"), [hospital.folder / name for name in ("other", "new")]
    for home in homes:
        shutil.copytree(hospital.home.keys, home / "keys")
    monkeypatch.setenv("DPDESK_HOME", str(homes[0]))
    assert hospital.run("account", "new", "small", "--rho", "5").status == 0
    hospital.write_study(_in_rho)
    other = released("other")
    monkeypatch.setenv("DPDESK_HOME", str(homes[1]))
    said = reconcile(hospital, one, other)
    assert said.status == 1 and "internal" not in said.err and "rho" in said.err
    assert reconcile(hospital, other).status == 0
    shown = json.loads(hospital.run("account", "show", "small", "--json").out)
    assert shown["left"] == "0" and shown["delta"] != "0"


def _finds_wards(members: dict[str, Any]) -> None:
    members["budget"] = {"account": "trial", "rho": 1}
    found = {"id": "wards", "statistic": "categories-found", "column": "ward", "delta": 1e-10}
    members["queries"] = [{**found, "rho": 0.2}]


def _counts_in_rho(members: dict[str, Any]) -> None:
    members["budget"] = {"account": "trial", "rho": 1}
    members["queries"] = [{"id": "stays", "statistic": "count", "rho": 0.1}]


@pytest.mark.threat("A14", "E6")
def test_a_rebuilt_account_has_the_delta_that_its_last_bundle_states(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Raised between two releases: both bundles hold, and neither order of them lowers it."""
    first, last = (hospital.folder / name for name in ("z.zip", "a.zip"))
    hospital.run("account", "new", "trial", "--rho", "1")
    hospital.write_study(_counts_in_rho)
    assert hospital.run("release", hospital.study, "--out", first).status == 0
    arguments = ("account", "raise", "trial", "--found-delta", "3e-10", *REASON)
    assert hospital.run(*arguments).status == 0
    hospital.write_study(_finds_wards)
    assert hospital.run("release", hospital.study, "--out", last, "--same-extract").status == 0
    assert hospital.run("verify", first, last).status == 0
    shutil.copytree(hospital.home.keys, hospital.folder / "new" / "keys")
    monkeypatch.setenv("DPDESK_HOME", str(hospital.folder / "new"))
    assert reconcile(hospital, first, last).status == 0
    shown = json.loads(hospital.run("account", "show", "trial", "--json").out)
    names = ("delta", "delta_kept", "delta_spent", "delta_left")
    assert [shown[name] for name in names] == [
        *("0.0000000013", "0.0000000003", "0.0000000001", "0.0000000002"),
    ]


@pytest.mark.threat("E6")
def test_a_new_computer_rebuilds_locked_accounts_from_bundles(
    hospital: Hospital, released: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    released("one")
    two = released("two")
    new = hospital.folder / "new"
    shutil.copytree(hospital.home.keys, new / "keys")
    monkeypatch.setenv("DPDESK_HOME", str(new))
    said = reconcile(hospital, two)
    assert (said.status, said.err) == (0, "")
    assert "no budget remaining. Raise its total with a reason" in said.out
    assert "It is locked: it was rebuilt from bundles" in said.out
    shown = json.loads(hospital.run("account", "show", "small", "--json").out)
    assert (shown["total"], shown["spent"], shown["left"]) == ("1", "1", "0")
    assert Ledger.open(Home.at(new)).neighbours("small") == "add-remove", "losses of one kind"
    refused = hospital.release()
    assert refused.status == 1 and "ledger unlock small" in refused.err
    assert hospital.run("account", "raise", "small", "10", *REASON).status == 0
    assert hospital.release().status == 1, "more budget alone opens no recovery account"
    assert hospital.run("ledger", "unlock", "small", *REASON).status == 0
    assert hospital.release().status == 0
    assert "nothing was charged" in reconcile(hospital, two).out
    assert hospital.run("ledger", "check").status == 0
    assert hospital.run("ledger", "export", hospital.folder / "export").status == 0
    assert hospital.run("ledger", "backup", hospital.folder / "backup.zip").status == 0
    found = json.loads(hospital.run("verify", hospital.bundle, "--json").out)
    assert found["history"]["stated"] == ["rollback_suspected", "recovery_opened"]
    assert found["claim"]["ok"]


@pytest.mark.threat("E6")
def test_a_backup_and_later_bundles_together_say_what_a_dead_computer_spent(
    hospital: Hospital, released: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    released("one")
    backup = hospital.folder / "backup.zip"
    assert hospital.run("ledger", "backup", backup, "--with-key").status == 0
    released("two")
    assert hospital.run("account", "raise", "small", "20", *REASON).status == 0
    last = released("three")
    monkeypatch.setenv("DPDESK_HOME", str(hospital.folder / "new"))
    assert hospital.run("ledger", "restore", backup).status == 0
    assert reconcile(hospital, last).status == 0
    shown = json.loads(hospital.run("account", "show", "small", "--json").out)
    assert (shown["total"], shown["spent"]) == ("10", "1.5")


def test_a_bundle_that_is_not_judged_is_not_called_a_strangers(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    """It was said to be signed by another key, and what it spent was forgotten unsaid."""
    path, key = released("one"), unlock_to_sign(hospital.home, PASSPHRASE)
    files = unpack(path.read_bytes())
    said = {}
    for version in ("9999.0.0", dpdesk.__version__):
        statement = json.loads(files[MANIFEST])
        statement["predicate"]["software"]["dpdesk"] = version
        statement["predicate"]["queries"][0]["parts"][0]["scale"] = "60.0"
        manifest = json_bytes(statement)
        path.write_bytes(pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, key)}))
        said[version] = reconcile(hospital, path)
        assert said[version].status == 1 and hospital.spent == "0.5"
    assert "may have spent budget: import it with that version" in said["9999.0.0"].err
    assert "its privacy claim is incorrect" in said[dpdesk.__version__].err


def test_nothing_is_imported_without_a_reason(
    hospital: Hospital, released: Callable[..., Path]
) -> None:
    one = released("one")
    said = hospital.run("ledger", "reconcile", "--from", one, "--reason", " ")
    assert said.status == 1 and hospital.spent == "0.5"
