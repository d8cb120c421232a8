# SPDX-License-Identifier: Apache-2.0
"""What would fail on Windows and macOS alone, and can be seen from here.

`mypy --platform win32` sees more and takes longer: `packaging/test.py --audit` runs it.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdesk.release.bundle.signed_bundle import bundle_name
from tests.source_files import ROOT, name_of, nodes, python_files, syntax_tree

POSIX_MODULES = frozenset({"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"})
POSIX_NAMES = {
    "os": frozenset(
        [
            "O_ASYNC",
            "O_CLOEXEC",
            "O_DIRECTORY",
            "O_NOFOLLOW",
            "O_NONBLOCK",
            "WNOHANG",
            "chown",
            "fchmod",
            "fchown",
            "fork",
            "forkpty",
            "getegid",
            "geteuid",
            "getgid",
            "getgroups",
            "getloadavg",
            "getpgid",
            "getpgrp",
            "getuid",
            "initgroups",
            "killpg",
            "lchown",
            "mkfifo",
            "mknod",
            "nice",
            "openpty",
            "pread",
            "pwrite",
            "register_at_fork",
            "sched_getaffinity",
            "sched_setaffinity",
            "set_blocking",
            "setpgid",
            "setsid",
            "setuid",
            "statvfs",
            "sync",
            "sysconf",
            "uname",
            "wait",
            "wait3",
            "wait4",
            "waitpid",
        ]
    ),
    "signal": frozenset(
        [
            "SIGALRM",
            "SIGCHLD",
            "SIGHUP",
            "SIGKILL",
            "SIGPIPE",
            "SIGQUIT",
            "SIGUSR1",
            "SIGUSR2",
            "alarm",
            "pause",
            "pthread_kill",
            "pthread_sigmask",
            "setitimer",
            "sigwait",
        ]
    ),
    "socket": frozenset({"AF_UNIX"}),
    "time": frozenset({"tzset"}),
}
GUARDS = ("sys.platform", "os.name", "hasattr")


def is_guard(test: ast.expr) -> bool:
    return any(guard in ast.unparse(test) for guard in GUARDS)


def leaves(node: ast.stmt) -> bool:
    """Whether what follows is reached on one system only."""
    ends = (ast.Return, ast.Raise)
    return isinstance(node, ast.If) and is_guard(node.test) and isinstance(node.body[-1], ends)


def unguarded(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a tree that no question for the system stands before."""
    yield node
    for _, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.If | ast.IfExp) and is_guard(child.test):
                if isinstance(child, ast.If) and leaves(child):
                    break
                continue
            if isinstance(child, ast.AST):
                yield from unguarded(child)


def is_posix_only(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name in POSIX_MODULES for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        names = POSIX_NAMES.get(node.module or "", frozenset())
        return node.module in POSIX_MODULES or any(each.name in names for each in node.names)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.attr in POSIX_NAMES.get(node.value.id, ())
    return False


def posix_lines(tree: ast.AST) -> list[int]:
    """The lines that call for what Windows has not."""
    return [getattr(node, "lineno", 0) for node in unguarded(tree) if is_posix_only(node)]


def test_nothing_is_called_that_windows_has_not() -> None:
    files = python_files("dpdesk")
    found = [f"{name_of(each)}:{line}" for each in files for line in posix_lines(syntax_tree(each))]
    assert not found


@pytest.mark.parametrize(
    "code",
    [
        "import fcntl",
        "from termios import FIONREAD",
        "import os\ndef f():\n    os.set_blocking(0, False)",
        "import os\nif True:\n    os.getuid()",
        "import signal\nif x == 1:\n    pass\nsignal.alarm(1)",
        "from os import fork",
    ],
)
def test_a_call_that_windows_has_not_is_found(code: str) -> None:
    assert posix_lines(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        'import sys\nif sys.platform == "linux":\n    import fcntl',
        'import os\nif hasattr(os, "getuid"):\n    os.getuid()',
        'import os\ndef f():\n    if sys.platform == "win32":\n        return 1\n    os.fork()',
        'import os\nflag = getattr(os, "O_NONBLOCK", 0)',
        'import os, sys\nx = os.getuid() if sys.platform != "win32" else 0',
    ],
)
def test_a_guarded_call_is_not(code: str) -> None:
    assert not posix_lines(ast.parse(code))


def opens_text_unnamed(node: ast.AST) -> bool:
    """Whether a text is read or written in whatever encoding the machine likes."""
    # A member of an archive, which alone can be forced to 64 bits, is opened in bytes.
    named = {"encoding", "force_zip64"}
    if not isinstance(node, ast.Call) or any(each.arg in named for each in node.keywords):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in {"read_text", "write_text", "TextIOWrapper"}:
        return len(node.args) < (1 if name == "read_text" else 2)
    modes = [each.value for each in node.args if isinstance(each, ast.Constant)]
    modes += [each.value.value for each in node.keywords if is_mode(each)]
    text = any(isinstance(mode, str) and set(mode) <= set("rwaxt+") for mode in modes)
    return name in {"open", "fdopen"} and (text or isinstance(node.func, ast.Name))


def is_mode(keyword: ast.keyword) -> bool:
    return keyword.arg == "mode" and isinstance(keyword.value, ast.Constant)


def test_every_text_names_its_encoding() -> None:
    for path in python_files("dpdesk"):
        lines = [n.lineno for n in nodes(syntax_tree(path)) if opens_text_unnamed(n)]
        assert not lines, name_of(path)


@pytest.mark.parametrize(
    ("code", "caught"),
    [
        ("path.read_text()", True),
        ("path.write_text(text)", True),
        ("open(path)", True),
        ('path.open("a")', True),
        ('open(path, "w", encoding="utf-8")', False),
        ('path.open("rb")', False),
        ("ledger.open(home)", False),
        ('archive.open(name, "w", force_zip64=True)', False),
    ],
)
def test_a_text_without_an_encoding_is_found(code: str, caught: bool) -> None:
    assert opens_text_unnamed(ast.parse(code, mode="eval").body) == caught


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
@pytest.mark.in_turn(3)
def test_a_console_of_another_code_page_gets_sentences(encoding: str) -> None:
    """Signs that it has not become a question mark."""
    variables = {**os.environ, "PYTHONIOENCODING": encoding, "LC_ALL": "C", "PYTHONUTF8": "0"}
    study = str(ROOT / "resources" / "sample" / "sample.dpdesk")
    command = [sys.executable, "-m", "dpdesk", "plan", study]
    said = subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, check=False)
    assert (said.returncode, said.stderr) == (0, b"")
    assert "± 60".encode(encoding, errors="replace") in said.stdout


def test_a_start_without_a_console_says_nothing_and_ends(tmp_path: Path) -> None:
    """Windows gives a program of the start menu neither output nor input."""
    code = (
        "import sys; sys.stdin = sys.stdout = sys.stderr = None\n"
        "from dpdesk.cli import main\n"
        f"open({str(tmp_path / 'status')!r}, 'w').write(str(main(['plan', 'none.dpdesk'])))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "status").read_text() == "1"


RESERVED = ["con.txt", "nul", "aux.", "com1", "lpt9", "prn.zip"]


@pytest.mark.parametrize("title", ["a:b", "what?", "ward.", "ward ", 'a"b', "a\\b/c", *RESERVED])
def test_a_bundle_gets_a_name_that_windows_takes(title: str) -> None:
    name = bundle_name(title, 7)
    assert not set('<>:"/\\|?*') & set(name)
    assert not name.startswith(" ")
    stem = name.removesuffix(".zip")
    assert stem == stem.rstrip(". ")
    assert stem.split(".")[0].casefold() not in {each.split(".")[0] for each in RESERVED}


def test_no_file_of_the_repository_is_unnameable_on_windows() -> None:
    files = [path for path in (ROOT / "resources").rglob("*") if path.is_file()]
    for path in [*files, *python_files("dpdesk")]:
        assert not set('<>:"|?*\\') & set(name_of(path)), path
        assert path.stem.casefold() not in {"con", "prn", "aux", "nul"}
        # Below the folder where Windows keeps a user's programs: see packaging/wheelhouse.py.
        assert len(name_of(path)) <= 171 - len("dpdesk/")


def test_no_two_files_differ_by_case_alone() -> None:
    names = [name_of(path).casefold() for path in python_files("dpdesk")]
    assert len(names) == len(set(names))
