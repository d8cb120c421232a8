# SPDX-License-Identifier: Apache-2.0
"""The handbook's pages: pairs in each language, links, names, figures and examples that hold."""

from __future__ import annotations

import re
import shlex
import shutil
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from dpdesk import cli
from dpdesk.catalogue import read_catalogue
from dpdesk.desk.pages.help.handbook import (
    Handbook,
    handbook_of,
    page_linked,
    picture_named,
    read_handbook,
    without_other_links,
)
from dpdesk.privacy.accounting.guess_probability import right_in_100
from dpdesk.privacy.planning.share_for_margin import ROWS, example_margin
from dpdesk.release.signing.stock_commands import system_commands, verify_command
from dpdesk.resources import resource_path
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.title_words import FIRST
from tests.texts import collect, is_windows

LANGUAGES = ("en", "de")
NAME = re.compile(r"\*\*([^*]+)\*\*")
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)]+)\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
RUN = re.compile(r"^```sh run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LONGEST = 1_900
"""More signs are no page of one screen."""


def names(text: str) -> list[str]:
    """What a page quotes of the window: bold words that do not end a lead of their own."""
    return [name for name in NAME.findall(text) if name[-1] not in ".:?"]


def plain(text: str) -> str:
    """A text of the window as it is read: without shortcut and dots."""
    return text.replace("&", "").rstrip("…").strip()


def window_texts(language: str) -> dict[str, set[str]]:
    """What the window says in a language, each with the English texts that it stands for."""
    catalogue = read_catalogue(language)
    found: dict[str, set[str]] = {}
    for source in collect():
        if is_windows(source.context) or source.context in ("", "title"):
            said = catalogue.say_word(source.context, source.text)
            found.setdefault(plain(said), set()).add(plain(source.text))
    return found


def unknown(handbook: Handbook, texts: dict[str, set[str]]) -> list[str]:
    return [f"{p.key}: {n}" for p in handbook.pages for n in names(p.text) if plain(n) not in texts]


def untranslated(english: Handbook, other: Handbook, texts: dict[str, set[str]]) -> list[str]:
    """Names on a page that are not those of its English page, each as often."""
    wrong = []
    for page in english.pages:
        left = [plain(name) for name in names(page.text)]
        for name in names(other.page(page.key).text):
            meant = next((one for one in left if one in texts.get(plain(name), ())), None)
            if meant is None:
                wrong.append(f"{page.key}: {name}")
            else:
                left.remove(meant)
        wrong += [f"{page.key}: {name} is missing" for name in left]
    return wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_that_is_quoted_stands_in_the_window(language: str) -> None:
    assert not unknown(read_handbook(language), window_texts(language))


def test_the_german_pages_quote_the_same_names() -> None:
    assert not untranslated(read_handbook("en"), read_handbook("de"), window_texts("de"))


def test_a_name_that_the_window_does_not_have_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "en"
    shutil.copytree(resource_path("help/en"), folder)
    (folder / "data.md").write_text("# The data file\n\nPress **Show lines**.\n", encoding="utf-8")
    wrong = handbook_of(folder)
    assert unknown(wrong, window_texts("en")) == ["data: Show lines"]
    assert "data: Zeilen zeigen" in untranslated(wrong, read_handbook("de"), window_texts("de"))


def test_each_page_has_its_pair_in_each_language() -> None:
    english, german = (read_handbook(language) for language in LANGUAGES)
    assert [page.key for page in english.pages] == [page.key for page in german.pages]
    chapters = [[page.chapter for page in book.pages] for book in (english, german)]
    places = [[one.index(chapter) for chapter in one] for one in chapters]
    assert places[0] == places[1]
    for page in english.pages:
        other = german.page(page.key)
        assert page.text != other.text
        assert LINK.findall(page.text) == LINK.findall(other.text), page.key
        for sign in ("\n# ", "\n## ", "\n- ", "\n1. ", "\n> ", "\n|", "```"):
            assert page.text.count(sign) == other.text.count(sign), (page.key, sign)


@pytest.mark.parametrize("language", LANGUAGES)
def test_contents_and_files_are_the_same_pages(language: str) -> None:
    pages = read_handbook(language).pages
    files = {path.stem for path in resource_path(f"help/{language}").glob("*.md")}
    assert {page.key for page in pages} == files - {"contents", "index"}
    assert len({page.key for page in pages}) == len(pages)
    for page in pages:
        assert page.text.startswith(f"# {page.title}\n")
        assert len(page.text) <= LONGEST, page.key
        assert max(map(ord, page.text)) < 0x10000  # places in Qt's texts count such signs as two


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_lead_to_pages_alone(language: str) -> None:
    book = read_handbook(language)
    for page in book.pages:
        for address in LINK.findall(page.text):
            assert book.page(page_linked(address))
        assert without_other_links(page.text) == page.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_is_there_in_both_colours_with_its_description(language: str) -> None:
    shown = set()
    for page in read_handbook(language).pages:
        for description, address in PICTURE.findall(page.text):
            light, dark = (picture_named(page, address, is_dark) for is_dark in (False, True))
            assert light and dark and light != dark, address
            assert len(description) > 20 and description.endswith("."), address
            shown |= {light, dark}
    assert shown == set(resource_path(f"help/{language}/pictures").iterdir())


@pytest.mark.parametrize(
    "address",
    [
        "../en/pictures/query.png",
        "pictures/../../../icons/app.png",
        "/pictures/query.png",
        "file:pictures/query.png",
        "pictures/query.png?x",
        "pictures/none.png",
        "query.png",
    ],
)
def test_no_other_file_is_a_picture(address: str) -> None:
    page = read_handbook("en").pages[0]
    assert picture_named(page, "pictures/query.png", False)
    assert picture_named(page, address, False) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_statistic_has_its_entry_with_its_sensitivity(language: str) -> None:
    catalogue = read_catalogue(language)
    book = read_handbook(language)
    text = "\n".join(page.text for page in book.pages if page.key.startswith("stat-"))
    entries = dict(re.findall(r"^## (.+)\n(.+)$", text, re.MULTILINE))
    assert list(entries) == list(dict.fromkeys(entries))
    wanted = {catalogue.say_word("title", FIRST[statistic]) for statistic in STATISTICS}
    assert set(entries) == wanted
    word = {"en": "*Sensitivity*", "de": "*Sensitivität*"}[language]
    assert not [name for name, entry in entries.items() if word not in entry]


def decimal(number: str) -> Decimal:
    return Decimal(number.replace(",", "."))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_margins_of_the_example_are_the_programs(language: str) -> None:
    text = read_handbook(language).page("bounds").text
    rows = re.findall(r"^\| 0 \w+ (\d+) \w+ \| ± ([\d.,]+) \w+ \|$", text, re.MULTILINE)
    assert len(rows) == 3
    assert f" {ROWS} " in text
    for upper, said in rows:
        column = NumberColumn("stay", Decimal(0), Decimal(upper), Decimal(1))
        margin = example_margin(Unit("patient", 2), column, Epsilon.of("0.1"))
        assert margin is not None
        assert abs(margin - Fraction(decimal(said))) <= Fraction(5, 1000)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_budget_means_is_what_the_program_says(language: str) -> None:
    text = read_handbook(language).page("budget").text
    rows = re.findall(r"^\| ([\d.,]+) \| (\d+) \w+ 100 \|$", text, re.MULTILINE)
    assert len(rows) == 5
    for epsilon, said in rows:
        assert right_in_100(Epsilon.of(str(decimal(epsilon)))) == int(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_the_shell_run_on_the_sample(
    language: str, tmp_path: Path, dpdesk_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both begin with no account and no key; the passphrase is the one thing that is not typed."""
    for file in resource_path("sample").iterdir():
        shutil.copy(file, tmp_path)
    passphrase = tmp_path / "passphrase.txt"
    passphrase.write_text("a long passphrase of the handbook\n")
    monkeypatch.setenv("DPDESK_PASSPHRASE_FILE", str(passphrase))
    monkeypatch.chdir(tmp_path)
    blocks = [block for page in read_handbook(language).pages for block in RUN.findall(page.text)]
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) >= 10
    for line in lines:
        program, *rest = shlex.split(line)
        assert program == "dpdesk"
        assert cli.main(rest) == 0, line


def test_the_command_for_windows_is_the_one_that_bundles_name() -> None:
    files = "../allowed_signers", "manifest.json.sig", "manifest.json"
    command = verify_command("data-office@hospital.example", "dpdesk-release-v1", *files)
    # A short name would be looked for where the bundle was unpacked, first of all.
    wanted = system_commands(command)["windows"]
    assert wanted.startswith(r"%SystemRoot%\System32\OpenSSH" + "\\")
    for language in LANGUAGES:
        assert f"\n{wanted}\n" in read_handbook(language).page("verify-windows").text


def test_a_language_without_a_handbook_reads_the_english_one() -> None:
    assert read_handbook("xx") == read_handbook("en")


def test_every_page_is_led_to_by_another() -> None:
    pages = read_handbook("en").pages
    linked = {page_linked(a) for page in pages for a in LINK.findall(page.text)}
    assert {page.key for page in pages} <= linked
