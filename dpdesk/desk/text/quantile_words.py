# SPDX-License-Identifier: Apache-2.0
"""What the figures beside a box are called."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.text import words

QUARTILES = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))


def heads(quantiles: Sequence[Decimal]) -> tuple[str, str]:
    """Of the figure in the middle, and of the two where a box begins and ends.

    Args:
        quantiles: three, rising.
    """
    if tuple(quantiles) == QUARTILES:
        return (
            QCoreApplication.translate("QuantileWords", "Median"),
            QCoreApplication.translate("QuantileWords", "Quartiles"),
        )
    first, middle, last = (words.figure(float(one)) for one in quantiles)
    template = QCoreApplication.translate("QuantileWords", "{0} to {1}")
    return middle, template.format(first, last)
