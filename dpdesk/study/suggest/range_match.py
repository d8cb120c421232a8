# SPDX-License-Identifier: Apache-2.0
"""Plausible ranges for a column, by what its header and label are called.

They are proposals with their sources. Which one holds, and in which unit, only the custodian
knows: where no unit is stated, every unit's range is offered and marked as a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from dpdesk.study.limits import MAX_TEXT
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.suggest.clinical import (
    ClinicalVariable,
    Range,
    RangeKind,
    named,
    ranges,
    typical,
    unit_names,
)
from dpdesk.study.suggest.words import away, beside, joined, windows, words_of

_NO_UNIT = frozenset({"", "na", "none", "keine", "nil", "1"})
_AMBIGUOUS = frozenset({"min", "mon", "std", "sec", "mmol", "point"})
_SHORTEST_UNIT = 3
_SHORTEST_WRITTEN_OUT = 4
_MAX_LABEL_WORDS = 16
_MOST_DENYING_WORDS = 5


@dataclass(frozen=True)
class Suggestion:
    """One proposal for the bounds of a number column.

    Attributes:
        english, german: what the column is taken for.
        unit: the unit that the bounds are counted in; becomes the column's ``label``.
        unit_is_stated: whether header, label or codebook name that unit.
        source: where they come from.
        note: what to know before accepting it; often empty.
        kind: what a study would use, what can be at all, or all there is of a score.
    """

    variable: str
    english: str
    german: str
    unit: str
    unit_is_stated: bool
    lower: Decimal
    upper: Decimal
    step: Decimal
    source: str
    note: str
    kind: RangeKind = "extreme"

    @property
    def basis(self) -> str:
        """The source, short enough for a column's ``basis``."""
        return self.source[:MAX_TEXT]


def typical_range(column: NumberColumn) -> Suggestion | None:
    """What a study would use for a column, where its unit leaves no doubt which range that is."""
    suggestions = remembered_ranges(column.in_file or column.name, column.title, column.label)
    first = suggestions[0].variable if suggestions else ""
    known = [s for s in suggestions if s.kind != "extreme" and s.variable == first]
    stated = [s for s in known if s.unit_is_stated]
    return stated[0] if len(stated) == 1 else known[0] if len(known) == 1 else None


@lru_cache(maxsize=8192)
def remembered_ranges(name: str, title: str = "", unit: str = "") -> tuple[Suggestion, ...]:
    """What ``suggest_ranges`` says, worked out once: a page asks for each of thousands again."""
    return suggest_ranges(name, title, unit)


@dataclass(frozen=True)
class _Match:
    variable: ClinicalVariable
    start: int
    end: int
    weight: int


def suggest_ranges(name: str, label: str = "", unit: str = "") -> tuple[Suggestion, ...]:
    """Ranges that a number column may have, the best match first.

    Args:
        name: the header.
        label: the variable label, where there is one.
        unit: the unit that a codebook states, where one does.
    """
    texts = [words_of(name), words_of(label)]
    if len(texts[1]) > _MAX_LABEL_WORDS or "?" in label:
        texts[1] = ()
    found: dict[str, tuple[int, ClinicalVariable]] = {}
    for rank, words in enumerate(texts):
        for match in _matches(words):
            better = (match.weight - 100 * rank, match.variable)
            kept = found.get(match.variable.key)
            if kept is None or better[0] > kept[0]:
                found[match.variable.key] = better
    denied = {key for words in texts for key in _denied(words)}
    best = sorted(found.values(), key=lambda scored: -scored[0])
    return tuple(s for _, v in best if v.key not in denied for s in _offers(v, texts, unit))


def _hits(words: tuple[str, ...]) -> list[_Match]:
    return [
        _Match(variable, start, end, 10 * (end - start) + (end - start == len(words)))
        for start, end, phrase in windows(words)
        for variable in named().get(phrase, ())
        if phrase in variable.phrases
        or (phrase in variable.wholes and _all(words, start, end, variable))
    ]


def _matches(words: tuple[str, ...]) -> list[_Match]:
    """Every variable that the words name; a name within a longer name does not count."""
    hits = _hits(words)
    return [
        hit
        for hit in hits
        if not any(_covers(other, hit) for other in hits)
        and not any(word in away() for word in words[: hit.start] + words[hit.end :])
    ]


def _denied(words: tuple[str, ...]) -> set[str]:
    """Variables that a short text names only to say something else: "weight loss"."""
    if len(words) > _MOST_DENYING_WORDS:
        return set()
    return {hit.variable.key for hit in _hits(words)} - {m.variable.key for m in _matches(words)}


def _covers(outer: _Match, inner: _Match) -> bool:
    longer = outer.end - outer.start > inner.end - inner.start
    return longer and outer.start <= inner.start and inner.end <= outer.end


def _all(words: tuple[str, ...], start: int, end: int, variable: ClinicalVariable) -> bool:
    """Whether the words beside a short name leave it what it is; numbers and its own units do.

    ``ht_cm`` is a height, for no haematocrit is counted in centimetres.
    """
    rest = words[:start] + words[end:]
    known = unit_names()
    units = {name for row in ranges()[variable.key] for name in known[row.unit]}
    return "".join(rest) in units or all(
        word in beside() or word.isdigit() or (word in units and len(word) > 1) for word in rest
    )


def _offers(
    variable: ClinicalVariable, texts: list[tuple[str, ...]], unit: str
) -> list[Suggestion]:
    """A variable's ranges: those of the stated unit, all where none is, none for another's."""
    rows = ranges()[variable.key]
    known = unit_names()
    if joined(unit) not in _NO_UNIT:
        return [o for r in rows if joined(unit) in known[r.unit] for o in _both(variable, r, True)]
    reported = _stated_units(variable, texts)
    sizes = {row.unit: max(map(len, reported.keys() & known[row.unit]), default=0) for row in rows}
    longest = max(sizes.values())
    if longest:
        return [o for r in rows if sizes[r.unit] == longest for o in _both(variable, r, True)]
    is_another = any(_is_surely_unit(phrase, count) for phrase, count in reported.items())
    return [] if is_another else [o for row in rows for o in _both(variable, row, False)]


def _both(variable: ClinicalVariable, row: Range, is_stated: bool) -> list[Suggestion]:
    """The typical range, where there is one, before what can be at all."""
    known = typical().get((row.variable, row.unit))
    return [_offer(variable, r, is_stated) for r in (known, row) if r is not None]


def _is_surely_unit(phrase: str, words: int) -> bool:
    """Whether a text can be nothing but a unit: "g/L", and not "c"."""
    return phrase not in _AMBIGUOUS and (words > 1 or len(phrase) >= _SHORTEST_UNIT)


def _stated_units(variable: ClinicalVariable, texts: list[tuple[str, ...]]) -> dict[str, int]:
    """The units beside the variable's name, with how many words each is, and written out in it."""
    every = frozenset().union(*unit_names().values())
    reported: dict[str, int] = {}
    for words in texts:
        own = [hit for hit in _matches(words) if hit.variable.key == variable.key]
        start, end = (own[0].start, own[0].end) if own else (0, 0)
        for part in (words[:start], words[end:]):
            reported |= {phrase: b - a for a, b, phrase in windows(part) if phrase in every}
        reported |= {
            w: 1 for w in words[start:end] if len(w) >= _SHORTEST_WRITTEN_OUT and w in every
        }
    return reported


def _offer(variable: ClinicalVariable, row: Range, is_stated: bool) -> Suggestion:
    return Suggestion(
        row.variable,
        variable.english,
        variable.german,
        row.unit,
        is_stated,
        row.lower,
        row.upper,
        row.step,
        row.source,
        row.note,
        row.kind,
    )
