# SPDX-License-Identifier: Apache-2.0
import csv
import re
from itertools import pairwise, product
from pathlib import Path

import pytest

from dpdesk.resources import resource_path
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.limits import ID_PATTERN, MAX_TEXT
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.suggest.code_lists import CodeList, code_lists, code_lists_for

LISTS = {found.key: found for found in code_lists()}
EVERY = pytest.mark.parametrize("found", LISTS.values(), ids=LISTS)
LONGEST_NAME = 45

SIZES = {
    "atc-level-1": 14,
    "atc-level-2": 94,
    "icd-10-gm-chapters": 22,
    "icd-10-gm-groups": 242,
    "icd-10-who-chapters": 22,
    "icd-10-who-groups": 263,
    "icd-9-cm-chapters": 19,
    "ops-chapters": 6,
}


def values(found: CodeList, code: str) -> list[str]:
    """Written apart from the program: the values that a code belongs to."""
    head, _, tail = code.upper().partition(".")
    if found.digits and re.fullmatch("[0-9]+", head):
        head = head.rjust(found.digits, "0")
    plain = re.sub("[^A-Z0-9]", "", head + tail)
    ranges = ((entry.value, first, last) for entry in found.entries for first, last in entry.codes)
    return [value for value, first, last in ranges if first <= plain[: len(first)] <= last]


def test_the_lists_are_those_of_the_folder() -> None:
    assert {key: len(found.entries) for key, found in LISTS.items()} == SIZES
    assert {path.stem for path in resource_path("clinical/codes").iterdir()} == set(SIZES)


@EVERY
def test_a_list_is_one_that_a_column_accepts(found: CodeList) -> None:
    shown = tuple(entry.value for entry in found.entries)
    column = CategoryColumn("x", shown, basis=found.basis)
    assert not list(check_column(column, "$.columns[0]"))
    assert ID_PATTERN.fullmatch(found.key)
    assert found.english and found.german and found.checked and found.note
    assert found.source and len(found.source) <= MAX_TEXT


def official(prefix: str) -> tuple[bool, str]:
    """The order of ICD-10: its last chapter has the letter U."""
    return prefix.startswith("U"), prefix


@EVERY
def test_ranges_are_well_formed_and_rise_without_overlap(found: CodeList) -> None:
    ranges = [each for entry in found.entries for each in entry.codes]
    assert all(re.fullmatch("[A-Z]?[0-9]*", prefix) for each in ranges for prefix in each)
    assert all(len(first) == len(last) > 0 and first <= last for first, last in ranges)
    assert all(official(one[1]) < official(two[0]) for one, two in pairwise(ranges))


ORIGINAL = re.compile(
    r"neoplasm|elsewhere classif|diseases of|\bcertain |unspecified|sequelae|preparations"
    "|systemic use|neubildung|anderenorts|krankheiten de[rs]|bestimmte|sonstige|maßnahmen",
    re.IGNORECASE,
)
"""Words that the classifications' own titles are full of."""


@EVERY
def test_names_are_short_and_ours_in_both_languages(found: CodeList) -> None:
    for language in ("english", "german"):
        names = [getattr(entry, language) for entry in found.entries]
        assert all(name and name == name.strip() for name in names)
        assert not [name for name in names if len(name) > LONGEST_NAME]
        assert not [name for name in names if ORIGINAL.search(name)]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("key", "code", "value"),
    [
        ("icd-10-who-chapters", "I21.0", "IX"),
        ("icd-10-gm-chapters", "c50.9", "II"),
        ("icd-10-who-chapters", "J18.9", "X"),
        ("icd-10-gm-chapters", "U07.1!", "XXII"),
        ("icd-10-who-chapters", "O80", "XV"),
        ("icd-10-gm-chapters", "D90", "III"),
        ("icd-10-who-groups", "I21.0", "I20-I25"),
        ("icd-10-gm-groups", "C50.9 G", "C50"),
        ("icd-10-gm-groups", "O09.6!", "O09"),
        ("icd-10-gm-groups", "A97.9", "A90-A99"),
        ("icd-10-who-groups", "X90", "X85-Y09"),
        ("icd-10-who-groups", "U07.1", "U00-U49"),
        ("icd-9-cm-chapters", "250.83", "240-279"),
        ("icd-9-cm-chapters", "25083", "240-279"),
        ("icd-9-cm-chapters", "V45", "V01-V99"),
        ("icd-9-cm-chapters", "E909", "E000-E999"),
        ("icd-9-cm-chapters", "8", "001-139"),
        ("icd-9-cm-chapters", "38.9", "001-139"),
        ("atc-level-1", "C09AA02", "C"),
        ("atc-level-2", "C09AA02", "C09"),
        ("ops-chapters", "5-470.11", "5"),
    ],
)
def test_known_codes_land_where_they_belong(key: str, code: str, value: str) -> None:
    assert values(LISTS[key], code) == [value]


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("icd-10-who-chapters", "D90"),
        ("icd-10-gm-chapters", "Y85"),
        ("icd-10-who-groups", "O09"),
        ("icd-10-who-groups", "A10"),
        ("atc-level-1", "QJ01CA04"),
        ("atc-level-2", "C06"),
        ("ops-chapters", "7-100"),
    ],
)
def test_codes_of_no_entry_land_nowhere(key: str, code: str) -> None:
    assert values(LISTS[key], code) == []


THREE = [
    "".join(each) for each in product("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "0123456789")
]


@pytest.mark.parametrize("edition", ["who", "gm"])
def test_a_category_has_one_chapter_and_one_group_at_most(edition: str) -> None:
    chapters, groups = (LISTS[f"icd-10-{edition}-{kind}"] for kind in ("chapters", "groups"))
    within: dict[str, set[str]] = {}
    for code in THREE:
        chapter, group = values(chapters, code), values(groups, code)
        assert len(chapter) <= 1
        assert len(group) <= len(chapter)
        if group:
            within.setdefault(group[0], set()).add(chapter[0])
    assert set(within) == {entry.value for entry in groups.entries}
    assert all(len(found) == 1 for found in within.values())
    assert {chapter for found in within.values() for chapter in found} == {
        entry.value for entry in chapters.entries
    }


def test_groups_of_drugs_lie_in_one_letter_each() -> None:
    letters = [values(LISTS["atc-level-1"], entry.value) for entry in LISTS["atc-level-2"].entries]
    assert all(len(found) == 1 for found in letters)
    assert {found[0] for found in letters} == {
        entry.value for entry in LISTS["atc-level-1"].entries
    }


def test_every_diagnosis_of_a_real_file_has_one_chapter(shared_data: Path) -> None:
    path = shared_data / "diabetes130" / "diabetic_data.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        codes = {row[f"diag_{place}"] for row in csv.DictReader(stream) for place in "123"}
    found = LISTS["icd-9-cm-chapters"]
    assert {code for code in codes if len(values(found, code)) != 1} == {"?"}
    assert len(codes) > 900


ICD_10 = {key for key in SIZES if key.startswith("icd-10")}
GERMAN = {key for key in SIZES if key.startswith("icd-10-gm")}
DIAGNOSES = ICD_10 | {"icd-9-cm-chapters"}


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        ("icd ICD_Code diag_1 Hauptdiagnose DX1 primary_diagnosis icd_aufnahme", DIAGNOSES),
        ("icd10 ICD-10-Code icd_10", ICD_10),
        ("icd10gm ICD-10-GM", GERMAN),
        ("Todesursache cause_of_death", ICD_10 - GERMAN),
        ("icd9 ICD9_code icd_9_cm", {"icd-9-cm-chapters"}),
        ("atc ATC_Code atc_1", {"atc-level-1", "atc-level-2"}),
        ("ops OPS-Code Prozedurencode ops_1", {"ops-chapters"}),
        ("icd10_chapter ICD-Kapitel diagnosis_date Diagnosetext icd_text diagnosis_group", set()),
        ("atc_level drops opsin age sex diagnostic procedure atcc number_diagnoses", set()),
    ],
)
def test_lists_are_found_by_what_the_column_is_called(headers: str, wanted: set[str]) -> None:
    found = {name: {each.key for each in code_lists_for(name)} for name in headers.split()}
    assert found == dict.fromkeys(headers.split(), wanted)


def test_a_label_says_what_the_header_does_not() -> None:
    assert {each.key for each in code_lists_for("v17", "ICD-10 code")} == ICD_10
    assert code_lists_for("v17", "ICD-10 chapter") == ()
