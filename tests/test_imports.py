# SPDX-License-Identifier: Apache-2.0
"""Who may import what, read off the syntax: late and conditional imports count too."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.source_files import ROOT, name_of, nodes, python_files, syntax_tree

WINDOWS = frozenset({"PySide6", "pyqtgraph", "shiboken6"})
NETWORK = frozenset(
    {"aiohttp", "asyncio", "ftplib", "http", "httpx", "imaplib", "poplib", "requests", "select"}
    | {"selectors", "smtplib", "socket", "socketserver", "ssl", "telnetlib", "urllib", "urllib3"}
    | {"webbrowser", "xmlrpc"}
)
RANDOM = frozenset({"random", "scipy"})
UNSAFE = frozenset({"dill", "marshal", "pickle", "shelve", "yaml"})
RUNS_TEXT = frozenset({"eval", "exec", "compile", "__import__"})

OPENDP_MAKERS = frozenset(
    {"make_gaussian", "make_laplace", "make_noisy_max", "make_noisy_top_k"}
    | {"make_pureDP_to_zCDP", "make_randomized_response_bool", "make_zCDP_to_approxDP"}
)
STRICT_JSON = "dpdesk/study/json/strict_json.py"
OWN_JSON = frozenset(
    {
        "dpdesk/catalogue.py",  # the strings of our translations
        "dpdesk/data/reader_process/messages.py",  # checked member by member by its caller
        "dpdesk/release/ledger/heads.py",  # the second record, checked against the ledger
        "dpdesk/release/ledger/payloads.py",  # entries, sealed by the chain
        "dpdesk/study/suggest/categories.py",  # a resource that comes along
        "dpdesk/study/suggest/code_lists.py",  # a resource that comes along
    }
)


class Use(NamedTuple):
    """A name that a source uses, and where."""

    name: str
    line: int


def imported(tree: ast.AST) -> list[Use]:
    """Every imported module, with what is taken from it: `PySide6.QtNetwork`."""
    uses = []
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            uses += [Use(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            uses += [Use(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return uses


def rooms_broken(name: str, tree: ast.AST) -> list[str]:
    """Imports that a file of that name may not make."""
    banned = NETWORK | RANDOM | UNSAFE
    if not name.startswith("dpdesk/desk/"):
        banned |= WINDOWS
    if name != "dpdesk/privacy/noise/door.py":
        banned |= {"opendp"}
    return [
        f"{name}:{use.line} {use.name}"
        for use in imported(tree)
        if use.name.split(".")[0] in banned
        or use.name.startswith(("numpy.random", "PySide6.QtNetwork", "PySide6.QtWeb"))
    ]


def runs_text(name: str, tree: ast.AST) -> list[str]:
    """Calls that run text as code, and numpy's generators."""
    calls = [
        (node.func.id, node.lineno)
        for node in nodes(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    generators = [
        (f"{node.value.id}.random", node.lineno)
        for node in nodes(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "random"
        and isinstance(node.value, ast.Name)
        and node.value.id in ("np", "numpy")
    ]
    found = [(what, line) for what, line in calls if what in RUNS_TEXT] + generators
    return [f"{name}:{line} {what}" for what, line in found]


@cache
def trees() -> list[tuple[str, ast.AST]]:
    return [(name_of(path), syntax_tree(path)) for path in python_files("dpdesk")]


@pytest.mark.threat("F9", "H4")
def test_every_room_keeps_to_its_imports() -> None:
    assert not [place for name, tree in trees() for place in rooms_broken(name, tree)]


@pytest.mark.threat("A1", "A7")
def test_nothing_runs_text_or_draws_its_own_randomness() -> None:
    assert not [place for name, tree in trees() for place in runs_text(name, tree)]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("dpdesk/study/model/unit.py", "from PySide6.QtCore import QObject"),
        ("dpdesk/cli.py", "def start():\n    import pyqtgraph"),
        ("dpdesk/privacy/plan.py", "import opendp.prelude as dp"),
        ("dpdesk/desk/main_window/window.py", "from PySide6 import QtNetwork"),
        ("dpdesk/desk/main_window/window.py", "import socket"),
        ("dpdesk/privacy/noise/door.py", "from numpy.random import default_rng"),
        ("dpdesk/data/bound.py", "import random"),
        ("dpdesk/release/ledger.py", "import pickle"),
        ("dpdesk/data/files/cells.py", "from urllib.request import urlopen"),
    ],
)
def test_a_forbidden_import_is_caught(name: str, source: str) -> None:
    assert rooms_broken(name, ast.parse(source))


@pytest.mark.parametrize("source", ["eval('1')", "exec(text)", "rng = np.random.default_rng()"])
def test_text_that_is_run_is_caught(source: str) -> None:
    assert runs_text("dpdesk/cli.py", ast.parse(source))


@pytest.mark.threat("H4")
def test_of_the_noise_library_a_few_functions_are_called() -> None:
    door = dict(trees())["dpdesk/privacy/noise/door.py"]
    named = {n.attr for n in ast.walk(door) if isinstance(n, ast.Attribute)}
    assert {name for name in named if name.startswith(("make_", "then_"))} == OPENDP_MAKERS
    modules = {use.name.removeprefix("opendp.") for use in imported(door) if "opendp" in use.name}
    spaces = {"combinators", "domains", "measurements", "measures", "metrics"}
    assert modules == spaces | {"mod.enable_features"}


@pytest.mark.threat("G7")
def test_what_others_wrote_is_read_as_json_by_the_strict_reader_alone() -> None:
    readers = {
        name
        for name, tree in trees()
        for node in nodes(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("json.load", "json.loads")
    }
    assert readers == {STRICT_JSON} | OWN_JSON


def test_qt_may_run_its_loop() -> None:
    assert not runs_text("dpdesk/desk/main_window/window.py", ast.parse("application.exec()"))


def contracts_kept(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package that lies in a folder."""
    code = "import sys; from importlinter.cli import lint_imports as lint; sys.exit(lint())"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )


def test_the_import_contracts_are_kept() -> None:
    checked = contracts_kept(ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr
