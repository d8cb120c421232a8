# SPDX-License-Identifier: Apache-2.0
"""The repository's own files, without what tools leave behind."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_LEFT_BEHIND = frozenset({"__pycache__", "build", "dist", "pictures", "node_modules"})
_HIDDEN_OURS = frozenset({".ci", ".gitignore", ".gitattributes", ".editorconfig"})
_TEXT = frozenset(
    {"", ".cfg", ".css", ".csv", ".dpdesk", ".html", ".json", ".lock", ".md", ".po", ".py", ".pyi"}
    | {".sh", ".svg", ".toml", ".ts", ".txt", ".xml", ".yaml", ".yml", ".desktop"}
)


def _ours(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        hidden = path.name.startswith(".") and path.name not in _HIDDEN_OURS
        if hidden or path.name in _LEFT_BEHIND or path.name.endswith(".egg-info"):
            continue
        if path.is_dir():
            yield from _ours(path)
        else:
            yield path


def text_files() -> list[Path]:
    """Every file that a person may read or write."""
    return [path for path in _ours(ROOT) if path.suffix in _TEXT]


def python_files(folder: str = ".") -> list[Path]:
    """Every Python file under a folder of the repository."""
    return [path for path in _ours(ROOT / folder) if path.suffix == ".py"]


def name_of(path: Path) -> str:
    """A file's name as people write it, for a test's message."""
    return path.relative_to(ROOT).as_posix()


@cache
def text_of(path: Path) -> str:
    """What a text file says, once for all rules that look for words in it."""
    return path.read_text(encoding="utf-8")


@cache
def syntax_tree(path: Path) -> ast.Module:
    """What a Python file parses to, once for all rules that walk it; nobody changes it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """What ``ast.walk`` goes through, once for all rules."""
    return tuple(ast.walk(tree))
