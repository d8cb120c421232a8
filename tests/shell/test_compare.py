# SPDX-License-Identifier: Apache-2.0
"""``dpdesk compare``: two bundles that verify, each change with its margin, nothing spent."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dpdesk.privacy.differences import Difference
from dpdesk.privacy.statistics.figures_text import Figure
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
    assert "The two extracts may hold the same people." in said.out
    assert "expect up to five" in said.out
    assert said.err == ""
    assert hospital.spent == spent


def test_a_release_that_this_ledger_withdrew_is_said_to_be(
    hospital: Hospital, bundles: tuple[Path, Path], tmp_path: Path
) -> None:
    why = ("--reason", "the wrong file", "--notice", tmp_path / "a.notice")
    done = hospital.run("ledger", "withdraw", "2", *why)
    assert done.status == 0, done.err
    said = hospital.run("compare", *bundles)
    assert said.status == 0
    assert said.err.strip() == "The earlier release was withdrawn: the wrong file."
    found = json.loads(hospital.run("compare", *bundles[::-1], "--json").out)
    assert found["taken_back"] == {"later": "withdrawn"}


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
    assert out.count("it was drawn once") == 2
    assert "±" not in out


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
