# SPDX-License-Identifier: Apache-2.0
"""The one door through which noise comes. Nothing else imports OpenDP or opens an exact answer.

OpenDP does not enforce its domains when a measurement is invoked, reads environment variables
that can put another library in its place, and defaults to 32-bit integers. The door therefore
clears the variables before the import, uses 64-bit integers only, checks what goes in and out,
refuses every scale that is not finite and positive, and draws a whole vector in one call.

Claim: for a vector whose L1 distance between neighbours is at most ``sensitivity``, the drawn
vector is ``laplace_loss(sensitivity, scale)``-DP. Why: it is OpenDP's ``make_laplace`` on 64-bit
integers under the L1 distance, and the loss is what its own privacy map says, rounded up.
"""

from __future__ import annotations

import hashlib
import math
import os
from abc import ABC, abstractmethod
from fractions import Fraction
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.exact import Exact, Int64Vector, claim_opener
from dpdesk.study.amount import Delta, Rho

for _variable in [name for name in os.environ if name.upper().startswith("OPENDP_")]:
    del os.environ[_variable]
_backtrace = os.environ.get("RUST_BACKTRACE")

import opendp.prelude as dp  # noqa: E402 - only after the environment is clean

# The import switches backtraces on; a backtrace could carry values.
os.environ["RUST_BACKTRACE"] = "0" if _backtrace is None else _backtrace
dp.enable_features("contrib")

_open = claim_opener()

LIMIT = 2**62
"""Exact values beyond this are saturated before they reach the door."""

MAX_SCALE = 2.0**66
"""Above the scale of the dearest sum that a study can declare, at the smallest share."""


class DoorRefused(ValueError):
    """Something that must not be drawn. The message is fixed and holds no value."""


class Door(ABC):
    """One way to draw: checks the request, opens the exact answer, adds noise."""

    def draw(self, name: str, exact: Exact, sensitivity: int, scale: float) -> tuple[int, ...]:
        """Draw discrete Laplace noise on a whole vector, once.

        Args:
            name: which draw this is (query and part); public.
            exact: sealed exact answer, shape ``(cells,)``, in quanta.
            sensitivity: L1 sensitivity of the vector, in quanta, positive.
            scale: scale of the noise, in quanta, finite and positive.

        Returns:
            The noisy vector, one whole number a cell.

        Raises:
            DoorRefused: the scale or the sensitivity is not usable.
        """
        check_request(sensitivity, scale)
        if not isinstance(exact, Exact):
            raise DoorRefused("only a sealed exact answer can be drawn on")
        return self.add_noise(name, _open(exact), sensitivity, scale)

    @abstractmethod
    def add_noise(
        self, name: str, values: Int64Vector, sensitivity: int, scale: float
    ) -> tuple[int, ...]:
        """Add noise to opened values; tests put recorders, replayers and constants here."""


class OpenDPDoor(Door):
    """The door of every release."""

    def add_noise(
        self, name: str, values: Int64Vector, sensitivity: int, scale: float
    ) -> tuple[int, ...]:
        """Draw through OpenDP; see the claim at the head of the module."""
        if values.size == 0:
            raise DoorRefused("a draw has at least one cell")
        numbers = [int(v) for v in np.clip(values, -LIMIT, LIMIT)]
        measurement = _laplace(scale)
        if not measurement.input_domain.member(numbers):
            raise DoorRefused("the exact answer is not a vector of 64-bit integers")
        drawn = tuple(measurement(numbers))
        if len(drawn) != len(numbers) or not all(type(v) is int for v in drawn):
            raise DoorRefused("the noise library returned something else than integers")
        return drawn


def check_request(sensitivity: int, scale: float) -> None:
    """Refuse what must not be drawn.

    Raises:
        DoorRefused: sensitivity below one or beyond the saturated answers, a scale that is not
            finite and positive, one so small that hardly any noise would be left (loss above
            100), or one far beyond what 64-bit integers can carry.
    """
    if type(sensitivity) is not int or not 1 <= sensitivity <= LIMIT:
        raise DoorRefused("a sensitivity is a positive whole number of 64 bits")
    if type(scale) is not float or not math.isfinite(scale) or scale <= 0:
        raise DoorRefused("a scale is a finite positive number")
    if scale > MAX_SCALE:
        raise DoorRefused("the scale leaves nothing but noise")
    if sensitivity / scale > 101:
        raise DoorRefused("the scale leaves hardly any noise")


@lru_cache(maxsize=256)
def _laplace(scale: float) -> Any:
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    return dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=scale)


@lru_cache(maxsize=4096, typed=True)
def laplace_loss(sensitivity: int, scale: float) -> float:
    """Epsilon that OpenDP's own privacy map gives for a sensitivity and a scale.

    Raises:
        DoorRefused: see :func:`check_request`.
    """
    check_request(sensitivity, scale)
    return float(_laplace(scale).map(sensitivity))


def software() -> dict[str, str]:
    """Version of the noise library and SHA-256 of its native part."""
    return {"opendp": version("opendp"), "opendp_library_sha256": _library_digest()}


@lru_cache(maxsize=1)
def _library_digest() -> str:
    spec = find_spec("opendp")
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    found = [p for p in sorted(folder.rglob("*")) if p.suffix in (".so", ".pyd", ".dll", ".dylib")]
    digest = hashlib.sha256()
    for path in found:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


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
    return float(dp.c.make_zCDP_to_approxDP(_as_gaussian(rho)).map(1).epsilon(at))


def _as_gaussian(rho: Rho) -> Any:
    """A discrete Gaussian whose loss is rho, or the least bit more."""
    space = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
    scale = math.sqrt(0.5 / float(rho.as_fraction()))
    while True:
        gaussian = dp.m.make_gaussian(*space, scale=scale)
        if Fraction(gaussian.map(1)) >= rho.as_fraction():
            return gaussian
        scale = math.nextafter(scale, 0.0)
