# SPDX-License-Identifier: Apache-2.0
"""dpdesk and stock tools asked about the same bundles: where they disagree, and why.

What is asked is what both can answer: whether a known key signed this manifest, and whether the
files are those that it lists. dpdesk may refuse more (another spelling, a claim that does not add
up, tables that were not drawn); it may never accept what ``ssh-keygen`` and the digests refuse.
"""

from __future__ import annotations

import base64
import contextlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Refused
from tests.attacks.changes import newest
from tests.attacks.stock import StockTools
from tests.release.bundles import KEY, KNOWN, done, signing_key

Named = tuple[str, bytes]
Files = dict[str, bytes]
Change = Callable[[Files, random.Random], object]
OTHER_SPELLINGS = {"signature-malformed"}
"""Where dpdesk refuses what ``ssh-keygen`` accepts although nobody had the key: the same signature
with, say, a space for an end of line. A byte changed in the armor can make one."""


@dataclass
class Comparison:
    """What both said of so many bundles.

    Attributes:
        both: bundles that both accept.
        neither: bundles that both refuse.
        ours_alone: names of those that only dpdesk accepts: there may be none.
        stock_alone: of those that only the stock tools accept, why dpdesk does not.
    """

    both: int = 0
    neither: int = 0
    ours_alone: list[str] = field(default_factory=list)
    stock_alone: Counter[str] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """All bundles."""
        return self.both + self.neither + len(self.ours_alone) + self.stock_alone.total()


def compare(bundles: Iterable[Named], stock: StockTools) -> Comparison:
    """Ask both about each bundle."""
    found = Comparison()
    for name, raw in bundles:
        reason, theirs = our_reason(raw), stock.accepts(raw)
        if not reason and theirs:
            found.both += 1
        elif not reason:
            found.ours_alone.append(name)
        elif theirs:
            found.stock_alone[reason] += 1
        else:
            found.neither += 1
    return found


def our_reason(raw: bytes) -> str:
    """The code of why dpdesk does not accept a bundle; empty where it does."""
    try:
        found = verify(raw, KNOWN)
    except Refused as refused:
        return refused.problems[0].code
    problems = (*found.whole, *(found.claim or ()))
    if problems:
        return problems[0].code
    return "" if found.is_good else "signer-not-known"


def unsigned_changes(seed: int, count: int) -> Iterator[Named]:
    """Bundles changed by somebody without the key: here both have to say the same."""
    rng = random.Random(seed)
    for number in range(count):
        files = unpack(newest())
        chosen = [rng.choice(CHANGES) for _ in range(rng.choice((1, 1, 1, 2)))]
        for change in chosen:
            change(files, rng)
        names = ", ".join(change.__name__.strip("_") for change in chosen)
        yield f"{seed}.{number}: {names}", pack(files)


def spellings() -> Iterator[Named]:
    """The same signature, as another program might write it."""
    files = unpack(newest())
    first, *body, last = files[SIGNATURE].decode("ascii").splitlines()
    raw = base64.b64decode("".join(body))
    others = {
        "in one line": [first, "".join(body), last, ""],
        "in short lines": [first, *_lines("".join(body), 40), last, ""],
        "with an empty line": [first, *body, "", last, ""],
        "without the last end of line": [first, *body, last],
        "with a line behind": [first, *body, last, "", ""],
        "with a text before": ["signed:", first, *body, last, ""],
        "with bytes behind": [first, *_lines(_base64(raw + b"\0"), 70), last, ""],
        "with spaces": [first, *(f" {line}" for line in body), last, ""],
    }
    for name, lines in others.items():
        yield name, pack({**files, SIGNATURE: "\n".join(lines).encode("ascii")})
    carriage = files[SIGNATURE].replace(b"\n", b"\r\n")
    yield "with ends of line of Windows", pack({**files, SIGNATURE: carriage})


def _lines(text: str, width: int) -> list[str]:
    return [text[at : at + width] for at in range(0, len(text), width)]


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _nothing(files: Files, rng: random.Random) -> None:
    """As it was: some have to be accepted by both."""


def _a_byte(files: Files, rng: random.Random) -> None:
    name = rng.choice(list(files))
    content = bytearray(files[name] or b"\0")
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    files[name] = bytes(content)


def _manifest_or_signature(files: Files, rng: random.Random) -> None:
    some = {name: files[name] for name in (MANIFEST, SIGNATURE) if name in files}
    if some:
        _a_byte(some, rng)
        files.update(some)


def _missing(files: Files, rng: random.Random) -> None:
    del files[rng.choice(list(files))]


def _added(files: Files, rng: random.Random) -> None:
    _at_end(files, rng.choice(("results/more.csv", "report.pdf", "plan.json")), b"x")


def _renamed(files: Files, rng: random.Random) -> None:
    content = files.pop(rng.choice([name for name in files if name.startswith("results/")]))
    _at_end(files, "results/renamed.csv", content)


def _swapped(files: Files, rng: random.Random) -> None:
    one, other = rng.sample(list(files), 2)
    files[one], files[other] = files[other], files[one]


def _other_key(files: Files, rng: random.Random) -> None:
    files[SIGNATURE] = sign(files.get(MANIFEST, b""), signing_key(rng.randrange(2, 9)))


def _other_signer(files: Files, rng: random.Random) -> None:
    """All of it by somebody else, who says so."""
    files.clear()
    key = signing_key(rng.randrange(2, 9))
    files.update(unpack(build(done().stored, done().chain, key)))


def _other_use(files: Files, rng: random.Random) -> None:
    use = rng.choice(("file", "git", "dpdesk-plan-v1", "dpdesk-release-v2"))
    files[SIGNATURE] = sign(files.get(MANIFEST, b""), KEY, use)


def _other_message(files: Files, rng: random.Random) -> None:
    files[SIGNATURE] = sign(files.get(MANIFEST, b"") + b"\n", KEY)


def _digest_made_right(files: Files, rng: random.Random) -> None:
    """A table changed and its digest with it: the signature is over other bytes then."""
    with contextlib.suppress(ValueError, LookupError, TypeError):  # changed before
        statement = json.loads(files[MANIFEST])
        statement["subject"][0]["digest"]["sha256"] = f"{rng.getrandbits(256):064x}"
        files[MANIFEST] = json_bytes(statement)


def _at_end(files: Files, name: str, content: bytes) -> None:
    """Before manifest and signature, where such a file would lie."""
    last = {name: files.pop(name) for name in (MANIFEST, SIGNATURE) if name in files}
    files.update({name: content, **last})


CHANGES: tuple[Change, ...] = (
    *(_nothing, _a_byte, _a_byte, _manifest_or_signature, _manifest_or_signature),
    *(_swapped, _other_key, _other_signer, _other_use, _other_message, _added, _missing, _renamed),
    _digest_made_right,
)
