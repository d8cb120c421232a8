# SPDX-License-Identifier: Apache-2.0
"""What the window asks before a release, asked of the command line: refused until a flag says so.

The answers are the custodian's and stay with them: no study, no record and no bundle holds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from dpdesk.catalogue import Template
from dpdesk.release.ledger import Ledger
from dpdesk.release.run.same_file import compare_bytes
from dpdesk.shell.output import complain, say
from dpdesk.study.checks.extracts import PLACE
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, Refused


class Confirmations(Protocol):
    """What the command line says of itself."""

    @property
    def fresh(self) -> bool:
        """Nothing is to be answered from the ledger."""

    @property
    def same_extract(self) -> bool:
        """The file is the one that the extract meant before."""


def require(study: Study, folder: Path, ledger: Ledger, answers: Confirmations) -> None:
    """Refuse what the custodian has to answer first; say what the file's bytes tell.

    Raises:
        Refused: ``extract-used-bytes-same``, ``-differ`` or ``-unknown`` (param day).
    """
    problems = tuple(_used(study, folder, ledger, answers))
    if problems:
        raise Refused(problems)


def _used(study: Study, folder: Path, ledger: Ledger, answers: Confirmations) -> Iterator[Problem]:
    earlier = compare_bytes(study, folder, ledger)
    if earlier is None:
        return
    if not answers.same_extract:
        yield Problem(PLACE, _CODES[earlier.bytes], {"day": earlier.day})
    elif earlier.bytes != "same":
        complain(say(_NOTES[earlier.bytes], day=earlier.day))


_CODES = {
    "same": "extract-used-bytes-same",
    "differ": "extract-used-bytes-differ",
    "unknown": "extract-used-bytes-unknown",
}
_NOTES: Final[dict[str, Template]] = {
    "differ": "Note: the file has changed since {day}; it is used as the same file, as declared.",
    "unknown": "Note: dpdesk cannot tell whether the file has changed since {day}.",
}
