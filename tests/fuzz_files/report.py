# SPDX-License-Identifier: Apache-2.0
"""What a run has shown, as a table; failing inputs kept, each with what makes it again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.fuzz_files.farm import Ended
from tests.fuzz_files.inputs import corpus, make_input

ENDS = ("table", "sentence", "exception", "context", "no-sentence", "noise", "leak", "crash",
        "nonsense", "hang", "memory")  # fmt: skip


class Report:
    """Collects how inputs ended.

    Attributes:
        faults: those that failed.
        codes: how often each refusal was given.
    """

    def __init__(self, seed: int, kept: Path) -> None:
        self.faults: list[Ended] = []
        self.codes: Counter[str] = Counter()
        self._seed = seed
        self._kept = kept
        self._counts: Counter[tuple[str, str]] = Counter()
        self._slowest = (0.0, -1)
        self._peak = 0

    def add(self, ended: Ended, corpus_folder: Path) -> None:
        """Take in an end; keep the input where it is a fault."""
        outcome = ended.outcome
        self._counts[outcome.format or "unknown", outcome.end] += 1
        self._slowest = max(self._slowest, (outcome.seconds, ended.number))
        self._peak = max(self._peak, ended.peak)
        if outcome.end == "sentence":
            self.codes.update(outcome.detail.split(", "))
        if outcome.is_fault:
            self.faults.append(ended)
            self._keep(ended, corpus_folder)

    def text(self) -> str:
        """The table, and what it cannot show."""
        ends = [end for end in ENDS if end in ENDS[:2] or any(e == end for _, e in self._counts)]
        formats = sorted({format for format, _ in self._counts})
        lines = ["format".ljust(10) + "".join(end.rjust(12) for end in ("inputs", *ends))]
        lines += [self._line(name, ends, [name]) for name in formats]
        lines.append(self._line("all", ends, formats))
        seconds, number = self._slowest
        lines.append(
            f"slowest: input {number}, {seconds:.2f} s; peak memory {self._peak >> 20} MiB"
        )
        lines += [f"{count:7} {code}" for code, count in self.codes.most_common()]
        if self.faults:
            lines.append(f"{len(self.faults)} inputs failed, kept in {self._kept}")
        return "\n".join(lines)

    def _line(self, name: str, ends: list[str], formats: list[str]) -> str:
        counts = [sum(self._counts[format, end] for format in formats) for end in ends]
        return name.ljust(10) + "".join(str(count).rjust(12) for count in (sum(counts), *counts))

    def _keep(self, ended: Ended, corpus_folder: Path) -> None:
        self._kept.mkdir(parents=True, exist_ok=True)
        given = make_input(self._seed, ended.number, corpus(corpus_folder))
        name = f"{ended.outcome.end}-{self._seed}-{ended.number}"
        (self._kept / f"{name}{given.suffix}").write_bytes(given.content)
        about = f"seed {self._seed}, input {ended.number}\n{ended.outcome}\n"
        (self._kept / f"{name}.txt").write_text(about, encoding="utf-8")
