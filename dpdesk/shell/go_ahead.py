# SPDX-License-Identifier: Apache-2.0
"""Whether to go on with a release: a person's decision, asked for whatever the data hold.

Before anything is drawn, ``release`` shows the plan, checks the file and asks at the terminal;
where there is none, it wants ``--yes``. What is shown goes to standard error: it is for the
custodian's eyes, and no part of what the command says of the release. No row decides how it ends.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.plan import Plan
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.fingerprints import Separation, undecided_accounts
from dpdesk.release.run.same_file import compare_bytes
from dpdesk.release.sealing.sealed_counts import OpenedCounts
from dpdesk.shell import plan as planning
from dpdesk.shell.output import complain, say
from dpdesk.study.checks.extracts import PLACE
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget
from dpdesk.study.problem import refuse


def refuse_unasked(yes: bool) -> None:
    """Refuse a release that nobody can be asked about.

    Raises:
        Refused: ``release-not-asked``.
    """
    if not yes and not sys.stdin.isatty():
        raise refuse("release-not-asked")


def ask(
    plan: Plan,
    folder: Path,
    ledger: Ledger,
    separations: Sequence[Separation],
    *,
    fresh: bool,
    must_read: bool,
    yes: bool,
    series: str = "",
    counts: OpenedCounts | None = None,
) -> None:
    """Show what a release is about, and ask whether to go on, unless that was said before.

    Args:
        plan: what will be released.
        separations: what the release is going to declare.
        fresh: whether stored answers are drawn again.
        series: whose next release it is, from the budget that it reserved.
        must_read: whether the file is read, because something is drawn.
        counts: what a database counted, in place of the file.

    Raises:
        Refused: ``release-declined``; what the data's reading refuses.
    """
    price = planning.find_price(plan, ledger.home, fresh, series)
    if not yes:
        with redirect_stdout(sys.stderr):
            planning.show(plan, ledger.home, price)
    if must_read and counts is not None:
        _say_counted(counts, ledger, (plan.study.budget or Budget()).account, separations)
    elif must_read:
        _check(plan.study, folder, ledger, separations)
    if not yes and not _agrees(
        say("Spend {amount} and release? Type yes:", amount=price.total(plan))
    ):
        raise refuse("release-declined")


def _check(study: Study, folder: Path, ledger: Ledger, separations: Sequence[Separation]) -> None:
    # Loaded here: what reads a file comes with it, and an answered release reads none.
    from dpdesk.release.run.known_people import find_known_people
    from dpdesk.shell.check import lines_of, look

    known = find_known_people(study, folder, ledger, separations=separations)
    for line in lines_of(study, (*known, *look(study, folder))):
        complain(line)


def _say_counted(
    counts: OpenedCounts, ledger: Ledger, account: str, separations: Sequence[Separation]
) -> None:
    """Say who counted, and of whose people nobody can tell whether they are these."""
    complain(say(_COUNTED, engine=counts.engine, digest=counts.digest))
    with ledger.reading() as transaction:
        others = undecided_accounts(transaction, account) - {one.account for one in separations}
    if others:
        complain(say(_WHOSE, accounts=", ".join(sorted(others))))


_COUNTED: Final[Template] = (
    "{engine} counted. Sealing hides the counts; it does not say who made them. The database's "
    "administrator was shown this SHA-256: {digest}. Compare it."
)
_WHOSE: Final[Template] = (
    "Of counts nobody can tell whose people they are of. If they are those of {accounts}, stop, "
    "and release from that account; else declare it with --separate-from."
)


def _agrees(question: str) -> bool:
    """Whether a person types that word, in the language of the commands or in English."""
    print(question, end=" ", file=sys.stderr, flush=True)
    answer = sys.stdin.readline().strip().casefold()
    return answer in {"yes", say("yes").casefold()}


def refuse_used(study: Study, folder: Path, ledger: Ledger, same_extract: bool) -> None:
    """Refuse an extract that was used, unless it is declared the same; say what its bytes show.

    Raises:
        Refused: ``extract-used-bytes-same``, ``-differ`` or ``-unknown`` (param day).
    """
    earlier = compare_bytes(study, folder, ledger)
    if earlier is None:
        return
    if not same_extract:
        raise refuse(_CODES[earlier.bytes], PLACE, day=earlier.day)
    if earlier.bytes != "same":
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
