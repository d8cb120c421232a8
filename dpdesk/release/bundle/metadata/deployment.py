# SPDX-License-Identifier: Apache-2.0
"""The bundle's deployment.yaml: a draft for the public registry of deployments, of its third tier.

Every field of the registry's schema that a release knows is filled from its record. What none
states is left out; README.txt names it for the curator to fill in. https://registry.opendp.org
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from dpdesk.release.bundle.baseline.titles import baseline_title
from dpdesk.release.bundle.compared_text import compared_file_names
from dpdesk.release.bundle.query_headings import WORDS
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.value_sentences import protected_together
from dpdesk.release.record.table_names import ascii_words
from dpdesk.release.record.values import ReleaseRecord

LEFT_OPEN = ("intended_use", "data_product_region")
"""Fields of ``deployment.basic`` that no release states."""

_DOMAIN = (
    "Tables with the columns that the study declares, and any number of rows. Each cell is read by "
    "declared rules alone, so that every file with these columns is in the domain."
)
_COUNTED = "The number of people, {people}, is public, as declared in the study."
_ADD_REMOVE = (
    "Two data sets are adjacent if one is the other with all rows of {unit} added or removed."
)
_CHANGE_ONE = (
    "Two data sets are adjacent if they differ in the rows of {unit}; the number of units is the "
    "same in both."
)
_ACTORS = (
    "The curator sees the data and is trusted with them; the recipient of the bundle sees nothing "
    "else, may know everything about all other people, and is not trusted. The ledger of what was "
    "spent is tamper-evident: anyone who verifies bundles relies on the curator for not starting a "
    "second one."
)
_COMPOSITION = (
    "Sequential composition over all queries, valid where they are chosen adaptively. Within one "
    "query all groups are released as one vector, whose sensitivity counts every group that one "
    "unit can be in. A ledger charges each draw to an account of the people whom the data are "
    "about, before anything is shown; nothing is refunded."
)
_POST = (
    "Scaling back to units, cutting intervals to what is possible, putting quantiles in order, and "
    "marking figures that are too noisy to use: functions of noisy values and of declarations."
)
_COMPARED = (
    " Differences, ratios, odds ratios, trends and tests of the groups of released tables, with "
    "intervals and p-values that count noise and chance: functions of released figures and of "
    "their public noise."
)
_PREPARATION = (
    "Bounds, categories, bins and shares of the budget were declared in the study. The program "
    "proposes none of them from the data; what the curator had seen of the data is not known to "
    "it, and no loss is counted for it."
)
_MECHANISMS = (
    "{names}, of OpenDP {opendp} (SHA-256 of its library {digest}), by dpdesk {dpdesk}. Noise is "
    "drawn on whole numbers, so that no floating-point attack applies. Nothing in the bundle tells "
    "how long anything took. The data stay on the curator's computer, in memory alone."
)
_JUSTIFICATION = (
    "Each loss is what the library's own privacy map says of sensitivity and scale, rounded up. "
    "manifest.json states both for each draw, and anyone who verifies the bundle recomputes them, "
    "and makes every table again from the noisy values."
)


def deployment_bytes(text: ReleaseText) -> bytes:
    """The entry, from what is said of a release in English; YAML that is plain ASCII."""
    record = text.release.record
    slug = ascii_words(text.title)[:60].strip("-") or "release"
    entry = {
        "url_slug": f"{slug}-{record.id[:8]}",
        "status": "Draft",
        "tier": 3,
        "deployment": {
            "basic": _basic(text),
            "dp_variant": _variant(record),
            "privacy_loss": _loss(text),
            "deployment_model": _model(record),
            "accounting": {"post_processing": _post(record), "composition": _COMPOSITION},
            "implementation": _implementation(text),
            "administrative": {
                "sources": text.reference,
                "notes": text.methods,
                "registry_authors": [text.release.signer.identity],
            },
        },
    }
    return "".join(f"{line}\n" for line in _lines(entry, "")).encode("ascii")


def _basic(text: ReleaseText) -> dict[str, Any]:
    record, signer = text.release.record, text.release.signer
    return {
        "name": text.title,
        "data_curators": [record.study.text("organisation") or signer.identity],
        "data_product_type": "Summary statistics",
        "description": "; ".join(_questions(text)),
        "publication_date": record.time[:10],
        "data_product_sector": "Healthcare",
    }


def _questions(text: ReleaseText) -> Iterator[str]:
    """What is asked at a price of its own: Table 1s, then the queries of none."""
    study = text.release.record.study.study
    if study is not None:
        yield from (baseline_title(study, one, text.words) for one in study.baseline_tables)
    for key, heading in text.headings.items():
        query = None if study is None else study.query(key)
        if query is None or query.component is None:
            yield heading.title


def _post(record: ReleaseRecord) -> str:
    """What is done to noisy values, of which comparing groups is a part where it was asked."""
    return _POST + (_COMPARED if compared_file_names(record) else "")


def _variant(record: ReleaseRecord) -> dict[str, Any]:
    people, sources = record.claim.people, record.study.sources
    public = _COUNTED.format(people=people) if people is not None else "None."
    if any(one.get("line_breaks") is True for one in sources):
        public += " Where lines end inside quoted cells, the file's writer is trusted."
    if any(one.get("fill_down") is True for one in sources):
        public += " Whose a row without an id is, the file's writer is trusted to show."
    is_pure = record.measure == "epsilon"
    return {
        "variant_name": "Pure DP" if is_pure else "Zero-concentrated DP",
        "data_domain": _DOMAIN,
        "unprotected_quantities": public,
    }


def _loss(text: ReleaseText) -> dict[str, Any]:
    record = text.release.record
    claim = record.claim
    adjacent = _ADD_REMOVE if claim.neighbours == "add-remove" else _CHANGE_ONE
    unit = f"The unit is {text.unit}. {adjacent.format(unit=text.unit)}"
    parameters = {"epsilon": _Number(str(claim.epsilon)), "delta": _Number(str(claim.delta.whole))}
    if record.measure == "rho":
        parameters["rho"] = _Number(str(claim.total))
    return {
        "privacy_unit": text.names.row if claim.unit == "row" else text.names.person,
        "privacy_unit_details": " ".join((unit, *protected_together(record.study.study, WORDS))),
        "privacy_parameters": parameters,
        "privacy_parameters_details": f"{text.cost} The guarantee is {text.notion}.",
    }


def _model(record: ReleaseRecord) -> dict[str, Any]:
    account = record.account
    count = len(account.charges)
    charges = "1 entry" if count == 1 else f"{count} entries"
    spent = (
        f"The account may spend {account.total} in all; {account.spent_after} of it were spent "
        f"after this release, by {charges} that charged something. It is "
        "never reset, and may only be raised by an entry with a reason."
    )
    return {
        "model_name": "Central",
        "model_name_details": "One curator computes all figures on one computer without network.",
        "actors": _ACTORS,
        "release_type": "One release",
        "release_type_details": spent,
        "data_source_type": "Static",
        "data_source_type_details": "One extract of the data, as it was on the day of the release.",
        "access_type": "Non-interactive",
        "access_type_details": "Recipients get the released tables; nobody else asks the data.",
    }


def _implementation(text: ReleaseText) -> dict[str, Any]:
    software, names = text.release.record.software, text.mechanisms
    how = _MECHANISMS.format(
        names=f"{names[:1].upper()}{names[1:]}",
        opendp=software.opendp,
        digest=software.opendp_library_sha256,
        dpdesk=software.dpdesk,
    )
    return {
        "preprocessing_and_hyperparameter_tuning": _PREPARATION,
        "mechanisms": how,
        "justification": _JUSTIFICATION,
    }


class _Number(str):
    """A decimal number, written digit by digit as it is."""


def _lines(value: dict[str, Any], indent: str) -> Iterator[str]:
    """A mapping as YAML; every text is quoted as in JSON, which YAML reads the same."""
    for key, member in value.items():
        if isinstance(member, dict):
            yield f"{indent}{key}:"
            yield from _lines(member, f"{indent}  ")
        elif isinstance(member, list):
            yield f"{indent}{key}:"
            yield from (f"{indent}  - {_scalar(item)}" for item in member)
        else:
            yield f"{indent}{key}: {_scalar(member)}"


def _scalar(value: str | int) -> str:
    if isinstance(value, _Number | int):
        return str(value)
    plain = re.sub(r"[\x00-\x1f\x7f]+", " ", value).encode("utf-8", "replace").decode("utf-8")
    if max(plain, default="") <= "\uffff":
        return json.dumps(plain)
    # JSON writes a rare sign as two halves, which YAML does not read.
    return "".join(_quoted(sign) for sign in plain).join('""')


def _quoted(sign: str) -> str:
    return f"\\U{ord(sign):08x}" if ord(sign) > 0xFFFF else json.dumps(sign)[1:-1]
