# SPDX-License-Identifier: Apache-2.0
"""Ids of any kind get equal keys if and only if they are the same id, however they come."""

from __future__ import annotations

from uuid import UUID

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.people import id_words
from dpdesk.data.people.hashed_ids import HASHED, KEY_BYTES, LONGEST, IdHash
from dpdesk.data.people.person import normalise_id
from dpdesk.data.people.person_keys import PersonCoder

KEY = bytes(range(KEY_BYTES))
Key = tuple[int, int] | None

uuids = st.uuids().map(str) | st.sampled_from([str(UUID(int=n)) for n in (0, 1, 2**127)])
edges = st.sampled_from(
    ["", " ", "  ", "'", "=", '="', '"', "\x00", "\t", "\u200b", ".", ".0", ","]
)
tidy = st.text(st.sampled_from("aAzZ09-_./,:#@[]{}^~ \"'="), max_size=12)
digits = st.from_regex(r"0{0,3}[0-9]{1,3}(0{15,20})?[.,]?0{0,2}", fullmatch=True)
strange = st.text(max_size=4)
cores = uuids | tidy | digits | strange | st.integers(18, LONGEST + 9).map(lambda n: "ab" * n)
cells = st.none() | st.builds(
    lambda before, core, behind, how: getattr(before + core + behind, how)(),
    *(edges, cores, edges, st.sampled_from(["upper", "lower", "title", "__str__"])),
)
columns = st.lists(cells, max_size=12)


def keys_of(ids: Keys) -> list[Key]:
    """Each row's key, high and low half."""
    highs = np.broadcast_to(ids.high, len(ids.low)).tolist()
    return [
        (high, low) if low >= 0 else None for high, low in zip(highs, ids.low.tolist(), strict=True)
    ]


def keys(texts: list[str | None], leading_zeros: bool, *more: pa.DataType) -> list[Key]:
    coder = PersonCoder(("-9", "n/a"), leading_zeros, key=KEY)
    (kind,) = more or (pa.string(),)
    return keys_of(coder.ids(pa.array(texts, kind)))


def storable(text: str | None) -> str | None:
    return text and text.encode("utf-8", "replace").decode()


@given(columns.map(lambda texts: [storable(text) for text in texts]), st.booleans())
@example(["a b", "a  b", " a b", "a b ", "A B", "ab"], False)
@example(["12.0", "12", "12.5", "1,2", "1,0", "0012"], False)
def test_equal_keys_are_equal_ids(texts: list[str | None], leading_zeros: bool) -> None:
    """Of all cells together, of each alone, and of those that are stored only once."""
    together = keys(texts, leading_zeros)
    folded = [normalise_id(text or "", leading_zeros) for text in texts]
    wanted = [None if text in ("", "-9", "n/a") else text for text in folded]
    assert [key is None for key in together] == [text is None for text in wanted]
    pairs = {(key, text) for key, text in zip(together, wanted, strict=True) if key}
    assert len({key for key, _ in pairs}) == len({text for _, text in pairs}) == len(pairs)
    assert together == [keys([text], leading_zeros)[0] for text in texts]
    assert together == [keys([text], leading_zeros)[0] for text in folded]
    assert together == keys(texts, leading_zeros, pa.dictionary(pa.int32(), pa.string()))


@given(columns.map(lambda texts: [storable(text) for text in texts]), st.integers(0, 4))
def test_a_slice_has_the_keys_of_its_cells(texts: list[str | None], start: int) -> None:
    coder = PersonCoder((), key=KEY)
    part = pa.array(texts, pa.string())[start:]
    assert keys_of(coder.ids(part)) == keys_of(coder.ids(pa.array(texts[start:], pa.string())))


def test_pieces_of_a_column_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [str(UUID(int=7**n)) for n in range(40)] + ["x" * n + "/1" for n in range(50)]
    whole = keys(texts, False)
    monkeypatch.setattr(id_words, "_PIECE_ROWS", 7)
    assert keys(texts, False) == whole
    assert len(set(whole)) == len(texts)


def reference(text: str, factors: list[list[int]]) -> tuple[int, int]:
    """The hash as its definition says."""
    raw = [b | 0x80 * (chr(b) not in "0123456789.,") for b in text.lower().encode()]
    raw += [0] * (-len(raw) % 4)
    numbers = [
        len(text),
        *(int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4)),
    ]
    lanes = [
        (m[0] + sum(a * x for a, x in zip(m[1:], numbers, strict=False))) % 2**64 >> 32
        for m in factors
    ]
    return lanes[0] << 32 | lanes[1], lanes[2] << 32 | lanes[3]


@given(st.lists(st.from_regex(r"[!#-&(-<>-~]{0,130}", fullmatch=True), min_size=1, max_size=6))
def test_many_at_once_are_hashed_as_defined(texts: list[str]) -> None:
    hashing = IdHash(KEY)
    found = hashing.tidy(pa.array(texts, pa.string()))
    factors = hashing._factors.tolist()
    for text, high, low, tidy in zip(texts, found.high, found.low, found.found, strict=True):
        numeric = not text.strip("0123456789.,")
        assert tidy == (not numeric and len(text) <= LONGEST), text
        if tidy:
            wanted = reference(text, factors)
            assert (int(high), int(low)) == (wanted[0] % 2**63 + HASHED, wanted[1] % 2**63)


def test_nobody_without_the_key_knows_a_hash() -> None:
    texts = ["ä1", "a/1", str(UUID(int=5)), "x" * 200]
    first, second = (
        keys_of(PersonCoder((), key=key).ids(pa.array(texts))) for key in (KEY, KEY[::-1])
    )
    assert not {*first} & {*second}
    assert first == keys_of(PersonCoder((), key=KEY).ids(pa.array(texts)))


def test_hashes_of_ids_that_are_nearly_alike_fill_all_bits() -> None:
    found = IdHash(KEY).tidy(pa.array([str(UUID(int=n)) for n in range(20_000)]))
    for half in (found.high ^ HASHED, found.low):
        ones = [(half >> bit & 1).mean() for bit in range(63)]
        # Seven standard deviations of 20,000 fair coins.
        assert min(ones) > 0.475 and max(ones) < 0.525
        assert len(np.unique(half)) == len(half)


def test_uuids_are_never_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PersonCoder, "_of_values", None)
    texts = [str(UUID(int=n * 3**60)) for n in range(3_000)]
    ways = [texts, [text.upper() for text in texts], [f"MRN {text}/7" for text in texts]]
    first, again, other = (keys(way, False) for way in ways)
    assert first == again and len({*first, *other}) == 6_000
