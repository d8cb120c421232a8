# SPDX-License-Identifier: Apache-2.0
"""The annual report is one release about three tables; anyone who has its bundle checks it."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from openpyxl import load_workbook

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.report.pdf_pages import BOTTOM, TOP
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.record.values import form_in
from dpdesk.release.verify.verification import verify
from tests.acceptance.annual.report import released
from tests.attacks.figures import figures, passes, signed
from tests.doors import RecordingDoor
from tests.release.bundles import KEY, KNOWN
from tests.turns import in_turn


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Its bundle in German, of a small registry."""
    done = released(tmp_path_factory.mktemp("registry"), patients=600, language="de")
    return build(done.stored, done.chain, KEY, form_in("de"))


def test_a_small_registry_has_its_report(raw: bytes) -> None:
    assert verify(raw, KNOWN).is_good
    files = unpack(raw)
    page = files["report.html"].decode()
    for title in ("Patienten des Registers", "Überleben nach Erstkontakt", "Synthetische"):
        assert title in page
    for said in (
        "Anteil der Patienten in der Kategorie „Raucher“ (Rauchen) nach Region",
        "Zu den 100 % zählen nur Patienten, bei denen gilt: Rauchen „Raucher“ oder „Nichtraucher“",
        "Abschnitt 10 bezieht Prozente zu Rauchen auf eine andere Gesamtheit",
        "Abschnitt 1 bezieht Prozente zu Rauchen auf eine andere Gesamtheit",
        "Prozent beziehen sich auf n, alle Patienten der Spalte",
        "Geschlecht zählt als „Divers oder unbekannt“",
        "„Andere oder unbekannt“ enthält auch Patienten ohne Wert: nicht in Ranglisten oder",
        "Tests damit stehen nicht hier, sondern in comparisons/raucher-nach-region",
        "haben nach Gruppen berechnete Ergebnisse über Aufenthalte keinen Bereich",
        "Gezählt wurden",
        "Eine andere Freigabe derselben Daten, etwa in anderer Sprache",
        "Tage bis zum Tod oder, wenn dort kein Wert steht, Tage bis Ende 2025",
        "Nicht gezählt: Aufenthalte ohne verwendbaren Wert in „Aufnahme“ oder „HbA1c",
        "Altersgruppen: 15 bis 49, 50 bis 59, 60 bis 69, 70 bis 79, 80 bis 89, 90 bis 100.",
        "Europastandardbevölkerung 2013, auf Alter ab 15 Jahren gekürzt: 84.000 ihrer 100.000",
        "Nicht adjustiert",
        "Zitieren Sie für Gesamtzahlen die Kennzahlen",
        "Werten Sie diese Zeilen nicht aus",
    ):
        assert said in page.replace("\xa0", " "), said
    first = page[: page.index("<section")]
    assert "<dd>Patienten in Abschnitten 1 bis 3, 9, 10 und 12 bis 14; Aufenthalte in" in first
    assert "<dd>Aufenthalte, patienten, labor</dd>" in first
    stated = first[first.index("Wichtigste Ergebnisse") :]
    for number, said in re.findall(r"<dt>(\d+) [^<]*</dt><dd>([^<]*)</dd>", stated):
        section = page[page.index(f'<section id="s{number}">') :].partition("</section>")[0]
        assert said in section, "a finding is a sentence of its section"
    assert "Zu verrauscht zum Zitieren" in stated
    # What is asked has a column of its own, behind the custodian's title: nothing is said twice.
    single = page[page.index("Ergebnisse ohne Gruppen</h2>") :].partition("</table>")[0]
    assert "<td>Mittlere Verweildauer</td><td>Mittelwert: Verweildauer (Tage)</td>" in single
    assert "je Patient der Patienten" not in page and "Aufenthalte je Patient nach Region" in page
    assert re.search("Die Mediane: [0-9]+ bis|Alle Mediane betragen", page)
    words = re.sub(r"(?s)<(style|svg).*?</\1>", "", page)
    assert "95\xa0%" in words
    assert re.findall("[0-9] %|± [0-9]|p = ", words) == [], "a line is broken before a sign"
    sheets = load_workbook(io.BytesIO(files["results.xlsx"]))
    # Down each column: where name and finding wrap, their lines are side by side.
    columns = sheets["Inhalt"].iter_cols()
    cover = " ".join(str(cell.value) for column in columns for cell in column if cell.value)
    assert "Patienten in Blättern 1 bis 3, 9, 10, 12 und 13; Aufenthalte in Blättern" in cover
    for _number, said in re.findall(r"<dt>(\d+) [^<]*</dt><dd>([^<]*)</dd>", stated):
        assert said.replace("\xa0", " ") in cover, "the cover has the findings of the report"
    about = " ".join(str(cell.value) for row in sheets["Daten"] for cell in row if cell.value)
    assert "in jeder Sprache englisch: „15 to 29“" in about
    assert re.search("2025: [^<]*(mehr als|weniger als|gegenüber) 2024", page)
    assert ">von 1 bis" not in page and "Rang ±" not in page, "a median has its range"
    assert re.search("<text class=.t-quiet small[^>]*>[^<]+ bis [^<]+</text>", page), (
        "a bar has the range of its whisker"
    )
    assert "ist die Freigabe" in files["README.txt"].decode()
    _adds_up_years(page, files["results/aufenthalte-je-quartal.csv"].decode())
    charts = re.findall("<svg[^>]*><title>([^<]*)</title>", page)
    assert len(charts) == len(set(charts)) > 2, "each chart has an alternative of its own"
    curves = page[page.index("<h2>12 ") : page.index("<h2>13 ")]
    for row in (
        "Ohne Ereignis bis 365 Tage",
        "Mediane Zeit",
        "Differenz zur Gruppe Raucher bis 730",
    ):
        assert f"<th>{row}" in curves
    assert "Log-Rank-Test" not in curves, "a test that counts a mixed group is in its file alone"
    assert re.search(
        r"Log-Rank-Test( \(Frauen und Männer\): Chi-Quadrat [^;.]*; p|: vom Rauschen verdeckt\.)",
        page,
    )
    assert "Anzahl unter Risiko" in curves
    assert "Zensiert</th>" not in page, "the lines of the curves are in the workbook"
    assert {"tables/patienten-des-registers.csv", "synthetic/made-up-rows.csv"} <= files.keys()


def _adds_up_years(page: str, quarters: str) -> None:
    """The figures of whole years are the sums of their quarters."""
    rows = [line.split(",") for line in quarters.splitlines()[1:]]
    years = {
        year: sum(int(r[1]) for r in rows if r[0].startswith(year)) for year in ("2024", "2025")
    }
    row = page[page.index("<th>Ganze Jahre</th>") :].partition("</tr>")[0]
    figures = [one.replace(".", "") for one in re.findall(r"<(?:b|span)>([−\d.]+)</", row)]
    change = years["2025"] - years["2024"]
    assert figures == [str(years["2024"]), str(years["2025"]), str(change).replace("-", "−")]


def test_pages_of_tables_are_full(tmp_path: Path) -> None:
    """Without noise, so that the same lines are too noisy each time."""
    done = released(tmp_path, patients=600, language="de", door=RecordingDoor())
    content = unpack(build(done.stored, done.chain, KEY, form_in("de")))["report.pdf"]
    pages = re.findall(rb"stream\r?\n(1 0 0 1 0 0 cm.*?)endstream", content, re.DOTALL)
    last = next(n for n, page in enumerate(pages) if re.search(rb"13 Tf[^(]*\(A\) Tj", page))
    free = []
    for page in pages[:last]:
        lines = (float(y) for y in re.findall(rb"1 0 0 1 [0-9.]+ ([0-9.]+) Tm", page))
        lowest = min(y for y in lines if y > BOTTOM)
        free.append((lowest - BOTTOM) / (TOP - BOTTOM))
    assert len(free) > 8 and max(free) < 0.28, [round(one, 2) for one in free]
    # All findings are on the first page, before the contents.
    assert re.search(rb"nicht getestet", pages[0])


@pytest.mark.threat("G11")
def test_a_figure_altered_in_any_of_its_files_is_found_out(raw: bytes) -> None:
    files = unpack(raw)
    assert verify(signed(files), KNOWN).is_good
    for name in in_turn([name for name in files if figures(files, name)], 16):
        assert not passes(files, name, figures(files, name)[-1]), name
