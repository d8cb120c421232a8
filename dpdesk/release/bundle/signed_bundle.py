# SPDX-License-Identifier: Apache-2.0
"""The signed bundle of one release, made from its record alone.

The same record, head and key give the same bytes, today or years later. What is signed is the
bytes of ``manifest.json``, which lists the digest of every other file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.baseline.released import released_baselines
from dpdesk.release.bundle.bundle_zip import MAX_BYTES, pack
from dpdesk.release.bundle.compared_text import compared_files
from dpdesk.release.bundle.csv_format import csv_bytes, derived_files
from dpdesk.release.bundle.metadata.datapackage import datapackage
from dpdesk.release.bundle.metadata.deployment import deployment_bytes
from dpdesk.release.bundle.metadata.ro_crate import CRATE, crate
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readme import readme_bytes
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.html_page import html_bytes
from dpdesk.release.bundle.report.pdf_pages import pdf_bytes
from dpdesk.release.bundle.report.release_report import report_of
from dpdesk.release.bundle.second_signature import plan_files
from dpdesk.release.bundle.synthetic.rows import FILE, released_rows
from dpdesk.release.bundle.workbook.book import workbook_bytes
from dpdesk.release.record.table_names import ascii_words
from dpdesk.release.record.values import (
    BundleForm,
    Manifest,
    SignedRelease,
    SignerName,
    StoredRelease,
    form_in,
)
from dpdesk.release.record.write import json_bytes as json_bytes
from dpdesk.release.record.write import manifest_members
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.sshsig import sign
from dpdesk.study.problem import refuse

MANIFEST, SIGNATURE = "manifest.json", "manifest.json.sig"
ENGLISH = form_in()


def build(
    stored: StoredRelease, chain: tuple[str, ...], key: SigningKey, form: BundleForm = ENGLISH
) -> bytes:
    """The bundle's bytes.

    Args:
        chain: hashes of all entries of its ledger up to its own, in order.
        key: the unlocked key.

    Raises:
        Refused: ``figure-malformed`` (param table), ``bundle-too-large``, or
            ``second-person-self`` (param name) where the key is the second person's.
    """
    stated = stored.record.second_person
    if stated is not None and fingerprint_of(stated.person.blob) == key.info.fingerprint:
        raise refuse("second-person-self", name=stated.person.identity)
    signer = SignerName(key.info.identity, key.info.fingerprint)
    release = SignedRelease(stored.record, chain, signer, form)
    files = files_of(release, stored.tables)
    digests = [(name, hashlib.sha256(content).hexdigest()) for name, content in files.items()]
    manifest = json_bytes(manifest_members(Manifest(tuple(digests), release)))
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


def files_of(release: SignedRelease, tables: Sequence[Table]) -> dict[str, bytes]:
    """Every file but the manifest and its signature, in the order of the zip.

    Args:
        tables: one for each query, in the same order.

    Raises:
        Refused: ``figure-malformed`` (param table).
    """
    record, text = release.record, ReleaseText(release, ReleaseWords.of(release.form.language))
    named = zip(record.queries, tables, strict=True)
    contents = {query.name: csv_bytes(table) for query, table in named}
    baselines = released_baselines(record, tables, text.words)
    rows = released_rows(record, tables)
    report = report_of(text, tables, baselines, rows)
    files = {
        "README.txt": readme_bytes(text, report.tables, baselines, rows),
        "report.html": html_bytes(report),
        "datapackage.json": json_bytes(datapackage(text, tables, contents, baselines, rows)),
    }
    files |= {f"results/{name}.csv": content for name, content in contents.items()}
    files |= derived_files(record, tables)
    files |= compared_files(record.queries, tables)
    for baseline in baselines:
        files |= baseline.files
    if rows is not None:
        files[FILE] = rows.content
    files["report.pdf"] = pdf_bytes(report)
    files["results.xlsx"] = workbook_bytes(text, tables, baselines)
    files["deployment.yaml"] = deployment_bytes(text.in_english)
    files[CRATE] = json_bytes(crate(text, baselines, rows))
    return files | plan_files(record)
