# SPDX-License-Identifier: Apache-2.0
"""``dpdesk compare``: two bundles that verify, each change with its margin, nothing spent."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import dpdesk
from dpdesk.privacy.planning.differences import Difference
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.shell.compare import _cells, _line_members
from tests.shell.hospital import Hospital


@pytest.fixture
def bundles(hospital: Hospital, tmp_path: Path) -> tuple[Path, Path]:
    """A release, and the same questions on the next extract of many more rows."""
    earlier, later = tmp_path / "earlier.zip", tmp_path / "later.zip"
    assert hospital.run("release", hospital.study, "--out", earlier).status == 0
    rows = [f"{place},{'AB'[place % 2]},{place % 14 + 1}" for place in range(4_000)]
    hospital.write_data("\n".join(["pid,ward,stay", *rows]) + "\n")
    said = hospital.run("release", hospital.study, "--out", later, "--extract", "next")
    assert said.status == 0, said.err
    return earlier, later


def test_it_says_what_is_more_than_noise_and_what_that_means(
    hospital: Hospital, bundles: tuple[Path, Path]
) -> None:
    spent = hospital.spent
    said = hospital.run("compare", *bundles)
    assert said.status == 0, said.err
    assert "more than noise" in said.out
    assert "That is no evidence that nothing has changed." in said.out
    assert "Both extracts may contain the same people." in said.out
    assert "on average, in at most 5 of 100" in " ".join(said.out.split())
    assert said.err == ""
    assert hospital.spent == spent


def test_a_later_version_compares_what_an_earlier_one_released(
    hospital: Hospital, bundles: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is compared follows from what was drawn, whatever wrote the report."""
    before = json.loads(hospital.run("compare", "--json", *bundles).out)
    monkeypatch.setattr(dpdesk, "__version__", "9999.0.0")
    assert json.loads(hospital.run("compare", "--json", *bundles).out) == before


def test_a_release_that_this_ledger_withdrew_is_said_to_be(
    hospital: Hospital, bundles: tuple[Path, Path], tmp_path: Path
) -> None:
    why = ("--reason", "the wrong file", "--notice", tmp_path / "a.notice")
    done = hospital.run("ledger", "withdraw", "2", *why)
    assert done.status == 0, done.err
    said = hospital.run("compare", *bundles)
    assert said.status == 4, "as of a bundle that is verified with its notice"
    assert said.err.strip() == "The earlier release was withdrawn: the wrong file."
    found = json.loads(hospital.run("compare", *bundles[::-1], "--json").out)
    assert found["taken_back"] == {"later": "withdrawn"}
    assert found["one_history"] is True


def test_a_notice_reaches_a_recipient_who_has_no_ledger(
    hospital: Hospital, bundles: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice, signers = tmp_path / "a.notice", tmp_path / "signers"
    why = ("--reason", "the wrong file", "--notice", notice)
    assert hospital.run("ledger", "correct", "2", *why).status == 0
    own = keys.show(hospital.home.keys)
    assert own is not None
    signers.write_text(allowed_signers_line(own) + "\n")
    monkeypatch.setenv("DPDESK_HOME", str(tmp_path / "elsewhere"))
    known = ("--signers", signers)
    assert hospital.run("compare", *bundles, *known).err == ""
    said = hospital.run("compare", *bundles, *known, "--notice", notice)
    assert said.err.strip() == "The earlier release was corrected: the wrong file."
    assert said.status == 4 and "more than noise" in said.out
    swapped = hospital.run("compare", *bundles[::-1], *known, "--notice", notice, "--json")
    found = json.loads(swapped.out)
    assert found["taken_back"] == {"later": "corrected"}
    assert found["notices"][0]["about"] == "later"
    notice.write_bytes(notice.read_bytes().replace(b"wrong", b"right"))
    said = hospital.run("compare", *bundles, *known, "--notice", notice)
    assert said.status == 1 and "changed after it was signed" in said.err


def test_two_copies_of_one_ledger_are_said_to_be_and_what_only_one_asks(
    hospital: Hospital, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    copytree(hospital.home.ledger.parent, copy)
    one, two = tmp_path / "one.zip", tmp_path / "two.zip"
    assert hospital.run("release", hospital.study, "--out", one).status == 0
    monkeypatch.setenv("DPDESK_HOME", str(copy))
    sums = {"id": "sum", "statistic": "sum", "column": "stay", "epsilon": 0.2}
    hospital.write_study(lambda members: members["queries"].__setitem__(1, sums))
    assert hospital.run("release", hospital.study, "--out", two).status == 0
    said = hospital.run("compare", one, two)
    assert said.status == hospital.run("verify", one, two).status == 1
    assert "they come from diverging copies of one ledger" in said.err
    assert "Only in the earlier release: Mean" in said.out
    assert "Only in the later release: Sum" in said.out
    found = json.loads(hospital.run("compare", one, two, "--json").out)
    assert found["one_history"] is False
    assert (len(found["only_earlier"]), len(found["only_later"])) == (1, 1)


def test_programs_read_the_difference_and_its_margin(
    hospital: Hospital, bundles: tuple[Path, Path]
) -> None:
    found = json.loads(hospital.run("compare", *bundles, "--json").out)
    stays = found["queries"][0]
    assert [line["groups"] for line in stays["lines"]] == [["A"], ["B"]]
    for line in stays["lines"]:
        change = float(line["later"][0]) - float(line["earlier"][0])
        assert float(line["difference"]) == pytest.approx(change)
        own = [float(line[side][1]) for side in ("earlier", "later")]
        assert max(own) < float(line["half_width_95"]) < sum(own)
        assert line["more_than_noise"] is True
    backwards = json.loads(hospital.run("compare", *bundles[::-1], "--json").out)
    turned = backwards["queries"][0]["lines"][0]["difference"]
    assert float(turned) == -float(stays["lines"][0]["difference"])


def test_a_bundle_that_does_not_verify_is_not_compared(
    hospital: Hospital, bundles: tuple[Path, Path], tmp_path: Path
) -> None:
    spoilt = tmp_path / "spoilt.zip"
    raw = bundles[1].read_bytes()
    spoilt.write_bytes(raw.replace(b"Small hospital", b"Large hospital", 1))
    said = hospital.run("compare", bundles[0], spoilt)
    assert said.status == 1
    assert said.out == ""
    assert "spoilt.zip does not verify" in said.err
    nobody = tmp_path / "nobody"
    nobody.write_text("")
    assert hospital.run("compare", *bundles, "--signers", nobody).status == 1


def test_stored_answers_are_one_answer(
    hospital: Hospital, bundles: tuple[Path, Path], tmp_path: Path
) -> None:
    again = tmp_path / "again.zip"
    said = hospital.run(
        *("release", hospital.study, "--out", again, "--extract", "next", "--same-extract")
    )
    assert said.status == 0, said.err
    out = hospital.run("compare", bundles[1], again).out
    assert out.count("stored figure, drawn once") == 2
    assert "±" not in out


def test_populations_are_compared_where_both_releases_ask_for_them(
    hospital: Hospital, tmp_path: Path
) -> None:
    def asked(members: dict[str, Any]) -> None:
        members["unit"] = {"max_rows": 1, "neighbours": "add-remove"}
        members["queries"][0] |= {"population": True}

    earlier, later = tmp_path / "earlier.zip", tmp_path / "later.zip"
    hospital.write_study(asked)
    rows = [f"{place},{'AB'[place % 2]},{place % 14 + 1}" for place in range(4_000)]
    hospital.write_data("\n".join(["pid,ward,stay", *rows]) + "\n")
    assert hospital.run("release", hospital.study, "--out", earlier).status == 0
    said = hospital.run("release", hospital.study, "--out", later, "--extract", "next")
    assert said.status == 0, said.err
    out = hospital.run("compare", earlier, later).out
    assert "for the population" in out and "even if the same people are in both" in out
    found = json.loads(hospital.run("compare", earlier, later, "--json").out)["queries"]
    for line in found[0]["lines"]:
        low, high = map(float, line["population_95"])
        change, margin = float(line["difference"]), float(line["half_width_95"])
        assert low < change - margin < change + margin < high
    assert found[1]["lines"][0]["population_95"] is None, "not asked of the mean"
    plan = hospital.run("plan", hospital.study)
    assert "an interval for the population is beside each figure." in plan.out


def test_shares_are_percentages_for_people_and_numbers_for_programs() -> None:
    line = Difference(
        Figure(Fraction(4, 10), Fraction(2, 100)),
        Figure(Fraction(45, 100), Fraction(3, 100)),
        Fraction(5, 100),
        Fraction(4, 100),
    )
    assert list(_cells(line, 100)) == [
        *("40 %", "± 2", "45 %", "± 3"),
        *("5", "± 4", "more than noise"),
    ]
    assert list(_cells(line, 1))[:2] == ["0.4", "± 0.02"]
    assert _line_members(line)["difference"] == "0.05"
