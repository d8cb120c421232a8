# SPDX-License-Identifier: Apache-2.0
"""Plain ids as numbers: equal keys are equal ids."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.people import id_words
from dpdesk.data.people.person import normalise_id
from dpdesk.data.people.person_keys import PersonCoder
from dpdesk.data.people.plain_ids import LONGEST, MARK, pack_ids

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


def test_ids_with_a_letter_are_never_looked_at_alone() -> None:
    texts = [f"P{n:07d}" for n in range(3_000)]
    coder = PersonCoder(())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(id_words, "_PIECE_ROWS", 1 << 10)
        patch.setattr(PersonCoder, "_of_values", None)
        keys = coder.ids(pa.array(texts, pa.string()))
    assert len(np.unique(keys.low)) == 3_000
