# SPDX-License-Identifier: Apache-2.0
"""When two ids mean one person, and how people are numbered."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.files.cells import TextColumn
from dpdesk.data.people.bounding import KeptRows, bound_rows, random_priorities
from dpdesk.data.people.hashed_ids import HASHED, IdHash
from dpdesk.data.people.person import normalise_id, normalise_ids
from dpdesk.data.people.person_keys import PersonCoder

INVISIBLE = (
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202e\u2066\u2069\u180e\ufe0f\u034f"
    "\u115f\u3164\u061c\x00\x07\x7f\U000e0001\U000e0100"
)
SIXTY = (
    [f"ab{c}-12" for c in INVISIBLE]
    + [f"{c}AB-12" for c in INVISIBLE[:5]]
    + [f"Ab-12{c}" for c in INVISIBLE[-5:]]
    + ["AB-12", "ab-12", "Ab-12", " ab-12", "ab-12 ", "\tab-12\n", "\u00a0ab-12\u3000"]
    + ["\uff41\uff42-12", "\uff21\uff22-\uff11\uff12", "\U0001d41a\U0001d41b-12", "ab-1\u00b2"]
    + [f"ab-{ten}" for ten in ("\u0661\u0662", "\u06f1\u06f2", "\u0967\u0968", "\u2460\u2461")]
    + [f"ab{dash}12" for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"]
    + ["'ab-12", '="ab-12"', '="AB-12" ']
)  # fmt: skip


def people(ids: list[str], **rules: object) -> KeptRows:
    """All rows that are somebody's."""
    coder = PersonCoder(**{"markers": (), **rules})
    for start in range(0, len(ids), 3):
        coder.add(coder.ids(pa.array(ids[start : start + 3])))
    return bound_rows(coder, len(ids) + 1, random_priorities(len(ids)), lambda _rows: [])


@pytest.mark.threat("C2")
def test_sixty_ways_to_write_one_id_are_one_person() -> None:
    assert len(set(SIXTY)) >= 60
    assert {normalise_id(text) for text in SIXTY} == {"ab-12"}
    assert people(SIXTY).people == 1


def test_ways_to_write_one_number_are_one_person() -> None:
    ways = ["7", "007", " 7", "7.0", "7,0", "7.", "007.00", "\u0667", "\uff17", "7\u200b",
            "\ufeff7", "\U0001d7d5", '="0007"', "'7", "7\u00ad", "7\x00"]  # fmt: skip
    assert {normalise_id(way) for way in ways} == {"7"}
    assert people(ways).people == 1
    assert {normalise_id(way) for way in ("0", "000", "0.0")} == {"0"}


def test_zeros_that_matter_are_kept() -> None:
    assert normalise_id("007", leading_zeros=True) == "007"
    assert normalise_id("007.0", leading_zeros=True) == "007"
    assert people(["7", "07", "007", "7.0"], leading_zeros=True).people == 3


def test_different_ids_are_different_people() -> None:
    ids = ["1", "10", "-1", "1.5", "1e1", "a1", "a01", "1a", "01a", "a b", "ab", "a-b", "a_b", "ß",
           "s", "1/2", "9" * 18, "9" * 19, "9" * 40, "0.1", "1.01"]  # fmt: skip
    assert len(set(normalise_ids(ids))) == len(ids)
    assert people(ids).people == len(ids)


@given(text=st.text(max_size=12))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise_id(text)
    assert normalise_id(once) == once
    assert normalise_id(text.upper()) == normalise_id(text.lower().upper())


ids = st.one_of(
    st.from_regex(r"0{0,2}[0-9]{1,4}", fullmatch=True),
    st.from_regex(r"[A-Za-z_-]{0,2}0{0,2}[0-9]{0,3}", fullmatch=True),
    st.text(st.sampled_from("0a\n .\x00é'"), max_size=4),
)


@given(texts=st.lists(ids, max_size=8), leading_zeros=st.booleans())
def test_many_at_once_are_normalised_like_one(texts: list[str], leading_zeros: bool) -> None:
    one_by_one = [normalise_id(text, leading_zeros) for text in texts]
    assert normalise_ids(texts, leading_zeros) == one_by_one


@given(texts=st.lists(ids, max_size=20), leading_zeros=st.booleans())
def test_people_are_numbered_by_their_normalised_ids(texts: list[str], leading_zeros: bool) -> None:
    found = people(texts, leading_zeros=leading_zeros)
    normalised = normalise_ids(texts, leading_zeros)
    named = [i for i in normalised if i]
    assert found.people == len(found.keys) == len(set(named))
    assert found.rows.tolist() == [n for n, i in enumerate(normalised) if i]
    pairs = set(zip(named, found.persons.tolist(), strict=True))
    assert len(pairs) == len(set(named))
    assert sorted({c for _, c in pairs}) == list(range(found.people))


@pytest.mark.threat("C3")
def test_rows_without_an_id() -> None:
    without = ["", "  ", "\u200b", "?", " ? ", "\uff1f", "N.A.", "n.a."]
    rows = ["1", *without, "2", "1"]
    dropped = people(rows, markers=("?", "N.A."))
    assert dropped.people == 2
    assert dropped.rows.tolist() == [0, 9, 10]
    first, second, again = dropped.persons.tolist()
    assert first == again != second
    pooled = people(rows, markers=("?", "N.A."), without_id="one-person")
    assert pooled.people == 3
    first, *nobody, second, again = pooled.persons.tolist()
    assert first == again != second and len(set(nobody)) == 1
    assert sorted({first, second, nobody[0]}) == [0, 1, 2] and len(pooled.keys) == 2
    assert people(["1", "2"], without_id="one-person").people == 2
    assert people([], without_id="one-person").people == 0
    assert people(["", ""], without_id="one-person").people == 1


def test_keys_depend_on_the_id_alone() -> None:
    first, second = people(["1", "x", "y"]), people(["Y", "01", "z", "X"])
    both = {tuple(key) for key in first.keys.tolist()}
    assert both < {tuple(key) for key in second.keys.tolist()}


@pytest.mark.parametrize("beside", [-2, -(2**63), 10**18 - 1, 10**18, 2**63 - 1])
def test_ids_that_a_file_holds_as_integers_are_those_of_their_texts(beside: int) -> None:
    numbers = [7, None, beside, -1, 7]
    texts = ["" if number is None else str(number) for number in numbers]
    coder = PersonCoder(())
    both = (coder.ids(pa.array(numbers, pa.int64())), coder.ids(pa.array(texts)))
    found, wanted = (
        list(zip(keys.low.tolist(), np.broadcast_to(keys.high, 5).tolist(), strict=True))
        for keys in both
    )
    assert found == wanted
    assert len(set(found)) == 4 and found[1][0] == -1


def test_a_half_of_the_key_alone_does_not_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {"ä": (HASHED, 5), "ö": (HASHED + 1, 5), "ü": (HASHED, 6)}
    monkeypatch.setattr(IdHash, "one", lambda _self, text: keys[text])
    found = people(["ä", "ö", "ü", "5", "ö"])
    assert found.people == len(set(found.persons.tolist())) == 4
    assert found.persons[1] == found.persons[4]
    assert sorted(found.keys.tolist())[2] == [1 << 63, 6]


def test_nothing_shows_who_it_is() -> None:
    found = people(["canary"])
    assert "canary" not in repr(found) + repr(TextColumn(np.zeros(1, np.intp), ["canary"]))
