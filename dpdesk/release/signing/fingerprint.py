# SPDX-License-Identifier: Apache-2.0
"""The fingerprint of a public key, for those too who never load what signs."""

from __future__ import annotations

import base64
import hashlib

GROUP = 4
"""Digits that are read out together."""


def groups_of(fingerprint: str) -> tuple[str, ...]:
    """The digest behind ``SHA256:`` as sixteen groups of four hexadecimal digits."""
    text = fingerprint.removeprefix("SHA256:")
    digits = base64.b64decode(text + "=" * (-len(text) % 4)).hex()
    return tuple(digits[start : start + GROUP] for start in range(0, len(digits), GROUP))


def to_read_out(fingerprint: str) -> str:
    """The groups in two lines, as they are read out on the telephone."""
    groups = groups_of(fingerprint)
    half = len(groups) // 2
    return "\n".join((" ".join(groups[:half]), " ".join(groups[half:])))


def fingerprint_of(blob: bytes) -> str:
    """OpenSSH's fingerprint of a public key in its wire format."""
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode("ascii")
    return f"SHA256:{digest.rstrip('=')}"
