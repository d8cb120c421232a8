# SPDX-License-Identifier: Apache-2.0
"""The ledger: accounts, entries in one hash chain, stored answers, keyed recognition of data.

Tamper-evident: anyone who owns the machine can replace its files, and cannot do so unnoticed by
somebody who holds bundles from before.

Begin with ``book.py``; ``storage/`` has the file and its tables.
"""

from dpdesk.release.ledger.accounts import AccountState
from dpdesk.release.ledger.book import Ledger
from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.history import HistoryEntry, HistoryQuery, release_numbers
from dpdesk.release.ledger.ledger_report import LedgerReport
from dpdesk.release.ledger.transaction import Transaction

__all__ = [
    "AccountState",
    "Entry",
    "HistoryEntry",
    "HistoryQuery",
    "Ledger",
    "LedgerReport",
    "Transaction",
    "release_numbers",
]
