# SPDX-License-Identifier: Apache-2.0
"""The estimate of a passphrase's strength."""

from itertools import pairwise

import pytest

from dpdesk.release.signing.passphrase_strength import bits_of, strength_of


@pytest.mark.parametrize(
    ("passphrase", "expected"),
    [
        ("", "weak"),
        ("password", "weak"),
        ("P@ssw0rd2024!", "weak"),
        ("Passwort123456", "weak"),
        ("aaaaaaaaaaaaaaaaaaaaaaaa", "weak"),
        ("abcdefghijklmnopqrstuvwxyz", "weak"),
        ("98765432109876543210", "weak"),
        ("dpdeskdpdeskdpdeskdpdeskdpdesk", "weak"),
        ("Klinikum2024", "weak"),
        ("correct horse battery", "fair"),
        ("correct horse battery staple lamp moon", "strong"),
        ("aB3$xY9!kL2m&Qz7", "strong"),
        ("größer als sieben blaue Lampen im Wind", "strong"),
    ],
)
def test_strength(passphrase: str, expected: str) -> None:
    assert strength_of(passphrase) == expected


def test_a_longer_text_is_hardly_ever_estimated_lower() -> None:
    """A fragment that becomes a word is no longer taken for random letters."""
    words = "amber kettle drifts below 7 windows"
    estimates = [bits_of(words[:end]) for end in range(len(words) + 1)]
    assert estimates[0] == 0 and estimates[-1] > 60
    assert all(b >= a - 4 for a, b in pairwise(estimates))


def test_six_random_words_are_worth_about_what_they_are() -> None:
    """Six words of a list of 7,776 have 77.5 bits."""
    assert 65 < bits_of("cactus stammer unlatch gravel pronto skier") < 95
