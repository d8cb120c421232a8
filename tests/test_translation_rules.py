# SPDX-License-Identifier: Apache-2.0
"""Translation finds literals only: what a person reads is one, inside ``tr`` or ``translate``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dpdesk.desk
from tests import texts
from tests.desk_sentences import desk_sentences
from tests.source_files import nodes, syntax_tree

DESK = Path(dpdesk.desk.__file__).parent
FILES = sorted(DESK.rglob("*.py"))
SHOWS_ITS_FIRST = {
    "Label",
    "QAction",
    "QLabel",
    "danger",
    "heading",
    "link",
    "primary",
    "quiet",
    "secondary",
    "setAccessibleDescription",
    "setAccessibleName",
    "setPlaceholderText",
    "setText",
    "setTitle",
    "setToolTip",
    "setWindowTitle",
    "LineField",
    "TextField",
    "ChoiceField",
    "OptionCard",
    "Toggle",
    "Tab",
    "addMenu",
    "add_primary",
    "add_danger",
    "add_safe",
    "say",
    "set_error",
    "set_hint",
    "set_unit",
    "set_action",
    "start_progress",
}
SHOWS_A_KEYWORD = {"action", "explanation", "hint", "placeholder", "placeholderText", "unit"}
NAMES_OF_OURS = {"dpdesk"}


def calls(path: Path) -> Iterator[ast.Call]:
    for node in nodes(syntax_tree(path)):
        if isinstance(node, ast.Call):
            yield node


def called(node: ast.Call) -> str:
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(DESK).as_posix()}:{getattr(node, 'lineno', 0)}"


def is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def translated(path: Path) -> Iterator[tuple[ast.Call, list[ast.expr]]]:
    """Each translating call with the arguments that must be literals."""
    for node in calls(path):
        if called(node) == "tr":  # outside a class of Qt's with its context
            yield node, node.args[: 2 if isinstance(node.func, ast.Name) else 1]
        elif called(node) == "translate" and "QCoreApplication" in ast.unparse(node.func):
            yield node, node.args[:2]


def test_what_is_translated_stands_in_the_class_that_says_it() -> None:
    """Its class is its context: ``window.tr`` would be looked up among the window's."""
    for path in FILES:
        said = [node for node, _must in translated(path) if called(node) == "tr"]
        foreign = [where(path, n) for n in said if ast.unparse(n.func) not in ("self.tr", "tr")]
        assert not foreign
        contexts = [context for context, *_ in desk_sentences(syntax_tree(path))]
        assert all(texts.is_windows(context) for context in contexts), path


def plural_forms(text: str) -> bool:
    return "%n" in text or bool(re.search(r"\(\w*\|\w*\)|\(s\)", text))


def test_what_is_translated_is_a_literal() -> None:
    found = [(path, *one) for path in FILES for one in translated(path)]
    assert len(found) > 1_000
    for path, node, must in found:
        assert all(is_literal(a) for a in must), where(path, node)


def test_plural_texts_come_with_their_number() -> None:
    for path, node, must in ((file, *one) for file in FILES for one in translated(file)):
        if not must or not is_literal(must[-1]):
            continue
        text = must[-1].value  # type: ignore[attr-defined]
        count = len(node.args) - len(must)
        if plural_forms(text):
            assert "%n" in text, where(path, node)
            assert count == 2, where(path, node)
        else:
            assert count < 2, where(path, node)


def test_no_words_reach_the_screen_untranslated() -> None:
    for path, node in ((file, one) for file in FILES for one in calls(file)):
        shown: list[ast.expr] = []
        if called(node) in SHOWS_ITS_FIRST:
            shown += node.args[:1]
        shown += [k.value for k in node.keywords if k.arg in SHOWS_A_KEYWORD]
        for value in shown:
            for part in ast.walk(value):
                if isinstance(part, ast.Call) and called(part) in ("tr", "translate"):
                    break
            else:
                _without_words(path, value)


def _without_words(path: Path, value: ast.expr) -> None:
    texts = [value] if is_literal(value) else []
    if isinstance(value, ast.JoinedStr):
        texts = [v for v in value.values if isinstance(v, ast.Constant)]
    if isinstance(value, ast.IfExp):
        texts = [v for v in (value.body, value.orelse) if is_literal(v)]
    for text in texts:
        words = re.sub(r"<[^>]*>|\{\d*\}", "", str(text.value))  # type: ignore[attr-defined]
        assert words in NAMES_OF_OURS or not re.search(r"[A-Za-z]", words), where(path, value)
