# SPDX-License-Identifier: Apache-2.0
"""Exact answers, sealed: values that travel but cannot be looked at.

An exact answer may only meet the outside with noise on it. ``Exact`` therefore refuses to be
printed, compared, iterated, converted or serialised, and its content is handed to one opener
alone: the noise door, which claims it once when it is imported. A second claim fails, so no
other module can come by the content, neither by design nor by accident in a log line.

``ExactTexts`` does the same for texts of the data with how many people have each: the door gives
out those alone whose noisy count is high enough.

This module belongs to no room: ``data`` seals, ``privacy`` opens, and neither imports the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt

Int64Vector = npt.NDArray[np.int64]

TextCounts = tuple[tuple[str, ...], Int64Vector]
"""Texts, and for each how many people have it."""

_vault: dict[int, Int64Vector] = {}
_text_vault: dict[int, TextCounts] = {}
_claimed: set[str] = set()


class ExactSealed(TypeError):
    """Something tried to look at an exact answer. The message never holds a value."""


class _Sealed:
    """What travels and cannot be looked at."""

    __slots__ = ("__weakref__",)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(sealed)"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise ExactSealed("an exact answer cannot be looked at, compared or stored")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __bool__ = __len__ = __iter__ = __getitem__ = _refuse
    __int__ = __float__ = __index__ = __array__ = __contains__ = _refuse
    __reduce__ = __reduce_ex__ = __getstate__ = __copy__ = __deepcopy__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse


class Exact(_Sealed):
    """One vector of exact int64 answers, shape ``(cells,)``, opened by the noise door only."""

    __slots__ = ()

    def __init__(self, values: Int64Vector) -> None:
        if values.dtype != np.int64 or values.ndim != 1:
            raise ExactSealed("an exact answer is a one-dimensional int64 vector")
        _vault[id(self)] = values.copy()

    def __del__(self) -> None:
        _vault.pop(id(self), None)


class ExactTexts(_Sealed):
    """Different texts that stand in the data, each with its count, opened by the door only.

    A text that nobody has must not be among them: that it is there at all is one person's secret.
    """

    __slots__ = ()

    def __init__(self, texts: Sequence[str], counts: Int64Vector) -> None:
        if counts.dtype != np.int64 or counts.shape != (len(texts),):
            raise ExactSealed("each text has one int64 count")
        if len(set(texts)) < len(texts) or (counts < 1).any():
            raise ExactSealed("each text stands once, and somebody has it")
        _text_vault[id(self)] = (tuple(texts), counts.copy())

    def __del__(self) -> None:
        _text_vault.pop(id(self), None)


def claim_opener() -> Callable[[Exact], Int64Vector]:
    """Hand out the one function that opens an :class:`Exact`; only the noise door calls this.

    Raises:
        ExactSealed: the opener has been claimed before.
    """
    _claim("answers")

    def open_exact(sealed: Exact) -> Int64Vector:
        return _vault[id(sealed)]

    return open_exact


def claim_texts_opener() -> Callable[[ExactTexts], TextCounts]:
    """Hand out the one function that opens :class:`ExactTexts`; only the noise door calls this.

    Raises:
        ExactSealed: the opener has been claimed before.
    """
    _claim("texts")

    def open_texts(sealed: ExactTexts) -> TextCounts:
        return _text_vault[id(sealed)]

    return open_texts


def _claim(what: str) -> None:
    if what in _claimed:
        raise ExactSealed(f"the opener of exact {what} has already been claimed")
    _claimed.add(what)
