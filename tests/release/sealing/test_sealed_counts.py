# SPDX-License-Identifier: Apache-2.0
"""Sealed counts open for their order alone, whole, once, in time; and their size says nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from dpdesk.exact import ExactSealed
from dpdesk.privacy import compiler
from dpdesk.privacy.plan import Plan
from dpdesk.release.places.home import Home
from dpdesk.release.record.size import MOST
from dpdesk.release.sealing import sealed_counts, waiting_orders
from dpdesk.release.sealing.order_file import (
    MAX_ORDER_BYTES,
    CountingOrder,
    is_of,
    public_study,
    read_order,
    write_order,
)
from dpdesk.release.sealing.sealed_counts import ExactCounts, OpenedCounts, open_counts, seal_counts
from dpdesk.release.sealing.waiting_orders import make_order, opened
from dpdesk.study.json.study_files import load_study
from dpdesk.study.limits import MAX_FOUND_TEXT
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, Refused
from tests.golden.making import STUDIES

UNTIL = date(2030, 1, 31)
SECRET = X25519PrivateKey.generate()
PUBLIC = SECRET.public_key().public_bytes_raw()


def golden(name: str = "epsilon-add-remove") -> Study:
    return load_study(STUDIES / f"{name}.dpdesk").study


def ordered(study: Study, number: str = "0" * 32) -> CountingOrder:
    return write_order(study, number, PUBLIC, "2030-01-01T08:00Z", UNTIL)


def counts_of(plan: Plan, value: int = 7) -> ExactCounts:
    vectors = {
        (query.query.id, part.name): np.full(part.cells, value, np.int64)
        for query in plan.queries
        for part in query.parts
        if not sealed_counts.finds_texts(part)
    }
    found = {
        (query.query.id, part.name): (("a", value), ("b", 1))
        for query in plan.queries
        for part in query.parts
        if sealed_counts.finds_texts(part)
    }
    return ExactCounts("duckdb 1.4.5", 61, vectors, found)


def read(
    sealed: bytes, order: CountingOrder, plan: Plan, people: int | None = None
) -> OpenedCounts:
    return open_counts(sealed, order, SECRET.private_bytes_raw(), plan, people)


def code_of(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.problems[0].code


@pytest.mark.parametrize("name", ["epsilon-add-remove", "rho-add-remove"])
def test_what_is_sealed_comes_out_sealed_for_the_noise_door_alone(name: str) -> None:
    study = golden(name)
    plan, order = compiler.compile(study), ordered(study)
    counts = counts_of(plan)
    found = read(seal_counts(counts, order), order, plan)
    assert found.engine == "duckdb 1.4.5" and found.order == order.number
    query, part = next(iter(counts.vectors))
    with pytest.raises(ExactSealed):
        list(found.vector(query, part))  # type: ignore[call-overload]
    assert {str(found.vector(*place)) for place in counts.vectors} == {"Exact(sealed)"}


def test_every_altered_byte_and_every_cut_is_refused_in_one_sentence() -> None:
    study = golden()
    plan, order = compiler.compile(study), ordered(study)
    sealed = seal_counts(counts_of(plan), order)
    head = range(sealed_counts._HEAD_BYTES)
    rest = Random(38).sample(range(len(head), len(sealed)), 60)
    for place in (*head, *rest, len(sealed) - 1):
        altered = bytearray(sealed)
        altered[place] ^= 1 << place % 8
        with pytest.raises(Refused) as refused:
            read(bytes(altered), order, plan)
        # X25519 ignores the highest bit of a public key, but the head is authenticated.
        assert code_of(refused) in {"counts-malformed", "counts-of-other-order", "counts-altered"}
    for length in (0, 5, len(head), len(head) + 15, len(sealed) - 1):
        with pytest.raises(Refused) as refused:
            read(sealed[:length], order, plan)
        assert code_of(refused) in {"counts-malformed", "counts-altered"}
    with pytest.raises(Refused) as refused:
        read(sealed + b"\0", order, plan)
    assert code_of(refused) == "counts-altered"


def test_a_public_key_of_small_order_agrees_on_nothing() -> None:
    study = golden()
    plan, order = compiler.compile(study), ordered(study)
    sealed = seal_counts(counts_of(plan), order)
    at = len(sealed_counts.MAGIC) + 32
    for small in (bytes(32), (1).to_bytes(32, "little")):
        with pytest.raises(Refused) as refused:
            read(sealed[:at] + small + sealed[at + 32 :], order, plan)
        assert code_of(refused) == "counts-altered"


def test_counts_of_another_order_or_for_another_key_are_refused() -> None:
    study = golden()
    plan, order = compiler.compile(study), ordered(study)
    sealed = seal_counts(counts_of(plan), ordered(study, "1" * 32))
    with pytest.raises(Refused) as refused:
        read(sealed, order, plan)
    assert code_of(refused) == "counts-of-other-order"
    other = X25519PrivateKey.generate().private_bytes_raw()
    with pytest.raises(Refused) as refused:
        open_counts(seal_counts(counts_of(plan), order), order, other, plan, None)
    assert code_of(refused) == "counts-altered"


def test_counts_that_do_not_answer_the_plan_are_refused() -> None:
    study = golden()
    plan, order = compiler.compile(study), ordered(study)
    good = counts_of(plan)
    place, vector = next(iter(good.vectors.items()))
    spoilt = [
        replace(good, vectors={p: v for p, v in good.vectors.items() if p != place}),
        replace(good, vectors={**good.vectors, ("more", "rows"): vector}),
        replace(good, vectors={**good.vectors, place: vector[:-1]}),
        replace(good, vectors={**good.vectors, place: np.append(vector, 0)}),
        replace(good, vectors={**good.vectors, place: np.full_like(vector, 2**62 + 1)}),
        replace(good, vectors={**good.vectors, place: np.full_like(vector, -(2**63))}),
        replace(good, found={("more", "found"): (("a", 1),)}),
        replace(good, engine=""),
        replace(good, engine="x" * 81),
        replace(good, engine="duck\ndb"),
    ]
    for counts in spoilt:
        with pytest.raises(Refused) as refused:
            read(seal_counts(counts, order), order, plan)
        assert code_of(refused) == "counts-misfit" and refused.value.__context__ is None


def test_answers_of_another_number_of_people_or_of_no_kind_are_refused() -> None:
    study = golden("epsilon-change-one")
    plan, order = compiler.compile(study), ordered(study)
    good = counts_of(plan, 1)
    read(seal_counts(good, order), order, plan)
    bits = next(place for place in good.vectors if place[1] == "yeses")
    for vector in (
        good.vectors[bits][:-1],
        np.append(good.vectors[bits], 1),
        2 + 0 * good.vectors[bits],
    ):
        spoilt = replace(good, vectors={**good.vectors, bits: vector})
        with pytest.raises(Refused) as refused:
            read(seal_counts(spoilt, order), order, plan)
        assert code_of(refused) == "counts-misfit"


def test_small_values_that_would_fill_the_memory_are_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = golden()
    plan, order = compiler.compile(study), ordered(study)
    counts, content = counts_of(plan), sealed_counts._content

    def with_many(own: ExactCounts) -> bytes:
        length = int.from_bytes(content(own)[:8], "big")
        plain = content(own)[8 : 8 + length]
        more = plain.replace(b"{", b'{"more": [' + b"[]," * 100_001 + b"0], ", 1)
        return len(more).to_bytes(8, "big") + more

    monkeypatch.setattr(sealed_counts, "_content", with_many)
    with pytest.raises(Refused) as refused:
        read(seal_counts(counts, order), order, plan)
    assert code_of(refused) == "counts-misfit"


def test_what_could_not_be_opened_is_neither_ordered_nor_sealed(
    dpdesk_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, home, most = golden("rho-add-remove"), Home.locate(), 1 << 17
    plan, order = compiler.compile(study), make_order(study, home, 3)
    numbers = sum(part.cells for query in plan.queries for part in query.parts)

    def counted(texts: int) -> ExactCounts:
        made = [(f"{number:05d}", 1) for number in range(texts)]
        return replace(counts_of(plan), found=dict.fromkeys(counts_of(plan).found, made))

    def refused_with(most: int, texts: int) -> Problem:
        monkeypatch.setattr(sealed_counts, "MAX_CONTENT_BYTES", most)
        with pytest.raises(Refused) as refused:
            seal_counts(counted(texts), order) if texts else make_order(study, home, 3)
        return refused.value.problems[0]

    # A number takes 32 / 3 bytes, a text of five digits nine.
    beyond = sealed_counts.MAX_SEALED_BYTES - sealed_counts.MAX_CONTENT_BYTES
    assert refused_with(numbers * 32 // 3, 0).code == "order-too-large"
    assert refused_with(most, 7_000).code == "counts-too-large"
    monkeypatch.setattr(waiting_orders, "MAX_SEALED_BYTES", most + beyond)
    path = tmp_path / "counts.sealed"
    path.write_bytes(seal_counts(counted(6_000), order))
    assert path.stat().st_size == most + beyond
    assert opened(path, study, home, order.until).engine == "duckdb 1.4.5"
    monkeypatch.setattr(sealed_counts, "_MOST_COMMAS", 6_000)
    assert refused_with(most, 6_000).code == "counts-too-large"


def test_a_release_that_nobody_could_check_is_not_ordered(
    dpdesk_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MOST, "lines", 1)
    with pytest.raises(Refused) as refused:
        make_order(golden(), Home.locate(), 3)
    assert code_of(refused) == "release-too-many-lines"


def test_invented_texts_are_refused_where_none_could_be_found() -> None:
    study = golden("rho-add-remove")
    plan, order = compiler.compile(study), ordered(study)
    good = counts_of(plan)
    place = next(iter(good.found))
    spoilt = ((("a", 0),), (("a", 1), ("a", 2)), (("a", -5),), (("a", 2**62 + 1),))
    odd = ((" a", 900),), (("a\u202eb", 900),), (("", 900),), ((MAX_FOUND_TEXT * "xx", 900),)
    for texts in (*spoilt, *odd):
        with pytest.raises(Refused) as refused:
            read(seal_counts(replace(good, found={place: texts}), order), order, plan)
        assert code_of(refused) == "counts-misfit"


def test_another_number_of_people_than_the_public_one_is_refused_without_naming_it() -> None:
    study = golden()
    plan, order = compiler.compile(study), ordered(study)
    sealed = seal_counts(counts_of(plan), order)
    read(sealed, order, plan, 61)
    with pytest.raises(Refused) as refused:
        read(sealed, order, plan, 60)
    (problem,) = refused.value.problems
    assert problem.code == "people-count-differs" and problem.params == {}


@pytest.mark.parametrize("name", ["epsilon-add-remove", "rho-add-remove"])
def test_the_size_of_a_sealed_file_follows_from_the_order_alone(name: str) -> None:
    study = golden(name)
    plan, order = compiler.compile(study), ordered(study)
    sizes = {len(seal_counts(counts_of(plan, value), order)) for value in (1, 10**6, 2**62)}
    assert len(sizes) == 1


def test_an_order_says_nothing_for_the_custodians_eyes() -> None:
    study = golden()
    hidden = {"path": "C:/secret folder/stays.csv", "extract": "my extract"}
    # Recognised, perhaps by somebody's row.
    seen = {"line_ending": "any", "encoding": "cp850", "separator": "|", "sheet": "Sheet 7"}
    data = replace(study.data, **hidden, **seen)  # type: ignore[type-var]
    mine = replace(study.budget, account="ward-7")  # type: ignore[type-var]
    order = ordered(replace(study, data=data, budget=mine))
    for own in (
        b"secret folder",
        b"my extract",
        b"ward-7",
        b"line_ending",
        b"cp850",
        b'"|"',
        b"Sheet 7",
    ):
        assert own not in order.raw
    more = replace(mine, epsilon=Epsilon.of("7.654321"))
    assert ordered(replace(study, data=data, budget=more)).raw == order.raw
    assert read_order(order.raw) == order and order.raw.isascii()
    assert is_of(order, replace(study, data=data)) and is_of(order, public_study(study))


def test_an_order_is_of_one_state_of_a_study() -> None:
    study = golden()
    order = ordered(study)
    query = replace(study.queries[0], title="Another title")
    assert not is_of(order, replace(study, queries=(query, *study.queries[1:])))


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        (b'"dpdesk-order"', b'"dpdesk-study"', "order-malformed"),
        (b'"version": 1', b'"version": 2', "order-version-unknown"),
        (b'"until": "2030-01-31"', b'"until": "2030-02-31"', "order-malformed"),
        (b'"number": "0', b'"number": "x', "order-malformed"),
        (b'"made": ', b'"more": 1, "made": ', "order-malformed"),
        (b'"made": ', b'"made": 1, "made": ', "json-duplicate-key"),
        pytest.param(PUBLIC.hex().encode(), b"00" * 32, "order-malformed", id="of small order"),
    ],
)
def test_an_order_that_is_none_is_refused(before: bytes, after: bytes, code: str) -> None:
    raw = ordered(golden()).raw
    assert before in raw
    with pytest.raises(Refused) as refused:
        read_order(raw.replace(before, after))
    assert code_of(refused) == code


def test_an_order_too_large_is_refused_unread() -> None:
    with pytest.raises(Refused) as refused:
        read_order(b" " * (MAX_ORDER_BYTES + 1))
    assert code_of(refused) == "json-too-large"


def test_counts_are_opened_until_the_orders_last_day(dpdesk_home: Path, tmp_path: Path) -> None:
    home, study = Home.locate(), golden()
    order = make_order(study, home, 3)
    plan = compiler.compile(study)
    path = tmp_path / "counts.sealed"
    path.write_bytes(seal_counts(counts_of(plan), order))
    opened(path, study, home, order.until)
    with pytest.raises(Refused) as refused:
        opened(path, study, home, order.until + timedelta(1))
    assert code_of(refused) == "order-past"
    changed = replace(study, title="Another title")
    with pytest.raises(Refused) as refused:
        opened(path, changed, home, order.until)
    assert code_of(refused) == "counts-of-other-order"


def test_only_the_user_reads_the_key_of_an_order(dpdesk_home: Path) -> None:
    home = Home.locate()
    make_order(golden(), home, 3)
    assert home.orders.stat().st_mode & 0o077 == 0
    assert {path.stat().st_mode & 0o077 for path in home.orders.iterdir()} == {0}


@pytest.mark.parametrize("raw", [b"", b"dpdesk", bytes(100)])
def test_another_file_is_no_sealed_file(dpdesk_home: Path, tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "counts.sealed"
    path.write_bytes(raw)
    with pytest.raises(Refused) as refused:
        opened(path, golden(), Home.locate(), UNTIL)
    assert code_of(refused) == "counts-malformed"
    with pytest.raises(Refused) as refused:
        opened(tmp_path, golden(), Home.locate(), UNTIL)
    assert code_of(refused) == "counts-unreadable"
