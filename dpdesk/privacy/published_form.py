# SPDX-License-Identifier: Apache-2.0
r"""Counts published whole or rounded, and none below zero: post-processing of noisy figures.

A count's exact figure v is what the noise left of the true count n, made consistent with other
tables where that is done. With step m it is published as p = r(v), the multiple of m nearest to it
and at halves the even one, and where none is to be below zero as p = max(0, r(v)). All of it is a
function of noisy values and declared constants, so it costs nothing (Dwork and Roth 2014,
proposition 2.1), and the same draw serves every form.

Claim (margin, add-remove or change-one): where |v - n| <= h with a probability, |p - n| <= M with
at least that one, for M = floor(h + |r(v) - v|). Why: |r(v) - n| <= h + |r(v) - v|, and the left
side is whole, for r(v) and n are. Moving a negative r(v) to 0 moves it towards n >= 0. No smaller
whole number holds for every n that v and h allow: on the side to which r(v) was not moved the
nearest whole number to v + h or v - h is M away, unless it is below zero. There M is kept as wide
as before: a count far below zero says no more than that noise took it there.

Claim (before the release): every M is at most floor(h + m / 2) (``widest``), as |r(v) - v| is at
most m / 2; attained where v is a half.

Claim (what zero costs, ``excess``): publishing no negative counts adds E[max(0, -r(n + E))] to a
count on average, E the symmetric error of v. r never falls, so that is largest at n = 0, where it
is E[max(0, r(E))], and next to nothing where n is far above the margin. It is at most
E|E| / 2, and m / 4 more where rounding moves figures: for t(x) = P(E >= x), which falls,

    E max(0, r(E)) <= m t(m/2) + m t(3m/2) + ...,  m t(m/2) <= int_0^{m/2} t + (m/2) t(0+),

t(0+) <= 1/2, and each later term is at most the integral of t over the step before it. E|E| is at
most s for one discrete Laplace noise of scale s (it is 1 / sinh(1/s)), sqrt(2/pi) s for one
discrete Gaussian (by Poisson's sum: the transform of |x| exp(-x^2 / 2s^2) is negative at all whole
numbers but 0 for s > 0.21; below that it is all but 0), and the root of the variance for any sum.

**Halves go to the even multiple** (ISO 80000-1, rule A): r(n + e) - n = -(r(n - e) - n) for whole
n and m = 1, so rounding itself moves no count on average. Away from zero, figures of two noises,
half of which are halves, would come out 0.25 too high, and whole ones rounded to 10 by 0.5.

Each figure is rounded by itself: tables that were made consistent, or add up to a public total, no
longer add up exactly. Totals that a report adds below a table are those of the exact figures,
published in the same form; percentages and differences between releases are taken before rounding.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpdesk.privacy.consistent import NoiseTerms
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.study.model.queries import PublishedForm

_ONE_GAUSSIAN = math.sqrt(2 / math.pi)


def published(figure: Figure, form: PublishedForm | None) -> Figure:
    """A count with its margin in the form in which it is published.

    >>> published(Figure(Fraction(37, 2), Fraction(9)), PublishedForm(5, True))
    Figure(value=Fraction(20, 1), half_width=Fraction(10, 1))
    """
    if form is None:
        return figure
    rounded = form.step * round(figure.value / form.step)
    margin = math.floor(figure.half_width + abs(rounded - figure.value))
    kept = max(0, rounded) if form.none_below_zero else rounded
    return Figure(Fraction(kept), Fraction(margin))


def widest(half_width: Fraction, form: PublishedForm) -> Fraction:
    """The largest margin that a published count can have, before anything is drawn.

    >>> widest(Fraction(9), PublishedForm(5))
    Fraction(11, 1)
    """
    return Fraction(math.floor(half_width + Fraction(form.step, 2)))


def excess(terms: NoiseTerms, form: PublishedForm, *, is_whole: bool) -> float:
    """By how much a count of 0 is published too high, on average and at most.

    Args:
        terms: the error of a count, as a weighted sum of noises.
        form: the form; nothing where negative counts are published.
        is_whole: whether figures are whole before they are published.

    >>> from dpdesk.privacy.noise.noise import Noise
    >>> round(excess(((Noise("laplace", 10.0), 1.0, 1),), PublishedForm(1, True), is_whole=True), 3)
    5.0
    """
    if not form.none_below_zero:
        return 0.0
    moved = 0.0 if is_whole and form.step == 1 else form.step / 4
    return _mean_size(terms) / 2 + moved


def _mean_size(terms: NoiseTerms) -> float:
    """E|E|, at most."""
    if len(terms) == 1 and terms[0][2] == 1:
        noise, weight, _ = terms[0]
        return abs(weight) * noise.scale * (1 if noise.mechanism == "laplace" else _ONE_GAUSSIAN)
    squares = (
        many * (weight * noise.scale) ** 2 * (2 if noise.mechanism == "laplace" else 1)
        for noise, weight, many in terms
    )
    return math.sqrt(math.fsum(squares))
