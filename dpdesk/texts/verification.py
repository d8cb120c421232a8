# SPDX-License-Identifier: Apache-2.0
"""What is said of a verified bundle: the words of window and shell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from dpdesk.catalogue import Template, spoken
from dpdesk.release.bundle.assumptions import override_sentences
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.ledger.decisions.decided import table_files
from dpdesk.release.verify.verification import Verification

_HISTORY: Final[dict[str, Template]] = {
    "rollback_suspected": "An older copy of the ledger may once have been in use. More may have "
    "been spent than the bundle says; ask the signer.",
    "separate_people": "That other accounts are about other people was declared, not measured.",
    "recovery_opened": "The account was unlocked after a restore or move, without proof of what "
    "was spent elsewhere; ask the signer.",
}


def history_sentences(verification: Verification) -> Iterator[str]:
    """What its account's history leaves open; replaced second persons as its report says it."""
    for name in verification.history:
        if name in _HISTORY:
            yield spoken().say_word("", _HISTORY[name])
    if verification.release is not None:
        words = ReleaseWords.of(spoken().language)
        yield from override_sentences(verification.release.record, words)


_OF_TABLES: Final[dict[str, Template]] = {
    "withdrawn": "Only {files}: do not use it. The other tables stay as they are.",
    "corrected": "Only {files}: use the corrected release for it. The other tables stay as they "
    "are.",
}


def tables_sentence(tables: Iterable[str], decision: str) -> str:
    """That a withdrawal or correction is about some tables alone; else empty."""
    files = table_files(tables)
    template = spoken().say_word("", _OF_TABLES[decision])
    return template.format(files=files) if files else ""


def source_sentence(sequence: int) -> str:
    """That not its own release was taken back, but one that its figures are from; else empty."""
    text = "This bundle contains figures of an earlier release (entry {entry} of its ledger)."
    return spoken().say(text, entry=sequence) if sequence else ""
