# SPDX-License-Identifier: Apache-2.0
"""A dossier says what was withdrawn or corrected of its account so far, and proves it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpdesk.desk.pages.verify.compared_dossier import ComparedDossier
from dpdesk.desk.pages.verify.dossier_answer import dossier_sentences
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.signed_bundle import json_bytes
from dpdesk.release.dossier.dossier_check import check_dossier
from dpdesk.release.dossier.dossier_file import DATA, build_dossier
from dpdesk.release.dossier.governance import MANIFEST
from dpdesk.release.dossier.stated import Stated
from dpdesk.release.dossier.subject import Subject, subject_of, with_account_notices
from dpdesk.release.notices.notice_file import Notice, notice_bytes, parse_notice
from dpdesk.release.notices.of_account import AccountNotice
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignerName
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.signers import Signer, keep_signer, known_signers
from dpdesk.release.verify.verification import verify
from tests.release.bundles import signing_key
from tests.release.dossier.dossiers import sealed
from tests.shell.hospital import PASSPHRASE, Hospital

WHY = "a ward was left out – see § 4"
BETTER = "labels were swapped"
Members = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the home and the folder of ``three`` are kept, once made."""
    return tmp_path_factory.mktemp("three")


@pytest.fixture
def three(hospital: Hospital, made: Path) -> Hospital:
    """Entries 2, 3 and 4 are releases; 5 withdraws entry 2, 6 corrects entry 3 by entry 4."""
    places = {"home": hospital.home.root, "folder": hospital.folder}
    if not any(made.iterdir()):
        make_three(hospital)
        for name, place in places.items():
            shutil.copytree(place, made / name)
    for name, place in places.items():
        shutil.copytree(made / name, place, dirs_exist_ok=True)
    return hospital


def make_three(hospital: Hospital) -> None:
    for number in (2, 3, 4):
        order = ("release", hospital.study, "--same-extract", "--out", bundle(hospital, number))
        assert hospital.run(*order).status == 0
    decide = (
        ("withdraw", "2", "--reason", WHY, "--notice", hospital.folder / "5"),
        ("correct", "3", "--by", "4", "--reason", BETTER, "--notice", hospital.folder / "6"),
    )
    for order in decide:
        assert hospital.run("ledger", *order).status == 0


def bundle(hospital: Hospital, number: int) -> Path:
    return hospital.folder / f"{number}.zip"


def dossier_of(hospital: Hospital, number: int, *more: str) -> dict[str, bytes]:
    path = hospital.folder / f"{number}-dossier.zip"
    path.unlink(missing_ok=True)
    said = hospital.run("dossier", bundle(hospital, number), "--to", path, *more)
    assert said.status == 0, said.err
    return unpack(path.read_bytes())


def account_in(files: dict[str, bytes]) -> Members:
    members: Members = json.loads(files[DATA])["account"]
    return members


def opening(files: dict[str, bytes]) -> str:
    """What stands before the first heading of the second order."""
    return files["dossier.html"].decode().partition("<h2")[0]


def recipient(hospital: Hospital, patch: pytest.MonkeyPatch, *known: Signer) -> Home:
    """From here on, commands run where there is no ledger, but the office's key is known."""
    patch.setenv("DPDESK_HOME", str(hospital.folder / "recipient"))
    home = Home.locate()
    for info in (key_of(hospital).info, *known):
        keep_signer(home.signers, info)
    return home


def key_of(hospital: Hospital) -> SigningKey:
    return keys.unlock(hospital.home.keys, PASSPHRASE)


@pytest.mark.threat("E3", "G9")
def test_a_withdrawn_release_says_so_first(three: Hospital) -> None:
    files = dossier_of(three, 2)
    assert "This release was withdrawn on 20" in opening(files) and WHY in opening(files)
    assert key_of(three).info.fingerprint in opening(files)
    assert "corrected on" not in files["dossier.html"].decode()  # that is a later release's
    (found,) = account_in(files)["notices"]
    assert (found["kind"], found["reason"], found["of_this_release"]) == ("withdrawn", WHY, True)
    assert found["sequence"] == 2 and account_in(files)["notices_as_of"]["entry"] == 5
    assert parse_notice(found["signed"].encode()).members() == {
        name: found[name] for name in parse_notice(found["signed"].encode()).members()
    }


def test_a_later_release_lists_the_notices_on_earlier_ones(three: Hospital) -> None:
    files = dossier_of(three, 4)
    page = files["dossier.html"].decode()
    assert "This release was" not in page
    assert "The release of ledger entry 2 was withdrawn on 20" in page and WHY in page
    assert "The release of ledger entry 3 was corrected on 20" in page and BETTER in page
    assert "(The release of this dossier takes its place.)" in page
    assert "ledger&#x27;s entry 6" in page or "ledger's entry 6" in page
    assert [one["of_this_release"] for one in account_in(files)["notices"]] == [False, False]


def test_a_corrected_release_names_what_takes_its_place(three: Hospital) -> None:
    files = dossier_of(three, 3)
    assert "This release was corrected on 20" in opening(files)
    head = account_in(files)["notices"][1]["replaced_by"]
    assert f"has the hash {head}" in files["dossier.html"].decode()


def test_in_german(three: Hospital) -> None:
    first = opening(dossier_of(three, 2, "--language", "de"))
    assert "zurückgenommen" in first and WHY in first and "withdrawn" not in first


@pytest.mark.parametrize("number", [2, 3, 4])
def test_it_follows_from_its_bundle_and_verify_says_it(
    three: Hospital, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dossier_of(three, number)
    path = three.folder / f"{number}-dossier.zip"
    both = (bundle(three, number), path)
    own = three.run("verify", *both)
    recipient(three, monkeypatch)
    said = three.run("verify", *both)
    assert own.status == said.status == 4 and "Follows from its bundle: yes" in said.out
    # The figures of entries 3 and 4 were drawn in entry 2, which was withdrawn.
    for text in (own.err, said.err):
        assert text.count("Withdrawn on 20") == 1
        assert text.count("Corrected on 20") == (number == 3)
    first, _dossier = json.loads(three.run("verify", *both, "--json").out)["bundles"]
    withdrawn = ("withdrawn", None if number == 2 else 2)
    corrected = [("corrected", None)] if number == 3 else []
    assert [(n["kind"], n["drawn_in"]) for n in first["notices"]] == [withdrawn, *corrected]
    members = json.loads(three.run("verify", path, "--json").out)
    stated = {2: [("withdrawn", WHY, 5)], 3: [("corrected", BETTER, 6)], 4: []}[number]
    assert [(n["kind"], n["reason"], n["entry"]) for n in members["notices"]] == stated


def test_a_notice_in_a_dossier_counts_for_every_bundle_given(
    three: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    dossier_of(three, 4)
    recipient(three, monkeypatch)
    alone = three.run("verify", three.folder / "4-dossier.zip")
    assert alone.status == 0 and "on 20" not in alone.err, "it is about entry 4, not its sources"
    earlier = three.run("verify", bundle(three, 3), three.folder / "4-dossier.zip")
    assert earlier.status == 4 and "Corrected on 20" in earlier.err


def test_what_was_decided_is_said_once_however_often_it_is_handed_over(three: Hospital) -> None:
    dossier_of(three, 2)
    order = (bundle(three, 2), three.folder / "2-dossier.zip", "--notice", three.folder / "5")
    said = three.run("verify", *order)
    assert said.status == 4 and said.err.count("Withdrawn on 20") == 1


def test_the_own_ledger_says_what_a_dossier_does_not_yet(three: Hospital) -> None:
    dossier_of(three, 3)
    order = ("withdraw", "3", "--reason", "worse than that", "--notice", three.folder / "7")
    assert three.run("ledger", *order).status == 0
    said = three.run("verify", bundle(three, 3), three.folder / "3-dossier.zip")
    assert said.status == 4
    assert said.err.count("worse than that") == said.err.count("Corrected on 20") == 1


def test_without_notices_there_is_nothing_to_state(hospital: Hospital) -> None:
    assert hospital.run("release", hospital.study, "--out", bundle(hospital, 2)).status == 0
    files = dossier_of(hospital, 2)
    assert not {"notices", "notices_as_of"} & set(account_in(files))
    assert "can be withdrawn or corrected after its dossier" in files["dossier.html"].decode()


def test_another_ledger_says_nothing_of_a_release(
    three: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = subject(three, 2)
    monkeypatch.setenv("DPDESK_HOME", str(three.folder / "other"))
    assert three.run("account", "new", "small", "1").status == 0
    elsewhere = Home.locate()
    shutil.copytree(three.home.keys, elsewhere.keys, dirs_exist_ok=True)
    assert with_account_notices(about, elsewhere, key_of(three)).notices == ()
    other = three.folder / "other.zip"
    assert three.run("release", three.study, "--out", other).status == 0
    order = ("withdraw", "2", "--reason", "its own", "--notice", three.folder / "other.notice")
    assert three.run("ledger", *order).status == 0
    assert with_account_notices(about, elsewhere, key_of(three)).notices == ()


def subject(hospital: Hospital, number: int) -> Subject:
    found = verify(bundle(hospital, number), known_signers(hospital.home))
    return subject_of(found, Stated(), ReleaseWords.of("en"))


def found_of(hospital: Hospital, number: int, raw: bytes) -> tuple[list[str], str]:
    known = known_signers(hospital.home)
    found = check_dossier(raw, known, [verify(bundle(hospital, number), known)], {})
    return [problem.code for problem in found.whole], found.remade


def _forged(change: Callable[[Hospital, Notice], tuple[Notice, SigningKey]]) -> Any:
    """A dossier of which one notice is another, and everything else made to fit it."""

    def make(hospital: Hospital) -> bytes:
        about = with_account_notices(subject(hospital, 2), hospital.home, key_of(hospital))
        (own,) = about.notices
        notice, key = change(hospital, own.notice)
        signed = notice_bytes(notice, key).decode()
        is_own = (notice.sequence, notice.head) == (own.notice.sequence, own.notice.head)
        one = AccountNotice(parse_notice(signed.encode()), signed, is_own)
        return build_dossier(replace(about, notices=(one,)), key_of(hospital))

    return make


def _other_entry(hospital: Hospital, notice: Notice) -> tuple[Notice, SigningKey]:
    return replace(notice, head="0" * 64), key_of(hospital)


def _later_release(hospital: Hospital, notice: Notice) -> tuple[Notice, SigningKey]:
    return replace(notice, sequence=3), key_of(hospital)


def _decided_before(hospital: Hospital, notice: Notice) -> tuple[Notice, SigningKey]:
    return replace(notice, decided_in=2), key_of(hospital)


def _stranger(_hospital: Hospital, notice: Notice) -> tuple[Notice, SigningKey]:
    key = signing_key(9, "stranger@example.org")
    return replace(notice, signer=SignerName(key.info.identity, key.info.fingerprint)), key


@pytest.mark.parametrize(
    "change", [_other_entry, _later_release, _decided_before], ids=lambda c: c.__name__
)
@pytest.mark.in_turn(2)
def test_a_notice_that_does_not_belong_there_is_found_with_the_bundle(
    three: Hospital, change: Callable[[Hospital, Notice], tuple[Notice, SigningKey]]
) -> None:
    assert found_of(three, 2, _forged(change)(three)) == ([], "no")


@pytest.mark.parametrize("order", [(0, 0), (1, 0)])
def test_notices_stand_once_and_in_order(three: Hospital, order: tuple[int, ...]) -> None:
    about = with_account_notices(subject(three, 4), three.home, key_of(three))
    raw = build_dossier(
        replace(about, notices=tuple(about.notices[place] for place in order)), key_of(three)
    )
    assert found_of(three, 4, raw) == ([], "no")


def test_a_strangers_notice_is_found_without_the_bundle(three: Hospital) -> None:
    assert found_of(three, 2, _forged(_stranger)(three)) == (["dossier-notices-odd"], "not-checked")


@pytest.mark.threat("E3", "G9")
@pytest.mark.parametrize("is_known", [True, False])
def test_a_stranger_withdraws_nobodys_release_by_a_dossier(
    three: Hospital, is_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can make a dossier of a published bundle, with a notice of their own."""
    stranger = signing_key(9, "stranger@example.org")
    about = with_account_notices(subject(three, 2), three.home, key_of(three))
    notice, _key = _stranger(three, about.notices[0].notice)
    signed = notice_bytes(notice, stranger).decode()
    forged = replace(about, notices=(AccountNotice(notice, signed, True),))
    path = three.folder / "stranger-dossier.zip"
    path.write_bytes(build_dossier(forged, stranger))
    home = recipient(three, monkeypatch, *([stranger.info] if is_known else []))
    alone = three.run("verify", path)
    assert ("Withdrawn" in alone.err) == is_known, "what one whom you know says, in their name"
    said = three.run("verify", bundle(three, 2), path)
    assert "Withdrawn" not in said.out + said.err
    assert ("is not valid" in said.err) == is_known
    found = check_dossier(path, known_signers(home), [])
    assert bool(found.notices) == is_known
    answer = list(dossier_sentences(ComparedDossier(found)))
    assert any("was withdrawn" in one for one in answer) == is_known


def _twice(members: Members) -> None:
    members["account"]["notices"] *= 2


def _unsigned(members: Members) -> None:
    members["account"]["notices"][0]["signed"] = "withdrawn"


def _altered(members: Members) -> None:
    signed = members["account"]["notices"][0]["signed"]
    members["account"]["notices"][0]["signed"] = signed.replace("left out", "left in")


def _no_list(members: Members) -> None:
    members["account"]["notices"] = {"signed": "x"}


def _reason(members: Members) -> None:
    members["account"]["notices"][0]["reason"] = "for another reason"


def _as_of(members: Members) -> None:
    members["account"]["notices_as_of"]["entry"] = 9


def _concealed(members: Members) -> None:
    del members["account"]["notices"], members["account"]["notices_as_of"]


@pytest.mark.parametrize(
    ("change", "codes", "remade"),
    [
        (_twice, [], "no"),
        (_unsigned, ["dossier-notices-odd"], "not-checked"),
        (_altered, ["dossier-notices-odd"], "not-checked"),
        (_no_list, ["dossier-notices-odd"], "not-checked"),
        (_reason, [], "no"),
        (_as_of, [], "no"),
        (_concealed, [], "no"),
    ],
)
@pytest.mark.in_turn(2)
def test_an_altered_notice_is_found(
    three: Hospital, change: Callable[[Members], None], codes: list[str], remade: str
) -> None:
    files = dossier_of(three, 2)
    members, manifest = json.loads(files[DATA]), json.loads(files[MANIFEST])
    change(members)
    files[DATA] = json_bytes(members)
    manifest["files"][DATA] = hashlib.sha256(files[DATA]).hexdigest()
    assert found_of(three, 2, sealed(files, manifest, key_of(three))) == (codes, remade)
