# SPDX-License-Identifier: Apache-2.0
"""Rules of the house that a machine can keep: what to find, and why it must not be there.

Each rule carries a line that it must catch, so that no rule is there for show.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from dpdesk.study.model.statistics import Statistic
from tests.source_files import ROOT, name_of, nodes, python_files, syntax_tree, text_files, text_of


class Rule(NamedTuple):
    """What must not stand in a file whose name matches `where`."""

    pattern: str
    reason: str
    caught: str
    where: str = r".*"


# Brackets in the patterns keep this file from tripping over itself.
RULES = [
    Rule(
        r"py[p]i\.(org|python)|python[h]osted\.org|--(extra-)?index[-]url\s*[=h]",
        "where packages come from is the machine's own setting",
        "--index" + "-url https://example.org/simple",
    ),
    Rule(
        r"(?<![\w.])/(home|root|work|Users)/\w|[A-Z]:\\+Users\\",
        "a path of one machine means nothing on another",
        "data = '/ho" + "me/ada/data.csv'",
    ),
    Rule(
        r"\b(TO[D]O|FIX[M]E|XX[X])\b",
        "unfinished work is an issue, not a comment",
        "# TO" + "DO later",
        r".*\.(py|toml|md)",
    ),
    Rule(
        r"print[(]",
        "core and desk never write to a terminal; cli.py does",
        "    print" + "(value)",
        r"dpdesk/(data|desk|exact|privacy|program|release|study).*\.py",
    ),
    Rule(
        r"get(Open|Save)FileName",
        "who chooses a file must not rename or delete one: core/file_dialogs.py asks",
        "    chosen, _kind = QFileDialog.getOpenFileName" + "(self, title)",
        r"dpdesk/desk/(?!core/file_dialogs\.py).*\.py",
    ),
    Rule(
        r"\bbreak[p]oint\(|\bpdb\b",
        "a debugger was left behind",
        "break" + "point()",
        r".*\.py",
    ),
    Rule(
        r"time\.sl[e]ep\(",
        "a nap hides a race; wait for what is meant",
        "time.sl" + "eep(1)",
        # Another process's answer is a file, which cannot be waited for without Qt.
        r"dpdesk/(?!program/handover).*\.py",
    ),
    Rule(
        r"timeout=[0-9]|(?<!qtbot)\.(wa[i]t|join)\([1-9]",
        "a busy machine may take minutes; tests/waiting.py waits for what is meant",
        "child.wa" + "it(10)",
        r"tests/(?!(bench|installed|monkey|x11)/).*\.py",
    ),
    Rule(
        r"(perf_counter|mono[t]onic)\(\) - \w+ <=? [0-9]",
        "a busy machine is slow; look for what would differ on any",
        "assert mono" + "tonic() - begun < 2",
        r"tests/(?!(bench|installed|monkey|x11)/).*\.py",
    ),
    Rule(
        r"open\(.*[\"']r?b[\"']|\.read_by[t]es\(",
        "a pipe or a device makes it wait; study/regular_file.py opens files",
        'with path.open("r' + 'b") as stream:',
        r"dpdesk/(?!study/regular_file|data/reader_process).*\.py",
    ),
    Rule(
        r"check-novalid[a]te",
        "it accepts any key, even a forged one",
        "ssh-keygen -Y check-novalid" + "ate",
        r"(dpdesk|resources|README).*",
    ),
    Rule(
        r"dpdesk[-_][0-9]+[.][0-9]",
        "a guide's file names are those of any version",
        "start dpdesk-" + "1.0.0-windows-x64.exe",
        r"(docs/|README).*",
    ),
]

# Signs that change how a line reads without being seen. Write them as escapes.
STRAY = re.compile(
    "[\u00a0\u00ad\u034f\u061c\u115f\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
    "\U000e0000-\U000e007f]"
)


def broken(rule: Rule, name: str, text: str) -> list[str]:
    """Where a file breaks a rule."""
    if not re.fullmatch(rule.where, name) or not re.search(rule.pattern, text, re.MULTILINE):
        return []
    lines = text.splitlines()
    return [f"{name}:{n}" for n, line in enumerate(lines, 1) if re.search(rule.pattern, line)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.reason)
def test_no_file_breaks(rule: Rule) -> None:
    found = [place for path in text_files() for place in broken(rule, name_of(path), text_of(path))]
    assert not found, rule.reason


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.reason)
def test_each_rule_catches_what_it_is_for(rule: Rule) -> None:
    assert re.search(rule.pattern, rule.caught)


def test_no_unseen_sign_stands_in_a_source() -> None:
    found = [
        f"{name_of(path)}:{number} U+{ord(sign[0]):04X}"
        for path in text_files()
        if STRAY.search(text_of(path))
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if (sign := STRAY.search(line))
    ]
    assert not found, "write an escape or an entity instead"


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\ufeff", "\u2066", "\u00ad", "\u00a0"])
def test_an_unseen_sign_is_seen(sign: str) -> None:
    assert STRAY.search(f"a{sign}b")


def test_every_source_names_its_licence() -> None:
    scripts = [*python_files(), ROOT / ".ci" / "run"]
    bare = [
        name_of(path)
        for path in scripts
        if "SPDX-License-Identifier: Apache-2.0" not in text_of(path)[:200]
    ]
    assert not bare


def test_lines_end_as_on_every_system() -> None:
    assert not [name_of(path) for path in text_files() if b"\r" in path.read_bytes()]


MOST_MODULES = 15
"""So many a reader can look through."""
LARGER: dict[str, str] = {}
"""Folders of the program that hold more modules, and why."""


def crowded(paths: list[Path]) -> set[str]:
    """Folders with more modules than a reader looks through."""
    modules = (path for path in paths if path.name != "__init__.py")
    counts = Counter(path.parent.as_posix() for path in modules)
    return {folder for folder, number in counts.items() if number > MOST_MODULES}


def test_no_folder_of_the_program_is_crowded() -> None:
    paths = [path.relative_to(ROOT) for path in python_files("dpdesk")]
    assert crowded(paths) == set(LARGER), "give the modules folders, each with an idea of its own"


def test_a_crowded_folder_is_found() -> None:
    full = [Path(f"dpdesk/data/a{number}.py") for number in range(MOST_MODULES)]
    assert not crowded([*full, Path("dpdesk/data/__init__.py"), Path("dpdesk/data/b/c.py")])
    assert crowded([*full, Path("dpdesk/data/b.py")]) == {"dpdesk/data"}


def lost(folder: Path) -> list[str]:
    """Modules and folders that a folder's own words send a reader to, and that are not there."""
    words = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert words, f"{folder} says what lives there"
    named = re.findall(r"``([a-z_/]+(?:/|\.py))``", words)
    return [name for name in named if not (folder / name).exists()]


def test_each_folder_says_what_lives_there_and_where_to_begin() -> None:
    folders = {path.parent for path in python_files("dpdesk")}
    assert not {name_of(folder): lost(folder) for folder in folders if lost(folder)}


def test_a_module_that_is_not_there_is_missed(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text('"""Begin with ``here.py`` and ``there/``."""')
    (tmp_path / "here.py").touch()
    assert lost(tmp_path) == ["there/"]


STATISTICS = frozenset(get_args(Statistic))
DECLARED_BY_NAME = {
    "dpdesk/study/model/statistics.py": "their public traits",
    "dpdesk/study/text/title_words.py": "the words of their sentences",
    "dpdesk/privacy/statistics/__init__.py": "their methods",
    "dpdesk/desk/text/query_words.py": "their words and icons in the window",
}
"""The only places that tell statistics apart by name, and what they declare."""


def compared_by_name(tree: ast.AST) -> list[int]:
    """Lines that compare a statistic with a name, or list several statistics by name."""
    every = nodes(tree)
    compared = [node for node in every if isinstance(node, ast.Compare | ast.Match)]
    listed = [node for node in every if isinstance(node, ast.Dict | ast.Set | ast.List | ast.Tuple)]
    found = [node.lineno for node in compared if _compares_with_name(node)]
    return sorted({*found, *(node.lineno for node in listed if _lists_statistics(node))})


def _compares_with_name(node: ast.Compare | ast.Match) -> bool:
    if isinstance(node, ast.Match):
        return _is_statistic(node.subject)
    known = [_is_statistic(side) for side in (node.left, *node.comparators)]
    return any(known) and not all(known)


def _is_statistic(node: ast.expr) -> bool:
    """Whether an expression is some query's statistic: a name, an attribute or a member."""
    if isinstance(node, ast.Subscript):
        return _constants([node.slice]) == {"statistic"}
    if isinstance(node, ast.Call):
        return _constants(node.args) == {"statistic"}
    return getattr(node, "attr", getattr(node, "id", "")) == "statistic"


def _lists_statistics(node: ast.Dict | ast.Set | ast.List | ast.Tuple) -> bool:
    parts = node.keys if isinstance(node, ast.Dict) else node.elts
    return len(_constants(parts) & STATISTICS) > 1 and _constants(parts) <= STATISTICS


def _constants(nodes: Sequence[ast.expr | None]) -> set[object]:
    return {node.value for node in nodes if isinstance(node, ast.Constant)}


def test_statistics_are_told_apart_by_their_declarations() -> None:
    found = {
        f"{name_of(path)}:{line}"
        for path in python_files("dpdesk")
        if name_of(path) not in DECLARED_BY_NAME
        for line in compared_by_name(syntax_tree(path))
    }
    assert not found, "ask the statistic's declaration or its method for the trait that is meant"


@pytest.mark.parametrize("name", DECLARED_BY_NAME)
def test_a_place_that_declares_statistics_does(name: str) -> None:
    assert compared_by_name(syntax_tree(ROOT / name))


@pytest.mark.parametrize(
    "code",
    [
        "query.statistic == 'mean'",
        "'mean' != statistic",
        "query['statistic'] in RANKS",
        "members.get('statistic') in ('sum', OTHER)",
        "match query.statistic:\n    case 'mean': pass",
        "RANKS = frozenset({'median', 'quantiles'})",
        "ICONS = {'count': 'hash', 'sum': 'sigma'}",
    ],
)
def test_a_statistic_compared_by_its_name_is_found(code: str) -> None:
    assert compared_by_name(ast.parse(code)) == [1]


def test_two_statistics_may_be_compared() -> None:
    assert not compared_by_name(
        ast.parse("first.statistic != query.statistic and {'count': 1, 'lines': 2}")
    )


REPLACED = {
    "ahead": "prefetched",
    "apart": "reader_process, split",
    "asked": "request, requested",
    "cargo": "batch_codec",
    "compound": "ole",
    "doubts": "warnings",
    "drawn_as": "answer_key",
    "errand": "job",
    "extent": "used_range",
    "flat_cells": "arrow_types",
    "foreign": "unsupported",
    "found": "partition_selection, or what was found",
    "growing": "growable_array",
    "kept": "idle_worker, or what is kept",
    "machines": "network_paths",
    "mend": "fix, suggestion",
    "misfits": "ragged_rows",
    "miss": "alpha",
    "numbering": "factorize",
    "odd": "invalid",
    "odds": "guess_probability",
    "protect": "limits",
    "rebuild": "reproduce",
    "restudy": "reprice",
    "rising": "isotonic, ascending",
    "serve": "worker",
    "talk": "client",
    "told": "reported, shown",
    "tree": "hierarchical_counts, hierarchy",
}
"""Private words as names of modules, classes and functions, and the field's or plain ones.

Attributes and parameters may not have them either, but for those of ``STILL_MEMBERS``.
"""
STILL_MEMBERS = frozenset({"asked", "found", "kept", "miss", "tree"})
"""Words that attributes or parameters have yet: one that is gone from them goes from here."""
REFUSED_PARTS = {
    "tell": "report, show, print, send",
    "telling": "what it says or tells apart: distinctive, descriptive",
    "tells": "shows, states, reports",
    "told": "published, shown, stated, reported, known",
}
"""Words that no name may be made of, and what the field says of each sense.

A file's method ``tell`` may be defined and called; a test's name is a sentence and may have them.
"""
DOCSTRING_WORDS = {
    "anew": "again",
    "lies": "is",
    "so many": "this many",
    "stands": "is",
    "told(?! (apart|from))": "shown, published, reported, known",
    "whoever": "anyone who, or who it is: the signer, the caller",
}
"""Words that make a docstring sound old, and plain ones."""
STILL_IN_DOCSTRINGS = {"dpdesk/privacy/": {"lies", "stands"}}
"""Words that docstrings of a room may have: proofs say where a number lies."""
REPLACED_MODULES = {
    "halves": "parallel",
    "levels": "confidence_levels",
    "measure": "aggregate_spec",
    "parts": "chunks",
    "scores": "score_functions",
    "sums": "convolution, totals",
    "top": "raw_preview",
}
"""Words that say too little of a module's content, and are in order inside one."""


def private_words(name: str, tree: ast.AST) -> list[str]:
    """Names in a module of the program that the word list replaces, with what to write."""
    named = [
        node.name.strip("_").lower()
        for node in nodes(tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    stem = Path(name).stem
    members = [word for word in member_words(tree) if word not in STILL_MEMBERS]
    words = [*named, stem, *members]
    replaced = [f"{name}: {word} -> {REPLACED[word]}" for word in words if word in REPLACED]
    if stem in REPLACED_MODULES:
        replaced.append(f"{name} -> {REPLACED_MODULES[stem]}")
    return replaced


def member_words(tree: ast.AST) -> Iterator[str]:
    """The names of a module's attributes, parameters and declared names."""
    for node in nodes(tree):
        if isinstance(node, ast.arg):
            yield node.arg.strip("_").lower()
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr.strip("_").lower()
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id.strip("_").lower()


def refused_parts(name: str, tree: ast.AST) -> list[str]:
    """Names of any kind that are made of a refused word, with what to write."""
    return [
        f"{name}: {used} -> {REFUSED_PARTS[part]}"
        for used in sorted(set(every_name(tree)))
        if not used.startswith("test_")
        for part in map(str.lower, re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", used))
        if part in REFUSED_PARTS
    ]


def every_name(tree: ast.AST) -> Iterator[str]:
    """Every name that a module gives or uses, but for the place in a file."""
    for node in nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            named = node.name
            is_method = not isinstance(node, ast.ClassDef) and bool(node.args.args[:1])
            if not (named == "tell" and is_method and node.args.args[0].arg == "self"):
                yield named
        elif isinstance(node, ast.arg | ast.keyword):
            yield node.arg or ""
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr != "tell":
            yield node.attr


def old_words(name: str, tree: ast.AST) -> list[str]:
    """Words of a module's docstrings that have a plainer one, with what to write."""
    allowed = {
        word
        for room, words in STILL_IN_DOCSTRINGS.items()
        if name.startswith(room)
        for word in words
    }
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    texts = [ast.get_docstring(node) or "" for node in nodes(tree) if isinstance(node, documented)]
    said = " ".join(" ".join(texts).lower().split())
    return [
        f"{name}: {word} -> {plain}"
        for word, plain in DOCSTRING_WORDS.items()
        if word not in allowed and re.search(rf"\b{word}\b", said)
    ]


def test_names_are_plain_words_of_the_field() -> None:
    assert not [
        line
        for path in python_files("dpdesk")
        for line in private_words(name_of(path), syntax_tree(path))
    ]


@pytest.mark.parametrize(
    ("name", "code", "word"),
    [
        ("dpdesk/a.py", "def _told(): ...", "told"),
        ("dpdesk/a.py", "class B:\n    def mend(self): ...", "mend"),
        ("dpdesk/a.py", "class Tree: ...", "tree"),
        ("dpdesk/a.py", "class B:\n    cargo: int", "cargo"),
        ("dpdesk/a.py", "class B:\n    def c(self): self._odds = 1", "odds"),
        ("dpdesk/a.py", "def c(mend): ...", "mend"),
        ("dpdesk/a.py", "def c(*, rising=1): ...", "rising"),
        ("dpdesk/data/cargo.py", "", "cargo"),
        ("dpdesk/data/sums.py", "", "sums"),
    ],
)
def test_a_private_word_is_found(name: str, code: str, word: str) -> None:
    (line,) = private_words(name, ast.parse(code))
    assert word in line and "->" in line
    assert not private_words("dpdesk/data/arrays.py", ast.parse("def totals(): ..."))


def test_no_name_is_made_of_a_refused_word() -> None:
    assert not [
        line for path in python_files() for line in refused_parts(name_of(path), syntax_tree(path))
    ]


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("told = 1", "told"),
        ("x = f'{is_told}'", "is_told"),
        ("def a(told_of): ...", "told_of"),
        ("b(are_told=1)", "are_told"),
        ("c._told_by", "_told_by"),
        ("MOST_TOLD: int = 5", "MOST_TOLD"),
        ("class ToldRow: ...", "ToldRow"),
        ("def tell(home): ...", "tell"),
        ("class D:\n    def tells(self): ...", "tells"),
    ],
)
def test_a_refused_word_in_a_name_is_found(code: str, name: str) -> None:
    (line,) = refused_parts("dpdesk/a.py", ast.parse(code))
    assert f": {name} -> " in line


def test_a_place_in_a_file_and_other_words_are_no_refused_names() -> None:
    code = "class A:\n    def tell(self): return self.b.tell() + self.stolder + mettold"
    assert not refused_parts("dpdesk/a.py", ast.parse(code))


def test_docstrings_are_in_plain_words() -> None:
    assert not [
        line
        for path in python_files("dpdesk")
        for line in old_words(name_of(path), syntax_tree(path))
    ]


@pytest.mark.parametrize(
    "code",
    [
        '"""Made anew."""',
        'class B:\n    """What whoever reads it sees."""',
        'def c():\n    """Where it lies."""',
        'def c():\n    """So\n    many rows."""',
        'def c():\n    """What is\n    told of it."""',
    ],
)
def test_an_old_word_of_a_docstring_is_found(code: str) -> None:
    (line,) = old_words("dpdesk/release/a.py", ast.parse(code))
    assert "->" in line
    assert not old_words("dpdesk/release/a.py", ast.parse("# whoever\nx = 'anew'"))


def shared_names(classes: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Class names that stand in several modules, with these."""
    modules: dict[str, list[str]] = {}
    for module, name in classes:
        modules.setdefault(name, []).append(module)
    return {name: places for name, places in modules.items() if len(places) > 1}


def test_every_class_has_a_name_of_its_own() -> None:
    classes = [
        (name_of(path), node.name)
        for path in python_files("dpdesk")
        for node in nodes(syntax_tree(path))
        if isinstance(node, ast.ClassDef)
    ]
    assert len(classes) > 400
    assert not shared_names(classes), "a reader who looks for one finds the other"


def test_a_shared_class_name_is_found() -> None:
    classes = [("a.py", "Kind"), ("b.py", "Kind"), ("b.py", "Share")]
    assert shared_names(classes) == {"Kind": ["a.py", "b.py"]}


def private_attributes(made: ast.ClassDef) -> set[str]:
    """What a class sets of its own in ``__init__``."""
    return {
        node.attr
        for method in made.body
        if isinstance(method, ast.FunctionDef) and method.name == "__init__"
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value) == "self"
        and node.attr.startswith("_")
    }


def taken_attributes(classes: dict[str, ast.ClassDef]) -> list[str]:
    """Private attributes that a class takes from one that it is made of."""
    return [
        f"{name}.{attribute} is {base}'s"
        for name, made in classes.items()
        for base in ancestors(made, classes)
        for attribute in private_attributes(made) & private_attributes(classes[base])
    ]


def ancestors(made: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> list[str]:
    """The classes of these that a class is made of, however far up."""
    own = [name for each in made.bases if (name := ast.unparse(each).split("[")[0]) in classes]
    return own + [name for each in own for name in ancestors(classes[each], classes)]


def test_no_class_takes_a_private_attribute_of_another() -> None:
    classes = {
        node.name: node
        for path in python_files("dpdesk")
        for node in nodes(syntax_tree(path))
        if isinstance(node, ast.ClassDef)
    }
    assert not taken_attributes(classes), "the other goes on working with it"


def test_a_taken_attribute_is_found() -> None:
    code = "class {}({}):\n def __init__(self): self.{} = 1"
    planted = [("Page", "object", "_line"), ("Mid", "Page", "a"), ("Verify", "Mid", "_line")]
    found = [ast.parse(code.format(*each)).body[0] for each in planted]
    classes = {made.name: made for made in found if isinstance(made, ast.ClassDef)}
    assert taken_attributes(classes) == ["Verify._line is Page's"]


def test_the_tests_that_packaging_runs_exist() -> None:
    named = {
        path
        for module in (ROOT / "packaging").rglob("*.py")
        for path in re.findall(r'"(tests/[\w/]+(?:\.py)?)"', module.read_text(encoding="utf-8"))
    }
    assert named
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
