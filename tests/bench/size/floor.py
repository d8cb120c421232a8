# SPDX-License-Identifier: Apache-2.0
"""``floor.py LIBRARY FILE``: a library reads the file with its defaults and does nothing else."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import version

from tests.bench.size.clock import print_figures, timed

READERS = {
    "pandas": ("pandas", "read_csv"),
    "pyarrow": ("pyarrow.csv", "read_csv"),
    "polars": ("polars", "read_csv"),
}


def main(library: str, path: str) -> None:
    """Read and say how long it took."""
    module, function = READERS[library]
    read = getattr(import_module(module), function)
    _kept, seconds = timed(lambda: read(path))
    print_figures(seconds, version=version(library))


if __name__ == "__main__":
    main(*sys.argv[1:])
