# SPDX-License-Identifier: Apache-2.0
"""A real release, a key and what signs with it, for the tests of the bundle."""

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE, build, json_bytes
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.parse import parse_signed
from dpdesk.release.record.reprice import RepricedStudy
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.signers import Signers
from dpdesk.release.signing.sshsig import key_blob, sign
from dpdesk.release.verify.claim import check_claim
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.problem import Problem, Refused
from tests.release.studies import STUDY, record_of, release, write_data

OFFICE = "office@hospital.example"


def signing_key(seed: int = 1, identity: str = OFFICE) -> SigningKey:
    """A key without a file, the same for the same seed."""
    pair = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    line = pair.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode("ascii")
    raw = pair.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return SigningKey(KeyInfo(identity, fingerprint_of(key_blob(raw)), line), pair)


KEY = signing_key()
KNOWN = Signers((KEY.info,))


@lru_cache(maxsize=1)
def done() -> ReleaseDone:
    """A release of the small study."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        ledger = Ledger.open(Home.at(folder / "home"))
        ledger.new_account("registry", Epsilon.of("1"))
        return release(STUDY, folder, ledger, OpenDPDoor())


def payload() -> dict[str, Any]:
    """Its record, to change at will."""
    return record_of(done())


@lru_cache(maxsize=1)
def bundle() -> bytes:
    """Its bundle."""
    return build(done().stored, done().chain, KEY)


def resigned(change: Callable[[dict[str, Any]], object], key: SigningKey = KEY) -> bytes:
    """The bundle with another manifest, signed properly: what a dishonest signer can do."""
    files = unpack(bundle())
    statement = json.loads(files[MANIFEST])
    change(statement)
    files[MANIFEST] = json_bytes(statement)
    files[SIGNATURE] = sign(files[MANIFEST], key)
    return pack(files)


def repacked(change: Callable[[dict[str, bytes]], object]) -> bytes:
    """The bundle with other files, the manifest and signature as they were unless changed too."""
    files = unpack(bundle())
    change(files)
    return pack(files)


def typed(table: dict[str, Any]) -> Table:
    """A table of the record as the program has it."""
    about = ((c["name"], c["role"], c["unit"], c["description"]) for c in table["columns"])
    columns = tuple(TableColumn(*members) for members in about)
    return Table(table["id"], table["title"], columns, tuple(map(tuple, table["rows"])))


def table_of(files: dict[str, bytes], query_id: str) -> bytes:
    """The table that answers a query, whatever its file is called."""
    queries = json.loads(files[MANIFEST])["predicate"]["queries"]
    (name,) = [query["name"] for query in queries if query["id"] == query_id]
    return files[f"results/{name}.csv"]


def claim_problems(predicate: dict[str, Any]) -> tuple[Problem, ...]:
    """What is wrong with a manifest's predicate: with its form, or else with its claim."""
    try:
        record = parse_signed(predicate).record
    except Refused as refused:
        return refused.problems
    return check_claim(record, RepricedStudy(record.study))


def refusal(call: Callable[..., object], *arguments: object) -> Problem:
    """The one problem with which a call is refused."""
    with pytest.raises(Refused) as refused:
        call(*arguments)
    (problem,) = refused.value.problems
    return problem
