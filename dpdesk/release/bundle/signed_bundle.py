# SPDX-License-Identifier: Apache-2.0
"""The signed bundle of one release, made from its record alone.

The same record, head and key give the same bytes, today or years later. What is signed is the
bytes of ``manifest.json``, which lists the digest of every other file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpdesk.release.bundle.container import MAX_BYTES, pack
from dpdesk.release.bundle.csv_tables import csv_bytes
from dpdesk.release.bundle.datapackage import datapackage
from dpdesk.release.bundle.headings import headings_of
from dpdesk.release.bundle.readme import readme_bytes
from dpdesk.release.bundle.report_html import report_bytes
from dpdesk.release.record import without_local
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.table_names import ascii_words, stated_names
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.problem import refuse

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://dpdesk.org/release/v1"
MANIFEST, SIGNATURE = "manifest.json", "manifest.json.sig"


def build(payload: dict[str, Any], head: str, key: SigningKey) -> bytes:
    """The bundle's bytes.

    Args:
        payload: the release's record.
        head: hash of its entry in the ledger.
        key: the unlocked key.

    Raises:
        Refused: ``figure-malformed`` (param table) or ``bundle-too-large``.
    """
    predicate = _signed_predicate(payload["predicate"], head, key)
    files = files_of({**payload, "predicate": predicate})
    manifest = json_bytes(_statement(predicate, files))
    raw = pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, key)})
    if len(raw) > MAX_BYTES:
        raise refuse("bundle-too-large")
    return raw


def bundle_name(title: str, number: int) -> str:
    """The name that a bundle's file is offered under: of the study's title, never of a file's name.

    >>> bundle_name("Stays of Größe 1", 2), bundle_name("", 2)
    ('stays-of-groesse-1-release-2.zip', 'release-2.zip')
    """
    return "-".join(filter(None, (ascii_words(title), f"release-{number}.zip")))


def write_bundle(path: Path, content: bytes) -> None:
    """Write a bundle whole or not at all.

    Raises:
        Refused: ``bundle-unwritable`` (param name).
    """
    try:
        write_whole(path, content)
    except OSError:
        raise refuse("bundle-unwritable", name=path.name) from None


def json_bytes(members: Mapping[str, Any]) -> bytes:
    """JSON to read and to sign: ASCII, sorted, indented, line feeds."""
    return (json.dumps(members, sort_keys=True, indent=1, ensure_ascii=True) + "\n").encode("ascii")


def _signed_predicate(predicate: dict[str, Any], head: str, key: SigningKey) -> dict[str, Any]:
    signer = {"identity": key.info.identity, "fingerprint": key.info.fingerprint}
    # Versions before this one put the extract's name into the record.
    predicate = {**predicate, "study": without_local(predicate["study"])}
    return {**predicate, "ledger": {**predicate["ledger"], "head": head}, "signer": signer}


def files_of(payload: dict[str, Any]) -> dict[str, bytes]:
    """Every file but the manifest and its signature, in the order of the zip."""
    predicate = payload["predicate"]
    names = stated_names(predicate)
    tables = {names[table["id"]]: csv_bytes(table) for table in payload["tables"]}
    headings = headings_of(predicate)
    return {
        "README.txt": readme_bytes(predicate, headings),
        "report.html": report_bytes(payload, headings),
        "datapackage.json": json_bytes(datapackage(payload, tables, headings)),
        **{f"results/{name}.csv": content for name, content in tables.items()},
    }


def _statement(predicate: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
    subject = [
        {"name": name, "digest": {"sha256": hashlib.sha256(content).hexdigest()}}
        for name, content in files.items()
    ]
    kind = {"_type": STATEMENT_TYPE, "predicateType": PREDICATE_TYPE}
    return {**kind, "subject": subject, "predicate": predicate}
