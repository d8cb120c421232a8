# SPDX-License-Identifier: Apache-2.0
"""What a stranger may hand in: manifests with one flaw, and bundles whose one fault is a link."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dpdesk.release.record.parse import parse_signed
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.verify import compare
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Refused
from tests.release.bundles import KNOWN
from tests.release.documents import flaws, right
from tests.release.liar import Change, honest, judged, retold_in_format_2

FLAWS = flaws()
"""Made before anything is planted: the largest are a little larger than is allowed."""


def strict(_folder: Path) -> Iterator[str]:
    """No manifest with a flaw is read."""
    for flaw in FLAWS:
        try:
            parse_manifest(flaw.document)
        except Refused:
            continue
        yield f"{flaw.name} is read"


def stories(_folder: Path) -> Iterator[str]:
    """Two bundles that tell two stories are told apart, whatever it is that contradicts."""
    if compare.compare([_at(1, "a", "b"), _at(2, "b", "c")]):
        yield "one story is called two"
    contradictions = {
        "the next link": (_at(1, "a", "b"), _at(2, "d", "c")),
        "the same place": (_at(1, "a", "b"), _at(1, "a", "c")),
        "a charge": (_at(1, "a", "b"), _at(3, "d", "c", charged="0.3")),
    }
    for name, pair in contradictions.items():
        if "bundles-fork" not in {problem.code for problem in compare.compare(pair)}:
            yield f"{name} is not held against the other bundle"


def _at(place: int, previous: str, head: str, charged: str = "0.4") -> SignedRelease:
    """What a bundle of this place in the chain states; entry 1 was charged."""
    predicate = json.loads(right())["predicate"]
    predicate["ledger"] |= {"sequence": place, "previous": previous * 64, "head": head * 64}
    own = [{"sequence": place, "charged": "0.4", "delta_charged": "0"}] if place > 1 else []
    first = {"sequence": 1, "charged": charged, "delta_charged": "0"}
    predicate["account"]["released"] = [first, *own]
    return parse_signed(predicate)


def signers(_folder: Path) -> Iterator[str]:
    """A signer's lie that fits all files is found out, or said."""
    if not verify(honest(), KNOWN).is_good:
        yield "an honest bundle is doubted"
    for name, lie in LIES.items():
        if judged(lie).claim_holds:
            yield f"{name} is believed"
    older = judged(retold_in_format_2)
    if older.older_format != 2 or older.unmarked is None:
        yield "an older format hides what is too noisy to use"


def _never_written(predicate: dict[str, Any]) -> None:
    retold_in_format_2(predicate)
    predicate["software"]["dpdesk"] = "0.2.1"


LIES: dict[str, Change] = {
    "month 19": lambda predicate: predicate["release"].update(time="2024-19-01T10:00Z"),
    "29 February 2023": lambda predicate: predicate["release"].update(time="2023-02-29T10:00Z"),
    "where the file lies": lambda predicate: predicate["study"]["data"].update(path="a.csv"),
    "the extract's name": lambda predicate: predicate["study"]["data"].update(extract="a"),
    "a format that was never written": _never_written,
}
