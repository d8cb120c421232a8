# SPDX-License-Identifier: Apache-2.0
"""A keyed sketch of who is in a table, to recognise the same people in another file.

The sketch is the 256 smallest values of a keyed pseudo-random function over the people
(bottom-k MinHash; Broder, "On the resemblance and containment of documents", 1997). Without the
key it says nothing about an id; the key never leaves the ledger. Where rows are people, a row is
known by its declared cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext

    from dpdesk.data.encoding.table import EncodedTable

SKETCH_SIZE = 256
KEY_BYTES = 16

Uint64 = npt.NDArray[np.uint64]
Blocks = npt.NDArray[np.uint64]


def sketch(table: EncodedTable, key: bytes) -> tuple[int, ...]:
    """The sketch of a table's people, ascending; it may be stored in the ledger, never exported.

    Args:
        table: the encoded table.
        key: 16 secret bytes, the same for all tables that are to be compared.
    """
    # Loaded here: the ledger compares sketches without making any.
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    # One block, one value: here a block cipher is the pseudo-random function, and hides nothing
    # but the order of what it is given.
    encryptor = Cipher(algorithms.AES128(key), modes.ECB()).encryptor()  # noqa: S305 - see above
    keys = table.keys()
    blocks = _encrypt(encryptor, _row_blocks(table, encryptor) if keys is None else keys)
    return tuple(int(value) for value in _smallest(blocks[:, 0]))


def sketch_overlap(people: tuple[int, ...], known: tuple[int, ...]) -> float:
    """Estimate which share of a table's people are known, from 0 to 1.

    It is too low where many more are known than are in the table, and never too high. How many of
    the known values are people does not matter: those that only fill the sketch are nobody's.
    """
    return len({*people} & {*known}) / len(people) if people else 0.0


def _smallest(values: Uint64) -> Uint64:
    """The smallest distinct values, ascending; most of a large table is never sorted."""
    size = SKETCH_SIZE
    while size < len(values):
        smallest = np.unique(np.partition(values, size)[:size])
        if len(smallest) >= SKETCH_SIZE:
            return smallest[:SKETCH_SIZE]
        size *= 8
    return np.unique(values)[:SKETCH_SIZE]


def _row_blocks(table: EncodedTable, encryptor: CipherContext) -> Blocks:
    """Chain each row's codes into one block (CBC-MAC; every row has the same length)."""
    blocks: Blocks = np.zeros((len(table.persons()), 2), np.uint64)
    for column in table.columns():
        blocks[:, 0] ^= column.codes.astype(np.int64).view(np.uint64)
        blocks = _encrypt(encryptor, blocks)
    return blocks


def _encrypt(encryptor: CipherContext, blocks: Blocks) -> Blocks:
    plain = np.ascontiguousarray(blocks, dtype="<u8").tobytes()
    return np.frombuffer(bytearray(encryptor.update(plain)), "<u8").reshape(-1, 2)
