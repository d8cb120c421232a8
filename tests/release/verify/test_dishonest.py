# SPDX-License-Identifier: Apache-2.0
"""A signer who lies consistently: the manifest, what was drawn and all files tell the same tale.

Every lie here was believed once. The honest bundles beside them must not be doubted.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.privacy.distributions.noise_distribution import half_width
from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import AccountDelta, Delta, Rho
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from tests.release.bundles import KNOWN
from tests.release.liar import CENT, ZCDP, Change, found_out, honest, in_epsilon

Members = dict[str, Any]
PURE = in_epsilon()
ROWS, MEDIAN, TOP, CAUSES = range(4)
CHOICE = {"blocks": 1, "picks": 1, "monotonic": False}


def put(*path: Any) -> Change:
    """Put the last item where the others lead in the predicate."""

    def change(predicate: Members) -> None:
        place: Any = predicate
        for key in path[:-2]:
            place = place[key]
        place[path[-2]] = path[-1]

    return change


def part(query: int, **changes: Any) -> Change:
    """Another draw, with the loss and the margin that go with it."""

    def change(predicate: Members) -> None:
        stated = predicate["queries"][query]["parts"][0]
        stated.update(changes)
        noise = Noise(
            stated["mechanism"],
            float(stated["scale"]),
            predicate["claim"].get("measure", "epsilon"),
            *(stated.get(key, default) for key, default in CHOICE.items()),
        )
        stated["loss"] = repr(loss(noise, int(stated["sensitivity"])))
        stated["norm"] = noise.norm
        if noise.is_additive:
            stated["half_width"] = str(half_width(noise))

    return change


@pytest.mark.parametrize("study", [ZCDP, PURE], ids=["rho", "epsilon"])
def test_an_honest_bundle_made_again_is_believed(study: Study) -> None:
    assert verify(honest(study), KNOWN).is_good
    assert found_out(lambda _predicate: None, study) == set()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (part(ROWS, sensitivity="1"), "claim-sensitivity-too-small"),
        (part(ROWS, scale="1000.0"), "claim-margin-differs"),
        (part(MEDIAN, sensitivity="1"), "claim-sensitivity-too-small"),
        (part(MEDIAN, scale="1000.0"), "claim-mechanism-differs"),
        (part(MEDIAN, blocks=7), "claim-mechanism-differs"),
        (part(MEDIAN, monotonic=True), "claim-mechanism-differs"),
        (part(TOP, picks=1), "claim-mechanism-differs"),
        (part(TOP, monotonic=False), "claim-loss-over-share"),
        (part(CAUSES, sensitivity="1"), "claim-sensitivity-too-small"),
        (part(CAUSES, threshold="15"), "claim-threshold-too-small"),
        (part(CAUSES, threshold="5000"), "bundle-drawn-odd"),
        (part(CAUSES, mechanism="laplace", norm="l1", scale="40.0"), "claim-mechanism-differs"),
    ],
)
@pytest.mark.in_turn(2)
def test_another_noise_than_was_promised(change: Change, code: str) -> None:
    assert code in found_out(change)


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("median", [["-1", "7", "10"]]),
        ("median", [["21", "7", "10"]]),
        ("top", [["1", "1"]]),
        ("top", [["-1", "1"]]),
        ("rows", [["-0", "7", "10"]]),
        ("rows", [[str(2**63), "7", "10"]]),
        ("causes", [[[" fall", "300"]]]),
        ("causes", [[["", "300"]]]),
        ("causes", [[["e\u0301", "300"]]]),
        ("causes", [[["a\u200b", "300"]]]),
        ("causes", [[["a", "300"], ["b", "301"]]]),
        ("causes", [[["a", "15"]]]),
    ],
)
def test_numbers_and_texts_that_no_door_gives_out(name: str, drawn: Any) -> None:
    codes = found_out(put("drawn", name, drawn))
    assert codes in ({"bundle-drawn-odd"}, {"claim-drawn-malformed"})


@pytest.mark.parametrize("rho", ["999999999", "1000000", "100.5"])
def test_a_rho_that_no_account_can_have(rho: str) -> None:
    def change(predicate: Members) -> None:
        predicate["claim"]["rho"] = predicate["queries"][0]["share"] = rho
        predicate["queries"] = predicate["queries"][:1]
        predicate["drawn"] = {"rows": predicate["drawn"]["rows"]}
        predicate["queries"][0]["parts"][0]["share"] = rho

    assert "claim-over-study-limit" in found_out(change)


@pytest.mark.parametrize("delta", ["0", "0.000001000000000001", "0.1", "999999999"])
def test_a_delta_that_no_account_can_have(delta: str) -> None:
    def change(predicate: Members) -> None:
        for part in ("claim", "account"):
            predicate[part] |= {"delta": delta, "delta_kept": "0"}

    assert "claim-delta-impossible" in found_out(change)


@pytest.mark.parametrize(
    ("study", "measure", "code"),
    [
        (ZCDP, "rho", "claim-rho-differs"),
        (PURE, "rho", "claim-rho-differs"),
        (ZCDP, "epsilon", "claim-measure-differs"),
    ],
)
def test_a_claim_without_its_own_measure(study: Study, measure: str, code: str) -> None:
    def change(predicate: Members) -> None:
        predicate["claim"] |= {"measure": measure, "rho": None}
        for query in predicate["queries"]:
            for one in query["parts"]:
                # How a sensitivity is measured says the measure, too.
                choice = (one.get(key, default) for key, default in CHOICE.items())
                one["norm"] = Noise(one["mechanism"], float(one["scale"]), measure, *choice).norm

    assert found_out(change, study) == {code}


def _as_rho(predicate: Members) -> None:
    """A release in pure epsilon, stated in rho, where the same number promises much more."""
    claim, account = predicate["claim"], predicate["account"]
    claim["measure"] = account["measure"] = "rho"
    claim["rho"], claim["delta"], account["delta"] = claim["epsilon"], "0.000000001", "0.000000001"
    claim["epsilon"] = str(account_epsilon(Rho.of(claim["rho"]), AccountDelta(Delta(10**9))))
    for number in range(len(predicate["queries"])):
        part(number)(predicate)


@pytest.mark.parametrize("budget", [{"rho": "1"}, {"rho": "1", "epsilon": "1"}], ids=repr)
def test_a_release_in_epsilon_stated_in_rho(budget: Members) -> None:
    def change(predicate: Members) -> None:
        _as_rho(predicate)
        account = predicate["study"]["budget"]["account"]
        predicate["study"]["budget"] = {"account": account, **budget}

    assert "claim-price-differs" in found_out(change, PURE)


def test_one_older_entry_that_paid_for_one_answer_did_not_pay_for_four() -> None:
    def change(predicate: Members) -> None:
        account, ledger = predicate["account"], predicate["ledger"]
        ledger["sequence"], ledger["entries"] = 9, ["e" * 64] * 7 + ledger["entries"][-2:]
        delta = account["delta_spent_before"] = account["delta_spent_after"]
        account["spent_before"] = account["spent_after"] = "0.2"
        account["released"] = [{"sequence": 2, "charged": "0.2", "delta_charged": delta}]
        for query in predicate["queries"]:
            query |= {"charged": "0", "delta_charged": "0", "drawn_in": 2}

    assert found_out(change) == {"claim-earlier-unpaid"}


_BOTH_WAYS = (IsIn("ward", ("c", "a,b")), IsIn("ward", ("c", "=1+1")))
TWINS = replace(
    ZCDP,
    columns=ZCDP.columns[:2],
    queries=(
        Query("one", "count", where=_BOTH_WAYS, rho=CENT),
        Query("two", "count", where=_BOTH_WAYS[::-1], rho=CENT),
    ),
)


def test_the_same_question_in_other_words_is_believed_to_be_free() -> None:
    found = verify(honest(TWINS), KNOWN)
    assert found.is_good, (found.whole, found.claim)
    assert found.release is not None
    assert [str(q.charged) for q in found.release.record.queries] == ["0.01", "0"]


def _another(predicate: Members) -> None:
    predicate["drawn"]["two"] = [[str(int(predicate["drawn"]["one"][0][0]) + 1)]]


def _twice(predicate: Members) -> None:
    predicate["queries"][0]["charged"] = "0"


def test_a_second_draw_is_not_free() -> None:
    assert "bundle-drawn-odd" in found_out(_another, TWINS)


@pytest.mark.parametrize("change", [_twice], ids=["nobody paid"])
def test_a_draw_is_paid_by_one_of_those_who_ask(change: Callable[[Members], None]) -> None:
    assert "claim-spent-after-differs" in found_out(change, TWINS)


def test_more_draws_than_a_query_has_are_not_priced() -> None:
    """Each would take the noise library's time: 60,000 took half a minute."""

    def change(predicate: Members) -> None:
        parts = predicate["queries"][ROWS]["parts"]
        parts[:] = [{**parts[0], "scale": f"{15 + n / 1000}"} for n in range(21)]

    assert found_out(change) == {"claim-list-too-long"}


NO_MINUTES = (
    "2024-19-01T10:00Z",
    "2024-00-01T10:00Z",
    "2023-02-29T10:00Z",
    "2024-04-31T10:00Z",
    "2024-01-00T10:00Z",
    "2024-01-01T24:00Z",
    "0000-01-01T10:00Z",
    "2024-01-01T10:00:00Z",
    "2024-01-01 10:00Z",
    "2024-01-01T10:00",
    "\uff12024-01-01T10:00Z",
)


@pytest.mark.parametrize("time", NO_MINUTES)
def test_a_time_that_no_clock_shows(time: str) -> None:
    assert found_out(put("release", "time", time)) == {"claim-malformed"}


@pytest.mark.parametrize("time", NO_MINUTES)
def test_an_earlier_time_that_no_clock_shows(time: str) -> None:
    assert found_out(_drawn_earlier(time)) == {"claim-malformed"}


@pytest.mark.parametrize("time", ["2024-02-29T23:59Z", "2000-02-29T00:00Z", "9999-12-31T00:00Z"])
def test_the_calendars_rare_days_are_believed(time: str) -> None:
    assert found_out(put("release", "time", time)) == set()
    assert found_out(_drawn_earlier(time)) == set()


def _drawn_earlier(time: str) -> Change:
    """All answers come out of an entry before, which paid for them, at this time."""

    def change(predicate: Members) -> None:
        account, ledger = predicate["account"], predicate["ledger"]
        account["spent_before"], before = account["spent_after"], ledger["sequence"]
        account["delta_spent_before"] = account["delta_spent_after"]
        ledger["sequence"] = before + 1
        ledger["entries"].insert(0, "e" * 64)
        for query in predicate["queries"]:
            query |= {"charged": "0", "delta_charged": "0", "drawn_at": time}

    return change
