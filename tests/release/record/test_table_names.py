# SPDX-License-Identifier: Apache-2.0
"""Files of a bundle are called after what they hold, on every system that unpacks them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.record.table_names import MOST, names_in, slug, table_names
from dpdesk.release.verify.zip_reader import is_expected_name
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.limits import DEVICE_NAMES
from dpdesk.study.text.titles import title
from tests.source_files import ROOT

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
ODD = ["con", "NUL", "com1", "lpt¹", "LPT¹", "Aux.", "PRN ", "CON", "Ⓒon", "", "年齢", "—", "-",
       "\uff43\uff4f\uff4e", "=1+1", "../../etc/passwd", "C:\\x", "a/b", "x\u202egnp.exe",
       "\x1b[31m", "x" * 10_000, "Table", "table 2", "İstanbul", "\u017f", "ﬁ", "<b>x</b>",
       "a,b;c", "con 2", "----"]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Größe der Männer, älter als 65", "groesse-der-maenner-aelter-als-65"),
        ("Straße", "strasse"),
        ("Séjour à l’hôpital", "sejour-a-l-hopital"),
        ("Łódź, Ærø, Ångström, þing", "lodz-aeroe-aangstroem-thing"),
        ("Größe", "groesse"),
        ("a年b", "a-b"),
        ("lpt¹", "table-lpt1"),
        ("年齢", "table"),
        (
            "Mean of time in hospital (days), by sex, where age from 18 to 64",
            "mean-of-time-in-hospital-days-by-sex-where-age",
        ),
    ],
)
def test_a_title_becomes_a_name(title: str, name: str) -> None:
    assert slug(title) == name


def test_names_that_would_be_one_file_on_some_system_are_numbered() -> None:
    titles = ["Stays", "STAYS", "stays!", "Stays 2", "stays-2", "con", "CON", "年", "齢"]
    assert table_names(titles) == (
        *("stays", "stays-2", "stays-3", "stays-2-2", "stays-2-3"),
        *("table-con", "table-con-2", "table", "table-2"),
    )


@given(st.lists(st.one_of(st.text(max_size=120), st.sampled_from(ODD)), max_size=30))
def test_names_are_always_safe_short_and_different(titles: list[str]) -> None:
    names = table_names(titles)
    assert len(set(names)) == len(titles)
    for name in names:
        assert NAME.fullmatch(name) and len(name) <= MOST and name not in DEVICE_NAMES
        assert is_expected_name(f"results/{name}.csv")


def test_two_hundred_equal_titles_have_two_hundred_names() -> None:
    names = table_names(["x" * 60] * 200)
    assert len(set(names)) == 200 and max(map(len, names)) == MOST


@pytest.mark.parametrize("name", ["a" * 49, "con", "a_b", "A", "-a", "a-", "ä", "a.b"])
def test_no_other_name_is_expected(name: str) -> None:
    assert not is_expected_name(f"results/{name}.csv")


def test_parts_of_a_table_1_are_named_by_what_the_study_calls_it() -> None:
    """Their sentences are English, whatever the study's language."""
    path = ROOT / "tests" / "golden" / "studies" / "epsilon-table-one.dpdesk"
    study = study_from_bytes(path.read_bytes())
    titles = {query.id: title(study, query) for query in study.queries}
    parts = [query.id for query in study.queries if query.component is not None]
    names = dict(zip(titles, names_in(study, titles.items()), strict=True))
    (table,) = study.baseline_tables
    called = slug(table.title or table.id)
    assert parts and all(names[id].startswith(called) for id in parts)
    assert not any("count-of" in names[id] or "for-each" in names[id] for id in parts)
    assert names_in(None, titles.items()) == table_names(titles.values())
