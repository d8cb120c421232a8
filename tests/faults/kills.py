# SPDX-License-Identifier: Apache-2.0
"""Releases and exports that are killed, and programs that try at once for the last of a budget."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_file import reserved, room_for
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run import release_run as run
from dpdesk.release.run.unwritten import UnwrittenBundles
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Refused
from tests.audit.length import MEMORY
from tests.faults import instalments
from tests.faults.outcome import NOTHING, Outcome
from tests.release import dying
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import write_data

A_LEDGER = 50
"""Kills that one ledger meets: with its chain each release takes longer."""
RACERS, PAID_TRIES = 4, 40


@contextmanager
def hospital(budget: Epsilon) -> Iterator[tuple[Home, Path]]:
    """A home with an account, and a folder with data."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        home, folder = Home.at(Path(name) / "home"), Path(name)
        Ledger.open(home).new_account("registry", budget)
        write_data(folder, first=7_770_000)
        yield home, folder


def release_and_export(home: Home, folder: Path) -> None:
    """What ``dpdesk release --fresh`` does, under a bundle's name of its own."""
    ledger = Ledger(home, busy_seconds=30)
    unwritten = UnwrittenBundles.of(ledger, dying.STUDY, fresh=True)
    done = unwritten.paid()
    out = folder / f"{time.monotonic_ns()}-{os.getpid()}.zip"
    with reserved(out, room_for(dying.STUDY, 9)) as place:
        if done is None:
            with unwritten.noted() as release_id:
                done = run.release(
                    *(dying.STUDY, folder, ledger, OpenDPDoor()),
                    fresh=True,
                    same_extract=True,
                    new_id=lambda: release_id,
                )
                place.write(build(done.stored, done.chain, KEY))
        else:
            place.write(build(done.stored, done.chain, KEY))
            unwritten.forget(done.stored.record.id)
    dying.show(folder, done)


def outcome(home: Home, folder: Path, cases: int) -> Outcome:
    """Hold what was shown and exported against the ledger."""
    ledger, wrong = Ledger.open(home), list[str]()
    if not ledger.check().sound:
        wrong.append("the ledger is not sound")
    account = ledger.account("registry")
    paid = {e.sequence: e.charged.units for e in account.entries if e.kind == "release"}
    shown = {int(line.split()[0]) for line in _lines(folder / "shown.txt")}
    bundles = tuple(folder.glob("*.zip"))
    for path in bundles:
        found = verify(path.read_bytes(), KNOWN).release
        if found is None:
            wrong.append(f"{path.name} is not whole")
        else:
            shown.add(found.record.place.sequence)
    charged = sum(paid.get(sequence, 10**9) for sequence in shown)
    if account.spent.units != sum(paid.values()):
        wrong.append("what is spent is not the sum of the entries")
    amounts = (charged, account.spent.units, account.total.units)
    return Outcome(cases, *amounts, len(bundles), tuple(wrong)).held()


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def many_kills(kills: int) -> Outcome:
    """Half of them one at a time, half of them four programs at once."""
    found = NOTHING
    for start in range(0, kills, A_LEDGER):
        at_once = 1 if start < kills // 2 else RACERS
        found = found.and_(killed(min(A_LEDGER, kills - start), at_once))
    return found


def killed(kills: int, at_once: int) -> Outcome:
    """Kill releases and exports at unforeseen moments; then write what was left unwritten."""
    with hospital(Epsilon.of("100")) as (home, folder):
        dying.die_anywhere(home, folder, kills, at_once, release_and_export)
        unwritten = UnwrittenBundles.of(Ledger(home), dying.STUDY, fresh=True)
        while unwritten.paid() is not None:
            release_and_export(home, folder)
        found = outcome(home, folder, kills)
    if found.shown != found.spent:
        found = found._replace(wrong=(*found.wrong, "what was paid was never handed out"))
    return found


def raced(tries: int) -> Outcome:
    """Let four programs try so often for a budget that pays for few of the tries."""
    budget = Epsilon(min(PAID_TRIES, tries // RACERS) * dying.SHARE.units)
    with hospital(budget) as (home, folder):

        def body() -> None:
            for _ in range(tries // RACERS):
                try:
                    dying.release_once(home, folder)
                except Refused as refused:
                    if refused.problems[0].code != "budget-exceeded":
                        raise

        children = [dying.forked(body) for _ in range(RACERS)]
        ends = {os.waitpid(child, 0)[1] for child in children}
        found = outcome(home, folder, tries)
    if ends != {0} or found.spent != found.budget:
        found = found._replace(wrong=(*found.wrong, f"racers ended with {ends}"))
    return found


def instalments_drawn(kills: int) -> Outcome:
    """Draw a series and other releases, killed and at once, until nothing is left of either."""
    count = max(2, kills)
    with hospital(Epsilon(2 * count * dying.SHARE.units)) as (home, folder):
        instalments.reserve(home, count)
        dying.die_anywhere(home, folder, kills, RACERS, instalments.one_of_both)
        wrong = instalments.wrong_with(home, count, is_over=False)
        ends = instalments.race(home, folder)
        found = outcome(home, folder, kills)
        wrong += instalments.wrong_with(home, count, is_over=True)
    if ends != {0}:
        wrong.append(f"racers ended with {ends}")
    return found._replace(wrong=(*found.wrong, *wrong))
