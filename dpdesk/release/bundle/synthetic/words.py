# SPDX-License-Identifier: Apache-2.0
"""What is said of synthetic rows wherever they are named."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template

SYNTHETIC: Final[Template] = "Synthetic rows"
MADE_UP_ROWS: Final[Template] = (
    "Made up for trying out code and forms; no row is a person's. They keep the counts by group of "
    "this release as nearly as whole rows can, and nothing else: whatever those counts do not say "
    "of the columns together is chance. They were made from the released counts alone, cost "
    "nothing, and are no basis for results."
)
