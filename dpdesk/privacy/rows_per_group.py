# SPDX-License-Identifier: Apache-2.0
r"""How far a person moves sums over groups of which each has few of its rows.

A person has at most k rows, at most m of them in one of C groups (m = k where groups have no limit
of their own). Which rows are taken follows from the person's own rows and their random order, so
those of anybody else stay. A row moves its group by at most w, and where rows of one group are
replaced, each pair of a row that goes and one that comes moves it by w + b, 0 <= b <= w. Norms are
of the vector of groups; with one entry a group, or several whose norms add up to these.

**Together** (add-remove): with j_1 ... j_C rows the vector is within the box of all w j_i, where
j_i <= m and sum(j) <= k' = min(k, C m). L1 = k' w, and L2 squared is at most w^2 times the sum of
squares of the j. That is convex, so it is largest at a corner: as many groups with m rows as there
is room for, and one with what is left, floor(k'/m) m^2 + (k' mod m)^2. Attained by such a person.

**Replaced** (change-one): rows j are replaced by rows j', and the vector moves by at most
w max(j_i, j'_i) + b min(j_i, j'_i) in each group. Its norm is convex in both, so its largest value
is at two corners as above: F = floor(k'/m) groups of m rows each, and one of r = k' mod m, on each
side. All ways to lay one over the other that fit into C groups are these: s of the F full groups
on each side meet no full one; r meets nothing, the other r, or one of those s. For each way the sum
is linear in s, so both ends of s are tried. Where b = 0 nothing is gained by meeting, which is then
as good as staying away (those rows need not be there).

Without a limit (m = k, F = 1, r = 0) these are k w and (k w)^2; and of rows that are replaced the
larger of k (w + b) in one group and 2 k w in two, or of their squares.
"""

from __future__ import annotations

from collections.abc import Iterator


def together(k: int, m: int, groups: int) -> tuple[int, int]:
    """L1 and L2 squared of a person's rows by group; see the head of the module.

    >>> together(7, 3, 10), together(7, 3, 2)
    ((7, 19), (6, 18))
    """
    rows = min(k, groups * m)
    full, rest = divmod(rows, m)
    return rows, full * m * m + rest * rest


def replaced(k: int, m: int, groups: int, row: int, beside: int) -> tuple[int, int]:
    """L1 and L2 squared where a person's rows are replaced; see the head of the module.

    Args:
        k: rows of a person, at most.
        m: rows of a person in one group, at most; k or fewer.
        groups: C, 1 or more.
        row: w.
        beside: b.
    """
    ways = list(_ways(k, m, groups))
    moved = [[(own * row + met * beside, count) for own, met, count in way] for way in ways]
    l1 = max(sum(count * far for far, count in way) for way in moved)
    return l1, max(sum(count * far * far for far, count in way) for way in moved)


def _ways(k: int, m: int, groups: int) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """How rows may be replaced: (the larger number, the smaller, in how many groups)."""
    full, rest = divmod(min(k, groups * m), m)
    # This many of both rests meet a full group; of those that do not, each has a group of its own.
    for meeting in (0, 1, 2) if rest else (0,):
        own = 2 - meeting if rest else 0
        yield from _laid(full, (m, rest), meeting, ((rest, 0, own),), groups)
    if rest:
        yield from _laid(full, (m, rest), 0, ((rest, rest, 1),), groups)


def _laid(
    full: int,
    sizes: tuple[int, int],
    meeting: int,
    rests: tuple[tuple[int, int, int], ...],
    groups: int,
) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """Both ends of s, where this many rests meet a full group and the others are laid already."""
    (m, rest), least = sizes, 1 if meeting else 0
    most = min(full, groups - full - sum(count for *_, count in rests))
    if least <= most:
        for alone in (least, most):
            single = ((m, 0, 2 * alone - meeting), (m, rest, meeting))
            yield ((m, m, full - alone), *single, *rests)
