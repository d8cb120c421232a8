# SPDX-License-Identifier: Apache-2.0
"""What a released version wrote: every kind of file that a later one has to read.

``python -m tests.golden kept`` makes them with the version that is here, by its commands, and never
over what is there: from 1.0.0 on, formats are kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import dpdesk
from dpdesk.release.bundle.bundle_zip import pack
from tests.golden.making import NAMES, manifest_of
from tests.source_files import ROOT

KEPT = Path(__file__).with_name("kept")
MANIFESTS = "manifests"
"""Of a release of each golden study: every statistic."""
PASSPHRASE = "made-up passphrase"
DATA = "pid,ward,stay\n" + "".join(f"{n},{'AB'[n % 2]},{1 + n % 9}\n" for n in range(60))
STUDY = """{
 "dpdesk": 1,
 "title": "Small hospital",
 "data": {"path": "stays.csv", "format": "csv"},
 "unit": {"person": "pid", "max_rows": 2, "neighbours": "add-remove"},
 "budget": {"account": "small", "epsilon": 1},
 "columns": [
  {"name": "ward", "kind": "category", "values": ["A", "B"], "basis": "codebook"},
  {"name": "stay", "kind": "number", "lower": 1, "upper": 14, "step": 1}
 ],
 "queries": [
  {"id": "stays", "statistic": "count", "by": ["ward"], "epsilon": 0.2},
  {"id": "mean-stay", "statistic": "mean", "column": "stay", "epsilon": 0.3}
 ]
}
"""
UNKEPT = (".log", ".lock")
REASON = ("--reason", "a ward was left out")


@dataclass(frozen=True)
class Place:
    """A folder to work in, with homes of its own.

    Attributes:
        folder: where files lie.
        said: what commands printed.
    """

    folder: Path
    said: list[str] = field(default_factory=list)

    def run(self, *arguments: str, home: str = "home", status: int = 0) -> str:
        """What a command prints that ends with this status.

        Raises:
            AssertionError: it ends otherwise; what it printed is in it.
        """
        passphrase = self.folder / "passphrase"
        passphrase.write_text(PASSPHRASE + "\n", "utf-8")
        variables = os.environ | {
            "DPDESK_HOME": str(self.folder / home),
            "DPDESK_PASSPHRASE_FILE": str(passphrase),
            "PYTHONPATH": str(ROOT),
            "LANGUAGE": "en",
        }
        done = subprocess.run(
            [sys.executable, "-m", "dpdesk", *arguments],
            cwd=self.folder,
            env=variables,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr


def keep() -> Path:
    """Make a file of each kind with this version.

    Raises:
        FileExistsError: its files are kept already.
    """
    path = KEPT / f"{dpdesk.__version__}.zip"
    if path.exists():
        raise FileExistsError(path)
    with TemporaryDirectory() as folder:
        _make(Place(Path(folder)))
        paths = (one for one in Path(folder).rglob("*") if one.is_file())
        files = {one.relative_to(folder).as_posix(): one.read_bytes() for one in paths}
    files |= {f"{MANIFESTS}/{name}.json": manifest_of(name) for name in NAMES}
    files = {name: files[name] for name in sorted(files) if not name.endswith(UNKEPT)}
    KEPT.mkdir(exist_ok=True)
    path.write_bytes(pack(files))
    return path


def _make(place: Place) -> None:
    (place.folder / "stays.csv").write_text(DATA, "utf-8")
    (place.folder / "small.dpdesk").write_text(STUDY, "utf-8")
    for home, name in (("home", "data-office@small.example"), ("second", "board@small.example")):
        place.run("key", "new", "--name", name, home=home)
        shown = place.run("key", "show", home=home)
        (place.folder / f"{home}.signers").write_text(shown.splitlines()[0] + "\n", "utf-8")
    second = ("--second-person", "second.signers", "--before", "release")
    place.run("account", "new", "small", "2", *second)
    place.run("signers", "add", "home.signers", home="second")
    place.run("plan", "small.dpdesk", "--to", "plan.json", "--extract", "stays.csv")
    place.run("sign", "plan.json", home="second")
    place.run("order", "small.dpdesk", "--out", "small.order.json")
    signed = ("--signed-plan", "plan.json", "--extract", "stays.csv")
    place.run("release", "small.dpdesk", "--yes", "--out", "bundle.zip", *signed)
    place.run("dossier", "bundle.zip", "--to", "dossier.zip")
    place.run("ledger", "backup", "backup.zip", "--with-key")
    place.run("ledger", "withdraw", "3", *REASON, "--notice", "withdrawn.notice")
    place.run("ledger", "export", "export.zip")
    place.run("key", "certificate", "--out", "certificate.txt")
    place.run("key", "rotate", "--out", "rotation.txt")
