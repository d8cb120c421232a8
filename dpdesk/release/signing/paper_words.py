# SPDX-License-Identifier: Apache-2.0
"""A private key as words on paper: six lines of five words, each line with a check of its own.

The first four words of the lines together are the 24 words that BIP-39 makes of 32 bytes, its
checksum of eight bits included. The fifth word of a line is, in the field of 2,048 elements,

    fifth = a**1 * first + a**2 * second + a**3 * third + a**4 * fourth + a**(5 + line)

with ``a`` the field's generator. No word's factor is zero, so every single wrong word changes its
line's check, for certain; no two factors are equal, so two words that changed places do, too; and
each line adds another constant, so a line in another line's place is noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from dpdesk.resources import resource_path
from dpdesk.study.problem import refuse

LINES, IN_LINE = 6, 4
SEED_BYTES = 32
_BITS, _FIELD = 11, 0b100000000101
"""x**11 + x**2 + 1, which is primitive."""


@lru_cache(maxsize=1)
def word_list() -> tuple[str, ...]:
    """The 2,048 words, in the order that gives each its number."""
    return tuple(resource_path("words/english.txt").read_text(encoding="ascii").split())


def words_of_key(private: Ed25519PrivateKey) -> tuple[tuple[str, ...], ...]:
    seed = bytearray(private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))
    try:
        return words_of(seed)
    finally:
        _wipe(seed)


def words_of(seed: bytes | bytearray) -> tuple[tuple[str, ...], ...]:
    """The words of 32 bytes.

    >>> [" ".join(line) for line in words_of(bytes(32))[:2]]
    ['abandon abandon abandon abandon advice', 'abandon abandon abandon abandon amount']
    """
    number = int.from_bytes(seed, "big") << 8 | hashlib.sha256(seed).digest()[0]
    digits = [number >> _BITS * place & 2047 for place in reversed(range(LINES * IN_LINE))]
    rows = [digits[start : start + IN_LINE] for start in range(0, len(digits), IN_LINE)]
    words = word_list()
    return tuple(
        tuple(words[digit] for digit in (*row, _check(row, line))) for line, row in enumerate(rows)
    )


def key_of_words(lines: Sequence[str]) -> Ed25519PrivateKey:
    """The private key that six lines of words stand for.

    Args:
        lines: as they were typed; case and white space do not count.

    Raises:
        Refused: ``paper-lines`` (params wanted, given); ``paper-line-length`` (params line,
            given); ``paper-word-unknown`` (params line, place); ``paper-line-wrong`` (param line);
            or ``paper-words-wrong`` where every line is right and they do not belong together.
    """
    typed = [line.casefold().split() for line in lines if line.strip()]
    if len(typed) != LINES:
        raise refuse("paper-lines", wanted=str(LINES), given=str(len(typed)))
    number = 0
    for line, words in enumerate(typed):
        for digit in _digits(words, line):
            number = number << _BITS | digit
    seed = bytearray((number >> 8).to_bytes(SEED_BYTES, "big"))
    try:
        if hashlib.sha256(seed).digest()[0] != number & 0xFF:
            raise refuse("paper-words-wrong")
        return Ed25519PrivateKey.from_private_bytes(bytes(seed))
    finally:
        _wipe(seed)


def check_line(typed: str, number: int) -> None:
    """Refuse a line as ``key_of_words`` would, before the next one is typed.

    Args:
        typed: the line.
        number: which it is, from 1.

    Raises:
        Refused: ``paper-line-length``, ``paper-word-unknown`` or ``paper-line-wrong``.
    """
    _digits(typed.casefold().split(), number - 1)


@lru_cache(maxsize=1)
def _numbers() -> dict[str, int]:
    return {word: number for number, word in enumerate(word_list())}


def _digits(words: Sequence[str], line: int) -> list[int]:
    """The four numbers of a line whose fifth word is right."""
    shown = str(line + 1)
    if len(words) != IN_LINE + 1:
        raise refuse("paper-line-length", line=shown, given=str(len(words)))
    numbers = _numbers()
    for place, word in enumerate(words, 1):
        if word not in numbers:
            raise refuse("paper-word-unknown", line=shown, place=str(place))
    *digits, check = (numbers[word] for word in words)
    if _check(digits, line) != check:
        raise refuse("paper-line-wrong", line=shown)
    return digits


def _check(digits: Sequence[int], line: int) -> int:
    """A line's fifth word."""
    powers = _powers()
    factors = [next(powers) for _ in range(IN_LINE)]
    constants = [next(powers) for _ in range(LINES)]
    check = 0
    for digit, factor in zip(digits, factors, strict=True):
        check ^= _times(digit, factor)
    return check ^ constants[line]


def _powers() -> Iterator[int]:
    """The powers of the generator, from the first on."""
    power = 2
    while True:
        yield power
        power = _times(power, 2)


def _times(one: int, other: int) -> int:
    """The product of two elements of the field."""
    product = 0
    while other:
        if other & 1:
            product ^= one
        one <<= 1
        if one >> _BITS:
            one ^= _FIELD
        other >>= 1
    return product


def _wipe(seed: bytearray) -> None:
    """Overwrite what can be; Python's own copies of texts and numbers cannot."""
    seed[:] = bytes(len(seed))
