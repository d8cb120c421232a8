# SPDX-License-Identifier: Apache-2.0
"""What a dossier says: every item that an officer asks for, in both languages, no verdict."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import get_type_hints

import pytest

from dpdesk.catalogue import read_entries
from dpdesk.privacy.planning.best_guess import best_guess_in_100
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.html_page import html_bytes
from dpdesk.release.bundle.report.pdf_pages import pdf_bytes
from dpdesk.release.bundle.report.report_blocks import (
    Blanks,
    Figures,
    Paragraph,
    Report,
    Section,
    Terms,
)
from dpdesk.release.dossier.blocks import MOST_ROWS, grid
from dpdesk.release.dossier.constants import column_constants, constants
from dpdesk.release.dossier.dossier_check import check_dossier
from dpdesk.release.dossier.dossier_file import build_dossier, dossier_report
from dpdesk.release.dossier.identifiability import attacks, risks
from dpdesk.release.dossier.label import unprotected
from dpdesk.release.dossier.machine_readable import dossier_members
from dpdesk.release.dossier.proofs import proof, sensitivity
from dpdesk.release.dossier.subject import Subject, subject_of
from dpdesk.release.dossier.utility import utilities
from dpdesk.release.record.values import ChainPlace
from dpdesk.release.verify.active_content import is_plain_report
from dpdesk.release.verify.plain_documents import is_plain_pdf
from dpdesk.release.verify.verification import Verification, verify
from dpdesk.study.model.columns import YesNoColumn
from dpdesk.study.model.unit import Unit
from tests.release.bundles import KEY, KNOWN, done
from tests.release.dossier.dossiers import STATED, dossier, subject
from tests.release.liar import ZCDP, honest
from tests.source_files import ROOT

ITEMS = (
    "Privacy label",
    "Context (ISO/IEC 27559, clause 6)",
    "Data: declared constants and their sources (ISO/IEC 27559, clause 7)",
    "What is not protected",
    "Singling out",
    "Linkability",
    "Inference",
    "Adversarial tests on made-up data (ISO/IEC 27559, 8.2.3)",
    "Statistics: sensitivity, mechanism, proof",
    "Utility: margins and clipping",
    "Account history",
    "Hazards (NIST SP 800-226)",
    "Software and bill of materials",
    "Governance and decision (ISO/IEC 27559, clause 9)",
    "The bundle",
    "Sources",
)


def text_of(about: Subject) -> str:
    """Everything a reader sees of the page."""
    page = html_bytes(dossier_report(about)).decode("utf-8")
    return unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL))


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_item_has_its_heading(language: str) -> None:
    words = ReleaseWords.of(language)
    found = [section.title for section in dossier_report(subject(language=language)).sections]
    assert [title for title in map(words.say, ITEMS) if title not in found] == []


def test_every_sentence_of_a_dossier_is_translated() -> None:
    text = (ROOT / "resources" / "texts" / "de.po").read_text(encoding="utf-8")
    blocks = [block for block in text.split("\n\n") if "release/dossier/" in block]
    entries = [entry for block in blocks for entry in read_entries(block)]
    assert len(entries) > 150
    assert [e.source for e in entries if not all(e.forms) or e.is_fuzzy] == []


def test_what_was_typed_in_stands_in_it_and_what_was_not_is_named() -> None:
    text = text_of(subject())
    assert all(one in text for one in STATED.members.values())
    silent = text_of(subject(replace(STATED, legal_route="", review_date="")))
    assert silent.count("not stated") == 2


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_verdict_of_anonymity_is_given(language: str) -> None:
    """The word stands where a verdict is refused, in a title of a source, and nowhere else."""
    said = text_of(subject(language=language))
    sentences = [s for s in re.split(r"(?<=[.:;])\s", said) if re.search("anonym", s, re.I)]
    allowed = re.compile(r"no(?:t a)? verdict|kein Urteil|Opinion 05/2014")
    assert len(sentences) >= 3
    assert [s for s in sentences if not allowed.search(s)] == []


def test_the_numbers_are_those_of_the_claim_and_of_the_account() -> None:
    record = done().stored.record
    for risk in risks(record):
        prior = Fraction(1, risk.one_in)
        game = "presence" if (risk.test, risk.one_in) == ("linkability", 2) else "statement"
        release = best_guess_in_100(record.claim.total, record.claim.delta, prior, game)
        life = best_guess_in_100(record.account.total, record.account.delta, prior, game)
        assert (risk.release, risk.life) == (release, life)
        assert 100 / risk.one_in < release < life
    assert {risk.test for risk in risks(record)} == {"singling-out", "linkability", "inference"}


def test_attacks_are_counted_the_same_again_and_price_their_repeats() -> None:
    record = done().stored.record
    first, *repeats = attacks(record)
    assert attacks(record)[0] == first and first.name == "motivated-intruder"
    assert [attack.repeats for attack in repeats] == [1, 4, 16, 64]
    costs = {n: n * record.queries[0].draws[0].share.units for n in (1, 4, 16, 64)}
    affordable = {a.repeats: a.is_affordable for a in repeats}
    assert affordable == {n: cost <= record.account.total.units for n, cost in costs.items()}
    assert set(affordable.values()) == {True, False}


def test_every_declared_constant_is_listed_with_its_source() -> None:
    study = done().stored.record.study.study
    assert study is not None
    listed = constants(subject())
    for column in study.columns:
        assert [c.source for c in listed if c.about == (column.title or column.name)] == [
            column.basis,
            column.basis,
        ]
    shares = [c.declared for c in listed if c.what == "Share of the budget"]
    assert shares == [f"{q.share} epsilon" for q in done().stored.record.queries]


def test_of_a_yes_no_column_it_is_said_which_texts_mean_what() -> None:
    column = YesNoColumn("back", yes=("ja", "1"), no=("nein",))
    listed = next(column_constants(column, ReleaseWords.of("en")))
    assert listed.declared == "Means yes: ja, 1; Means no: nein"


FLAGS = [name for name, kind in get_type_hints(ChainPlace).items() if kind is bool]


@pytest.mark.parametrize("flag", FLAGS)
def test_what_casts_doubt_on_the_history_stands_in_the_dossier(flag: str) -> None:
    about = subject()
    place = replace(about.record.place, **{flag: True})  # type: ignore[arg-type]
    release = replace(about.release, record=replace(about.record, place=place))
    doubted = replace(about, release=release)
    (said,) = set(unprotected(doubted)) - set(unprotected(about))
    # Once among what is not protected, once with the account's history.
    assert text_of(doubted).count(said) == 2 and said not in text_of(about)
    assert dossier_members(doubted)["account"][flag] is True


@pytest.mark.parametrize("language", ["en", "de"])
def test_page_and_pages_say_the_same_and_run_nothing(language: str) -> None:
    files = unpack(dossier(language))
    assert is_plain_report(files["dossier.html"])
    assert is_plain_pdf(files["dossier.pdf"])
    report = dossier_report(subject(language=language))
    kinds = {type(block) for section in report.sections for block in section.blocks}
    assert kinds == {Paragraph, Terms, Figures, Blanks}
    assert pdf_bytes(report).count(b"/Type /Page\n") >= 5


def test_programs_read_the_same_facts() -> None:
    members = json.loads(unpack(dossier())["dossier.json"])
    record = done().stored.record
    assert members["stated"] == STATED.members
    assert members["label"]["total"] == str(record.claim.total)
    assert [s["id"] for s in members["statistics"]] == [q.id for q in record.queries]
    assert all(s["sensitivity"] and s["proof"] for s in members["statistics"])
    assert [c["entry"] for c in members["account"]["charges"]] == [
        c.sequence for c in record.account.charges
    ]
    assert len(members["hazards"]) >= 15
    assert members["software"]["opendp_library_sha256"] == record.software.opendp_library_sha256


def test_no_page_of_the_package_names_a_clock() -> None:
    for path in Path(ROOT / "dpdesk" / "release" / "dossier").glob("*.py"):
        assert not re.search(r"\bnow\(|time\.time|\btoday\(", path.read_text(encoding="utf-8"))


CHANGED = replace(ZCDP.unit or Unit(), neighbours="change-one", people=400)
KINDS = {
    "zcdp": ZCDP,
    "change-one": replace(ZCDP, unit=CHANGED),
    "rows": replace(ZCDP, unit=Unit()),
}


@lru_cache(maxsize=3)
def of_kind(kind: str) -> Verification:
    return verify(honest(KINDS[kind]), KNOWN)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.in_turn(2)
def test_every_kind_of_release_has_its_dossier(kind: str, language: str) -> None:
    """Choices, texts found in the data, rho, a public number, and rows that nobody connects."""
    found = of_kind(kind)
    words = ReleaseWords.of(language)
    about = subject_of(found, STATED, words)
    text = text_of(about)
    assert all(words.say(title) in text for title in ITEMS)
    assert check_dossier(build_dossier(about, KEY), KNOWN, [found]).remade == "yes"
    for query in about.record.queries:
        assert proof(about, query) and sensitivity(about, query)


def test_a_public_number_is_named_as_not_protected_and_a_row_as_what_is() -> None:
    english = ReleaseWords.of("en")
    changed = subject_of(of_kind("change-one"), STATED, english)
    assert next(iter(unprotected(changed))).startswith("The number of people in the data, 400")
    rows = text_of(subject_of(of_kind("rows"), STATED, english))
    assert "exactly one row has it" in rows and "person with several of them" in rows


def test_a_value_is_betrayed_less_where_all_worlds_are_neighbours() -> None:
    record = subject_of(of_kind("change-one"), STATED, ReleaseWords.of("en")).record
    by_test = {risk.test: risk for risk in risks(record) if risk.one_in == 2}
    assert by_test["inference"].life <= by_test["singling-out"].life


def test_a_form_to_fill_in_stays_on_one_page_with_its_heading() -> None:
    """However long what stands before it: no page begins between heading and last line."""
    blanks = Blanks(("box",) * 4, ("line",) * 6)
    for lines in range(20, 60):
        before = Section("before", tuple(Paragraph("x") for _ in range(lines)))
        form = Section("form", (blanks,))
        words = ReleaseWords.of("en")
        with_form = Report("t", "", words, (), (before, form))
        pages = pdf_bytes(with_form).split(b"endstream")
        holding = [page for page in pages if page.count(b" re ") or page.count(b" re\n")]
        assert len(holding) == 1, lines


def test_a_long_table_is_cut_on_paper_and_says_so() -> None:
    words = ReleaseWords.of("en")
    table, cut = grid(("Head",), ((str(n),) for n in range(MOST_ROWS + 1)), words)
    assert isinstance(table, Figures) and len(table.rows) == MOST_ROWS
    assert isinstance(cut, Paragraph) and "150 of 151 lines" in cut.text
    assert len(grid(("Head",), (("x" * 900,),), words)[0].rows[0].cells[0]) < 500  # type: ignore[union-attr]


def test_margins_name_what_they_count_and_times_are_the_languages() -> None:
    units = {found.query: found.unit for found in utilities(subject())}
    statistics = {query.id: query.statistic for query in subject().record.queries}
    counted = [unit for query, unit in units.items() if statistics[query].startswith("count")]
    assert counted and set(counted) <= {"rows", "people"}
    day = subject().record.time[:10]
    german = text_of(subject(language="de"))
    assert day not in german and ".".join(reversed(day.split("-"))) in german
    assert not re.findall(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b|[0-9] epsilon\b", german)
