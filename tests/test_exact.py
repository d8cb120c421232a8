# SPDX-License-Identifier: Apache-2.0
"""An exact answer cannot be looked at, by design or by accident."""

import copy
import json
import logging
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpdesk import exact as sealing
from dpdesk.exact import Exact, ExactSealed, claim_opener
from tests.source_files import ROOT

SECRET = 8_675_309


def sealed() -> Exact:
    return Exact(np.array([SECRET, -SECRET], dtype=np.int64))


LOOKS: dict[str, Callable[[Exact], Any]] = {
    "compare": lambda e: e == SECRET,
    "compare with itself": lambda e: e == e,
    "differ": lambda e: e != sealed(),
    "order": lambda e: e < 3,
    "bool": bool,
    "int": int,
    "float": float,
    "index": lambda e: [1, 2][e],
    "length": len,
    "iterate": list,
    "item": lambda e: e[0],
    "contains": lambda e: SECRET in e,
    "hash": hash,
    "member of a set": lambda e: {e},
    "array": np.asarray,
    "sum": np.sum,
    "add": lambda e: e + 1,
    "add to": lambda e: np.int64(1) + e,
    "subtract": lambda e: 1 - e,
    "multiply": lambda e: e * 2,
    "negate": lambda e: -e,
    "divide": lambda e: e / 2,
    "round": round,
    "pickle": pickle.dumps,
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "json": json.dumps,
    "json default": lambda e: json.dumps({"answer": e}),
    "attributes": vars,
    "bytes": bytes,
    "buffer": memoryview,
    "set an attribute": lambda e: setattr(e, "value", 1),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_looking_fails_and_says_nothing(look: Callable[[Exact], Any]) -> None:
    with pytest.raises((TypeError, AttributeError)) as caught:
        look(sealed())
    assert str(SECRET) not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("show", [str, repr, format, "{:>40}".format, "%s".__mod__])
def test_what_is_shown_is_the_seal(show: Callable[[Exact], str]) -> None:
    assert "Exact(sealed)" in show(sealed())
    assert str(SECRET) not in show(sealed())


def test_a_log_line_shows_the_seal(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("test").error("answer %s in %r", sealed(), [sealed()])
    assert "Exact(sealed)" in caplog.text
    assert str(SECRET) not in caplog.text


def test_no_attribute_holds_the_values() -> None:
    answer = sealed()
    texts = [repr(getattr(answer, name, "")) for name in dir(answer)]
    assert not any(str(SECRET) in text for text in texts)


@pytest.mark.parametrize(
    "values",
    [
        np.array([1.0]),
        np.array([1], dtype=np.int32),
        np.array([1], dtype=np.uint64),
        np.array([True]),
        np.array([[1]], dtype=np.int64),
        np.int64(SECRET),
        np.array(SECRET, dtype=np.int64),
        np.array([SECRET], dtype=object),
    ],
)
def test_only_vectors_of_64_bit_integers_are_sealed(values: Any) -> None:
    with pytest.raises(ExactSealed) as caught:
        Exact(values)
    assert str(SECRET) not in str(caught.value)


def opened(answer: Exact) -> list[int]:
    return [int(v) for v in sealing._vault[id(answer)]]


def test_a_seal_keeps_its_own_copy() -> None:
    values = np.array([1, 2], dtype=np.int64)
    answer = Exact(values)
    values[0] = 99
    assert opened(answer) == [1, 2]


def test_what_nobody_holds_is_forgotten() -> None:
    before = {*sealing._vault}
    answers = [sealed() for _ in range(10)]
    own = {*sealing._vault} - before
    assert len(own) == 10
    del answers  # at once: no search for garbage comes first
    assert own.isdisjoint(sealing._vault)


def test_the_opener_is_handed_out_once() -> None:
    import dpdesk.privacy.noise.door  # noqa: F401 - the door claims it

    with pytest.raises(ExactSealed, match="already been claimed"):
        claim_opener()


def test_who_comes_before_the_door_is_found_out() -> None:
    code = "from dpdesk.exact import claim_opener; claim_opener(); import dpdesk.privacy.noise.door"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "already been claimed" in ran.stderr
