# SPDX-License-Identifier: Apache-2.0
"""Files over which a reader does not live on, made up for tests."""

from __future__ import annotations

import struct
from pathlib import Path

import pandas as pd
import pyreadstat

SECRET = "HIV-positive"


def write_deadly_sav(path: Path) -> None:
    """A file with labelled numbers whose variable says that it holds texts.

    The labels are kept as numbers then and handed over as texts, of which there are none: the
    library looks up what is at address 0.
    """
    labels = {"ward": {1.0: "first", 2.0: SECRET}}
    pyreadstat.write_sav(pd.DataFrame({"ward": [1.0, 2.0]}), path, variable_value_labels=labels)
    content = bytearray(path.read_bytes())
    place = content.index(struct.pack("<iii", 2, 0, 0), 176)
    content[place + 4] = 8
    path.write_bytes(content)


def write_sav(path: Path, rows: int = 3) -> None:
    """A file that is well."""
    pyreadstat.write_sav(pd.DataFrame({"id": [float(n) for n in range(rows)]}), path)
