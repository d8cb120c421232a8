# SPDX-License-Identifier: Apache-2.0
"""The one door through which noise comes. Nothing else imports OpenDP or opens an exact answer.

OpenDP does not enforce its domains when a measurement is invoked, reads environment variables
that can put another library in its place, and defaults to 32-bit integers. The door therefore
clears the variables before the import, uses 64-bit integers only, checks what goes in and out,
refuses every scale that is not finite and positive, and draws a whole vector in one call.

Claim: for a vector whose distance between neighbours, in the noise's norm, is at most
``sensitivity``, what is drawn is ``loss(noise, sensitivity)``-DP (or zCDP). Why: it is OpenDP's
own measurement on 64-bit integers (``make_laplace``, ``make_gaussian``, ``make_noisy_max``,
``make_noisy_top_k``, ``make_randomized_response_bool``), and the loss is what its own privacy map
says, rounded up. Choices in several blocks are independent draws: the block b, moved by d_b, loses
map(d_b), which is linear in d_b for epsilon and quadratic for rho, so that together they lose
map(sum of d_b), or map(1) times the sum of the squares of d_b, rounded up. A monotonic distance d
= r + f adds the largest rise r to the largest fall f: between the two vectors lies the one of the
smaller scores; from the one to it all scores fall by at most f, from it to the other they rise by
at most r, so for epsilon map(f) + map(r) = map(d) is lost on the way. For rho the logarithms of
the chances change by amounts that lie within d / scale of each other, which is all that the map
rests on: bounded range (Durfee and Rogers, Practical differentially private top-k selection, 2019;
Cesar and Rogers, Bounding, concentrating and truncating, 2021). Randomised response draws every
row by itself; a neighbour changes one.
"""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any

import numpy as np

from dpdesk.exact import Exact, ExactTexts, Int64Vector, claim_opener, claim_texts_opener
from dpdesk.privacy.noise.noise import SQUARED_NORMS, Mechanism, Noise
from dpdesk.privacy.noise.noise_library import library_digest
from dpdesk.study import limits
from dpdesk.study.model.amount import Delta, Rho

for _variable in [name for name in os.environ if name.upper().startswith("OPENDP_")]:
    del os.environ[_variable]
_backtrace = os.environ.get("RUST_BACKTRACE")

# Only after the environment is clean. The prelude would load the layers that are not used, too.
from opendp import combinators, domains, measurements, measures, metrics  # noqa: E402
from opendp.mod import enable_features  # noqa: E402

# The import switches backtraces on; a backtrace could carry values.
os.environ["RUST_BACKTRACE"] = "0" if _backtrace is None else _backtrace
enable_features("contrib")

_open = claim_opener()
_open_texts = claim_texts_opener()

FoundTexts = tuple[tuple[str, int], ...]
"""Texts that reached a threshold, each with its noisy count."""

LIMIT = 2**62
"""Exact values beyond this are saturated before they reach the door."""

MAX_SCALE = 2.0**66
"""Above the scale of the dearest sum that a study can declare, at the smallest share."""


class DoorRefused(ValueError):
    """Something that must not be drawn. The message is fixed and holds no value."""


class Door(ABC):
    """One way to draw: checks the request, opens the exact answer, adds noise."""

    def draw(self, name: str, exact: Exact, noise: Noise, sensitivity: int) -> tuple[int, ...]:
        """Draw on a whole vector, once.

        Args:
            name: which draw this is (query and part); public.
            exact: sealed exact answer, shape ``(cells,)``, in quanta.
            noise: the mechanism.
            sensitivity: of the vector, in the noise's norm, positive.

        Returns:
            Whole numbers, ``noise.length(cells)`` of them: the noisy vector, or for each block
            the places that were chosen, or the number of ones.

        Raises:
            DoorRefused: the noise or the sensitivity is not usable.
        """
        check_request(noise, sensitivity)
        if not isinstance(exact, Exact):
            raise DoorRefused("only a sealed exact answer can be drawn on")
        if noise.threshold is not None:
            raise DoorRefused("a threshold is for texts that were found")
        return self.add_noise(name, _open(exact), noise, sensitivity)

    def draw_found(
        self, name: str, exact: ExactTexts, noise: Noise, sensitivity: int
    ) -> FoundTexts:
        """Draw on the count of every text that was found, once; few texts come out.

        Claim and proof: see ``statistics.categories_found``. What comes out is in an order of its
        own: the highest noisy count first, equal ones by text; never the data's.

        Args:
            name: which draw this is; public.
            exact: sealed texts with their counts.
            noise: Laplace or Gaussian, with its threshold.
            sensitivity: of the counts of all conceivable texts, in the noise's norm.

        Returns:
            The texts whose noisy count reaches the threshold, with that count, at most
            ``limits.MAX_FOUND``. Often none.

        Raises:
            DoorRefused: the noise or the sensitivity is not usable.
        """
        check_request(noise, sensitivity)
        if not isinstance(exact, ExactTexts):
            raise DoorRefused("only sealed texts can be drawn on")
        if noise.threshold is None or noise.threshold < 2 or not noise.is_additive:
            raise DoorRefused("texts leave above a threshold alone")
        texts, counts = _open_texts(exact)
        return self.find(name, texts, counts, noise, sensitivity)

    def find(
        self,
        name: str,
        texts: tuple[str, ...],
        counts: Int64Vector,
        noise: Noise,
        sensitivity: int,
    ) -> FoundTexts:
        """Add noise to opened counts and let the texts through that reach the threshold.

        Args:
            name: as in :meth:`draw_found`.
            texts: in any order, each once.
            counts: how many people have each, shape ``(len(texts),)``.
            noise: as in :meth:`draw_found`.
            sensitivity: as in :meth:`draw_found`.
        """
        least = noise.threshold or 0
        noisy = self.add_noise(name, counts, noise, sensitivity) if texts else ()
        passed = [pair for pair in zip(texts, noisy, strict=True) if pair[1] >= least]
        passed.sort(key=lambda pair: (-pair[1], pair[0]))
        return tuple(passed[: limits.MAX_FOUND])

    @abstractmethod
    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        """Add noise to opened values; tests put recorders, replayers and constants here.

        Args:
            name: as in :meth:`draw`.
            values: the exact answer, shape ``(cells,)``, in quanta.
            noise: as in :meth:`draw`.
            sensitivity: as in :meth:`draw`.

        Returns:
            As :meth:`draw`.
        """


class OpenDPDoor(Door):
    """The door of every release."""

    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        """Draw through OpenDP; see the claim at the head of the module.

        Raises:
            DoorRefused: no cell in a block, or something else than integers came back.
        """
        if values.size == 0 or values.size % noise.blocks:
            raise DoorRefused("a draw has at least one cell in every block")
        numbers = [int(v) for v in np.clip(values, -LIMIT, LIMIT)]
        drawn = _DRAWS[noise.mechanism](numbers, noise)
        if len(drawn) != noise.length(len(numbers)) or not all(type(v) is int for v in drawn):
            raise DoorRefused("the noise library returned something else than integers")
        return drawn


def _draw_vector(numbers: list[int], noise: Noise) -> tuple[int, ...]:
    measurement = _measurement(noise)
    if not measurement.input_domain.member(numbers):
        raise DoorRefused("the exact answer is not a vector of 64-bit integers")
    return tuple(measurement(numbers))


def _choose(numbers: list[int], noise: Noise) -> tuple[int, ...]:
    measurement, size = _measurement(noise), len(numbers) // noise.blocks
    if noise.picks > size:
        raise DoorRefused("a choice picks no more than there is")
    chosen: list[int] = []
    for start in range(0, len(numbers), size):
        block = numbers[start : start + size]
        if not measurement.input_domain.member(block):
            raise DoorRefused("the exact answer is not a vector of 64-bit integers")
        places = measurement(block)
        chosen.extend([places] if type(places) is int else places)
    if any(type(place) is not int or not 0 <= place < size for place in chosen):
        raise DoorRefused("the noise library chose what is not there")
    return tuple(chosen)


def _flip(numbers: list[int], noise: Noise) -> tuple[int, ...]:
    measurement = _measurement(noise)
    if any(number not in (0, 1) for number in numbers):
        raise DoorRefused("randomised response answers yes or no")
    return (sum(bool(measurement(number == 1)) for number in numbers),)


_DRAWS: dict[Mechanism, Callable[[list[int], Noise], tuple[int, ...]]] = {
    "laplace": _draw_vector,
    "gaussian": _draw_vector,
    "noisy-max": _choose,
    "randomised-response": _flip,
}


def check_request(noise: Noise, sensitivity: int) -> None:
    """Refuse what must not be drawn.

    Raises:
        DoorRefused: a sensitivity below one or beyond the saturated answers, a scale that is not
            finite and positive, one so small that hardly any noise would be left (loss above
            100), or one far beyond what 64-bit integers can carry.
    """
    most = LIMIT * LIMIT * 2 if noise.norm in SQUARED_NORMS else LIMIT
    if type(sensitivity) is not int or not 1 <= sensitivity <= most:
        raise DoorRefused("a sensitivity is a positive whole number of 64 bits")
    scale = noise.scale
    if type(scale) is not float or not math.isfinite(scale) or scale <= 0:
        raise DoorRefused("a scale is a finite positive number")
    if noise.blocks < 1 or noise.picks < 1:
        raise DoorRefused("a choice picks something")
    if noise.mechanism == "randomised-response":
        if not 0.5 < scale < 1 or sensitivity != 1:
            raise DoorRefused("an answer is true more often than not, and not always")
        return
    if scale > MAX_SCALE:
        raise DoorRefused("the scale leaves nothing but noise")
    distance = math.sqrt(sensitivity) if noise.norm in SQUARED_NORMS else sensitivity
    if distance / scale > 101:
        raise DoorRefused("the scale leaves hardly any noise")


@lru_cache(maxsize=1024)
def _measurement(noise: Noise) -> Any:
    """OpenDP's measurement, its loss in the noise's measure."""
    vector = domains.vector_domain(domains.atom_domain(T="i64"))
    if noise.mechanism == "laplace":
        made = measurements.make_laplace(vector, metrics.l1_distance(T="i64"), scale=noise.scale)
    elif noise.mechanism == "gaussian":
        if noise.measure != "rho":
            raise DoorRefused("Gaussian noise has no pure epsilon")
        return measurements.make_gaussian(vector, metrics.l2_distance(T="f64"), scale=noise.scale)
    elif noise.mechanism == "noisy-max":
        return _selection(vector, noise)
    else:
        made = measurements.make_randomized_response_bool(noise.scale)
    return combinators.make_pureDP_to_zCDP(made) if noise.measure == "rho" else made


def _selection(vector: Any, noise: Noise) -> Any:
    """Choose the highest: permute-and-flip for epsilon, the exponential mechanism for rho."""
    metric = metrics.linf_distance(T="i64", monotonic=noise.monotonic)
    measure = (
        measures.zero_concentrated_divergence()
        if noise.measure == "rho"
        else measures.max_divergence()
    )
    if noise.picks == 1:
        return measurements.make_noisy_max(vector, metric, measure, scale=noise.scale)
    return measurements.make_noisy_top_k(vector, metric, measure, k=noise.picks, scale=noise.scale)


def loss(noise: Noise, sensitivity: int) -> float:
    """What OpenDP's own privacy map gives, in the noise's measure, rounded up.

    Args:
        noise: the mechanism.
        sensitivity: in the noise's norm; the square of the distance where that is one.

    Raises:
        DoorRefused: see :func:`check_request`.
    """
    kinds = (type(noise.scale).__name__, type(sensitivity).__name__)
    return _loss(noise, sensitivity, kinds)


@lru_cache(maxsize=8192)
def _loss(noise: Noise, sensitivity: int, _kinds: tuple[str, str]) -> float:
    """The kinds keep 1, 1.0 and True apart, which are equal and are not all usable."""
    check_request(noise, sensitivity)
    if noise.norm == "linf-squared":
        return _up(sensitivity * Fraction(_measurement(noise).map(1)))
    distance = _root_up(sensitivity) if noise.norm == "l2-squared" else sensitivity
    return float(_measurement(noise).map(distance))


def _up(exact: Fraction) -> float:
    """The nearest float that is not below."""
    near = float(exact)
    return near if Fraction(near) >= exact else math.nextafter(near, math.inf)


def _root_up(square: int) -> float:
    """The smallest float at or above a square root, or the next few above it.

    >>> _root_up(4), _root_up(2) ** 2 >= 2
    (2.0, True)
    """
    root = math.sqrt(square)
    while Fraction(root) ** 2 < square:
        root = math.nextafter(root, math.inf)
    return root


def software() -> dict[str, str]:
    """Version of the noise library and SHA-256 of its native part."""
    return {"opendp": library_version(), "opendp_library_sha256": library_digest()}


@cache
def library_version() -> str:
    """Version of the noise library, as it is installed."""
    return version("opendp")


@lru_cache(maxsize=4096)
def epsilon_of_rho(rho: Rho, delta: Delta) -> float:
    """The least epsilon that OpenDP claims at a delta for everything that is rho-zCDP.

    Claim: what is rho-zCDP is (epsilon, delta)-DP for the same neighbours. Why: it is OpenDP's own
    conversion (Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy, 2020,
    corollary 13) of a discrete Gaussian whose privacy map says at least rho; epsilon falls where
    delta grows, so delta is rounded down. Nothing is drawn.

    Raises:
        DoorRefused: rho or delta is nothing.
    """
    if not (rho.nano and delta.atto):
        raise DoorRefused("rho and delta are above nothing")
    at = float(delta.as_fraction())
    at = at if Fraction(at) <= delta.as_fraction() else math.nextafter(at, 0.0)
    return float(combinators.make_zCDP_to_approxDP(_as_gaussian(rho)).map(1).epsilon(at))


def _as_gaussian(rho: Rho) -> Any:
    """A discrete Gaussian whose loss is rho, or the least bit more."""
    space = domains.atom_domain(T="i64"), metrics.absolute_distance(T="i64")
    scale = math.sqrt(0.5 / float(rho.as_fraction()))
    while True:
        gaussian = measurements.make_gaussian(*space, scale=scale)
        if Fraction(gaussian.map(1)) >= rho.as_fraction():
            return gaussian
        scale = math.nextafter(scale, 0.0)
