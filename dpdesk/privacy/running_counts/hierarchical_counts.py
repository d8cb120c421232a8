# SPDX-License-Identifier: Apache-2.0
r"""A tree of noisy counts over bins, made consistent: parents equal the sums of their children.

The tree has levels; a node of a level counts the rows of ``widths[level]`` bins in a row, and the
lowest level's nodes are the bins. Every node has independent noise of one scale. What fits all
noisy counts best (weighted least squares, here with equal weights) is found in two walks:

* upwards, z of a node joins its own noisy count y, of variance 1, with the sum Z of its
  children's z, of variance V: z = q y + (1 - q) Z with q = V / (1 + V), of variance q;
* downwards, from the top, each node passes what it differs from Z to its children c in the
  ratio of their variances: x_c = z_c + (v_c / V) (x - Z).

Sources: Hay, Rastogi, Miklau and Suciu, Boosting the accuracy of differentially private histograms
through consistency (2010); Honaker, Efficient use of differentially private binary trees (2015).
Above the top level is the total: what its nodes add up to or, where it is public, that number. Of
two bins below a public total the first alone is counted with noise: the other follows.

How many rows lie up to some bin is then linear in the noisy counts. With b for how much of a
node's x it takes, upwards b = (sum of v_c over children on the left + b' v') / V, where b' and v'
belong to the child on the way; its variance grows by (sum of v_c + b'^2 v' - b^2 V), because
the sum on the left, the rest below and Z are correlated by b V alone. Downwards, all weights
follow from the same numbers (``weights``). Everything released is exact: whole numbers in,
fractions through, no float.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate

from dpdesk.privacy.running_counts.strategy import Strategy

ONE = Fraction(1)
TWO = 2

BRANCHES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 28, 32)
"""How many branches a node may have; with others no count of 1,000 bins is better by 1 in 100."""
MOST_ABOVE = 8
"""How many nodes may lie right above the bins."""

_FUZZ = 1e-12
"""A weight below is nothing but the rounding of floats."""


@dataclass(frozen=True)
class Hierarchy(Strategy):
    """The shape of a tree.

    Attributes:
        bins: how many bins there are.
        widths: how many bins a node of each level has, top first, each a multiple of the next;
            the last is 1. The last node of a level may have fewer.
        has_public_total: whether all rows together are a public number.
    """

    bins: int
    widths: tuple[int, ...]
    has_public_total: bool = False

    @property
    def drawn(self) -> int:
        """One count a node."""
        return sum(self.sizes)

    @property
    def is_bins(self) -> bool:
        """Whether there is one level."""
        return self.widths == (1,)

    @property
    def draws_one(self) -> bool:
        """See ``Strategy``."""
        return self.has_public_total and self.bins == TWO

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many nodes each level has that are counted."""
        if self.draws_one:
            return (1,)
        return tuple(-(-self.bins // width) for width in self.widths)

    def children(self, level: int, is_last: bool) -> int:
        """How many nodes of a level one node above it has."""
        if level == 0:
            return self.sizes[0]
        each = self.widths[level - 1] // self.widths[level]
        if not is_last:
            return each
        return self.sizes[level] - (self.sizes[level - 1] - 1) * each

    @cached_property
    def variances(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Variance of z at each level: of every node but the last, and of the last."""
        result = [(ONE, ONE)]
        # From the bins upwards: V adds up the children's variances, and a node's own noisy count,
        # of variance 1, joined with their sum has 1 / (1 / 1 + 1 / V) = V / (1 + V).
        for level in reversed(range(1, len(self.widths))):
            whole, last = result[0]
            sums = (
                self.children(level, is_last=False) * whole,
                (self.children(level, is_last=True) - 1) * whole + last,
            )
            result.insert(0, (sums[0] / (1 + sums[0]), sums[1] / (1 + sums[1])))
        return tuple(result)

    def counts_below(
        self, noisy: Sequence[int], total: Fraction | int | None
    ) -> tuple[Fraction, ...]:
        """As the consistent tree says.

        Five bins below three nodes, each of which counts two bins but for the last: with the noisy
        counts 10, 8, 3 above and 4, 5, 6, 3, 4 below,

        * upwards, 10 counts for 2/3 against the 4 + 5 below it: z = 29/3; then 2/3 8 + 1/3 9 =
          25/3, and the last node is as exact as its only bin: (3 + 4) / 2 = 7/2;
        * downwards, the first two bins share the 2/3 that 29/3 has beyond 9: 13/3 and 16/3; the
          next two take 1/3 less each: 17/3 and 8/3; the last becomes 7/2.

        >>> found = Hierarchy(5, (2, 1)).counts_below((10, 8, 3, 4, 5, 6, 3, 4), None)
        >>> [str(count) for count in found]  # added up from the left
        ['13/3', '29/3', '46/3', '18', '43/2']

        Args:
            noisy: every node's noisy count, level by level, top first.
            total: see ``Strategy``.
        """
        if self.draws_one and total is not None:
            return Fraction(noisy[0]), Fraction(total)
        sums, joined = _upwards(self, _levels(self, noisy))
        # Above the top level is one node: the public total, or what the top level adds up to,
        # and then nothing is left for that level to share.
        top = sum(joined[0], Fraction(0))
        above = [top if total is None else Fraction(total)]
        below_sums = [top]
        for level in range(len(self.widths)):
            above = _passed(self, level, above, below_sums, joined[level])
            below_sums = sums[level]
        return tuple(accumulate(above))

    def variance(self, bin: int) -> float:
        """Plain sums and products of floats, which every machine rounds alike.

        Bins alone add up: the count up to the third has three noises. Under nodes of two bins the
        first two bins are a node's z, of variance V / (1 + V) = 2/3 for V = 2.

        >>> Hierarchy(5, (1,)).variance(2), round(Hierarchy(5, (2, 1)).variance(1), 9)
        (3.0, 0.666666667)
        """
        if self.draws_one:
            return 1.0 - bin
        way = _way(self, bin)
        takes, total = _takes(way), 0.0
        # From the bin upwards, each level adds sum of v_c + b'^2 v' - b^2 V (see the module's
        # head).
        for step, here, below in reversed(list(zip(way, takes[:-1], takes[1:], strict=True))):
            total += step.left * step.whole + below * below * step.own - here * here * step.below
        return total if self.has_public_total else total + takes[0] * takes[0] * way[0].below

    def part_of_total(self, bin: int) -> float:
        """Of the consistent tree's."""
        return _takes(_way(self, bin))[0]

    def weights(self, bin: int, share: float = 0.0) -> tuple[tuple[float, int], ...]:
        """Of the noisy counts.

        Two bins of a node of two: 2/3 of the node's own noisy count, 1/3 of each bin's.

        >>> [(round(weight, 6), many) for weight, many in Hierarchy(5, (2, 1)).weights(1)]
        [(0.333333, 2), (0.666667, 1)]
        """
        if self.draws_one:
            return ((1.0, 1),) if bin == 0 else ()
        total: Counter[float] = Counter()
        way = _way(self, bin)
        takes = [take - share for take in _takes(way)]
        # A public total has no noise to take from.
        from_above = 0.0 if self.has_public_total else takes[0]
        for level, step in enumerate(way):
            # Beside what it counts for itself, each child's z is part of the z of the node above,
            # and with the opposite sign in b (x - Z), of which the children get their parts.
            base = from_above - takes[level]
            _add(total, self, level, 1 - share + base, step.left, has_last=False)
            _add(total, self, level, base - share, step.right, has_last=step.has_last)
            mine = takes[level + 1] + base
            # z = q y + (1 - q) Z: q of the weight is the own noisy count's, the rest each child's
            # z's; a bin's z is its noisy count.
            total[mine if level == len(way) - 1 else mine * step.own] += 1
            from_above = mine * (1 - step.own)
        return tuple(sorted((w, many) for w, many in total.items() if abs(w) > _FUZZ))


@lru_cache(maxsize=256)
def trees(bins: int, has_public_total: bool) -> tuple[Hierarchy, ...]:
    """The trees that may be asked: the bins alone, then trees by their branches a node.

    The top level has more nodes than that where one level less is better; and a few nodes over all
    bins. Each without and, where the total is not public, with a node for the total.
    """
    shapes: list[tuple[int, ...]] = [(1,)]
    for branch in BRANCHES:
        widths: tuple[int, ...] = (1,)
        while (width := branch * widths[0]) < bins:
            widths = (width, *widths)
            if width * branch * branch >= bins:
                shapes.append(widths)
    shapes += [(-(-bins // nodes), 1) for nodes in range(2, min(bins, MOST_ABOVE) + 1)]
    if not has_public_total and bins > 1:
        shapes += [(widths[0] * -(-bins // widths[0]), *widths) for widths in shapes]
    shapes = [widths for widths in shapes if len(widths) == 1 or widths[-2] > 1]
    return tuple(Hierarchy(bins, widths, has_public_total) for widths in dict.fromkeys(shapes))


def _levels(tree: Hierarchy, noisy: Sequence[int]) -> list[Sequence[int]]:
    ends = tuple(accumulate(tree.sizes))
    starts = (0, *ends[:-1])
    return [noisy[start:end] for start, end in zip(starts, ends, strict=True)]


def _upwards(
    tree: Hierarchy, levels: list[Sequence[int]]
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """The sums Z over every node's children, and every node's z, by level."""
    # A bin's z is its own noisy count; nothing lies below it to add.
    joined = [list(map(Fraction, levels[-1]))]
    sums: list[list[Fraction]] = [[]]
    for level in reversed(range(len(levels) - 1)):
        each = tree.widths[level] // tree.widths[level + 1]
        below = joined[0]
        added = [sum(below[i : i + each], Fraction(0)) for i in range(0, len(below), each)]
        pairs = zip(levels[level], added, strict=True)
        own = [_variance(tree, level, i) for i in range(len(added))]
        # z = q y + (1 - q) Z = Z + q (y - Z)
        joined.insert(0, [z + q * (y - z) for q, (y, z) in zip(own, pairs, strict=True)])
        sums.insert(0, added)
    return sums, joined


def _passed(
    tree: Hierarchy, level: int, above: list[Fraction], sums: list[Fraction], joined: list[Fraction]
) -> list[Fraction]:
    """Every x of a level, from those above it."""
    each = tree.sizes[0] if level == 0 else tree.widths[level - 1] // tree.widths[level]
    # (x - Z) / V of each node above: what it still has to give, for each unit of variance below.
    rest = [
        (x - z) / _sum_below(tree, level, i, len(above))
        for i, (x, z) in enumerate(zip(above, sums, strict=True))
    ]
    return [z + _variance(tree, level, i) * rest[i // each] for i, z in enumerate(joined)]


def _variance(tree: Hierarchy, level: int, index: int) -> Fraction:
    return tree.variances[level][index == tree.sizes[level] - 1]


def _sum_below(tree: Hierarchy, level: int, parent: int, parents: int) -> Fraction:
    """V of one node above a level."""
    whole, last = tree.variances[level]
    is_last = parent == parents - 1
    children = tree.children(level, is_last)
    return (children - 1) * whole + last if is_last else children * whole


@dataclass(frozen=True)
class _Step:
    """One level on the way down to a bin: floats, as margins need no more.

    Attributes:
        left: how many siblings lie on the left.
        right: how many on the right.
        whole: their variance, but for the last node of the level.
        own: variance of the node on the way.
        below: V of the node above.
        has_last: whether the siblings on the right end with the level's last node.
        is_last: whether the node on the way is the level's last one.
    """

    left: int
    right: int
    whole: float
    own: float
    below: float
    has_last: bool
    is_last: bool


@lru_cache(maxsize=4096)
def _way(tree: Hierarchy, bin: int) -> tuple[_Step, ...]:
    steps: list[_Step] = []
    parent, parents = 0, 1
    for level, width in enumerate(tree.widths):
        whole, last, rest, full = _floats(tree)[level]
        is_last_parent = parent == parents - 1
        children = tree.children(level, is_last_parent)
        index, size = bin // width, tree.sizes[level]
        left = index - (parent * (tree.widths[level - 1] // width) if level else 0)
        right, is_last = children - 1 - left, index == size - 1
        below = rest if is_last_parent else full
        own = last if is_last else whole
        has_last = is_last_parent and right > 0
        steps.append(_Step(left, right, whole, own, below, has_last, is_last))
        parent, parents = index, size
    return tuple(steps)


@lru_cache(maxsize=256)
def _floats(tree: Hierarchy) -> tuple[tuple[float, float, float, float], ...]:
    """Of each level: variance of a node and of the last, V above the last and above others."""
    return tuple(
        (
            float(tree.variances[level][0]),
            float(tree.variances[level][1]),
            float(_sum_below(tree, level, 0, 1)),
            float(tree.children(level, is_last=False) * tree.variances[level][0]),
        )
        for level in range(len(tree.widths))
    )


def _takes(way: tuple[_Step, ...]) -> tuple[float, ...]:
    """How much is taken of every node on the way, from above the top level to the bin itself."""
    # From the bin, all of which is taken, upwards: a node's x lends each child the share of its
    # variance in V, so all siblings on the left go in whole and the child on the way in part.
    taken = [1.0]
    for step in reversed(way):
        taken.insert(0, (step.left * step.whole + taken[0] * step.own) / step.below)
    return tuple(taken)


def _add(
    total: Counter[float], tree: Hierarchy, level: int, weight: float, nodes: int, *, has_last: bool
) -> None:
    """Add what some nodes' z, each with a weight, takes of the noisy counts below."""
    if nodes - has_last > 0 and weight:
        for part, many in _below(tree, level, False):
            total[weight * part] += many * (nodes - has_last)
    if has_last and weight:
        for part, many in _below(tree, level, True):
            total[weight * part] += many


@lru_cache(maxsize=4096)
def _below(tree: Hierarchy, level: int, is_last: bool) -> tuple[tuple[float, int], ...]:
    """The weights of the noisy counts in one node's z."""
    if level == len(tree.widths) - 1:
        return ((1.0, 1),)
    own = float(tree.variances[level][is_last])
    result: Counter[float] = Counter({own: 1})
    _add(result, tree, level + 1, 1 - own, tree.children(level + 1, is_last), has_last=is_last)
    return tuple(result.items())
