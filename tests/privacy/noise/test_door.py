# SPDX-License-Identifier: Apache-2.0
"""The noise door refuses what must not be drawn, and says nothing of values."""

import hashlib
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opendp import domains, measurements, measures, metrics
from opendp.mod import GLOBAL_FEATURES

from dpdesk.exact import Exact, Int64Vector
from dpdesk.privacy.noise import door
from dpdesk.privacy.noise.door import (
    LIMIT,
    MAX_SCALE,
    Door,
    DoorRefused,
    OpenDPDoor,
    loss,
    software,
)
from dpdesk.privacy.noise.noise import Noise

VALUES = [8_675_309, -8_675_309, 0]
SCALES = [0.0, -0.0, -1.0, math.nan, math.inf, -math.inf, 1e-300, 5e-324, 1e300, 1e20, 0.0098]
SCALES += [1, True, "1.0", None, Decimal(1), Fraction(1), np.float64(2.0), np.float32(2.0)]
SENSITIVITIES = [0, -1, True, False, 1.0, "1", None, np.int64(1), 2**62 + 1, 2**63, 10**400]
ANSWERS = [None, VALUES, tuple(VALUES), np.array(VALUES), 8_675_309, "8675309", object()]

MESSAGES = {
    "a sensitivity is a positive whole number of 64 bits",
    "a scale is a finite positive number",
    "the scale leaves nothing but noise",
    "the scale leaves hardly any noise",
    "only a sealed exact answer can be drawn on",
    "a draw has at least one cell in every block",
}


def sealed(*values: int) -> Exact:
    return Exact(np.array(values or VALUES, dtype=np.int64))


class Recorder(Door):
    """Notes what a draw would have opened, and draws nothing."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, list[int], int, float]] = []

    def add_noise(
        self, name: str, values: Int64Vector, noise: Noise, sensitivity: int
    ) -> tuple[int, ...]:
        self.seen.append((name, values.tolist(), sensitivity, noise.scale))
        return tuple(values.tolist())


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def message(door: Door, answer: Any, sensitivity: Any, scale: Any) -> str:
    with pytest.raises(DoorRefused) as refused:
        door.draw("test", answer, Noise("laplace", scale), sensitivity)
    assert refused.value.__cause__ is None
    return str(refused.value)


@pytest.mark.threat("A18")
@pytest.mark.parametrize("scale", SCALES, ids=repr)
def test_a_scale_that_is_no_scale_opens_nothing(recorder: Recorder, scale: Any) -> None:
    assert message(recorder, sealed(), 1, scale) in MESSAGES
    assert not recorder.seen
    with pytest.raises(DoorRefused):
        loss(Noise("laplace", scale), 1)


@pytest.mark.threat("A18")
@pytest.mark.parametrize("sensitivity", SENSITIVITIES, ids=lambda s: repr(s)[:20])
def test_a_sensitivity_that_is_none_opens_nothing(recorder: Recorder, sensitivity: Any) -> None:
    assert message(recorder, sealed(), sensitivity, 10.0) in MESSAGES
    assert not recorder.seen
    with pytest.raises(DoorRefused):
        loss(Noise("laplace", 10.0), sensitivity)


@pytest.mark.threat("A10")
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: type(a).__name__)
def test_only_sealed_answers_are_drawn_on(recorder: Recorder, answer: Any) -> None:
    assert message(recorder, answer, 1, 10.0) in MESSAGES
    assert message(OpenDPDoor(), answer, 1, 10.0) in MESSAGES
    assert not recorder.seen


def test_a_loss_that_was_asked_for_opens_no_way_for_other_types() -> None:
    assert loss(Noise("laplace", 2.0), 1) == 0.5
    for sensitivity, scale in [(True, 2.0), (1, 2), (1.0, 2.0), (1, np.float64(2.0))]:
        with pytest.raises(DoorRefused):
            loss(Noise("laplace", scale), sensitivity)


def test_a_draw_of_nothing_is_refused() -> None:
    nothing = Exact(np.array([], dtype=np.int64))
    assert message(OpenDPDoor(), nothing, 1, 1.0) in MESSAGES


@pytest.mark.threat("A10")
@given(
    st.one_of(st.integers(), st.floats(), st.text(), st.none(), st.booleans()),
    st.one_of(st.integers(), st.floats(), st.text(), st.none(), st.booleans()),
)
def test_whatever_is_asked_is_drawn_or_refused_with_a_fixed_text(
    sensitivity: Any, scale: Any
) -> None:
    try:
        drawn = OpenDPDoor().draw("test", sealed(), Noise("laplace", scale), sensitivity)
    except DoorRefused as refused:
        assert str(refused) in MESSAGES
    else:
        assert type(sensitivity) is int
        assert type(scale) is float
        assert len(drawn) == len(VALUES)


@pytest.mark.threat("A1", "A9")
@pytest.mark.parametrize("scale", [0.01, 1.0, 1e6, 1e15, 1e18, MAX_SCALE])
def test_what_is_drawn_is_whole_numbers_of_64_bits(scale: float) -> None:
    edges = (0, 1, -1, 2**31, -(2**31), 2**62, -(2**62), 2**63 - 1, -(2**63))
    drawn = OpenDPDoor().draw("test", sealed(*edges), Noise("laplace", scale), 1)
    assert len(drawn) == len(edges)
    assert all(type(v) is int and -(2**63) <= v < 2**63 for v in drawn)


@pytest.mark.threat("A9")
def test_answers_saturate_before_the_noise() -> None:
    edges = (2**63 - 1, 2**62 + 5, 2**62, -(2**62), -(2**62) - 5, -(2**63))
    for _ in range(20):
        drawn = OpenDPDoor().draw("test", sealed(*edges), Noise("laplace", 1.0), 1)
        expected = (LIMIT, LIMIT, LIMIT, -LIMIT, -LIMIT, -LIMIT)
        assert all(abs(d - e) < 100 for d, e in zip(drawn, expected, strict=True))


@pytest.mark.threat("D8")
def test_a_draw_is_around_the_answer_and_never_twice_the_same() -> None:
    drawn = [
        OpenDPDoor().draw("test", sealed(1_000, -1_000), Noise("laplace", 2.0), 1)
        for _ in range(60)
    ]
    assert len(set(drawn)) > 30
    assert all(abs(a - 1_000) < 200 and abs(b + 1_000) < 200 for a, b in drawn)


@pytest.mark.threat("D8")
def test_the_cells_of_a_draw_get_noise_of_their_own() -> None:
    drawn = OpenDPDoor().draw("test", sealed(*[0] * 1_000), Noise("laplace", 1e15), 1)
    assert len(set(drawn)) == 1_000


def test_a_door_of_a_test_sees_what_would_be_drawn(recorder: Recorder) -> None:
    assert recorder.draw("stays/rows", sealed(1, 2), Noise("laplace", 30.0), 3) == (1, 2)
    assert recorder.seen == [("stays/rows", [1, 2], 3, 30.0)]


def test_a_door_of_a_test_sees_no_request_that_makes_no_sense(recorder: Recorder) -> None:
    yes_no, choice = Noise("randomised-response", 0.75), Noise("noisy-max", 1.0)
    wrong = [
        (replace(yes_no, scale=0.5), 1, "more often than not"),
        (replace(yes_no, scale=1.0), 1, "not always"),
        (yes_no, 2, "more often than not"),
        (replace(choice, blocks=0), 1, "picks something"),
        (replace(choice, picks=0), 1, "picks something"),
    ]
    for noise, sensitivity, said in wrong:
        with pytest.raises(DoorRefused, match=said):
            recorder.draw("test", sealed(0, 1), noise, sensitivity)
        with pytest.raises(DoorRefused, match=said):
            loss(noise, sensitivity)
    assert not recorder.seen


@pytest.mark.parametrize(
    ("noise", "values", "said"),
    [
        (Noise("noisy-max", 1.0, picks=3), (5, 6), "no more than there is"),
        (Noise("noisy-max", 1.0, blocks=2), (5, 6, 7), "one cell in every block"),
        (Noise("randomised-response", 0.75), (0, 1, 2), "yes or no"),
        (Noise("randomised-response", 0.75), (-1, 1), "yes or no"),
    ],
)
def test_what_does_not_fit_its_mechanism_is_not_drawn_on(
    noise: Noise, values: tuple[int, ...], said: str
) -> None:
    with pytest.raises(DoorRefused, match=said):
        OpenDPDoor().draw("test", sealed(*values), noise, 1)


ANY = domains.vector_domain(domains.atom_domain(T="i64"))
FEW = domains.vector_domain(domains.atom_domain(T="i64"), size=2)
MAX = metrics.linf_distance(T="i64"), measures.max_divergence()
OTHERS = [
    # One that takes two numbers and no more.
    ("laplace", measurements.make_laplace(FEW, metrics.l1_distance(T="i64"), scale=1.0), "64-bit"),
    ("noisy-max", measurements.make_noisy_max(FEW, *MAX, scale=1.0), "64-bit"),
    # One that chooses, where every number gets noise, and the other way round.
    ("laplace", measurements.make_noisy_top_k(ANY, *MAX, k=2, scale=1.0), "than integers"),
    (
        "noisy-max",
        measurements.make_laplace(ANY, metrics.l1_distance(T="i64"), scale=1.0),
        "chose what is not there",
    ),
]


@pytest.mark.threat("H1")
@pytest.mark.parametrize(("mechanism", "other", "said"), OTHERS)
def test_a_library_that_does_something_else_gives_nothing_out(
    mechanism: Any, other: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "_measurement", lambda _noise: other)
    with pytest.raises(DoorRefused, match=said):
        OpenDPDoor().draw("test", sealed(*VALUES), Noise(mechanism, 1.0), 1)


KNOWN = [
    (1, 1.0, 1.0),
    (1, 2.0, 0.5),
    (1, 3.0, 0.33333333333333337),
    (3, 30.0, 0.1),
    (3, 30.000000000000004, 0.09999999999999999),
    (10, 0.1, 100.0),
    (21, 7.0, 3.0),
    (2**40, 2.0**40, 1.0),
    (2**62, 2.0**62, 1.0),
]


@pytest.mark.threat("H2")
@pytest.mark.parametrize(("sensitivity", "scale", "known"), KNOWN)
def test_known_losses(sensitivity: int, scale: float, known: float) -> None:
    assert loss(Noise("laplace", scale), sensitivity) == known


@pytest.mark.threat("A11")
@given(st.integers(1, 2**45), st.floats(1e-2, 1e19))
def test_a_loss_is_never_below_the_quotient_and_hardly_above(
    sensitivity: int, scale: float
) -> None:
    true = Fraction(sensitivity) / Fraction(scale)
    if true > 101:
        with pytest.raises(DoorRefused, match="hardly any noise"):
            loss(Noise("laplace", scale), sensitivity)
        return
    found = loss(Noise("laplace", scale), sensitivity)
    assert true <= Fraction(found) <= true + 3 * Fraction(math.ulp(found))


@pytest.mark.threat("H3")
def test_only_one_feature_of_the_noise_library_is_on() -> None:
    assert set(GLOBAL_FEATURES) == {"contrib"}


@pytest.mark.threat("H1")
def test_the_noise_library_is_named_by_version_and_digest() -> None:
    spec = find_spec("opendp")
    assert spec
    assert spec.origin
    native = [
        path
        for path in Path(spec.origin).parent.rglob("*")
        if path.suffix in {".so", ".pyd", ".dll", ".dylib"}
    ]
    assert len(native) == 1
    digest = hashlib.sha256(native[0].read_bytes()).hexdigest()
    assert software() == {"opendp": "0.16.0", "opendp_library_sha256": digest}
