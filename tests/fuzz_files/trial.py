# SPDX-License-Identifier: Apache-2.0
"""One input from its recognition to its end, and what may be said about it on the way."""

from __future__ import annotations

import logging
import random
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.data.inspection.about import what_it_seems
from dpdesk.data.inspection.raw_preview import top_rows
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header, sample_rows
from dpdesk.data.reader_process.isolated_workbook import sheets
from dpdesk.study.checks.study_checks import ENCODINGS
from dpdesk.study.model.unit import FORMATS, THOUSANDS, DataSource
from dpdesk.study.problem import Refused
from dpdesk.texts.problems import located
from tests.fuzz_files.canary import holds_canary
from tests.fuzz_files.declarations import random_study
from tests.fuzz_files.inputs import Input
from tests.fuzz_files.texts import random_source

LEAST_CELL = 8
"""A cell of fewer characters may stand in a message by chance."""


@dataclass(frozen=True)
class Outcome:
    """How an input ended.

    Attributes:
        format: what the file was taken for.
        end: ``table``, ``sentence``, or the fault: ``exception``, ``context`` (of an exception
            that travels on with a refusal), ``no-sentence``, ``noise``, ``leak``; the parent
            adds ``crash``, ``hang`` and ``memory``.
        detail: what is known of a fault, or the codes of a refusal.
        seconds: how long it took.
    """

    format: str
    end: str
    detail: str = ""
    seconds: float = 0.0

    @property
    def is_fault(self) -> bool:
        """Whether this may never happen."""
        return self.end not in ("table", "sentence")


@dataclass
class Trial:
    """An input on its way.

    Attributes:
        source: how it is read, as far as that was settled.
        declared: texts that messages may hold: names of columns and sheets.
        cells: texts that nothing may hold.
    """

    source: DataSource
    declared: set[str]
    cells: set[str]

    def run(self, given: Input, path: Path) -> EncodedTable:
        """Do what the desk does with a file."""
        dice = given.dice
        self.source = _settled(dice, recognise(path), given.encoding, path)
        self.declared |= {self.source.sheet}
        top_rows(self.source, Path(), 20)
        header = read_header(self.source, Path())
        self.declared |= set(header)
        rows = sample_rows(self.source, Path(), 20)
        self.cells |= {cell.strip() for row in rows for cell in row}
        what_it_seems(header, rows)
        study = random_study(dice, self.source, header)
        return encode(study, path.parent)

    def leaks(self, said: str) -> bool:
        """Whether a cell stands in what was said."""
        # A short name must not tear a cell in two, so only those that might hold one are let pass.
        for name in sorted(self.declared, key=len, reverse=True):
            said = said.replace(name, "") if len(name) >= LEAST_CELL else said
        secret = {cell for cell in self.cells - self.declared if len(cell) >= LEAST_CELL}
        return holds_canary(said) or any(cell in said for cell in secret)


def attempt(given: Input, path: Path) -> Outcome:
    """Write an input to a file, read it, and judge how that ended."""
    path.write_bytes(given.content)
    trial = Trial(DataSource(format="csv"), set(), set())
    began = time.perf_counter()
    with _heard() as heard:
        outcome = _run(trial, given, path)
    if trial.leaks("\n".join(heard)):
        outcome = Outcome("", "leak", "in a log or a warning")
    elif heard and not outcome.is_fault:
        outcome = Outcome("", "noise", heard[0])
    taken = time.perf_counter() - began
    return replace(outcome, format=trial.source.format, seconds=taken)


def _run(trial: Trial, given: Input, path: Path) -> Outcome:
    try:
        table = trial.run(given, path)
    except Refused as refused:
        return _judged(trial, refused)
    except BaseException as error:
        # Rust's panics are no Exception. Its text is for whoever fixes it: these inputs are
        # made up or public.
        return Outcome("", "exception", f"{type(error).__name__}: {error}"[:300])
    if trial.leaks(repr(table)):
        return Outcome("", "leak", "in the table's repr")
    return Outcome("", "table")


def _judged(trial: Trial, refused: Refused) -> Outcome:
    try:
        said = [located(problem) for problem in refused.problems]
    except (KeyError, IndexError, ValueError) as error:
        return Outcome("", "no-sentence", f"{refused}: {error!r}")
    codes = ", ".join(sorted({problem.code for problem in refused.problems}))
    if not said or not all(said):
        return Outcome("", "no-sentence", codes)
    if trial.leaks("\n".join([*said, str(refused), repr(refused.args)])):
        return Outcome("", "leak", codes)
    for error in _behind(refused):
        if not isinstance(error, Refused):
            return Outcome("", "context", f"{codes} after {type(error).__name__}")
    return Outcome("", "sentence", codes)


def _behind(error: BaseException) -> Iterator[BaseException]:
    """What travels on with an exception, for anybody who prints a traceback."""
    seen = [error]
    for one in seen:
        seen += [e for e in (one.__cause__, one.__context__) if e is not None and e not in seen]
    yield from seen[1:]


def _settled(dice: random.Random, found: DataSource, encoding: str, path: Path) -> DataSource:
    """The choices that a custodian makes, sensible or not."""
    if encoding and dice.random() < 0.8:
        return random_source(dice, str(path), encoding)
    if found.format == "csv" and dice.random() < 0.4:
        return random_source(dice, str(path), found.encoding)
    if dice.random() < 0.02:
        found = replace(found, format=dice.choice(FORMATS))
    if found.format == "excel" and dice.random() < 0.95:
        names = (found.sheet,) if found.sheet else sheets(path)
        row = found.header_row if dice.random() < 0.5 else None
        row = dice.choice((0, 1, 1, 2, 3, 50)) if row is None else row
        found = replace(found, sheet=dice.choice(names or ("Stays",)), header_row=row)
    if found.format not in ("csv", "excel", "parquet") and dice.random() < 0.2:
        found = replace(found, encoding=dice.choice(ENCODINGS))
    if found.separator == ";" or (found.format != "csv" and dice.random() < 0.2):
        found = replace(found, decimal=",", thousands=dice.choice(THOUSANDS))
    return replace(found, missing=dice.choice(((), ("NA", "?"))))


@contextmanager
def _heard() -> Iterator[list[str]]:
    """All that is logged or warned of meanwhile."""
    heard: list[str] = []
    listener = logging.Handler(logging.DEBUG)
    listener.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    root = logging.getLogger()
    level = root.level
    root.addHandler(listener)
    root.setLevel(logging.DEBUG)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield heard
            heard += [f"{warning.category.__name__}: {warning.message}" for warning in caught]
    finally:
        root.removeHandler(listener)
        root.setLevel(level)


def as_record(outcome: Outcome) -> dict[str, object]:
    """An outcome for the line that a child writes."""
    return asdict(outcome)
