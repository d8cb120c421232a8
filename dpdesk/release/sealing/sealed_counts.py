# SPDX-License-Identifier: Apache-2.0
"""Exact counts, sealed to an order: made beside a database, opened by the custodian's dpdesk alone.

A one-time key of the runner and the order's public key agree on a secret (X25519, RFC 7748),
from which HKDF-SHA256 makes the key of ChaCha20-Poly1305 (RFC 8439). The order's digest and both
public keys go into that key, and the whole head is authenticated: what is sealed is of this order
and no other, and one changed byte makes it unreadable. Each secret seals once, so the nonce is
constant.

Sealing hides; it does not say who counted. Anybody who holds an order can seal invented counts.
The length shows a power of two at most: each number takes eight bytes, whatever it is, and the
whole is filled up, as texts that are found and the bits of a randomised response, one a row, grow
with the data.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from dpdesk.exact import Exact, ExactTexts
from dpdesk.privacy.plan import Part, Plan
from dpdesk.release.record.strict_object import ENGINE
from dpdesk.release.sealing.order_file import CountingOrder
from dpdesk.study.json.strict_json import JsonRules, Members, parse_json, short_integer
from dpdesk.study.model.text_folding import is_category, tidy
from dpdesk.study.problem import Refused, refuse

MAGIC: Final = b"dpdesk sealed counts 1\n"
MAX_CONTENT_BYTES: Final = 1 << 29
"""Of what is sealed, filled up. So many bytes of texts take 4.6 GB of memory when it is opened."""

_DIGEST_BYTES: Final = 32
_KEY_BYTES: Final = 32
_HEAD_BYTES: Final = len(MAGIC) + _DIGEST_BYTES + _KEY_BYTES
_TAG_BYTES: Final = 16
MAX_SEALED_BYTES: Final = _HEAD_BYTES + MAX_CONTENT_BYTES + _TAG_BYTES
_LENGTH_BYTES: Final = 8
_SMALLEST: Final = 1 << 16
_PACKED_BYTES: Final = 32 / 3
"""Of a number: base64 makes four bytes of three."""

_NONCE: Final = bytes(12)
_MOST: Final = 2**62
"""Sums stop here, see ``data.aggregation.aggregate``; nothing exact is larger."""

_MOST_MEGABYTES: Final = str(MAX_CONTENT_BYTES >> 20)
_MOST_COMMAS: Final = 1 << 25
_RULES = JsonRules(MAX_CONTENT_BYTES, 10, 100_000, _MOST_COMMAS, "ascii", True, short_integer)
"""Each part is a list or two; small values in a file of its size could become many gigabytes."""

Vector = npt.NDArray[np.int64]
Texts = Sequence[tuple[str, int]]
"""Texts that were found, and how many people have each."""


@dataclass(frozen=True, repr=False)
class ExactCounts:
    """What is sealed, in clear: it exists in the runner's memory alone.

    Attributes:
        engine: what counted, such as ``duckdb 1.4.1``.
        people: how many people there are, before the contribution bound.
        vectors: the exact vector of each part of each query, by the query's id and the part's
            name.
        found: the same of parts that find categories.
    """

    engine: str
    people: int
    vectors: Mapping[tuple[str, str], Vector]
    found: Mapping[tuple[str, str], Texts]


@dataclass(frozen=True, repr=False, eq=False)
class OpenedCounts:
    """Counts that were opened: still sealed for the noise door, and stored nowhere.

    Attributes:
        engine: what counted.
        digest: SHA-256 of the sealed file, to be compared with what the runner printed.
        order: the number of their order.
    """

    engine: str
    digest: str
    order: str
    _vectors: Mapping[tuple[str, str], Exact]
    _found: Mapping[tuple[str, str], ExactTexts]

    def vector(self, query: str, part: str) -> Exact:
        """The exact vector of a part of a query."""
        return self._vectors[query, part]

    def texts(self, query: str, part: str) -> ExactTexts:
        """The texts that a part of a query finds, each with how many people have it."""
        return self._found[query, part]


def digest_of(sealed: bytes) -> str:
    """The SHA-256 of a sealed file, in hex: the runner prints it, and the import shows it."""
    return hashlib.sha256(sealed).hexdigest()


def seal_counts(counts: ExactCounts, order: CountingOrder) -> bytes:
    """Seal counts to an order; only who made the order can open them.

    Raises:
        Refused: ``counts-too-large`` (param most), of what nobody could open.
    """
    own = X25519PrivateKey.generate()
    public = own.public_key().public_bytes_raw()
    head = MAGIC + order.digest + public
    shared = own.exchange(X25519PublicKey.from_public_bytes(order.key))
    return head + _cipher(shared, head, order.key).encrypt(_NONCE, _content(counts), head)


def refuse_unsealable(plan: Plan) -> None:
    """Refuse a plan whose numbers alone are too many to be sealed, before anybody counts them.

    How many texts are found is known when they are: then ``seal_counts`` refuses.

    Raises:
        Refused: ``order-too-large`` (param most).
    """
    cells = sum(part.cells for query in plan.queries for part in query.parts)
    if cells * _PACKED_BYTES > MAX_CONTENT_BYTES:
        raise refuse("order-too-large", "$.queries", most=_MOST_MEGABYTES)


def open_counts(
    sealed: bytes, order: CountingOrder, secret: bytes, plan: Plan, people: int | None
) -> OpenedCounts:
    """Open a sealed file for the release of an order's plan.

    Args:
        secret: the private half of the order's key, 32 bytes.
        plan: of the order's study.
        people: the public number of people; ``None`` where it is secret.

    Raises:
        Refused: ``counts-malformed``, ``counts-of-other-order``, ``counts-altered`` where it
            was changed, cut short or is no sealed file; ``counts-misfit`` where its answers are
            not those of the plan; ``people-count-differs`` at ``$.unit.people``.
    """
    if len(sealed) < _HEAD_BYTES or not sealed.startswith(MAGIC):
        raise refuse("counts-malformed")
    head = sealed[:_HEAD_BYTES]
    if head[len(MAGIC) : len(MAGIC) + _DIGEST_BYTES] != order.digest:
        raise refuse("counts-of-other-order")
    try:
        other = X25519PublicKey.from_public_bytes(head[-_KEY_BYTES:])
        shared = X25519PrivateKey.from_private_bytes(secret).exchange(other)
        content = _cipher(shared, head, order.key).decrypt(_NONCE, sealed[_HEAD_BYTES:], head)
    except (InvalidTag, ValueError):
        raise refuse("counts-altered") from None
    try:
        counts = _read_content(content)
        vectors, found = _of_plan(counts, plan)
    except (Refused, KeyError, ValueError, TypeError, OverflowError):
        # Nothing of what was sealed may travel on, not even as a context.
        problem = refuse("counts-misfit")
    else:
        if people is not None and counts.people != people:
            raise refuse("people-count-differs", "$.unit.people")
        return OpenedCounts(counts.engine, digest_of(sealed), order.number, vectors, found)
    raise problem


def _cipher(shared: bytes, head: bytes, recipient: bytes) -> ChaCha20Poly1305:
    derived = HKDF(hashes.SHA256(), 32, salt=None, info=head + recipient)
    return ChaCha20Poly1305(derived.derive(shared))


def _of_plan(
    counts: ExactCounts, plan: Plan
) -> tuple[dict[tuple[str, str], Exact], dict[tuple[str, str], ExactTexts]]:
    """The answers that a plan draws on: each of its parts, of its length, and nothing else."""
    parts = {(query.query.id, part.name): part for query in plan.queries for part in query.parts}
    finding = {place for place, part in parts.items() if finds_texts(part)}
    if counts.vectors.keys() != parts.keys() - finding or counts.found.keys() != finding:
        raise ValueError("other parts")
    for place, vector in counts.vectors.items():
        _check_vector(vector, parts[place])
    for texts in counts.found.values():
        if not all(_is_found(text) and n <= _MOST for text, n in texts):
            raise ValueError("no category")
    found = {
        place: ExactTexts([text for text, _ in texts], np.array([n for _, n in texts], np.int64))
        for place, texts in counts.found.items()
    }
    return {place: Exact(vector) for place, vector in counts.vectors.items()}, found


def _is_found(text: str) -> bool:
    """Whether a text is as the reading of a file leaves a category."""
    return bool(text) and tidy(text) == text and is_category(text)


def _check_vector(vector: Vector, part: Part) -> None:
    """Refuse what the encoder never gives: anyone who has the order may have written anything."""
    if vector.shape != (part.cells,) or (vector > _MOST).any() or (vector < -_MOST).any():
        raise ValueError("other cells")
    if part.measure.kind == "bits" and not np.isin(vector, (0, 1)).all():
        raise ValueError("no bits")


def finds_texts(part: Part) -> bool:
    """Whether a part of a plan looks for categories, so that its answer has texts."""
    return part.noise.threshold is not None


def _content(counts: ExactCounts) -> bytes:
    members: Members = {
        "engine": counts.engine,
        "people": _packed(np.array([counts.people])),
        "vectors": [[*place, _packed(vector)] for place, vector in sorted(counts.vectors.items())],
        "found": [
            [
                *place,
                [text for text, _ in texts],
                _packed(np.array([n for _, n in texts], np.int64)),
            ]
            for place, texts in sorted(counts.found.items())
        ],
    }
    plain = json.dumps(members, sort_keys=True, ensure_ascii=True).encode("ascii")
    if len(plain) + _LENGTH_BYTES > MAX_CONTENT_BYTES or plain.count(b",") > _MOST_COMMAS:
        raise refuse("counts-too-large", most=_MOST_MEGABYTES)
    length = len(plain).to_bytes(_LENGTH_BYTES, "big")
    filled = max(_SMALLEST, 1 << (len(plain) + _LENGTH_BYTES - 1).bit_length())
    return (length + plain).ljust(filled, b"\0")


def _read_content(content: bytes) -> ExactCounts:
    """Raises what a malformed content raises: anyone who holds an order can seal anything."""
    length = int.from_bytes(content[:_LENGTH_BYTES], "big")
    rest = content[_LENGTH_BYTES:]
    if length > len(rest) or rest[length:].strip(b"\0"):
        raise ValueError("another length")
    members = parse_json(rest[:length], _RULES)
    engine = members["engine"]
    if not isinstance(engine, str) or not ENGINE.fullmatch(engine):
        raise ValueError("no engine")
    (people,) = _unpacked(members["people"]).tolist()
    vectors = {(query, part): _unpacked(packed) for query, part, packed in members["vectors"]}
    found = {
        (query, part): tuple(zip(map(_text, texts), _unpacked(packed).tolist(), strict=True))
        for query, part, texts, packed in members["found"]
    }
    return ExactCounts(engine, people, vectors, found)


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError("no text")
    return text


def _packed(vector: Vector) -> str:
    return base64.b64encode(vector.astype(">i8").tobytes()).decode("ascii")


def _unpacked(packed: str) -> Vector:
    return np.frombuffer(base64.b64decode(packed, validate=True), ">i8").astype(np.int64)
