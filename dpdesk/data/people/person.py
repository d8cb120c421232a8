# SPDX-License-Identifier: Apache-2.0
"""When two ids mean one person.

Splitting one person over two ids multiplies what is lost about them, merging two people only
biases a little: in doubt, ids are merged. The rules are versioned, since they decide what the
contribution bound bounds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain

# Invisible, although Unicode does not call them format characters: joiner, Hangul fillers,
# Khmer vowels, Mongolian selectors, variation selectors.
_INVISIBLE = frozenset(
    chain(
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
        range(0x180B, 0x1810),
        range(0xFE00, 0xFE10),
        range(0xE0100, 0xE01F0),
    )
)
_PLAIN = b"0123456789abcdefghijklmnopqrstuvwxyz_-"
_ZEROS = re.compile(r"^0+(?=[0-9]+$)", re.MULTILINE)
_SPACES = re.compile(r"\s+")
_FORMULA = re.compile(r'="(.*)"', re.DOTALL)
_WHOLE = re.compile(r"([0-9]+)[.,]0*")


def normalise_ids(texts: Iterable[str], leading_zeros: bool = False) -> list[str]:
    """Normalise many ids; the same as :func:`normalise_id` of each, but faster where all are plain.

    Args:
        texts: ids as they are in the file.
        leading_zeros: whether ``007`` and ``7`` are two people.
    """
    texts = list(texts)
    plain = "\n".join(texts).lower()
    if not texts or plain.count("\n") != len(texts) - 1 or not _is_plain(plain, b"\n"):
        return [normalise_id(text, leading_zeros) for text in texts]
    return _without_zeros(plain, leading_zeros).split("\n")


def normalise_id(text: str, leading_zeros: bool = False) -> str:
    """The one form of an id; empty for an id of nothing visible.

    Compatibility forms, case, invisible characters, runs of white space, the digits of other
    scripts and kinds of dashes make no difference. Nor do the traces of spreadsheets: a leading
    apostrophe, ``="..."``, and the ``.0`` of a whole number. Ids of digits alone are compared
    without leading zeros, unless zeros matter.
    """
    folded = text.lower()
    return _without_zeros(folded if _is_plain(folded) else _visible(text), leading_zeros)


def _is_plain(text: str, also: bytes = b"") -> bool:
    """Whether nothing of a lower-case text needs folding; in C, since most files are all plain."""
    return text.isascii() and not text.encode().translate(None, _PLAIN + also)


def _without_zeros(text: str, leading_zeros: bool) -> str:
    has_zeros = not leading_zeros and (text.startswith("0") or "\n0" in text)
    return _ZEROS.sub("", text) if has_zeros else text


def _visible(text: str) -> str:
    """Fold until nothing changes any more: folding may lay bare what an earlier step looks for."""
    folded = _fold(text)
    while folded != text:
        text, folded = folded, _fold(folded)
    return folded


def _fold(text: str) -> str:
    text = "".join(_shown(character) for character in text)
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    text = "".join(_shown(character) for character in text)
    text = _SPACES.sub(" ", text).strip()
    formula = _FORMULA.fullmatch(text)
    text = formula[1] if formula else text.removeprefix("'")
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _shown(character: str) -> str:
    """A character as it is compared: nothing, a blank, an ASCII digit, a hyphen, or itself."""
    category = unicodedata.category(character)
    if character.isspace():
        return " "
    if category in ("Cf", "Cc") or ord(character) in _INVISIBLE:
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return "-" if category == "Pd" or character == "\u2212" else character
