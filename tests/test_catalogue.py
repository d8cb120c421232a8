# SPDX-License-Identifier: Apache-2.0
"""Every sentence outside the window has its entry in every translation, and is said in it."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from dpdesk.catalogue import (
    ENGLISH,
    Catalogue,
    Translation,
    catalogue_of,
    read_catalogue,
    read_entries,
)
from dpdesk.study.model.conditions import Between
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.problem import Problem
from dpdesk.study.text.number_text import NumberStyle
from dpdesk.study.text.sentence_language import Language, language_of
from dpdesk.study.text.titles import sentence as title_sentence
from dpdesk.texts import problems
from tests import texts
from tests.asking import query_for
from tests.source_files import ROOT
from tests.study.text.test_titles import STAY, STUDY

FILES = sorted(texts.FOLDER.glob("*.po"))
PERCENT = re.compile(r"%(?:\([a-z_]+\))?[sr](?![a-z])")
"""What argparse fills its own sentences with."""
HEAD = Translation("", "", forms=("Plural-Forms: nplurals=2; plural=(n != 1);\n",))


def german(*entries: Translation) -> Catalogue:
    return catalogue_of("de", [HEAD, *entries])


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_translation_has_an_entry_for_every_sentence_and_for_nothing_else(path: Path) -> None:
    """Where it has not: ``python -m tests.texts``."""
    entries = read_entries(path.read_text(encoding="utf-8"))
    named = [(entry.context, entry.source, entry.plural) for entry in entries[1:]]
    keys = {(context, source) for context, source, _plural in named}
    assert len(named) == len(keys) > 400, "one sentence is said with a plural and without"
    assert set(named) == {tuple(source) for source in texts.collect()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_translation_has_the_placeholders_of_its_sentence(path: Path) -> None:
    """Those of the window: ``test_window_translation.py``."""
    entries = read_entries(path.read_text(encoding="utf-8"))[1:]
    for entry in (e for e in entries if not texts.is_windows(e.context)):
        wanted = placeholders(entry.source) | placeholders(entry.plural)
        for form in filter(None, entry.forms):
            assert placeholders(form) <= wanted if entry.plural else placeholders(form) == wanted
            assert form.format(**dict.fromkeys(wanted, "x"))
            assert sorted(PERCENT.findall(form)) == sorted(PERCENT.findall(entry.source))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_sentence_is_translated_in_every_form_and_none_is_out_of_date(path: Path) -> None:
    head, *every = read_entries(path.read_text(encoding="utf-8"))
    entries = [entry for entry in every if not texts.is_windows(entry.context)]
    plurals = int(re.findall(r"nplurals=([0-9])", head.forms[0])[0])
    assert [entry.source for entry in entries if entry.is_fuzzy or not all(entry.forms)] == []
    forms = {entry.source: len(entry.forms) for entry in entries}
    wanted = {entry.source: plurals if entry.plural else 1 for entry in entries}
    assert forms == wanted


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_translation_begins_and_ends_as_its_sentence_does(path: Path) -> None:
    """What joins sentences, and the line feeds of a text's parts, stand in the entries."""

    def ends(text: str) -> tuple[str, ...]:
        return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]

    entries = read_entries(path.read_text(encoding="utf-8"))[1:]
    forms = [(e.source, form) for e in entries for form in e.forms if form]
    other = [source for source, form in forms if ends(form) != ends(source)]
    assert other == []


def badly_set(text: str) -> list[str]:
    """Lines of a plain text that are wider than a page, or do not underline what is above them."""
    lines = text.split("\n")
    wide = [line for line in lines if len(line) > 80 and "{" not in line]
    pairs = pairwise(lines)
    return [
        *wide,
        *(rule for above, rule in pairs if rule.strip("=-") != rule != len(above) * rule[:1]),
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_plain_texts_keep_their_width_and_underline_their_headings(path: Path) -> None:
    entries = read_entries(path.read_text(encoding="utf-8"))[1:]
    of_files = [e for e in entries if "\n" in e.source and not texts.is_windows(e.context)]
    assert len(of_files) > 4
    forms = [form for entry in of_files for form in (entry.source, *entry.forms)]
    assert [line for text in forms for line in badly_set(text)] == []


def test_a_badly_set_text_is_found() -> None:
    assert badly_set("Title\n====\n") == ["===="] and badly_set("Title\n-----\n") == []
    assert badly_set("x" * 81) == ["x" * 81]


def test_every_placeholder_is_named() -> None:
    """The window's are numbered, as in Qt."""
    said = [s.text for s in texts.collect() if not texts.is_windows(s.context)]
    assert not [text for text in said if any(n.isdigit() or not n for n in placeholders(text))]


def test_a_translated_sentence_is_said_and_another_one_in_english() -> None:
    catalogue = german(Translation("", "Choose {name}.", forms=("{name} auswählen.",)))
    assert catalogue.say("Choose {name}.", name="a") == "a auswählen."
    assert catalogue.say("Remove {name}.", name="a") == "Remove a."


def test_a_translation_of_an_earlier_wording_is_not_said() -> None:
    catalogue = german(Translation("", "Choose.", forms=("Wählen.",), is_fuzzy=True))
    assert catalogue.say("Choose.") == "Choose."


def test_a_word_is_translated_in_its_context() -> None:
    catalogue = german(Translation("title", "Number", forms=("Anzahl",)))
    assert catalogue.say_word("title", "Number") == "Anzahl"
    assert catalogue.say_word("unit", "Number") == "Number"


@pytest.mark.parametrize(("number", "text"), [(1, "1 Zeile"), (0, "0 Zeilen"), (2, "2 Zeilen")])
def test_a_number_takes_its_form(number: int, text: str) -> None:
    catalogue = german(Translation("", "{n} row", "{n} rows", ("{n} Zeile", "{n} Zeilen")))
    assert catalogue.say_count(number, "{n} row", "{n} rows", n=number) == text


def test_a_language_with_three_forms_has_its_own_rule() -> None:
    rule = "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\n"
    rows = Translation("", "{n} row", "{n} rows", ("{n} wiersz", "{n} wiersze", "{n} wierszy"))
    polish = catalogue_of("pl", [Translation("", "", forms=(rule,)), rows])
    said = [polish.say_count(n, "{n} row", "{n} rows", n=n) for n in (1, 3, 7)]
    assert said == ["1 wiersz", "3 wiersze", "7 wierszy"]


def test_problems_and_titles_are_said_in_the_language_of_their_catalogue() -> None:
    catalogue = german(
        Translation(
            "", problems.SENTENCES["number-too-long"], forms=("Höchstens {most} Stellen.",)
        ),
        Translation("title", "Mean", forms=("Mittelwert",)),
        Translation("title", "of", forms=("von",)),
        Translation(
            "title", "{question}, where {conditions}", forms=("{question}, bei {conditions}",)
        ),
    )
    problem = Problem("$", "number-too-long", {"most": "15"})
    assert problems.sentence(problem, catalogue) == "Höchstens 15 Stellen."
    column = STUDY.columns[0].name
    query = Query(
        "q", "mean", ColumnParameters(column), where=(Between(column, Decimal("0.5"), Decimal(2)),)
    )
    said = title_sentence(STUDY, query, language_of(catalogue, NumberStyle(",", ".")))
    assert said.startswith("Mittelwert von ") and ", bei " in said and " 0,5 " in said


def test_every_word_of_a_title_can_be_translated() -> None:
    heard: set[str] = set()
    language = Language(lambda text: heard.add(text) or text)
    for statistic in STATISTICS:
        title_sentence(STUDY, query_for(statistic, STAY), language)
    assert heard and heard <= {
        source.text for source in texts.collect() if source.context == "title"
    }


def test_a_language_without_a_file_is_english() -> None:
    assert read_catalogue("tlh") is ENGLISH
    assert read_catalogue("de").language == "de"


# --- the command that brings the files up to date -----------------------------------------------


def test_sentences_words_forms_and_tables_are_found_in_the_code() -> None:
    code = """
TABLE: Final[dict[str, Template]] = {"key": "In a table."}
OF: Final[TitleWord] = "of"
def f():
    say("Said " "here.", name=name)
    catalogue.say(TABLE[key])
    say("Yes." if good else "No.")
    text = "By its name."
    say(text)
    one, many = "{n} row", "{n} rows"
    say_count(n, one, many)
"""
    found = {tuple(source) for source in texts.sources(code)}
    assert found == {
        ("", "In a table.", ""), ("title", "of", ""), ("", "Said here.", ""), ("", "Yes.", ""),
        ("", "No.", ""), ("", "By its name.", ""), ("", "{n} row", "{n} rows"),
    }  # fmt: skip


@pytest.mark.parametrize("code", ["say(f'{a} b')", "say('a' + b)", "say(text)"])
def test_a_sentence_that_is_put_together_is_refused(code: str) -> None:
    with pytest.raises(texts.NotALiteral):
        list(texts.sources(f"def f(text): {code}"))


def test_a_changed_sentence_keeps_its_translation_as_fuzzy_and_an_orphan_goes() -> None:
    old = [
        HEAD,
        Translation("", "The data file is gone.", forms=("Die Datei fehlt.",)),
        Translation("", "Nobody says this now.", forms=("x",)),
        Translation("", "Stays.", forms=("Bleibt.",)),
    ]
    wanted = [texts.Source("", "The data file is missing."), texts.Source("", "Stays.")]
    head, kept, changed = texts.updated(old, wanted)
    assert head == HEAD and kept == old[3]
    assert changed == Translation("", wanted[0].text, "", ("Die Datei fehlt.",), is_fuzzy=True)


def test_of_two_sides_of_a_merge_the_translations_of_both_are_kept() -> None:
    here = [HEAD, Translation("", "One.", forms=("Eins.",)), Translation("", "Two.")]
    there = [HEAD, Translation("", "Two.", forms=("Zwei.",)), Translation("", "One.")]
    both = {entry.source: entry.forms for entry in texts.merged(here, there)}
    assert both == {"": HEAD.forms, "One.": ("Eins.",), "Two.": ("Zwei.",)}


def test_what_is_written_is_read_again() -> None:
    entries = (
        HEAD,
        Translation("", 'Line\none, "quoted" \\ {name}', forms=("Zeile\neins\n",)),
        Translation("title", "of", forms=("von",), is_fuzzy=True),
        Translation("", "{n} row", "{n} rows", ("{n} Zeile", "")),
    )
    assert read_entries(texts.written(entries, {})) == entries


def unsaid(code: str) -> list[str]:
    """Words that a command prints without the catalogue."""
    tree = ast.parse(code)
    printed = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and name_of_call(n) in PRINTS]
    return [words for call in printed for words in words_in(call)]


def name_of_call(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def words_in(node: ast.AST) -> Iterator[str]:
    """The literals with words, but those that the catalogue says and the keys of tables."""
    if isinstance(node, ast.Subscript) or (
        isinstance(node, ast.Call) and name_of_call(node) in ("say", "say_count", "join", "located")
    ):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from [node.value] if re.search(r"[A-Za-z]{2}", node.value) else []
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.keyword) or part.arg in ("help", "description", "epilog"):
            yield from words_in(part)


PRINTS = frozenset({"print", "complain", "getpass", "add_argument", "add_parser"})
SHELL = [ROOT / "dpdesk" / "cli.py", *sorted((ROOT / "dpdesk" / "shell").rglob("*.py"))]


@pytest.mark.parametrize("path", SHELL, ids=lambda path: path.stem)
def test_a_command_prints_no_words_but_the_catalogue_s(path: Path) -> None:
    names = re.compile(r"--?[a-z-]+|[a-z]+|  results/|\.csv: |data-custodian")
    assert [words for words in unsaid(path.read_text("utf-8")) if not names.fullmatch(words)] == []


def test_words_that_bypass_the_catalogue_are_found() -> None:
    assert unsaid('print(f"{name}: Done {n}")') == [": Done "]
    assert unsaid('parser.add_argument("name", help="Some text")') == ["name", "Some text"]
    assert not unsaid('print(say("Done {n}.", n=1), table["key"])')


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_files_are_as_the_command_writes_them(path: Path) -> None:
    places = texts.collect()
    text = path.read_text(encoding="utf-8")
    assert texts.written(texts.updated(read_entries(text), places), places) == text
