# SPDX-License-Identifier: Apache-2.0
"""Solve a plan backwards: shares from margins that are wanted, or from a total to be spread.

Only declarations go in, so nothing here costs budget. Shares are whole units throughout: what is
spread adds up to its total exactly, to the last micro-epsilon or nano-rho.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.planning.share_for_margin import share_for
from dpdesk.privacy.reconcile.fitted_shares import fitted_shares
from dpdesk.privacy.reconcile.table_weights import table_weights
from dpdesk.study.model.amount import MAX_SHARE, Share, apportion
from dpdesk.study.model.baseline.expansion import own_queries
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from dpdesk.study.problem import refuse
from dpdesk.study.public_numbers import number_of, share_paid

ONE = Fraction(1)


def fit(study: Study, margins: Mapping[str, Fraction]) -> Study:
    """The study at shares whose margins are within those wanted, as :func:`within_margins` finds.

    Args:
        study: queries that are not named keep their shares.
        margins: for each query's id, how far off it may be 95 times in 100, in its result's unit
            (in rows, or in its score, for a choice).

    Raises:
        Refused: what keeps a query from being compiled; ``fit-query-unknown``,
            ``fit-no-expected``, ``fit-no-margin`` (name); ``fit-margin-out-of-reach`` (name,
            margin, most, best); ``fit-over-limit`` (planned, limit, over).
    """
    study = within_margins(study, margins)
    check_limit(study)
    return study


def within_margins(study: Study, margins: Mapping[str, Fraction]) -> Study:
    """The study at the smallest shares whose margins are within those wanted, whatever they cost.

    Tables that are made consistent have less together than each would need by itself
    (``fitted_shares``); a query beside no other table has the smallest that there is, to the unit.

    Args and errors: see :func:`fit`.
    """
    _known(study, margins)
    fitted = [
        _fitted(study, query, margins[query.id]) if query.id in margins else query
        for query in study.queries
    ]
    study = replace(study, queries=tuple(fitted))
    return _at_shares(study, fitted_shares(study, margins))


def check_limit(study: Study) -> None:
    """See that a study's queries cost no more than it may.

    Raises:
        Refused: ``fit-over-limit`` (planned, limit, over).
    """
    limit, planned = _limit(study), _together(study, study.queries)
    if limit is not None and planned.units > limit.units:
        over = type(limit)(planned.units - limit.units)
        raise refuse("fit-over-limit", planned=str(planned), limit=str(limit), over=str(over))


def spread(
    study: Study, total: Share, weights: Mapping[str, Fraction], locked: Collection[str] = ()
) -> Study:
    """The study with a total spread over its queries.

    Claim: the shares of all queries add up to ``total`` exactly; locked ones are as they were,
    each other has its smallest share at least, and beyond that they are in the ratio of the
    weights to within one unit each. A query whose answer is public costs nothing and gets nothing.
    Tables that are made consistent share what they get together so that their figures have the
    least sum of variances, where they weigh the same (``table_weights``).

    Args:
        study: its queries may have no shares yet.
        total: all that the queries may cost together, in the measure of the study's budget.
        weights: by query id, above 0; 1 for queries that are not named.
        locked: ids of queries that keep their shares.

    Raises:
        Refused: ``fit-query-unknown``, ``fit-locked-asked``, ``fit-locked-not-set`` (name);
            ``fit-total-over-limit`` (total, limit); ``fit-total-too-small`` (total, locked,
            least); ``fit-all-locked`` (total, locked).
    """
    _known(study, [*weights, *locked])
    _check_locks(study, weights, locked)
    limit = _limit(study)
    most = MAX_SHARE[total.measure] if limit is None else limit
    if total.units > most.units:
        raise refuse("fit-total-over-limit", total=str(total), limit=str(most))
    own = own_queries(study)
    public = {query.id for query in own if number_of(study, query) is not None}
    free = [query for query in own if query.id not in {*locked, *public}]
    # What a Table 1 costs is declared, and spread by its own rule.
    kept = _together(study, [query for query in study.queries if query not in free])
    left = _left(total, kept, free)
    each = type(total)(max(1, left // len(free)))
    of_tables = table_weights(study, free, each, weights)
    wanted = [weights.get(q.id, ONE) * of_tables.get(q.id, ONE) for q in free]
    units = apportion(left, wanted, [q.least_units for q in free])
    shares = {query.id: type(total)(part) for query, part in zip(free, units, strict=True)}
    return _at_shares(study, shares)


def _at_shares(study: Study, shares: Mapping[str, Share]) -> Study:
    queries = (q.at_share(shares[q.id]) if q.id in shares else q for q in study.queries)
    return replace(study, queries=tuple(queries))


def _fitted(study: Study, query: Query, margin: Fraction) -> Query:
    if number_of(study, query) is not None:
        return query  # exact whatever it is given
    most = MAX_SHARE[(study.budget or Budget()).measure]
    best = compile_query(study, query.at_share(most)).accuracy
    if best is None:
        needs = query.declaration.is_ratio and query.expected is None
        raise refuse("fit-no-expected" if needs else "fit-no-margin", name=query.id)
    share = share_for(study, query, margin)
    if share is None:
        texts = {"margin": number_text(margin), "most": str(most), "best": number_text(best)}
        raise refuse("fit-margin-out-of-reach", name=query.id, **texts)
    return query.at_share(share)


def _known(study: Study, names: Collection[str]) -> None:
    known = [query.id for query in own_queries(study)]
    for name in names:
        if name not in known:
            raise refuse("fit-query-unknown", name=name, known=", ".join(known))


def _check_locks(study: Study, weights: Mapping[str, Fraction], locked: Collection[str]) -> None:
    for query in study.queries:
        if query.id in locked and query.id in weights:
            raise refuse("fit-locked-asked", name=query.id)
        if query.id in locked and query.share is None:
            raise refuse("fit-locked-not-set", name=query.id)


def _left(total: Share, kept: Share, free: Sequence[Query]) -> int:
    """What there is to spread, in units; enough for every free query."""
    if not free:
        raise refuse("fit-all-locked", total=str(total), locked=str(kept))
    least = type(total)(sum(query.least_units for query in free))
    if total.units < kept.units + least.units:
        texts = {"total": str(total), "locked": str(kept), "least": str(least)}
        raise refuse("fit-total-too-small", **texts)
    return total.units - kept.units


def _limit(study: Study) -> Share | None:
    return study.budget.limit if study.budget else None


def _together(study: Study, queries: Sequence[Query]) -> Share:
    """What queries cost, in the study's measure; those without a share nothing."""
    nothing = (study.budget or Budget()).nothing
    shares = (share_paid(study, query) for query in queries)
    return type(nothing)(sum(share.units for share in shares if share is not None))


def number_text(number: Fraction) -> str:
    """A margin with six digits, never below it.

    >>> number_text(Fraction(2, 3)), number_text(Fraction(1500))
    ('0.666667', '1500')
    """
    with localcontext() as context:
        context.prec, context.rounding = 6, ROUND_CEILING
        text = f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
