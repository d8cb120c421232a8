# SPDX-License-Identifier: Apache-2.0
"""A home is copied and both copies go on, or one home alone goes on; two bundles come of it.

What lies between the two bundles is drawn at random: how many entries, of which account, releases
at a price, at none, decisions and new accounts; whether both copies charge the same.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.histories import CONTRADICTIONS, compare
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import one_query, release, write_data

FARTHEST = 10
ACCOUNTS = ("registry", "oncology")


@dataclass(frozen=True)
class Pair:
    """Two bundles, and what lies between them.

    Attributes:
        is_forked: whether they come of two copies.
        distance: how many entries lie between theirs.
        is_same_price: whether both copies charged the same.
        is_noticed: whether verifying both says that they contradict each other.
    """

    is_forked: bool
    distance: int
    is_same_price: bool
    is_noticed: bool

    @property
    def is_right(self) -> bool:
        """Whether a fork is noticed, and one ledger is not suspected."""
        return self.is_forked == self.is_noticed


def pair(folder: Path, rng: random.Random, distance: int, *, is_forked: bool) -> Pair:
    """Make two bundles, a distance apart, and verify them.

    Args:
        folder: an empty one.
        rng: chooses what happens.
        distance: between their entries.
        is_forked: whether they come of two copies.
    """
    home = folder / "home"
    for number, account in enumerate(ACCOUNTS):
        write_data(folder, first=1000 + 100 * number, name=f"{account}.csv")
    ledger = _opened(home)
    for account in ACCOUNTS:
        ledger.new_account(account, Epsilon.of("90"))
    for _ in range(rng.randrange(3)):
        _anything(ledger, folder, rng)
    later = ledger
    if is_forked:
        shutil.copytree(home, folder / "copy")
        later = _opened(folder / "copy")
    same = rng.random() < 0.5
    price = rng.choice(("0.1", "0.2"))
    first = _released(ledger, folder, rng, price)
    here = 1 if is_forked else 0
    for _ in range(distance - 1 + here):
        _anything(later, folder, rng)
    second = first if not (distance or is_forked) else _last(later, folder, rng, price, same)
    stated = [_stated(done) for done in rng.sample((first, second), 2)]
    codes = {problem.code for problem in compare(stated)}
    found = bool(codes & CONTRADICTIONS)
    return Pair(is_forked, abs(second.sequence - first.sequence), same, found)


def _last(ledger: Ledger, folder: Path, rng: random.Random, price: str, same: bool) -> ReleaseDone:
    return _released(ledger, folder, rng, price if same else "0.3")


def _opened(home: Path) -> Ledger:
    return Ledger.open(Home.at(home))


def _study(rng: random.Random, price: str) -> Study:
    name = rng.choice(ACCOUNTS)
    return replace(
        one_query(epsilon=Epsilon.of(price)),
        data=DataSource(path=f"{name}.csv", extract=name),
        budget=Budget(account=name, epsilon=Epsilon.of("9")),
    )


def _released(ledger: Ledger, folder: Path, rng: random.Random, price: str) -> ReleaseDone:
    """A release at a price, or of the same answer at none."""
    study, fresh = _study(rng, price), rng.random() < 0.7
    return release(study, folder, ledger, OpenDPDoor(), fresh=fresh)


def _anything(ledger: Ledger, folder: Path, rng: random.Random) -> None:
    """One more entry."""
    name = rng.choice(ACCOUNTS)
    what = rng.randrange(4)
    if what == 0:
        total = ledger.account(name).total
        ledger.raise_budget(name, Epsilon(total.units + 10**6), "more patients")
    elif what == 1:
        ledger.new_account(f"ward-{ledger.head()[0]}", Epsilon.of("1"))
    else:
        _released(ledger, folder, rng, rng.choice(("0.1", "0.2")))


def _stated(done: ReleaseDone) -> SignedRelease:
    found = verify(build(done.stored, done.chain, KEY), KNOWN)
    assert found.is_good and found.release is not None
    return found.release
