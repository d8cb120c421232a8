# SPDX-License-Identifier: Apache-2.0
"""A small made-up hospital for the shell: a file, a study, an account, a key."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from dpdesk import cli
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.study.model.amount import Epsilon

PASSPHRASE = "made-up passphrase"
ROWS = ["pid,ward,stay", "1,A,3", "2,B,5", "2,B,40", "3,A,7", "4,C,x"]
STUDY: dict[str, Any] = {
    "dpdesk": 1,
    "title": "Small hospital",
    "data": {"path": "stays.csv", "format": "csv", "extract": "stays.csv"},
    "unit": {"person": "pid", "max_rows": 2, "neighbours": "add-remove"},
    "budget": {"account": "small", "epsilon": 1},
    "columns": [
        {"name": "ward", "kind": "category", "values": ["A", "B"], "basis": "codebook"},
        {"name": "stay", "kind": "number", "lower": 1, "upper": 14, "step": 1},
    ],
    "queries": [
        {"id": "stays", "statistic": "count", "by": ["ward"], "epsilon": 0.2},
        {"id": "mean-stay", "statistic": "mean", "column": "stay", "epsilon": 0.3},
    ],
}


@dataclass(frozen=True)
class Said:
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str

    @property
    def sentences(self) -> list[str]:
        """The lines on standard error."""
        return self.err.strip().splitlines()


class Hospital:
    """A folder with a file and a study, and a home with an account and a key."""

    def __init__(self, folder: Path, home: Home, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.home = home
        self.capsys = capsys
        self.study = folder / "small.dpdesk"
        self.data = folder / "stays.csv"
        self.bundle = folder / "bundle.zip"
        self.write_data("\n".join(ROWS) + "\n")
        self.write_study(lambda _members: None)

    def write_data(self, text: str) -> None:
        self.data.write_text(text, encoding="utf-8")

    def write_study(self, change: Callable[[dict[str, Any]], object]) -> None:
        """Write the study after a change of its members."""
        members = json.loads(json.dumps(STUDY))
        change(members)
        self.study.write_text(json.dumps(members), encoding="utf-8")

    def run(self, *arguments: str | Path) -> Said:
        """Run a command in this process, and a release without being asked."""
        agreed = ("--yes",) if arguments[:1] == ("release",) else ()
        return self.run_plain(*arguments, *agreed)

    def run_plain(self, *arguments: str | Path) -> Said:
        """Run a command as it is typed."""
        self.capsys.readouterr()
        try:
            status = cli.main([str(a) for a in arguments])
        except SystemExit as left:
            status = int(left.code or 0)
        said = self.capsys.readouterr()
        return Said(status, said.out, said.err)

    def release(self, *more: str | Path) -> Said:
        """Release the study into the bundle, whose earlier one makes room if there is a new one."""
        earlier = self.bundle.with_suffix(".earlier")
        if self.bundle.exists():
            self.bundle.replace(earlier)
        said = self.run("release", self.study, "--out", self.bundle, *more)
        if earlier.exists() and not self.bundle.exists():
            earlier.replace(self.bundle)
        earlier.unlink(missing_ok=True)
        return said

    @property
    def spent(self) -> str:
        """What the account has spent."""
        return str(Ledger.open(self.home).account("small").spent)


@lru_cache(maxsize=1)
def _key_files() -> dict[str, bytes]:
    """The key's files; made once, because its passphrase is slow to try on purpose."""
    with tempfile.TemporaryDirectory() as folder:
        keys.new_key(Path(folder), "data-office@small.example", PASSPHRASE)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def make_hospital(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Hospital:
    """A hospital with one epsilon to spend and a key whose passphrase lies in a file."""
    home = Home.locate()
    Ledger.open(home).new_account("small", Epsilon.of(1))
    home.keys.mkdir(parents=True, exist_ok=True)
    for name, content in _key_files().items():
        (home.keys / name).write_bytes(content)
    passphrase = folder / "passphrase"
    passphrase.write_text(PASSPHRASE + "\n", encoding="utf-8")
    monkeypatch.setenv("DPDESK_PASSPHRASE_FILE", str(passphrase))
    return Hospital(folder, home, capsys)
