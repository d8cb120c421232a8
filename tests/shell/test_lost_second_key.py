# SPDX-License-Identifier: Apache-2.0
"""A second person whose key is lost: replaced by the custodian alone, and never unseen."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.decided import OverriddenSecondPerson
from dpdesk.release.second_person.overrides import _text, signed_override
from dpdesk.release.second_person.proven_persons import CHANGE_NAMESPACE
from dpdesk.release.signing import keys, sshsig
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.signers import RevokedKey, keep_revoked
from tests.release.second_person import SECOND, Person, make_person
from tests.shell.hospital import PASSPHRASE, Hospital, Said

THIRD = "third@small.example"
REASON = "Her computer was stolen <b>&</b> =1+1"
FLAG = "second_person_overridden"


@pytest.fixture
def second(hospital: Hospital, tmp_path: Path) -> Person:
    return make_person(tmp_path)


@pytest.fixture
def third(hospital: Hospital, tmp_path: Path) -> Person:
    own = keys.show(hospital.home.keys)
    assert own is not None
    return make_person(tmp_path, THIRD, 3, knows=(own,))


def second_person(hospital: Hospital, *more: str | Path) -> Said:
    return hospital.run("account", "second-person", "small", *more)


def require(hospital: Hospital, person: Person, before: str = "release") -> None:
    said = second_person(
        hospital, "--signer", person.line, "--before", before, "--reason", "the board wants two"
    )
    assert said.status == 0, said.err


def override(hospital: Hospital, *more: str | Path) -> Said:
    return second_person(hospital, "--lost", "--reason", REASON, *more)


def found(hospital: Hospital, *more: str | Path) -> dict[str, Any]:
    said = hospital.run("verify", hospital.bundle, "--json", *more)
    members: dict[str, Any] = json.loads(said.out)
    return members


def own_key(hospital: Hospital) -> SigningKey:
    return keys.unlock(hospital.home.keys, PASSPHRASE)


def signed_plan(hospital: Hospital, person: Person, *more: str) -> Path:
    path = hospital.folder / f"plan-{len(list(hospital.folder.glob('plan-*.json')))}.json"
    assert hospital.run("plan", hospital.study, "--to", path, *more).status == 0
    with person.at_work():
        assert hospital.run("sign", path).status == 0
    return path


@pytest.mark.threat("G11")
def test_a_dropped_second_person_stands_in_every_later_bundle(
    hospital: Hospital, second: Person
) -> None:
    require(hospital, second)
    assert hospital.release().status == 1
    said = override(hospital, "--end")
    assert said.status == 0 and "Every later bundle" in said.out, said.err
    assert hospital.release().status == 0
    stated = found(hospital)
    assert stated["verified"] and stated["history"]["stated"] == [FLAG]
    (one,) = stated["history"]["second_person_overrides"]
    assert one["was"]["identity"] == SECOND and one["now"] is None and one["reason"] == REASON
    said = hospital.run("verify", hospital.bundle)
    assert said.status == 0 and SECOND in said.err and REASON in said.err
    files = unpack(hospital.bundle.read_bytes())
    assert SECOND in files["README.txt"].decode() and second.key.info.fingerprint[:20] in (
        files["report.html"].decode()
    )
    assert "<b>&</b>" not in files["report.html"].decode()
    # The next release says so, too, and so does one after somebody else is required.
    assert hospital.release("--fresh", "--same-extract").status == 0
    assert found(hospital)["history"]["stated"] == [FLAG]


def test_somebody_else_signs_from_then_on(
    hospital: Hospital, second: Person, third: Person
) -> None:
    require(hospital, second)
    old = signed_plan(hospital, second)
    said = override(hospital, "--signer", third.line)
    assert said.status == 0 and THIRD in said.out
    said = hospital.release("--signed-plan", old)
    assert said.status == 1 and hospital.spent == "0", "the old signature counts no more"
    assert hospital.release().status == 1
    plan = signed_plan(hospital, third)
    assert hospital.release("--signed-plan", plan).status == 0
    stated = found(hospital)
    assert stated["verified"] and stated["second"]["identity"] == THIRD
    assert stated["history"]["stated"] == [FLAG]
    # A change that the new person signs leaves the flag where it is.
    change = hospital.folder / "change.json"
    second_person(hospital, "--end", "--reason", "she left", "--to", change)
    with third.at_work():
        assert hospital.run("sign", change).status == 0
    assert second_person(hospital, "--change", change).status == 0
    assert hospital.release("--same-extract").status == 0
    assert found(hospital)["history"]["stated"] == [FLAG]
    shown = json.loads(hospital.run("account", "show", "small", "--json").out)
    decisions = [entry["word"] for entry in shown["entries"] if entry["word"]]
    assert decisions == ["second-person", "second-person-overridden", "second-person"]


def test_a_revoked_second_key_has_the_same_way_out(hospital: Hospital, second: Person) -> None:
    require(hospital, second, "both")
    keep_revoked(hospital.home.signers, RevokedKey(second.key.info, "2026-11-22", "stolen"))
    assert hospital.release().status == 1
    assert override(hospital, "--end").status == 0
    assert hospital.release().status == 0 and found(hospital)["verified"]


def test_what_was_drawn_under_their_signature_comes_for_free_with_the_flag(
    hospital: Hospital, second: Person
) -> None:
    require(hospital, second, "export")
    assert hospital.release().status == 0 and not found(hospital)["verified"]
    unfinished = hospital.bundle.read_bytes()
    override(hospital, "--end")
    assert found(hospital)["history"]["stated"] == [], "it counts for the future alone"
    assert not found(hospital)["verified"]
    hospital.bundle.unlink()
    assert hospital.release("--same-extract").status == 0 and hospital.spent == "0.5"
    assert found(hospital)["verified"] and found(hospital)["history"]["stated"] == [FLAG]
    assert (
        unpack(unfinished)["results/mean-of-stay.csv"]
        == (unpack(hospital.bundle.read_bytes())["results/mean-of-stay.csv"])
    )


def test_an_override_needs_a_reason_a_key_and_somebody_to_replace(
    hospital: Hospital, second: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = override(hospital, "--end")
    assert said.status == 1 and "requires no second person" in said.err
    require(hospital, second)
    assert second_person(hospital, "--lost", "--end").status == 1, "no reason"
    assert override(hospital).status == 1, "nobody named"
    assert override(hospital, "--signer", second.line).status == 1, "the same person"
    line = hospital.folder / "own.line"
    line.write_text(keys.allowed_signers_line(own_key(hospital).info), encoding="ascii")
    assert override(hospital, "--signer", line).status == 1, "the custodian"
    wrong = hospital.folder / "wrong"
    wrong.write_text("another passphrase\n", encoding="utf-8")
    monkeypatch.setenv("DPDESK_PASSPHRASE_FILE", str(wrong))
    assert override(hospital, "--end").status == 1
    shutil.rmtree(hospital.home.keys)
    assert override(hospital, "--end").status == 1, "no key"
    assert SECOND in second_person(hospital).out


def test_an_older_copy_of_the_ledger_forgets_neither_override_nor_flag(
    hospital: Hospital, second: Person, third: Person
) -> None:
    require(hospital, second)
    old = hospital.home.ledger.read_bytes()
    override(hospital, "--signer", third.line)
    hospital.home.ledger.write_bytes(old)
    assert hospital.run("ledger", "reconcile", "--reason", "an old copy").status == 0
    hospital.run("ledger", "unlock", "small", "--reason", "looked into it")
    assert THIRD in second_person(hospital).out
    plan = signed_plan(hospital, third)
    said = hospital.release("--signed-plan", plan)
    assert said.status == 0, said.err
    stated = found(hospital)["history"]["stated"]
    assert FLAG in stated and "rollback_suspected" in stated


def test_a_backup_from_before_requires_the_first_person_again(
    hospital: Hospital, second: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(hospital, second)
    backup = tmp_path / "backup.zip"
    assert hospital.run("ledger", "backup", backup).status == 0
    override(hospital, "--end")
    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "new"))
    said = hospital.run("ledger", "restore", backup)
    assert said.status == 0, said.err
    hospital.run("ledger", "unlock", "small", "--reason", "the old computer died")
    assert SECOND in second_person(hospital).out
    assert hospital.release().status == 1


def test_an_override_counts_for_its_account_and_ledger_alone(
    hospital: Hospital, second: Person
) -> None:
    said = hospital.run("account", "new", "strict", "1", "--second-person", second.line)
    assert said.status == 0
    require(hospital, second)
    override(hospital, "--end")
    hospital.write_study(lambda m: m["budget"].update(account="strict"))
    assert hospital.release().status == 1
    assert SECOND in hospital.run("account", "second-person", "strict").out


def forged(hospital: Hospital, **changes: Any) -> str:
    """Which problem an override that was altered after it was signed, or signed wrongly, meets."""
    from dataclasses import replace

    ledger, key = Ledger.open(hospital.home), own_key(hospital)
    now = ledger.entry(ledger.head()[0])
    made = OverriddenSecondPerson(None, "a reason", "0" * 32, now.hash, "")
    signer = changes.pop("key", key)
    decision = signed_override(changes.pop("account", "small"), made, signer)
    if "namespace" in changes:
        text, space = _text("small", decision), changes.pop("namespace")
        decision = replace(decision, signature=sshsig.sign(text, key, space).decode())
    decision = replace(decision, **changes)
    before = hospital.home.ledger.read_bytes(), hospital.home.heads.read_bytes()
    with ledger.transaction() as transaction:
        transaction.append("small", decision)
    said = hospital.release()
    hospital.home.ledger.write_bytes(before[0])
    hospital.home.heads.write_bytes(before[1])
    return said.err if said.status else "released"


@pytest.mark.threat("G11")
def test_a_forged_override_is_refused(hospital: Hospital, second: Person, tmp_path: Path) -> None:
    require(hospital, second)
    stranger = make_person(tmp_path, "stranger@small.example", 9)
    assert forged(hospital) == "released", "an honest one counts"
    hospital.bundle.unlink()
    for changes in (
        {"reason": "another reason"},
        {"number": "1" * 32},
        {"account": "other"},
        {"signature": ""},
        {"namespace": CHANGE_NAMESPACE},
        {"namespace": keys.NAMESPACE},
        {"custodian": stranger.key.info.public_line},
        {"replaces": "0" * 64},
        {"key": second.key, "custodian": own_key(hospital).info.public_line},
    ):
        said = forged(hospital, **changes)
        assert "damaged" in said, (changes, said)
    assert hospital.spent == "0"


def test_a_bundle_cannot_keep_quiet_about_it(hospital: Hospital, second: Person) -> None:
    """Who drops it from a bundle, or from the next one, is found out; who alters it, too."""
    require(hospital, second)
    override(hospital, "--end")
    hospital.release()
    good = hospital.bundle.read_bytes()
    key = own_key(hospital)

    def resigned(change: Any) -> dict[str, Any]:
        files = unpack(good)
        members = json.loads(files[MANIFEST])
        change(members["predicate"])
        files[MANIFEST] = json_bytes(members)
        files[SIGNATURE] = sshsig.sign(files[MANIFEST], key)
        hospital.bundle.write_bytes(pack(files))
        return found(hospital)

    name = "second_person_overrides"
    drop = resigned(lambda p: p.pop(name))
    assert not drop["verified"], "the report says it"
    assert not resigned(lambda p: p[name][0].update(reason="nothing"))["verified"]
    for change in (
        lambda p: p.update({name: []}),
        lambda p: p[name].append(p[name][0]),
        lambda p: p[name][0].update(reason=""),
        lambda p: p[name][0].update(reason="\u202eod"),
        lambda p: p[name][0].update(entry="x"),
        lambda p: p[name][0].update(more=1),
        lambda p: p[name][0].update(now=p[name][0]["was"] | {"identity": "a\nb"}),
        lambda p: p.update({name: None}),
    ):
        assert not resigned(change)["claim"]["ok"]
    hospital.bundle.write_bytes(good)


def test_two_bundles_of_which_the_later_one_lacks_it_contradict_each_other(
    hospital: Hospital, second: Person
) -> None:
    from dataclasses import replace

    from dpdesk.release.signing.signers import known_signers
    from dpdesk.release.verify.histories import compare
    from dpdesk.release.verify.verification import verify

    require(hospital, second)
    override(hospital, "--end")
    hospital.release()
    first = verify(hospital.bundle, known_signers(hospital.home)).release
    hospital.release("--fresh", "--same-extract")
    later = verify(hospital.bundle, known_signers(hospital.home)).release
    assert first is not None and later is not None
    codes = [p.code for p in compare([first, later])]
    assert "bundles-fork" not in codes
    quiet = replace(later, record=replace(later.record, overrides=()))
    assert "bundles-fork" in [p.code for p in compare([first, quiet])]


def test_an_auditors_export_and_the_history_name_it(hospital: Hospital, second: Person) -> None:
    require(hospital, second)
    override(hospital, "--end")
    said = hospital.run("account", "show", "small")
    assert "did not sign that" in said.out and REASON in said.out
    out = hospital.folder / "audit"
    assert hospital.run("ledger", "export", out).status == 0
    for name in ("ledger.html", "entries.csv"):
        assert "Her computer was stolen" in (out / name).read_text()
    (entry,) = (e for e in Ledger.open(hospital.home).history() if "overridden" in e.word)
    assert entry.reason == REASON


def reconcile(hospital: Hospital, *bundles: Path) -> Said:
    return hospital.run("ledger", "reconcile", "--from", *bundles, "--reason", "the disk died")


def stated(hospital: Hospital, bundle: Path) -> list[str]:
    """The reasons of the overrides that a bundle states."""
    members = json.loads(unpack(bundle.read_bytes())[MANIFEST])["predicate"]
    return [one["reason"] for one in members.get("second_person_overrides", [])]


@pytest.mark.threat("E6")
def test_an_account_that_is_rebuilt_from_bundles_states_it_again(
    hospital: Hospital, second: Person, third: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(hospital, second)
    assert override(hospital, "--signer", third.line).status == 0
    assert hospital.release("--signed-plan", signed_plan(hospital, third)).status == 0
    early = hospital.folder / "early.zip"
    shutil.copy(hospital.bundle, early)
    said = second_person(hospital, "--lost", "--reason", "hers, too", "--end")
    assert said.status == 0
    assert hospital.release("--same-extract").status == 0
    last = hospital.folder / "last.zip"
    shutil.copy(hospital.bundle, last)
    new = hospital.folder / "new"
    shutil.copytree(hospital.home.keys, new / "keys")
    monkeypatch.setenv("DPDESK_HOME", str(new))
    said = reconcile(hospital, last, early)
    assert said.status == 0 and "a second person was replaced without" in said.out
    assert hospital.run("account", "raise", "small", "9", "--reason", "new").status == 0
    assert hospital.run("ledger", "unlock", "small", "--reason", "looked into it").status == 0
    assert hospital.release().status == 0
    assert stated(hospital, hospital.bundle) == stated(hospital, last) == [REASON, "hers, too"]
    assert FLAG in found(hospital)["history"]["stated"]
    # A new override comes after those, and nothing is entered twice.
    again = reconcile(hospital, last, early)
    assert "nothing was charged" in again.out and "replaced" not in again.out
    require(hospital, second)
    assert second_person(hospital, "--lost", "--reason", "a third time", "--end").status == 0
    assert hospital.release("--same-extract").status == 0
    assert stated(hospital, hospital.bundle) == [REASON, "hers, too", "a third time"]


def test_a_ledger_that_lacks_nothing_but_the_override_is_charged_nothing(
    hospital: Hospital, second: Person
) -> None:
    require(hospital, second)
    assert hospital.release("--signed-plan", signed_plan(hospital, second)).status == 0
    kept = [p for p in (*hospital.home.root.rglob("*"), hospital.home.heads) if p.is_file()]
    old = {path: path.read_bytes() for path in kept}
    assert override(hospital, "--end").status == 0
    assert hospital.release("--same-extract").status == 0  # answered from the ledger, for nothing
    bundle = hospital.folder / "free.zip"
    shutil.copy(hospital.bundle, bundle)
    for path, content in old.items():
        path.write_bytes(content)
    said = json.loads(
        hospital.run(
            *("ledger", "reconcile", "--from", bundle, "--reason", "an old copy", "--json")
        ).out
    )
    assert said["overridden"] == ["small"] and hospital.spent == "0.5"
    assert [entry["charged"] for entry in said["entries"]] == ["0"]
    reconciled = reconcile(hospital, bundle)
    assert "charged 0" not in reconciled.out and "nothing was charged" in reconciled.out
