# SPDX-License-Identifier: Apache-2.0
"""The window's sentences, as they stand in the code: ``self.tr("…")`` and ``translate("…", "…")``.

The context of the first is the class it stands in, as Qt asks for it; of the second, what it says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

UNSAID = frozenset({"Language"})
"""In this context a translator says its language; there is nothing to translate."""
TRANSLATE = frozenset({"QCoreApplication.translate", "tr"})
"""``tr`` by itself is a short name for the first."""


def desk_sentences(tree: ast.AST, within: str = "") -> Iterator[tuple[str, str, str]]:
    """Each sentence as context, text and plural, which is the text itself where ``%n`` is in it.

    Args:
        tree: of a module, or a part of one.
        within: the class that the part stands in.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield from _said(node, within)
        inner = node.name if isinstance(node, ast.ClassDef) else within
        yield from desk_sentences(node, inner)


def _said(call: ast.Call, within: str) -> Iterator[tuple[str, str, str]]:
    if getattr(call.func, "attr", getattr(call.func, "id", "")) not in ("tr", "translate"):
        return
    literals = [part.value for part in call.args if _is_literal(part)]
    function = ast.unparse(call.func)
    if function == "self.tr":
        context, text = within, literals[0]
    elif function in TRANSLATE:
        context, text = literals[:2]
    else:
        return
    if context not in UNSAID:
        yield context, text, text if "%n" in text else ""


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
