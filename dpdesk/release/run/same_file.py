# SPDX-License-Identifier: Apache-2.0
"""Before a release: was this extract used before, and are the files still those of then?"""

from __future__ import annotations

from pathlib import Path

from dpdesk.data.files.file_digest import digest_of_files
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.privacy import compiler
from dpdesk.privacy.plan import Plan
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.uses import UNKNOWN, EarlierUse, earlier_use
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource


def find_earlier_use(study: Study, ledger: Ledger) -> EarlierUse | None:
    """The earlier use of a study's extract, without a look at the files.

    Args:
        study: a complete study with a declared extract.

    Raises:
        Refused: what keeps the study from being compiled, or the ledger from being read.
    """
    return _find(compiler.compile(study), ledger, UNKNOWN)


def compare_bytes(
    study: Study,
    folder: Path,
    ledger: Ledger,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> EarlierUse | None:
    """The earlier use that the files are to be held against, and whether their bytes are the same.

    The files are read where there is such a use, and only then.

    Args:
        study: a complete study with a declared extract.
        progress: gets the bytes read and the bytes in all.

    Raises:
        Refused: as :func:`find_earlier_use`.
        Cancelled: ``cancel`` was raised.
    """
    plan = compiler.compile(study)
    earlier = _find(plan, ledger, UNKNOWN)
    if earlier is None:
        return None
    paths = [folder / source.path for source in study.sources]
    return _find(plan, ledger, digest_of_files(paths, ledger.digest_key(), progress, cancel))


def _find(plan: Plan, ledger: Ledger, digest: bytes) -> EarlierUse | None:
    data, budget = plan.study.data or DataSource(), plan.study.budget or Budget()
    with ledger.reading() as transaction:
        return earlier_use(transaction, budget.account, data.extract, digest)
