# SPDX-License-Identifier: Apache-2.0
"""The dossier for programs: the same facts as members, amounts as decimal strings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from dpdesk.release.dossier.constants import constants, values
from dpdesk.release.dossier.hazards import hazards
from dpdesk.release.dossier.identifiability import attacks, risks
from dpdesk.release.dossier.label import unprotected
from dpdesk.release.dossier.proofs import proof, sensitivity
from dpdesk.release.dossier.subject import Subject
from dpdesk.release.dossier.utility import utilities
from dpdesk.release.record.values import ReleasedDraw
from dpdesk.release.record.write import delta_members

FORMAT = 1


def dossier_members(subject: Subject) -> Mapping[str, Any]:
    """Everything the pages say, but for headings and room to write."""
    record = subject.record
    return {
        "dossier": FORMAT,
        "language": subject.words.code,
        "bundle": _bundle(subject),
        "stated": subject.stated.members,
        "label": _label(subject),
        "not_protected": list(unprotected(subject)),
        "account": _account(subject),
        "constants": [asdict(constant) for constant in constants(subject)],
        "values": list(values(subject)),
        "statistics": _statistics(subject),
        "risks": [asdict(risk) for risk in risks(record)],
        "attacks_on_made_up_data": [asdict(attack) for attack in attacks(record)],
        "hazards": [{"hazard": title, "answer": answer} for title, answer in hazards(subject)],
        "utility": [asdict(found) for found in utilities(subject)],
        "software": {**asdict(record.software), "sbom_sha256": subject.materials},
    }


def _bundle(subject: Subject) -> dict[str, Any]:
    record, signer = subject.record, subject.release.signer
    return {
        "manifest_sha256": subject.manifest_sha256,
        "release": record.id,
        "time": record.time,
        "entry": record.place.sequence,
        "head": subject.release.head,
        "signer": asdict(signer),
    }


def _label(subject: Subject) -> dict[str, Any]:
    claim = subject.record.claim
    return {
        "unit": claim.unit,
        "max_rows": claim.max_rows,
        "neighbours": claim.neighbours,
        "people": claim.people,
        "measure": claim.total.measure,
        "total": str(claim.total),
        "epsilon": str(claim.epsilon),
        **delta_members(claim.delta),
    }


def _account(subject: Subject) -> dict[str, Any]:
    account, place = subject.record.account, subject.record.place
    charges = [
        {"entry": c.sequence, "charged": str(c.charged), "delta": str(c.delta)}
        for c in account.charges
    ]
    return {
        "name": account.name,
        "measure": account.measure,
        "total": str(account.total),
        **delta_members(account.delta),
        "spent_before": str(account.spent_before),
        "spent_after": str(account.spent_after),
        "charges": charges,
        "rollback_suspected": place.rollback_suspected,
        "separate_people_declared": place.separate_people_declared,
        "recovery_opened": place.recovery_opened,
        **_overrides(subject),
        **_notices(subject),
    }


def _overrides(subject: Subject) -> dict[str, Any]:
    """Stated where there are any: dossiers of before stay what they were."""
    found = [override.members() for override in subject.record.overrides]
    return {"second_person_overrides": found} if found else {}


def _notices(subject: Subject) -> dict[str, Any]:
    """What was withdrawn or corrected, with the signed files; stated where there is any."""
    if not subject.notices:
        return {}
    found = [
        {
            **one.notice.members(),
            "of_this_release": one.is_own,
            "signed": one.signed,
        }
        for one in subject.notices
    ]
    last = subject.notices[-1].notice
    as_of = {"entry": last.decided_in, "head": last.decided_head, "time": last.time}
    return {"notices_as_of": as_of, "notices": found}


def _statistics(subject: Subject) -> list[dict[str, Any]]:
    return [
        {
            "id": query.id,
            "title": subject.headings[query.id].title,
            "question": subject.headings[query.id].question,
            "sensitivity": sensitivity(subject, query),
            "proof": proof(subject, query),
            "draws": list(map(_draw, query.draws)),
        }
        for query in subject.record.queries
    ]


def _draw(draw: ReleasedDraw) -> dict[str, Any]:
    return {
        "name": draw.name,
        "mechanism": draw.noise.mechanism,
        "scale": repr(draw.noise.scale),
        "norm": draw.noise.norm,
        "sensitivity": str(draw.sensitivity),
        "loss": repr(draw.loss),
        "share": str(draw.share),
        "width": str(draw.width),
        "half_width_95": str(draw.half_width),
    }
