# SPDX-License-Identifier: Apache-2.0
"""The one writer of records: typed values to JSON members without floats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dpdesk.privacy.published_tables import Table
from dpdesk.release.record.values import (
    FORMAT,
    EntryCharge,
    Manifest,
    ReleasedAccount,
    ReleasedClaim,
    ReleasedDraw,
    ReleasedQuery,
    ReleaseRecord,
    SignedRelease,
    StoredRelease,
)
from dpdesk.study.json.strict_json import Members
from dpdesk.study.model.amount import AccountDelta, Rho

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://dpdesk.org/release/v1"


def json_bytes(members: Mapping[str, Any]) -> bytes:
    """JSON to read and to sign: ASCII, sorted, indented, line feeds."""
    return (json.dumps(members, sort_keys=True, indent=1, ensure_ascii=True) + "\n").encode("ascii")


def stored_members(stored: StoredRelease) -> Members:
    record = stored.record
    members: Members = {
        "predicate": _record(record),
        "tables": [table_members(table) for table in stored.tables],
    }
    if stored.released_by:
        members["released_by"] = stored.released_by
    return members


def manifest_members(manifest: Manifest) -> Members:
    subject = [{"name": name, "digest": {"sha256": digest}} for name, digest in manifest.digests]
    return {
        "_type": STATEMENT_TYPE,
        "predicateType": PREDICATE_TYPE,
        "subject": subject,
        "predicate": signed_members(manifest.release),
    }


def signed_members(release: SignedRelease) -> Members:
    members = _record(release.record)
    members["ledger"] |= {"head": release.head, "entries": list(release.chain)}
    return {**members, "bundle": release.form.members(), "signer": release.signer.members()}


def _record(record: ReleaseRecord) -> Members:
    members: Members = {
        "format": FORMAT,
        "release": {"id": record.id, "time": record.time},
        "study": record.study.members,
        "claim": claim_members(record.claim),
        "queries": [_query(query) for query in record.queries],
        "account": _account(record.account),
        "ledger": record.place.members(),
        "software": record.software.members(),
        "drawn": {query.id: query.drawn.members() for query in record.queries},
    }
    if record.second_person is not None:
        members["second_person"] = record.second_person.members()
    if record.overrides:
        members["second_person_overrides"] = [one.members() for one in record.overrides]
    return members


def claim_members(claim: ReleasedClaim) -> Members:
    """What all figures of a release together may cost."""
    return {
        "neighbours": claim.neighbours,
        "unit": claim.unit,
        "max_rows": claim.max_rows,
        "people": claim.people,
        "measure": claim.total.measure,
        "rho": str(claim.total) if isinstance(claim.total, Rho) else None,
        "epsilon": str(claim.epsilon),
        **delta_members(claim.delta),
    }


def delta_members(delta: AccountDelta) -> Members:
    """An account's delta, and the part of it that is kept for found categories."""
    return {"delta": str(delta.whole), "delta_kept": str(delta.kept)}


def _query(query: ReleasedQuery) -> Members:
    members: Members = {
        "id": query.id,
        "name": query.name,
        "title": query.title,
        "statistic": query.statistic,
        "question": query.question.members,
        "cells": query.cells,
        "share": str(query.share),
        "charged": str(query.charged),
        "delta": str(query.delta),
        "delta_charged": str(query.delta_charged),
        "drawn_in": query.drawn_in,
        "parts": [draw_members(draw) for draw in query.draws],
    }
    if query.drawn_at:
        members["drawn_at"] = query.drawn_at
    if query.counted_by:
        members["counted_by"] = query.counted_by
    return members


def draw_members(draw: ReleasedDraw) -> Members:
    noise = draw.noise
    members: Members = {
        "name": draw.name,
        "mechanism": noise.mechanism,
        "norm": noise.norm,
        "sensitivity": str(draw.sensitivity),
        "scale": repr(noise.scale),
        "loss": repr(draw.loss),
        "share": str(draw.share),
        "width": str(draw.width),
        "half_width": str(draw.half_width),
    }
    if noise.threshold is not None:
        members["threshold"] = str(noise.threshold)
    if noise.mechanism == "noisy-max":
        members |= {"blocks": noise.blocks, "picks": noise.picks, "monotonic": noise.monotonic}
    return members


def _account(account: ReleasedAccount) -> Members:
    return {
        "name": account.name,
        "measure": account.measure,
        **delta_members(account.delta),
        "total": str(account.total),
        "spent_before": str(account.spent_before),
        "spent_after": str(account.spent_after),
        "delta_spent_before": str(account.delta_spent_before),
        "delta_spent_after": str(account.delta_spent_after),
        "released": [_charge(charge) for charge in account.charges],
    }


def _charge(charge: EntryCharge) -> Members:
    return {
        "sequence": charge.sequence,
        "charged": str(charge.charged),
        "delta_charged": str(charge.delta),
    }


def table_members(table: Table) -> Members:
    members: Members = {
        "id": table.id,
        "title": table.title,
        "columns": [
            {"name": c.name, "role": c.role, "unit": c.unit, "description": c.title}
            for c in table.columns
        ],
        "rows": [list(row) for row in table.rows],
    }
    if table.others:
        members["consistent_with"] = list(table.others)
    if table.has_public_total:
        members["public_total"] = True
    if table.is_left_as_drawn:
        members["left_as_drawn"] = True
    if table.rounded_to:
        members["rounded_to"] = table.rounded_to
    if table.excess:
        members["excess_at_zero"] = table.excess
    for key, beside in (("compared", table.compared), ("derived", table.derived)):
        if beside is not None:
            members[key] = table_members(beside)
    return members
