# SPDX-License-Identifier: Apache-2.0
"""A released linear model is what numpy says, and a difference is seen."""

from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.publish import linear
from tests.acceptance.publish.comparisons import FILE


def test_a_release_without_noise_is_what_numpy_says(shared_data: Path) -> None:
    folder = (shared_data / FILE).parent
    assert list(linear.differing(folder)) == []
    with pytest.MonkeyPatch.context() as patch:
        real = linear.least_squares

        def other(explaining: Any, outcome: Any) -> Any:
            value, deviation = real(explaining, outcome)
            return value * 1.01, deviation

        patch.setattr(linear, "least_squares", other)
        assert any("num_medications" in text for text in linear.differing(folder))
