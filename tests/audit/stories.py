# SPDX-License-Identifier: Apache-2.0
"""What a stranger may hand in: flawed manifests, swapped orders, bundles with one fault, a link."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.parse import parse_signed
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.sealing.order_file import write_order
from dpdesk.release.verify import histories as compare
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused
from tests.release.bundles import KNOWN
from tests.release.documents import flaws, right
from tests.release.liar import Change, honest, judged

FLAWS = flaws()
"""Made before anything is planted: the largest are a little larger than is allowed."""


def strict(_folder: Path) -> Iterator[str]:
    """No manifest with a flaw is read, and no order counted for that was swapped on its way."""
    yield from _orders()
    for flaw in FLAWS:
        try:
            parse_manifest(flaw.document)
        except Refused:
            continue
        yield f"{flaw.name} is read"


def _orders() -> Iterator[str]:
    """An order's code is of all that it says, and long enough that no other one meets it."""
    made = {"number": "0" * 32, "made": "2026-11-21T14:32Z", "until": date(2026, 12, 1)}
    own, other = (write_order(Study(), key=bytes([at] * 32), **made) for at in (1, 2))
    short = own.code[:-1]
    for stated, code in ((own.code, ""), (other.code, "differs"), (short, "short")):
        try:
            own.refuse_other(stated)
            found = ""
        except Refused as refused:
            found = refused.problems[0].code.removeprefix("order-code-")
        if found != code:
            yield f"an order whose code is {stated} is {found or 'taken'}, not {code}"
    if len(own.code.replace(" ", "")) < 20:
        yield "an order's code is short"


def stories(_folder: Path) -> Iterator[str]:
    """Two bundles that tell two stories are told apart, whatever it is that contradicts."""
    if compare.compare([_at("ab"), _at("abc")]):
        yield "one story is called two"
    other = [["1"]] * len(_at("abc").record.queries)
    contradictions = {
        "the next link": (_at("ab"), _at("adc")),
        "the same place": (_at("ab"), _at("ac")),
        "an entry far behind": (_at("ab"), _at("acdef")),
        "a charge": (_at("ab"), _at("abdc", charged="0.3")),
        "an answer": (_at("ab"), _drawn(_at("abdc"), other)),
    }
    for name, pair in contradictions.items():
        if not compare.CONTRADICTIONS & {problem.code for problem in compare.compare(pair)}:
            yield f"{name} is not held against the other bundle"


def _at(chain: str, charged: str = "0.4") -> SignedRelease:
    """What a bundle of this place in the chain states; entry 2 was charged."""
    predicate = json.loads(right())["predicate"]
    place, hashes = len(chain), [sign * 64 for sign in chain]
    predicate["ledger"] |= {"sequence": place, "previous": hashes[-2], "head": hashes[-1]}
    predicate["ledger"]["entries"] = hashes
    own = [{"sequence": place, "charged": "0.4", "delta_charged": "0"}] if place > 2 else []
    first = {"sequence": 2, "charged": charged, "delta_charged": "0"}
    predicate["account"]["released"] = [first, *own]
    return parse_signed(predicate)


def _drawn(release: SignedRelease, other: list[list[str]]) -> SignedRelease:
    """The same with other numbers."""
    pairs = zip(release.record.queries, other, strict=True)
    queries = tuple(replace(one, drawn=Drawn.of_members([vector])) for one, vector in pairs)
    return replace(release, record=replace(release.record, queries=queries))


def signers(_folder: Path) -> Iterator[str]:
    """A signer's lie that fits all files is found out, or said."""
    if not verify(honest(), KNOWN).is_good:
        yield "an honest bundle is doubted"
    for name, lie in LIES.items():
        if judged(lie).claim_holds:
            yield f"{name} is believed"


LIES: dict[str, Change] = {
    "month 19": lambda predicate: predicate["release"].update(time="2024-19-01T10:00Z"),
    "29 February 2023": lambda predicate: predicate["release"].update(time="2023-02-29T10:00Z"),
    "where the file lies": lambda predicate: predicate["study"]["data"].update(path="a.csv"),
    "the extract's name": lambda predicate: predicate["study"]["data"].update(extract="a"),
}
