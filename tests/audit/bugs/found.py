# SPDX-License-Identifier: Apache-2.0
"""Bugs of categories found in the data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpdesk.data.aggregation import aggregate
from dpdesk.data.encoding import partition_selection as found_texts
from dpdesk.exact import ExactTexts
from dpdesk.privacy.distributions import threshold
from dpdesk.privacy.noise.door import Door
from dpdesk.privacy.statistics import categories_found
from dpdesk.release.ledger import reconcile
from dpdesk.release.ledger.decisions.series import Series
from dpdesk.release.ledger.payloads import RaisedAccount
from dpdesk.release.ledger.spending import compose
from dpdesk.release.record.totals import Totals
from dpdesk.release.run import permission
from dpdesk.study.model.amount import NO_DELTA, AccountDelta
from tests.audit.bugs.planting import Bug, bug

FOUND: list[Bug] = []


@bug(FOUND, "the threshold leaves out the person whom it hides", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(threshold, "LEAST", threshold.LEAST - 1)


@bug(FOUND, "the threshold hides one category where a person can bring many", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    real = threshold.threshold_for
    patch.setattr(categories_found, "threshold_for", lambda noise, _k, delta: real(noise, 1, delta))


@bug(FOUND, "categories leave by their true count", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    def find(self: Any, name: str, texts: Any, counts: Any, noise: Any, sensitivity: int) -> Any:
        noisy = self.add_noise(name, counts, noise, sensitivity) if texts else ()
        triples = zip(texts, noisy, counts, strict=True)
        passed = [(text, drawn) for text, drawn, true in triples if true >= noise.threshold]
        return tuple(sorted(passed, key=lambda pair: (-pair[1], pair[0])))

    patch.setattr(Door, "find", find)


@bug(FOUND, "categories leave in the order of the data", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    def find(self: Any, name: str, texts: Any, counts: Any, noise: Any, sensitivity: int) -> Any:
        noisy = self.add_noise(name, counts, noise, sensitivity) if texts else ()
        pairs = zip(texts, noisy, strict=True)
        return tuple(pair for pair in pairs if pair[1] >= noise.threshold)

    patch.setattr(Door, "find", find)


@bug(FOUND, "a category counts rows instead of people", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    def per_text(texts: Any, rows: Any, _persons: Any) -> ExactTexts:
        codes = texts.codes[rows]
        counts = np.bincount(codes[codes >= 0], minlength=len(texts.texts)).astype(np.int64)
        there = np.flatnonzero(counts)
        return ExactTexts([texts.texts[place] for place in there], counts[there])

    patch.setattr(aggregate, "people_per_text", per_text)


@bug(FOUND, "categories that the contribution bound left out count once", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    real = found_texts.people_per_text

    def per_text(texts: Any, rows: Any, persons: Any) -> ExactTexts:
        codes = texts.codes[rows]
        counts = np.bincount(codes[codes >= 0], minlength=len(texts.texts)).astype(np.int64)
        missing = ExactTexts(list(texts.texts), np.maximum(counts, 1))
        return missing if len(texts.texts) else real(texts, rows, persons)

    patch.setattr(aggregate, "people_per_text", per_text)


@bug(FOUND, "a change of a person's categories is priced as an addition", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(categories_found, "found_sensitivity", lambda unit: unit.max_rows)


@bug(FOUND, "the delta of found categories is not charged", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compose.QueryAnswer, "delta_charged", NO_DELTA)


@bug(FOUND, "the account's delta is not asked", "found")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(permission, "found_problem", lambda *_amounts: None)


@bug(FOUND, "what an account keeps of delta converts as well", "delta", "claims")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(AccountDelta, "converts", property(lambda delta: delta.whole))


@bug(FOUND, "a raise for found categories takes from what converts", "delta")
def _(patch: pytest.MonkeyPatch) -> None:
    real = RaisedAccount.sums.fget
    less = property(lambda raised: replace(real(raised), delta_granted=NO_DELTA))
    patch.setattr(RaisedAccount, "sums", less)


@bug(FOUND, "what series reserve of delta is not held back", "delta")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Series, "delta_reserved", NO_DELTA)


@bug(FOUND, "delta that an older copy had lost is not charged", "delta")
def _(patch: pytest.MonkeyPatch) -> None:
    real = reconcile.lost_sums

    def forgetting(lost: Any) -> dict[str, Totals]:
        return {name: replace(sums, delta_charged=NO_DELTA) for name, sums in real(lost).items()}

    patch.setattr(reconcile, "lost_sums", forgetting)
