# SPDX-License-Identifier: Apache-2.0
"""Ledgers whose bytes were torn, by a disk or a power cut: refused, or what they were."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Refused
from tests.audit.length import MEMORY
from tests.faults.outcome import Outcome, together
from tests.release.ledgers import ONE, TENTH, charge, spent_ledger

PAGE = 4096
SECTORS = range(0, 40 * PAGE, 512)
REFUSALS = {"ledger-damaged", "ledger-rolled-back", "ledger-too-new", "ledger-unwritable"}
Tear = Callable[[bytearray], None]


def tears() -> Iterator[tuple[str, Tear]]:
    """Named damages: sectors and pages that never reached the disk, or others' bytes."""
    for at in SECTORS:
        for name, fill in (("zeros", b"\0"), ("ones", b"\xff")):
            yield f"{name}-{at}", _overwritten(at, fill * 512)
    for page in range(32):
        noise = random.Random(page).randbytes(PAGE)
        yield f"noise-page-{page}", _overwritten(page * PAGE, noise)
        yield f"moved-page-{page}", _moved(page)
    for seed in range(200):
        yield f"bits-{seed}", _flipped(seed)


def _overwritten(at: int, content: bytes) -> Tear:
    def tear(raw: bytearray) -> None:
        raw[at : at + len(content)] = content[: max(0, len(raw) - at)]

    return tear


def _moved(page: int) -> Tear:
    def tear(raw: bytearray) -> None:
        other = (page + 1) % (len(raw) // PAGE) * PAGE
        raw[page * PAGE : (page + 1) * PAGE] = raw[other : other + PAGE][: len(raw) - page * PAGE]

    return tear


def _flipped(seed: int) -> Tear:
    def tear(raw: bytearray) -> None:
        chance = random.Random(seed)
        for _ in range(3):
            raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)

    return tear


TEARS = dict(tears())


def put(home: Home, ledger: bytes, heads: bytes) -> None:
    """Lay a ledger and its second record into a home."""
    home.make()
    home.ledger.with_name("ledger.sqlite-journal").unlink(missing_ok=True)
    home.ledger.write_bytes(ledger)
    home.heads.write_bytes(heads)


def assert_refused_or_whole(home: Home) -> str:
    """Whether the ledger is refused, by its code, or spends no more than it may."""
    try:
        ledger = Ledger.open(home)
        accounts = {a.name: (a.total, a.spent) for a in ledger.accounts()}
        charge(ledger, "one", TENTH)
    except Refused as refused:
        codes = {problem.code for problem in refused.problems}
        assert codes <= REFUSALS
        return codes.pop()
    assert accounts == {"one": (Epsilon.of("2"), Epsilon.of("0.2")), "two": (ONE, TENTH)}
    assert ledger.account("one").spent == Epsilon.of("0.3")
    return "whole"


def sweep() -> Outcome:
    """Every tear and every length of one ledger."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        home = Home.at(Path(name) / "whole")
        spent_ledger(home)
        raw, heads = home.ledger.read_bytes(), home.heads.read_bytes()
        return together(_torn(Path(name), heads, *one) for one in _all_torn(raw))


def _torn(folder: Path, heads: bytes, tear: str, torn: bytes) -> Outcome:
    home = Home.at(folder / tear)
    put(home, torn, heads)
    return _outcome(home, tear)


def _all_torn(raw: bytes) -> Iterator[tuple[str, bytes]]:
    for name, tear in TEARS.items():
        torn = bytearray(raw)
        tear(torn)
        yield name, bytes(torn)
    for kept in SECTORS:
        yield f"cut-{kept}", raw[:kept]


def _outcome(home: Home, tear: str) -> Outcome:
    """What was shown before the tear was paid; of a refused ledger nothing can be spent."""
    try:
        said = assert_refused_or_whole(home)
        report = Ledger(home).check()
        wrong = () if report.sound or report.problems else (f"{tear}: unsound without a word",)
    except (AssertionError, OSError, ValueError) as error:
        return Outcome(1, 0, 0, 0, wrong=(f"{tear}: {error!r}",))
    if said != "whole":
        return Outcome(1, 0, 0, 0, wrong=wrong)
    accounts = Ledger.open(home).accounts()
    spent, total = (sum(getattr(a, k).units for a in accounts) for k in ("spent", "total"))
    return Outcome(1, 4 * TENTH.units, spent, total, wrong=wrong).held()
