# SPDX-License-Identifier: Apache-2.0
"""What several files of a bundle say of its release: title, unit, cost, methods, reference.

The paragraph on methods and the reference are those that an article needs which uses the figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import (
    WORDS,
    Heading,
    ReleaseWords,
    headings_of,
    release_title,
    released_names,
)
from dpdesk.release.bundle.value_sentences import protected_together
from dpdesk.release.record.values import ReleaseRecord, SignedRelease
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.model.steps.step import BesideRow, OfRows
from dpdesk.study.model.tables import MAIN
from dpdesk.study.text.counted_rows import counted_in_release, exact_figure
from dpdesk.study.text.titles import joined
from dpdesk.study.text.unit_names import UnitNames

_REFERENCE: Final[Template] = (
    "{author} ({day}). {title}. Statistics with differential privacy, release {release}, signed "
    "with the key {fingerprint}."
)
SHORT_ID: Final = 8
"""Signs of a release's id that tell it from others; the whole is among its origins."""
_OTHER_RELEASE: Final[Template] = (
    "This is release {release}; quote its number. Another release of the same data, such as one in "
    "another language, can have noise of its own and so other figures."
)
_NOTION: Final[Template] = (
    "The statistics were computed with {notion} ({source}); the privacy unit is {unit}, and "
    "neighbouring data sets differ in {neighbours}."
)
_SECRET: Final[dict[str, Template]] = {
    "add-remove": "whether {who} is in the data at all",
    "change-one": "what is recorded about {who}",
}
"""What neighbouring data sets differ in."""

_ALL_ROWS: Final[Template] = "all rows in {table}"
_ONE_ROW: Final[Template] = "one row in {table}"
_CHOSEN: Final[Template] = "Where one unit has more rows, chance decided which of them count."
"""Where a release counts people alone; of rows it is said with what it means."""
_NOISE: Final[Template] = (
    "Noise was drawn on whole numbers by dpdesk {dpdesk} with OpenDP {opendp}: {mechanisms}."
)
_DECLARED: Final[Template] = (
    "Bounds, lists of categories, and rules for values that are missing, invalid or out of bounds "
    "were declared before this release. None was taken from the data, except through an earlier "
    "differentially private release that was charged to its budget."
)
_FOUND: Final[dict[str, Template]] = {
    "categories": "Categories that are reported as found were selected from the data by their "
    "noisy number of people, which had to reach a threshold.",
    "bounds": "Bounds that are reported as a figure were estimated from noisy counts.",
}
_MARGINS: Final[Template] = (
    "Each margin by itself holds in at least 95 of 100 releases. It covers the noise alone, not "
    "sampling error. {exact}"
)
_NEIGHBOURS: Final[dict[str, Template]] = {
    "add-remove": "whether that unit is present",
    "change-one": "what is recorded for that unit, their number being public",
}
_TOTAL: Final[dict[str, Template]] = {
    "epsilon": "All figures of the release together cost ε = {epsilon}.",
    "rho": "All figures of the release together cost ρ = {rho}, which means ε = {epsilon} at "
    "δ = {delta}.",
}
_ACCOUNT: Final[Template] = (
    "The account of these data had spent {measure} = {spent} of {whole} after the release."
)
_MECHANISMS: Final[dict[str, Template]] = {
    "laplace": "the discrete Laplace mechanism",
    "gaussian": "the discrete Gaussian mechanism",
    "noisy-max": "report noisy max",
    "randomised-response": "randomised response",
}

_NOTION_FROM: Final[dict[str, Template]] = {
    "epsilon": "Dwork and Roth 2014",
    "rho": "Bun and Steinke 2016",
}
_MECHANISM_FROM: Final[dict[str, Template]] = {
    "laplace": "Ghosh, Roughgarden and Sundararajan 2009",
    "gaussian": "Canonne, Kamath and Steinke 2020",
    "noisy-max": "McKenna and Sheldon 2020",
    "noisy-max-rho": "Durfee and Rogers 2019",
    "randomised-response": "Warner 1965",
}
"""As in a dossier's proofs: which noise report noisy max adds depends on the measure."""


@dataclass(frozen=True)
class ReleaseText:
    """What is said of a release in one language, each sentence made once for all files.

    Attributes:
        release: with its signer.
    """

    release: SignedRelease
    words: ReleaseWords = WORDS

    @cached_property
    def in_english(self) -> ReleaseText:
        """The same in the language of the public registry."""
        return self if self.words == WORDS else ReleaseText(self.release)

    @cached_property
    def title(self) -> str:
        return release_title(self.release.record, self.words)

    @cached_property
    def names(self) -> UnitNames:
        """What its study calls its rows and people."""
        return released_names(self.release.record, self.words)

    @cached_property
    def headings(self) -> dict[str, Heading]:
        return headings_of(self.release.record, self.words)

    @cached_property
    def counted(self) -> str:
        """How many rows of each person count, where the release counts rows; else empty."""
        return str(counted_in_release(self.release.record.study.study, self.words.language))

    @cached_property
    def exact(self) -> str:
        return exact_figure(self.release.record.study.study, self.words.language)

    @cached_property
    def other_release(self) -> str:
        """That its figures are this release's, and not those of the same study in another one."""
        return self.words.say(_OTHER_RELEASE, release=self.release.record.id[:SHORT_ID])

    @cached_property
    def unit(self) -> str:
        """What is protected: "one patient with up to 3 admissions"."""
        return unit(self.release.record, self.words)

    @cached_property
    def secret(self) -> str:
        """What is protected of whom: "whether one patient with up to 3 admissions is in ..."."""
        return self.words.say(_SECRET[self.release.record.claim.neighbours], who=self.unit)

    @cached_property
    def notion(self) -> str:
        if isinstance(self.release.record.claim.total, Epsilon):
            return self.words.say("pure differential privacy")
        return self.words.say("zero-concentrated differential privacy (zCDP)")

    @cached_property
    def cost(self) -> str:
        claim = self.release.record.claim
        amounts = {"rho": claim.total, "epsilon": claim.epsilon, "delta": claim.delta.whole}
        shown = {name: self.words.number(amount) for name, amount in amounts.items()}
        return self.words.say(_TOTAL[claim.total.measure], **shown)

    @cached_property
    def mechanisms(self) -> str:
        """Every mechanism that was used, once."""
        return self._listed([self.words.say(_MECHANISMS[name]) for name in self._used])

    @property
    def _used(self) -> list[str]:
        draws = (draw for query in self.release.record.queries for draw in query.draws)
        return sorted({draw.noise.mechanism for draw in draws})

    @property
    def _cited_mechanisms(self) -> str:
        say, in_rho = self.words.say, self.release.record.claim.total.measure == "rho"
        sources = (f"{n}-rho" if in_rho and n == "noisy-max" else n for n in self._used)
        pairs = zip(self._used, sources, strict=True)
        return self._listed(
            [f"{say(_MECHANISMS[n])} ({say(_MECHANISM_FROM[s])})" for n, s in pairs]
        )

    def _listed(self, texts: list[str]) -> str:
        *most, last = texts or [""]
        return (
            self.words.say("{most} and {last}", most=", ".join(most), last=last) if most else last
        )

    @cached_property
    def reference(self) -> str:
        record, signer = self.release.record, self.release.signer
        return self.words.say(
            _REFERENCE,
            author=record.study.text("organisation") or signer.identity,
            day=self.words.day(record.time),
            title=self.title,
            release=record.id,
            fingerprint=signer.fingerprint,
        )

    @cached_property
    def methods(self) -> str:
        """What a methods section says of the figures; all of it is in the manifest, too."""
        return " ".join(self._methods())

    def _methods(self) -> Iterator[str]:
        record, claim, say = self.release.record, self.release.record.claim, self.words.say
        yield say(
            _NOTION,
            notion=self.notion,
            source=say(_NOTION_FROM[claim.total.measure]),
            unit=self.unit,
            neighbours=say(_NEIGHBOURS[claim.neighbours]),
        )
        if claim.unit != "row":
            yield self.counted or say(_CHOSEN)
        yield from protected_together(record.study.study, self.words)
        yield self.cost
        spent, whole = record.account.spent_after, record.account.total
        yield say(
            _ACCOUNT,
            measure={"epsilon": "ε", "rho": "ρ"}[whole.measure],
            spent=self.words.number(spent),
            whole=self.words.number(whole),
        )
        software = record.software
        yield say(
            _NOISE,
            mechanisms=self._cited_mechanisms,
            opendp=software.opendp,
            dpdesk=software.dpdesk,
        )
        yield say(_DECLARED)
        found = {DECLARATIONS[query.statistic].finds for query in record.queries}
        yield from (say(_FOUND[finds]) for finds in _FOUND if finds in found)
        yield say(_MARGINS, exact=self.exact)


def unit(record: ReleaseRecord, words: ReleaseWords) -> str:
    """What a claim protects: "one patient with up to 3 admissions and all rows in labs".

    The row limit is about rows of the main table. Of further tables, and in values of a person,
    other rows count, and they are protected with the person as well.
    """
    claim, names = record.claim, released_names(record, words)
    if claim.unit == "row":
        return words.say("one {person}", person=names.row)
    rows = joined(tuple(_counting_rows(record, names, words)), words.language)
    return words.say("one {person} with {rows}", person=names.person, rows=rows)


def _counting_rows(record: ReleaseRecord, names: UnitNames, words: ReleaseWords) -> Iterator[str]:
    study, most = record.study.study, record.claim.max_rows
    rows = names.row if most == 1 else names.rows
    yield words.say("up to {most} {rows}", most=words.number(most), rows=rows)
    if study is None:
        return
    used = (column for column in study.columns if column.name in study.used_names)
    if any(_is_of_main(study, column) for column in used):
        yield words.say(
            "all {rows} in values of one {person}", rows=names.rows, person=names.person
        )
    for table in study.tables:
        template = _ONE_ROW if table.is_of_people else _ALL_ROWS
        yield words.say(template, table=table.name)


def _is_of_main(study: Study, column: Column) -> bool:
    """Whether a column is made of all rows that a person has in the main table."""
    step = column.made_from
    if isinstance(step, BesideRow):
        return study.homes[column.name] == MAIN
    return isinstance(step, OfRows) and step.table == MAIN
