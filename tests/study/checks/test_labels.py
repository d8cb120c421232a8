# SPDX-License-Identifier: Apache-2.0
"""The printed names of a category's values: what is refused, in which words, and what is kept."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes, study_to_members
from dpdesk.study.model.columns import (
    CategoryColumn,
    NumberColumn,
    YesNoColumn,
    group_index,
    group_labels,
    group_name,
    value_labels,
)
from dpdesk.study.model.conditions import IsIn, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, Refused
from dpdesk.texts.problems import sentence
from tests.release.studies import STUDY, women
from tests.strategies import category_columns

SEX = CategoryColumn("sex", ("1", "2"), labels=("Female", "Male"))
AT = "$.columns[1].labels"


def declaring(column: CategoryColumn, *values: str) -> Study:
    """The small study with a category, and a condition on its groups."""
    asked = replace(women(), where=(IsIn("sex", values or (column.values[0],)),))
    return replace(STUDY, columns=(STUDY.columns[0], column), queries=(asked,))


def found(column: CategoryColumn) -> list[tuple[str, str]]:
    return [(p.path, sentence(p)) for p in check(declaring(column))]


@pytest.mark.parametrize(
    ("labels", "path", "words"),
    [
        (
            ("Female",),
            AT,
            "Values and labels differ in number (2 and 1); give each value one label, or none of "
            "them.",
        ),
        (
            ("Female", "Male", "Other"),
            AT,
            "Values and labels differ in number (2 and 3); give each value one label, or none of "
            "them.",
        ),
        (("", "Male"), f"{AT}[0]", "A label is empty; enter the name of its value."),
        (("Female", " \u00a0"), f"{AT}[1]", "A label is empty; enter the name of its value."),
        (
            ("Male", "Male "),
            f"{AT}[1]",
            "Two values have the label “Male”; give each a label of its own.",
        ),
        (
            ("Ma\u0308nner", "M\u00e4nner"),
            f"{AT}[1]",
            "Two values have the label “M\u00e4nner”; give each a label of its own.",
        ),
        (
            ("2", "Male"),
            f"{AT}[0]",
            (
                "The label “2” is also another value of the list, so a cell could mean either; "
                "choose another label."
            ),
        ),
        (
            ("Female", "?"),
            f"{AT}[1]",
            "“?” is declared as missing and cannot be a label; change it in one of the two places.",
        ),
        (
            ("(other)", "Male"),
            f"{AT}[0]",
            "“(other)” is a name that dpdesk itself uses; choose another label.",
        ),
        (
            ("Female", "(missing)"),
            f"{AT}[1]",
            "“(missing)” is a name that dpdesk itself uses; choose another label.",
        ),
    ],
)
def test_what_is_refused_and_in_which_words(labels: tuple[str, ...], path: str, words: str) -> None:
    column = CategoryColumn("sex", ("1", "2"), labels=labels, missing_values=("?",))
    assert found(column) == [(path, words)]


@pytest.mark.parametrize(
    ("member", "path", "words"),
    [
        ('"Male"', AT, "Expected a list in square brackets here."),
        ("[1]", f"{AT}[0]", "Expected text in quotes here."),
        ('["a\\u0007"]', f"{AT}[0]", "This text contains invisible characters; type it again."),
        ('["a\\u202e"]', f"{AT}[0]", "This text contains invisible characters; type it again."),
        (
            f'["{"x" * 301}"]',
            f"{AT}[0]",
            "This text is longer than 300 characters; shorten it.",
        ),
        (
            f"[{', '.join(['1'] * 5001)}]",
            AT,
            "This list has more than 5000 entries; shorten it.",
        ),
    ],
    ids=["text", "number", "control", "bidirectional", "long", "many"],
)
def test_what_a_study_file_cannot_hold(member: str, path: str, words: str) -> None:
    text = study_to_bytes(declaring(SEX)).decode()
    start = text.index('"labels": ')
    end = text.index("]", start) + 1
    with pytest.raises(Refused) as refused:
        study_from_bytes(f'{text[:start]}"labels": {member}{text[end:]}'.encode())
    assert [(p.path, sentence(p)) for p in refused.value.problems] == [(path, words)]


@pytest.mark.parametrize("kind", ["number", "yes-no", "date"])
def test_only_a_category_has_labels(kind: str) -> None:
    raw = f'{{"dpdesk": 1, "columns": [{{"name": "a", "kind": "{kind}", "labels": ["x"]}}]}}'
    with pytest.raises(Refused) as refused:
        study_from_bytes(raw.encode())
    problem = refused.value.problems[0]
    assert (problem.path, problem.code) == ("$.columns[0].labels", "unknown-member")


def test_labels_of_no_values_are_too_many() -> None:
    column = CategoryColumn("sex", (), labels=("Female",))
    (problem,) = [p for p in check(declaring(column, "Female")) if p.path == AT]
    assert problem == Problem(AT, "labels-count-differs", {"labels": "1", "values": "0"})


def test_a_value_may_be_its_own_label() -> None:
    column = CategoryColumn("pain", ("0", "1", "2"), labels=("none", "1", "worst"))
    study = replace(STUDY, columns=(STUDY.columns[0], column), queries=(STUDY.queries[0],))
    assert check(study) == ()


def test_labels_are_saved_where_there_are_any() -> None:
    members = study_to_members(declaring(SEX))["columns"][1]
    assert members["labels"] == ["Female", "Male"]
    assert list(members)[2:4] == ["values", "labels"]
    assert "labels" not in study_to_members(declaring(replace(SEX, labels=())))["columns"][1]
    assert study_from_bytes(study_to_bytes(declaring(SEX))) == declaring(SEX)


def test_groups_are_called_by_their_labels() -> None:
    both = replace(SEX, unknown="category", missing="category")
    assert group_labels(both) == ("Female", "Male", "(other)", "(missing)")
    assert value_labels(both) == ("Female", "Male")
    assert group_labels(replace(both, labels=())) == ("1", "2", "(other)", "(missing)")
    assert group_labels(YesNoColumn("a", ("y", "1"), ("n",))) == ("n", "y")


def test_a_condition_names_a_group_by_label_or_by_code() -> None:
    both = replace(SEX, unknown="category")
    names = ("Female", "2", "(other)", "3", "female", " 1", "(missing)")
    assert [group_index(both, name) for name in names] == [0, 1, 2, None, None, None, None]
    assert [group_name(both, name) for name in names[:4]] == ["Female", "Male", "(other)", "3"]
    assert group_index(NumberColumn("n", Decimal(1), Decimal(2), Decimal(1)), "1") is None


@pytest.mark.parametrize("kind", [IsIn, IsNotIn])
def test_a_condition_on_what_is_neither_is_refused(kind: type[IsIn | IsNotIn]) -> None:
    asked = replace(women(), where=(kind("sex", ("1", "Male", "3")),))
    study = replace(declaring(SEX), queries=(asked,))
    key = "in" if kind is IsIn else "not_in"
    assert [(p.path, sentence(p)) for p in check(study)] == [
        (
            f"$.queries[0].where[0].{key}[2]",
            "“3” is not a listed value of “sex”; list it in Columns or remove it here.",
        )
    ]


@given(category_columns())
def test_no_text_means_two_groups(column: CategoryColumn) -> None:
    """Of a column that is accepted: a label that is a value is that value's own."""
    study = replace(STUDY, data=None, columns=(column,), queries=())
    assert not [p for p in check(study) if p.path.startswith("$.columns")]
    for index, (value, label) in enumerate(zip(column.values, value_labels(column), strict=True)):
        assert group_index(column, label) == group_index(column, value) == index


_texts = st.lists(st.text(max_size=4) | st.sampled_from("1 2 a"), max_size=4).map(tuple)


@given(_texts, _texts, st.text(max_size=4))
def test_no_texts_raise(values: tuple[str, ...], labels: tuple[str, ...], text: str) -> None:
    column = CategoryColumn("a", values, labels=labels, unknown="category")
    check(declaring(column, text))
    groups = group_labels(column)
    assert len(groups) == len(values) + 1
    assert group_index(column, text) in (None, *range(len(groups)))
