# SPDX-License-Identifier: Apache-2.0
"""Two hundred pairs of bundles of copied ledgers, and as many of honest ones.

python -m tests.forks [PAIRS]
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.forks.pairs import FARTHEST, Pair, pair

PAIRS, SEED = 200, 33


def main(arguments: list[str]) -> int:
    """Print what was noticed; 1 where a fork was not, or an honest ledger was suspected."""
    count = int(arguments[0]) if arguments else PAIRS
    rng = random.Random(SEED)
    wrong = 0
    for is_forked in (True, False):
        found = [_pair(rng, number % (FARTHEST + 1), is_forked) for number in range(count)]
        wrong += sum(not one.is_right for one in found)
        noticed = sum(one.is_noticed for one in found)
        said = "noticed" if is_forked else "suspected"
        kind = "of two copies" if is_forked else "of one ledger"
        print(f"{len(found)} pairs {kind}: {noticed} {said}; {_spread(found)}", flush=True)
    return 1 if wrong else 0


def _pair(rng: random.Random, distance: int, is_forked: bool) -> Pair:
    with TemporaryDirectory() as folder:
        return pair(Path(folder), rng, distance, is_forked=is_forked)


def _spread(found: list[Pair]) -> str:
    far = Counter(one.distance for one in found)
    distances = ", ".join(f"{distance}: {far[distance]}" for distance in sorted(far))
    same = sum(one.is_same_price for one in found)
    return f"distances {distances}; prices equal in {same}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
