# SPDX-License-Identifier: Apache-2.0
"""What people wait for, on the real diabetes file where it is there, else on the sample."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.bench.measure import Case, Process
from tests.source_files import ROOT

BENCH = Path(__file__).resolve().parent
DIABETES = ROOT.parent / "shared" / "data" / "diabetes130" / "diabetic_data.csv"
SAMPLE = ROOT / "resources" / "sample"


@dataclass(frozen=True)
class Place:
    """A folder for this run: home, passphrase, bundles; gone afterwards."""

    folder: Path

    def python(self, *arguments: str) -> Process:
        """A Python process of this run."""
        passphrase = self.folder / "passphrase.txt"
        variables = {
            **os.environ,
            "DPDESK_HOME": str(self.folder / "home"),
            "DPDESK_PASSPHRASE_FILE": str(passphrase),
            "PYTHONPATH": str(ROOT),
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        }
        return Process((sys.executable, *arguments), self.folder, variables)

    def dpdesk(self, *arguments: str) -> Process:
        """A dpdesk process of this run."""
        return self.python("-m", "dpdesk", *arguments)

    def prepare(self) -> None:
        """Keys, the sample's apart, and an account that no round of measuring exhausts."""
        (self.folder / "passphrase.txt").write_text("only for measuring\n")
        for kind in ((), ("--sample",)):
            self.dpdesk("key", "new", *kind).seconds()
        for account in ("bench", "sample-hospital"):
            self.dpdesk("account", "new", account, "100").seconds()


def yardstick(name: str) -> str:
    """The script that does the least."""
    return str(BENCH / "yardsticks" / name)


def cases(place: Place) -> Iterator[Case]:
    """Every measurement, quickest first."""
    real = DIABETES.is_file()
    study = str(BENCH / "diabetes.dpdesk" if real else SAMPLE / "sample.dpdesk")
    data = str(DIABETES if real else SAMPLE / "admissions.csv")
    extract = ("--data", data, "--extract", "bench", "--same-extract")
    release = ("release", study, *extract, "--yes", "--fresh", "--out", "bundle.zip")
    released = replace(place.dpdesk(*release), written="bundle.zip")
    pandas = place.python("-c", "import pandas")
    exact = place.python(yardstick("answers.py"), data) if real else pandas
    yield Case("plan, beside importing pandas", place.dpdesk("plan", study), pandas, 1)
    yield Case("release, beside the exact answers", released, exact, 5)
    window = place.python(yardstick("window.py"))
    desk = place.python(str(BENCH / "desk_window.py"))
    yield Case("the window, beside an empty one", desk, window, 2)
