# SPDX-License-Identifier: Apache-2.0
"""The fonts that the window is written in: its own, so that it looks the same on every computer.

Where a version of Inter is installed, Qt would mix its weights with ours and change how wide texts
are; so ours has a name of its own (``resources/fonts/Inter-LICENSE.txt``).
"""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase

from dpdesk.resources import resource_path

FILES = (
    "Inter-Regular.ttf",
    "Inter-SemiBold.ttf",
    "Inter-Bold.ttf",
    "DejaVuSans.ttf",
    "DejaVuSansMono.ttf",
)
_SPARE = "DejaVu Sans"
"""Has what Inter lacks; what neither has comes from the computer's own fonts."""
TEXT = ("dpdesk Inter", _SPARE)
MONO = ("DejaVu Sans Mono", _SPARE)
ELSEWHERE = "Inter, DejaVu Sans, sans-serif"
"""What a file asks for that is opened where our fonts are not."""


def load() -> None:
    """Have Qt know them; once is enough."""
    if TEXT[0] not in QFontDatabase.families():
        for name in FILES:
            QFontDatabase.addApplicationFont(str(resource_path(f"fonts/{name}")))


def take(font: QFont, families: tuple[str, ...]) -> None:
    """Write in these families from now on, as wide as on every other computer.

    A computer's own settings may round each letter to whole pixels; upright alone it does no harm.
    """
    font.setFamilies(families)
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
