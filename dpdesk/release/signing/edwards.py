# SPDX-License-Identifier: Apache-2.0
"""Whether 32 bytes are a sound Ed25519 public key: on the curve, canonical, of prime order.

Why: under a key of small order anybody can make signatures that the usual libraries accept, and
such a key looks like any other. Honest keys always pass. Nothing secret is computed here.
"""

from __future__ import annotations

from functools import lru_cache

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, P) % P
_ROOT = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z."""

_ZERO: Point = (0, 1, 1, 0)


@lru_cache(maxsize=64)
def is_sound_key(raw: bytes) -> bool:
    """True for the canonical encoding of a point of prime order.

    >>> is_sound_key(bytes([1]) + bytes(31))
    False
    """
    point = _decode(raw)
    return point is not None and not _is_zero(point) and _is_zero(_times(ORDER, point))


def _decode(raw: bytes) -> Point | None:
    if len(raw) != 32:
        return None
    number = int.from_bytes(raw, "little")
    y, parity = number % 2**255, number >> 255
    x = _x_of(y, parity) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def _x_of(y: int, parity: int) -> int | None:
    """The x with the given last bit (RFC 8032, 5.1.3), if the curve has one at this y."""
    square = (y * y - 1) * pow(_D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * _ROOT % P
    if x * x % P != square or (x == 0 and parity):
        return None
    return x if x % 2 == parity else P - x


def _add(a: Point, b: Point) -> Point:
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * _D % P
    h = 2 * a[2] * b[2] % P
    i, j, k, m = f - e, h - g, h + g, f + e
    return (i * j % P, k * m % P, j * k % P, i * m % P)


def _times(factor: int, point: Point) -> Point:
    total = _ZERO
    while factor:
        if factor & 1:
            total = _add(total, point)
        point = _add(point, point)
        factor >>= 1
    return total


def _is_zero(point: Point) -> bool:
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0
