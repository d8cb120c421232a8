# SPDX-License-Identifier: Apache-2.0
"""A key on paper: it comes back, and every slip of a typist is found in its line."""

from __future__ import annotations

import hashlib
from itertools import combinations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.release.signing.paper_words import key_of_words, word_list, words_of, words_of_key
from dpdesk.resources import resource_path
from dpdesk.study.problem import Problem
from tests.release.bundles import refusal

SEED = hashlib.sha256(b"made up").digest()
DIGEST = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"


def typed(seed: bytes = SEED) -> list[list[str]]:
    return [list(line) for line in words_of(seed)]


def joined(lines: list[list[str]]) -> list[str]:
    return [" ".join(line) for line in lines]


def refused(lines: list[list[str]]) -> Problem:
    return refusal(key_of_words, joined(lines))


def test_the_list_is_the_published_one() -> None:
    raw = resource_path("words/english.txt").read_bytes()
    assert hashlib.sha256(raw).hexdigest() == DIGEST
    assert DIGEST in resource_path("words/NOTES.md").read_text(encoding="utf-8")
    assert len(set(word_list())) == 2048 == len({word[:4] for word in word_list()})


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        (bytes(32), "abandon " * 23 + "art"),
        (b"\xff" * 32, "zoo " * 23 + "vote"),
        (
            b"\x80" * 32,
            "letter advice cage absurd amount doctor acoustic avoid letter advice cage "
            "absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic "
            "bless",
        ),
    ],
)
def test_the_first_four_words_of_the_lines_are_those_of_bip_39(seed: bytes, words: str) -> None:
    assert [word for line in words_of(seed) for word in line[:4]] == words.split()


@given(st.binary(min_size=32, max_size=32))
@settings(max_examples=100, deadline=None)
def test_every_key_comes_back(seed: bytes) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    lines = [" ".join(line).upper() + "  " for line in words_of_key(key)]
    found = key_of_words(["", *lines, ""])
    assert found.private_bytes_raw() == seed


def test_every_wrong_word_is_found_in_its_line() -> None:
    words, good = word_list(), typed()
    for line in range(6):
        for place in range(5):
            for word in words[::7]:
                lines = [list(one) for one in good]
                if lines[line][place] == word:
                    continue
                lines[line][place] = word
                problem = refused(lines)
                assert problem.code == "paper-line-wrong"
                assert problem.params == {"line": str(line + 1)}


def test_every_wrong_letter_is_found_in_its_line() -> None:
    good = joined(typed())
    for line, text in enumerate(good):
        for place, sign in enumerate(text):
            for other in "a e x".replace(sign, "") + "1":
                lines = list(good)
                lines[line] = text[:place] + other + text[place + 1 :]
                if lines[line].split() == text.split():
                    continue
                problem = refusal(key_of_words, lines)
                assert problem.params["line"] == str(line + 1), (line, place, other)


def test_words_and_lines_that_changed_places_are_found() -> None:
    good = typed()
    for line in range(6):
        for one, other in combinations(range(5), 2):
            lines = [list(row) for row in good]
            row = lines[line]
            if row[one] == row[other]:
                continue
            row[one], row[other] = row[other], row[one]
            assert refused(lines).params == {"line": str(line + 1)}
    for one, other in combinations(range(6), 2):
        lines = [list(row) for row in good]
        lines[one], lines[other] = lines[other], lines[one]
        assert refused(lines).params == {"line": str(one + 1)}


def test_what_is_missing_or_too_much_is_named() -> None:
    good = typed()
    assert refused(good[:5]).params == {"wanted": "6", "given": "5"}
    assert refused([*good, good[0]]).params == {"wanted": "6", "given": "7"}
    assert refused([good[0], good[1][:4], *good[2:]]).params == {"line": "2", "given": "4"}
    strange = [good[0], [*good[1][:2], "quux", *good[1][3:]], *good[2:]]
    assert refused(strange).params == {"line": "2", "place": "3"}


def test_lines_of_two_keys_do_not_belong_together() -> None:
    other = typed(hashlib.sha256(b"another").digest())
    codes = set()
    for line in range(6):
        lines = typed()
        lines[line] = other[line]
        try:
            key_of_words(joined(lines))
        except Exception as error:
            codes.add(error.problems[0].code)  # type: ignore[attr-defined]
    assert codes == {"paper-words-wrong"}
