# SPDX-License-Identifier: Apache-2.0
"""``dpdesk rehearse``: before account, key and file are there; its file is no bundle."""

from __future__ import annotations

import json
from pathlib import Path

from tests.shell.hospital import Hospital


def test_it_needs_neither_data_nor_account_nor_key(hospital: Hospital, tmp_path: Path) -> None:
    (hospital.folder / "stays.csv").unlink()
    said = hospital.run("rehearse", str(hospital.study), "--to", str(tmp_path))
    assert said.status == 0, said.err
    assert said.out.startswith("Made up, not a release.")
    assert "made_up_small-hospital.zip" in said.out
    assert (tmp_path / "made_up_small-hospital.zip").is_file()


def test_verify_refuses_its_file_with_a_sentence_and_a_status_of_its_own(
    hospital: Hospital, tmp_path: Path
) -> None:
    path = tmp_path / "made_up_a.zip"
    assert hospital.run("rehearse", str(hospital.study), "--to", str(path)).status == 0
    said = hospital.run("verify", str(path))
    assert said.status == 5
    assert said.out == ""
    assert said.err.startswith("Made up, not a release")
    spoilt = tmp_path / "spoilt.zip"
    spoilt.write_bytes(b"PK")
    assert hospital.run("verify", str(path), str(spoilt)).status == 1
    found = json.loads(hospital.run("verify", "--json", str(path)).out)
    assert (found["made_up"], found["verified"]) == (True, False)


def test_programs_read_what_drowns(hospital: Hospital) -> None:
    found = json.loads(hospital.run("rehearse", str(hospital.study), "--rows", "8", "--json").out)
    assert found["made_up"] is True
    assert found["to"] is None
    by_id = {query["id"]: query for query in found["queries"]}
    assert by_id["stays"]["rows_a_group"] == 4
    assert by_id["mean-stay"]["too_noisy"] == 1


def test_nothing_is_spent_and_nothing_recorded(hospital: Hospital) -> None:
    before = hospital.run("account", "list", "--json").out
    ledger = hospital.home.ledger.read_bytes()
    assert hospital.run("rehearse", str(hospital.study)).status == 0
    assert hospital.home.ledger.read_bytes() == ledger
    assert hospital.run("account", "list", "--json").out == before


def test_a_group_is_guessed_by_itself(hospital: Hospital) -> None:
    study, size = str(hospital.study), ("--group-size", "stays: A = 3")
    ran = hospital.run("rehearse", *size, "--json", study)
    assert ran.status == 0, ran.err
    found = json.loads(ran.out)
    stays = next(query for query in found["queries"] if query["id"] == "stays")
    assert 3 in stays["rows_a_group"] and stays["guessed"] is True
    assert " to " in hospital.run("rehearse", study, *size).out
    for wrong, said in (
        ("stays: nowhere = 3", "no group “nowhere”"),
        ("nothing: A = 3", "no query “nothing”"),
        ("stays: A = many", "is not a group size"),
        ("stays", "is not a group size"),
    ):
        refused = hospital.run("rehearse", study, "--group-size", wrong)
        assert refused.status != 0 and said in refused.err
