# SPDX-License-Identifier: Apache-2.0
"""JSON as manifests may hold it."""

from __future__ import annotations

from typing import Any

from dpdesk.study.json.strict_json import parse_json, signed_rules

# Above the manifest of the largest release (see ``size``), three numbers of 20 signs a line, in the
# longest ledger, 200 signs an entry.
RULES = signed_rules(44_000_000, 1_000_000)


def parse_manifest(raw: bytes) -> Any:
    """Parse the bytes of a manifest.

    Raises:
        Refused: anything that a strict reader may not let pass; see ``parse_json``.
    """
    return parse_json(raw, RULES)
