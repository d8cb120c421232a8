# SPDX-License-Identifier: Apache-2.0
"""Recognises data under another name or in a newer version, and names its account.

Budget belongs to the people, whatever files they are in. A keyed sketch of a file's people is
kept with the account that paid for it. Of a file that clearly shares people with another account
the check before a release says so, and the custodian uses that account, or declares that the
people are others: an entry, and every later bundle of the account carries it. Nothing is refused,
because one row may be what makes the two look alike, and no row decides whether there is a
release; for the same reason no entry says whether anybody was warned.

The sketches are outside the chain, since they depend on the data; nothing of them is exported.
Each is filled up with random values, so that its length shows no number of people. Nobody can tell
such a value from a person's, for a key to tell it by would be in the ledger, too. The account's
next sketch is filled up from this one: what stays would else be the people.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dpdesk.data.people.sketch import KEY_BYTES, SKETCH_SIZE, sketch_overlap
from dpdesk.release.ledger.answers import keyed, secret_of
from dpdesk.release.ledger.chain import Entry, damaged
from dpdesk.release.ledger.decisions.decided import SeparatePeople
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.ledger.uses import digest_key

Sketch = tuple[int, ...]

CLEARLY_SHARED = 0.05
"""Estimated share of known people that no longer is chance: 13 of the 256 values expected."""

_VALUE_BYTES = 8


@dataclass(frozen=True, repr=False)
class DataKeys:
    """The keys under which a ledger recognises data, the same ones every time.

    Attributes:
        digest: for the digest of a file's bytes.
        ids: for hashing ids before they are sketched.
        sketch: for sketching people; handed to the sketching alone.
    """

    digest: bytes
    ids: bytes
    sketch: bytes


def data_keys(connection: sqlite3.Connection) -> DataKeys:
    secret = secret_of(connection)
    return DataKeys(
        digest_key(connection), keyed(secret, "ids"), keyed(secret, "sketch")[:KEY_BYTES]
    )


def known_accounts(connection: sqlite3.Connection, sketch: Sketch) -> dict[str, float]:
    """Accounts whose data clearly shares people with a sketch, the closest first."""
    closest: dict[str, float] = {}
    for account, stored in _stored(connection):
        overlap = sketch_overlap(sketch, stored)
        if overlap > max(CLEARLY_SHARED, closest.get(account, 0.0)):
            closest[account] = overlap
    return dict(sorted(closest.items(), key=lambda pair: (-pair[1], pair[0])))


def _stored(connection: sqlite3.Connection) -> Iterator[tuple[str, Sketch]]:
    for account, content in connection.execute("SELECT account, content FROM sketch"):
        yield account, _values(content)


def _values(content: object) -> Sketch:
    if not isinstance(content, bytes) or len(content) != SKETCH_SIZE * _VALUE_BYTES:
        raise damaged("sketch")
    starts = range(0, len(content), _VALUE_BYTES)
    return tuple(int.from_bytes(content[i : i + _VALUE_BYTES], "little") for i in starts)


@dataclass(frozen=True)
class Separation:
    """The custodian's declaration that a file's people are not those of another account.

    Attributes:
        reason: why; it is in the ledger for ever.
    """

    account: str
    reason: str


def undecided_accounts(transaction: Transaction, account: str) -> frozenset[str]:
    """Other accounts whose data is known, and of which nobody declared that its people are others.

    Raises:
        Refused: ``ledger-damaged``.
    """
    stored = {name for (name,) in transaction.connection.execute("SELECT account FROM sketch")}
    decided = declared_separate(transaction.connection, transaction.entries, account)
    return frozenset(stored - decided - {account})


def declare_separate(
    transaction: Transaction, account: str, separations: Iterable[Separation]
) -> None:
    """Record what the custodian declares, once.

    A declaration is recorded whether the data needed it or not: were it recorded only where the
    people look alike, the chain in every later bundle would show whether they do.

    Args:
        account: the account that is to pay.
        separations: what the custodian declares, if anything.

    Raises:
        Refused: ``account-unknown`` (name), or those of texts.
    """
    decided = declared_separate(transaction.connection, transaction.entries, account)
    for separation in separations:
        if separation.account not in decided:
            transaction.entries_of(separation.account)
            reason = checked_text("reason", separation.reason, required=True)
            transaction.append(account, SeparatePeople((separation.account,), reason))
            decided |= {separation.account}


def store_sketch(transaction: Transaction, account: str, extract: str, sketch: Sketch) -> None:
    """Keep a sketch with the account and the extract, once, as long as any other."""
    name = keyed(secret_of(transaction.connection), "extract", account, extract)
    query = "SELECT extract, content FROM sketch WHERE account = ?"
    rows = transaction.connection.execute(query, (account,)).fetchall()
    earlier = [(of, frozenset(_values(content))) for of, content in rows]
    if any(of == name and values.issuperset(sketch) for of, values in earlier):
        return
    values = _filled(sketch, [values for _, values in earlier])
    content = b"".join(value.to_bytes(_VALUE_BYTES, "little") for value in values)
    statement = "INSERT INTO sketch (account, extract, content) VALUES (?, ?, ?)"
    transaction.connection.execute(statement, (account, name, content))


def _filled(sketch: Sketch, earlier: Sequence[frozenset[int]]) -> Sketch:
    """A sketch of full length, ascending, out of the most similar earlier one as far as it goes."""
    values = {*sketch}
    closest = max(earlier, key=lambda known: len(known & values), default=frozenset[int]())
    others, missing = sorted(closest - values), SKETCH_SIZE - len(values)
    values.update(secrets.SystemRandom().sample(others, min(missing, len(others))))
    while len(values) < SKETCH_SIZE:
        values.add(secrets.randbits(8 * _VALUE_BYTES))
    return tuple(sorted(values))


def declared_separate(
    connection: sqlite3.Connection, entries: Iterable[Entry], account: str
) -> frozenset[str]:
    """Accounts whose people were declared to be others than this account's, by either side.

    Raises:
        Refused: ``ledger-damaged``.
    """
    texts: set[str] = set()
    for entry in entries:
        decided = None
        if entry.kind == SeparatePeople.KIND:
            decided = read_payload(connection, entry)
        if isinstance(decided, SeparatePeople):
            concerned = {entry.account, *decided.accounts}
            if account == entry.account:
                texts |= concerned
            elif account in concerned:
                texts.add(entry.account)
    return frozenset(texts - {account})
