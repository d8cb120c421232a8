# SPDX-License-Identifier: Apache-2.0
"""Bring the translation files of ``resources/texts`` up to date with the sentences in the code.

What the code says is found in its syntax (see ``dpdesk/catalogue.py``; the window's sentences in
``tests/desk_sentences.py``). The window's stand after the others, by the class that says them.
New sentences come without a translation; a changed one keeps the old translation, marked as fuzzy,
so that it is not shown before somebody has revised it; what nobody says any more goes. Where git
could not merge two sides of a file, it is made of both.
"""

from __future__ import annotations

import ast
import difflib
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from dpdesk.catalogue import Translation, read_entries
from tests.desk_sentences import desk_sentences
from tests.source_files import ROOT, syntax_tree

FOLDER = ROOT / "resources" / "texts"
DESK = ROOT / "dpdesk" / "desk"
HEAD = "# Every sentence that people read; tests/texts.py brings this file up to date.\n"
SAY = "say"
"""What says a sentence is called so, or begins so."""
CONTEXTS = {"Template": "", "TitleWord": "title", "UnitWord": "unit", "SampleWord": "sample"}
"""What the types of the catalogue say of a constant's texts."""
_FORMS = re.compile(r"nplurals=([1-9])")
_ALIKE = 0.75
"""So alike, by ``difflib``, are two wordings of one sentence."""


class Source(NamedTuple):
    """A sentence that the code says."""

    context: str
    text: str
    plural: str = ""


class NotALiteral(Exception):
    """A sentence that is put together where it is said, so that nobody can translate it."""


@cache
def collect() -> dict[Source, list[str]]:
    """Every sentence of the program, with the files that say it."""
    places: dict[Source, list[str]] = {}
    for path in sorted((ROOT / "dpdesk").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for source in _of_file(path):
            named = places.setdefault(source, [])
            if name not in named:
                named.append(name)
    return places


def _of_file(path: Path) -> Iterator[Source]:
    if path.is_relative_to(DESK):
        yield from (Source(*sentence) for sentence in desk_sentences(syntax_tree(path)))
    else:
        yield from sources(path.read_text(encoding="utf-8"))


def is_windows(context: str) -> bool:
    """Whether a context is a class of the window: the others are words in small letters."""
    return context[:1].isupper()


def sources(code: str) -> Iterator[Source]:
    """The sentences of one module.

    Raises:
        NotALiteral: a sentence is neither a literal nor a declared constant.
    """
    if not any(word in code for word in (SAY, *CONTEXTS)):
        return  # most modules say nothing; to walk their trees took seconds
    lines = code.splitlines()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef):
            if not any(SAY in line for line in lines[node.lineno - 1 : node.end_lineno]):
                continue
            names = _named(node)
            calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
            yield from (source for call in calls for source in _said(call, names))
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _declared(node.annotation, node.value)


def _named(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """What is assigned to each name of a function; of a loop's name, what the loop goes over."""
    names: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            _assign(names, node.targets[0], node.value)
        elif isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name):
            _assign(names, node.target, node.iter)
    return names


def _assign(names: dict[str, list[ast.expr]], target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, ast.Name):
        names.setdefault(target.id, []).append(value)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for part, its_value in zip(target.elts, value.elts, strict=False):
            _assign(names, part, its_value)


def _declared(annotation: ast.expr, value: ast.expr) -> Iterator[Source]:
    """The texts of a constant whose annotation says that it holds sentences."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name) and node.id in CONTEXTS:
            yield from (Source(CONTEXTS[node.id], text) for text in _texts(value))


def _said(call: ast.Call, names: dict[str, list[ast.expr]]) -> Iterator[Source]:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == SAY and call.args:
        yield from (Source("", text) for text in _sentences(call.args[0], names))
    elif name == "say_count":
        one, many = (_sentences(argument, names) for argument in call.args[1:3])
        yield from (Source("", *forms) for forms in zip(one, many, strict=True))
    elif name == "say_word":
        context, word = map(_literal, call.args)
        if context is not None and word is not None:
            yield Source(context, word)


def _sentences(node: ast.expr, names: dict[str, list[ast.expr]]) -> list[str]:
    """The literals that may be said, by their names too.

    A declared constant, or a place in a table of them, stands for sentences found elsewhere.
    """
    text = _literal(node)
    if text is not None:
        return [text]
    if isinstance(node, ast.IfExp):
        return [*_sentences(node.body, names), *_sentences(node.orelse, names)]
    if isinstance(node, ast.Name) and not node.id.isupper():
        values = names.get(node.id)
        if not values:
            raise NotALiteral(ast.unparse(node))
        return [text for value in values for text in _sentences(value, names)]
    if not any(name.strip("_").isupper() for name in _names_in(node)):
        raise NotALiteral(ast.unparse(node))
    return []


def _names_in(node: ast.expr) -> Iterator[str]:
    for part in ast.walk(node):
        yield str(getattr(part, "attr", getattr(part, "id", "")))


def _literal(node: ast.expr) -> str | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else None


def _texts(node: ast.expr) -> Iterator[str]:
    """The texts of a literal; of a table, its values."""
    if isinstance(node, ast.Dict):
        parts: Iterable[ast.expr] = node.values
    else:
        parts = getattr(node, "elts", ())
    for part in parts:
        yield from _texts(part)
    text = _literal(node)
    if text is not None:
        yield text


def updated(entries: Iterable[Translation], wanted: Iterable[Source]) -> list[Translation]:
    """The entries that the code needs, with the translations that there are."""
    known = {(entry.context, entry.source): entry for entry in entries}
    needed = sorted(set(wanted), key=lambda source: (is_windows(source.context), source))
    keys = {(source.context, source.text) for source in needed}
    gone = {entry.source: entry for key, entry in known.items() if key not in keys}
    head = known[("", "")]
    forms = _FORMS.search(head.forms[0])
    plurals = ("",) * (int(forms[1]) if forms else 2)
    return [head, *(_updated(source, known, gone, plurals) for source in needed)]


def _updated(
    source: Source,
    known: dict[tuple[str, str], Translation],
    gone: dict[str, Translation],
    plurals: tuple[str, ...],
) -> Translation:
    context, text, plural = source
    entry = known.get((context, text))
    if entry is not None and bool(entry.plural) == bool(plural):
        return replace(entry, plural=plural)
    near = difflib.get_close_matches(text, gone, 1, _ALIKE)
    old = gone[near[0]] if near else None
    if old is not None and old.context == context and bool(old.plural) == bool(plural):
        return Translation(context, text, plural, old.forms, any(old.forms))
    return Translation(context, text, plural, plurals if plural else ("",))


def written(entries: Iterable[Translation], places: dict[Source, list[str]]) -> str:
    """A translation file."""
    return HEAD + "\n".join(_block(entry, places) for entry in entries)


def _block(entry: Translation, places: dict[Source, list[str]]) -> str:
    source = Source(entry.context, entry.source, entry.plural)
    lines = [f"#: {place}" for place in places.get(source, ())]
    lines += ["#, fuzzy"] if entry.is_fuzzy else []
    lines += _field("msgctxt", entry.context) if entry.context else []
    lines += _field("msgid", entry.source)
    if entry.plural:
        lines += _field("msgid_plural", entry.plural)
        for number, form in enumerate(entry.forms):
            lines += _field(f"msgstr[{number}]", form)
    else:
        lines += _field("msgstr", entry.forms[0])
    return "\n".join(lines) + "\n"


def _field(name: str, text: str) -> list[str]:
    """A text on one line, or one line of the file for each of its lines."""
    parts = text.splitlines(keepends=True)
    if len(parts) < 2:
        return [f"{name} {_quoted(text)}"]
    return [f'{name} ""', *map(_quoted, parts)]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def merged(*sides: Iterable[Translation]) -> list[Translation]:
    """The entries of two sides of a merge: of each sentence, a translation that holds, if any."""
    found: dict[tuple[str, str], Translation] = {}
    for entry in (entry for side in sides for entry in side):
        known = found.setdefault((entry.context, entry.source), entry)
        if known.is_fuzzy or not all(known.forms):
            found[entry.context, entry.source] = entry
    return list(found.values())


def _entries(path: Path) -> list[Translation]:
    """A file's entries; of one in which git could not merge two sides, those of both."""
    text = path.read_text(encoding="utf-8")
    if "\n<<<<<<< " not in text:
        return list(read_entries(text))
    name = path.relative_to(ROOT).as_posix()
    asked = (["git", "-C", str(ROOT), "show", f":{stage}:{name}"] for stage in (3, 2))
    sides = (subprocess.run(words, check=True, capture_output=True).stdout for words in asked)
    return merged(*(read_entries(side.decode("utf-8")) for side in sides))


def main() -> int:
    """Bring every translation file up to date."""
    places = collect()
    for path in sorted(FOLDER.glob("*.po")):
        entries = updated(_entries(path), places)
        path.write_text(written(entries, places), encoding="utf-8", newline="\n")
        missing = sum(not all(entry.forms) or entry.is_fuzzy for entry in entries)
        print(f"{path.name}: {len(entries) - 1} sentences, {missing} to be translated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
