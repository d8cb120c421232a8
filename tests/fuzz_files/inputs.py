# SPDX-License-Identifier: Apache-2.0
"""The inputs of a run by number: the same run seed and number give the same input anywhere."""

from __future__ import annotations

import gzip
import random
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tests.fuzz_files.mutations import mutate
from tests.fuzz_files.texts import random_text

SHARED_DATA = Path(__file__).parents[2].parent / "shared" / "data"

MOST_BYTES = 1 << 16
"""Of a larger text or transport file its beginning; other large files are taken whole."""

MOST_PACKED = 8
"""So many texts are packed, too."""

_SUFFIXES = (
    ".csv", ".json", ".yaml", ".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".sas7bcat", ".xpt",
    ".xpt5", ".xpt8",
)  # fmt: skip
_SELDOM = (".json", ".yaml", ".sas7bcat", ".xpt5", ".xpt8")
_CUT = (".csv", ".xpt")


@dataclass(frozen=True)
class Input:
    """One input.

    Attributes:
        content: the file's bytes.
        suffix: the ending of its name.
        encoding: that of a text made up here, else empty: the file itself has to tell.
        dice: what is left to chance about how it is read.
    """

    content: bytes
    suffix: str
    encoding: str
    dice: random.Random


def gather(folder: Path) -> None:
    """Put the files that are to be broken into a folder: made-up ones, and real ones if any."""
    # Loaded here: the children need none of the libraries that write files.
    from tests.fuzz_files.made_up import write_all

    write_all(folder)
    for path in sorted(folder.glob("*.csv"))[:MOST_PACKED]:
        _pack(path)
    if not SHARED_DATA.is_dir():
        return
    real = sorted(path for path in SHARED_DATA.rglob("*") if path.suffix.lower() in _SUFFIXES)
    for number, path in enumerate(real):
        suffix = path.suffix.lower()
        content = path.read_bytes()
        kept = content[:MOST_BYTES] if suffix in _CUT else content
        (folder / f"real-{number:03}{suffix}").write_bytes(kept)


def _pack(path: Path) -> None:
    """A text once more, packed in both ways."""
    content = path.read_bytes()
    path.with_suffix(".gz").write_bytes(gzip.compress(content, mtime=0))
    with ZipFile(path.with_suffix(".zip"), "w", ZIP_DEFLATED) as archive:
        archive.writestr(ZipInfo(path.name), content)


def corpus(folder: Path) -> dict[str, list[bytes]]:
    """The gathered files by suffix, in an order that does not depend on the machine."""
    found: dict[str, list[bytes]] = {}
    for path in sorted(folder.iterdir()):
        found.setdefault(path.suffix, []).append(path.read_bytes())
    return found


def make_input(seed: int, number: int, files: dict[str, list[bytes]]) -> Input:
    """An input: a random text, a broken file, or at times a whole one under a wrong name."""
    dice = random.Random(f"{seed}/{number}")
    if dice.random() < 0.25:
        content, encoding = random_text(dice)
        return Input(content, ".csv", encoding, dice)
    suffix = _suffix(dice, files)
    content = dice.choice(files[suffix])
    kin = dice.choice(files[suffix if dice.random() < 0.7 else _suffix(dice, files)])
    if dice.random() < 0.95:
        content = mutate(dice, content, kin)
    named = suffix if dice.random() < 0.95 else dice.choice(sorted(files))
    return Input(content, named, "", dice)


def _suffix(dice: random.Random, files: dict[str, list[bytes]]) -> str:
    suffixes = sorted(files)
    weights = [1 if suffix in _SELDOM else 6 for suffix in suffixes]
    return dice.choices(suffixes, weights)[0]
