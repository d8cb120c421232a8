# SPDX-License-Identifier: Apache-2.0
"""Planting a bug: one function of the real program is replaced for a while."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from dpdesk.privacy import compiler, sensitivity
from dpdesk.privacy.distributions import ratio

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Bug:
    """A bug that somebody could write.

    Attributes:
        name: what is wrong.
        proofs: the detectors that must each find it.
        plant: puts it into the program.
    """

    name: str
    proofs: tuple[str, ...]
    plant: Plant


def bug(bugs: list[Bug], name: str, *proofs: str) -> Callable[[Plant], Plant]:
    """List a function that plants a bug."""

    def listed(plant: Plant) -> Plant:
        bugs.append(Bug(name, proofs, plant))
        return plant

    return listed


@contextmanager
def planted(planting: Bug) -> Iterator[None]:
    """The program with the bug in it; nothing that was computed before or with it stays."""
    with pytest.MonkeyPatch.context() as patch:
        _forget()
        planting.plant(patch)
        try:
            yield
        finally:
            _forget()


def _forget() -> None:
    compiler._compile.cache_clear()
    sensitivity.rows_sensitivity.cache_clear()
    ratio.ratio_half_width.cache_clear()
