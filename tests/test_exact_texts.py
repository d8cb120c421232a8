# SPDX-License-Identifier: Apache-2.0
"""Texts of the data are sealed like answers: nothing shows them, and one opener opens them."""

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpdesk import exact as sealing
from dpdesk.exact import ExactSealed, ExactTexts, claim_texts_opener
from tests.test_exact import LOOKS

SECRET = "patient 8675309"


def sealed() -> ExactTexts:
    return ExactTexts([SECRET, "another"], np.array([1, 8_675_309], dtype=np.int64))


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_looking_fails_and_says_nothing(look: Callable[[Any], Any]) -> None:
    with pytest.raises((TypeError, AttributeError)) as caught:
        look(sealed())
    assert "8675309" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("show", [str, repr, format, "{:>40}".format, "%s".__mod__])
def test_what_is_shown_is_the_seal(show: Callable[[ExactTexts], str]) -> None:
    assert "ExactTexts(sealed)" in show(sealed())


def test_no_attribute_holds_the_texts() -> None:
    texts = sealed()
    assert not any(SECRET in repr(getattr(texts, name, "")) for name in dir(texts))


@pytest.mark.parametrize(
    ("texts", "counts"),
    [
        ([SECRET], np.array([1, 2], np.int64)),
        ([SECRET], np.array([[1]], np.int64)),
        ([SECRET], np.array([1], np.int32)),
        ([SECRET], np.array([1.0])),
        ([SECRET], np.array([0], np.int64)),
        ([SECRET, "b"], np.array([3, -1], np.int64)),
        ([SECRET, SECRET], np.array([3, 1], np.int64)),
    ],
)
def test_a_text_stands_once_and_somebody_has_it(texts: list[str], counts: Any) -> None:
    """A text that nobody has would tell that somebody had it before the bound left it out."""
    with pytest.raises(ExactSealed) as caught:
        ExactTexts(texts, counts)
    assert SECRET not in str(caught.value)


def test_nothing_found_can_be_sealed() -> None:
    assert ExactTexts([], np.array([], np.int64)) is not None


def test_what_nobody_holds_is_forgotten() -> None:
    before = {*sealing._text_vault}
    texts = [sealed() for _ in range(10)]
    own = {*sealing._text_vault} - before
    assert len(own) == 10
    del texts  # at once: no search for garbage comes first
    assert own.isdisjoint(sealing._text_vault)


def test_the_opener_is_handed_out_once() -> None:
    import dpdesk.privacy.noise.door  # noqa: F401 - the door claims it

    with pytest.raises(ExactSealed, match="already been claimed"):
        claim_texts_opener()
