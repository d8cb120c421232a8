# SPDX-License-Identifier: Apache-2.0
"""A record is written and read in one way: nothing is lost, and nothing else is believed.

Read from one end: every record comes back equal. From the other: whatever JSON is accepted is
written again byte for byte, so that no two documents are one record.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.statistics.base import ColumnRole
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, json_bytes
from dpdesk.release.ledger.chain import Entry
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
from dpdesk.release.ledger.payloads import (
    FailedRelease,
    ImportedCharges,
    LostCharge,
    OpenedAccount,
    Payload,
    RaisedAccount,
    ReconciledAccount,
    RestoredLedger,
    parse_payload,
    payload_text,
)
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.parse import parse_signed, parse_statement, parse_stored
from dpdesk.release.record.released_study import ReleasedQuestion, ReleasedStudy
from dpdesk.release.record.second_person import (
    INSTALMENT,
    Instalment,
    SecondPerson,
)
from dpdesk.release.record.strict_object import StrictObject
from dpdesk.release.record.values import (
    VERSION,
    BundleForm,
    ChainPlace,
    EntryCharge,
    Manifest,
    ReleasedAccount,
    ReleasedClaim,
    ReleasedDraw,
    ReleasedQuery,
    ReleaseRecord,
    SignedRelease,
    SignerName,
    SoftwareVersions,
    StoredRelease,
)
from dpdesk.release.record.write import manifest_members, signed_members, stored_members
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.release.verify.verification import verify
from dpdesk.study.json.study_writer import canonical
from dpdesk.study.model.amount import NO_DELTA, AccountDelta, Delta, Epsilon, Rho, Share
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.problem import Refused
from dpdesk.texts.problems import SENTENCES
from tests.audit.length import examples
from tests.golden.making import SHOWN, entries_of
from tests.release.bundles import KNOWN, claim_problems
from tests.release.liar import ZCDP, honest, in_epsilon, lied

ODD: tuple[Any, ...] = (
    *("", "0", "-0", "00", "01", "1.0", "0.10", "1e5", "+1", " 1", "1 ", "1_0", "\u0661", "NaN"),
    *("9" * 40, "1/2", "2/4", "inf", "rho", "epsilon", "laplace", "gaussian", "l1", "count"),
    *(
        0,
        1,
        -1,
        2**49,
        True,
        False,
        None,
        [],
        {},
        [[]],
        [None],
        {"a": 1},
        "a" * 300,
        "a\n",
        "\x1b[",
    ),
    *("2024-02-30T10:00Z", "2024-02-29T24:00Z", "SHA256:x", "\U0001f600"),
)

# --- records of every kind ----------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
VERSIONS = st.from_regex(VERSION, fullmatch=True)
SALTED = "0123456789abcdef" * 2
IDS = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,5}[a-z0-9])?", fullmatch=True)
HASHES = st.from_regex(r"[0-9a-f]{64}", fullmatch=True)
WHOLE = st.integers(-(10**15) + 1, 10**15 - 1)
NATURAL = st.integers(0, 10**40 - 1)
FLOATS = st.floats(0, allow_nan=False, allow_infinity=False).map(abs)
TIMES = st.datetimes().map(lambda moment: f"{moment.year:04}-{moment:%m-%dT%H:%M}Z")
DELTAS = st.integers(0, 10**27 - 1).map(Delta)
ACCOUNT_DELTAS = st.lists(DELTAS, min_size=2, max_size=2).map(
    lambda both: AccountDelta(max(both), min(both))
)
MEMBERS = st.dictionaries(TEXTS, st.none() | st.booleans() | WHOLE | TEXTS, max_size=3)
SHARES = {
    "epsilon": st.integers(0, 10**15 - 1).map(Epsilon),
    "rho": st.integers(0, 10**18 - 1).map(Rho),
}


@st.composite
def drawns(draw: st.DrawFn) -> Drawn:
    """Vectors, or texts with their counts."""
    numbers = st.integers(-(2**63), 2**63 - 1)
    if draw(st.booleans()):
        return Drawn(tuple(map(tuple, draw(st.lists(st.lists(numbers, max_size=4), max_size=3)))))
    found = draw(st.lists(st.tuples(TEXTS, numbers), min_size=1, max_size=4))
    return Drawn.of_found(tuple(found))


@st.composite
def noises(draw: st.DrawFn, measure: str) -> Noise:
    """Every mechanism."""
    mechanism = draw(st.sampled_from(get_args(Mechanism)))
    scale = draw(FLOATS)
    if mechanism == "noisy-max":
        return Noise(mechanism, scale, measure, draw(WHOLE), draw(WHOLE), draw(st.booleans()))
    cuts = mechanism in ("laplace", "gaussian")
    return Noise(mechanism, scale, measure, threshold=draw(NATURAL | st.none()) if cuts else None)


@st.composite
def queries(draw: st.DrawFn, measure: str) -> ReleasedQuery:
    """One answered query."""
    share = SHARES[measure]
    draws = st.builds(
        ReleasedDraw,
        IDS,
        noises(measure),
        NATURAL,
        FLOATS,
        share,
        st.builds(Fraction, st.integers(1, 10**20), st.integers(1, 10**20)),
        NATURAL,
    )
    return ReleasedQuery(
        id=draw(IDS),
        title=draw(TEXTS),
        name=draw(IDS),
        statistic=draw(st.sampled_from(STATISTICS)),
        question=ReleasedQuestion(draw(MEMBERS)),
        cells=draw(WHOLE),
        share=draw(share),
        charged=draw(share),
        delta=draw(DELTAS),
        delta_charged=draw(DELTAS),
        drawn_in=draw(WHOLE),
        drawn_at=draw(TIMES | st.just("")),
        draws=tuple(draw(st.lists(draws, max_size=3))),
        drawn=draw(drawns()),
    )


@st.composite
def records(draw: st.DrawFn) -> ReleaseRecord:
    """A release."""
    measure = draw(st.sampled_from(("epsilon", "rho")))
    share, total = SHARES[measure], draw(SHARES[measure])
    charges = st.lists(st.builds(EntryCharge, WHOLE, share, DELTAS), max_size=3).map(tuple)
    asked = st.lists(queries(measure), max_size=3, unique_by=lambda query: query.id)
    return ReleaseRecord(
        id=draw(st.from_regex(r"[0-9a-f]{32}", fullmatch=True)),
        time=draw(TIMES),
        study=ReleasedStudy(draw(MEMBERS)),
        claim=ReleasedClaim(
            draw(st.sampled_from(("add-remove", "change-one"))),
            draw(st.sampled_from(("person", "row"))),
            draw(WHOLE),
            draw(WHOLE | st.none()),
            total,
            total if isinstance(total, Epsilon) else draw(SHARES["epsilon"]),
            draw(ACCOUNT_DELTAS),
        ),
        queries=tuple(draw(asked)),
        account=draw(
            st.builds(
                ReleasedAccount, IDS, share, share, share, ACCOUNT_DELTAS, DELTAS, DELTAS, charges
            )
        ),
        place=draw(st.builds(ChainPlace, WHOLE, HASHES, *[st.booleans()] * 3)),
        software=draw(st.builds(SoftwareVersions, VERSIONS, VERSIONS, HASHES)),
    )


@st.composite
def stored(draw: st.DrawFn) -> StoredRelease:
    """A release with a table for each query."""
    record = draw(records())
    return StoredRelease(record, tuple(draw(tables(query.id)) for query in record.queries))


@st.composite
def tables(draw: st.DrawFn, query_id: str) -> Table:
    columns = st.builds(TableColumn, TEXTS, st.sampled_from(get_args(ColumnRole)), TEXTS, TEXTS)
    heads = tuple(draw(st.lists(columns, max_size=3)))
    row = st.tuples(*(TEXTS for _ in heads))
    return Table(query_id, draw(TEXTS), heads, tuple(draw(st.lists(row, max_size=3))))


@given(stored())
def test_a_stored_release_comes_back_equal(release: StoredRelease) -> None:
    text = canonical(stored_members(release))
    again = parse_stored(json.loads(text))
    assert again == release
    assert _types(again) == _types(release)
    assert canonical(stored_members(again)) == text


@given(
    records(),
    st.lists(HASHES, min_size=2, max_size=9).map(tuple),
    st.from_regex(r"[A-Za-z0-9]{1,9}", fullmatch=True),
    st.sampled_from([BundleForm(), BundleForm("de")]),
)
def test_a_manifest_comes_back_equal(
    record: ReleaseRecord, chain: tuple[str, ...], name: str, form: BundleForm
) -> None:
    """As its signed bytes."""
    place = replace(record.place, sequence=len(chain), previous=chain[-2])
    signer = SignerName(name, "SHA256:" + "A" * 43)
    release = SignedRelease(replace(record, place=place), chain, signer, form)
    manifest = Manifest((("report.html", chain[0]), ("report.html", chain[0])), release)
    raw = json_bytes(manifest_members(manifest))
    statement = parse_statement(parse_manifest(raw))
    again = Manifest(statement.digests, parse_signed(statement.predicate))
    assert again == manifest
    assert json_bytes(manifest_members(again)) == raw


def salted(payload: Payload) -> str:
    """What the ledger would keep of it."""
    return payload_text(payload, SALTED)


def with_salt(text: str) -> str:
    """A payload of a version that gave it none, with one."""
    return canonical(json.loads(text) | {"salt": SALTED})


def _types(value: Any) -> Any:
    """The types of a value's parts: ``1 == True`` and ``1.0 == 1`` are not enough."""
    if is_dataclass(value):
        return type(value), [_types(getattr(value, field.name)) for field in fields(value)]
    return [_types(item) for item in value] if isinstance(value, tuple) else type(value)


@given(st.sampled_from(("epsilon", "rho")).flatmap(lambda m: st.tuples(*[SHARES[m]] * 2)), TEXTS)
def test_what_other_entries_say_comes_back_equal(pair: tuple[Share, Share], text: str) -> None:
    one, other = sorted(pair)
    delta = NO_DELTA if isinstance(one, Epsilon) else Delta(5)
    entry = Entry(7, "", "", "a", one, other, "", "")
    lost = LostCharge("a", 5, "", 3, one, delta)
    for payload in (
        OpenedAccount(text, one, delta),
        OpenedAccount(text, one, delta, replace(delta, units=delta.atto // 2)),
        RaisedAccount(text, one, other),
        RaisedAccount(text, one, one, NO_DELTA, delta),
        FailedRelease(one, delta, "change-one"),
        FailedRelease(one, delta, "change-one", "f" * 32),
        SeparatePeople((text, "b"), text),
        ReconciledAccount(text, 3, "0" * 64, other, delta),
        ReconciledAccount(text, 3, "0" * 64, other, delta, locked=True),
        RestoredLedger(3, "0" * 64),
        OpenedRecovery(text),
        MovedAway("abcdefghijklmno2"),
        Arrived(3, "0" * 64),
        BegunSeries("a-b", "quarter", "2026-12", 4, replace(one, units=7), delta, "0" * 64),
        DrawnInstalment(3, 2),
        EndedSeries(3, text),
        WithdrawnRelease(3, "0" * 64, "", text, "a", "SHA256:b"),
        CorrectedRelease(3, "0" * 64, "f" * 64, text, "a", "SHA256:b"),
        CorrectedRelease(3, "0" * 64, "", text, "a", "SHA256:b", ("stays", "stays-2")),
        SecondPersonDecision(SECOND, text, "0" * 32, "", text),
        SecondPersonDecision(None, text, "0" * 32, "f" * 64),
        OverriddenSecondPerson(None, text, "0" * 32, "f" * 64, SECOND.public_line, text),
        RevokedSigner(text, text, "2026-11-28", text),
        ImportedCharges(text, (), other, locked=True, neighbours="change-one"),
        ImportedCharges(text, (), other),
        ImportedCharges(text, (lost, replace(lost, head="f" * 64)), other),
    ):
        written = payload_text(payload, SALTED)
        assert parse_payload(_entry_of(replace(entry, kind=payload.KIND), payload), written) == (
            payload
        )


def _entry_of(entry: Entry, payload: Payload) -> Entry:
    """The entry whose amounts are those that its payload says."""
    if not isinstance(payload, (OpenedAccount, RaisedAccount, FailedRelease)):
        return entry
    names = ("granted", "charged", "delta_granted", "delta_kept", "delta_charged")
    return replace(entry, **{name: getattr(payload.sums, name) for name in names})


@pytest.mark.parametrize("measure", [Epsilon, Rho])
def test_an_entry_that_grants_other_than_it_says_is_damaged(measure: type[Share]) -> None:
    delta, kept = (Delta(5), Delta(2)) if measure is Rho else (NO_DELTA, NO_DELTA)
    opened = OpenedAccount("r", measure(9), delta, kept)
    raised = RaisedAccount("r", measure(4), measure(9), NO_DELTA, kept)
    failed = FailedRelease(measure(5), kept, "add-remove")
    for payload in (opened, raised, failed):
        entry, text = _entry("", measure.measure), payload_text(payload, SALTED)
        entry = _entry_of(replace(entry, kind=payload.KIND), payload)
        assert parse_payload(entry, text) == payload
        others = [{"granted": measure(8)}, {"charged": measure(1)}]
        others += [{name: Delta(1)} for name in ("delta_granted", "delta_kept", "delta_charged")]
        for other in others:
            with pytest.raises(Refused, match="ledger-damaged"):
                parse_payload(replace(entry, **other), text)
    entry = _entry_of(replace(entry, kind=raised.KIND), raised)
    for lowers in (replace(raised, total=measure(3)), replace(raised, kept_before=Delta(3))):
        with pytest.raises(Refused, match="ledger-damaged"):
            parse_payload(replace(entry, granted=measure(0)), payload_text(lowers, SALTED))


ZEROS = "0" * 64
SECOND = SecondPerson("both", "second@small.example", "ssh-ed25519 " + "A" * 68)
DECIDED = (
    '{"decision":"opened-recovery","reason":"r"}',
    '{"code":"abcdefghijklmno2","decision":"moved-away"}',
    f'{{"decision":"arrived","known_head":"{ZEROS}","known_sequence":3}}',
    '{"decision":"instalment","number":1,"series":3}',
    '{"decision":"series-ended","reason":"r","series":3}',
    '{"count":3,"decision":"series-begun","delta":"0","every":"month","first":"2026-12",'
    f'"instalment":"0.1","name":"a","questions":"{ZEROS}"}}',
    f'{{"decision":"corrected","fingerprint":"f","head":"{ZEROS}","identity":"i","reason":"r",'
    f'"replaced_by":"{ZEROS}","sequence":3}}',
)
LOCKED = (
    f'{{"known_head":"{ZEROS}","known_sequence":3,"lifted":"0","lifted_delta":"0","locked":true,'
    '"reason":"r","reconcile":"account"}'
)


def test_a_member_that_may_be_left_out_is_never_there_and_empty() -> None:
    entry = _entry("reconcile", "epsilon")
    assert parse_payload(entry, with_salt(LOCKED))
    with pytest.raises(Refused):
        parse_payload(entry, with_salt(LOCKED.replace("true", "false")))


@settings(max_examples=examples(150, 400))
@given(
    st.sampled_from([("decision", text) for text in DECIDED] + [("reconcile", LOCKED)]), st.data()
)
def test_a_changed_decision_is_refused_or_written_as_it_was_read(
    said: tuple[str, str], data: st.DataObject
) -> None:
    kind, whole = said[0], with_salt(said[1])
    members = json.loads(whole)
    assert salted(parse_payload(_entry(kind, "epsilon"), whole)) == whole
    way = data.draw(st.sampled_from(list(_places(members))))
    home = _home(members, way)
    home[way[-1]] = data.draw(st.sampled_from(ODD))
    if data.draw(st.booleans()):
        home["more"] = 1
    text = canonical(members)
    try:
        read = parse_payload(_entry(kind, "epsilon"), text)
    except Refused as refused:
        assert {p.code for p in refused.problems} <= {"ledger-damaged", "entry-too-new"}
    else:
        assert salted(read) == with_salt(text)


NO_PAYLOADS = (
    *("", "null", "[]", "{}", "{", "NaN", "1", '"a"', "[" * 50_000, '{"a":' * 2_000, "1" * 6_000),
    *('{"predicate": 1, "tables": 2}', '{"note": NaN, "total": "2"}', '{"note": "", "total": 2}'),
)


@pytest.mark.parametrize("kind", ["open-account", "raise", "release", "decision", "reconcile", "?"])
def test_an_entry_that_says_something_else_is_damaged(kind: str) -> None:
    for text in NO_PAYLOADS:
        with pytest.raises(Refused) as refused:
            parse_payload(_entry(kind, "epsilon"), text)
        assert [problem.code for problem in refused.value.problems] == ["ledger-damaged"]


def test_an_entry_of_a_later_version_is_not_called_damaged() -> None:
    kind, measure, text = next(entry for entry in entries() if entry[0] == "release")
    for later in (
        text.replace('"format":1', '"format":4'),
        text.replace('"role":"value"', '"role":"x"'),
    ):
        with pytest.raises(Refused) as refused:
            parse_payload(_entry(kind, measure), later)
        assert [problem.code for problem in refused.value.problems] == ["entry-too-new"]


# --- documents that somebody changed ------------------------------------------------------------


@lru_cache(maxsize=1)
def stated() -> tuple[dict[str, Any], ...]:
    """What manifests of both measures state."""
    raw = (honest(), honest(in_epsilon()))
    return tuple(json.loads(unpack(bundle)[MANIFEST])["predicate"] for bundle in raw)


def entries() -> Iterator[tuple[str, str, str]]:
    """Kind, measure and text of every entry of the golden ledgers."""
    return chain.from_iterable(map(entries_of, SHOWN))


def _entry(kind: str, measure: str) -> Entry:
    nothing = Epsilon(0) if measure == "epsilon" else Rho(0)
    return Entry(7, "", kind, "a", nothing, nothing, "", "")


@pytest.mark.parametrize(("kind", "measure", "text"), list(entries()))
def test_every_golden_entry_is_written_as_it_was(kind: str, measure: str, text: str) -> None:
    entry = _entry(kind, measure)
    if kind == OpenedAccount.KIND:
        said, kind_of = json.loads(text), type(entry.granted)
        deltas = (Delta.of(said["delta"]), Delta.of(said["delta_kept"]))
        entry = _entry_of(entry, OpenedAccount("", kind_of.of(said["total"]), *deltas))
    assert salted(parse_payload(entry, text)) == with_salt(text)


def test_every_bundle_is_written_as_it_was() -> None:
    for members in stated():
        assert canonical(signed_members(parse_signed(members))) == canonical(members)


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in pairs:
        yield (*way, key)
        if isinstance(member, dict | list) and key not in ("study", "question"):
            yield from _places(member, (*way, key))


def _home(members: Any, way: tuple[Any, ...]) -> Any:
    for key in way[:-1]:
        members = members[key]
    return members


def _is_refused_or_kept(members: Any) -> str:
    """The code of the refusal; empty where it was read, and is written as it stands."""
    try:
        release = parse_signed(members)
    except Refused as refused:
        (problem,) = refused.problems
        assert problem.code.startswith("claim-") and problem.code in SENTENCES
        return problem.code
    assert canonical(signed_members(release)) == canonical(members)
    return ""


@pytest.mark.parametrize("number", range(2))
def test_no_member_may_be_missing_but_the_few_that_may(number: int) -> None:
    members = copy.deepcopy(stated()[number])
    may = ("drawn_at", "threshold")
    for way in [way for way in _places(members) if isinstance(way[-1], str)]:
        home = _home(members, way)
        kept = home.pop(way[-1])
        assert bool(_is_refused_or_kept(members)) is (way[-1] not in may), way
        home[way[-1]] = kept


@pytest.mark.parametrize("number", range(2))
def test_no_object_takes_a_member_more(number: int) -> None:
    members = copy.deepcopy(stated()[number])
    for way in [(), *_places(members)]:
        home = _home(members, (*way, ""))
        if isinstance(home, dict) and way[-1:] not in (("study",), ("question",)):
            home["more"] = "1"
            assert _is_refused_or_kept(members) in ("claim-member-unknown", "claim-malformed"), way
            del home["more"]


@settings(deadline=None, max_examples=examples(150, 400))
@given(st.data())
def test_whatever_is_read_is_written_as_it_was_read(data: st.DataObject) -> None:
    members = copy.deepcopy(data.draw(st.sampled_from(stated())))
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(list(_places(members))))
        home = _home(members, way)
        home[way[-1]] = data.draw(st.sampled_from(ODD) | st.just(_twin(home, way[-1])))
    _is_refused_or_kept(members)


def _twin(home: Any, key: Any) -> Any:
    """Another member's value, in the place of this one's."""
    others = list(home.values()) if isinstance(home, dict) else list(home)
    return copy.deepcopy(others[hash(str(key)) % len(others)])


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_a_changed_member_is_refused_or_reported(data: st.DataObject) -> None:
    """A signer who changes one member, and makes the files again from it, is not believed."""
    whole = stated()[0]
    # What no study or sum speaks of: where and when it was, and by what it was drawn.
    outside = ("release", "software", "signer", "title", "previous", "head", "drawn", "drawn_at")
    free = (*outside, "rollback_suspected", "separate_people_declared", "sensitivity", "sequence")
    ways = [way for way in _places(whole) if not set(map(str, way)) & set(free)]
    way = data.draw(st.sampled_from([way for way in ways if way[0] != "study"]))
    odd = data.draw(st.sampled_from(ODD))

    def change(members: dict[str, Any]) -> None:
        _home(members, way)[way[-1]] = odd

    members = copy.deepcopy(whole)
    change(members)
    if canonical(members) != canonical(whole):
        assert claim_problems(members) or not verify(lied(change, ZCDP), KNOWN).is_good, way


@pytest.mark.parametrize("number", [0, 4])
def test_an_instalment_is_one_of_those_that_are_planned(number: int) -> None:
    def read(number: int) -> Instalment | None:
        said = INSTALMENT.write(Instalment("wards", number, 3))
        found: Instalment | None = INSTALMENT.take(
            StrictObject({"instalment": said}, "$"), "instalment", Epsilon
        )
        return found

    assert read(1) == Instalment("wards", 1, 3) and read(3) == Instalment("wards", 3, 3)
    with pytest.raises(Refused):
        read(number)
