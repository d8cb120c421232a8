# SPDX-License-Identifier: Apache-2.0
"""What an article may copy of a release: right for its measure, and whole."""

import json

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.release.record.parse import parse_signed
from tests.release.bundles import bundle
from tests.release.liar import honest


def methods(archive: bytes, language: str = "en") -> str:
    predicate = json.loads(unpack(archive)[MANIFEST])["predicate"]
    return ReleaseText(parse_signed(predicate), ReleaseWords.of(language)).methods


def test_a_margin_is_said_to_be_of_the_noise_alone_and_each_by_itself() -> None:
    for archive in (bundle(), honest()):
        said = methods(archive)
        assert "Each margin by itself holds in at least 95 of 100" in said
        assert "It covers the noise alone, not sampling error" in said
        assert "of each person count, chosen at random. Figures of rows describe these" in said


def test_amounts_and_sources_are_those_of_the_measure() -> None:
    pure, rho = methods(bundle()), methods(honest())
    assert "(Dwork and Roth 2014)" in pure and "had spent ε = " in pure and "zCDP" not in pure
    assert "(Bun and Steinke 2016)" in rho and "had spent ρ = " in rho
    assert "the discrete Gaussian mechanism (Canonne, Kamath and Steinke 2020)" in rho
    assert "report noisy max (Durfee and Rogers 2019)" in rho


def test_what_was_found_in_the_data_is_not_said_to_be_declared_alone() -> None:
    assert "selected from the data" in methods(honest())
    assert "selected from the data" not in methods(bundle())
    assert "nach ihrer verrauschten Personenzahl ausgewählt" in methods(honest(), "de")


def test_bounds_that_an_earlier_release_found_are_not_denied() -> None:
    """A declaration may be the answer of an earlier query: of where it is from only prose tells."""
    for archive in (bundle(), honest()):
        said = methods(archive)
        assert "declared before this release" in said and "not computed from the data" not in said
        assert "None was taken from the data, except through an earlier" in said
        german = methods(archive, "de")
        assert "vor dieser Freigabe festgelegt" in german and "aus den Daten, außer" in german
