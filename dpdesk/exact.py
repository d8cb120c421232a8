# SPDX-License-Identifier: Apache-2.0
"""Exact answers, sealed: values that travel but cannot be looked at.

An exact answer may only meet the outside with noise on it. ``Exact`` therefore refuses to be
printed, compared, iterated, converted or serialised, and its content is handed to one opener
alone: the noise door, which claims it once when it is imported. A second claim fails, so no
other module can come by the content, neither by design nor by accident in a log line.

This module belongs to no room: ``data`` seals, ``privacy`` opens, and neither imports the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import numpy as np
import numpy.typing as npt

Int64Vector = npt.NDArray[np.int64]

_vault: dict[int, Int64Vector] = {}
_claimed = False


class ExactSealed(TypeError):
    """Something tried to look at an exact answer. The message never holds a value."""


class Exact:
    """One vector of exact int64 answers, shape ``(cells,)``, opened by the noise door only."""

    __slots__ = ("__weakref__",)

    def __init__(self, values: Int64Vector) -> None:
        if values.dtype != np.int64 or values.ndim != 1:
            raise ExactSealed("an exact answer is a one-dimensional int64 vector")
        _vault[id(self)] = values.copy()

    def __del__(self) -> None:
        _vault.pop(id(self), None)

    def __repr__(self) -> str:
        return "Exact(sealed)"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return "Exact(sealed)"

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise ExactSealed("an exact answer cannot be looked at, compared or stored")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __bool__ = __len__ = __iter__ = __getitem__ = _refuse
    __int__ = __float__ = __index__ = __array__ = __contains__ = _refuse
    __reduce__ = __reduce_ex__ = __getstate__ = __copy__ = __deepcopy__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse


def claim_opener() -> Callable[[Exact], Int64Vector]:
    """Hand out the one function that opens an :class:`Exact`; only the noise door calls this.

    Raises:
        ExactSealed: the opener has been claimed before.
    """
    global _claimed
    if _claimed:
        raise ExactSealed("the opener of exact answers has already been claimed")
    _claimed = True

    def open_exact(sealed: Exact) -> Int64Vector:
        return _vault[id(sealed)]

    return open_exact
