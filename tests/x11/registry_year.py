# SPDX-License-Identifier: Apache-2.0
"""A registry's year by one pair of hands: two annual reports, two people who sign, one correction.

Three raw tables, two of them workbooks with lines above their head, prepared columns, ten queries
of two templates, a series, a second person, a rehearsal, and what goes wrong on the way: days that
are written in another way than was taken for granted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from tests.x11.effort import Effort
from tests.x11.first_hour import Look
from tests.x11.hands import Hands
from tests.x11.year_files import CASE, YearFiles

OWNER, OTHER = "custodian", "second"
"""Two people, each at a computer of their own."""
SIGNERS = {OWNER: "register@lindenfeld.example", OTHER: "datenschutz@lindenfeld.example"}
PASSPHRASES = {OWNER: "eine erfundene Passphrase", OTHER: "noch eine erfundene Passphrase"}
ACCOUNT, SERIES, TITLE = "register-lindenfeld", "jahresbericht", "Jahresbericht"
WARDS = "Kardiologie\nInnere Medizin\nGynäkologie\nNeurologie"
CODES = "I21.4\nI50.1\nE11.9\nJ18.9\nC18.7\nS72.0\nI63.9\nK80.2"
FIRST_DAY, LAST_DAY = "01.01.2025", "31.12.2025"
"""What the first report is about; the second one is about the next year."""
WRONG_TABLE = re.compile(r"Nur .*Diagnose.*\.csv.*")
NEXT_YEAR = "Aufnahme: 01.01.2026 bis 31.12.2026"
HEAD_FOUND = re.compile("Kopfzeile: Zeile [34]")

Computers = Callable[[str], AbstractContextManager[Hands]]


@dataclass
class Year:
    """What the year is played with.

    Attributes:
        at: a person's computer with the program open.
        place: where files are handed over.
        look: takes a picture.
        efforts: what each part took, and ``seconds``.
    """

    at: Computers
    place: Path
    look: Look
    efforts: dict[str, Effort] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def handed(self, name: str) -> Path:
        """Where a file is handed over."""
        return self.place / name

    def part(self, name: str, who: str, do: Callable[[Hands], None]) -> None:
        """One part of the story, at one computer; the program is opened and closed for it."""
        with self.at(who) as hands:
            begun, hands.desk.effort = time.monotonic(), Effort()
            do(hands)
            hands.desk.effort.leave(name)
            self.efforts[name] = hands.desk.effort.pages[name]
            self.seconds[name] = time.monotonic() - begun

    def table(self) -> str:
        """A line a part: clicks, keys, letters, notches and seconds."""
        lines = [f"{'part':<22}{'clicks':>8}{'keys':>7}{'letters':>9}{'notches':>9}{'seconds':>9}"]
        totals = [0, 0, 0, 0]
        for name, effort in self.efforts.items():
            numbers = effort.numbers()
            totals = [a + b for a, b in zip(totals, numbers, strict=True)]
            lines.append(_line(name, numbers, self.seconds[name]))
        return "\n".join([*lines, _line("in all", totals, sum(self.seconds.values()))])


def _line(name: str, numbers: list[int], seconds: float) -> str:
    clicks, keys, letters, notches = numbers
    return f"{name:<22}{clicks:>8}{keys:>7}{letters:>9}{notches:>9}{seconds:>9.0f}"


def exactly(text: str) -> re.Pattern[str]:
    """What is called the same in every language."""
    return re.compile(re.escape(text))


def live(year: Year, first: YearFiles, second: YearFiles) -> None:
    """Both reports, from nothing to the comparison."""
    year.part("the other's key", OTHER, lambda hands: make_key(hands, year))
    year.part("tables and people", OWNER, lambda hands: tables_and_people(hands, year, first))
    year.part("columns", OWNER, lambda hands: columns(hands, year))
    year.part("queries", OWNER, lambda hands: queries(hands, year))
    year.part("series, second person", OWNER, lambda hands: rules(hands, year))
    year.part("first plan", OWNER, lambda hands: plan(hands, year, "2025", has_key=False))
    year.part("first signature", OTHER, lambda hands: sign(hands, year, "2025"))
    year.part("first release", OWNER, lambda hands: first_release(hands, year))
    year.part("correction", OWNER, lambda hands: correct(hands, year))
    year.part("next year's files", OWNER, lambda hands: next_files(hands, year, second))
    year.part("second plan", OWNER, lambda hands: plan(hands, year, "2026", has_key=True))
    year.part("second signature", OTHER, lambda hands: sign(hands, year, "2026"))
    year.part("second release", OWNER, lambda hands: second_release(hands, year))


def make_key(hands: Hands, year: Year) -> None:
    """The second person's, whose public line is handed over."""
    hands.menu("Tools", "Signing key…")
    hands.press("Make a signing key…")
    _fill_key(hands, OTHER)
    hands.press("Save public key…")
    hands.choose_file("Save the public key", year.handed("second.txt"))


def _fill_key(hands: Hands, who: str) -> None:
    hands.until_asked("Make a signing key")
    hands.write("Who signs", SIGNERS[who])
    hands.write("Passphrase", PASSPHRASES[who])
    hands.write("Repeat the passphrase", PASSPHRASES[who])
    hands.press("Make key")
    hands.until_closed("Make a signing key")


def tables_and_people(hands: Hands, year: Year, files: YearFiles) -> None:
    """The files, who their rows are about, and the account."""
    hands.press("A registry’s annual table")
    hands.choose_file("Choose a data file", files.stays)
    hands.until("Add a table…", "Button")
    for path in (files.patients, files.labs):
        hands.press("Add a table…")
        hands.choose_file("Choose the files of further tables", path)
        hands.until(HEAD_FOUND, "Button")  # below the lines that were printed above it
        if path == files.labs:
            hands.pick("no case number", exactly(CASE))
        year.look(f"1-{path.stem}")
        hands.press("Use this table")
        hands.until("Add a table…", "Button")
    hands.write("Title of the study", f"{TITLE} 2025")
    hands.write("Organisation that releases", "Register Lindenfeld")
    year.look("2-tables")
    hands.press("Continue to People")
    hands.press("A person can have several rows")
    hands.write("Row limit per person", "3")
    hands.press("Yes, keep it secret")
    hands.press("New account…")
    hands.write("Name", ACCOUNT)
    hands.write("Total budget (never renews)", "4")
    hands.write("Who decided, and when", "Datenbeirat, 12.01.2026")
    year.look("3-account")
    hands.press("Open account")
    hands.until_closed("Open a budget account")
    hands.press("Continue to Columns")
    hands.until("New column…", "Button")


def columns(hands: Hands, year: Year) -> None:
    """What the cells can be, and two columns that are made of others."""
    _open(hands, "2025")
    hands.page("Columns")
    for column in ("Aufnahme", "Entlassung"):
        _date(hands, column, FIRST_DAY, LAST_DAY)
    _category(hands, "Station", WARDS)
    _category(hands, "Diagnose", CODES)
    hands.choose_column("Verstorben")
    hands.press("Yes/no")
    hands.write("Means yes", "ja")
    hands.write("Means no", "nein")
    _category(hands, "Geschlecht, patienten", "w = Frauen\nm = Männer\nd = Divers")
    _category(hands, "Region, patienten", "Nord\nOst\nSüd\nWest")
    hands.choose_column("HbA1c, labor")
    hands.press("Number")
    for name, text in (("Lowest value", "4"), ("Highest value", "15"), ("Step", "0,1")):
        hands.write(name, text)
    year.look("4-columns")
    hands.press(exactly("Mittelwert von HbA1c…"))
    hands.until("Add column", "Button")
    hands.write("Step", "0,1")
    year.look("4-mean-of-a-case")
    hands.press("Add column")
    hands.choose_column("Entlassung")
    hands.press(exactly("Verweildauer…"))
    hands.until("Add column", "Button")
    hands.write("Lowest value", "0")
    hands.write("Highest value", "60")
    year.look("4-length-of-stay")
    hands.press("Add column")


def _open(hands: Hands, year: str) -> None:
    """The study that was worked on last, from the first page."""
    hands.press(re.compile(f"{TITLE} {year}.*", re.DOTALL))
    hands.until("Columns")


def _date(hands: Hands, column: str, first: str, last: str) -> None:
    hands.choose_column(column)
    hands.press("Date")
    hands.write("First day", first)
    hands.write("Last day", last)


def _category(hands: Hands, column: str, values: str) -> None:
    hands.choose_column(column)
    hands.press("Category")
    hands.write("Values", values)


def queries(hands: Hands, year: Year) -> None:
    """Ten of two templates, rehearsed; and what the check of the file finds."""
    _open(hands, "2025")
    hands.until_asked("Queries from a template")  # it was begun for one
    hands.option("A registry’s annual table")
    hands.write("Spend in total", "1")
    year.look("5-template")
    hands.press("Add the queries")
    hands.menu("Tools", "Queries from a template…")
    hands.option("Quarterly quality report")
    year.look("5-second-template")
    hands.press("Add the queries")
    hands.menu("Tools", "Rehearse on made-up rows")
    hands.until("Save made-up report…", "Button")
    year.look("5-rehearsal")
    hands.press("Review release")
    hands.press("Release %n figure(s) for {0}…")
    hands.until_asked("Before you spend: %n point(s) to check")
    year.look("6-what-the-check-finds")
    hands.press("Not now")
    hands.page("Columns")
    for column in ("Aufnahme", "Entlassung"):
        hands.choose_column(column)
        hands.pick(exactly("JJJJ-MM-TT"), exactly("TT.MM.JJJJ"))


def rules(hands: Hands, year: Year) -> None:
    """Two releases are reserved, and each is signed by two."""
    _open(hands, "2025")
    hands.menu("Tools", "Ledger", "Plan a series of releases…")
    hands.until_asked("Plan a series of releases?")
    hands.write("Name of the series", SERIES)
    hands.pick("Every month", "Every year")
    hands.write("Number of releases", "2")
    hands.press("Reserve the budget")
    hands.until("Close", "Button")
    year.look("7-series")
    hands.press("Close")
    hands.menu("Tools", "Ledger", "Require a second person…")
    hands.press("Read from a file…")
    hands.choose_file("The second person’s public key", year.handed("second.txt"))
    hands.write("Why, and who decided", "Datenbeirat, 12.01.2026")
    hands.press("Require it")
    hands.until("Close", "Button")
    year.look("7-second-person")
    hands.press("Close")


def plan(hands: Hands, year: Year, name: str, *, has_key: bool) -> None:
    """From Release to the plan that the second person gets."""
    _open(hands, name)
    hands.page("Release")
    year.look(f"8-release-{name}")
    hands.press("Release %n figure(s) for {0}…")
    if not has_key:
        _fill_key(hands, OWNER)
    hands.until_asked("A second person signs the plan")
    hands.press("Save the plan…")
    hands.choose_file("Save the plan", year.handed(f"plan-{name}.json"))
    year.look(f"8-plan-{name}")
    hands.press("Cancel")


def sign(hands: Hands, year: Year, name: str) -> None:
    """The second person reads and signs the plan."""
    hands.menu("Tools", "Sign a plan…")
    hands.choose_file("Sign a plan", year.handed(f"plan-{name}.json"))
    hands.until_asked("Sign as the second person")
    year.look(f"9-signing-{name}")
    hands.write("Passphrase of your signing key", PASSPHRASES[OTHER])
    hands.press("Sign")
    hands.until_closed("Sign as the second person")
    signature = year.handed(f"plan-{name}.json.sig")
    hands.desk.wait(lambda _view: signature.is_file(), "the signature")


def release(hands: Hands, year: Year, name: str) -> None:
    """The signed plan is released and exported."""
    _open(hands, name)
    hands.page("Release")
    hands.press("Release %n figure(s) for {0}…")
    hands.until_asked("A second person signs the plan")
    hands.press("Choose the signed plan…")
    hands.choose_file("Choose the signed plan", year.handed(f"plan-{name}.json"))
    hands.until_asked("Spend {0} of the remaining {1}?")
    year.look(f"10-confirm-{name}")
    hands.spend("Spend {0} and release")
    hands.until("Export signed bundle…", "Button")
    year.look(f"10-figures-{name}")
    hands.press("Export signed bundle…")
    bundle = year.handed(f"bericht-{name}.zip")
    hands.choose_file("Export signed bundle", bundle)
    hands.write("Passphrase of the signing key", PASSPHRASES[OWNER])
    hands.press("Sign and export")
    hands.desk.wait(lambda _view: bundle.is_file(), "the bundle")
    hands.until("Verify it as they will", "Button")
    year.look(f"10-exported-{name}")


def first_release(hands: Hands, year: Year) -> None:
    """The report of the first year; recipients get the public line apart from it."""
    release(hands, year, "2025")
    hands.menu("Tools", "Signing key…")
    hands.press("Save public key…")
    hands.choose_file("Save the public key", year.handed("first.txt"))


def correct(hands: Hands, year: Year) -> None:
    """One table of the first report is wrong; the others stay, and everybody is notified."""
    _open(hands, "2025")
    hands.page("History")
    hands.press("Withdraw or correct…")
    hands.pick("The whole release", WRONG_TABLE)
    hands.write("Why", "Die Diagnosen waren vertauscht")
    hands.write("Passphrase of the signing key", PASSPHRASES[OWNER])
    hands.spend("Sign the notice…")
    hands.choose_file("Save the notice", year.handed("mitteilung.dpdesk-notice"))
    hands.until("Close", "Button")
    year.look("11-notice")
    hands.press("Close")


def next_files(hands: Hands, year: Year, files: YearFiles) -> None:
    """Another year's three files in the places of the last one's."""
    _open(hands, "2025")
    hands.menu("File", "Duplicate for the next extract…")
    hands.choose_file("Choose the data file of the new study", files.stays)
    hands.until_asked("New study about {0}")
    hands.write("Title of the new study", f"{TITLE} 2026")
    hands.until(exactly(NEXT_YEAR))
    year.look("12-duplicated")
    hands.press("Create the study")
    hands.until_closed("New study about {0}")
    hands.page("Data")
    for table, path in (("patienten", files.patients), ("labor", files.labs)):
        hands.press(exactly(table))
        hands.until("Use this table", "Button")
        hands.press("Choose another file…")
        hands.choose_file("Choose another file of this table", path)
        hands.until(re.compile(f"{re.escape(path.name)}, .*"))
        hands.press("Use this table")
        hands.until("Add a table…", "Button")
    year.look("12-next-year")


def second_release(hands: Hands, year: Year) -> None:
    """As the first one; then both are compared."""
    release(hands, year, "2026")
    hands.press("Compare with an earlier release…")
    hands.until("Save comparison…", "Button")
    year.look("13-compared")
