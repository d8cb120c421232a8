# SPDX-License-Identifier: Apache-2.0
"""Whoever changes a ledger behind the program's back is noticed."""

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.release.ledger import Ledger, history
from dpdesk.release.ledger.chain import FIELDS, Entry, payload_digest, read_chain
from dpdesk.release.ledger.decisions.decided import (
    Arrived,
    BegunSeries,
    CorrectedRelease,
    DrawnInstalment,
    EndedSeries,
    MovedAway,
    OpenedRecovery,
    OverriddenSecondPerson,
    RevokedSigner,
    SecondPersonDecision,
    SeparatePeople,
    WithdrawnRelease,
)
from dpdesk.release.ledger.decisions.entry_payload import EntryPayload
from dpdesk.release.ledger.decisions.recovery import refuse_locked
from dpdesk.release.ledger.fingerprints import known_accounts
from dpdesk.release.ledger.payloads import (
    FailedRelease,
    ImportedCharges,
    LostCharge,
    LostSecondRecord,
    OpenedAccount,
    RaisedAccount,
    ReconciledAccount,
    RestoredLedger,
    payload_text,
)
from dpdesk.release.ledger.storage.schema import STATEMENTS
from dpdesk.release.places.home import Home
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.study.model.amount import NO_DELTA, Delta, Epsilon
from dpdesk.study.problem import Refused
from tests.audit.length import runs
from tests.release.ledgers import (
    DELTA,
    KEPT,
    ONE,
    PAYLOAD,
    RHO,
    TENTH,
    charge,
    refusal,
    run_sql,
    spent_ledger,
    without_rules,
)


@pytest.fixture
def ledger(dpdesk_home: Path) -> Ledger:
    return spent_ledger(Home.at(dpdesk_home))


def test_a_sound_ledger_is_sound(ledger: Ledger) -> None:
    report = ledger.check()
    assert report.sound and report.notices == ()
    assert (report.entries, report.head) == ledger.head()
    assert [str(a.left) for a in report.accounts] == ["1.8", "0.9"]


def whats(ledger: Ledger) -> list[str]:
    report = ledger.check()
    assert not report.sound
    assert {p.code for p in report.problems} == {"ledger-damaged"}
    return [p.params["what"] for p in report.problems]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE entry SET charged = 1 WHERE sequence = 3", "hash"),
        ("UPDATE entry SET granted = 5000000 WHERE sequence = 1", "hash"),
        ("UPDATE entry SET account = 'two' WHERE sequence = 3", "hash"),
        ("UPDATE entry SET time = '2020-01-01T00:00Z' WHERE sequence = 2", "hash"),
        ("UPDATE entry SET payload = '{\"noisy\":{}}' WHERE sequence = 3", "payload"),
        ("DELETE FROM entry WHERE sequence = 3", "order"),
        ("DELETE FROM entry WHERE sequence = 1", "order"),
        ("DELETE FROM secret", "secret"),
        ("INSERT INTO answer VALUES (zeroblob(32), 77, 'stays')", "answer"),
        ("INSERT INTO answer VALUES (zeroblob(32), 1, 'stays')", "answer"),
        ("INSERT INTO answer VALUES (zeroblob(32), 3, 'stays')", "answer"),
    ],
)
def test_a_changed_row_is_found(ledger: Ledger, statement: str, what: str) -> None:
    without_rules(ledger.home.ledger, statement)
    assert whats(ledger) == [what]


def test_an_entry_is_parsed_once_and_checked_each_time(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown of an entry is kept; that it was altered since is found all the same."""
    ledger.read_ahead(lambda: None)
    monkeypatch.setattr(history, "parse_payload", lambda *_: pytest.fail("parsed twice"))
    entries = ledger.history()
    assert all(not one.damage for one in entries) and len(entries) == ledger.head()[0]
    without_rules(
        ledger.home.ledger, "UPDATE entry SET payload = '{\"noisy\":{}}' WHERE sequence = 3"
    )
    damage = [[p.params["what"] for p in one.damage] for one in ledger.history()]
    assert damage == [["payload"] if one.entry.sequence == 3 else [] for one in entries]
    stopped: list[int] = []
    with pytest.raises(ZeroDivisionError):
        ledger.read_ahead(lambda: stopped.append(1 // (1 - len(stopped))))
    assert len(stopped) == 1


def test_what_was_written_is_shown_without_being_parsed(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.history()
    charge(ledger, "one", TENTH)
    with monkeypatch.context() as patch:
        patch.setattr(history, "parse_payload", lambda *_: pytest.fail("parsed"))
        entries = ledger.history()
    history._parsed.clear()
    assert entries == ledger.history(), "as it is shown where it is parsed"


def test_a_changed_amount_stops_spending_at_once(ledger: Ledger) -> None:
    without_rules(ledger.home.ledger, "UPDATE entry SET charged = 1 WHERE sequence = 3")
    assert refusal(lambda: charge(ledger, "one", TENTH)).code == "ledger-damaged"
    assert refusal(lambda: Ledger.open(ledger.home)).code == "ledger-damaged"
    assert refusal(ledger.accounts).code == "ledger-damaged"


def test_a_rewritten_chain_meets_the_remembered_one(ledger: Ledger) -> None:
    """Somebody lowers a charge and seals every later entry anew, all by the rules."""
    with closing(sqlite3.connect(ledger.home.ledger, isolation_level=None)) as connection:
        entries = read_chain(connection)
    forged, previous = [], entries[1].hash
    for entry in entries[2:]:
        lower = replace(entry, charged=replace(entry.charged, units=0))
        forged.append(replace(lower if entry.sequence == 3 else entry, previous=previous).sealed())
        previous = forged[-1].hash
    without_rules(
        ledger.home.ledger,
        "UPDATE entry SET charged = 0 WHERE sequence = 3",
        *(
            f"UPDATE entry SET previous = '{e.previous}', hash = '{e.hash}'"
            f" WHERE sequence = {e.sequence}"
            for e in forged
        ),
    )
    problem = refusal(lambda: charge(ledger, "one", TENTH))
    assert (problem.code, problem.params["accounts"]) == ("ledger-rolled-back", "one, two")
    assert [p.code for p in ledger.check().problems] == ["ledger-rolled-back"]


@pytest.mark.parametrize("name", ["entry_pays", "entry_no_update", "secret_no_delete"])
def test_a_missing_rule_is_found(ledger: Ledger, name: str) -> None:
    run_sql(ledger.home.ledger, f"DROP TRIGGER {name}")
    assert whats(ledger) == ["schema"]
    assert refusal(lambda: charge(ledger, "one", TENTH)).params["what"] == "schema"


def test_a_weakened_rule_is_found(ledger: Ledger) -> None:
    weak = "CREATE TRIGGER entry_pays BEFORE INSERT ON entry WHEN 0 BEGIN SELECT 1; END"
    run_sql(ledger.home.ledger, "DROP TRIGGER entry_pays", weak)
    assert whats(ledger) == ["schema"]


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (x)",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON entry BEGIN SELECT 1; END",
        "PRAGMA application_id=0",
        "PRAGMA user_version=0",
    ],
)
def test_an_addition_to_the_schema_is_found(ledger: Ledger, statement: str) -> None:
    run_sql(ledger.home.ledger, statement)
    assert whats(ledger) == ["schema"]


def test_the_schema_is_stored_to_the_letter(ledger: Ledger) -> None:
    with closing(sqlite3.connect(ledger.home.ledger)) as connection:
        stored = {row[0] for row in connection.execute("SELECT sql FROM sqlite_schema")}
    assert stored - {None} == set(STATEMENTS)


def test_every_flipped_byte_is_noticed_or_harmless(ledger: Ledger, tmp_path: Path) -> None:
    """No flipped byte changes what an account has left without being noticed."""
    raw = ledger.home.ledger.read_bytes()
    honest = [str(a.left) for a in ledger.accounts()]
    other = Home.at(tmp_path / "other")
    other.make()
    noticed = 0
    for position in range(0, len(raw), runs(503, 97)):
        broken = bytearray(raw)
        broken[position] ^= 0x15
        other.ledger.write_bytes(broken)
        shutil.copy(ledger.home.heads, other.heads)
        report = Ledger(other).check()
        noticed += not report.sound
        assert not report.sound or [str(a.left) for a in report.accounts] == honest
        with suppress(Refused):
            assert [str(a.left) for a in Ledger.open(other).accounts()] == honest
    assert noticed > runs(10, 50)


def test_history_cannot_be_shown_wrong(ledger: Ledger) -> None:
    false = json.dumps({"note": "other"})
    without_rules(ledger.home.ledger, f"UPDATE entry SET payload = '{false}' WHERE sequence = 1")
    entry = ledger.history()[0]
    assert [p.params for p in entry.damage] == [{"what": "payload", "sequence": "1"}]
    assert (entry.reason, entry.concerned, entry.word) == ("", 0, "")
    assert (ledger.payload_size(1), ledger.payload_size(99)) == (len(false), 0)
    assert refusal(lambda: ledger.payload(1)).code == "ledger-damaged"
    assert refusal(ledger.accounts).code == "ledger-damaged"


@pytest.mark.parametrize(
    ("statement", "damaged"),
    [
        ("UPDATE entry SET charged = 1 WHERE sequence = 3", [3]),
        ("UPDATE entry SET payload = '{}' WHERE sequence = 3", [3]),
        ("UPDATE entry SET measure = 'grams' WHERE sequence = 3", [4]),
        ("DELETE FROM entry WHERE sequence = 3", [4]),
        ("UPDATE entry SET kind = 'raise' WHERE sequence = 2", [2]),
    ],
)
def test_one_damaged_entry_hides_no_other(
    ledger: Ledger, statement: str, damaged: list[int]
) -> None:
    """What cannot even be read leaves a gap, and the entry after it does not follow."""
    sound = {h.entry.sequence: h for h in ledger.history()}
    without_rules(ledger.home.ledger, "PRAGMA ignore_check_constraints = ON", statement)
    shown = {h.entry.sequence: h for h in ledger.history()}
    assert [n for n, h in shown.items() if h.damage] == damaged
    assert len(sound) - len(shown) in (0, 1)
    assert all(sound[n] == h for n, h in shown.items() if n not in damaged)


def sealed(ledger: Ledger, kind: str, payload: str, account: str = "one") -> Entry:
    """An entry that somebody wrote who knows how entries are sealed, whatever it says."""
    place, head = ledger.head()
    entry = Entry(
        *(place + 1, "2026-11-21T14:32Z", kind, account, Epsilon(0), Epsilon(0)),
        *(payload_digest(payload), head),
    ).sealed()
    fields = (entry.sequence, entry.time, kind, account, *entry.amounts)
    values = (*fields, entry.payload_sha256, entry.previous, entry.hash, payload)
    with closing(sqlite3.connect(ledger.home.ledger, isolation_level=None)) as connection:
        marks = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO entry ({FIELDS}, payload) VALUES ({marks})", values)
    return entry


def imported(account: str) -> str:
    charge = LostCharge(account, 9, "", 2, TENTH, NO_DELTA)
    return payload_text(ImportedCharges("lost", (charge,), Epsilon(0)), "0" * 32)


def begun(count: int, units: int) -> str:
    each = (count, Epsilon(units), NO_DELTA, SEAL)
    return payload_text(BegunSeries("wards", "month", "2026-12", *each), NUMBER)


NUMBER = "0" * 32
SEAL = "0" * 64
SALT = '"salt":"00000000000000000000000000000000"'


@pytest.mark.parametrize(
    ("kind", "payload", "code"),
    [
        ("decision", f'{{"decision":"dreamt",{SALT}}}', "entry-too-new"),
        ("reconcile", f'{{"reconcile":"dreamt",{SALT}}}', "entry-too-new"),
        ("decision", f'{{"decision":"opened-recovery",{SALT}}}', "ledger-damaged"),
        ("decision", '{"decision":"opened-recovery","reason":"x"}', "ledger-damaged"),
        ("decision", '{"decision":', "ledger-damaged"),
        ("decision", "[" * 100_000, "ledger-damaged"),
        ("decision", "[]", "ledger-damaged"),
        ("reconcile", imported("two"), "ledger-damaged"),
        ("decision", begun(0, 1), "ledger-damaged"),
        ("decision", begun(241, 1), "ledger-damaged"),
        ("decision", begun(3, 0), "ledger-damaged"),
    ],
    ids=[
        *("new decision", "new loss", "no reason", "no salt", "cut off", "deep", "list", "of two"),
        *("reserves none", "for ever", "for nothing"),
    ],
)
def test_an_entry_that_says_nothing_known_is_found_and_unlocks_nothing(
    ledger: Ledger, kind: str, payload: str, code: str
) -> None:
    """Its hash is right, so only what it says can tell."""
    entry = sealed(ledger, kind, payload)
    assert {p.code for p in ledger.check().problems} == {code}
    assert [p.code for p in ledger.history()[-1].damage] == [code]
    with ledger.reading() as transaction:
        problem = refusal(lambda: refuse_locked(transaction, "one"))
    assert (problem.code, problem.params["sequence"]) == (code, str(entry.sequence))


def test_charges_of_its_own_account_are_read(ledger: Ledger) -> None:
    sealed(ledger, "reconcile", imported("one"))
    assert ledger.check().sound and not ledger.history()[-1].damage


@pytest.mark.parametrize("column", ["time", "charged"])
def test_a_value_of_another_type_than_its_column_is_found(ledger: Ledger, column: str) -> None:
    """A broken page can hold anything; here the type is taken off and put back around it."""
    loosened = "UPDATE sqlite_schema SET sql = replace(sql, '{}', '{}') WHERE name = 'entry'"
    path, allowed = ledger.home.ledger, "PRAGMA writable_schema=ON"
    run_sql(path, allowed, loosened.format(") STRICT", ")"))
    checks_off = "PRAGMA ignore_check_constraints=ON"
    without_rules(path, checks_off, f"UPDATE entry SET {column} = x'00' WHERE sequence = 3")
    sql = next(text for text in STATEMENTS if text.startswith("CREATE TABLE entry"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(allowed)
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'entry'", (sql,))
    assert whats(ledger) == ["file"]
    assert refusal(ledger.accounts).params["what"] == "file"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET account = CAST(x'ff' AS TEXT) WHERE sequence = 3",
        "UPDATE sqlite_schema SET sql = CAST(x'435245415445ff' AS TEXT) WHERE name = 'entry'",
    ],
    ids=["a name", "the schema"],
)
def test_text_that_is_none_is_damage(ledger: Ledger, statement: str) -> None:
    rules_off = ("PRAGMA writable_schema=ON", "PRAGMA ignore_check_constraints=ON")
    if "sqlite_schema" in statement:
        run_sql(ledger.home.ledger, *rules_off, statement)
    else:
        without_rules(ledger.home.ledger, *rules_off, statement)
    assert refusal(ledger.accounts).params["what"] == "file"
    assert refusal(lambda: charge(ledger, "one", TENTH)).params["what"] == "file"


def test_a_long_ledger_is_shown_as_a_short_one(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = ledger.history()
    history._parsed.clear()
    monkeypatch.setattr(history, "_MOST_PARSED", 2)
    assert ledger.history() == entries and len(history._parsed) <= 2


LINE = "ssh-ed25519 " + "A" * 68
PERSON = SecondPerson("both", "board@x", LINE)
SECOND = "Release 2 (entry 4 of the ledger)"
DECIDED = ("a slip", "office@x", "SHA256:x")
SAID: list[tuple[EntryPayload, str]] = [
    (OpenedAccount("for the board", ONE), "for the board"),
    (
        OpenedAccount("for the board", RHO, DELTA, KEPT),
        "Delta 1e-9, of it 5e-10 for found categories. for the board",
    ),
    (RaisedAccount("a year", ONE, Epsilon.of(2)), "a year"),
    (
        RaisedAccount("new drugs", RHO, RHO, Delta(0), KEPT),
        "Delta for found categories raised to 5e-10: new drugs",
    ),
    (SeparatePeople(("two", "three"), "by age"), "Other people than those of two, three: by age"),
    (OpenedRecovery("seen"), "Unlocked: seen"),
    (MovedAway("a" * 16), "Moved to another computer"),
    (Arrived(3, SEAL), "Moved here from another computer"),
    (
        WithdrawnRelease(4, SEAL, "", *DECIDED),
        f"{SECOND} withdrawn: a slip",
    ),
    (
        CorrectedRelease(4, SEAL, "", *DECIDED),
        f"{SECOND} corrected: a slip",
    ),
    (
        BegunSeries("wards", "month", "2026-12", 3, TENTH, NO_DELTA, SEAL),
        "Series wards begun: 0.3 reserved for 3 releases",
    ),
    (DrawnInstalment(9, 2), "Release 2 of the series of entry 9"),
    (EndedSeries(9, "over"), "Series of entry 9 ended: over"),
    (
        SecondPersonDecision(PERSON, "four eyes", NUMBER, ""),
        "board@x signs as the second person. four eyes",
    ),
    (
        SecondPersonDecision(None, "gone", NUMBER, SEAL, "x"),
        "No second signature is required any longer. gone",
    ),
    (
        OverriddenSecondPerson(PERSON, "lost", NUMBER, SEAL, LINE),
        "board@x signs as the second person; the one before did not sign that: lost",
    ),
    (
        OverriddenSecondPerson(None, "lost", NUMBER, SEAL, LINE),
        "No second signature is required any longer; the second person did not sign that: lost",
    ),
    (
        RevokedSigner("ada@x", "SHA256:x", "2026-11-01", "stolen"),
        "A key of ada@x is revoked. stolen",
    ),
    (
        FailedRelease(TENTH, NO_DELTA, "add-remove"),
        "Internal error after the noise was drawn; no figure of it was shown.",
    ),
    (ReconciledAccount("put back", 3, SEAL, Epsilon(0)), "put back"),
    (ReconciledAccount("put back", 3, SEAL, Epsilon(0), locked=True), "(locked) put back"),
    (LostSecondRecord("behind"), "The second record was behind by several entries"),
    (RestoredLedger(3, SEAL), "The ledger was restored from a backup (locked)"),
    (ImportedCharges("found", (), Epsilon(0)), "found"),
    (ImportedCharges("found", (), Epsilon(0), locked=True), "(locked) found"),
]


@pytest.mark.parametrize(("payload", "said"), SAID, ids=[said for _, said in SAID])
def test_history_says_what_an_entry_says(ledger: Ledger, payload: EntryPayload, said: str) -> None:
    """What it is about, and why; that an account is locked, where nothing else says it."""
    first = ledger.history()[0]
    entry = history.HistoryEntry(first.entry, payload=payload)
    assert history.entry_about(entry, {3: 1, 4: 2}) == said


def test_history_says_that_an_entry_is_damaged(ledger: Ledger) -> None:
    without_rules(ledger.home.ledger, "UPDATE entry SET payload = '{}' WHERE sequence = 3")
    entries = ledger.history()
    assert history.entry_about(entries[2], {}) == "This entry is damaged"
    shared = replace(entries[3], released_by="ada")
    assert history.entry_about(shared, {}) == "T, by ada"


@pytest.mark.parametrize("content", ["x'00'", "zeroblob(2047)", "zeroblob(2049)"])
def test_a_sketch_of_another_length_is_damage(ledger: Ledger, content: str) -> None:
    run_sql(ledger.home.ledger, f"INSERT INTO sketch VALUES (1, 'two', zeroblob(32), {content})")
    with ledger.reading() as transaction:
        problem = refusal(lambda: known_accounts(transaction.connection, (1, 2)))
    assert (problem.code, problem.params["what"]) == ("ledger-damaged", "sketch")


def test_an_entry_is_found_by_its_place(ledger: Ledger) -> None:
    """What a bundle is made of: the release, and the hashes of all entries up to it."""
    hashes = tuple(one.entry.hash for one in ledger.history())
    assert ledger.hashes(3) == hashes[:3] and ledger.hashes(len(hashes)) == hashes
    assert ledger.release(3) == PAYLOAD and ledger.entry(3).hash == hashes[2]
    problem = refusal(lambda: ledger.release(1))
    assert (problem.code, problem.params) == ("ledger-damaged", {"what": "answer", "sequence": "1"})
    for place in (0, -1, len(hashes) + 1):
        assert refusal(lambda place=place: ledger.hashes(place)).code == "entry-unknown"
        assert refusal(lambda place=place: ledger.release(place)).code == "entry-unknown"
