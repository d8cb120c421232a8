# SPDX-License-Identifier: Apache-2.0
"""Texts on pages and in charts: their fonts, how wide they are, and how they break into lines.

Inter as in the window; a text with a sign that Inter lacks is in DejaVu Sans, all of it.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any, Final

from dpdesk.resources import resource_path

TEXT, BOLD = "dpdesk-text", "dpdesk-bold"
_OTHER: Final = {TEXT: "dpdesk-other", BOLD: "dpdesk-other-bold"}
_FILES: Final = {
    TEXT: "fonts/Inter-Regular.ttf",
    BOLD: "fonts/Inter-SemiBold.ttf",
    _OTHER[TEXT]: "fonts/DejaVuSans.ttf",
    _OTHER[BOLD]: "fonts/DejaVuSans-Bold.ttf",
}
_SETTINGS = ("reportlab.local_rl_settings", "reportlab_settings")


@lru_cache(maxsize=1)
def canvas_class() -> Any:
    """The library's canvas, with our fonts and without anybody's settings.

    As it is imported it runs a settings file in the home folder, and reads variables; a report
    may depend on neither.
    """
    for name in _SETTINGS:
        sys.modules.setdefault(name, ModuleType(name))
    variables = {name: os.environ.pop(name) for name in list(os.environ) if name[:3] == "RL_"}
    try:
        from reportlab.lib import rl_accel

        # The modules below take it by name. Places repeat from line to line and page to page.
        rl_accel.fp_str = _remembering(rl_accel.fp_str)
        from reportlab.pdfbase.pdfmetrics import registerFont
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas
    finally:
        os.environ.update(variables)
    for name, file in _FILES.items():
        registerFont(TTFont(name, str(resource_path(file))))
    return Canvas


def _remembering(write: Callable[..., str]) -> Callable[..., str]:
    """The library's writing of numbers, which else takes a tenth of a report's time."""
    each = lru_cache(maxsize=20_000)(write)

    def written(*numbers: Any) -> str:
        return write(*numbers) if isinstance(numbers[0], list) else " ".join(map(each, numbers))

    return written


@lru_cache(maxsize=20_000)
def font_for(text: str, font: str) -> str:
    """The font that has every sign of a text: the given one, or the other one with more signs."""
    return font if all(ord(sign) in _signs(font) for sign in text) else _OTHER[font]


@lru_cache(maxsize=4)
def _signs(font: str) -> frozenset[int]:
    canvas_class()
    from reportlab.pdfbase.pdfmetrics import getFont

    return frozenset(getFont(font).face.charToGlyph)


def text_width(text: str, font: str, size: float) -> float:
    return _units(text, font) * size


@lru_cache(maxsize=20_000)
def _units(text: str, font: str) -> float:
    """The width at size 1; a word is measured often."""
    canvas_class()
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return float(stringWidth(text, font_for(text, font), 1))


_BOUND: Final = re.compile(
    r"(?<=[0-9]) (?=%(?![a-z({]))|(?<=[±≈]) (?=[0-9−])|(?<=\b[pnεδρ]) (?==)|(?<=\b[pnεδρ] =) "
    r"|(?<=\bQ[1-4]) (?=[0-9]{4})"
)
"""Blanks that no line may be broken at: "95 %", "± 0.4", "p = 0.03", "Q1 2024"."""
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def bound(text: str) -> str:
    """A text whose signs and numbers stay together, in every language.

    >>> bound("Of 95 % ± 3: p = 0.03").split(" ")
    ['Of', '95\\xa0%', '±\\xa03:', 'p\\xa0=\\xa00.03']
    """
    return _BOUND.sub(_NO_BREAK, text) if " " in text else text


def wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    """A text in lines that are no wider; a word that is wider is broken, by a hyphen if it can."""
    words = printable(text).split(" ")
    whole = " ".join(filter(None, words))
    if text_width(whole, font, size) <= width:  # as most texts are: cells, terms, titles
        return [whole]
    lines, line = list[str](), ""
    for word in filter(None, bound(whole).split(" ")):
        longer = f"{line} {word}" if line else word
        if text_width(longer, font, size) <= width:
            line = longer
            continue
        for piece in _pieces(word, font, size, width):
            longer = f"{line} {piece}" if line else piece
            if line and text_width(longer, font, size) > width:
                lines.append(line)
                longer = piece
            line = longer
    # On a page the blank itself is plain, so that whoever searches for a text finds it.
    return [one.replace(_NO_BREAK, " ") for one in (*lines, line)]


def cut_to(text: str, font: str, size: float, width: float) -> str:
    """A text on one line that is no wider; what is too long loses its end."""
    whole = " ".join(printable(text).split())
    if text_width(whole, font, size) <= width:
        return whole
    fitting = bisect_right(
        range(1, len(whole)), width, key=lambda n: text_width(f"{whole[:n]}…", font, size)
    )
    return f"{whole[: max(1, fitting)].rstrip()}…"


def _pieces(word: str, font: str, size: float, width: float) -> list[str]:
    """A word as it is, or what of it fits into a line each; one sign at least."""
    pieces = []
    while text_width(word, font, size) > width and len(word) > 1:
        breaks = [at for at in syllables(word) if fits(f"{word[:at]}-", font, size, width)]
        if breaks:
            pieces.append(f"{word[: breaks[-1]]}-")
            word = word[breaks[-1] :]
            continue
        fitting = bisect_right(
            range(1, len(word)), width, key=lambda n: text_width(word[:n], font, size)
        )
        pieces.append(word[: max(1, fitting)])
        word = word[max(1, fitting) :]
    return [*pieces, word]


def fits(text: str, font: str, size: float, width: float) -> bool:
    return text_width(text, font, size) <= width


_BREAK: Final = re.compile(r"(?:sch|ch|ck|ph|qu|[b-df-hj-np-tv-xzß])[aeiouyäöü]")
"""Before the last consonant that a vowel follows: *Grund-ge-samt-heit*."""
_LEAST_PART = 4


def syllables(word: str) -> list[int]:
    """Where a word may be broken; nowhere where it has other signs than letters.

    >>> [f"{'Grundgesamtheit'[:at]}-" for at in syllables("Grundgesamtheit")]
    ['Grund-', 'Grundge-', 'Grundgesamt-']
    >>> syllables("results/stays.csv")
    []
    """
    if not word.isalpha():
        return []
    found = (match.start() for match in _BREAK.finditer(word.lower()))
    return [at for at in found if _LEAST_PART <= at <= len(word) - _LEAST_PART]


def printable(text: str) -> str:
    """A text without signs that steer: they would not show, or move what is around them."""
    if text.isprintable():
        return text
    kinds = ((sign, unicodedata.category(sign)) for sign in text)
    return "".join(
        " " if kind in ("Cc", "Zl", "Zp") else _REPLACED if kind in ("Cf", "Cs") else sign
        for sign, kind in kinds
    )


_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"
