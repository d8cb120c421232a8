# SPDX-License-Identifier: Apache-2.0
"""JSON as manifests may hold it.

ASCII only, no fraction or exponent: two readers cannot understand such a document in two ways.
"""

from __future__ import annotations

from typing import Any

from dpdesk.study.json.strict_json import JsonRules, no_number, parse_json, short_integer

RULES = JsonRules(
    # Above the manifest of the largest release (see ``size``), three numbers of 20 signs a line, in
    # the longest ledger, 200 signs an entry.
    size=44_000_000,
    depth=10,
    brackets=1_000_000,
    commas=1_000_000,
    encoding="ascii",
    has_whole_pairs=True,
    whole=short_integer,
    fraction=no_number,
)


def parse_manifest(raw: bytes) -> Any:
    """Parse the bytes of a manifest.

    Raises:
        Refused: anything that a strict reader may not let pass; see ``parse_json``.
    """
    return parse_json(raw, RULES)
