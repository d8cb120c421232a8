# SPDX-License-Identifier: Apache-2.0
"""What an entry of the ledger says, but for a release: one class declares all of it.

Its kind and word, its fields with the form of each, what it is about, and the one sentence that
History, the shell and the export say of it.
"""

from __future__ import annotations

from typing import ClassVar

from dpdesk.catalogue import Template
from dpdesk.release.record.declared import Declared
from dpdesk.study.json.strict_json import Members


class EntryPayload(Declared):
    """What an entry says.

    Attributes:
        WORD: which of its kind it is; empty where the kind has one.
        SENTENCE: what is said of it before its reason, with its facts for placeholders; empty
            where the kind and the reason say it all.
        concerned: the entry that it is about; 0 where about none.
        locks: whether its account is locked from here on, where its sentence does not say it.
    """

    KIND: ClassVar[str]
    WORD: ClassVar[str] = ""
    SENTENCE: ClassVar[str] = ""

    @property
    def sentence(self) -> Template:
        return self.SENTENCE

    @property
    def concerned(self) -> int:
        return 0

    @property
    def locks(self) -> bool:
        return False

    def facts(self) -> dict[str, object]:
        return dict(vars(self))

    def members(self) -> Members:
        """As JSON; its word under the name of its kind."""
        return ({self.KIND: self.WORD} if self.WORD else {}) | super().members()
