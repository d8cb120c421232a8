# SPDX-License-Identifier: Apache-2.0
"""The proofs on a few fixed worlds, fast enough to be held against every planted bug.

A detector gets an empty folder and returns what it found, one sentence each; nothing on an honest
program. An error that escapes the program is a finding too.
"""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.threshold import LEAST, SLACK
from dpdesk.privacy.noise.door import OpenDPDoor, epsilon_of_rho, loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.statistics.quantile_counts import QUARTERS
from dpdesk.study.model.amount import AccountDelta, Delta, Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.asking import query_for
from tests.audit import adding_up
from tests.audit.accounts import account_findings
from tests.audit.adding_up import adds_up
from tests.audit.baselines import (
    COUNTS,
    baseline_attack,
    baseline_findings,
    baseline_study,
    baseline_worlds,
)
from tests.audit.cells import cell_findings
from tests.audit.comparisons import comparison_findings, model_findings
from tests.audit.constant import Outcome, Table, differences, outcome
from tests.audit.databases import database_findings
from tests.audit.delta_parts import delta_findings
from tests.audit.extremes import READ_OFF_TREES, falls_short, furthest
from tests.audit.found import found_texts
from tests.audit.guess import guess_audit
from tests.audit.guess_several import several_pairs
from tests.audit.length import runs, some
from tests.audit.linear_figures import linear_findings
from tests.audit.margins import margin_findings
from tests.audit.neighbour_databases import database_neighbours
from tests.audit.neighbour_files import file_violations, file_world, worst_worlds
from tests.audit.neighbour_tables import table_violations, table_world
from tests.audit.pairs import (
    ADD_REMOVE,
    CHANGE_ONE,
    EPSILON,
    ODD_ROWS,
    Attack,
    choices,
    every_statistic,
    pairs,
    row,
)
from tests.audit.prepared import (
    LABS,
    PATIENTS,
    beyond_the_bound,
    exact_findings,
    joined_study,
    local_findings,
    prepared_study,
    prepared_worlds,
)
from tests.audit.public_numbers import public_findings
from tests.audit.quantile_reference import checked
from tests.audit.recognised import NEIGHBOURS, findings_of
from tests.audit.replay import violations
from tests.audit.several_files import (
    chain_world,
    several_violations,
    several_world,
    worst_several,
)
from tests.audit.stories import signers, stories, strict
from tests.audit.survival_figures import survival_findings
from tests.audit.synthetic import synthetic_findings
from tests.audit.tables import CANARY
from tests.audit.totals import total_findings
from tests.audit.worlds import Neighbours, run
from tests.doors import RecordingDoor

Detector = Callable[[Path], Iterator[str]]

CROWD = (row("1", "5", "B"), row("2", "0", "C"), row("3", "9", "A"))
RUNS = 6_000
THREE = replace(ADD_REMOVE, max_rows=3), replace(CHANGE_ONE, max_rows=3)
SHARP = (
    *((unit, by, "epsilon") for unit in THREE for by in ((), ("ward",))),
    (THREE[1], ("ward",), "rho"),
)
ENOUGH = runs(short=1, full=3)
"""Nobody reads more findings of one bug, and one is enough to catch it."""


def replay(folder: Path) -> Iterator[str]:
    """One person moves no answer by more than its sensitivity."""
    for name, world in (*_replayed(), *_replayed_in_rho()):
        for part, sensitivity, distance in violations(world, folder):
            yield f"{name}: {part} moves by {distance}, {sensitivity} declared"


def _replayed() -> Iterator[tuple[str, Neighbours]]:
    # What a query alone declares is asked by no study of every statistic.
    for pair in (*pairs(), *(pair for pair in choices() if pair.derived)):
        yield pair.name, Neighbours(pair.study, pair.without, pair.with_person)
    yield from _wide()
    yield from _filled_in()
    yield from prepared_worlds()
    yield from baseline_worlds()
    pooled = tuple(row(i, "10", ward) for i in ("", " ", "?") for ward in "ABC")
    study = every_statistic(replace(ADD_REMOVE, without_id="one-person", max_rows=2), by=("ward",))
    yield "nobody's rows in every group", Neighbours(study, CROWD, CROWD + pooled)
    moved = (tuple(row("7", "10", ward) for ward in 3 * text) for text in ("A", "BC"))
    first, second = (CROWD + rows for rows in moved)
    study = every_statistic(replace(CHANGE_ONE, max_rows=3), by=("ward",))
    yield "change-one: from one ward to others", Neighbours(study, first, second)
    mixed = (row("7", "10"), row("7", "10", ok="no"), row("7", "10", sex="M"))
    study = every_statistic(THREE[0], by=("sex",))
    yield "in both halves of a group", Neighbours(study, CROWD, CROWD + mixed)
    ends = NumberColumn("stay", Decimal(0), Decimal(1), Decimal(1))
    high, low = (row("1", "1"), row("2", "1"), row("7", "1")), (row("7", "0"),)
    study = every_statistic(CHANGE_ONE, stay=ends)
    yield "change-one: onto the lower of two values", Neighbours(study, high, high[:2] + low)
    yield from _public_totals()


def _public_totals() -> Iterator[tuple[str, Neighbours]]:
    """From one to another of two or three groups, which hold every row."""
    count = Query("q").having(by=("ward",), epsilon=EPSILON)
    for groups in ("AB", "ABC"):
        ward = CategoryColumn("ward", tuple(groups), missing=Replace("A"), unknown=Replace("A"))
        study = replace(every_statistic(CHANGE_ONE), columns=(ward,), queries=(count,))
        first, second = ((*CROWD, row("7", ward=group)) for group in "AB")
        yield f"a public total of {len(groups)} groups", Neighbours(study, first, second)
    stay = NumberColumn("stay", *map(Decimal, (0, 10, 1)), Replace(Decimal(0)), Replace(Decimal(0)))
    first, second = ((*CROWD, row("7", end)) for end in ("0", "10"))
    for edges in ((5,), (3, 6)):
        bins = Query("q", epsilon=EPSILON).having(
            statistic="distribution", column="stay", edges=tuple(map(Decimal, edges))
        )
        study = replace(every_statistic(CHANGE_ONE), columns=(stay,), queries=(bins,))
        yield f"a public total of {len(edges) + 1} bins", Neighbours(study, first, second)


def _replayed_in_rho() -> Iterator[tuple[str, Neighbours]]:
    """Gaussian noise and choices by Gumbel noise, with groups and many rows."""
    mine = tuple(row("7", stay, ward) for stay in ("0", "10") for ward in "ABC")
    other = tuple(row("7", stay, "A", ok="no") for stay in ("0", "0", "10"))
    for unit in (replace(ADD_REMOVE, max_rows=6), replace(CHANGE_ONE, max_rows=6)):
        for by in ((), ("ward",)):
            study = every_statistic(unit, by, measure="rho")
            first = CROWD + (other if unit.neighbours == "change-one" else ())
            yield f"{unit.neighbours} in rho by {len(by)}", Neighbours(study, first, CROWD + mine)
    study = every_statistic(THREE[1], ("ward",), measure="rho")
    here, there = (CROWD + 3 * (row("7", "10", ward),) for ward in "AB")
    yield "change-one in rho: from one ward to another", Neighbours(study, here, there)
    bins = Query("q", rho=Rho.of(2)).having(
        statistic="distribution", column="stay", edges=tuple(map(Decimal, range(1, 11)))
    )
    study = replace(study, unit=THREE[1], queries=(bins,))
    here, there = (CROWD + 3 * (row("7", stay),) for stay in ("0", "10"))
    yield "change-one in rho: from the first bin to the last", Neighbours(study, here, there)


def _wide() -> Iterator[tuple[str, Neighbours]]:
    """Sums beyond 32 bits, and a lower bound further from zero than the upper."""
    for lower, upper, cell in ((0, 2**30, "1e18"), (-900, 10, "-5000")):
        column = NumberColumn("stay", Decimal(lower), Decimal(upper), Decimal(1))
        study = every_statistic(ADD_REMOVE, stay=column)
        others = (*CROWD, row("4", cell))
        yield f"sum from {lower}", Neighbours(study, others, (*others, row("7", cell)))


def _filled_in() -> Iterator[tuple[str, Neighbours]]:
    """Many missing cells that a declared constant replaces."""
    column = NumberColumn("stay", Decimal(0), Decimal(10), Decimal(1), missing=Replace(Decimal(0)))
    others = tuple(row(str(i), "") for i in range(20, 40))
    study = every_statistic(ADD_REMOVE, stay=column)
    yield "missing cells", Neighbours(study, others, (*others, row("7", "10")))
    others = tuple(row(str(i), "9") for i in range(20, 30))
    yield (
        "an odd row",
        Neighbours(every_statistic(ADD_REMOVE), others, (*others, row("7", "abc", "?", "?"))),
    )


def files(folder: Path) -> Iterator[str]:
    """One person's lines move no answer by more than its sensitivity, whatever they hold."""
    worlds = {str(seed): file_world(seed) for seed in range(20)}
    with pytest.MonkeyPatch.context() as patch:
        for name, world in {**worst_worlds(), **worlds}.items():
            world.read_in_pieces(patch)
            for part, sensitivity, distance in file_violations(world, folder):
                yield f"{name}: {part} moves by {distance}, {sensitivity} declared"


def tables(folder: Path) -> Iterator[str]:
    """Nor do one person's rows in files of other kinds."""
    for seed in range(16):
        dice = random.Random(seed)
        kind = ".parquet" if seed % 4 else ".ods"
        for part, sensitivity, distance in table_violations(table_world(seed), kind, folder, dice):
            yield f"{kind} {seed}: {part} moves by {distance}, {sensitivity} declared"


def several(folder: Path) -> Iterator[str]:
    """Nor do one person's lines in any file of several tables, or the order of lines."""
    for name, world in worst_several().items():
        for found in several_violations(world, folder):
            yield f"{name}: {found}"
    with pytest.MonkeyPatch.context() as patch:
        for seed in range(4):
            for name, world in (("several", several_world(seed)), ("chain", chain_world(seed))):
                world.read_in_pieces(patch)
                for found in several_violations(world, folder):
                    yield f"{name} {seed}: {found}"


def sharp(folder: Path) -> Iterator[str]:
    """No sensitivity is larger than what somebody attains."""
    for unit, by, measure in SHARP:
        for query in every_statistic(unit, by, measure=measure).queries:
            if query.statistic in READ_OFF_TREES and query.rows_per_group is not None:
                continue
            asked = query
            if not query.declaration.before_limit:
                asked = replace(query, where=(IsMissing("stay", False),))
            study = replace(every_statistic(unit, measure=measure), queries=(asked,))
            for part, (sensitivity, distance) in furthest(study, folder).items():
                if falls_short(study, sensitivity, distance):
                    yield f"{part} moves by {distance}, {sensitivity} declared"


def unlimited(folder: Path) -> Iterator[str]:
    """What is counted before the row limit is the same whatever the limit is."""
    many = tuple(
        row(who, "5", "B") for who, rows in (("1", 1), ("2", 2), ("3", 9)) for _ in range(rows)
    )
    study, found = every_statistic(ADD_REMOVE), []
    study = replace(study, queries=tuple(q for q in study.queries if q.declaration.before_limit))
    for limit in (1, 2, 50):
        door = RecordingDoor()
        limited = replace(study, unit=replace(ADD_REMOVE, max_rows=limit))
        run(limited, folder, (*many, row(""), row("")), door)
        found.append([call.exact for call in door.calls])
    if not found[0] or found != [[(1, 1, 1)]] * 3:
        yield f"rows per person are {found}"


def ranks(folder: Path) -> Iterator[str]:
    """Where noise is too small to matter, what is called a quantile is one."""
    for seed in range(20):
        yield from checked(seed, folder).wrong


def constant(folder: Path) -> Iterator[str]:
    """Nothing that leaves depends on the data."""
    tables = {
        "empty": Table(()),
        "odd": Table(ODD_ROWS, name=f"{CANARY}.csv", time=1_000_000_000),
        "crowded": Table(tuple(row(str(i), str(i % 9), "BBC"[i % 3]) for i in range(60))),
    }
    by_ward = every_statistic(ADD_REMOVE, ("ward",))
    studies = (every_statistic(ADD_REMOVE), by_ward, _rounded(by_ward))
    prepared = prepared_study(ADD_REMOVE), joined_study(ADD_REMOVE)
    overlapping = dict(adding_up.studies())["epsilon"]
    studies = (*studies, overlapping, baseline_study(ADD_REMOVE))
    for index, study in enumerate((*studies, *prepared)):
        if index == len(studies):
            tables["crowded"] = Table(beyond_the_bound(random.Random(index)))
        if study.tables:
            # Nobody, odd rows alone, and people of whom some are in one table.
            odd, crowd = tables["odd"].rows, (*CROWD, row("4", "7"), row("2", "7", "C"))
            for name, rows in (("empty", ()), ("odd", odd), ("crowded", crowd)):
                further = dict.fromkeys((LABS, PATIENTS), rows)
                tables[name] = replace(tables[name], further=further)
        found: dict[str, Outcome] = {}
        for name, table in tables.items():
            place = folder / f"{index}-{name}"
            place.mkdir()
            found[name] = outcome(study, table, place)
        for name in ("odd", "crowded"):
            for place_of in differences(found["empty"], found[name]):
                yield f"{name} against empty: {place_of} differs"
        if "again record" not in found["empty"]:
            yield "nothing is released"
        if CANARY in str(found["odd"]):
            yield "a cell or a file's name is shown"
    for pair in NEIGHBOURS:
        yield from findings_of(pair, folder)


def _rounded(study: Study) -> Study:
    """Its counts, rounded; those that noise can take below zero are published as 0 then."""
    counted = (query for query in study.queries if query.declaration.is_count)
    queries = (replace(q, whole_numbers=q.declaration.has_whole_numbers) for q in counted)
    return replace(study, rounding=5, queries=tuple(queries))


def claims(_folder: Path) -> Iterator[str]:
    """No draw costs more than its share, and the shares of a query's draws add up to its price."""
    for unit in (ADD_REMOVE, replace(CHANGE_ONE, max_rows=1), replace(CHANGE_ONE, max_rows=7)):
        for measure, share in (("epsilon", Epsilon), ("rho", Rho)):
            study = every_statistic(unit, measure=measure)
            apart = _chosen_apart(unit, measure)
            for units in some(range(9_973, 1_000_000, 97_119), 4):
                for one in (study, apart):
                    asked = (replace(q, **{measure: share(units)}) for q in one.queries)
                    yield from _claims(replace(one, queries=tuple(asked)))
    yield from _meaning()


def _chosen_apart(unit: Unit, measure: str) -> Study:
    """Quartiles of so many values that each is a choice of its own, which has a part of the share.

    Those of the short column are read off one tree of counts.
    """
    wide = NumberColumn("stay", Decimal(0), Decimal(100), Decimal(1))
    study = every_statistic(unit, stay=wide, measure=measure)
    quartiles = query_for("quantiles", wide, quantiles=QUARTERS, candidates=())
    return replace(study, queries=(quartiles,))


def _claims(study: Study) -> Iterator[str]:
    for query in compile(study).queries:
        shares = sum(part.share.units for part in query.parts)
        if shares != query.share.units:
            yield f"{query.query.id}: parts cost {shares}, {query.share.units} charged"
        for part in query.parts:
            found = Fraction(loss(part.noise, part.sensitivity))
            if found > part.share.as_fraction() or found > Fraction(part.loss):
                yield f"{query.query.id}: {part.name} loses more than its share"
            yield from _shown(study, query.query, part.noise)


def _shown(study: Study, query: Query, noise: Noise) -> Iterator[str]:
    """A category that one person alone has shows at most as often as delta says."""
    if noise.threshold is None or not query.delta.atto or study.unit is None:
        return
    if shows(noise, noise.threshold, study.unit.max_rows) > query.delta.as_fraction():
        yield f"{query.id}: a threshold lets through more than delta"


def shows(noise: Noise, threshold: int, categories: int = 1) -> float:
    """The probability that one of a person's own categories is given out, never understated."""
    each = noise_distribution.tail(threshold - LEAST, noise) / 2 * (1 + SLACK)
    return -math.expm1(categories * math.log1p(-each)) if each < 1 else 1.0


def _meaning() -> Iterator[str]:
    """What an account keeps of its delta for releases does not convert its rho."""
    for rho, delta in ((Rho.of("0.01"), Delta.of("1e-9")), (Rho.of(1), Delta.of("1e-6"))):
        for kept in (0, delta.atto // 2, delta.atto - 1):
            least = epsilon_of_rho(rho, Delta(delta.atto - kept))
            shown = account_epsilon(rho, AccountDelta(delta, Delta(kept)))
            if shown.as_fraction() < Fraction(least):
                yield f"rho {rho} means more than is said"


def noise(_folder: Path) -> Iterator[str]:
    """No noise comes twice, no cell goes without, and it falls on either side."""
    door = OpenDPDoor()
    for wide in (Noise("laplace", 1e9), Noise("gaussian", 1e9, "rho")):
        draws = [door.add_noise("noise", np.zeros(20, np.int64), wide, 1) for _ in range(5)]
        values = {value for drawn in draws for value in drawn} - {0}
        if len(values) < 99:
            yield "the same noise comes twice, or none"
        if not min(values, default=0) < 0 < max(values, default=0):
            yield "the noise falls on one side"
    choice = Noise("noisy-max", 1e3, blocks=40)
    chosen = door.add_noise("noise", np.tile(np.array([5, 4, 3, 2]), 40), choice, 1)
    if set(chosen) != {0, 1, 2, 3}:
        yield "choices are not made for each group by itself, or without noise"


GUESSED = (
    "count: victim with 50 rows",
    "sum: outlier 1e9",
    "mean: empty table or the highest",
    "people: 50 rows in one cell",
    "people by ward: rows in every group",
    "change-one: another ward",
    "change-one: mean by ward, to another ward",
    "count by sex: two rows in one group, of which one counts",
)


def guess(folder: Path) -> Iterator[str]:
    """Nobody guesses better than the claim allows."""
    for pair in pairs():
        if pair.name in GUESSED:
            yield from _guessed(pair.name, Attack.on(pair, folder))
    yield from _guessed("Table 1", baseline_attack(COUNTS, folder))
    for several_pair in several_pairs():
        yield from _guessed(several_pair.name, several_pair.attack(folder))


def _guessed(name: str, attack: Attack) -> Iterator[str]:
    audit = guess_audit(attack.weigh, EPSILON.micro / 1e6, RUNS)
    if audit.caught:
        yield f"{name}: {audit.right} of {audit.guesses} right, p = {audit.p:.0e}"


DETECTORS: dict[str, Detector] = {
    "replay": replay,
    "local": local_findings,
    "exact": exact_findings,
    "files": files,
    "tables": tables,
    "several": several,
    "cells": cell_findings,
    "adds up": adds_up,
    "totals": total_findings,
    "survival": survival_findings,
    "linear": linear_findings,
    "baseline": baseline_findings,
    "database": database_findings,
    "database neighbours": database_neighbours,
    "public": public_findings,
    "synthetic": synthetic_findings,
    "margins": margin_findings,
    "comparisons": comparison_findings,
    "models": model_findings,
    "constant": constant,
    "claims": claims,
    "strict": strict,
    "stories": stories,
    "signers": signers,
    "account": account_findings,
    "delta": delta_findings,
    "ranks": ranks,
    "sharp": sharp,
    "unlimited": unlimited,
    "noise": noise,
    "found": found_texts,
    "guess": guess,
}
"""The quick ones first; guessing, which takes seconds, last."""


def findings(name: str, folder: Path) -> list[str]:
    """What a detector finds; the first error ends it."""
    found: list[str] = []
    place = folder / name
    place.mkdir()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found.extend(islice(DETECTORS[name](place), ENOUGH))
    except Exception as error:
        found.append(f"{type(error).__name__} escapes")
    return found
