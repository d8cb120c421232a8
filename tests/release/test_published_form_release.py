# SPDX-License-Identifier: Apache-2.0
"""Counts published whole or rounded in a release: one draw serves every form; Verify sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.comparison.compare_records import compare_records
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_stored
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import record_of, release
from tests.release.test_consistent_release import COUNTS, altered_bundle, released, study_of, values


def asked(rounding: int | None, whole: bool) -> Study:
    queries = (replace(query, whole_numbers=whole) for query in COUNTS)
    return replace(study_of(Epsilon.of("0.5"), *queries), rounding=rounding)


def again(study: Study, folder: Path) -> ReleaseDone:
    return release(study, folder, Ledger.open(Home.at(folder / "home")), OpenDPDoor())


@pytest.mark.parametrize(("rounding", "whole"), [(None, True), (5, False), (10, True)])
def test_a_release_says_the_form_of_its_counts_and_is_made_again(
    rounding: int | None, whole: bool, tmp_path: Path
) -> None:
    done = released(asked(rounding, whole), tmp_path)
    for name in ("all", "wards", "sexes", "both"):
        figures = values(done, name).values()
        assert all(figure % (rounding or 1) == 0 for figure in figures)
        assert not whole or min(figures) >= 0
    assert parse_stored(record_of(done)) == done.stored
    raw = build(done.stored, done.chain, KEY)
    assert verify(raw, KNOWN).is_good
    page, package = (unpack(raw)[name].decode() for name in ("report.html", "datapackage.json"))
    said = "rounded to 5 after the noise" if rounding == 5 else "whole numbers"
    said = "rounded to 10 after the noise" if rounding == 10 else said
    for text in (page, package):
        assert said in text and "may no longer add up exactly" in text
        assert ("a count of 0 by up to" in text) == whole
        assert "These figures were made to add up" not in text


Change = Callable[[str], str]


def first_figure(change: Callable[[list[str]], None]) -> Change:
    def altered(text: str) -> str:
        head, first, *rest = text.splitlines(keepends=True)
        cells = first.rstrip("\n").split(",")
        change(cells)
        return "".join((head, ",".join(cells) + "\n", *rest))

    return altered


@pytest.mark.threat("G8")
def test_a_figure_rounded_otherwise_and_a_smaller_margin_are_found(tmp_path: Path) -> None:
    done = released(asked(5, True), tmp_path)
    (query,) = (one for one in done.stored.record.queries if one.id == "all")
    row = done.stored.tables[0].rows[0]
    roles = [column.role for column in done.stored.tables[0].columns]
    figure, margin = roles.index("value"), roles.index("half-width")

    def put(place: int, number: int) -> Change:
        return first_figure(lambda cells: cells.__setitem__(place, str(number)))

    for forged in (
        put(figure, int(row[figure]) + 5),
        put(figure, 5 * (int(row[figure]) // 5) + 1),
        put(margin, int(row[margin]) - 1),
    ):
        raw = altered_bundle(done, f"results/{query.name}.csv", forged)
        assert [problem.code for problem in verify(raw, KNOWN).whole] == [
            "bundle-file-not-as-drawn"
        ]
    for said in ("rounded to 5", "a count of 0 by up to"):
        raw = altered_bundle(done, "report.html", lambda text, said=said: text.replace(said, "", 1))
        assert "bundle-file-not-as-drawn" in [problem.code for problem in verify(raw, KNOWN).whole]


def test_a_record_says_the_form_of_a_table_in_one_way(tmp_path: Path) -> None:
    done = released(asked(5, True), tmp_path)
    for key, wrong in (
        ("rounded_to", 0),
        ("rounded_to", True),
        ("rounded_to", "5"),
        ("excess_at_zero", ""),
        ("excess_at_zero", "-3"),
        ("excess_at_zero", 3),
    ):
        members = record_of(done)
        assert key in members["tables"][0]
        members["tables"][0][key] = wrong
        with pytest.raises(Refused):
            parse_stored(members)


def test_another_form_on_the_same_extract_is_charged_nothing_and_has_the_same_draw(
    tmp_path: Path,
) -> None:
    first = released(asked(None, False), tmp_path)
    spent = first.stored.record.account.spent_after
    for rounding, whole in ((5, False), (10, True), (None, True), (None, False)):
        done = again(asked(rounding, whole), tmp_path)
        account = done.stored.record.account
        assert (account.spent_before, account.spent_after) == (spent, spent)
        drawn = [query.drawn for query in done.stored.record.queries]
        assert drawn == [query.drawn for query in first.stored.record.queries]
        assert verify(build(done.stored, done.chain, KEY), KNOWN).is_good
        rounded = [table.rounded_to for table in done.stored.tables]
        assert rounded == [rounding or int(whole)] * len(rounded)
        # One draw that is seen twice differs in nothing, in whatever form it was published.
        (compared,) = (
            q
            for q in compare_records(first.stored.record, done.stored.record).queries
            if q.title == done.stored.record.queries[0].title
        )
        assert compared.is_same_answer and compared.lines[0].difference.value == 0
    assert again(asked(None, False), tmp_path).stored.tables == first.stored.tables


def test_two_draws_are_compared_across_forms(tmp_path: Path) -> None:
    first = released(asked(None, False), tmp_path)
    other = tmp_path / "later"
    other.mkdir()
    later = released(asked(10, True), other)
    compared = compare_records(first.stored.record, later.stored.record)
    assert len(compared.queries) == len(COUNTS) and not compared.others
    shown = values(later, "wards")
    (wards,) = (
        query for query in compared.queries if query.title == later.stored.record.queries[1].title
    )
    for line in wards.lines:
        assert line.difference.later is not None
        assert line.difference.later.value == shown[line.labels]
