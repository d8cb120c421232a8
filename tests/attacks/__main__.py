# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.attacks [--short] [--each]``: what becomes of hostile bundles (Linux, minutes).

Prints for each kind how many there were, how each was answered, the slowest and the largest, and
with ``--each`` a line a bundle with its sentence; then the single-byte changes, figures altered
before signing in every file of an annual report, and where dpdesk and ``ssh-keygen`` disagree. 1
where anything was accepted that may not be.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from dpdesk.release.bundle.signed_bundle import build
from dpdesk.shell.verify import UNJUDGED
from tests.acceptance.annual.report import released
from tests.attacks import changes
from tests.attacks.differential import (
    OTHER_SPELLINGS,
    Comparison,
    compare,
    spellings,
    unsigned_changes,
)
from tests.attacks.figures import each_figure
from tests.attacks.manifests import bad_manifests
from tests.attacks.stock import StockTools
from tests.attacks.trial import Answer, Verifier
from tests.attacks.zips import malicious_zips
from tests.release.bundles import KEY
from tests.release.hostile import hostile

Named = tuple[str, bytes]
SEED, HOSTILE, UNSIGNED, FIGURES = 411, 500, 2_000, 40
HEAD = f"{'':24}{'bundles':>9}{'refused':>9}{'good':>6}{'slowest':>10}{'most memory':>14}"


def main(arguments: list[str]) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks")
    parser.add_argument("--short", action="store_true", help="a slice of everything")
    parser.add_argument("--each", action="store_true", help="a line for each bundle")
    options = parser.parse_args(arguments)
    wrong = _answers(options.each, 100 if options.short else HOSTILE)
    wrong += _changes(2_003 if options.short else 1)
    wrong += _figures(options.each, 1 if options.short else FIGURES)
    wrong += _disagreements(UNSIGNED // 50 if options.short else UNSIGNED)
    print("wrong:", "; ".join(wrong) or "nothing")
    return 1 if wrong else 0


def _answers(is_each: bool, count: int) -> list[str]:
    kinds: dict[str, Callable[[], Iterable[Named]]] = {
        "malicious zips": malicious_zips,
        "bad manifests": bad_manifests,
        "hostile bundles": partial(hostile, SEED, count),
    }
    wrong = []
    with TemporaryDirectory() as folder, Verifier(Path(folder)) as verifier:
        empty = verifier.answer(b"")
        print(f"{'no bundle at all':42} {_cost(empty)}\n{HEAD}")
        for kind, bundles in kinds.items():
            answers = [(name, verifier.answer(raw)) for name, raw in bundles()]
            if is_each:
                for name, one in answers:
                    print(f"  {name[:40]:40} {_cost(one)}  {_sentence(one)}")
            print(_row(kind, [one for _, one in answers]), flush=True)
            wrong += [name for name, one in answers if not _is_right(kind, one)]
    return wrong


def _is_right(kind: str, one: Answer) -> bool:
    """Refused in words; what is changed at random may be what an honest signer could state."""
    return one.is_refused_in_words or (kind == "hostile bundles" and one.status in (0, UNJUDGED))


def _cost(one: Answer) -> str:
    return f"{one.seconds:6.2f} s {one.megabytes:5.0f} MB"


def _sentence(one: Answer) -> str:
    return (one.complaint or one.said).splitlines()[0]


def _row(kind: str, answers: list[Answer]) -> str:
    refused = sum(one.is_refused_in_words for one in answers)
    good = sum(one.status in (0, UNJUDGED) for one in answers)
    slowest = max(one.seconds for one in answers)
    largest = max(one.megabytes for one in answers)
    return f"{kind:24}{len(answers):9}{refused:9}{good:6}{slowest:8.2f} s{largest:11.0f} MB"


def _changes(step: int) -> list[str]:
    """Single bytes; most of a bundle are fonts."""
    raw = changes.newest()
    kinds = {
        f"{len(raw)} bytes, every value": changes.every_value(raw, 97 * step),
        f"{len(raw)} bytes, every bit": changes.every_bit(raw, step),
        f"{len(raw)} bytes, packed again": changes.every_content(raw, step),
    }
    for name, tried in kinds.items():
        print(f"{name:32} {tried.count:9} changes, not noticed: {len(tried.passed)}", flush=True)
    return [f"{name}: {tried.passed}" for name, tried in kinds.items() if tried.passed]


def _figures(is_each: bool, most: int) -> list[str]:
    """Tables, curves, rates, comparisons, made-up rows, a Table 1, and the documents about them."""
    with TemporaryDirectory() as folder:
        done = released(Path(folder))
    found = dict(each_figure(build(done.stored, done.chain, KEY), most))
    for name, tried in found.items():
        if is_each:
            print(f"  {name[:60]:60}{tried.count:6} altered, not noticed: {len(tried.passed)}")
    count = sum(tried.count for tried in found.values())
    unseen = sum(len(tried.passed) for tried in found.values())
    print(f"{f'figures of {len(found)} files, signed':32} {count:9} changes, not noticed: {unseen}")
    return [f"{name}: {tried.passed}" for name, tried in found.items() if tried.passed]


def _disagreements(count: int) -> list[str]:
    print(f"{'beside ssh-keygen':24}{'bundles':>9}{'both':>6}{'neither':>9}{'ours alone':>12}")
    kinds: dict[str, Iterable[Named]] = {
        "without the key": unsigned_changes(SEED, count),
        "other spellings": spellings(),
        "malicious zips": malicious_zips(),
        "bad manifests": bad_manifests(),
        "hostile bundles": hostile(SEED, min(count, HOSTILE)),
    }
    wrong = []
    with TemporaryDirectory() as folder:
        stock = StockTools(Path(folder))
        for kind, bundles in kinds.items():
            found = compare(bundles, stock)
            print(_compared(kind, found), flush=True)
            wrong += found.ours_alone
            if kind == "without the key":
                wrong += [
                    f"{kind}: {reason}" for reason in found.stock_alone.keys() - OTHER_SPELLINGS
                ]
    return wrong


def _compared(kind: str, found: Comparison) -> str:
    ours = len(found.ours_alone)
    row = f"{kind:24}{found.count:9}{found.both:6}{found.neither:9}{ours:12}"
    reasons = ", ".join(f"{code} {n}" for code, n in found.stock_alone.most_common())
    return f"{row}  the stock tools alone: {reasons or 'none'}"


if __name__ == "__main__":
    if os.name != "posix":
        sys.exit("This needs fork.")
    sys.exit(main(sys.argv[1:]))
