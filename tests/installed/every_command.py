# SPDX-License-Identifier: Apache-2.0
"""A small hospital's two years in the shell: every command of ``docs/commands.md``, once at least.

Each line is written as a person types it, in the folder where files are handed over. Who types it
has a home of their own: the custodian, the second person, a recipient, and three new computers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.unit import DataSource
from tests.release.studies import STUDY, write_data

PASSPHRASES = {"passphrase": "an invented passphrase", "new": "another invented passphrase"}
COMMAND = re.compile(r"^## (.*)$", re.MULTILINE)
USAGE, REFUSED, DONE, WITHDRAWN, MADE_UP = 2, 1, 0, 4, 5
"""Exit statuses, as the document gives them."""

Run = Callable[[str, str], "CompletedProcess[str]"]
"""Runs a line of the shell for somebody, in the folder."""


@dataclass
class Shell:
    """What was typed so far.

    Attributes:
        folder: where files are handed over.
        statuses: by the line's first words, how each ended.
        wrong: what ended otherwise than expected, or said too much.
    """

    run: Run
    folder: Path
    statuses: dict[str, list[int]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def __call__(self, who: str, line: str, status: int = DONE) -> str:
        """Type a line behind ``dpdesk``; what it writes to standard output."""
        done = self.run(who, f"dpdesk {line}")
        words = line.split(" -")[0].split()
        self.statuses.setdefault(" ".join(words), []).append(done.returncode)
        if done.returncode != status or "Traceback" in done.stderr:
            self.wrong.append(
                f"{line}: {done.returncode}: {done.stdout[-300:]}{done.stderr[-700:]}"
            )
        return done.stdout

    def asked(self, who: str, line: str) -> Any:
        """What it writes as JSON."""
        said = self(who, f"{line} --json")
        return json.loads(said or "null")

    def not_run(self, commands: list[str]) -> list[str]:
        """Commands that no line began with, of a document's headings."""
        lines = [f"{line} " for line in self.statuses]
        return [one for one in commands if not any(x.startswith(f"{one} ") for x in lines)]


def commands_of(document: str) -> list[str]:
    """The commands that a document describes."""
    return [name for name in COMMAND.findall(document) if name[0].islower()]


def prepare(folder: Path) -> None:
    """Two years' files, and the first study."""
    for year in (2025, 2026):
        write_data(folder, first=year, name=f"stays-{year}.csv")
    first = replace(STUDY, data=DataSource("stays-2025.csv", extract="2025"))
    (folder / "first.dpdesk").write_bytes(study_to_bytes(first))
    for name, text in PASSPHRASES.items():
        (folder / name).write_text(f"{text}\n", encoding="utf-8")


def live(dpdesk: Shell) -> None:
    """All of it, in the order in which it can happen."""
    keys_and_account(dpdesk)
    first_year(dpdesk)
    second_year(dpdesk)
    read(dpdesk)
    keep(dpdesk)
    change_keys(dpdesk)
    move(dpdesk)


def keys_and_account(dpdesk: Shell) -> None:
    for who in ("owner", "second"):
        dpdesk(who, f"key new --name {who}@hospital.example")
        (dpdesk.folder / f"{who}.txt").write_text(dpdesk(who, "key show"), encoding="utf-8")
    dpdesk("owner", "account new registry 4 --note 'Data board, 12 May'")
    dpdesk("owner", "account new registry 4", REFUSED)
    dpdesk("owner", "account raise registry 5 --reason 'Data board, 1 June'")
    dpdesk("owner", "account list")
    second = "--signer second.txt --before release --reason 'Data board'"
    dpdesk("owner", f"account second-person registry {second}")
    assert dpdesk.asked("owner", "account show registry")["total"] == "5"


def first_year(dpdesk: Shell) -> None:
    dpdesk("owner", "plan first.dpdesk --levels --people 4 --pdf plan.pdf")
    dpdesk("owner", "fit first.dpdesk --within stays=30")
    dpdesk("owner", "rehearse first.dpdesk --to made-up.zip --rows 500")
    dpdesk("owner", "verify made_up_made-up.zip", MADE_UP)
    dpdesk("owner", "codebook first.dpdesk --write codebook.json")
    dpdesk("owner", "codebook first.dpdesk codebook.json --accept all")
    dpdesk("owner", "check first.dpdesk")
    dpdesk("owner", "release first.dpdesk --yes", REFUSED)  # the second person has not signed
    dpdesk("owner", "plan first.dpdesk --to plan.json")
    dpdesk("second", "sign plan.json")
    dpdesk("owner", "release first.dpdesk --yes --signed-plan plan.json --out first.zip")
    dpdesk("owner", "account second-person registry --end --reason 'Data board' --to end.json")
    dpdesk("second", "sign end.json")
    dpdesk("owner", "account second-person registry --change end.json")


def second_year(dpdesk: Shell) -> None:
    dpdesk("owner", "new second.dpdesk --like first.dpdesk --data stays-2026.csv --extract 2026")
    dpdesk("owner", "ledger series new second.dpdesk stays --count 2 --every year")
    dpdesk("owner", "ledger series list")
    dpdesk("owner", "release second.dpdesk --yes --series stays --out second.zip --language de")
    dpdesk("owner", "ledger series end registry stays --reason 'The board has another plan'")
    dpdesk("owner", "order second.dpdesk --out stays.order.json")


def read(dpdesk: Shell) -> None:
    """What a recipient and the officer do; and what is taken back."""
    dpdesk("reader", "verify first.zip", REFUSED)  # nobody knows the signer yet
    dpdesk("reader", "signers add owner.txt")
    dpdesk("reader", "signers add second.txt")
    dpdesk("reader", "verify first.zip second.zip")
    dpdesk("reader", "compare first.zip second.zip")
    dpdesk("owner", "dossier first.zip --to dossier.zip --purpose 'Annual report'")
    dpdesk("reader", "verify dossier.zip")
    releases = dpdesk.asked("owner", "account show registry")["entries"]
    first, second = (str(one["sequence"]) for one in releases if one["kind"] == "release")
    withdraw = f"ledger withdraw {first} --table count-of-rows.csv --reason 'Rows were lost'"
    dpdesk("owner", f"{withdraw} --notice withdrawn.zip")
    dpdesk("reader", "verify first.zip --notice withdrawn.zip", WITHDRAWN)
    correct = f"ledger correct {first} --by {second} --reason 'Rows were lost'"
    dpdesk("owner", f"{correct} --notice corrected.zip")
    dpdesk("owner", "verify first.zip", WITHDRAWN)
    last = dpdesk.asked("owner", "account show registry")["entries"][-1]["sequence"]
    dpdesk("owner", f"ledger notice {last} again.zip")


def keep(dpdesk: Shell) -> None:
    dpdesk("owner", "ledger check")
    dpdesk("owner", "ledger backup backup.zip --with-key")
    dpdesk("owner", "ledger export export.zip")
    dpdesk("owner", "diagnostics")
    dpdesk("owner", "--verify-installation")
    dpdesk("owner", "verify", USAGE)
    dpdesk("owner", "plan no-such.dpdesk", REFUSED)


def change_keys(dpdesk: Shell) -> None:
    dpdesk("owner", "key print --out key.pdf")
    dpdesk("owner", "key words --out words.pdf")
    numbered = dpdesk("owner", "key words").splitlines()
    words = [line.split(maxsplit=1)[1] for line in numbered]
    (dpdesk.folder / "words").write_text("\n".join([*words, ""]), encoding="utf-8")
    dpdesk("paper", "key restore-words --name owner@hospital.example < words")
    dpdesk("reader", "key import other --name reader@hospital.example")
    dpdesk("owner", "key certificate --out certificate.txt")
    dpdesk("owner", "key rotate --out rotation.txt")
    dpdesk("owner", "key passphrase")
    dpdesk("reader", "signers rotate rotation.txt")
    dpdesk("second", "key revoke --reason 'The computer was stolen' --out revocation.txt")
    dpdesk("reader", "signers revoke revocation.txt")


def move(dpdesk: Shell) -> None:
    """To a new computer; and what is made good after an older copy was used."""
    code = dpdesk.asked("moved", "ledger expect")["code"]
    dpdesk("owner", f"ledger move moved.zip --to {code} --with-key")
    dpdesk("moved", "ledger restore moved.zip")
    dpdesk("moved", "account show registry")
    dpdesk("restored", "ledger restore backup.zip")
    dpdesk("restored", "ledger reconcile --from first.zip second.zip --reason 'A disk failed'")
    dpdesk("restored", "ledger unlock registry --reason 'Data board, 3 July'")
