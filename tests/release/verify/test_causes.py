# SPDX-License-Identifier: Apache-2.0
"""Each cause of a claim that does not add up, in a manifest that is right but for that.

Sums that follow from what is changed are changed with it, so that nothing else can find the lie.
"""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.study.model.amount import AccountDelta, Delta, Rho
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.texts.problems import SENTENCES, sentence
from tests.release.bundles import claim_problems
from tests.release.liar import CENT, ZCDP, honest, in_epsilon
from tests.release.verify.test_dishonest import part, put
from tests.source_files import ROOT

Members = dict[str, Any]
Change = Callable[[Members], object]
PURE = in_epsilon()
ROWS, MEDIAN, TOP, CAUSES = range(4)
_WAYS = (IsIn("ward", ("c", "a,b")), IsIn("ward", ("c", "=1+1")))
TWINS = replace(
    ZCDP,
    columns=ZCDP.columns[:2],
    queries=(
        Query("one", "count", where=_WAYS, rho=CENT),
        Query("two", "count", where=_WAYS[::-1], rho=CENT),
    ),
)
SAME = replace(TWINS, queries=(TWINS.queries[0], replace(TWINS.queries[0], id="two")))


@lru_cache(maxsize=4)
def _stated(study: Study) -> Members:
    members: Members = json.loads(unpack(honest(study))[MANIFEST])["predicate"]
    return members


def stated(study: Study = ZCDP) -> Members:
    """What an honest manifest states, to change at will."""
    return copy.deepcopy(_stated(study))


def all_of(*changes: Change) -> Change:
    """One change after another."""

    def change(members: Members) -> None:
        for one in changes:
            one(members)

    return change


def drop(*path: Any) -> Change:
    """Take a member out."""

    def change(members: Members) -> None:
        place: Any = members
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change


def spent(**amounts: str) -> Change:
    """Other amounts of the account, with the one charge that they come from."""

    def change(members: Members) -> None:
        members["account"] |= amounts
        members["account"]["released"][0]["charged"] = members["account"]["spent_after"]

    return change


def earlier(members: Members) -> None:
    """All answers come out of the entry before, which paid for them."""
    account, ledger = members["account"], members["ledger"]
    account["spent_before"] = account["spent_after"]
    account["delta_spent_before"] = account["delta_spent_after"]
    ledger["sequence"] += 1
    ledger["entries"].insert(0, "e" * 64)
    for query in members["queries"]:
        query |= {"charged": "0", "delta_charged": "0", "drawn_at": "2026-01-01T10:00Z"}


def first_of_its_ledger(members: Members) -> None:
    """Nothing was opened before it."""
    members["ledger"]["previous"] = members["ledger"]["entries"][-2] = "0" * 64


def first(key: str, value: Any) -> Change:
    return put("queries", ROWS, key, value)


def draw(query: int, key: str, value: Any) -> Change:
    return put("queries", query, "parts", 0, key, value)


def _dearer(members: Members) -> None:
    """A draw's share, its query's and the total all grow together."""
    _at_price(members, "0.02")


def _cheaper(members: Members) -> None:
    """The study, too, wants to pay less than the draw loses."""
    members["study"]["queries"][ROWS]["rho"] = "0.009"
    _at_price(members, "0.009")


def _at_price(members: Members, share: str) -> None:
    query = members["queries"][ROWS]
    query["share"] = query["parts"][0]["share"] = share
    _charged(members, share, Rho.of(members["claim"]["rho"]) - CENT + Rho.of(share))


def _charged(members: Members, charged: str, total: Rho) -> None:
    members["queries"][ROWS]["charged"] = charged
    meant = account_epsilon(total, delta_of(members["claim"]))
    members["claim"] |= {"rho": str(total), "epsilon": str(meant)}
    spent(spent_after=str(total))(members)


def _charged_half(members: Members) -> None:
    members["queries"][ROWS]["charged"] = "0.005"
    spent(spent_after="0.315")(members)


def _charged_again(members: Members) -> None:
    earlier(members)
    here = members["ledger"]["sequence"]
    members["queries"][ROWS]["charged"] = "0.01"
    members["account"]["spent_after"] = "0.33"
    charge = {"sequence": here, "charged": "0.01", "delta_charged": "0"}
    members["account"]["released"].append(charge)


def _two_times(members: Members) -> None:
    earlier(members)
    members["queries"][ROWS]["drawn_at"] = "2026-01-02T10:00Z"


def _earlier_paid_less(members: Members) -> None:
    earlier(members)
    spent(spent_before="0.3", spent_after="0.3")(members)


def _earlier_paid_less_delta(members: Members) -> None:
    earlier(members)
    members["account"] |= {"delta_spent_before": "0", "delta_spent_after": "0"}
    members["account"]["released"][0]["delta_charged"] = "0"


def _twins_paid_twice(members: Members) -> None:
    members["queries"][1]["charged"] = "0.01"
    spent(spent_after="0.02")(members)


def _twins_unpaid(members: Members) -> None:
    members["queries"][0]["charged"] = "0"
    members["account"] |= {"spent_after": "0", "released": []}


def _twins_drawn_apart(members: Members) -> None:
    members["ledger"]["sequence"] = 3
    members["ledger"]["entries"].insert(0, "e" * 64)
    members["queries"][0]["drawn_in"] = 3
    members["queries"][1]["drawn_in"] = 2
    released = members["account"]["released"]
    released[0] |= {"sequence": 3}
    released.insert(0, {"sequence": 2, "charged": "0.01", "delta_charged": "0"})
    members["account"] |= {"spent_before": "0.01", "spent_after": "0.02"}


def _repeated(members: Members) -> None:
    members["queries"][1] |= {"id": members["queries"][0]["id"]}
    members["study"]["queries"][1]["id"] = members["study"]["queries"][0]["id"]
    del members["drawn"]["two"]


def _with_delta(members: Members) -> None:
    members["claim"]["delta"] = members["account"]["delta"] = "0.000000001"


def _no_limit(members: Members) -> None:
    members["study"]["budget"] = {"account": members["study"]["budget"]["account"]}


def _unpriced(members: Members) -> None:
    """A study that is read, and that nobody could release: its column has no bounds."""
    for key in ("lower", "upper", "step"):
        members["study"]["columns"][0].pop(key)


def _threshold(members: Members) -> None:
    part = members["queries"][CAUSES]["parts"][0]
    part["threshold"] = str(int(part["threshold"]) - 1)


def _too_many_draws(members: Members) -> None:
    members["queries"][ROWS]["parts"] *= 21


def delta_of(members: Members) -> AccountDelta:
    """The delta that a claim or an account states."""
    return AccountDelta(Delta.of(members["delta"]), Delta.of(members["delta_kept"]))


def _over_kept(members: Members) -> None:
    kept = {"delta_kept": "0.000000000099999999"}
    members["account"] |= kept
    members["claim"] |= kept
    meant = account_epsilon(Rho.of(members["claim"]["rho"]), delta_of(members["claim"]))
    members["claim"]["epsilon"] = str(meant)


def _nothing_converts(members: Members) -> None:
    for name in ("account", "claim"):
        members[name]["delta_kept"] = members[name]["delta"]


CASES: list[tuple[str, Study, Change]] = [
    ("claim-format-unknown", ZCDP, put("format", 4)),
    ("claim-word-unknown", ZCDP, draw(ROWS, "mechanism", "staircase")),
    ("claim-member-missing", ZCDP, drop("account", "total")),
    ("claim-member-unknown", ZCDP, put("claim", "note", "VERIFIED")),
    ("claim-malformed", ZCDP, put("claim", "max_rows", True)),
    ("claim-list-too-long", ZCDP, _too_many_draws),
    ("claim-drawn-malformed", ZCDP, put("drawn", "rows", [["1.0", "2", "3"]])),
    ("claim-noise-impossible", ZCDP, draw(ROWS, "sensitivity", "9" * 19)),
    ("claim-loss-differs", ZCDP, draw(ROWS, "loss", "0.0099")),
    ("claim-loss-over-share", ZCDP, _cheaper),
    ("claim-shares-differ", ZCDP, draw(ROWS, "share", "0.011")),
    ("claim-total-differs", ZCDP, put("claim", "rho", "0.33")),
    ("claim-rho-differs", ZCDP, put("claim", "rho", None)),
    ("claim-measure-differs", ZCDP, put("account", "measure", "epsilon")),
    ("claim-delta-not-of-account", ZCDP, put("claim", "delta", "0.0000000011")),
    ("claim-kept-not-of-account", ZCDP, put("claim", "delta_kept", "0.0000000003")),
    ("claim-malformed", ZCDP, put("claim", "delta_kept", "0.0000000011")),
    ("claim-delta-in-epsilon", PURE, _with_delta),
    ("claim-delta-impossible", ZCDP, _nothing_converts),
    (
        "claim-delta-impossible",
        ZCDP,
        all_of(put("claim", "delta", "0.1"), put("account", "delta", "0.1")),
    ),
    ("claim-meaning-differs", ZCDP, put("claim", "epsilon", "0.1")),
    ("claim-study-unreadable", ZCDP, put("study", "columns", [1])),
    ("claim-study-not-priced", ZCDP, _unpriced),
    ("claim-study-local", ZCDP, put("study", "data", "path", "Smith.csv")),
    ("claim-unit-differs", ZCDP, put("claim", "max_rows", 3)),
    ("claim-unit-differs", ZCDP, put("claim", "unit", "row")),
    ("claim-account-name-differs", ZCDP, put("account", "name", "other")),
    ("claim-limit-missing", ZCDP, _no_limit),
    ("claim-over-study-limit", ZCDP, put("study", "budget", "rho", "0.3")),
    ("claim-queries-differ", ZCDP, put("study", "queries", 0, "id", "lines")),
    ("claim-query-repeated", SAME, _repeated),
    ("claim-question-differs", ZCDP, put("queries", MEDIAN, "question", "by", [])),
    ("claim-price-differs", ZCDP, _dearer),
    ("claim-title-differs", ZCDP, put("study", "queries", ROWS, "title", "Something else")),
    ("claim-name-differs", ZCDP, first("name", "lines")),
    ("claim-cells-differ", ZCDP, first("cells", 4)),
    ("claim-draws-differ", ZCDP, draw(ROWS, "name", "people")),
    (
        "claim-mechanism-differs",
        ZCDP,
        all_of(draw(TOP, "picks", 1), draw(TOP, "loss", "0.04999999999999999")),
    ),
    ("claim-sensitivity-too-small", ZCDP, part(ROWS, sensitivity="1")),
    ("claim-margin-differs", ZCDP, draw(ROWS, "half_width", "1")),
    ("claim-threshold-too-small", ZCDP, _threshold),
    (
        "claim-query-delta-differs",
        ZCDP,
        all_of(
            put("queries", CAUSES, "delta", "0.0000000002"),
            put("queries", CAUSES, "delta_charged", "0.0000000002"),
            put("account", "delta_spent_after", "0.0000000002"),
            put("account", "released", 0, "delta_charged", "0.0000000002"),
        ),
    ),
    ("claim-chain-differs", ZCDP, first_of_its_ledger),
    ("claim-spent-after-differs", ZCDP, put("account", "spent_before", "0.1")),
    ("claim-account-overspent", ZCDP, put("account", "total", "0.3")),
    (
        "claim-charges-differ",
        ZCDP,
        lambda m: m["account"]["released"].insert(
            0, {"sequence": 1, "charged": "0.1", "delta_charged": "0"}
        ),
    ),
    (
        "claim-charges-unordered",
        ZCDP,
        lambda m: m["account"]["released"].append(
            {"sequence": 9, "charged": "0", "delta_charged": "0"}
        ),
    ),
    ("claim-charge-here-differs", PURE, put("account", "released", 0, "sequence", 1)),
    ("claim-charge-not-share", ZCDP, _charged_half),
    ("claim-stored-charged", ZCDP, _charged_again),
    ("claim-drawn-elsewhere", ZCDP, first("drawn_in", 1)),
    ("claim-drawn-times-differ", ZCDP, _two_times),
    ("claim-question-paid-twice", TWINS, _twins_paid_twice),
    ("claim-question-drawn-twice", TWINS, _twins_drawn_apart),
    ("claim-draw-unpaid", TWINS, _twins_unpaid),
    ("claim-earlier-unpaid", ZCDP, _earlier_paid_less),
    ("claim-earlier-delta-unpaid", ZCDP, _earlier_paid_less_delta),
    ("claim-delta-charge-differs", ZCDP, put("queries", CAUSES, "delta", "0.0000000002")),
    ("claim-delta-after-differs", ZCDP, put("account", "delta_spent_before", "0.0000000001")),
    (
        "claim-delta-charges-differ",
        ZCDP,
        lambda m: m["account"]["released"].insert(
            0, {"sequence": 1, "charged": "0", "delta_charged": "0.0000000001"}
        ),
    ),
    (
        "claim-delta-here-differs",
        ZCDP,
        all_of(
            put("account", "released", 0, "delta_charged", "0"),
            lambda m: m["account"]["released"].insert(
                0, {"sequence": 1, "charged": "0", "delta_charged": "0.0000000001"}
            ),
        ),
    ),
    ("claim-delta-overspent", ZCDP, _over_kept),
]


@pytest.mark.parametrize("study", [ZCDP, PURE, TWINS], ids=["rho", "epsilon", "twins"])
def test_what_is_stated_is_right_before_it_is_changed(study: Study) -> None:
    assert claim_problems(stated(study)) == ()


@pytest.mark.parametrize(("code", "study", "change"), CASES, ids=[case[0] for case in CASES])
@pytest.mark.in_turn(3)
def test_each_cause_has_its_code_and_its_sentence(code: str, study: Study, change: Change) -> None:
    members = stated(study)
    change(members)
    found = claim_problems(members)
    assert {problem.code for problem in found} == {code}
    assert all("{" not in sentence(problem) for problem in found)


def test_every_code_has_its_case() -> None:
    folders = ("verify", "record")
    paths = [path for name in folders for path in (ROOT / "dpdesk/release" / name).glob("*.py")]
    codes = {code for path in paths for code in _codes(path)}
    assert codes == {code for code, _, _ in CASES}
    assert {code for code in SENTENCES if code.startswith("claim-")} == codes


def _codes(path: Path) -> set[str]:
    """Texts of a module that are codes of a claim."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return {text for text in texts if isinstance(text, str) and text in SENTENCES} & {
        code for code in SENTENCES if code.startswith("claim-")
    }
