# SPDX-License-Identifier: Apache-2.0
"""Bad input in the shell: one clear sentence, exit 1, and nothing spent or lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.ledger import Ledger
from tests.shell.hospital import ROWS, Hospital

Change = Callable[[dict[str, Any]], object]


def refused(hospital: Hospital, sentence: str) -> None:
    """Assert that a release is refused with a sentence, and that nothing happened."""
    said = hospital.release()
    assert said.status == 1
    assert [sentence] == said.sentences
    assert said.out == ""
    assert hospital.spent == "0"
    assert not hospital.bundle.exists()


def test_a_missing_file(hospital: Hospital) -> None:
    hospital.data.unlink()
    refused(hospital, "$.data.path: The data file is missing; check its name and folder.")


def test_an_empty_file(hospital: Hospital) -> None:
    hospital.write_data("")
    refused(hospital, "$.data.path: The data file is empty; choose a file with a header.")


def test_a_declared_column_that_is_absent(hospital: Hospital) -> None:
    hospital.write_data("pid,ward\n1,A\n")
    refused(
        hospital,
        "$.columns[1]: The data file has no column “stay”; check its spelling, the separator and "
        "the line of the header, or remove its declaration.",
    )


FIRST_LINES = {
    "a row": "4711-Canary,Canary ward,3",
    "fixed widths": "4711Canary  Canaryward 03",
    "HL7": "MSH|^~\\&|Canary|H|LAB|H|20240101||ADT^A01|0|P|2.5",
    "SAS": "data Canary; input pid ward $;",
    "a row that stands twice": "Canary,Canary,Canary",
    "a long cell": "Canary" * 200,
    "a name with a control character": "Canary\x01,2",
    "a quoted cell that stays open": '"Canary,2',
    "a lone carriage return": "Canary\rpid,ward",
}


@pytest.mark.parametrize("command", ["check", "release", "plan"])
@pytest.mark.parametrize("line", FIRST_LINES.values(), ids=list(FIRST_LINES))
@pytest.mark.parametrize("header_row", [None, 1, 2])
@pytest.mark.in_turn(8)
def test_no_message_prints_a_cell_of_the_first_line(
    hospital: Hospital, command: str, line: str, header_row: int | None
) -> None:
    hospital.write_data(f"{line}\n1,A,3\n2,B,5\n")
    hospital.write_study(lambda members: members["data"].update(header_row=header_row))
    out = ["--out", hospital.bundle] if command == "release" else []
    said = hospital.run(command, hospital.study, *out)
    assert said.status == (0 if command == "plan" else 1)
    assert "Canary" not in said.out + said.err and "4711" not in said.out + said.err
    assert hospital.spent == "0" and not hospital.bundle.exists()


def test_duplicate_headers(hospital: Hospital) -> None:
    hospital.write_data("pid,ward,stay,stay\n1,A,3,4\n")
    refused(
        hospital,
        (
            "$.columns[1]: The data file has duplicate columns “stay”; choose one by its "
            "position, as in “stay (column 7)”, or rename one in the file."
        ),
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda m: m["columns"][1].update(lower=20),
            (
                "$.columns[1].upper: The highest value must be above the lowest (20). Did you "
                "mean 140?"
            ),
        ),
        (
            lambda m: m["columns"][1].update(step=2),
            "$.columns[1].step: The step must divide the range of 13 evenly. Did you mean 1?",
        ),
        (
            lambda m: m.update(dpdesk=2),
            "$.dpdesk: This study was saved by a newer dpdesk (format 2, this one reads up to 1); "
            "open it there, or update this one.",
        ),
        (
            lambda m: m["queries"][0].update(epsilon=0),
            "$.queries[0].epsilon: The budget must be more than 0.",
        ),
        (
            lambda m: m["queries"][0].update(by=["sex"]),
            "$.queries[0].by[0]: “sex” is not declared in Columns; declare it there first.",
        ),
        (
            lambda m: m["queries"][0].update(colour="red"),
            "$.queries[0].colour: dpdesk does not know this member; remove it or check its "
            "spelling.",
        ),
    ],
    ids=["bounds", "step", "newer version", "no budget", "undeclared group", "unknown member"],
)
def test_a_study_that_cannot_be(hospital: Hospital, change: Change, sentence: str) -> None:
    hospital.write_study(change)
    refused(hospital, sentence)
    said = hospital.run("plan", hospital.study)
    assert (said.status, said.sentences) == (1, [sentence])


def test_a_wrong_passphrase(
    hospital: Hospital, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("not the passphrase", encoding="utf-8")
    monkeypatch.setenv("DPDESK_PASSPHRASE_FILE", str(wrong))
    refused(hospital, "The passphrase is wrong, so nothing was done; type it again.")


def test_a_ledger_that_cannot_be_written(hospital: Hospital) -> None:
    kept = hospital.folder / "kept.sqlite"
    shutil.move(hospital.home.ledger, kept)
    hospital.home.ledger.mkdir()
    said = hospital.release()
    assert said.status == 1
    assert said.sentences == [
        "The ledger cannot be written; check the disk and the permissions of its folder. Nothing "
        "was spent."
    ]
    hospital.home.ledger.rmdir()
    shutil.move(kept, hospital.home.ledger)
    assert hospital.spent == "0"
    assert not hospital.bundle.exists()


def test_a_bundle_that_cannot_be_written(hospital: Hospital) -> None:
    said = hospital.run("release", hospital.study, "--out", hospital.folder / "no" / "b.zip")
    assert said.status == 1
    assert said.sentences == [
        (
            "b.zip cannot be written. Check the disk and the permissions of "
            "the folder, or choose another folder."
        )
    ]
    assert hospital.spent == "0"


def test_an_unknown_account(hospital: Hospital) -> None:
    hospital.write_study(lambda m: m["budget"].update(account="other"))
    said = hospital.release()
    assert said.status == 1
    assert said.sentences == [
        "$.budget.account: The account “other” is not in this ledger. If nothing was ever "
        "released about these people, open it with: dpdesk account new other EPSILON"
    ]
    # Where no study is read, no place in one is named.
    assert hospital.run("account", "show", "other").sentences[0].startswith("The account “other”")


@pytest.mark.threat("B11")
@pytest.mark.parametrize(
    "rows",
    [
        ROWS[:1],
        [ROWS[0], "1,Z,3", "2,never seen,5"],
        [ROWS[0], "1,A,abc", "2,B,", "3,A,n/a"],
    ],
    ids=["header only", "categories never seen", "no cell can be read"],
)
def test_what_cells_hold_never_stops_a_release(hospital: Hospital, rows: list[str]) -> None:
    """A refusal would tell that the table is empty: one patient more, and it would release."""
    hospital.write_data("\n".join(rows) + "\n")
    said = hospital.release()
    assert said.status == 0 and said.sentences[0].startswith("Deliberately coarse.")
    assert hospital.spent == "0.5"
    assert hospital.run("verify", hospital.bundle).status == 0


def test_an_overspending_release_is_refused_with_what_is_left(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    assert hospital.release("--fresh", "--same-extract").status == 0
    kept = hospital.bundle.read_bytes()
    said = hospital.release("--fresh", "--same-extract")
    assert said.status == 1
    assert said.sentences == [
        "$.budget.epsilon: This costs 0.5; the account “small” has 0 remaining, 0.5 too little."
    ]
    assert hospital.bundle.read_bytes() == kept
    # The ledger is read anew by every command: closing and reopening changes nothing.
    assert Ledger.open(hospital.home).account("small").left.micro == 0
    assert hospital.release("--fresh", "--same-extract").status == 1


def test_a_question_that_was_answered_is_free(hospital: Hospital) -> None:
    first = hospital.release("--json")
    again = hospital.release("--json", "--same-extract")
    assert (first.status, again.status) == (0, 0)
    assert hospital.spent == "0.5"
    tables = [
        said.out[said.out.index('"tables"') : said.out.index('"account"')]
        for said in (first, again)
    ]
    assert tables[0] == tables[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["release"],
        ["plan"],
        ["key"],
        ["account", "new", "a"],
        ["verify"],
        ["release", "a", "--old"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2(hospital: Hospital, arguments: list[str]) -> None:
    said = hospital.run(*arguments)
    assert said.status == 2
    assert said.err


@pytest.mark.threat("B3")
def test_a_mistake_of_ours_is_one_sentence_without_its_text(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> None:
        raise ValueError("canary-7f3a")

    monkeypatch.setattr("dpdesk.release.run.drawing.measure", broken)
    said = hospital.release()
    assert said.status == 1
    assert said.sentences[-1:] == [
        (
            "Internal error (ValueError), recorded in faults.log. Check History for a charge "
            "before you release again."
        )
    ]
    assert hospital.spent == "0"  # nothing was drawn yet
    noted = (hospital.home.logs / "faults.log").read_text(encoding="utf-8")
    assert "ValueError" in noted and "run.py" in noted
    assert "canary" not in noted + said.out + said.err
