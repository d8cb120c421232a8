# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.acceptance prepare accuracy large annual publish engine``: against others."""

import sys

from tests.acceptance import engine, large, prepare, publish
from tests.acceptance.accuracy import beside_peers
from tests.acceptance.annual import report

PARTS = {
    "prepare": prepare.main,
    "accuracy": beside_peers.main,
    "large": large.main,
    "publish": publish.main,
    "annual": report.main,
    "engine": engine.main,
}


def main(arguments: list[str]) -> int:
    """Run the named parts, or all; 1 where one of them found a difference."""
    unknown = [name for name in arguments if name not in PARTS]
    if unknown:
        print(f"there is no part {unknown[0]}: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    return max([PARTS[name]() for name in arguments or PARTS])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
