# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.walks`` runs five acts and prints the functions that each passes through.

An act is easy to follow when its walk is short and only goes forward. For each it prints

- ``functions`` and ``modules``: how many different ones are passed through, and ``calls`` of them;
- ``returns``: how often the next call is in a module that the walk had left before;
- ``call-backs``: how often a module is called while it waits for the module that calls it.

Below stand the modules in the order in which they are first entered, each with its functions in
the same order. ``python -m tests.walks edit`` walks one act; with ``--steps`` it prints each call,
indented below its caller. Comprehensions and lambdas are not counted.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any, NamedTuple

import dpdesk

HOME = os.path.dirname(dpdesk.__file__) + os.sep


class Step(NamedTuple):
    """A call, and the modules that wait for it, the caller's last."""

    module: str
    function: str
    waiting: tuple[str, ...]


@dataclass(frozen=True)
class Walk:
    """The calls of an act, in order."""

    steps: tuple[Step, ...]

    @property
    def functions(self) -> dict[str, Counter[str]]:
        """By module, its functions with the number of their calls; in order of first passage."""
        found: dict[str, Counter[str]] = {}
        for step in self.steps:
            found.setdefault(step.module, Counter())[step.function] += 1
        return found

    @property
    def returns(self) -> Counter[str]:
        """How often the walk goes back to a module that it had left, by module."""
        found, left = Counter[str](), set[str]()
        for before, step in pairwise(self.steps):
            if step.module != before.module:
                left.add(before.module)
                found[step.module] += step.module in left
        return +found

    @property
    def call_backs(self) -> Counter[str]:
        """How often a module is called by one that it waits for, by pair of modules."""
        return Counter(
            f"{step.waiting[-1]} -> {step.module}"
            for step in self.steps
            if step.module in step.waiting and step.waiting[-1] != step.module
        )

    def summary(self) -> str:
        """The figures of the walk, in one line."""
        by_module = self.functions
        return (
            f"functions {sum(map(len, by_module.values()))}, modules {len(by_module)}, "
            f"calls {len(self.steps)}, returns {self.returns.total()}, "
            f"call-backs {self.call_backs.total()}"
        )


def walked(act: Callable[[], object]) -> Walk:
    """Run an act and note each call of the program's own functions, in all threads it starts."""
    steps: list[Step] = []

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and _is_own(frame.f_code) and not _is_resumed(frame):
            steps.append(_step(frame))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return Walk(tuple(steps))


def _is_own(code: CodeType) -> bool:
    """Whether it is a function of the program: no class body, comprehension or lambda."""
    is_function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
    return bool(is_function) and code.co_filename.startswith(HOME)


def _is_resumed(frame: FrameType) -> bool:
    """Whether a generator goes on: its RESUME instruction says after what, 0 for its beginning."""
    is_generator = bool(frame.f_code.co_flags & inspect.CO_GENERATOR)
    return is_generator and frame.f_code.co_code[frame.f_lasti + 1] != 0


def _step(frame: FrameType) -> Step:
    waiting, caller = [], frame.f_back
    while caller is not None:
        if caller.f_code.co_filename.startswith(HOME):
            waiting.append(_module(caller.f_code))
        caller = caller.f_back
    name = frame.f_code.co_qualname.replace(".<locals>", "")
    return Step(_module(frame.f_code), name, tuple(reversed(waiting)))


def _module(code: CodeType) -> str:
    path = code.co_filename.removeprefix(HOME).removesuffix(".py").removesuffix("__init__")
    return path.rstrip(os.sep).replace(os.sep, ".")


@contextmanager
def _cell(folder: Path) -> Iterator[Callable[[], Any]]:
    """One cell of a CSV file, from its bytes to its code."""
    from dpdesk.data.encode import encode
    from tests.release.studies import STUDY

    (folder / "one.csv").write_text("days\n3.5\n", encoding="utf-8")
    source = replace(STUDY.data, path="one.csv") if STUDY.data else None
    study = replace(STUDY, data=source, unit=None, columns=STUDY.columns[:1], queries=())
    yield lambda: encode(study, folder)


@contextmanager
def _edit(folder: Path) -> Iterator[Callable[[], Any]]:
    """One key pressed in a query's share, until gauge and pages show it."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from dpdesk.desk.app import application, make_window
    from dpdesk.desk.pages.queries.page import QueriesPage
    from dpdesk.desk.widgets.budget.gauge import BudgetGauge
    from dpdesk.release.places.home import Home
    from tests.desk.conftest import save_with_account
    from tests.desk.screens import settle, wait_until
    from tests.release.studies import STUDY, write_data

    write_data(folder)
    home = Home.at(folder / "home")
    window = make_window(application(), home)
    window.show()
    window.opening.open_any(save_with_account(STUDY, folder / "stays.dpdesk", home))
    window.go_to("queries")
    wait_until(lambda: not window.session.file.is_looking)
    settle()
    page, gauge = window.pages["queries"], window.findChild(BudgetGauge)
    assert isinstance(page, QueriesPage) and gauge is not None
    field, before = page.card(page.selected).accuracy.share.edit, gauge.parts.planned

    def press() -> None:
        QTest.keyClick(field, Qt.Key.Key_Up)
        assert gauge.parts.planned > before

    yield press
    window.session.document.save()
    window.session.jobs.stop()
    window.close()


@contextmanager
def _charge(folder: Path) -> Iterator[Callable[[], Any]]:
    """One query released and paid for: plan, file, noise, ledger."""
    from dpdesk.privacy.noise.door import OpenDPDoor
    from dpdesk.release.ledger import Ledger
    from dpdesk.release.places.home import Home
    from dpdesk.study.model.amount import Epsilon
    from tests.release.studies import one_query, release, write_data

    write_data(folder)
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of(1))
    yield lambda: release(one_query(), folder, ledger, OpenDPDoor())


@contextmanager
def _verification(_folder: Path) -> Iterator[Callable[[], Any]]:
    """One bundle of three queries verified."""
    from dpdesk.release.verify.verification import verify
    from tests.release.bundles import KNOWN, bundle

    raw = bundle()

    def check() -> None:
        assert verify(raw, KNOWN).is_good

    yield check


@contextmanager
def _answer(folder: Path) -> Iterator[Callable[[], Any]]:
    """One exact answer: the sum of a column under a condition, in each declared group."""
    from dpdesk.data.aggregation.aggregate import measure
    from dpdesk.data.encode import encode
    from dpdesk.privacy import compiler
    from tests.release.studies import STUDY, write_data

    write_data(folder)
    asked = compiler.compile(STUDY).queries[-1].parts[0].measure
    table = encode(STUDY, folder)
    yield lambda: measure(table, STUDY, asked)


ACTS = {
    "cell": _cell,
    "edit": _edit,
    "charge": _charge,
    "verification": _verification,
    "answer": _answer,
}


def walk(name: str) -> Walk:
    """The walk of an act of that name, in a folder of its own."""
    with TemporaryDirectory() as folder, ACTS[name](Path(folder)) as act:
        return walked(act)


def lines(name: str, found: Walk, with_steps: bool = False) -> Iterable[str]:
    """A walk as it is printed."""
    yield f"{name}: {inspect.getdoc(ACTS[name])}"
    yield f"  {found.summary()}"
    if with_steps:
        for step in found.steps:
            yield f"{'  ' * (2 + len(step.waiting))}{step.module}: {step.function}"
        return
    for title, counted in (("returns to", found.returns), ("call-backs", found.call_backs)):
        if counted:
            yield f"  {title}: " + ", ".join(f"{key} x{n}" for key, n in counted.most_common(5))
    for module, functions in found.functions.items():
        yield f"    {module}: " + ", ".join(
            name if n == 1 else f"{name} x{n}" for name, n in functions.items()
        )


if __name__ == "__main__":
    names = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    for name in names:
        print("\n".join(lines(name, walk(name), "--steps" in sys.argv)), end="\n\n")
    # What an act leaves in caches would shorten the next one's walk.
    for name in ACTS if not names else ():
        subprocess.run([sys.executable, "-m", "tests.walks", *sys.argv[1:], name], check=True)
