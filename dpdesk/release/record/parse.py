# SPDX-License-Identifier: Apache-2.0
"""The one parser of records: JSON members to typed values.

Whatever it refuses, a program that writes records could not have written. It computes nothing:
whether what is stated adds up is for ``verify`` to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.statistics.base import ColumnRole
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.released_study import ReleasedQuestion, ReleasedStudy
from dpdesk.release.record.second_person import Override, SecondPersonRecord
from dpdesk.release.record.strict_object import (
    ENGINE,
    HASH,
    StrictObject,
    malformed,
    read_whole,
)
from dpdesk.release.record.values import (
    FORMAT,
    IDENTITY,
    MOST_ENTRIES,
    BundleForm,
    ChainPlace,
    EntryCharge,
    ReleasedAccount,
    ReleasedClaim,
    ReleasedDraw,
    ReleasedQuery,
    ReleaseRecord,
    SignedRelease,
    SignerName,
    SoftwareVersions,
    StoredRelease,
)
from dpdesk.release.record.write import PREDICATE_TYPE, STATEMENT_TYPE
from dpdesk.study.checks.by_statistic.member_checks import MOST_QUANTILES
from dpdesk.study.json.strict_json import Members
from dpdesk.study.limits import MAX_QUERIES
from dpdesk.study.model.amount import MAX_SHARE, AccountDelta, Delta, Epsilon, Measure, Rho, Share
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.model.unit import Neighbours
from dpdesk.study.problem import Refused, refuse

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?")
_RELEASE_ID = re.compile(r"[0-9a-f]{32}")
_EXCESS = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?")
_USER = re.compile(r"[^\x00-\x1f\x7f]{1,256}")


@dataclass(frozen=True)
class Statement:
    """A manifest whose signer is known and whose release was not read yet.

    Attributes:
        digests: name and SHA-256 of every other file, as listed.
        signer: who says that they signed.
    """

    digests: tuple[tuple[str, str], ...]
    signer: SignerName
    predicate: Members


def parse_statement(members: Any) -> Statement:
    """Read the envelope of a manifest, which is the same in every format.

    Raises:
        Refused: see ``StrictObject``.
    """
    return read_whole(members, "$", _statement)


def _statement(members: StrictObject) -> Statement:
    members.word("_type", (STATEMENT_TYPE,))
    members.word("predicateType", (PREDICATE_TYPE,))
    predicate = members.object("predicate")
    signer = StrictObject(predicate, "$.predicate").nested("signer", _envelope_signer)
    return Statement(members.list("subject", _subject), signer, predicate)


def _subject(members: StrictObject) -> tuple[str, str]:
    digest = members.nested("digest", lambda found: found.text("sha256", HASH))
    return members.text("name"), digest


def _envelope_signer(members: StrictObject) -> SignerName:
    """A later format may name keys in another way."""
    return SignerName(members.text("identity", IDENTITY), members.text("fingerprint"))


def stated_software(predicate: Members) -> SoftwareVersions | None:
    """What a manifest of any format says made it; ``None`` where these are no versions."""
    try:
        return StrictObject(predicate, "$").nested("software", SoftwareVersions.read)
    except Refused:
        return None


def parse_signed(members: Any) -> SignedRelease:
    """Read a manifest's predicate.

    Raises:
        Refused: ``claim-format-unknown``; ``claim-rho-differs``; ``claim-measure-differs``;
            ``claim-drawn-malformed`` (param query); and those of ``StrictObject``.
    """
    return read_whole(members, "$", _signed)


def _signed(members: StrictObject) -> SignedRelease:
    _refuse_other_formats(members)
    ledger = StrictObject(members.raw("ledger"), "$.ledger")
    chain = _chain(ledger)
    record = _record(members, ledger)
    if (len(chain), chain[-2:-1]) != (record.place.sequence, (record.place.previous,)):
        raise malformed(ledger.at("entries"))
    form = members.nested("bundle", BundleForm.read)
    return SignedRelease(record, chain, members.nested("signer", SignerName.read), form)


def _chain(ledger: StrictObject) -> tuple[str, ...]:
    """The hashes of all entries so far, the last of which is named once more."""
    head, chain = ledger.text("head", HASH), ledger.texts("entries")
    is_right = chain[-1:] == (head,) and all(map(HASH.fullmatch, chain))
    if not is_right or len(chain) > MOST_ENTRIES:
        raise malformed(ledger.at("entries"))
    return chain


def parse_stored(members: Any) -> StoredRelease:
    """Read what the ledger keeps of a release.

    Raises:
        Refused: as :func:`parse_signed`.
    """
    return read_whole(members, "$", read_stored)


def read_stored(members: StrictObject) -> StoredRelease:
    """The same of members of which something else may be left.

    Raises:
        Refused: as :func:`parse_signed`.
    """
    predicate = StrictObject(members.raw("predicate"), "$.predicate")
    _refuse_other_formats(predicate)
    ledger = StrictObject(predicate.raw("ledger"), "$.predicate.ledger")
    record = _record(predicate, ledger)
    predicate.finish()
    tables = members.list("tables", _table)
    if [table.id for table in tables] != [query.id for query in record.queries]:
        raise malformed("$.tables")
    by = members.text("released_by", _USER) if members.has("released_by") else ""
    return StoredRelease(record, tables, by)


def _refuse_other_formats(members: StrictObject) -> None:
    stated = members.raw("format")
    if type(stated) is not int or stated != FORMAT:
        raise refuse("claim-format-unknown", members.at("format"))


def _record(members: StrictObject, ledger: StrictObject) -> ReleaseRecord:
    """Read a release, whose ledger's members may have been read in part."""
    claim = members.nested("claim", _claim)
    measure: Measure = claim.total.measure
    place = ChainPlace.read(ledger)
    ledger.finish()
    drawn = members.object("drawn")
    release_id, time = members.nested("release", _release)
    record = ReleaseRecord(
        id=release_id,
        time=time,
        study=ReleasedStudy(members.object("study")),
        claim=claim,
        # Each draw is priced by the noise library, which takes its time.
        queries=members.list("queries", lambda own: _query(own, measure, drawn), MAX_QUERIES),
        account=members.nested("account", lambda found: _account(found, measure)),
        place=place,
        software=members.nested("software", SoftwareVersions.read),
        second_person=_second_person(members),
        overrides=_overrides(members),
    )
    if drawn.keys() != {query.id for query in record.queries}:
        raise malformed(members.at("drawn"))
    return record


def _second_person(members: StrictObject) -> SecondPersonRecord | None:
    """Who signs besides, if anybody has to."""
    name = "second_person"
    return members.nested(name, SecondPersonRecord.read) if members.has(name) else None


def _overrides(members: StrictObject) -> tuple[Override, ...]:
    """Stated where there are any."""
    name = "second_person_overrides"
    if not members.has(name):
        return ()
    overrides = members.list(name, Override.read)
    if not overrides or len({one.entry for one in overrides}) < len(overrides):
        raise malformed(members.at(name))
    return overrides


def _release(members: StrictObject) -> tuple[str, str]:
    return members.text("id", _RELEASE_ID), members.minute("time")


def _claim(members: StrictObject) -> ReleasedClaim:
    measure = members.word("measure", get_args(Measure))
    rho = None if members.nothing("rho") else members.amount("rho", Rho)
    epsilon, delta = members.amount("epsilon", Epsilon), account_delta(members)
    if (rho is None) != (measure == "epsilon"):
        raise refuse("claim-rho-differs", members.at("rho"))
    return ReleasedClaim(
        neighbours=members.word("neighbours", get_args(Neighbours)),
        unit=members.word("unit", ("person", "row")),
        max_rows=members.whole("max_rows"),
        people=None if members.nothing("people") else members.whole("people"),
        total=epsilon if rho is None else rho,
        epsilon=epsilon,
        delta=delta,
    )


def account_delta(members: StrictObject) -> AccountDelta:
    """An account's delta, of which no more is kept than there is.

    Raises:
        Refused: see ``StrictObject``.
    """
    whole, kept = members.amount("delta", Delta), members.amount("delta_kept", Delta)
    if kept > whole:
        raise malformed(members.at("delta_kept"))
    return AccountDelta(whole, kept)


def _query(members: StrictObject, measure: Measure, drawn: Members) -> ReleasedQuery:
    kind = _share(measure)
    query_id = members.text("id", _ID)
    return ReleasedQuery(
        id=query_id,
        title=members.text("title"),
        name=members.text("name", _NAME),
        statistic=members.word("statistic", STATISTICS),
        question=ReleasedQuestion(members.object("question")),
        cells=members.whole("cells"),
        share=members.amount("share", kind),
        charged=members.amount("charged", kind),
        delta=members.amount("delta", Delta),
        delta_charged=members.amount("delta_charged", Delta),
        drawn_in=members.whole("drawn_in"),
        drawn_at=members.minute("drawn_at") if members.has("drawn_at") else "",
        draws=members.list("parts", lambda found: _draw(found, measure), MOST_QUANTILES),
        drawn=_drawn(query_id, drawn),
        counted_by=members.text("counted_by", ENGINE) if members.has("counted_by") else "",
    )


def _drawn(query_id: str, drawn: Mapping[str, Any]) -> Drawn:
    try:
        if len(drawn[query_id]) <= MOST_QUANTILES:
            return Drawn.of_members(drawn[query_id])
    except (KeyError, ValueError, TypeError):
        pass
    raise refuse("claim-drawn-malformed", "$.drawn", query=query_id)


def _draw(members: StrictObject, measure: Measure) -> ReleasedDraw:
    return ReleasedDraw(
        name=members.text("name", _ID),
        noise=_noise(members, measure),
        sensitivity=members.integer("sensitivity"),
        loss=members.number("loss"),
        share=members.amount("share", _share(measure)),
        width=members.fraction("width"),
        half_width=members.integer("half_width"),
    )


def _noise(members: StrictObject, measure: Measure) -> Noise:
    mechanism = members.word("mechanism", get_args(Mechanism))
    chooses = mechanism == "noisy-max"
    cuts = mechanism in ("laplace", "gaussian") and members.has("threshold")
    noise = Noise(
        mechanism=mechanism,
        scale=members.number("scale"),
        measure=measure,
        blocks=members.whole("blocks") if chooses else 1,
        picks=members.whole("picks") if chooses else 1,
        monotonic=members.flag("monotonic") if chooses else False,
        threshold=members.integer("threshold") if cuts else None,
    )
    if members.raw("norm") != noise.norm:
        raise malformed(members.at("norm"))
    return noise


def _account(members: StrictObject, measure: Measure) -> ReleasedAccount:
    if members.word("measure", get_args(Measure)) != measure:
        raise refuse("claim-measure-differs", members.at("measure"))
    kind = _share(measure)

    def charge(found: StrictObject) -> EntryCharge:
        paid = found.amount("charged", kind), found.amount("delta_charged", Delta)
        return EntryCharge(found.whole("sequence"), *paid)

    return ReleasedAccount(
        name=members.text("name", _ID),
        total=members.amount("total", kind),
        spent_before=members.amount("spent_before", kind),
        spent_after=members.amount("spent_after", kind),
        delta=account_delta(members),
        delta_spent_before=members.amount("delta_spent_before", Delta),
        delta_spent_after=members.amount("delta_spent_after", Delta),
        charges=members.list("released", charge),
    )


def _table(members: StrictObject, is_inner: bool = False) -> Table:
    columns = members.list("columns", _column)
    rows = tuple(_row(value, path, len(columns)) for value, path in members.items("rows"))
    others: tuple[str, ...] = ()
    if members.has("consistent_with"):
        others = tuple(_other(value, path) for value, path in members.items("consistent_with"))
        if not others:
            raise malformed(members.at("consistent_with"))
    has_total, is_left = (_set(members, key) for key in ("public_total", "left_as_drawn"))
    rounded_to = members.whole("rounded_to") if members.has("rounded_to") else None
    if rounded_to == 0:
        raise malformed(members.at("rounded_to"))
    return Table(
        *(members.text("id", _ID), members.text("title"), columns, rows, others, has_total),
        is_left_as_drawn=is_left,
        rounded_to=rounded_to or 0,
        excess=members.text("excess_at_zero", _EXCESS) if members.has("excess_at_zero") else "",
        compared=_beside(members, "compared", is_inner),
        derived=_beside(members, "derived", is_inner),
    )


def _set(members: StrictObject, key: str) -> bool:
    """A flag that is there only where it holds."""
    is_there = members.has(key)
    if is_there and not members.flag(key):
        raise malformed(members.at(key))
    return is_there


def _beside(members: StrictObject, key: str, is_inner: bool) -> Table | None:
    """A table of what follows from another one's figures; it has none beside it."""
    if not members.has(key):
        return None
    if is_inner:
        raise malformed(members.at(key))
    return members.nested(key, lambda own: _table(own, is_inner=True))


def _other(value: Any, path: str) -> str:
    if type(value) is not str or not _ID.fullmatch(value):
        raise malformed(path)
    return value


def _column(members: StrictObject) -> TableColumn:
    return TableColumn(
        name=members.text("name"),
        role=members.word("role", get_args(ColumnRole)),
        unit=members.text("unit"),
        title=members.text("description"),
    )


def _row(value: Any, path: str, columns: int) -> tuple[str, ...]:
    if type(value) is not list or len(value) != columns or set(map(type, value)) - {str}:
        raise malformed(path)
    return tuple(value)


def _share(measure: Measure) -> type[Share]:
    return type(MAX_SHARE[measure])
