# SPDX-License-Identifier: Apache-2.0
"""Whether the people of a study's file are those of another account: a word of the check.

It needs the ledger, which the check of a file by itself does not open; so a release adds it to
what the check says. It informs, as every finding does, and nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dpdesk.data.inspection.finding import Finding
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.fingerprints import (
    Separation,
    known_accounts,
    undecided_accounts,
)
from dpdesk.release.run.reading import read_people
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget

CODE = "people-known"


def find_known_people(
    study: Study,
    folder: Path,
    ledger: Ledger,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
    *,
    separations: Sequence[Separation] = (),
) -> tuple[Finding, ...]:
    """A finding for each other account whose people these seem to be, the closest first.

    The file is read where the ledger knows the data of another account from which nobody declared
    this one to be separate, and only then.

    Args:
        study: a complete study.
        progress: gets the bytes read and the bytes in all.
        separations: what the release is going to declare.

    Raises:
        Refused: what the data's reading refuses; ``ledger-damaged``.
        Cancelled: ``cancel`` was raised.
    """
    account = (study.budget or Budget()).account
    with ledger.reading() as transaction:
        undecided = undecided_accounts(transaction, account)
    undecided -= {separation.account for separation in separations}
    if not undecided:
        return ()
    people = read_people(study, folder, ledger, progress, cancel or CancelToken())
    with ledger.reading() as transaction:
        alike = known_accounts(transaction.connection, people)
    return tuple(Finding(CODE, account=name) for name in alike if name in undecided)
