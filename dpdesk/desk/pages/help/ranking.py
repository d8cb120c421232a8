# SPDX-License-Identifier: Apache-2.0
"""Which pages of the handbook answer what somebody typed, the likeliest first.

Nobody types the handbook's own words alone. So each page has words in ``index.md`` by which people
look for it, and a word counts the more the fewer pages have it: of *what is epsilon*, the last
word decides. Nothing here knows Qt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import log, log1p

from dpdesk.desk.pages.help.handbook import Handbook, HelpPage
from dpdesk.desk.pages.help.search import folded, is_in, stem, terms

MOST = 4
"""So many pages are proposed at most."""
IN_TITLE, IN_INDEX, IN_HEADING, IN_TEXT = 5.0, 4.0, 1.5, 0.5
WHOLE_PHRASE = 4.0
"""For each word of an index entry that was typed whole, such as *key lost*."""
_LEAST_PART = 0.4
"""Of the best page's score; what has less of it is not proposed."""
_LEAST_PART_OF_WORD = 5
_WORD = re.compile(r"\w+")
_HEADING = re.compile(r"^## (.+)$|\*\*(.+?)\*\*", re.MULTILINE)


@dataclass(frozen=True)
class PageWords:
    """The folded words of one page by where they stand, and the stems of its index entries."""

    title: tuple[str, ...]
    index: tuple[str, ...]
    headings: tuple[str, ...]
    text: tuple[str, ...]
    entries: tuple[frozenset[str], ...]

    def weight(self, one: str) -> float:
        """How much a page is about a stem; 0 where it does not have it."""
        best = 0.0
        for words, worth in (
            (self.title, IN_TITLE),
            (self.index, IN_INDEX),
            (self.headings, IN_HEADING),
        ):
            if best < worth and any(is_in(one, word) for word in words):
                best = worth
        return best + IN_TEXT * log1p(sum(is_in(one, word) for word in self.text))

    def phrases(self, wanted: frozenset[str]) -> int:
        """How many words the longest index entry has that was typed whole."""
        return max((len(entry) for entry in self.entries if entry <= wanted), default=0)


@dataclass(frozen=True)
class Ranking:
    """What a search found.

    Attributes:
        best: keys of the likeliest pages, at most :data:`MOST`.
        wanted: the stems that are marked on a page.
        needs_every: whether a page has to have each of them; not where no page has.
    """

    best: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    needs_every: bool = True


def rank(handbook: Handbook, query: str) -> Ranking:
    """The pages that answer a query best."""
    known = _words_of(handbook)
    wanted = tuple(dict.fromkeys(part for one in terms(query) for part in _parts(one, handbook)))
    weights = {one: _weights(one, handbook) for one in wanted}
    rare = {one: _rarity(found) for one, found in weights.items()}
    scores = {}
    for place, (page, words) in enumerate(zip(handbook.pages, known, strict=True)):
        score = sum(rare[one] * weights[one][place] for one in wanted)
        scores[page.key] = score + WHOLE_PHRASE * words.phrases(frozenset(wanted))
    order = sorted((key for key in scores if scores[key] > 0), key=lambda key: -scores[key])
    best = [key for key in order[:MOST] if scores[key] >= _LEAST_PART * scores[order[0]]]
    if any(all(found[place] for found in weights.values()) for place in range(len(known))):
        return Ranking(tuple(best), wanted)
    distinctive = tuple(one for one in wanted if rare[one] > log(2))
    return Ranking(tuple(best), distinctive, needs_every=False)


@lru_cache(maxsize=256)
def _weights(one: str, handbook: Handbook) -> tuple[float, ...]:
    """How much each page is about a stem; while somebody types, all words but the last stay."""
    return tuple(words.weight(one) for words in _words_of(handbook))


@lru_cache(maxsize=256)
def _parts(one: str, handbook: Handbook) -> tuple[str, ...]:
    """A stem, or where no page has it the known words in it: German writes several as one."""
    if any(_weights(one, handbook)):
        return (one,)
    known = _words_of(handbook)
    inside = {
        stem(word)
        for words in known
        for word in (*words.title, *words.index, *words.headings)
        if len(stem(word)) >= _LEAST_PART_OF_WORD and stem(word) in one
    }
    return tuple(sorted(inside)) or (one,)


def _rarity(found: tuple[float, ...]) -> float:
    """Nothing for a word that every page has, or none."""
    having = sum(weight > 0 for weight in found)
    return log(len(found) / having) if having else 0.0


@lru_cache(maxsize=4)
def _words_of(handbook: Handbook) -> tuple[PageWords, ...]:
    return tuple(_words(page) for page in handbook.pages)


def _words(page: HelpPage) -> PageWords:
    headings = " ".join(found for pair in _HEADING.findall(page.text) for found in pair)
    return PageWords(
        _folded(page.title),
        tuple(word for entry in page.index for word in _folded(entry)),
        _folded(headings),
        _folded(page.text),
        tuple(frozenset(stem(word) for word in _WORD.findall(entry)) for entry in page.index),
    )


def _folded(text: str) -> tuple[str, ...]:
    return tuple(folded(word) for word in _WORD.findall(text))
