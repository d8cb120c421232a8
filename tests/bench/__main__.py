# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench [ROUNDS]``: print what people wait for."""

import os
import platform
import sys
import tempfile
from pathlib import Path

from tests.bench.cases import DIABETES, Place, cases
from tests.bench.measure import HEAD, measure


def main(arguments: list[str]) -> int:
    """Measure every case and print it as it is done; 1 where a target is missed."""
    rounds = int(arguments[0]) if arguments else 5
    file = "the diabetes file" if DIABETES.is_file() else "the sample hospital"
    print(f"{rounds} rounds on {file}, Python {platform.python_version()}, {os.cpu_count()} cores")
    print(HEAD, flush=True)
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        place.prepare()
        for case in cases(place):
            outcome = measure(case, rounds)
            missed |= outcome.ours > case.most
            print(outcome.row(), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
