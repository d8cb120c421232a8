# SPDX-License-Identifier: Apache-2.0
"""The marks below the handle: what some round shares would buy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dpdesk.desk.core.edits import budget_edits
from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.widgets.inputs.accuracy_handle import ScaleMark
from dpdesk.privacy.accounting.share_for_margin import with_share
from dpdesk.privacy.compiler import compile_query
from dpdesk.release.totals import share_of
from dpdesk.study.model.amount import MICRO, Epsilon, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Refused

MARK_SHARES = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)


def marks_between(
    study: Study, query: Query, low: int, high: int, more: Iterable[int], measure: str
) -> Iterator[ScaleMark | None]:
    """Marks of round shares, and of those in ``more``, that lie from ``low`` to ``high``.

    Each takes milliseconds; where there is nothing to show of one, ``None`` stands for it.

    Args:
        study: the open study.
        query: the query; its own share and title do not matter.
        low, high, more: in the smallest parts of the measure.
        measure: what the account is kept in.
    """
    plain = replace(query, epsilon=None, rho=None, title="")
    round_ones = (budget_edits.as_measure(Epsilon(round(s * MICRO)), measure) for s in MARK_SHARES)
    shares = sorted({*(share.units for share in round_ones), *more})
    for units in shares:
        if low <= units <= high:
            yield _mark(study, plain, share_of(measure, units))


def _mark(study: Study, query: Query, share: Share) -> ScaleMark | None:
    """What a share would buy; nothing for a query that is not complete."""
    try:
        shown = accuracy_words.mark(study, compile_query(study, with_share(query, share)))
    except Refused:
        return None
    return ScaleMark(share.units, shown, words.amount(share)) if shown else None
