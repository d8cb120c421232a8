# SPDX-License-Identifier: Apache-2.0
"""Several custodians of one machine share a ledger through the folder of their group."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.chain import payload_digest
from dpdesk.release.ledger.decisions.decided import SeparatePeople
from dpdesk.release.ledger.transaction import read_payload, read_payload_text
from dpdesk.release.places.home import Home
from dpdesk.release.places.shared_folder import file_mode, machine_file, shared_folder
from dpdesk.release.record.values import SignedRelease, SignerName
from dpdesk.release.record.write import signed_members, stored_members
from dpdesk.release.second_person.plan_signature import USED, is_remembered, remember_used
from dpdesk.release.second_person.remembered import NAME
from dpdesk.study.json.study_writer import canonical
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Refused
from tests.doors import ConstantDoor
from tests.release.ledgers import ONE, refusal
from tests.release.studies import STUDY, release, write_data
from tests.source_files import ROOT

GROUP, ANN, BEN, STRANGER = 47_110, 47_111, 47_112, 47_113
posix = pytest.mark.skipif(os.name != "posix", reason="Windows has lists of rights")
two_users = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can be two users"
)


@dataclass(frozen=True)
class Machine:
    """A machine with a folder of its group, and data that all may read."""

    folder: Path
    users: subprocess.Popen[str] | None

    @property
    def shared(self) -> Path:
        """The group's folder."""
        return self.folder / "shared"

    def environ(self, user: int) -> dict[str, str]:
        """A user's environment."""
        kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH")}
        own = {"HOME": str(self.folder / str(user)), "DPDESK_MACHINE": str(self.folder / "m.json")}
        return {**kept, **own, "LOGNAME": "somebody else"}

    def act(self, user: int, what: str, **more: str) -> dict[str, Any]:
        """What a user's program does, and says of the ledger then."""
        home = self.folder / str(user)
        if not home.exists():
            home.mkdir(mode=0o700)
            os.chown(home, user, user)
        asked = {
            "what": what,
            "folder": str(self.folder),
            "user": user,
            "groups": [] if user == STRANGER else [GROUP],
            "umask": 0o077 if user == BEN else 0o022,
            "environ": self.environ(user) | more,
        }
        assert self.users and self.users.stdin and self.users.stdout
        self.users.stdin.write(json.dumps(asked) + "\n")
        self.users.stdin.flush()
        said = self.users.stdout.readline()
        assert said, "it ended without an answer"
        found: dict[str, Any] = json.loads(said)
        return found


@pytest.fixture(scope="module")
def users() -> Iterator[subprocess.Popen[str] | None]:
    """The program that becomes each of the users, loaded once."""
    if os.name != "posix" or os.geteuid() != 0:
        yield None
        return
    with subprocess.Popen(
        [sys.executable, "-m", "tests.release.as_user"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def open_to_all() -> Path:
    """A folder for temporary files that every user can enter."""
    usual = Path(tempfile.gettempdir())
    for place in (usual, *usual.parents):
        above = (place, *place.parents)
        if all(one.stat().st_mode & stat.S_IXOTH for one in above):
            return place
    return usual


@pytest.fixture
def machine(users: subprocess.Popen[str] | None) -> Iterator[Machine]:
    # A test's own folder is its user's alone, and so may be the one that all tests' files are in.
    folder = Path(tempfile.mkdtemp(prefix="dpdesk-machine-", dir=open_to_all()))
    folder.chmod(0o755)
    made = Machine(folder, users)
    made.shared.mkdir()
    if os.geteuid() == 0:
        os.chown(made.shared, 0, GROUP)
    made.shared.chmod(0o2770)
    (folder / "m.json").write_text(json.dumps({"shared_ledger": str(made.shared)}))
    (folder / "m.json").chmod(0o644)
    write_data(folder)
    for path in folder.glob("*.csv"):
        path.chmod(0o644)
    yield made
    shutil.rmtree(folder)


@two_users
@pytest.mark.threat("E2", "E9")
def test_two_users_spend_one_budget_and_each_release_names_its_custodian(machine: Machine) -> None:
    assert machine.act(ANN, "open")["spent"] == "0"
    assert machine.act(ANN, "release")["spent"] == "0.4"
    found = machine.act(BEN, "release")
    assert found["spent"] == "0.8" and found["sound"] and not found["rollback"]
    assert found["by"] == ["", str(ANN), str(BEN)], "no variable says who it was"
    assert found["notices"] == [] and found["ledger"] == str(machine.shared / "ledger.sqlite")
    assert machine.act(ANN, "release") == {"refused": "budget-exceeded"}
    again = machine.act(ANN, "look")
    assert (again["spent"], again["rollback"], again["notices"]) == ("0.8", False, [])
    for path in (machine.shared / "ledger.sqlite", machine.shared / "heads" / "heads.json"):
        about = path.stat()
        assert (stat.S_IMODE(about.st_mode), about.st_gid) == (0o660, GROUP), path
    # What is not the ledger stays each one's own.
    for user in (ANN, BEN):
        keys = machine.folder / str(user) / ".local" / "share" / "dpdesk" / "keys"
        assert keys.stat().st_uid == user and stat.S_IMODE(keys.stat().st_mode) == 0o700


@two_users
@pytest.mark.threat("E9")
def test_who_is_not_of_the_group_gets_no_ledger_of_their_own(machine: Machine) -> None:
    machine.act(ANN, "open")
    before = (machine.shared / "ledger.sqlite").read_bytes()
    assert machine.act(STRANGER, "open") == {"refused": "shared-not-member"}
    assert (machine.shared / "ledger.sqlite").read_bytes() == before
    assert not list((machine.folder / str(STRANGER)).rglob("*.sqlite"))


@two_users
@pytest.mark.threat("E2", "C7")
def test_a_second_ledger_for_the_same_people_is_warned_of(machine: Machine) -> None:
    alone = machine.act(BEN, "open", DPDESK_MACHINE="/nowhere")
    assert alone["notices"] == []
    machine.act(ANN, "open")
    assert machine.act(BEN, "look")["notices"] == ["ledger-second"]
    other = machine.folder / str(BEN) / "another"
    found = machine.act(BEN, "open", DPDESK_HOME=str(other))
    assert found["notices"] == ["ledger-second"]


@posix
@pytest.mark.threat("E6")
@pytest.mark.parametrize(
    ("mode", "code"),
    [
        (0o2777, "shared-open"),
        (0o2775, "shared-open"),
        (0o0770, "shared-not-grouped"),
        (0o2750, "shared-not-grouped"),
    ],
)
def test_a_shared_folder_that_is_not_the_groups_alone_is_refused(
    machine: Machine, mode: int, code: str
) -> None:
    machine.shared.chmod(mode)
    assert refusal(lambda: Home.locate(machine.environ(0))).code == code
    machine.shared.chmod(0o2770)
    Home.locate(machine.environ(0))
    (machine.shared / "heads").chmod(mode)
    assert refusal(lambda: Home.locate(machine.environ(0))).code == code


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"shared_ledger": 1}', '{"shared_ledger": "here"}', "{" * 20_000),
        *('{"shared_ledger": "/a", "more": 1}', '{"shared_ledger": "/a", "shared_ledger": "/b"}'),
    ],
)
def test_a_machine_file_that_says_nothing_clear_starts_no_ledger(tmp_path: Path, text: str) -> None:
    """Else each user would begin a budget of their own without a word."""
    (tmp_path / "m.json").write_text(text)
    (tmp_path / "m.json").chmod(0o644)
    environ = {"DPDESK_MACHINE": str(tmp_path / "m.json"), "HOME": str(tmp_path)}
    assert refusal(lambda: shared_folder(environ)).code == "machine-file-wrong"
    with pytest.raises(Refused):
        Home.locate(environ)


@posix
def test_a_machine_file_that_others_can_change_is_refused(machine: Machine) -> None:
    (machine.folder / "m.json").chmod(0o664)
    assert refusal(lambda: shared_folder(machine.environ(0))).code == "machine-file-open"


def test_a_missing_folder_is_refused_and_no_file_means_a_ledger_of_ones_own(
    machine: Machine, tmp_path: Path
) -> None:
    machine.shared.rmdir()
    assert refusal(lambda: Home.locate(machine.environ(0))).code == "shared-missing"
    environ = {"DPDESK_MACHINE": str(tmp_path / "none.json"), "DPDESK_HOME": str(tmp_path / "h")}
    assert Home.locate(environ).shared is None
    assert machine_file({}).is_absolute() and machine_file({}).name == "machine.json"


@posix
@pytest.mark.threat("B13")
def test_nobody_can_try_names_against_the_entry_of_a_bundle(machine: Machine) -> None:
    """A bundle holds the record, the tables and the entry's hash; the name was all else there."""
    ledger = Ledger.open(Home.locate(machine.environ(0)))
    ledger.new_account("registry", Epsilon.of("2"))
    first, second = (
        release(STUDY, machine.folder, ledger, ConstantDoor(), fresh=True).stored for _ in range(2)
    )
    with ledger.reading() as transaction:
        entries = [one for one in transaction.entries if one.kind == "release"]
        texts = [read_payload_text(transaction.connection, entry) for entry in entries]
    salts = [json.loads(text)["salt"] for text in texts]
    assert first.released_by and len({*salts, *(len(salt) for salt in salts)}) == 3
    guessed = [payload_digest(canonical(stored_members(one))) for one in (first, second)]
    assert not set(guessed) & {entry.payload_sha256 for entry in entries}
    done = SignedRelease(first.record, ledger.hashes(2), SignerName("a", "b"))
    assert not [salt for salt in salts if salt in json.dumps(signed_members(done))]


@posix
@pytest.mark.threat("E9")
def test_what_is_remembered_of_used_plans_belongs_to_the_group(machine: Machine) -> None:
    """Else a colleague's plans count as damage here, and one's own are not remembered."""
    home = Home.locate(machine.environ(0))
    before = os.umask(0o077)
    try:
        remember_used(home, "a" * 32)
    finally:
        os.umask(before)
    about = (home.heads_folder / USED).stat()
    assert stat.S_IMODE(about.st_mode) == 0o660
    assert about.st_gid == home.heads_folder.stat().st_gid
    assert is_remembered(home, "a" * 32) and not is_remembered(home, "b" * 32)


@posix
@pytest.mark.threat("E9")
@pytest.mark.parametrize("name", ["ledger.sqlite", "heads/heads.json", f"heads/{NAME}"])
def test_a_colleagues_link_leads_nobodys_program_to_another_file(
    machine: Machine, name: str
) -> None:
    own = machine.folder / "own.dpdesk"
    own.write_bytes(b"an afternoon's work")
    own.chmod(0o600)
    Home.locate(machine.environ(0))
    (machine.shared / name).symlink_to(own)
    assert refusal(lambda: Home.locate(machine.environ(0))).code == "shared-linked"
    assert own.read_bytes() == b"an afternoon's work"
    assert stat.S_IMODE(own.stat().st_mode) == 0o600


@posix
@pytest.mark.threat("B13")
def test_nobody_can_try_typed_texts_against_the_hashes_of_two_bundles(machine: Machine) -> None:
    """Between two bundles' entries lies one of which all but a short text can be known."""
    for home in (Home.locate(machine.environ(0)), Home.at(machine.folder / "own")):
        ledger = Ledger.open(home)
        ledger.new_account("registry", Epsilon.of("1"), "for Dr Weber")
        ledger.raise_budget("registry", Epsilon.of("2"), "asked by Nurse Kim")
        with ledger.transaction() as transaction:
            transaction.append("registry", SeparatePeople(("oncology",), "says Dr Ito"))
        with ledger.reading() as transaction:
            entries = transaction.entries
            read = [read_payload(transaction.connection, entry) for entry in entries]
            texts = [read_payload_text(transaction.connection, entry) for entry in entries]
        assert read[2] == SeparatePeople(("oncology",), "says Dr Ito")
        guessed = {payload_digest(canonical(payload.members())) for payload in read}
        assert not guessed & {entry.payload_sha256 for entry in entries}
        salts = {json.loads(text)["salt"] for text in texts}
        assert [len(salt) for salt in salts] == [32] * 3
        assert ledger.check().sound


@posix
def test_a_ledger_of_ones_own_stays_ones_own(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "home")
    write_data(tmp_path)
    ledger = Ledger.open(home)
    ledger.new_account("registry", ONE)
    done = release(STUDY, tmp_path, ledger, ConstantDoor())
    assert done.stored.released_by == "" and ledger.account("registry").spent == Epsilon.of("0.4")
    assert stat.S_IMODE(home.ledger.stat().st_mode) == file_mode(home.root) == 0o600
