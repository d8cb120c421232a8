# SPDX-License-Identifier: Apache-2.0
"""The fingerprint of a public key, for those too who never load what signs."""

from __future__ import annotations

import base64
import hashlib


def fingerprint_of(blob: bytes) -> str:
    """OpenSSH's fingerprint of a public key in its wire format."""
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode("ascii")
    return f"SHA256:{digest.rstrip('=')}"
