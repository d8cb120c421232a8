# SPDX-License-Identifier: Apache-2.0
"""A second person's signature: asked for, given, checked; and everything that passes for one."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import dpdesk
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.second_signature import PLAN, PLAN_SIGNATURE, SECOND_SIGNATURE
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.second_person.plan_file import PLAN_NAMESPACE
from dpdesk.release.second_person.plan_signature import USED, is_remembered
from dpdesk.release.second_person.proven_persons import CHANGE_NAMESPACE
from dpdesk.release.signing import keys, sshsig
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.release.signing.signers import RevokedKey, keep_revoked
from dpdesk.study.model.amount import Epsilon
from tests.release.second_person import SECOND, Person, make_person
from tests.shell.hospital import PASSPHRASE, Hospital, Said

needs_openssh = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="no ssh-keygen on this system"
)


@pytest.fixture
def second(hospital: Hospital, tmp_path: Path) -> Person:
    own = keys.show(hospital.home.keys)
    assert own is not None
    return make_person(tmp_path, knows=(own,))


def require(hospital: Hospital, second: Person, before: str = "release") -> Said:
    return hospital.run(
        *("account", "second-person", "small", "--signer", second.line),
        *("--before", before, "--reason", "the board wants two"),
    )


def plan_of(hospital: Hospital, *more: str) -> Path:
    path = hospital.folder / f"plan-{len(list(hospital.folder.glob('plan-*.json')))}.json"
    said = hospital.run("plan", hospital.study, "--to", path, *more)
    assert said.status == 0, said.err
    return path


def sign(hospital: Hospital, second: Person, path: Path, *more: str | Path) -> Said:
    with second.at_work():
        return hospital.run("sign", path, *more)


def signed_plan(hospital: Hospital, second: Person, *more: str) -> Path:
    path = plan_of(hospital, *more)
    assert sign(hospital, second, path).status == 0
    return path


def released(hospital: Hospital, plan: Path, *more: str | Path) -> Said:
    return hospital.release("--signed-plan", plan, *more)


def verified(hospital: Hospital, *more: str | Path) -> dict[str, Any]:
    members: dict[str, Any] = json.loads(
        hospital.run("verify", hospital.bundle, "--json", *more).out
    )
    return members


def keygen(*arguments: str | Path, message: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["ssh-keygen", *map(str, arguments)], input=message, capture_output=True, check=False
    )


def test_nothing_is_released_without_the_second_signature(
    hospital: Hospital, second: Person
) -> None:
    said = require(hospital, second)
    assert said.status == 0 and SECOND in said.out
    said = hospital.release()
    assert said.status == 1 and SECOND in said.err
    assert hospital.spent == "0" and not hospital.bundle.exists()
    shown = json.loads(hospital.run("account", "show", "small", "--json").out)
    assert shown["second_person"]["identity"] == SECOND
    assert shown["entries"][-1]["word"] == "second-person"


def test_a_signed_plan_is_released_and_both_signatures_hold(
    hospital: Hospital, second: Person
) -> None:
    require(hospital, second)
    plan = plan_of(hospital)
    said = sign(hospital, second, plan)
    assert said.status == 0
    assert "Small hospital" in said.out and "0.5" in said.out and "small" in said.out
    for declared in ("Row limit of one unit: ", "List of values: ", "Margin in 95 of"):
        assert declared in said.out, "whoever signs sees what it is of, and how exact it will be"
    assert f"give {plan.name} and {plan.name}.sig back" in said.out and "Rename" not in said.out
    said = sign(hospital, second, plan, "--out", hospital.folder / "other.sig")
    assert f"Rename the signature to {plan.name}.sig first" in said.out
    assert released(hospital, plan).status == 0
    assert hospital.spent == "0.5"
    found = verified(hospital)
    assert found["verified"] and found["remade"]["ok"]
    assert found["second"] == {
        "ok": True,
        "before": "release",
        "standing": "known",
        "identity": SECOND,
        "fingerprint": second.key.info.fingerprint,
        "plan": True,
        "manifest": None,
        "revoked": None,
    }
    said = hospital.run("verify", hospital.bundle)
    assert "Second person: known" in said.out and "Plan: signed" in said.out
    assert unpack(hospital.bundle.read_bytes())[PLAN] == plan.read_bytes()


@needs_openssh
def test_stock_tools_sign_and_check_both(
    hospital: Hospital, second: Person, tmp_path: Path
) -> None:
    require(hospital, second, "both")
    plan = plan_of(hospital)
    bare = tmp_path / "bare-key"
    shutil.copy(second.private, bare)
    bare.chmod(0o600)
    assert keygen("-p", "-P", "second made-up passphrase", "-N", "", "-f", bare).returncode == 0
    assert keygen("-Y", "sign", "-n", PLAN_NAMESPACE, "-f", bare, plan).returncode == 0
    assert released(hospital, plan).status == 0
    files = unpack(hospital.bundle.read_bytes())
    manifest = tmp_path / "manifest.json"
    manifest.write_bytes(files[MANIFEST])
    assert keygen("-Y", "sign", "-n", keys.NAMESPACE, "-f", bare, manifest).returncode == 0
    signature = tmp_path / "manifest.json.sig"
    said = hospital.run("sign", hospital.bundle, "--signature", signature)
    assert said.status == 0 and "List of values: " in said.out and " | ± 95 %" in said.out
    assert verified(hospital)["verified"]
    files = unpack(hospital.bundle.read_bytes())
    lines = tmp_path / "lines"
    lines.write_text(f"{SECOND} {second.key.info.public_line}\n", encoding="ascii")
    for name, sig, space in (
        (PLAN, PLAN_SIGNATURE, PLAN_NAMESPACE),
        (MANIFEST, SECOND_SIGNATURE, keys.NAMESPACE),
    ):
        (tmp_path / "sig").write_bytes(files[sig])
        check = ("-Y", "verify", "-f", lines, "-I", SECOND, "-n", space, "-s", tmp_path / "sig")
        assert keygen(*check, message=files[name]).returncode == 0
        assert keygen(*check, message=files[name] + b" ").returncode != 0
    text = files["README.txt"].decode()
    assert PLAN_NAMESPACE in text and SECOND_SIGNATURE in text


@pytest.mark.parametrize(
    "change",
    [
        lambda members: members.update(title="Another title"),
        lambda members: members["queries"][0].update(epsilon=0.3),
        lambda members: members["columns"][1].update(upper=15),
        lambda members: members["unit"].update(max_rows=3),
        lambda members: members["queries"].pop(),
    ],
)
def test_any_other_plan_is_refused_and_nothing_spent(
    hospital: Hospital, second: Person, change: Any
) -> None:
    require(hospital, second)
    plan = signed_plan(hospital, second)
    hospital.write_study(change)
    said = released(hospital, plan)
    assert said.status == 1 and "differs from the signed plan" in said.err
    assert hospital.spent == "0" and not hospital.bundle.exists()


def test_a_delta_that_was_raised_after_the_signature_needs_a_new_plan(
    hospital: Hospital, second: Person
) -> None:
    """What the second person signed states the delta that there was."""

    def in_rho(members: dict[str, Any]) -> None:
        members["budget"] = {"account": "trial", "rho": 1}
        members["queries"] = [{"id": "stays", "statistic": "count", "by": ["ward"], "rho": 0.2}]

    hospital.write_study(in_rho)
    one = ("--second-person", second.line)
    assert hospital.run("account", "new", "trial", "--rho", "1", *one).status == 0
    plan = signed_plan(hospital, second)
    raised = ("account", "raise", "trial", "--found-delta", "1e-10", "--reason", "drugs")
    assert hospital.run(*raised).status == 0
    said = released(hospital, plan)
    assert (said.status, "was raised after the plan was signed" in said.err) == (1, True)
    assert released(hospital, signed_plan(hospital, second)).status == 0
    assert verified(hospital)["verified"]


def test_a_plan_is_the_same_release_for_free_and_never_a_second_draw(
    hospital: Hospital, second: Person
) -> None:
    require(hospital, second)
    plan = signed_plan(hospital, second)
    assert released(hospital, plan).status == 0
    first = hospital.bundle.read_bytes()
    hospital.bundle.unlink()
    said = released(hospital, plan, "--same-extract")
    assert said.status == 0, said.err
    assert hospital.bundle.read_bytes() == first and hospital.spent == "0.5"
    said = released(hospital, plan, "--same-extract", "--fresh")
    assert said.status == 1 and hospital.spent == "0.5"
    said = released(hospital, plan, "--extract", "another file")
    assert said.status == 1 and "already released" in said.err
    assert hospital.spent == "0.5"


def test_a_fresh_plan_says_so_and_is_drawn_once(hospital: Hospital, second: Person) -> None:
    require(hospital, second)
    assert released(hospital, signed_plan(hospital, second)).status == 0
    plan = signed_plan(hospital, second, "--fresh")
    assert released(hospital, plan, "--same-extract").status == 1, "fresh was signed"
    assert released(hospital, plan, "--same-extract", "--fresh").status == 0
    assert hospital.spent == "1"
    assert released(hospital, plan, "--same-extract", "--fresh").status == 0
    assert hospital.spent == "1"


def test_a_plan_whose_draw_failed_is_not_drawn_again(
    hospital: Hospital, second: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who signs agrees to one price: failing again and again would spend the whole account."""
    require(hospital, second)
    plan = signed_plan(hospital, second)
    with monkeypatch.context() as patch:
        patch.setattr("dpdesk.release.run.release_run.compose_release", None)
        assert "Internal error" in released(hospital, plan).err
    number = json.loads(plan.read_bytes())["number"]
    assert hospital.spent == "0.5" and is_remembered(hospital.home, number)
    said = released(hospital, plan, "--same-extract")
    assert said.status == 1 and "drawn and paid by entry 3" in said.err, said.err
    assert hospital.spent == "0.5"
    assert released(hospital, signed_plan(hospital, second), "--same-extract").status == 0


def test_an_export_is_unfinished_until_it_is_signed(hospital: Hospital, second: Person) -> None:
    require(hospital, second, "export")
    said = hospital.release()
    assert said.status == 0 and "not finished" in said.err
    found = verified(hospital)
    assert not found["verified"]
    assert [p["code"] for p in found["whole"]["problems"]] == ["bundle-second-missing"]
    said = sign(hospital, second, hospital.bundle)
    assert said.status == 0, said.err
    found = verified(hospital)
    assert found["verified"] and found["second"]["manifest"] is True
    said = sign(hospital, second, hospital.bundle)
    assert said.status == 1 and "needs no further signature" in said.err


def test_a_later_version_still_misses_the_second_signature(
    hospital: Hospital, second: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(hospital, second, "export")
    assert hospital.release().status == 0
    raw = hospital.bundle.read_bytes()
    assert sign(hospital, second, hospital.bundle).status == 0
    monkeypatch.setattr(dpdesk, "__version__", "9999.0.0")
    said = hospital.run("verify", hospital.bundle)
    assert said.status == 0 and "Second person: known" in said.out
    hospital.bundle.write_bytes(raw)
    assert hospital.run("verify", hospital.bundle).status == 1
    found = verified(hospital)
    assert [p["code"] for p in found["whole"]["problems"]] == ["bundle-second-missing"]
    assert sign(hospital, second, hospital.bundle).status == 0
    assert hospital.run("verify", hospital.bundle).status == 0


@pytest.mark.threat("G6", "G11")
def test_nobody_signs_files_that_were_not_held_to_what_was_drawn(
    hospital: Hospital, second: Person
) -> None:
    """They signed an altered table, of any version, as only the signature was looked at."""
    require(hospital, second, "export")
    hospital.release()
    files, key = unpack(hospital.bundle.read_bytes()), unlock_to_sign(hospital.home, PASSPHRASE)
    table = next(name for name in files if name.startswith("results/"))
    said = {}
    for version in (dpdesk.__version__, "9999.0.0"):
        statement = json.loads(files[MANIFEST])
        statement["predicate"]["software"]["dpdesk"] = version
        content = files[table].replace(b"A,", b"A,1")
        for entry in statement["subject"]:
            if entry["name"] == table:
                entry["digest"]["sha256"] = hashlib.sha256(content).hexdigest()
        manifest = json_bytes(statement)
        made = {MANIFEST: manifest, SIGNATURE: sshsig.sign(manifest, key)}
        raw = pack({**files, table: content, **made})
        hospital.bundle.write_bytes(raw)
        said[version] = sign(hospital, second, hospital.bundle)
        assert said[version].status == 1 and hospital.bundle.read_bytes() == raw
    assert "dpdesk 9999.0.0" in said["9999.0.0"].err and table in said["9999.0.0"].err
    assert [p["code"] for p in verified(hospital)["whole"]["problems"]] == ["bundle-second-missing"]


def changed(hospital: Hospital, change: Any) -> list[str]:
    """The codes with which a bundle is refused after a change of its files."""
    files = unpack(hospital.bundle.read_bytes())
    change(files)
    hospital.bundle.write_bytes(pack(files))
    found = verified(hospital)
    assert not found["verified"]
    return [p["code"] for p in found["whole"]["problems"]]


def test_a_swapped_second_signature_is_refused(hospital: Hospital, second: Person) -> None:
    require(hospital, second, "export")
    hospital.release()
    sign(hospital, second, hospital.bundle)
    good = hospital.bundle.read_bytes()
    stranger = make_person(hospital.folder, "stranger@small.example", 9)
    manifest = unpack(good)[MANIFEST]
    wrong = {
        "the first signature again": unpack(good)[SIGNATURE],
        "a stranger's": sshsig.sign(manifest, stranger.key),
        "of another namespace": sshsig.sign(manifest, second.key, PLAN_NAMESPACE),
        "of other bytes": sshsig.sign(manifest + b" ", second.key),
        "none": b"",
    }
    for name, signature in wrong.items():
        hospital.bundle.write_bytes(good)
        codes = changed(hospital, lambda files, s=signature: files.update({SECOND_SIGNATURE: s}))
        assert codes == ["bundle-second-wrong"], name
    hospital.bundle.write_bytes(good)
    both = unpack(good)
    swapped = {SIGNATURE: both[SECOND_SIGNATURE], SECOND_SIGNATURE: both[SIGNATURE]}
    assert "bundle-signer-differs" in changed(hospital, lambda files: files.update(swapped))


def test_a_second_signature_that_nobody_asked_for_is_unlisted(
    hospital: Hospital, second: Person
) -> None:
    hospital.release()
    manifest = unpack(hospital.bundle.read_bytes())[MANIFEST]
    extra = {SECOND_SIGNATURE: sshsig.sign(manifest, second.key)}
    assert changed(hospital, lambda files: files.update(extra)) == ["bundle-file-unlisted"]


def resigned(hospital: Hospital, change: Any) -> list[str]:
    """The codes after a dishonest signer changed the manifest and signed it properly."""
    from dpdesk.release.bundle.signed_bundle import json_bytes

    key = keys.unlock(hospital.home.keys, "made-up passphrase")

    def resign(files: dict[str, bytes]) -> None:
        members = json.loads(files[MANIFEST])
        change(members["predicate"])
        files[MANIFEST] = json_bytes(members)
        files[SIGNATURE] = sshsig.sign(files[MANIFEST], key)

    return changed(hospital, resign)


def test_a_signature_over_the_plan_is_held_against_the_plan(
    hospital: Hospital, second: Person
) -> None:
    require(hospital, second)
    plan = signed_plan(hospital, second)
    released(hospital, plan)
    good = hospital.bundle.read_bytes()
    other = sshsig.sign(plan.read_bytes(), second.key, keys.NAMESPACE).decode()

    def put(**members: Any) -> Any:
        return lambda predicate: predicate["second_person"]["plan"].update(members)

    changes = (put(signature=other), put(number="0" * 32), put(fresh=True))
    for change in (*changes, lambda predicate: predicate["second_person"].pop("plan")):
        hospital.bundle.write_bytes(good)
        assert "bundle-plan-unsigned" in resigned(hospital, change)
    hospital.bundle.write_bytes(good)
    own = keys.show(hospital.home.keys)
    assert own is not None
    codes = resigned(
        hospital,
        lambda p: p["second_person"]["person"].update(identity=own.identity, key=own.public_line),
    )
    assert "bundle-second-self" in codes


def test_the_second_person_signs_no_altered_plan(hospital: Hospital, second: Person) -> None:
    require(hospital, second)
    plan = plan_of(hospital)
    good = plan.read_bytes()
    members = json.loads(good)

    def written(change: Any, **how: Any) -> bytes:
        copied = json.loads(good)
        change(copied)
        return (json.dumps(copied, **({"sort_keys": True, "indent": 1} | how)) + "\n").encode()

    cheap = lambda m: m["queries"][0].update(share="0.1")  # noqa: E731 - one of a list
    hostile = {
        "cheaper": written(cheap),
        "retitled": written(lambda m: m["queries"][0].update(title="Nothing")),
        "another claim": written(lambda m: m["claim"].update(epsilon="0.1")),
        "spaces": written(lambda m: None, indent=2),
        "unsorted": written(lambda m: m.update(fresh=m.pop("fresh")), sort_keys=False),
        "twice": good.replace(b'"fresh": false', b'"fresh": false, "fresh": true'),
        "more": written(lambda m: m.update(note="sign me")),
        "escapes": written(lambda m: m["study"].update(title="\u202egnihtoN\x1b[2J")),
        "another account": written(lambda m: m["account"].update(name="other")),
        "a number of text": good.replace(members["number"].encode(), b"../../x"),
        "a float": good.replace(b'"dpdesk_plan": 1', b'"dpdesk_plan": 1.0'),
        "empty": b"",
        "deep": b"[" * 100_000,
    }
    for name, raw in hostile.items():
        plan.write_bytes(raw)
        said = sign(hospital, second, plan)
        assert said.status == 1 and len(said.sentences) == 1, name
        assert "\x1b" not in said.out + said.err and "\u202e" not in said.out + said.err, name
        assert not plan.with_name(plan.name + ".sig").exists(), name


def test_somebody_else_cannot_sign(hospital: Hospital, second: Person) -> None:
    require(hospital, second)
    plan = plan_of(hospital)
    said = hospital.run("sign", plan)
    assert said.status == 1 and "another key than yours" in said.err
    signature = plan.with_name(plan.name + ".sig")
    stranger = make_person(hospital.folder, "stranger@small.example", 9)
    own = keys.unlock(hospital.home.keys, "made-up passphrase")
    for key, space in (
        (stranger.key, PLAN_NAMESPACE),
        (own, PLAN_NAMESPACE),
        (second.key, keys.NAMESPACE),
        (second.key, CHANGE_NAMESPACE),
    ):
        signature.write_bytes(sshsig.sign(plan.read_bytes(), key, space))
        said = released(hospital, plan)
        assert said.status == 1 and SECOND in said.err
    assert hospital.spent == "0"


def test_nobody_is_their_own_second_person(hospital: Hospital, tmp_path: Path) -> None:
    own = hospital.home.keys / keys.PUBLIC_NAME
    line = tmp_path / "own.line"
    info = keys.show(hospital.home.keys)
    assert info is not None
    for text in (
        keys.allowed_signers_line(info),
        f"somebody-else@small.example {info.public_line}\n",
        own.read_text().replace("data-office@", "DATA-OFFICE@"),
    ):
        line.write_text(text, encoding="ascii")
        person = make_person(tmp_path / "x", "x@x", 3)
        said = require(hospital, Person(person.home, person.key, line))
        assert said.status == 1 and "somebody else" in said.err
        shutil.rmtree(tmp_path / "x")


def test_a_key_before_or_after_a_rotation_is_no_second_person(
    hospital: Hospital, second: Person, tmp_path: Path
) -> None:
    old = keys.show(hospital.home.keys)
    assert old is not None
    assert hospital.run("key", "rotate", "--out", tmp_path / "notice").status == 0
    line = tmp_path / "old.line"
    line.write_text(f"old@small.example {old.public_line}\n", encoding="ascii")
    said = require(hospital, Person(second.home, second.key, line))
    assert said.status == 1 and "somebody else" in said.err
    require(hospital, second)
    plan = signed_plan(hospital, second)
    # The custodian takes the second person's key for their own.
    (hospital.home.keys / keys.PUBLIC_NAME).write_bytes(
        keys.public_file(keys.KeyInfo(old.identity, *_public(second)))
    )
    shutil.copy(second.private, hospital.home.keys / keys.PRIVATE_NAME)
    hospital.folder.joinpath("passphrase").write_bytes(b"second made-up passphrase")
    said = released(hospital, plan)
    assert said.status == 1 and "somebody else" in said.err
    assert hospital.spent == "0"


def _public(person: Person) -> tuple[str, str]:
    return person.key.info.fingerprint, person.key.info.public_line


def test_ending_it_needs_the_second_signature(hospital: Hospital, second: Person) -> None:
    require(hospital, second)
    base = ("account", "second-person", "small")
    said = hospital.run(*base, "--end", "--reason", "tired of it")
    assert said.status == 1 and "--to" in said.err
    change = hospital.folder / "change.json"
    assert hospital.run(*base, "--end", "--reason", "she left", "--to", change).status == 0
    assert hospital.run(*base, "--change", change).status == 1, "no signature lies beside it"
    signature = change.with_name("change.json.sig")
    own = keys.unlock(hospital.home.keys, "made-up passphrase")
    for key, space in ((own, CHANGE_NAMESPACE), (second.key, PLAN_NAMESPACE)):
        signature.write_bytes(sshsig.sign(change.read_bytes(), key, space))
        assert hospital.run(*base, "--change", change).status == 1
    signature.unlink()
    said = sign(hospital, second, change)
    assert said.status == 0 and "she left" in said.out
    assert hospital.run(*base, "--change", change).status == 0
    assert hospital.release().status == 0
    assert "second" in verified(hospital) and verified(hospital)["second"] is None
    # Used once: after it is required again, the old change ends nothing.
    require(hospital, second)
    said = hospital.run(*base, "--change", change)
    assert said.status == 1 and "write a new one" in said.err
    assert hospital.release("--same-extract").status == 1
    assert hospital.run("ledger", "check").status == 0


def test_an_entry_that_ends_it_without_the_signature_is_damage(
    hospital: Hospital, second: Person
) -> None:
    from dpdesk.release.ledger.decisions.decided import SecondPersonDecision

    require(hospital, second)
    ledger = Ledger.open(hospital.home)
    entry = ledger.entry(2).hash
    own = keys.unlock(hospital.home.keys, "made-up passphrase")
    forged = sshsig.sign(b"{}", own, CHANGE_NAMESPACE).decode()
    with ledger.transaction() as transaction:
        transaction.append("small", SecondPersonDecision(None, "no", "0" * 32, entry, forged))
    said = hospital.release()
    assert said.status == 1 and "damaged" in said.err and hospital.spent == "0"


def test_another_second_person_takes_over(
    hospital: Hospital, second: Person, tmp_path: Path
) -> None:
    require(hospital, second)
    third = make_person(tmp_path, "third@small.example", 3)
    change = hospital.folder / "change.json"
    base = ("account", "second-person", "small")
    said = hospital.run(*base, "--signer", third.line, "--reason", "moved on", "--to", change)
    assert said.status == 0
    sign(hospital, second, change)
    old = signed_plan(hospital, second)
    assert hospital.run(*base, "--change", change).status == 0
    assert released(hospital, old).status == 1, "signed by who was it before"
    assert released(hospital, signed_plan(hospital, third)).status == 0
    assert verified(hospital)["second"]["identity"] == "third@small.example"


def test_an_older_copy_of_the_ledger_requires_it_all_the_same(
    hospital: Hospital, second: Person
) -> None:
    old = hospital.home.ledger.read_bytes()
    require(hospital, second)
    plan = signed_plan(hospital, second)
    assert released(hospital, plan).status == 0
    hospital.home.ledger.write_bytes(old)
    hospital.bundle.unlink()
    said = hospital.release()
    assert said.status == 1 and hospital.spent == "0"
    assert hospital.run("ledger", "reconcile", "--reason", "an old copy").status == 0
    assert hospital.spent == "0.5"
    said = hospital.release()
    assert said.status == 1 and SECOND in said.err
    # Not even the plan that was signed is drawn again: its number is remembered.
    said = released(hospital, plan)
    assert said.status == 1 and "older copy" in said.err and hospital.spent == "0.5"
    hospital.run("account", "raise", "small", "2", "--reason", "more")
    hospital.run("ledger", "unlock", "small", "--reason", "looked into it")
    assert released(hospital, signed_plan(hospital, second)).status == 0
    assert "rollback_suspected" in verified(hospital)["history"]["stated"]
    # Ending it afterwards still needs the signature, and then holds.
    change = hospital.folder / "change.json"
    base = ("account", "second-person", "small")
    hospital.run(*base, "--end", "--reason", "she left", "--to", change)
    sign(hospital, second, change)
    assert hospital.run(*base, "--change", change).status == 0
    assert hospital.release("--same-extract").status == 0
    (hospital.home.heads_folder / USED).unlink()
    assert hospital.run("ledger", "check").status == 0


def test_damage_beside_the_heads_requires_somebody_rather_than_nobody(
    hospital: Hospital, second: Person
) -> None:
    require(hospital, second)
    (hospital.home.heads_folder / "second-persons.json").write_bytes(b"{")
    said = hospital.release()
    assert said.status == 1 and "second persons" in said.err


def test_a_revoked_second_key_signs_nothing(hospital: Hospital, second: Person) -> None:
    require(hospital, second)
    plan = signed_plan(hospital, second)
    released(hospital, plan)
    later = plan_of(hospital, "--fresh")
    sign(hospital, second, later)
    keep_revoked(
        hospital.home.signers, RevokedKey(second.key.info, "2026-11-22", "Schlüssel gestohlen")
    )
    said = released(hospital, later, "--same-extract", "--fresh")
    assert said.status == 1 and "2026-11-22" in said.err and hospital.spent == "0.5"
    found = verified(hospital)
    assert not found["verified"] and found["second"]["standing"] == "revoked"
    assert found["second"]["revoked"]["reason"] == "Schlüssel gestohlen"
    assert hospital.run("plan", hospital.study, "--to", hospital.folder / "p").status == 1


def test_an_account_requires_it_from_its_first_entry_on(hospital: Hospital, second: Person) -> None:
    said = hospital.run(
        *("account", "new", "strict", "1", "--second-person", second.line, "--before", "both")
    )
    assert said.status == 0 and SECOND in said.out
    hospital.write_study(lambda m: m["budget"].update(account="strict"))
    assert hospital.release().status == 1
    # The same plan for two accounts is two plans.
    require(hospital, second)
    plan = signed_plan(hospital, second)
    hospital.write_study(lambda _m: None)
    assert released(hospital, plan).status == 1
    assert hospital.spent == "0"


def test_a_plan_of_another_ledger_is_refused(
    hospital: Hospital, second: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(hospital, second)
    plan = signed_plan(hospital, second)
    shutil.copytree(hospital.home.keys, tmp_path / "elsewhere" / "keys")
    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "elsewhere"))
    from dpdesk.release.places.home import Home

    Ledger.open(Home.locate()).new_account("small", Epsilon.of(1))
    require(hospital, second)
    said = released(hospital, plan)
    assert said.status == 1 and "differs from the signed plan" in said.err


def test_an_unknown_second_person_is_not_verified(
    hospital: Hospital, second: Person, tmp_path: Path
) -> None:
    require(hospital, second)
    released(hospital, signed_plan(hospital, second))
    info = keys.show(hospital.home.keys)
    assert info is not None
    lines = tmp_path / "signers"
    lines.write_text(keys.allowed_signers_line(info), encoding="ascii")
    found = verified(hospital, "--signers", lines)
    assert not found["verified"] and found["second"]["standing"] == "unknown"
    assert found["who"]["ok"] and found["whole"]["ok"] and found["claim"]["ok"]


def test_each_instalment_of_a_series_takes_a_plan_of_its_own(
    hospital: Hospital, second: Person
) -> None:
    """An instalment is drawn anew: a plan that allows stored answers, or was used, is not its."""
    hospital.run("account", "raise", "small", "2", "--reason", "a series")
    series = ("--count", "2", "--every", "month")
    assert hospital.run("ledger", "series", "new", hospital.study, "wards", *series).status == 0
    require(hospital, second)
    instalment = ("--series", "wards", "--same-extract")
    assert hospital.release(*instalment).status == 1, "nobody signed"
    usual = signed_plan(hospital, second)
    said = released(hospital, usual, *instalment)
    assert said.status == 1 and hospital.spent == "0", said.err
    first = signed_plan(hospital, second, "--series", "wards")
    assert released(hospital, first, *instalment).status == 0
    assert hospital.spent == "0.5"
    again = released(hospital, first, *instalment)
    assert hospital.spent == "0.5", "a plan is drawn once"
    assert again.status == 0 or "already released" in again.err
    shown = json.loads(hospital.run("ledger", "series", "list", "--json").out)
    assert [one["remaining"] for one in shown] == [1]
    other = signed_plan(hospital, second, "--series", "wards")
    assert released(hospital, other, *instalment).status == 0
    assert hospital.spent == "1"
    assert verified(hospital)["verified"]
