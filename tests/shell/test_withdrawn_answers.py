# SPDX-License-Identifier: Apache-2.0
"""Figures of a withdrawn release do not go out again, for free, without a word of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import allowed_signers_line
from tests.shell.hospital import Hospital

REASON = "a ward was left out"
AGAIN = ("--same-extract",)
USED = (*AGAIN, "--use-withdrawn")


@pytest.fixture
def notice(hospital: Hospital) -> Path:
    """The notice that the release of entry 2, the first, is withdrawn."""
    assert hospital.release().status == 0
    return revoked(hospital, "withdraw", "2")


def revoked(hospital: Hospital, *how: str) -> Path:
    path = hospital.folder / "two.notice"
    said = hospital.run("ledger", *how, "--reason", REASON, "--notice", path)
    assert said.status == 0, said.err
    return path


def test_the_plan_says_that_the_release_was_withdrawn(hospital: Hospital, notice: Path) -> None:
    said = hospital.run("plan", hospital.study)
    assert said.out.count(f"which was withdrawn ({REASON})") == 2, said.out
    assert "--fresh draws new noise" in said.out and "at no cost" not in said.out
    members = json.loads(hospital.run("plan", hospital.study, "--json").out)
    (taken,) = {json.dumps(one["answered"]["taken_back"]) for one in members["queries"]}
    assert json.loads(taken) == {"kind": "withdrawn", "reason": REASON}
    fresh = hospital.run("plan", hospital.study, "--fresh").out
    assert "withdrawn" not in fresh


def test_they_go_out_only_where_somebody_says_so(hospital: Hospital, notice: Path) -> None:
    before, old = Ledger.open(hospital.home).head(), hospital.bundle.read_bytes()
    refused = hospital.release(*AGAIN)
    assert refused.status == 1
    assert "Release 1 was withdrawn" in refused.err and REASON in refused.err
    assert "--fresh" in refused.err and "--use-withdrawn" in refused.err
    assert Ledger.open(hospital.home).head() == before and hospital.bundle.read_bytes() == old
    used = hospital.release(*USED)
    assert used.status == 0, used.err
    assert f"which was withdrawn ({REASON})" in used.out and hospital.spent == "0.5"


def test_new_noise_is_no_matter_of_the_withdrawal(hospital: Hospital, notice: Path) -> None:
    hospital.write_study(lambda members: members["queries"].pop())
    fresh = hospital.release(*AGAIN, "--fresh")
    assert fresh.status == 0 and hospital.spent == "0.7", fresh.err
    again = hospital.release(*AGAIN)
    assert again.status == 0 and "withdrawn" not in again.out + again.err, "it has new figures"
    assert hospital.run("verify", hospital.bundle).status == 0


def test_verify_says_that_they_are_of_a_withdrawn_release(
    hospital: Hospital, notice: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hospital.release(*USED).status == 0
    own = hospital.run("verify", hospital.bundle)
    drawn = "This bundle contains figures of an earlier release (entry 2 of its ledger)."
    assert own.status == 4 and drawn in own.err and REASON in own.err
    members = json.loads(hospital.run("verify", hospital.bundle, "--json").out)["own_ledger"]
    assert (members["kind"], members["drawn_in"]) == ("withdrawn", 2)
    line = hospital.folder / "line"
    info = keys.show(hospital.home.keys)
    assert info is not None
    line.write_text(allowed_signers_line(info), encoding="ascii")
    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "recipient"))
    verify = ("verify", hospital.bundle, "--signers", line)
    assert hospital.run(*verify).status == 0, "they hear by the notice"
    ended = hospital.run(*verify, "--notice", notice)
    assert ended.status == 4 and drawn in ended.err and REASON in ended.err, ended
    (found,) = json.loads(hospital.run(*verify, "--notice", notice, "--json").out)["notices"]
    assert (found["counts"], found["drawn_in"]) == (True, 2)


def test_one_table_is_withdrawn_and_the_others_stay(
    hospital: Hospital, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The budget stays spent, and the other table's stored figures are nobody's question."""
    assert hospital.release().status == 0
    first = hospital.folder / "first.zip"
    shutil.copyfile(hospital.bundle, first)
    tables = [one.name for one in Ledger.open(hospital.home).release(2).record.queries]
    counts, mean = (f"{name}.csv" for name in tables)
    unknown = ("ledger", "withdraw", "2", "--reason", REASON, "--table", "other.csv", "--notice")
    said = hospital.run(*unknown, hospital.folder / "none.notice")
    assert (
        said.status == 1
        and f"no table other. Its tables are {', '.join(sorted(tables))}" in said.err
    )
    notice = revoked(hospital, "withdraw", "2", "--table", counts, "--table", f"results/{counts}")
    assert json.loads(notice.read_bytes().partition(b"SIGNATURE-----\n{")[2].join((b"{", b"")))[
        "tables"
    ] == [counts.removesuffix(".csv")]
    assert hospital.spent == "0.5"
    shown = hospital.run("account", "show", "small").out
    assert f"Only {counts} of release 1 (entry 2 of the ledger) withdrawn: {REASON}" in shown
    only = f"Only {counts}: do not use it. The other tables stay as they are."
    own = hospital.run("verify", first)
    assert own.status == 4 and only in own.err and REASON in own.err
    with_notice = hospital.run("verify", first, "--notice", notice)
    assert with_notice.status == 4 and with_notice.err.count(only) == 1
    members = json.loads(hospital.run("verify", first, "--notice", notice, "--json").out)
    assert members["verified"] is True
    assert members["notices"][0]["tables"] == members["own_ledger"]["tables"] == [tables[0]]
    answers = json.loads(hospital.run("plan", hospital.study, "--json").out)["queries"]
    assert [one["answered"]["taken_back"] is None for one in answers] == [False, True]
    assert hospital.release(*AGAIN).status == 1, "the withdrawn table's figure would go out again"
    used = hospital.release(*USED)
    assert used.status == 0 and used.out.count("which was withdrawn") == 1
    assert hospital.run("verify", hospital.bundle).status == 4
    hospital.write_study(lambda members: members["queries"].pop(0))
    other = hospital.release(*AGAIN)
    assert other.status == 0 and "was withdrawn" not in other.out + other.err
    assert hospital.run("verify", hospital.bundle).status == 0, "it has none of its figures"
    said = hospital.run("compare", first, hospital.bundle)
    assert f"Tables of the earlier release were withdrawn: {REASON}. {only}" in said.err
    again = ("ledger", "withdraw", "2", "--reason", "also", "--notice")
    said = hospital.run(*again, hospital.folder / "a.notice", "--table", counts)
    assert said.status == 1 and "already withdrawn" in said.err
    assert hospital.run(*again, hospital.folder / "a.notice", "--table", mean).status == 0
    own = hospital.run("verify", first)
    assert f"Only {', '.join(sorted((counts, mean)))}: do not use it." in own.err
    assert f"{REASON}. also." in own.err
    assert hospital.run(*again, hospital.folder / "b.notice").status == 0, "now all of it"
    assert "Only" not in hospital.run("verify", first).err
    said = hospital.run(*again, hospital.folder / "c.notice", "--table", mean)
    assert said.status == 1 and "already withdrawn" in said.err


def test_compare_says_so_too(hospital: Hospital, notice: Path) -> None:
    first = hospital.folder / "first.zip"
    shutil.copy(hospital.bundle, first)
    assert hospital.release(*USED).status == 0
    said = hospital.run("compare", first, hospital.bundle)
    assert said.status == 4 and "The earlier release was withdrawn" in said.err
    later = "Figures of the later release were drawn in one that was withdrawn"
    assert f"{later}: {REASON}." in said.err, said.err


def test_a_correction_is_not_itself_corrected(hospital: Hospital) -> None:
    """Its title was wrong: the release that replaces it has the same figures."""
    assert hospital.release().status == 0
    hospital.write_study(lambda members: members.update(title="All of the hospital"))
    assert hospital.release(*AGAIN).status == 0
    notice = revoked(hospital, "correct", "2", "--by", "3")
    assert hospital.run("verify", hospital.bundle).status == 0
    other = hospital.run("verify", hospital.bundle, "--notice", notice)
    assert other.status == 1 and "another release" in other.err
    assert f"which was corrected ({REASON})" in hospital.run("plan", hospital.study).out
    assert hospital.release(*AGAIN).status == 1
