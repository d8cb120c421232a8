# SPDX-License-Identifier: Apache-2.0
"""Which bundles are held against each other, which are of two ledgers or tell two stories."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.parse import parse_signed
from dpdesk.release.record.second_person import Override, SecondPerson
from dpdesk.release.record.values import MOST_ENTRIES, SignedRelease, SignerName
from dpdesk.release.run import permission
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.verify.histories import compare, in_order
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import AccountDelta, Delta, Epsilon
from tests.release.bundles import KEY, KNOWN, bundle, done, refusal, resigned
from tests.release.studies import STUDY, one_query, release, write_data


def of(signer: str, chain: str) -> SignedRelease:
    """A bundle of a signer, whose ledger's entries have hashes of these signs."""
    members = json.loads(unpack(bundle())[MANIFEST])["predicate"]
    made = parse_signed(copy.deepcopy(members))
    hashes = tuple(sign * 64 for sign in chain)
    record = replace(
        made.record,
        place=replace(made.record.place, sequence=len(hashes), previous=hashes[-2]),
        queries=(),
    )
    name = SignerName(signer, made.signer.fingerprint)
    return replace(made, chain=hashes, record=record, signer=name)


def codes(*releases: SignedRelease) -> set[str]:
    """What is found, the same in whatever order."""
    found = {
        frozenset(problem.code for problem in compare(order)) for order in permutations(releases)
    }
    (one,) = found
    return set(one) - {"bundles-missing"}


@pytest.mark.threat("G9")
def test_two_hospitals_each_with_an_entry_2_have_two_ledgers() -> None:
    assert codes(of("a@x", "1a"), of("b@y", "2b")) == set()
    assert codes(of("a@x", "1a"), of("b@y", "22b")) == set()
    assert in_order([of("a@x", "1a"), of("b@y", "22b")]) == ()
    assert codes(of("a@x", "1a"), of("a@x", "1b")) == {"bundles-fork"}


@pytest.mark.threat("E6", "G9")
@pytest.mark.parametrize(("one", "other"), [("1ab", "1ac"), ("1ab", "1acdefgh"), ("1ab", "1c")])
def test_custodians_of_one_ledger_are_held_against_each_other(one: str, other: str) -> None:
    """Whoever signs: both lists begin alike, and part."""
    assert codes(of("a@x", one), of("b@y", other)) == {"bundles-fork"}
    assert codes(of("a@x", one), of("b@y", other), of("c@z", "1a")) == {"bundles-fork"}
    assert codes(of("a@x", one), of("b@y", f"{one}def")) == set()


@pytest.mark.threat("E6", "G9")
def test_two_first_entries_under_one_key_are_two_ledgers_for_one_budget() -> None:
    assert codes(of("a@x", "1ab"), of("a@x", "2abc")) == {"bundles-fork"}


def test_bundles_of_one_ledger_are_put_in_order() -> None:
    three = [of("a@x", "1abc"), of("b@y", "1a"), of("c@z", "2d"), of("a@x", "1ab")]
    assert codes(*three) == set() and in_order(three) == ((1, 3, 0),)


def test_another_hospitals_bundle_is_not_the_one_that_is_missing() -> None:
    (found,) = compare([of("a@x", "1abcd"), of("b@y", "2b")])
    assert (found.code, found.params["sequences"]) == ("bundles-missing", "2")


@pytest.mark.threat("G9")
def test_accounts_of_one_ledger_have_charges_of_their_own() -> None:
    first, second = of("a@x", "1a"), of("a@x", "1ab")
    account = replace(second.record.account, name="other", charges=())
    other = replace(second, record=replace(second.record, account=account))
    assert codes(first, other) == set()
    account = replace(account, name=first.record.account.name)
    less = replace(second, record=replace(second.record, account=account))
    assert codes(first, less) == {"bundles-fork"}


@pytest.mark.threat("A14", "G9")
def test_of_an_accounts_delta_what_converts_stays_and_what_is_kept_only_grows() -> None:
    def stated(chain: str, whole: int, kept: int, spent: int = 0) -> SignedRelease:
        made = of("a@x", chain)
        charge = replace(made.record.account.charges[0], sequence=2, delta=Delta(spent))
        delta = AccountDelta(Delta(whole), Delta(kept))
        account = replace(made.record.account, delta=delta, charges=(charge,))
        return replace(made, record=replace(made.record, account=account))

    first = stated("1a", 10, 4)
    assert codes(first, stated("1ab", 10, 4)) == codes(first, stated("1ab", 12, 6)) == set()
    for whole, kept, spent in ((12, 4, 0), (10, 5, 0), (9, 3, 0), (6, 0, 0), (10, 4, 1)):
        assert codes(first, stated("1ab", whole, kept, spent)) == {"bundles-fork"}


@pytest.mark.threat("G9")
def test_that_a_second_person_was_replaced_is_stated_from_then_on() -> None:
    who = SecondPerson("both", "board@x", "ssh-ed25519 " + "A" * 68)
    lost = Override("f" * 64, "2026-11-21T14:32Z", who, None, "a lost key")
    later = replace(lost, entry="e" * 64)

    def stated(chain: str, *overrides: Override) -> SignedRelease:
        made = of("a@x", chain)
        return replace(made, record=replace(made.record, overrides=overrides))

    assert codes(stated("1a", lost), stated("1ab", lost, later)) == set()
    assert codes(stated("1a", lost), stated("1ab")) == {"bundles-fork"}
    assert codes(stated("1a", lost), stated("1ab", later)) == {"bundles-fork"}


# --- one answer, drawn once ---------------------------------------------------------------------


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    write_data(tmp_path)
    opened = Ledger.open(Home.at(tmp_path / "home"))
    opened.new_account("registry", Epsilon.of("9"))
    return opened


def stated(done: ReleaseDone) -> SignedRelease:
    found = verify(build(done.stored, done.chain, KEY), KNOWN)
    assert found.is_good and found.release is not None
    return found.release


def with_other_figure(release: SignedRelease) -> SignedRelease:
    """The same but for one number that was drawn."""
    first, *rest = release.record.queries
    assert first.drawn is not None
    members = first.drawn.members()
    members[0][0] = str(int(members[0][0]) + 1)
    queries = (replace(first, drawn=Drawn.of_members(members)), *rest)
    return replace(release, record=replace(release.record, queries=queries))


@pytest.mark.threat("E4", "G9")
def test_one_paid_answer_has_one_value(ledger: Ledger, tmp_path: Path) -> None:
    """Two bundles said that entry 2 drew a question, each with figures of its own."""
    first = stated(release(STUDY, tmp_path, ledger, OpenDPDoor()))
    again = stated(release(STUDY, tmp_path, ledger, OpenDPDoor(), same_extract=True))
    third = stated(release(STUDY, tmp_path, ledger, OpenDPDoor(), same_extract=True))
    assert [one.drawn_in for one in third.record.queries] == [2] * len(STUDY.queries)
    assert codes(first, again, third) == set() and in_order([third, first]) == ((1, 0),)
    assert codes(first, with_other_figure(again)) == {"bundles-answer-differs"}
    assert codes(with_other_figure(again), third) == {"bundles-answer-differs"}, "from entry 2"
    problem = next(p for p in compare([again, with_other_figure(third)]) if "differs" in p.code)
    assert problem.params == {"first": "3", "second": "4", "entry": "2"}


@pytest.mark.threat("E4", "G9")
def test_an_answer_of_an_entry_that_never_drew_it_is_found_out(
    ledger: Ledger, tmp_path: Path
) -> None:
    small = one_query()
    first = stated(release(small, tmp_path, ledger, OpenDPDoor()))
    other = stated(release(STUDY, tmp_path, ledger, OpenDPDoor(), same_extract=True))
    assert codes(first, other) == set(), "the rest was drawn in entry 3"
    queries = tuple(replace(one, drawn_in=2) for one in other.record.queries)
    altered = replace(other, record=replace(other.record, queries=queries))
    assert codes(first, altered) == {"bundles-answer-differs"}


@pytest.mark.threat("G9")
def test_an_answer_taken_over_keeps_the_time_of_its_draw(ledger: Ledger, tmp_path: Path) -> None:
    first = stated(release(STUDY, tmp_path, ledger, OpenDPDoor()))
    again = stated(release(STUDY, tmp_path, ledger, OpenDPDoor(), same_extract=True))
    assert again.record.queries[0].drawn_at == first.record.time
    queries = tuple(replace(q, drawn_at="2020-01-01T00:00Z") for q in again.record.queries)
    altered = replace(again, record=replace(again.record, queries=queries))
    assert codes(first, altered) == {"bundles-fork"}


def test_a_second_draw_has_another_value(ledger: Ledger, tmp_path: Path) -> None:
    first = stated(release(STUDY, tmp_path, ledger, OpenDPDoor()))
    fresh = stated(release(STUDY, tmp_path, ledger, OpenDPDoor(), fresh=True, same_extract=True))
    assert codes(first, fresh) == set()


# --- the list of hashes -------------------------------------------------------------------------


def longer(count: int) -> bytes:
    """The small bundle, of a ledger with so many entries."""
    chain = tuple(f"{place:064x}" for place in range(count - 2)) + done().chain[-2:]
    record = done().stored.record
    charges = tuple(replace(one, sequence=count) for one in record.account.charges)
    record = replace(
        record,
        place=replace(record.place, sequence=count),
        queries=tuple(replace(one, drawn_in=count) for one in record.queries),
        account=replace(record.account, charges=charges),
    )
    return build(replace(done().stored, record=record), chain, KEY)


def test_a_long_ledger_is_exported_and_verified_soon() -> None:
    raw, start = longer(MOST_ENTRIES), process_time()
    found = verify(raw, KNOWN)
    assert found.is_good and len(raw) < 8_000_000 and process_time() - start < 5
    assert verify(longer(MOST_ENTRIES + 1), KNOWN).claim != ()


def test_a_ledger_that_no_bundle_can_list_draws_nothing(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(permission, "MOST_ENTRIES", 2)
    release(STUDY, tmp_path, ledger, OpenDPDoor())
    spent = ledger.account("registry").spent
    again = partial(release, fresh=True)
    code = refusal(again, STUDY, tmp_path, ledger, OpenDPDoor()).code
    assert code == "ledger-too-long" and ledger.account("registry").spent == spent


LISTS: dict[str, Callable[[dict[str, Any]], object]] = {
    "one too few": lambda own: own["entries"].pop(0),
    "one too many": lambda own: own["entries"].insert(0, "a" * 64),
    "another last": lambda own: own["entries"].__setitem__(-1, "a" * 64),
    "another before": lambda own: own["entries"].__setitem__(-2, "a" * 64),
    "another head": lambda own: own.update(head="a" * 64),
    "another place": lambda own: own.update(sequence=own["sequence"] + 1),
    "none": lambda own: own.update(entries=[]),
    "missing": lambda own: own.pop("entries"),
    "no list": lambda own: own.update(entries="".join(own["entries"])),
    "capitals": lambda own: own.update(entries=[one.upper() for one in own["entries"]]),
    "no hash": lambda own: own["entries"].insert(0, "VERIFIED"),
    "numbers": lambda own: own["entries"].insert(0, 1),
}


@pytest.mark.threat("G9")
@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_is_not_of_the_place_is_refused(name: str) -> None:
    raw = resigned(lambda statement: LISTS[name](statement["predicate"]["ledger"]))
    found = verify(raw, KNOWN)
    assert not found.is_good
    assert [p.code for p in found.claim or ()] in (["claim-malformed"], ["claim-member-missing"])


@pytest.mark.threat("G9")
def test_a_list_made_up_to_hide_a_fork_contradicts_every_honest_bundle(
    ledger: Ledger, tmp_path: Path
) -> None:
    """Whoever signs may list what they like; but bundles that left earlier stay as they are."""
    first = stated(release(STUDY, tmp_path, ledger, OpenDPDoor()))
    second = stated(release(STUDY, tmp_path, ledger, OpenDPDoor(), same_extract=True))
    for place in range(len(first.chain)):
        chain = (*second.chain[:place], "a" * 64, *second.chain[place + 1 :])
        assert codes(first, replace(second, chain=chain)) == {"bundles-fork"}, place
