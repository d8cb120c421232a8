# SPDX-License-Identifier: Apache-2.0
"""Plain ids as numbers: equal keys are equal ids, and nothing is lost by leaving bits out."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.people import bounding, id_words, plain_ids
from dpdesk.data.people.bounding import bound_rows
from dpdesk.data.people.id_words import NO_ID
from dpdesk.data.people.person import normalise_id
from dpdesk.data.people.person_keys import PersonCoder
from dpdesk.data.people.plain_ids import LONGEST, MARK, narrow, pack_ids

SIGNS = "PpQ09_-aZ"
ids = st.text(SIGNS, max_size=LONGEST + 2) | st.text("P 7\u00e4\u0661.", max_size=4)
columns = st.lists(st.none() | ids | st.from_regex(r"[Pp]0{0,3}[0-9]{1,5}", fullmatch=True))


def keys_of(texts: list[str | None], digits: bool = False) -> list[tuple[int, int] | None]:
    """The packed key of each cell, where it is plain."""
    packed = pack_ids(pa.array(texts, pa.string()), digits)
    pairs = zip(packed.high.tolist(), packed.low.tolist(), packed.found.tolist(), strict=True)
    return [(high, low) if plain else None for high, low, plain in pairs]


def key_of(text: str) -> tuple[int, int]:
    """The key of a plain id, sign by sign."""
    signs = "\0abcdefghijklmnopqrstuvwxyz_-" + "\0" * 19 + "0123456789"
    key = sum(signs.index(sign) << 6 * place for place, sign in enumerate(reversed(text.lower())))
    return MARK | key >> 60, key % 2**60


@given(columns)
def test_equal_keys_are_equal_ids(texts: list[str | None]) -> None:
    pairs = [
        (key, normalise_id(text or "")) for key, text in zip(keys_of(texts), texts, strict=True)
    ]
    plain = {(key, text) for key, text in pairs if key is not None}
    assert len({key for key, _ in plain}) == len({text for _, text in plain}) == len(plain)


@given(columns, st.booleans())
def test_what_is_plain(texts: list[str | None], digits: bool) -> None:
    for key, text in zip(keys_of(texts, digits), texts, strict=True):
        folded = (text or "").lower()
        signs = folded.isascii() and folded.replace("_", "").replace("-", "").isalnum()
        only_marks = folded and not folded.strip("_-")
        wanted = 0 < len(folded) <= LONGEST and (signs or only_marks)
        wanted = wanted and (digits or not folded.isdigit())
        assert key == (key_of(folded) if wanted else None), text


@given(columns, st.integers(0, 3), st.integers(0, 3))
def test_a_slice_of_a_column_has_the_keys_of_its_cells(
    texts: list[str | None], start: int, stop: int
) -> None:
    part = slice(start, len(texts) - stop if len(texts) >= stop else 0)
    whole = pa.array(texts, pa.string())
    packed = pack_ids(whole[part.start : max(part.start, part.stop)])
    wanted = keys_of(texts)[part.start : max(part.start, part.stop)]
    assert packed.found.tolist() == [key is not None for key in wanted]
    assert packed.low[packed.found].tolist() == [key[1] for key in wanted if key]


lows = st.integers(0, 2**63 - 1) | st.integers(0, 255)
halves = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 255)


@given(
    st.lists(st.tuples(lows, halves, st.booleans()), max_size=40),
    st.booleans(),
    st.integers(0, 62),
)
def test_what_is_left_out_comes_back(
    rows: list[tuple[int, int, bool]], alike: bool, most: int
) -> None:
    known = np.array([row[2] for row in rows], np.bool_)
    low = np.where(known, np.array([row[0] for row in rows], np.int64), NO_ID)
    high = -7 if alike else np.array([row[1] for row in rows], np.int64)
    highs, before = np.broadcast_to(high, len(rows)), low.copy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_ids, "_CHUNK_ROWS", 16)
        found = narrow(low, high, most)
    if found is None:
        assert (low == before).all()
        return
    assert (found.ids[~known] == NO_ID).all() and (found.ids[known] >= 0).all()
    assert found.ids.max() < 2**most
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_ids, "_CHUNK_ROWS", 16)
        keys = found.keys(found.ids[known]).view(np.int64)
    assert keys.tolist() == np.column_stack([highs, before])[known].tolist()


def coded(texts: list[str | None], without_id: str) -> PersonCoder:
    coder = PersonCoder(("na", "-"), without_id=without_id)  # type: ignore[arg-type]
    for start in range(0, len(texts), 7):
        coder.add(coder.ids(pa.array(texts[start : start + 7], pa.string())))
    return coder


@given(columns, st.sampled_from(["drop", "one-person"]), st.integers(1, 3))
def test_few_bits_bound_as_many_do(texts: list[str | None], without_id: str, k: int) -> None:
    """The same rows are kept of the same people by either way."""
    drawn = np.random.default_rng(len(texts)).permutation(len(texts)).astype(np.uint32)
    fast = bound_rows(coded(texts, without_id), k, drawn, lambda _rows: [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounding, "most_bits", lambda _rows, _pooled: -1)
        slow = bound_rows(coded(texts, without_id), k, drawn, lambda _rows: [])
    assert fast.rows.tolist() == slow.rows.tolist() and fast.people == slow.people
    same = {(a, b) for a, b in zip(fast.persons.tolist(), slow.persons.tolist(), strict=True)}
    assert len(same) == len(set(fast.persons.tolist())) == len(set(slow.persons.tolist()))


def test_a_million_ids_with_a_letter_are_sorted_as_numbers_are() -> None:
    """None of them is looked at alone."""
    texts = [f"P{n:07d}" for n in range(3_000)]
    coder = PersonCoder(())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(id_words, "_PIECE_ROWS", 1 << 10)
        patch.setattr(PersonCoder, "_of_values", None)
        coder.add(coder.ids(pa.array(texts, pa.string())))
        found = coder.narrow(bounding.most_bits(10**6, False))
    assert found is not None and len(np.unique(found.ids)) == 3_000
