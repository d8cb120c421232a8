# SPDX-License-Identifier: Apache-2.0
"""The shell speaks the system's language; what programs read is the same in every language."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator

import pytest

from dpdesk.catalogue import ENGLISH, speak, spoken
from dpdesk.program.system_language import system_language
from dpdesk.release.bundle.bundle_zip import unpack
from tests.release.bundle.test_german_bundle import english_in
from tests.shell.hospital import Hospital

NAMES = ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")
COMMANDS = (
    ("plan", "STUDY", "--levels", "--people", "3"),
    ("fit", "STUDY", "--total", "0.5"),
    ("check", "STUDY"),
    ("account", "list"),
    ("account", "show", "small"),
    ("ledger", "check"),
    ("key", "show"),
)
REFUSED = (
    ("plan", "missing.dpdesk"),
    ("account", "show", "unknown"),
    ("account", "raise", "small", "0.5", "--reason", "none"),
    ("verify", "missing.zip"),
    ("fit", "STUDY"),
)
WRONG = (("plan",), ("plan", "STUDY", "--colour"), ("account", "new", "a", "1", "--rho", "1"), ())


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A German system; English again for whatever runs after."""
    in_environment(monkeypatch, LANG="de_AT.UTF-8")
    yield
    speak(ENGLISH)


def in_environment(patch: pytest.MonkeyPatch, **values: str) -> None:
    for name in NAMES:
        patch.delenv(name, raising=False)
    for name, value in values.items():
        patch.setenv(name, value)


def arguments(hospital: Hospital, command: tuple[str, ...]) -> list[str]:
    return [str(hospital.study) if word == "STUDY" else word for word in command]


@pytest.mark.parametrize(
    ("values", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_CH"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({"LANG": "fi_FI.UTF-8", "LANGUAGE": "fi:de:en"}, "de"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "fi_FI"}, "en"),
        ({"LANG": "../../de"}, "en"),
        ({"LANG": "deu"}, "en"),
        ({}, "en"),
    ],
)
def test_the_systems_language_is_found_as_gettext_finds_it(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], language: str
) -> None:
    in_environment(monkeypatch, **values)
    assert system_language() == language


@pytest.mark.parametrize("command", [*COMMANDS, *REFUSED, *WRONG], ids=" ".join)
@pytest.mark.in_turn(3)
def test_commands_speak_german(hospital: Hospital, command: tuple[str, ...]) -> None:
    said = hospital.run(*(arguments(hospital, command) or ["--help"]))
    assert said.out or said.err
    assert english_in(" ".join(f"{said.out} {said.err}".split())) == []


def test_tables_have_thousands_and_days_as_the_language_writes_them(hospital: Hospital) -> None:
    assert " 5.000 " in hospital.run("rehearse", hospital.study).out
    entries = hospital.run("account", "show", "small").out
    assert re.search(r" [0-3][0-9]\.[01][0-9]\.20[0-9]{2} [0-9]{2}:[0-9]{2} UTC ", entries)


def test_the_table_of_series_has_german_heads(hospital: Hospital) -> None:
    hospital.run("account", "raise", "small", "2", "--reason", "Serie")
    new = ("ledger", "series", "new", hospital.study, "wards", "--count", "1", "--every", "year")
    assert hospital.run(*new).status == 0
    heads = hospital.run("ledger", "series", "list").out.splitlines()[0].split("  ")
    assert [head.strip() for head in heads if head] == [
        *("Serie", "Budgetkonto", "Rhythmus", "freigegeben", "von", "je Freigabe"),
        *("reserviert", "nächste fällig"),
    ]


def test_english_is_found_where_the_system_is_english(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_environment(monkeypatch, LANG="en_GB.UTF-8")
    words = hospital.run("plan", hospital.study).out
    assert len(english_in(" ".join(words.split()))) >= 3


@pytest.mark.parametrize("command", [*COMMANDS, *REFUSED], ids=" ".join)
@pytest.mark.in_turn(3)
def test_what_programs_read_and_exit_codes_are_the_same_in_every_language(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    def ends(language: str, *more: str) -> tuple[int, str]:
        in_environment(monkeypatch, LANG=language)
        said = hospital.run(*arguments(hospital, command), *more)
        return said.status, said.out

    assert ends("de_DE.UTF-8", "--json") == ends("en_US.UTF-8", "--json")
    assert ends("de_DE.UTF-8")[0] == ends("en_US.UTF-8")[0]


def test_numbers_are_written_once_in_the_language(hospital: Hospital) -> None:
    hospital.write_study(lambda members: members["columns"][1].update(upper=50_000))
    words = hospital.run("plan", hospital.study).out
    assert "0,3" in words and "0.3" not in words
    assert "99.998" in words, words


@pytest.mark.parametrize("command", COMMANDS[:5])
def test_no_code_of_plan_or_ledger_stands_in_a_table(
    hospital: Hospital, command: tuple[str, ...]
) -> None:
    shown = hospital.run(*arguments(hospital, command)).out
    codes = r"\b(laplace|gaussian|open-account|raise|release|people|rows|epsilon|rho)\b"
    assert not re.findall(codes, shown)


def test_argparse_has_its_own_words_again(hospital: Hospital) -> None:
    before = argparse._, argparse.ngettext  # type: ignore[attr-defined]
    assert "Aufruf:" in hospital.run("plan").err
    assert (argparse._, argparse.ngettext) == before  # type: ignore[attr-defined]
    assert spoken().language == "de"


@pytest.mark.parametrize(
    ("more", "language"),
    [((), "de"), (("--language", "en"), "en"), (("--json",), "de")],
)
def test_a_release_is_in_the_systems_language_or_the_named_one(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], language: str
) -> None:
    assert hospital.release(*more).status == 0
    files = unpack(hospital.bundle.read_bytes())
    assert json.loads(files["manifest.json"])["predicate"]["bundle"]["language"] == language
    assert f'<html lang="{language}">'.encode() in files["report.html"]
    for system in ("de_DE.UTF-8", "en_US.UTF-8"):
        in_environment(monkeypatch, LANG=system)
        assert hospital.run("verify", hospital.bundle).status == 0


def test_a_stored_release_is_written_in_another_language_for_free(
    hospital: Hospital,
) -> None:
    assert hospital.release().status == 0
    spent = hospital.spent
    english = hospital.bundle.with_name("english.zip")
    order = ("release", hospital.study, "--same-extract", "--language", "en", "--out", english)
    assert hospital.run(*order).status == 0
    assert hospital.spent == spent
    assert b'<html lang="en">' in unpack(english.read_bytes())["report.html"]


def test_an_export_for_auditors_is_in_the_systems_language(hospital: Hospital) -> None:
    folder = hospital.folder / "export"
    assert hospital.run("ledger", "export", folder).status == 0
    readme = " ".join((folder / "README.txt").read_text(encoding="utf-8").split())
    page = (folder / "ledger.html").read_text(encoding="utf-8")
    assert english_in(readme) == english_in(page) == [] and '<html lang="de">' in page


@pytest.mark.parametrize("language", ["de", "en"])
def test_help_is_in_one_language(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    in_environment(monkeypatch, LANG=language)
    words = hospital.run("release", "--help").out
    assert ("Optionen:" in words, "options:" in words) == (language == "de", language == "en")
