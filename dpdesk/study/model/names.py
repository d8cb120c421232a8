# SPDX-License-Identifier: Apache-2.0
"""What two names of columns have in common that mean the same column of a file."""

from __future__ import annotations

import unicodedata


def plain_name(text: str) -> str:
    """A name without needless white space, in Unicode's composed form."""
    return unicodedata.normalize("NFC", " ".join(text.split()))
