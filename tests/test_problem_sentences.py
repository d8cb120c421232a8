# SPDX-License-Identifier: Apache-2.0
"""Every code that the core can give has its sentence, and every sentence has a code."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import get_args

from dpdesk.catalogue import read_catalogue
from dpdesk.program.written_kinds import Kind
from dpdesk.release.record.size import MOST
from dpdesk.study.problem import Problem
from dpdesk.texts.problems import IN_WINDOW, SENTENCES, TABLES, located, sentence

PACKAGE = Path(__file__).parents[1] / "dpdesk"
CODE = re.compile(r'"([a-z]+(?:-[a-z0-9]+)+)"')
MADE = re.compile(r"\b(?:refuse|Problem|report|damaged|_?note|_say_why)\(|\brefused=lambda")


def codes_in_the_core() -> set[str]:
    """Texts that look like codes in the files that make problems."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name == "sentences":
            continue
        text = path.read_text(encoding="utf-8")
        if MADE.search(text) or "-not-positive" in text:
            found |= set(CODE.findall(text))
    return found


def test_every_sentence_belongs_to_a_code() -> None:
    known = codes_in_the_core()
    # These are put together from a field's name.
    known |= {f"{key}-not-declared" for key in ("lower", "upper", "step", "first", "last")}
    known |= {f"release-too-many-{name}" for name in MOST}
    known |= {f"file-is-{kind}" for kind in get_args(Kind)}
    known |= {f"answers-{kind}" for kind in ("withdrawn", "corrected")}
    known |= {f"ledger-anchor-{state}" for state in ("missing", "damaged", "unwritable")}
    assert {code.removesuffix("+suggestion") for code in SENTENCES} - known == set()


def test_a_code_has_its_sentence_in_one_table() -> None:
    assert sum(map(len, TABLES)) == len(SENTENCES)


def test_every_sentence_is_one_or_two_and_ends_well() -> None:
    for code, text in SENTENCES.items():
        assert text[0].isupper() or text[0] in "“{" or text.startswith("dpdesk"), code
        assert text.endswith((".", "?", "EPSILON", "NAME", "”")), code
        assert "please" not in text.lower(), code
        assert "!" not in text, code


def test_a_sentence_takes_its_parameters() -> None:
    for code, text in SENTENCES.items():
        names = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        params = dict.fromkeys(names, "{x}")
        problem = Problem("$.a", code.removesuffix("+suggestion"), params)
        assert sentence(problem).count("{x}") >= len(names), code
        assert located(problem).startswith("$.a: "), code


COMMAND = re.compile(
    r"dpdesk (account|dossier|key|ledger|release|sign|signers|verify)\b"
    r"| --[a-z]|same command|in the shell"
)


def test_what_the_window_can_meet_names_no_command() -> None:
    """Its user has the window alone; what the commands alone refuse is theirs to word."""
    beside_the_shell = [
        path.read_text(encoding="utf-8")
        for path in PACKAGE.rglob("*.py")
        if not path.is_relative_to(PACKAGE / "shell")
        and path.parent.name != "sentences"
        and path.name != "cli.py"
    ]
    commands = {code for code, text in IN_WINDOW.items() if COMMAND.search(text)}
    met = {c for c in commands if any(f'"{c}"' in text for text in beside_the_shell)}
    assert met == set()


def test_the_windows_own_sentences_take_what_the_others_take() -> None:
    for code in [code for code in IN_WINDOW if IN_WINDOW[code] != SENTENCES.get(code)]:
        assert code in SENTENCES
        taken = [
            {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for text in (SENTENCES[code], IN_WINDOW[code])
        ]
        assert taken[1] <= taken[0], code
        problem = Problem("$", code, dict.fromkeys(taken[0], "{x}"))
        assert sentence(problem, in_window=True) != sentence(problem), code
        assert IN_WINDOW[code].endswith("."), code


def test_the_window_offers_a_number_as_its_language_writes_it() -> None:
    """A command takes it with a point."""
    params = {"range": "60.5", "suggestion": "0.25"}
    problem, german = Problem("$", "step-does-not-divide", params), read_catalogue("de")
    assert "0,25" in sentence(problem, german, in_window=True)
    assert "0.25" in sentence(problem, german)
