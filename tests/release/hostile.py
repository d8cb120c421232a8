# SPDX-License-Identifier: Apache-2.0
"""Bundles that somebody made to hang, fill or crash whoever checks them.

All are signed, so that everything behind the signature is reached: broken containers, files and
manifests of odd sizes, honest manifests with members changed at random, and studies that are as
long to price and to make again as their size allows (found by search over all statistics).
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing.sshsig import sign
from dpdesk.study.model.amount import Delta, Epsilon, Rho, Share
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import Between, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    ColumnParameters,
    CutOffParameters,
    DistributionParameters,
    PropertyParameters,
    QuantileParameters,
    SpreadParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.release.bundles import KEY, bundle
from tests.release.documents import flaws, right
from tests.release.liar import honest, in_epsilon
from tests.release.studies import release

Named = tuple[str, bytes]
MOST_BYTES = 1_000_000

ODD: tuple[Any, ...] = (
    *("0", "1", "9" * 19, "9" * 40, "1e25", "1.0e+300", "9" * 25 + ".0", "1e-300", "0.000001"),
    *("100", "1" * 60, "1/" + "9" * 60, 0, 1, -1, 10**15 - 1, 2**31, 1000, True, None, [], {}),
    *("add-remove", "change-one", "rho", "epsilon", "gaussian", "laplace", "noisy-max", "person"),
)


def hostile(seed: int, count: int) -> Iterator[Named]:
    """So many bundles of every kind but the slow ones, the same for the same seed."""
    fixed = [*containers(), *sizes(), *((f.name, _sealed(f.document)) for f in flaws())]
    yield from fixed[:count]
    rng = random.Random(seed)
    for number in range(count - len(fixed)):
        yield f"changed at random, {seed}.{number}", _sealed(*_changed(rng))


def containers() -> Iterator[Named]:
    """What is hardly a zip."""
    good = bundle()
    yield "nothing", b""
    yield "zeros", bytes(MOST_BYTES)
    yield "headers", b"PK\3\4" * (MOST_BYTES // 4)
    yield "cut off", good[: len(good) // 2]
    yield "twice", good + good
    yield "many files", pack({f"results/t{n}.csv": b"" for n in range(999)})
    yield "too many files", pack({f"results/t{n}.csv": b"" for n in range(9_000)})
    yield "long name", pack({"results/" + "a" * 60_000 + ".csv": b""})
    head = bytearray(pack({"README.txt": b"x"}))
    head[18:26] = b"\xff" * 8
    yield "a size of four gigabytes", bytes(head)
    head = bytearray(pack({"README.txt": b"x"}))
    head[26:28] = b"\xff\xff"
    yield "a name of 64 kB", bytes(head)


def sizes() -> Iterator[Named]:
    """Files of odd sizes, everything else as it was."""
    files = unpack(bundle())
    for name in files:
        for size, letter in ((0, b""), (900_000, b"A"), (900_000, b"\n"), (900_000, b'"')):
            yield f"{name}: {size} of {letter!r}", pack({**files, name: letter * size})
    lines = b"-----BEGIN SSH SIGNATURE-----\n" + b"A\n" * 450_000
    yield "a signature without an end", pack({**files, SIGNATURE: lines})
    for text in (b'"' * 900_001, b'"\\' * 450_000, b"[" * 900_000, b'{"":' * 225_000):
        yield f"a manifest of {text[:4]!r}", _sealed(text)


def _sealed(manifest: bytes, files: dict[str, bytes] | None = None) -> bytes:
    """The bundle with another manifest, signed."""
    files = files or unpack(bundle())
    return pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, KEY)})


@lru_cache(maxsize=1)
def _honest() -> tuple[dict[str, bytes], ...]:
    return tuple(map(unpack, (bundle(), honest(), honest(in_epsilon()))))


def _changed(rng: random.Random) -> tuple[bytes, dict[str, bytes]]:
    """An honest manifest in which some members were changed, moved, or made many."""
    files = rng.choice(_honest())
    manifest = right()
    for _ in range(9):
        statement = json.loads(files[MANIFEST])
        for _ in range(rng.choice((1, 1, 2, 3, 6))):
            _change(rng, statement["predicate"])
        manifest = json_bytes(statement)
        if len(manifest) < MOST_BYTES:
            break
    return manifest, files


def _change(rng: random.Random, predicate: Any) -> None:
    places = list(_places(predicate))
    *way, last = rng.choice(places)
    home = predicate
    for key in way:
        home = home[key]
    old = home[last]
    kinds: list[Callable[[], Any]] = [
        lambda: rng.choice(ODD),
        lambda: copy.deepcopy(_at(predicate, rng.choice(places))),
        lambda: _many(rng, old),
    ]
    home[last] = rng.choice(kinds)()


def _many(rng: random.Random, old: Any) -> Any:
    if isinstance(old, list) and len(old) < 100:
        return old * rng.choice((2, 50, 400))
    if isinstance(old, str):
        return old[:100] * rng.choice((2, 1_000, 9_000))
    return old * 1000 if isinstance(old, int) else old


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value[:20])
    for key, member in pairs:
        yield (*way, key)
        if isinstance(member, dict | list):
            yield from _places(member, (*way, key))


def _at(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        value = value[key]
    return value


WIDE = NumberColumn("n", lower=Decimal(0), upper=Decimal(9_999_999), step=Decimal(1))
NARROW = NumberColumn("v", lower=Decimal(0), upper=Decimal(9_999), step=Decimal(1))
WARDS = tuple(CategoryColumn(f"c{n}", tuple(f"{n}-{v}" for v in range(223))) for n in range(2))
CANDIDATES = tuple(map(Decimal, range(5_000)))
EDGES = tuple(map(Decimal, range(1, 1_000)))
TWENTY = tuple(Decimal(n) / 100 for n in range(1, 21))


def slow(kind: str) -> bytes:
    """An honest bundle that is as slow to check as one of under a megabyte can be.

    Args:
        kind: one of ``SLOW``; the largest have as many lines as a release may have.
    """
    if kind == "answers":
        asked = Query("q", "randomised-response", PropertyParameters(has=(IsMissing("n"),)))
        unit = Unit(neighbours="change-one", people=1_990)
        budget = Budget("t", epsilon=Epsilon.of("100"))
        return _released(unit, budget, [asked] * 25, Epsilon(300_000))
    budget = Budget("t", rho=Rho.of("100"))
    return _released(Unit("id", 10_000), budget, SLOW[kind], Rho(1_000))


SLOW: dict[str, list[Query]] = {
    "bins": [Query("q", "distribution", DistributionParameters("n", edges=EDGES), noise="laplace")],
    "cut-offs": [
        Query(
            "q", "cut-off", CutOffParameters("n", candidates=CANDIDATES, score="value-times-count")
        )
    ]
    * 6,
    "spreads": [Query("q", "variance", SpreadParameters("v"))] * 70,
    "quantiles": [
        Query(
            "q", "quantiles", QuantileParameters("v", quantiles=TWENTY, candidates=CANDIDATES[:2])
        )
    ]
    * 24,
    "magnitudes": [Query("q", "bounds", ColumnParameters("n"))] * 108,
    "largest": [Query("q", by=("c0", "c1"))] * 2,
    "largest spreads": [Query("q", "standard-deviation", SpreadParameters("v"), by=("c0", "c1"))],
    "answers": [],
}


def _released(unit: Unit, budget: Budget, queries: list[Query], share: Share) -> bytes:
    """An honest release in which every query has a price of its own, so that no work is shared.

    The noise is the real one: figures that are all alike would be written in no time.
    """
    study = Study(
        title="Slow",
        data=DataSource("slow.csv", extract="slow"),
        unit=unit,
        budget=budget,
        columns=(WIDE, NARROW, *WARDS),
        queries=tuple(_priced(query, number, share) for number, query in enumerate(queries)),
    )
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows = "1,1,0-0,1-0,x\n" * (unit.people or 0)
        (folder / "slow.csv").write_text("n,v,c0,c1,id\n" + rows, encoding="utf-8")
        ledger = Ledger.open(Home.at(folder / "home"))
        grants = (
            (budget.rho, "", Delta(10**9), Delta(5 * 10**8)) if budget.rho else (budget.epsilon,)
        )
        ledger.new_account("t", *grants)  # type: ignore[arg-type]
        done = release(study, folder, ledger, OpenDPDoor())
    return build(done.stored, done.chain, KEY)


def _priced(query: Query, number: int, share: Share) -> Query:
    price = type(share)(share.units + number)
    measure = "rho" if isinstance(share, Rho) else "epsilon"
    where = () if query.statistic == "randomised-response" else (_above(number),)
    return replace(query, id=f"q{number}", where=where, **{measure: price})


def _above(number: int) -> Between:
    return Between("n", Decimal(number), Decimal(9_000_000 + number))
