# SPDX-License-Identifier: Apache-2.0
"""``dpdesk plan``: what a study will cost and how accurate it will be. Opens no data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template, spoken
from dpdesk.privacy import compiler
from dpdesk.privacy.accounting.guess_probability import right_in_100
from dpdesk.privacy.plan import Part, Plan, QueryPlan, ScoreBound
from dpdesk.privacy.published_tables import excess_text
from dpdesk.release.bundle.assumptions import comparison_sentences, study_assumptions
from dpdesk.release.bundle.baseline.titles import baseline_title
from dpdesk.release.bundle.query_headings import UNTITLED, ReleaseWords, planned_form
from dpdesk.release.bundle.value_sentences import value_sentences
from dpdesk.release.ledger import AccountState, Ledger
from dpdesk.release.ledger.answers import Paid
from dpdesk.release.ledger.decisions.series import Series
from dpdesk.release.ledger.spending.instalments import due_series
from dpdesk.release.ledger.spending.prices import as_released, paid_before, unanswered
from dpdesk.release.ledger.uses import EarlierUse
from dpdesk.release.places.home import Home
from dpdesk.release.plan_report.accuracy import accuracy_text, mean_beside
from dpdesk.release.plan_report.planned_at import planned_at
from dpdesk.release.record.amounts import delta_text, found_problem
from dpdesk.release.record.totals import together
from dpdesk.release.run.same_file import find_earlier_use
from dpdesk.shell.confidence_levels import (
    group_members,
    guess_text,
    levels_members,
    print_group,
    print_levels,
)
from dpdesk.shell.extract import with_extract
from dpdesk.shell.new_file import refuse_taken
from dpdesk.shell.output import (
    DONE,
    from_ledger,
    in_cell,
    in_sentence,
    in_words,
    language,
    margin_text,
    print_json,
    print_table,
    say,
    say_count,
)
from dpdesk.shell.weak import found_weak, weak_lines, weak_members
from dpdesk.study.checks.extracts import check_extract
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import WITHOUT_DELTA, Delta, Epsilon, Share, zero
from dpdesk.study.model.baseline.expansion import queries_of
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.text_folding import comparisons
from dpdesk.study.problem import Problem, refuse
from dpdesk.study.text.comparison_titles import compared_groups
from dpdesk.study.text.counted_rows import counted_rows
from dpdesk.study.text.number_text import rounded
from dpdesk.study.text.titles import title
from dpdesk.study.text.unit_names import PLAIN, UnitNames, named_unit, names_of
from dpdesk.texts.problems import sentence

_HEADS: Final[tuple[Template, ...]] = (
    "query",
    "figures",
    "± (95 in 100)",
    "budget",
    "part",
    "noise",
    "sensitivity",
    "scale",
    "loss",
)


@dataclass(frozen=True)
class PlanOptions:
    """What is said besides.

    Attributes:
        levels: the accuracy at 90, 95 and 99 %, of each figure and of all at once.
        people: how many people, whose protection as one group is reported.
        fresh: the release will draw and pay again for what was answered.
        to: where the plan is written for the second person to sign.
        pdf: where the plan is written as a document for the ethics board.
        series: the planned series whose next release it is; each is drawn and paid in full.
    """

    levels: bool = False
    people: int | None = None
    extract: str | None = None
    fresh: bool = False
    to: Path | None = None
    pdf: Path | None = None
    series: str = ""

    @property
    def is_fresh(self) -> bool:
        """Whether all is drawn and paid again."""
        return self.fresh or bool(self.series)


NO_OPTIONS = PlanOptions()


def run(study_path: Path, home: Home, as_json: bool, more: PlanOptions = NO_OPTIONS) -> int:
    """Print the plan of a study.

    Raises:
        Refused: the study cannot be read or has problems; ``group-size-out-of-range``; see
            ``find_price``.
    """
    study = with_extract(load_study(study_path).study, more.extract)
    plan = compiler.compile(study)
    if more.to is not None:
        return _hand_over(plan, home, more.to, more)
    price = find_price(plan, home, more.is_fresh, more.series)
    if more.pdf is not None:
        return _write_document(study, home, more, as_json)
    account = find_account(study, home)
    plan = as_released(plan, price.stored)
    weak = found_weak(plan, account)
    members = {**plan_members(plan, account, price), "weak": weak_members(study, weak)}
    if more.people is not None:
        delta = account.delta if account else WITHOUT_DELTA
        members["group"] = group_members(plan, delta, more.people)
    if as_json:
        levels = levels_members(plan)
        for query in members["queries"]:
            query["levels"] = levels.get(query["id"])
        print_json(members)
        return DONE
    _print(plan, members)
    for line in weak_lines(study, weak, numbers_of(plan)):
        print(line)
    if more.levels:
        print_levels(plan, numbers_of(plan))
    if more.people is not None:
        print_group(members["group"], _names(study))
    return DONE


def show(plan: Plan, home: Home, price: Price) -> None:
    """Print the plan of a release that is about to be asked for, and what is weak of it."""
    account = find_account(plan.study, home)
    plan = as_released(plan, price.stored)
    _print(plan, plan_members(plan, account, price))
    for line in weak_lines(plan.study, found_weak(plan, account), numbers_of(plan)):
        print(line)


def _hand_over(plan: Plan, home: Home, path: Path, more: PlanOptions) -> int:
    """Write the plan for the second person of its account.

    Raises:
        Refused: see ``plan_signature.plan_to_sign`` and ``write_handed``.
    """
    # Loaded here: what signs comes with them, and most plans are signed by nobody.
    from dpdesk.release.second_person.handed_over import write_handed
    from dpdesk.release.second_person.plan_signature import plan_to_sign

    to_sign = plan_to_sign(Ledger.open(home), plan, more.is_fresh, more.series)
    write_handed(path, to_sign.to_bytes())
    text = "Hand {name} to the second person: dpdesk sign {name}"
    print(say(text, name=path.name))
    return DONE


def _write_document(study: Study, home: Home, more: PlanOptions, as_json: bool) -> int:
    """Write the plan as a PDF, in the shell's language.

    Raises:
        Refused: ``plan-form`` (name); see ``plan_pdf``, ``refuse_taken`` and ``write_pages``.
    """
    # Loaded here: what sets pages comes with it.
    from dpdesk.release.plan_report.document import plan_pdf, write_pages

    path = more.pdf or Path()
    if path.suffix.lower() != ".pdf":
        raise refuse("plan-form", name=path.name)
    pages = plan_pdf(compiler.compile(study), home, spoken().language, more.is_fresh)
    refuse_taken(path, pages)
    write_pages(path, pages)
    if as_json:
        print_json({"pdf": path.name})
    else:
        print(say("The plan was written to {name}. No data was read.", name=path.name))
    return DONE


def _names(study: Study) -> UnitNames:
    """What the study calls rows and people, else the words of the shell's language."""
    return names_of(study.unit, language().names)


def numbers_of(plan: Plan) -> dict[str, int]:
    """The place of each query in the list of titles, by its id: what its other lines begin with."""
    return {one.query.id: place for place, one in enumerate(plan.queries, 1)}


def find_account(study: Study, home: Home) -> AccountState | None:
    """The study's account, where there is a ledger that has it; makes none where there was none.

    Raises:
        Refused: ``ledger-rolled-back`` (param accounts) of one that was there.
    """
    name = study.budget.account if study.budget else ""
    return Ledger.open(home).find_account(name) if home.has_ledger else None


@dataclass(frozen=True)
class Price:
    """What a release of the plan will charge, as of one look at the ledger.

    Attributes:
        stored: the answers that it will take from the ledger, by canonical question.
        used: an earlier use of the extract, of which the release will ask.
        series: the series that reserved it, where it is the next release of one.
    """

    stored: Mapping[str, Paid] = field(default_factory=dict)
    used: EarlierUse | None = None
    series: Series | None = None

    def charges(self, plan: Plan) -> dict[str, Share]:
        """What each query will cost, by its id."""
        paid = {query.query.id for query in unanswered(plan.queries, self.stored).values()}
        nothing = zero(plan.total.measure)
        return {q.query.id: q.share if q.query.id in paid else nothing for q in plan.queries}

    def total(self, plan: Plan) -> Share:
        return together(plan.total.measure, self.charges(plan).values())

    def delta(self, plan: Plan) -> Delta:
        """What its found categories will charge of the account's delta."""
        paid = unanswered(plan.queries, self.stored).values()
        return Delta(sum(query.delta.atto for query in paid))


def find_price(plan: Plan, home: Home, fresh: bool = False, series: str = "") -> Price:
    """Ask the ledger, where there is one, what it would answer; opens no data, makes no ledger.

    Raises:
        Refused: as ``due_series`` of a series.
    """
    due = _due(plan, home, series) if series else None
    data = plan.study.data
    if data is None or not data.extract or not home.ledger.exists():
        return Price(series=due)
    stored = {} if fresh else paid_before(plan, home)
    return Price(stored, find_earlier_use(plan.study, Ledger.open(home)), due)


def _due(plan: Plan, home: Home, series: str) -> Series:
    if not home.ledger.exists():
        account = plan.study.budget.account if plan.study.budget else ""
        raise refuse("series-unknown", name=series, account=account)
    return due_series(Ledger.open(home), plan, series)


def plan_members(
    plan: Plan, account: AccountState | None, price: Price | None = None
) -> dict[str, Any]:
    """The plan as JSON members; amounts and widths are decimal strings.

    ``total`` is what a release will charge, ``claim`` what all its figures together cost.
    """
    price = price or Price()
    limit = plan.study.budget.limit if plan.study.budget else None
    return {
        "title": plan.study.title,
        "neighbours": plan.study.unit.neighbours if plan.study.unit else "",
        "max_rows": plan.study.unit.max_rows if plan.study.unit else 1,
        "queries": [
            _query_members(plan.study, q, price, price.charges(plan)) for q in plan.queries
        ],
        "comparisons": {c.name: way for c, way in comparisons(plan.study).items()},
        "figures": plan.figures,
        "total": str(price.total(plan)),
        "claim": str(plan.total),
        "extract_declared": not tuple(check_extract(plan.study.data)),
        "extract_used": None if price.used is None else price.used.day,
        "study_limit": str(limit) if limit else None,
        "within_study_limit": limit is None or plan.total.units <= limit.units,
        "account": _account_members(*_of_account(plan, price), account),
        **({} if price.series is None else {"series": _series_members(price.series)}),
        "assumptions": [
            *study_assumptions(plan.study, _words()),
            *value_sentences(plan.study, _words()),
        ],
    }


def _query_members(
    study: Study, plan: QueryPlan, price: Price, charges: Mapping[str, Share]
) -> dict[str, Any]:
    query, paid, mean = plan.query, price.stored.get(plan.canonical), mean_beside(plan)
    called, counted = title(study, query, language()), str(counted_rows(study, query, language()))
    return {
        "id": query.id,
        "title": called,
        "statistic": query.statistic,
        "column": query.column,
        "by": [column_of(grouping) for grouping in query.by],
        "figures": len(plan.lines),
        "counted": counted,
        plan.share.measure: str(plan.share),
        "charged": str(charges[query.id]),
        "public": plan.public_total if plan.is_public else None,
        "answered": None if paid is None else _paid_members(paid),
        "half_width_95": None if plan.half_width is None else margin_text(plan.half_width, 6),
        **({} if mean is None else {"mean_half_width_95": margin_text(mean, 6)}),
        "planned_at": list(planned_at(study, plan, _words())),
        "off_by_95": None if plan.bound is None else _bound(plan, plan.bound, PLAIN),
        "delta": str(plan.delta) if plan.delta.atto else None,
        "found_from": plan.found_from,
        "population": plan.query.population,
        "comparisons_of_groups": [
            {"by": one.by, "kind": one.kind, "reference": one.reference or None}
            for one in plan.query.comparisons
        ],
        "published": _form_members(plan),
        "noise_on_count_95": None if plan.beside is None else margin_text(plan.beside, 6),
        "parts": [_part_members(p) for p in plan.parts],
    }


def _bound(plan: QueryPlan, bound: ScoreBound, names: UnitNames) -> str:
    """ "12 admissions off": how far from the best choice, or from the rank, the chosen one may be.

    Of quantiles among declared candidates, "12 admissions further off than the best candidate".
    """
    distance, unit = in_cell(margin_text(bound.distance)), named_unit(bound.what, names)
    if bound.is_from_best and plan.query.declaration.chooses == "rank":
        return say(
            "{distance} {unit} further away than the best candidate", distance=distance, unit=unit
        )
    return say("{distance} {unit} away", distance=distance, unit=unit)


def _form_members(plan: QueryPlan) -> dict[str, Any] | None:
    """In which form its counts are published; nothing where as they come from the noise."""
    if plan.form is None:
        return None
    high = excess_text(plan, plan.errors)
    return {"rounded_to": plan.form.step, "excess_at_zero": high or None}


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


def _of_account(plan: Plan, price: Price) -> tuple[Share, Delta]:
    """What a release takes of the remaining budget: nothing of it where a series reserved it."""
    if price.series is not None:
        return zero(plan.total.measure), Delta(0)
    return price.total(plan), price.delta(plan)


def _series_members(series: Series) -> dict[str, Any]:
    return {"series": series.begun.name, "number": series.drawn + 1, "of": series.begun.count}


def _account_members(
    cost: Share, delta: Delta, account: AccountState | None
) -> dict[str, Any] | None:
    if account is None:
        return None
    after = account.left.units - cost.units
    short = found_problem(account.name, account.delta, account.delta_left, delta)
    return {
        "name": account.name,
        "total": str(account.total),
        "spent": str(account.spent),
        "reserved": str(account.reserved),
        "left": str(account.left),
        "left_after": f"{after / cost.PER_ONE:g}",
        "affordable": after >= 0 and not account.locked and short is None,
        "problem": None if short is None else {"code": short.code, **short.params},
        "locked": account.locked,
    }


def _print(plan: Plan, members: dict[str, Any]) -> None:
    untitled = say("Untitled study: its report will be headed “{heading}”.", heading=say(UNTITLED))
    print(plan.study.title or untitled)
    numbers = numbers_of(plan)
    for one in plan.queries:
        print(f"{numbers[one.query.id]}. {title(plan.study, one.query, language())}")
    for line in _baseline_lines(plan, numbers):
        print(line)
    heads = [say(head) for head in _HEADS]
    charged = {query["id"]: query["charged"] for query in members["queries"]}
    print_table(heads, list(_rows(plan, charged)), (0, 1, 2, 3, 6, 7, 8))
    for query, shown in zip(plan.queries, members["queries"], strict=True):
        for fact in (*_price_facts(shown), *_facts(plan.study, query)):
            print(f"{numbers[query.query.id]}: {fact}")
    for line in _planned_lines(plan, numbers):
        print(line)
    for line in _counted_lines(plan, numbers):
        print(line)
    for line in comparison_sentences(plan.study, _words()):
        print(line)
    print(
        say_count(
            members["figures"],
            "Total: {n} figure for {total} of budget ({measure}).",
            "Total: {n} figures for {total} of budget ({measure}).",
            n=members["figures"],
            total=members["total"],
            measure=in_words(plan.total.measure),
        )
    )
    _print_claim(members)
    if not members["within_study_limit"]:
        limit = members["study_limit"]
        print(say("That is over the study's limit of {limit}.", limit=limit))
    _print_account(plan, members)
    for said in members["assumptions"]:
        print(said)
    if isinstance(plan.total, Epsilon):
        who = say("one {person}", person=_names(plan.study).person)
        print(guess_text(who, right_in_100(plan.total)))


def _baseline_lines(plan: Plan, numbers: Mapping[str, int]) -> Iterator[str]:
    """Which queries are those of a Table 1, and what they cost together."""
    study = plan.study
    for table in study.baseline_tables:
        own = [numbers[query.id] for query in queries_of(study, table)]
        yield say(
            "{title}: queries {first} to {last}, together {price} of budget.",
            title=baseline_title(study, table, _words()),
            first=own[0],
            last=own[-1],
            price=table.share,
        )


def _counted_lines(plan: Plan, numbers: Mapping[str, int]) -> Iterator[str]:
    """Which rows are counted, once for all queries of which the same is said."""
    return _once(plan, numbers, lambda one: str(counted_rows(plan.study, one.query, language())))


def _planned_lines(plan: Plan, numbers: Mapping[str, int]) -> Iterator[str]:
    """What margins take for granted, in the same way."""
    words = _words()

    def planned(one: QueryPlan) -> str:
        said = "; ".join(planned_at(plan.study, one, words))
        return said and f"{said[0].upper()}{said[1:]}."

    return _once(plan, numbers, planned)


def _once(
    plan: Plan, numbers: Mapping[str, int], text: Callable[[QueryPlan], str]
) -> Iterator[str]:
    said: dict[str, list[str]] = {}
    for one in plan.queries:
        said.setdefault(text(one), []).append(str(numbers[one.query.id]))
    return (f"{', '.join(places)}: {found}" for found, places in said.items() if found)


def _words() -> ReleaseWords:
    """The language that the shell speaks, as a release's sentences take it."""
    return ReleaseWords.of(spoken().language)


def _print_claim(members: dict[str, Any]) -> None:
    """What the total does not say of answers that are not paid now, and of the extract."""
    if members["claim"] != members["total"]:
        claim = members["claim"]
        print(
            say(
                "Together they cost {claim}; what is not charged now was charged before, or is "
                "charged with an equal query.",
                claim=claim,
            )
        )
    if not members["extract_declared"]:
        print(say("The study declares no extract: a release asks for one (--extract NAME)."))
    if members["extract_used"]:
        day = members["extract_used"]
        asks = "The extract was used on {day}: a release asks whether this is the same file."
        print(say(asks, day=day))


def _paid_members(paid: Paid) -> dict[str, Any]:
    place = {"release": paid.number, "entry": paid.sequence, "date": paid.day}
    return {**place, "taken_back": paid.revoked.in_short() if paid.revoked else None}


def _price_facts(shown: dict[str, Any]) -> Iterator[str]:
    """Why a query costs nothing now."""
    if shown["public"] is not None:
        yield say("public, costs nothing.")
        return
    if shown["answered"] is not None:
        paid = shown["answered"]
        yield from_ledger(paid["release"], paid["entry"], paid["date"], paid["taken_back"])
    elif shown["charged"] == "0":
        yield say("the same as another query of this study, charged once.")


def _rows(plan: Plan, charged: Mapping[str, str]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for place, query in enumerate(plan.queries, 1):
        cost = charged[query.query.id]
        first = (str(place), str(len(query.lines)), accuracy_of(plan.study, query), cost)
        if query.is_public:
            rows.append((*first, "", "", "", "", ""))
        for index, part in enumerate(query.parts):
            lead = first if index == 0 else ("", "", "", "")
            scale = in_cell(rounded(Fraction(part.scale), 6))
            loss = in_cell(rounded(Fraction(part.loss), 6, up=True))
            sensitivity = in_cell(str(part.sensitivity))
            drawn = (in_words(part.name), in_words(part.noise.mechanism))
            rows.append((*lead, *drawn, sensitivity, scale, loss))
    return rows


def _facts(study: Study, plan: QueryPlan) -> Iterator[str]:
    """What a margin alone does not say."""
    if plan.is_left_as_drawn:
        yield say("too many cells for tables over the same rows to be made to add up.")
    elif plan.joined is not None and len(plan.joined.tables) == 1:
        yield say("its counts will be made to add up to the public total.")
    elif plan.joined is not None:
        others = len(plan.joined.tables) - 1
        yield say_count(
            others,
            "will be made to add up with {n} other table over the same rows.",
            "will be made to add up with {n} other tables over the same rows.",
            n=in_sentence(str(others)),
        )
    if plan.found_from is not None:
        count, people = in_sentence(str(plan.found_from)), _names(study).people
        shown = "a category of {n} {people} is published 95 times in 100."
        yield say(shown, n=count, people=people)
    if plan.delta.atto:
        yield say("also costs {delta} of delta.", delta=delta_text(plan.delta))
    if plan.beside is not None:
        margin = in_sentence(margin_text(plan.beside))
        yield say("noise on the count instead would give ± {margin}.", margin=margin)
    if form := planned_form(plan, _words()):
        yield form
    if plan.query.population:
        yield say("an interval for the population is beside each figure.")
    yield from compared_groups(study, plan.query, language())


def accuracy_of(study: Study, query: QueryPlan) -> str:
    """How accurate a query will be: "± 30 rows", or "-" where nobody knows yet."""
    return accuracy_text(study, query, _words(), in_table=True) or "-"


def _print_account(plan: Plan, members: dict[str, Any]) -> None:
    account = members["account"]
    if account is None:
        name = plan.study.budget.account if plan.study.budget else ""
        print(say("The account “{name}” is not in this ledger yet.", name=name))
        return
    if "series" in members:
        text = "Release {number} of {of} in series {series}; the series reserved its budget."
        print(say(text, **members["series"]))
    if account["locked"]:
        text = "The account “{name}” is locked: nothing can be released from it."
        print(say(text, name=account["name"]))
        return
    if (short := account["problem"]) is not None:
        params = {name: text for name, text in short.items() if name != "code"}
        print(sentence(Problem("$", short["code"], params)))
        return
    enough = "Account “{name}”: {left} of {total} remaining, {left_after} after this release."
    short = "Account “{name}”: only {left} of {total} remaining, so this cannot be released."
    print(say(enough if account["affordable"] else short, **account))
