# SPDX-License-Identifier: Apache-2.0
r"""The threshold under which a category that was found in the data stays unsaid, by an exact tail.

A category that one person alone has is in the data with a count of 1, and without that person
not at all. It is given out where its noisy count 1 + X reaches the threshold t, with probability
P(X >= t - 1) = P(|X| > t - 2) / 2 for whole t >= 2, the noise being symmetric. A person with up to
k such categories, each with noise of its own, fails to stay hidden with probability

    1 - (1 - P(X >= t - 1))^k,

which is to be delta at most. The tail counts the category's own person: what is compared is
1 + X, not X. (A library that leaves the 1 out understates delta by a factor of e^(1/scale).)

Claim: for the t of ``threshold_for`` this probability is delta or less, and t is the smallest such
whole number unless a tail is within some billionths of what it may be. Why: ``each_miss`` solves
for P, ``SLACK`` is far more than what floating point rounds in it and in the tails, and a
half-width is the smallest whole number that holds.

Source: Korolova, Kenthapadi, Mishra and Ntoulas, Releasing search queries and clicks privately
(2009); Wilson et al., Differentially private SQL with bounded user contribution (2020), section
3.4; Desfontaines, Voss, Gipson and Mandayam, Differentially private partition selection (2022).
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.half_widths import each_miss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.study.model.amount import Delta

SLACK = 1e-9
"""What is taken from a chance, as a part of it, for the rounding of floating point."""

LEAST = 2
"""A threshold that one person reaches without noise would hide nobody."""


def threshold_for(noise: Noise, categories: int, delta: Delta) -> int:
    """The smallest whole threshold that keeps a person's own categories hidden.

    Args:
        noise: the noise on every count.
        categories: how many categories one person can bring, 1 or more.
        delta: the probability with which one of them may show, more than nothing.

    Raises:
        ValueError: no delta.
    """
    if not delta.atto:
        raise ValueError("a threshold needs a delta")
    each = each_miss(categories, _down(delta)) * (1 - SLACK)
    return noise_distribution.half_width(noise, min(2 * each, 1.0)) + LEAST


def found_from(noise: Noise, threshold: int) -> int:
    """A category that this many people have is given out 95 times in 100, or more often.

    Why: n + X stays below t only where X < -h with h = n - t, which has the probability
    P(|X| > h) / 2; h is the smallest whole number for which that is 5 in 100 at most.
    """
    return threshold + noise_distribution.half_width(noise, 0.1)


def _down(delta: Delta) -> float:
    """The largest float that is at most delta."""
    nearest = float(delta.as_fraction())
    return nearest if Fraction(nearest) <= delta.as_fraction() else math.nextafter(nearest, 0.0)
