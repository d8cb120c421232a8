# SPDX-License-Identifier: Apache-2.0
"""The desk's settings, typed: a fresh process reads every value of a QSettings as text.

Paths of study files are remembered where the user allows it; paths of data files never are.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRect, QSettings

from dpdesk.release.places.home import Home
from dpdesk.study.regular_file import is_special, real_path

SCHEMES = ("system", "light", "dark")
TEXT_SIZES = (100, 110, 120, 130)
"""Per cent of the size that the system has for texts."""
RECENT = 8
SIDES = 4
_CODE = re.compile(r"[A-Za-z_]{2,20}", re.ASCII)
_FORMS = {
    "look/scheme": "|".join(SCHEMES),
    "look/text": "|".join(map(str, TEXT_SIZES)),
    "look/language": _CODE.pattern,
    "look/less-motion": "(?i:true|false)",
    "recent/kept": "(?i:true|false)",
}
"""What the settings with few values can be; others are taken where they can be used."""
_WHOLE = re.compile(r"-?[0-9]{1,6}", re.ASCII)


class Settings:
    """Reads and writes ``settings.ini`` of a home.

    Attributes:
        unwritten: called where a choice could not be written; it holds until the program ends.
    """

    def __init__(self, home: Home) -> None:
        self._file = str(home.settings)
        self._store = self._opened()
        self.unwritten: Callable[[], None] = lambda: None

    @property
    def is_invalid(self) -> bool:
        """Whether the file is none of settings, or holds a value that none of them can have."""
        if self._store.status() is not QSettings.Status.NoError:
            return True
        keys = self._store.allKeys()
        # Every setting stands in a section; another version may have more of them.
        return not all("/" in key for key in keys) or any(
            re.fullmatch(form, str(self._store.value(key)), re.ASCII) is None
            for key, form in _FORMS.items()
            if key in keys
        )

    @property
    def scheme(self) -> str:
        """``system``, ``light`` or ``dark``."""
        value = str(self._store.value("look/scheme", "system"))
        return value if value in SCHEMES else "system"

    @scheme.setter
    def scheme(self, value: str) -> None:
        self._write("look/scheme", value)

    @property
    def text_size(self) -> int:
        """Per cent of the system's size of texts."""
        value = str(self._store.value("look/text", "100"))
        return int(value) if value in map(str, TEXT_SIZES) else 100

    @text_size.setter
    def text_size(self, value: int) -> None:
        self._write("look/text", str(value))

    @property
    def moves_less(self) -> bool | None:
        """Whether nothing is to glide; ``None`` where nobody chose."""
        value = str(self._store.value("look/less-motion", "")).lower()
        return value == "true" if value in ("true", "false") else None

    @moves_less.setter
    def moves_less(self, value: bool | None) -> None:
        self._write("look/less-motion", "true" if value else "false")

    @property
    def studies_folder(self) -> Path | None:
        """Where new studies are kept; ``None`` for the usual place."""
        return self._folder("folders/studies")

    @studies_folder.setter
    def studies_folder(self, value: Path | None) -> None:
        self._write("folders/studies", "" if value is None else str(value))

    @property
    def bundles_folder(self) -> Path | None:
        """Where bundles are proposed to go; ``None`` for ``Session.proposed_folder``."""
        return self._folder("folders/bundles")

    @bundles_folder.setter
    def bundles_folder(self, value: Path | None) -> None:
        self._write("folders/bundles", "" if value is None else str(value))

    def _folder(self, key: str) -> Path | None:
        text = str(self._store.value(key, "") or "")
        path = Path(text)
        return path if text and path.is_absolute() else None

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
            self.forget()

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
        own = real_path(path)
        kept = [own, *(p for p in self.recent if p != own)][:RECENT]
        self._write("recent/paths", "|".join(str(p) for p in kept))

    def template_of(self, path: Path) -> str:
        """The template that a recent study was begun for; empty for none."""
        return self._templates().get(str(real_path(path)), "")

    def keep_template(self, path: Path, name: str) -> None:
        """Remember for what a study was begun, as long as it is among the recent ones."""
        if not self.keeps_recent:
            return
        recent = {str(p) for p in self.recent}
        kept = {own: one for own, one in self._templates().items() if own in recent}
        named = {**kept, str(real_path(path)): name}
        self._write("recent/templates", "|".join(f"{one}:{own}" for own, one in named.items()))

    def _templates(self) -> dict[str, str]:
        text = str(self._store.value("recent/templates", ""))
        pairs = (line.partition(":") for line in text.split("|"))
        return {path: name for name, _, path in pairs if name and path}

    def forget(self) -> None:
        """Forget every recent study."""
        self._write("recent/paths", "")
        self._write("recent/templates", "")

    @property
    def tour_seen(self) -> bool:
        """Whether somebody has begun the tour."""
        return str(self._store.value("tour/seen", "false")).lower() == "true"

    @tour_seen.setter
    def tour_seen(self, value: bool) -> None:
        self._write("tour/seen", "true" if value else "false")

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

    def _opened(self) -> QSettings:
        """The file as it is now; where Qt would wait for ever, one that cannot be written."""
        lock = f"{self._file}.lock"
        path = self._file
        if is_special(Path(path)):
            path = f"{path}/unusable"
        elif os.path.lexists(lock) and not os.path.isfile(lock):
            path = f"{lock}/unusable"
        return QSettings(path, QSettings.Format.IniFormat)

    def _keep_private(self) -> None:
        """Names of studies are nobody else's; Qt keeps the mode that a file has."""
        with contextlib.suppress(OSError):
            if not is_special(Path(self._file)):
                os.close(os.open(self._file, os.O_WRONLY | os.O_CREAT, 0o600))
                os.chmod(self._file, 0o600)

    def _write(self, key: str, value: str) -> None:
        # A status stays. What was not written stays, too: Qt shares it among all of a file.
        self._keep_private()
        self._store = self._opened()
        self._store.setValue(key, value)
        self._store.sync()
        failed = self._store.status() is QSettings.Status.AccessError
        if failed and not key.startswith("window/"):  # written unasked
            self.unwritten()
