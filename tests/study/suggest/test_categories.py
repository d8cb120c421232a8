# SPDX-License-Identifier: Apache-2.0
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.limits import MAX_TEXT
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.suggest.categories import CategoryList, category_lists, suggest_categories

LISTS = {found.key: found for found in category_lists()}


@pytest.mark.parametrize("found", LISTS.values(), ids=LISTS)
def test_a_list_is_one_that_a_column_accepts(found: CategoryList) -> None:
    column = CategoryColumn("x", found.values, basis=found.basis)
    assert not list(check_column(column, "$.columns[0]", missing=("?", "NULL")))
    assert found.source and len(found.source) <= MAX_TEXT
    assert found.english and found.german


def test_the_lists_hold_what_they_are_named_after() -> None:
    assert len(LISTS["countries-alpha-2"].values) == 249
    assert {"DE", "GB", "NA"} <= set(LISTS["countries-alpha-2"].values)
    assert {"DEU", "GBR", "NAM"} <= set(LISTS["countries-alpha-3"].values)
    assert "Germany" in LISTS["countries-names"].values
    assert "XK" not in LISTS["countries-alpha-2"].values
    chapters = LISTS["icd-10-chapters"].values
    assert (len(chapters), chapters[0], chapters[-1]) == (22, "A00-B99", "U00-U99")
    assert LISTS["age-five-years"].values[:2] == ("0-4", "5-9")
    assert LISTS["age-five-years-85"].values[-2:] == ("80-84", "85+")
    assert LISTS["age-ten-years"].values[-2:] == ("90-99", "100+")
    assert len(LISTS["nyha"].values) == 4
    assert len(LISTS["asa"].values) == 6
    assert len(LISTS["esi"].values) == len(LISTS["ctas"].values) == 5
    assert len(LISTS["manchester-levels"].values) == len(LISTS["manchester-colours"].values) == 5
    assert len(LISTS["blood-groups"].values) == 8


def test_namibia_is_noted_as_a_frequent_marker_of_missing_cells() -> None:
    assert "Namibia" in LISTS["countries-alpha-2"].note


def keys(name: str, label: str = "") -> set[str]:
    return {found.key for found in suggest_categories(name, label)}


SEX = {"sex-fhir", "sex-letters", "sex-german", "sex-iso-5218"}
COUNTRIES = {"countries-alpha-2", "countries-alpha-3", "countries-names"}
BANDS = {"age-five-years", "age-five-years-85", "age-ten-years"}
MANCHESTER = {"manchester-colours", "manchester-levels"}


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        ("sex gender Geschlecht GENDER PatientSex sex_1", SEX),
        ("country Geburtsland country_of_birth Land Staatsangehörigkeit", COUNTRIES),
        ("age_group Altersgruppe ageBand age_band_5 AgeCategory", BANDS),
        ("icd10_chapter ICD-Kapitel icd_10_chapter", {"icd-10-chapters", "icd-10-chapter-numbers"}),
        ("nyha NYHA_class NYHA-Stadium nyha_baseline", {"nyha"}),
        ("asa ASA_class asa_score asa_1", {"asa", "asa-digits"}),
        ("mts manchester_triage", MANCHESTER),
        ("esi esi_level", {"esi"}),
        ("ctas", {"ctas"}),
        ("triage triage_level", MANCHESTER | {"esi", "ctas"}),
        ("blood_group Blutgruppe bloodType ABO", {"blood-groups", "blood-groups-abo"}),
    ],
)
def test_headers_of_both_languages(headers: str, wanted: set[str]) -> None:
    assert {name: keys(name) for name in headers.split()} == dict.fromkeys(headers.split(), wanted)


FRIENDS = """
Essex sexual_history island landmark Bundesland gender_date sex_hormone_binding agegroupie age asap
nasal nyhavn esirna abortion mtstar triage_time blood_group_date sexton country_name_of_partner
partner_sex transgender asa_dose aspirin_asa_mg group
"""


@pytest.mark.parametrize("name", FRIENDS.split())
def test_no_false_friends(name: str) -> None:
    assert keys(name) == set()


def test_the_label_counts_where_the_header_says_nothing() -> None:
    assert keys("v4", "Sex at birth") == SEX
    assert keys("v4", "Has the sex been recorded?") == set()


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_header_is_answered(name: str, label: str) -> None:
    assert len(suggest_categories(name, label)) <= len(LISTS)
