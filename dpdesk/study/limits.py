# SPDX-License-Identifier: Apache-2.0
"""The limits that JSON, forms and test generators share, in one place."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

MAX_TEXT = 300
MAX_PATH = 4096
MAX_VALUES = 5_000
MAX_COLUMNS = 1_000
MAX_TABLES = 20
"""Tables beside the main one."""
MAX_FILES = 500
"""Files or sheets of one table beside its first."""
MAX_ID_CHARACTERS = 100
"""Of an id with a declared shape, its prefix aside."""
MAX_HEADER_ROW = 1_000
MAX_FILE_COLUMNS = 10_000
"""Columns of a data file, declared or not: all of them are listed where columns are chosen."""

MAX_HEADER_NAME = 5_000
"""Characters of a column's name in a data file. Questions of a survey have hundreds; in a file that
is read in a wrong encoding one name holds all of it."""

MAX_HEADER_TEXT = 1_000_000
"""Characters of all columns' names together."""

MAX_CODEBOOK_VARIABLES = 20_000
MAX_QUERIES = 200
MAX_BASELINES = 20
"""Table 1s of a study; with their queries there are no more than ``MAX_QUERIES`` queries."""

MAX_CELLS = 100_000
MAX_POPULATION_CELLS = 500
"""An interval for a share takes 12 ms, and everyone who verifies it makes it again."""
MAX_COMPARISONS = 10
MAX_MODEL_GROUPS = 60
"""Of all groupings of a model together: 60 take 20 ms an effect, 300 take 130 ms."""
"""Comparisons of one query's groups."""
MAX_ROWS_PER_PERSON = 10_000
MAX_TOP_CODE = 100
"""Rows per person that are counted one by one; more are one group."""
MAX_SIGNIFICANT_DIGITS = 15
MAX_EXPONENT = 30
MAX_NUMBER_TEXT = 60
MAX_STUDY_BYTES = 5_000_000
MAX_DEPTH = 8
MAX_FOUND = MAX_VALUES
"""Categories found in the data that one query gives out: as many as a column can declare."""

MAX_FOUND_TEXT = 100
"""A longer cell is no category: it would be somebody's note."""

MAX_RESPONSE_ROWS = 100_000
"""Rows of a randomised response: each is drawn alone, some 20,000 in a second."""

MAX_ORDER_DAYS, USUAL_ORDER_DAYS = 366, 30
"""For how long an order for counts next to a database can be carried out."""

MADE_UP_ROWS = 10_000
"""Rows that a rehearsal makes up where no group's size is estimated."""

ROW_CAP = 2**31
"""Public cap on the rows of any file: sums of ROW_CAP grid values must stay below 2**62."""

MAX_QUANTA = 2**31 - 1
"""Largest bound in quanta; with ROW_CAP it keeps every exact sum inside int64."""

MAX_ID_LENGTH = 40
ID_PATTERN = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{MAX_ID_LENGTH - 2}}}[a-z0-9])?\Z")
"""Query ids and account names: they become file names and shell words."""

DEVICE_NAMES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
"""Names that Windows gives to devices, with any ending: no file can be unpacked under them."""

_DRAWN_AS_NOTHING = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Fillers and joiners that count as printable and still cannot be seen."""


def is_printable_text(text: str) -> bool:
    """Whether a declared text has no control, bidirectional or other invisible character."""
    return text.isprintable() and not _DRAWN_AS_NOTHING.search(text)


def is_path_text(text: str) -> bool:
    """Whether a path can be kept: people do not type it, and systems put odd spaces into names."""
    return len(text) <= MAX_PATH and not any(unicodedata.category(c) in ("Cc", "Cs") for c in text)


def is_plain_number(value: Decimal) -> bool:
    """Whether a number comes back from a JSON file as it went in.

    Programs read JSON numbers as binary floating point, which keeps 15 significant digits.
    """
    digits = value.as_tuple().digits
    if not value.is_finite() or len(digits) > MAX_NUMBER_TEXT:
        return False
    significant = len(digits)
    if significant > MAX_SIGNIFICANT_DIGITS:
        significant = len("".join(map(str, digits)).rstrip("0"))
    return significant <= MAX_SIGNIFICANT_DIGITS and abs(value.adjusted()) <= MAX_EXPONENT
