# SPDX-License-Identifier: Apache-2.0
"""What the handbook says of the program is so: ways, defaults, numbers, examples."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from dpdesk import cli
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.pages.verify.verify_answers import VerifyAnswer
from dpdesk.desk.text import read_words
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.differences import sum_half_width
from dpdesk.release.dossier.dossier_check import DossierCheck
from dpdesk.release.places.home import Home
from dpdesk.release.verify.verification import Verification, Who
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, labels_of
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS
from dpdesk.study.suggest.identifiers import identifier_kind
from tests.desk.conftest import OpenWindow
from tests.desk.pages.help.test_pages import LANGUAGES, names, plain, window_texts
from tests.desk_sentences import desk_sentences
from tests.source_files import ROOT, syntax_tree

COUNTED = {"six": 6, "sechs": 6}
LEDGER = ("Ledger", "Budgetbuch")
"""The menu within a menu whose entries the handbook names; others only offer choices."""
IN_A_MENU = re.compile(r"(?:in the menu|im Menü) \*{0,2}(\w+)|in the ([A-Z]\w+) menu")


def page(key: str, language: str = "en") -> str:
    return read_handbook(language).page(key).text


# --- names and ways ---------------------------------------------------------------------------


UNSEEN = ("edit", "DataTable", "setAccessibleName", "setAccessibleDescription", "setToolTip")
"""What takes texts that stand on no button, field or head: names of Undo's steps, and of tables."""


def unseen(tree: ast.AST) -> Iterator[str]:
    """Texts that the window says, but does not show where somebody looks for a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            called = getattr(function, "attr", getattr(function, "id", ""))
            if called in UNSEEN:
                yield from (text for _context, text, _plural in desk_sentences(node, "Any"))


@pytest.mark.in_turn(2)
def test_a_name_that_is_quoted_stands_where_it_is_looked_for() -> None:
    trees = [syntax_tree(path) for path in sorted((ROOT / "dpdesk/desk").rglob("*.py"))]
    said = [plain(text) for tree in trees for _context, text, _plural in desk_sentences(tree)]
    hidden = [plain(text) for tree in trees for text in unseen(tree)]
    assert len(hidden) > 50
    shown = {text for text in said if said.count(text) > hidden.count(text)}
    for one in read_handbook("en").pages:
        wrong = [n for n in names(one.text) if plain(n) in hidden and plain(n) not in shown]
        assert not wrong, one.key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_banner_that_is_quoted_says_so(language: str) -> None:
    quoted = re.findall(r"^- \*([^*]+)\*:", page("study", language), re.MULTILINE)
    assert len(quoted) == 2
    assert {f"{one}." for one in quoted} <= {t.replace("’", "'") for t in window_texts(language)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_ways_begin_in_the_menu_bar(
    open_window: OpenWindow, home: Home, qapp: QApplication, language: str
) -> None:
    """What is in a menu within a menu is named with both; Undo and Redo are called as there."""
    Settings(home).language = language
    window = open_window()
    bar = window.menuBar()
    undo, redo = (plain(action.text()).lower() for action in (window.menus.undo, window.menus.redo))
    assert f"Z | {undo}, {redo}" in page("keyboard", language)
    for word, said in ((undo, "Undone: {0}"), (redo, "Redone: {0}")):
        assert QCoreApplication.translate("Menus", said).lower().startswith(word[:9]), word
    of_bar = {plain(action.text()): action.menu() for action in bar.actions()}
    for one in read_handbook(language).pages:
        menus = {next(filter(None, found)) for found in IN_A_MENU.findall(one.text)}
        assert menus <= set(of_bar), one.key
        for outer, menu in of_bar.items():
            assert isinstance(menu, QMenu)
            for inner in menu.actions():
                within = inner.menu()
                if not isinstance(within, QMenu) or plain(inner.text()) not in LEDGER:
                    continue
                there = {plain(action.text()) for action in within.actions()}
                if {plain(name) for name in names(one.text)} & there:
                    way = f"**{outer}**, **{plain(inner.text())}**, **"
                    assert way in one.text, one.key
    speak(qapp, SYSTEM)


# --- the tutorial -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample() -> Study:
    return load_study(resource_path("sample/sample.dpdesk")).study


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tutorial_has_the_samples_numbers(sample: Study, language: str) -> None:
    text = page("tutorial-plan", language).replace("0,95", "0.95")
    with resource_path("sample/admissions.csv").open(encoding="utf-8", newline="") as file:
        people = {row["patient_id"] for row in csv.DictReader(file)}
    assert sample.unit is not None
    assert sample.budget is not None
    assert "8000" in text
    assert abs(len(people) - 8_000) < 100
    assert re.search(rf"\b{sample.unit.max_rows} (rows|Zeilen)", text)
    assert f"`{sample.unit.person}`" in text
    stay = next(c for c in sample.columns if c.title == "Nights in hospital")
    assert isinstance(stay, NumberColumn)
    assert re.search(rf"\b{stay.lower} (to|bis) {stay.upper}\b", text)
    (count,) = {n for word, n in COUNTED.items() if f" {word} " in text}
    assert len(sample.queries) == count
    cost = sum(query.share.units for query in sample.queries if query.share is not None)
    assert Fraction(cost, 1_000_000) == Fraction("0.95")
    assert "0.95" in text
    assert re.search(r"(a total of|Gesamtbudget von) 1\.", text)


def test_the_sample_opens_where_the_tutorial_says(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    window.opening.open_sample()
    qtbot.waitUntil(lambda: bool(window.page))
    assert window.page == "queries"
    assert "opens at its queries" in page("tutorial-plan")


# --- what is read, and what is done by itself -------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_data_page_names_every_kind_of_file(language: str) -> None:
    offered = set(re.findall(r"\*\.(\w+)", read_words.table_kinds().split(";;")[0]))
    assert set(KINDS) <= offered
    assert not [word for word in KINDS.values() if word not in page("data", language)]


KINDS = {
    "csv": "CSV",
    "gz": ".csv.gz",
    "zip": ".csv.zip",
    "xlsx": "Excel",
    "ods": "OpenDocument",
    "parquet": "Parquet",
    "sav": "SPSS",
    "dta": "Stata",
    "sas7bdat": "SAS",
}
"""An ending of each kind, and its word on the page."""


def test_the_example_of_what_a_codebook_never_ticks_is_one() -> None:
    kind = identifier_kind("telephone_number")
    assert kind is not None
    assert kind.is_direct
    birth = identifier_kind("birth_date")
    assert birth is not None
    assert not birth.is_direct
    assert "such as a telephone number" in page("codebooks")
    assert "birth" not in page("codebooks")


def test_rules_for_cells_are_at_first_as_stated() -> None:
    fresh = NumberColumn("stay")
    assert (fresh.missing, fresh.unparsable) == ("drop", "drop")
    assert fresh.outside == "clamp"
    text = page("columns")
    assert text.index("by default **Leave the row out**") < text.index("**Count as nearest bound**")


@pytest.mark.parametrize("language", LANGUAGES)
def test_windows_has_what_verifies_from_the_version_on_that_the_readme_names(
    language: str,
) -> None:
    assert "Windows 10 (21H1 and later)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"Windows 10 \((21H1 and later|ab 21H1)\)", page("verify-windows", language))


# --- margins ----------------------------------------------------------------------------------


def test_a_difference_has_a_wider_margin_than_either_figure() -> None:
    noise = Noise("laplace", 20.0)
    own = noise_distribution.half_width(noise, MISS)
    assert sum_half_width(noise, noise) > own
    assert noise_distribution.half_width(noise, MISS / 2) > own  # of means two of these
    assert "wider than either" in page("margins")
    assert "wider than either" in page("comparison")


# --- groups -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bins_of_the_example_are_those_that_the_program_makes(language: str) -> None:
    text = page("groups", language)
    typed = re.search(r"`([\d; ]+)`", text)
    bounds = re.search(r"(?:from|von) (\d+) (?:to|bis) (\d+)", text)
    assert typed is not None
    assert bounds is not None
    age = NumberColumn("age", Decimal(bounds[1]), Decimal(bounds[2]), Decimal(1))
    made = labels_of(Bins("age", tuple(map(Decimal, typed[1].split("; ")))), age)
    assert len(made) == 3
    to = {"en": " to ", "de": " bis "}[language]
    assert not [label for label in made if label.replace(" to ", to) not in text]


def test_a_query_has_as_many_groups_as_stated() -> None:
    """The plus offers one more while there are fewer."""
    assert max(DECLARATIONS[statistic].groups for statistic in STATISTICS) == 3
    assert "Up to three together" in page("groups")
    assert "Bis zu drei zusammen" in page("groups", "de")


@pytest.mark.parametrize("language", LANGUAGES)
def test_empty_cells_count_as_the_group_that_is_stated(
    open_window: OpenWindow, home: Home, qapp: QApplication, language: str
) -> None:
    """By the words that the column's form offers for them."""
    Settings(home).language = language
    window = open_window()
    columns = window.pages["columns"]
    assert isinstance(columns, ColumnsPage)
    ward = CategoryColumn("ward", ("a",))
    offered = [text for _key, text in columns.form.rules._offers(ward, "missing")]
    named = {"en": "(missing)", "de": "(fehlend)"}[language]
    assert any(named in text for text in offered)
    assert named in page("categories", language)
    speak(qapp, SYSTEM)


# --- verifying --------------------------------------------------------------------------------


def test_a_bundle_can_be_relied_on_as_stated() -> None:
    """An open history does not prevent it, and is to be read; what was not judged does."""
    known = Who("known", "data-office@hospital.example", "SHA256:made-up")
    assert not Verification((), who=known, claim=(), not_made_again=("report.html",)).is_good
    assert not Verification((), who=replace(known, standing="unknown"), claim=()).is_good
    assert "with the version that wrote it" in page("verify")


def test_a_dossier_can_be_relied_on_as_stated() -> None:
    """Its bundle beside it is compared, and need not be there."""
    known = Who("known", "data-office@hospital.example", "SHA256:made-up")
    alone = DossierCheck((), who=known)
    assert alone.is_good
    assert not replace(alone, remade="no").is_good
    assert not replace(alone, who=replace(known, standing="unknown")).is_good
    assert "if it is complete and they know your [public key]" in page("dossier")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_questions_stand_in_the_windows_order(
    open_window: OpenWindow, home: Home, qapp: QApplication, language: str
) -> None:
    Settings(home).language = language
    verify = open_window().pages["verify"]
    assert isinstance(verify, VerifyPage)
    body = verify.answers.body
    shown = [body.itemAt(place).widget() for place in range(body.count())]
    answers = [one for one in shown if isinstance(one, VerifyAnswer)]
    questions = [one.body.itemAt(0).widget().text() for one in answers]
    assert re.findall(r"^- \*\*(.+?)\*\*:", page("verify", language), re.MULTILINE) == questions
    speak(qapp, SYSTEM)


# --- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "only a backup replaces an earlier one of the same ledger, a rehearsal an earlier"),
        ("de", "Nur eine Sicherung ersetzt eine frühere desselben Budgetbuchs, ein Probelauf"),
    ],
)
def test_backups_and_rehearsals_alone_take_an_earlier_ones_place(
    language: str, said: str, tmp_path: Path, dpdesk_home: Path
) -> None:
    assert said in page("shell", language)
    assert cli.main(["account", "new", "ward", "1"]) == 0
    backup, other = tmp_path / "backup.zip", tmp_path / "other.zip"
    other.write_bytes(b"not a backup")
    assert cli.main(["ledger", "backup", str(backup)]) == 0
    assert cli.main(["ledger", "backup", str(backup)]) == 0
    assert cli.main(["ledger", "backup", str(other)]) == 1
    assert cli.main(["key", "certificate", "--out", str(backup)]) == 1
    sample, made_up = resource_path("sample/sample.dpdesk"), tmp_path / "made_up_a.zip"
    rehearse = ["rehearse", str(sample), "--to", str(made_up)]
    made_up.write_bytes(b"no rehearsal")
    assert cli.main(rehearse) == 1 and made_up.read_bytes() == b"no rehearsal"
    made_up.unlink()
    assert (cli.main(rehearse), cli.main(rehearse)) == (0, 0)
    assert other.read_bytes() == b"not a backup"


# --- keys -------------------------------------------------------------------------------------


def test_return_spends_nothing_and_space_presses_the_red_button(
    open_window: OpenWindow, qtbot: QtBot
) -> None:
    dialog = Dialog(open_window(), "Spend?", "Once.")
    spend = dialog.add_danger("Spend")
    dialog.open()
    spend.setFocus()
    QTest.keyClick(spend, Qt.Key.Key_Return)
    assert dialog.isVisible()
    with qtbot.waitSignal(dialog.accepted):
        QTest.keyClick(spend, Qt.Key.Key_Space)
    assert "Return never spends" in page("keyboard")
    assert "takes Space" in page("keyboard")


# --- terms ------------------------------------------------------------------------------------

TERMS = {"extract": "data", "zCDP": "account", "dossier": "dossier", "privacy unit": "words"}
"""Words of the field that no hospital has, and the pages that explain them."""


@pytest.mark.parametrize("term", TERMS)
def test_a_term_is_explained_where_it_stands(term: str) -> None:
    """By a link, or in slanted letters with its meaning."""
    for one in read_handbook("en").pages:
        text = re.sub(r"`[^`]*`|\*\*[^*]*\*\*|\*Extract all\*", "", one.text)
        if one.key in (TERMS[term], "words") or not re.search(rf"\b{term}\b", text):
            continue
        assert f"*{term}*" in text or f"({TERMS[term]}.md)" in text, one.key
