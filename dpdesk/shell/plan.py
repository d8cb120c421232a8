# SPDX-License-Identifier: Apache-2.0
"""``dpdesk plan``: what a study will cost and how accurate it will be. Opens no data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpdesk.privacy import compiler
from dpdesk.privacy.odds import right_in_100
from dpdesk.privacy.plan import Part, Plan, QueryPlan, ScoreBound
from dpdesk.release.amounts import delta_text
from dpdesk.release.assumptions import study_assumptions
from dpdesk.release.comparison_text import comparison_sentences
from dpdesk.release.home import Home
from dpdesk.release.ledger import AccountState, Ledger
from dpdesk.shell.levels import group_members, levels_members, print_group, print_levels
from dpdesk.shell.output import DONE, margin_text, print_json, print_table
from dpdesk.shell.weak import found_weak, weak_lines, weak_members
from dpdesk.study.amount import NO_DELTA, Epsilon
from dpdesk.study.comparison import comparisons
from dpdesk.study.document import Study
from dpdesk.study.files import load_study
from dpdesk.study.groupings import column_of


@dataclass(frozen=True)
class More:
    """What is said besides.

    Attributes:
        levels: the accuracy at 90, 95 and 99 %, of each figure and of all at once.
        people: how many people's protection is told, as one.
    """

    levels: bool = False
    people: int | None = None


NO_MORE = More()


def run(study_path: Path, home: Home, as_json: bool, more: More = NO_MORE) -> int:
    """Print the plan of a study.

    Raises:
        Refused: the study cannot be read or has problems; ``group-size-out-of-range``.
    """
    study = load_study(study_path).study
    plan = compiler.compile(study)
    account = find_account(study, home)
    weak = found_weak(plan, account)
    members = {**plan_members(plan, account), "weak": weak_members(weak)}
    if more.people is not None:
        delta = account.delta_total if account else NO_DELTA
        members["group"] = group_members(plan, delta, more.people)
    if as_json:
        found = levels_members(plan)
        for query in members["queries"]:
            query["levels"] = found.get(query["id"])
        print_json(members)
        return DONE
    _print(plan, members)
    for line in weak_lines(weak):
        print(line)
    if more.levels:
        print_levels(plan)
    if more.people is not None:
        print_group(members["group"])
    return DONE


def find_account(study: Study, home: Home) -> AccountState | None:
    """The study's account, where there is a ledger that has it; makes no ledger."""
    name = study.budget.account if study.budget else ""
    if not home.ledger.exists():
        return None
    return next((a for a in Ledger.open(home).accounts() if a.name == name), None)


def plan_members(plan: Plan, account: AccountState | None) -> dict[str, Any]:
    """The plan as JSON members; amounts and widths are decimal strings."""
    limit = plan.study.budget.limit if plan.study.budget else None
    return {
        "title": plan.study.title,
        "neighbours": plan.study.unit.neighbours if plan.study.unit else "",
        "max_rows": plan.study.unit.max_rows if plan.study.unit else 1,
        "queries": [_query_members(q) for q in plan.queries],
        "comparisons": {c.name: way for c, way in comparisons(plan.study).items()},
        "figures": plan.figures,
        "total": str(plan.total),
        "study_limit": str(limit) if limit else None,
        "within_study_limit": limit is None or plan.total.units <= limit.units,
        "account": _account_members(plan, account),
        "assumptions": list(study_assumptions(plan.study)),
    }


def _query_members(plan: QueryPlan) -> dict[str, Any]:
    query = plan.query
    return {
        "id": query.id,
        "statistic": query.statistic,
        "column": query.column,
        "by": [column_of(grouping) for grouping in query.by],
        "figures": len(plan.lines),
        plan.share.measure: str(plan.share),
        "half_width_95": None if plan.half_width is None else margin_text(plan.half_width, 6),
        "off_by_95": None if plan.bound is None else _bound(plan.bound),
        "delta": str(plan.delta) if plan.delta.atto else None,
        "found_from": plan.found_from,
        "noise_on_count_95": None if plan.beside is None else margin_text(plan.beside, 6),
        "parts": [_part_members(p) for p in plan.parts],
    }


def _bound(bound: ScoreBound) -> str:
    """ "12 rows": how far from the best choice the chosen one may be."""
    return f"{margin_text(bound.distance)} {bound.what} off"


def _part_members(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "mechanism": part.noise.mechanism,
        "sensitivity": str(part.sensitivity),
        "scale": repr(part.scale),
        "loss": repr(part.loss),
        part.share.measure: str(part.share),
        "width": str(part.width),
        "half_width_95": margin_text(part.half_width * part.width, 6),
    }


def _account_members(plan: Plan, account: AccountState | None) -> dict[str, Any] | None:
    if account is None:
        return None
    after = account.left.units - plan.total.units
    return {
        "name": account.name,
        "total": str(account.total),
        "spent": str(account.spent),
        "left": str(account.left),
        "left_after": f"{after / plan.total.PER_ONE:g}",
        "affordable": after >= 0 and not account.locked,
        "locked": account.locked,
    }


def _print(plan: Plan, members: dict[str, Any]) -> None:
    print(plan.study.title)
    heads = (
        "query",
        "figures",
        "95 in 100 within",
        "budget",
        "part",
        "noise",
        "sensitivity",
        "scale",
        "loss",
    )
    print_table(heads, list(_rows(plan)), (1, 2, 3, 6, 7, 8))
    for query in plan.queries:
        for fact in _facts(query):
            print(f"{query.query.id}: {fact}")
    for line in comparison_sentences(plan.study):
        print(line)
    kind = plan.total.measure
    print(f"Together {members['figures']} figures for {plan.total} of budget ({kind}).")
    if not members["within_study_limit"]:
        print(f"That is more than the {members['study_limit']} that the study may spend.")
    _print_account(plan, members)
    for sentence in members["assumptions"]:
        print(sentence)
    if isinstance(plan.total, Epsilon):
        print(
            "A coin-toss guess about any one person can become right at most "
            f"{right_in_100(plan.total)} in 100 times by this release."
        )


def _rows(plan: Plan) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for query in plan.queries:
        first = (query.query.id, str(len(query.lines)), accuracy_text(query), str(query.share))
        for index, part in enumerate(query.parts):
            lead = first if index == 0 else ("", "", "", "")
            scale, loss = f"{part.scale:.6g}", f"{part.loss:.6g}"
            how = part.noise.mechanism
            rows.append((*lead, part.name, how, str(part.sensitivity), scale, loss))
    return rows


def _facts(plan: QueryPlan) -> Iterator[str]:
    """What a margin alone does not say."""
    if plan.found_from is not None:
        yield f"a category that {plan.found_from} people have is found 95 times in 100."
    if plan.delta.atto:
        yield f"costs {delta_text(plan.delta)} of delta too."
    if plan.beside is not None:
        yield f"noise on the count instead would be within ± {margin_text(plan.beside)}."


def accuracy_text(query: QueryPlan) -> str:
    """How accurate a query will be: "± 30", "12 rows off", or "-" where nobody knows yet."""
    if query.bound is not None:
        return _bound(query.bound)
    return "-" if query.half_width is None else f"± {margin_text(query.half_width)}"


def _print_account(plan: Plan, members: dict[str, Any]) -> None:
    account = members["account"]
    if account is None:
        name = plan.study.budget.account if plan.study.budget else ""
        print(f"There is no budget account “{name}” in this ledger yet.")
    elif account["affordable"]:
        left = f"{account['left']} left of {account['total']}"
        print(f"Account “{account['name']}”: {left}, {account['left_after']} after this release.")
    else:
        left = f"only {account['left']} is left of {account['total']}"
        print(f"Account “{account['name']}”: {left}, so this cannot be released.")
