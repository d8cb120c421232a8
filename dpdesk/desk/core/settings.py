# SPDX-License-Identifier: Apache-2.0
"""The desk's settings, typed: a fresh process reads every value of a QSettings as text.

Paths of study files are remembered where the user allows it; paths of data files never are.
"""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QRect, QSettings

from dpdesk.release.home import Home

SCHEMES = ("system", "light", "dark")
RECENT = 8
SIDES = 4
_CODE = re.compile(r"[A-Za-z_]{2,20}", re.ASCII)
_WHOLE = re.compile(r"-?[0-9]{1,6}", re.ASCII)


class Settings:
    """Reads and writes ``settings.ini`` of a home."""

    def __init__(self, home: Home) -> None:
        self._store = QSettings(str(home.settings), QSettings.Format.IniFormat)

    @property
    def scheme(self) -> str:
        """``system``, ``light`` or ``dark``."""
        value = str(self._store.value("look/scheme", "system"))
        return value if value in SCHEMES else "system"

    @scheme.setter
    def scheme(self, value: str) -> None:
        self._write("look/scheme", value)

    @property
    def language(self) -> str:
        """``system``, or the code of the language chosen, which may be shipped no more."""
        value = str(self._store.value("look/language", "system"))
        return value if _CODE.fullmatch(value) else "system"

    @language.setter
    def language(self, value: str) -> None:
        self._write("look/language", value)

    @property
    def keeps_recent(self) -> bool:
        """Whether opened studies are remembered."""
        return str(self._store.value("recent/kept", "true")).lower() == "true"

    @keeps_recent.setter
    def keeps_recent(self, value: bool) -> None:
        self._write("recent/kept", "true" if value else "false")
        if not value:
            self._write("recent/paths", "")

    @property
    def recent(self) -> tuple[Path, ...]:
        """Study files that were opened, newest first; those that are gone are left out."""
        text = str(self._store.value("recent/paths", ""))
        paths = (Path(line) for line in text.split("|") if line)
        return tuple(p for p in paths if p.is_file())

    def remember(self, path: Path) -> None:
        """Put a study file first among the recent ones."""
        if not self.keeps_recent:
            return
        own = path.resolve()
        kept = [own, *(p for p in self.recent if p != own)][:RECENT]
        self._write("recent/paths", "|".join(str(p) for p in kept))

    def forget(self) -> None:
        """Forget every recent study."""
        self._write("recent/paths", "")

    @property
    def place(self) -> QRect:
        """The window's place and size, without its frame; empty at the first start."""
        text = str(self._store.value("window/place", ""))
        sides = [int(side) for side in text.split(" ") if _WHOLE.fullmatch(side)]
        return QRect(*sides) if len(sides) == SIDES else QRect()

    @place.setter
    def place(self, value: QRect) -> None:
        sides = (value.x(), value.y(), value.width(), value.height())
        self._write("window/place", " ".join(str(side) for side in sides))

    @property
    def is_maximised(self) -> bool:
        """Whether the window filled the screen."""
        return str(self._store.value("window/maximised", "false")).lower() == "true"

    @is_maximised.setter
    def is_maximised(self, value: bool) -> None:
        self._write("window/maximised", "true" if value else "false")

    def _write(self, key: str, value: str) -> None:
        self._store.setValue(key, value)
        self._store.sync()
