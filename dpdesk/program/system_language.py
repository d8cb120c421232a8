# SPDX-License-Identifier: Apache-2.0
"""The language that a person's system is set to, for commands; the window asks Qt.

As gettext does: ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` say whether and which, the list in
``LANGUAGE`` goes before them unless they say ``C``. Windows sets none of these and is asked itself.
"""

from __future__ import annotations

import locale
import os
import re
import sys
from collections.abc import Iterator

from dpdesk.catalogue import shipped_languages

_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
_NONE = frozenset({"C", "POSIX"})
_CODE = re.compile(r"([a-z]{2})(?![A-Za-z0-9])")


def system_language() -> str:
    """The first of the system's languages that there are sentences in; else English."""
    known = shipped_languages()
    return next((code for code in _codes() if code in known), known[0])


def _codes() -> Iterator[str]:
    named = next(filter(None, map(os.environ.get, _LOCALES)), None) or _windows_locale()
    if named.partition(".")[0] in _NONE:
        return
    for name in (*os.environ.get("LANGUAGE", "").split(":"), named):
        match = _CODE.match(name)
        if match is not None:
            yield match[1]


def _windows_locale() -> str:
    """What the user's Windows speaks; elsewhere nothing."""
    if sys.platform != "win32":
        return "C"
    import ctypes

    number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
    return locale.windows_locale.get(number, "C")
