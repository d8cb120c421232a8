# SPDX-License-Identifier: Apache-2.0
"""The bundle's ro-crate-metadata.json: the bundle described for archives (RO-Crate 1.1, JSON-LD).

It names every other file, who released them, and with which software. No licence is stated for a
release, so the crate says that, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.baseline.released import ReleasedBaseline
from dpdesk.release.bundle.compared_text import compared_file, compared_file_names
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.second_signature import PLAN, PLAN_SIGNATURE, SECOND_SIGNATURE
from dpdesk.release.bundle.synthetic.rows import FILE, ReleasedRows
from dpdesk.release.bundle.synthetic.words import SYNTHETIC
from dpdesk.release.record.second_person import SecondPersonRecord
from dpdesk.release.record.table_names import derived_file
from dpdesk.release.record.values import SignedRelease
from dpdesk.study.model.statistics import DECLARATIONS

CRATE = "ro-crate-metadata.json"
CONTEXT, PROFILE = "https://w3id.org/ro/crate/1.1/context", "https://w3id.org/ro/crate/1.1"

_FILES: Final[dict[str, Template]] = {
    "README.txt": "How to check and read the bundle",
    "report.html": "Report as a page",
    "report.pdf": "Report on A4 pages",
    "results.xlsx": "Tables as a workbook",
    "datapackage.json": "Description of the tables (Frictionless)",
    "deployment.yaml": "Draft for the registry of deployments",
    "manifest.json": "What was asked, drawn and charged, and all digests",
    "manifest.json.sig": "Signature of manifest.json (SSHSIG)",
    PLAN: "The plan as the second person signed it",
    PLAN_SIGNATURE: "Signature of plan.json (SSHSIG)",
    SECOND_SIGNATURE: "Second signature of manifest.json (SSHSIG)",
}
_TYPES = {
    "README.txt": "text/plain",
    "report.html": "text/html",
    "report.pdf": "application/pdf",
    "results.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "datapackage.json": "application/json",
    "deployment.yaml": "application/yaml",
    "manifest.json": "application/json",
    "manifest.json.sig": "text/plain",
}
_BASELINES = {"csv": "text/csv", "md": "text/markdown", "tex": "application/x-tex"}
_LICENCE = "#licence"


def crate(
    text: ReleaseText,
    baselines: Sequence[ReleasedBaseline] = (),
    rows: ReleasedRows | None = None,
) -> dict[str, Any]:
    """The crate of a bundle of the newest edition, from what is said of its release."""
    release, words = text.release, text.words
    record = release.record
    types = _TYPES if record.second_person is None else _TYPES | _second_types(record.second_person)
    files = [_file(name, words.say(_FILES[name]), form) for name, form in types.items()]
    files += [
        _file(f"results/{query.name}.csv", text.headings[query.id].title, "text/csv")
        for query in record.queries
    ]
    files += [
        _file(derived_file(query.name), text.headings[query.id].title, "text/csv")
        for query in record.queries
        if DECLARATIONS[query.statistic].has_derived
    ]
    files += [
        _file(compared_file(query), text.headings[query.id].title, "text/csv")
        for query in record.queries
        if compared_file(query) in compared_file_names(record)
    ]
    files += [
        _file(name, one.printed.title, _BASELINES[name.rpartition(".")[2]])
        for one in baselines
        for name in one.files
    ]
    if rows is not None:
        files.append(_file(FILE, words.say(SYNTHETIC), "text/csv"))
    return {
        "@context": CONTEXT,
        "@graph": [
            {
                "@id": CRATE,
                "@type": "CreativeWork",
                "conformsTo": {"@id": PROFILE},
                "about": {"@id": "./"},
            },
            _root(text, files),
            *files,
            _licence(words),
            _curator(release),
            *_software(release),
            _action(release, files, words),
        ],
    }


def _second_types(stated: SecondPersonRecord) -> dict[str, str]:
    """What a bundle has besides, where its account requires a second person."""
    plan = {PLAN: "application/json", PLAN_SIGNATURE: "text/plain"}
    manifest = {SECOND_SIGNATURE: "text/plain"}
    person = stated.person
    return (plan if person.signs_plan else {}) | (manifest if person.signs_manifest else {})


def _file(name: str, title: str, form: str) -> dict[str, Any]:
    return {"@id": name, "@type": "File", "name": title, "encodingFormat": form}


def _licence(words: ReleaseWords) -> dict[str, Any]:
    return {
        "@id": _LICENCE,
        "@type": "CreativeWork",
        "name": words.say("No licence stated"),
        "description": words.say("The release states no licence; ask the signer."),
    }


def _root(text: ReleaseText, files: list[dict[str, Any]]) -> dict[str, Any]:
    record = text.release.record
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": text.title,
        "identifier": record.id,
        "description": text.methods,
        "datePublished": record.time[:10],
        "license": {"@id": _LICENCE},
        "author": {"@id": "#curator"},
        "publisher": {"@id": "#curator"},
        "hasPart": [{"@id": file["@id"]} for file in files],
    }


def _curator(release: SignedRelease) -> dict[str, Any]:
    name = release.record.study.text("organisation") or release.signer.identity
    return {"@id": "#curator", "@type": "Organization", "name": name}


def _software(release: SignedRelease) -> list[dict[str, Any]]:
    software = release.record.software
    versions = {"dpdesk": software.dpdesk, "OpenDP": software.opendp}
    return [
        {
            "@id": f"#{name.lower()}",
            "@type": "SoftwareApplication",
            "name": name,
            "version": version,
        }
        for name, version in versions.items()
    ]


def _action(
    release: SignedRelease, files: list[dict[str, Any]], words: ReleaseWords
) -> dict[str, Any]:
    return {
        "@id": "#release",
        "@type": "CreateAction",
        "name": words.say("Release with differential privacy"),
        "endTime": release.record.time.replace("Z", ":00Z"),
        "agent": {"@id": "#curator"},
        "instrument": [{"@id": "#dpdesk"}, {"@id": "#opendp"}],
        "result": [{"@id": file["@id"]} for file in files],
    }
