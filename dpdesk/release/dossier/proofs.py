# SPDX-License-Identifier: Apache-2.0
"""Of each query its sensitivity, its mechanism and why its loss is what is stated, with sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.metadata.datapackage import draws_in_words
from dpdesk.release.bundle.report.report_blocks import Paragraph, Section, Terms
from dpdesk.release.dossier.blocks import number
from dpdesk.release.dossier.subject import Subject
from dpdesk.release.record.values import ReleasedDraw, ReleasedQuery
from dpdesk.study.model.amount import Rho

_ROWS: Final[Template] = (
    "Each of the at most {k} rows of one unit adds one to one group, so the counts move by at "
    "most that many in all; under a public number of units the rows leave some groups and enter "
    "others."
)
_PEOPLE: Final[Template] = (
    "One unit counts once in a group, and with at most {k} rows in at most {k} groups."
)
_ONE_CELL: Final[Template] = (
    "One unit counts once, in one group, however many rows it has; under a public number of "
    "units it leaves one group and enters another."
)
_VALUES: Final[Template] = (
    "Each of the at most {k} rows of one unit adds a whole number between declared bounds to one "
    "group; the declared bounds alone, never the data, say by how much."
)
_SUMS: Final[Template] = (
    "Each of the at most {k} rows of one unit adds whole numbers to the sums of one group, which "
    "are drawn together: the declared bounds alone, never the data, say how far all of them move "
    "at once (after Kulesza, Suresh and Wang 2023)."
)
_SCORES: Final[Template] = (
    "Each of the at most {k} rows of one unit moves the score of any candidate by at most a "
    "declared amount."
)
_ANSWERS: Final[Template] = (
    "Each of the at most {k} rows of one unit adds one to the count of any of the columns."
)
_NODES: Final[Template] = (
    "Each of the at most {k} rows of one unit adds one to one node in each level of a hierarchy of "
    "counts; under a public number of units the rows leave some nodes and enter others."
)
_WEIGHTED: Final[Template] = (
    "Each of the at most {k} rows of one unit adds the weights of its bin to the sums of the bins "
    "from there on; no bin has weights of a larger norm than the sensitivity says. Under a public "
    "number of units the rows leave some bins and enter others."
)
_MOMENTS: Final[Template] = (
    "Each of the at most {k} rows of one unit is spread over the corners of the box of declared "
    "bounds, in parts that add up to one, or adds products of numbers between -1 and 1; and a "
    "declared amount at most for each square. The declared bounds alone, never the data, say how "
    "far all entries move at once."
)
_BITS: Final[Template] = "Every row gives an answer of its own; one unit has at most {k} of them."
_CHANGES: Final[dict[str, Template]] = {
    "rows": _ROWS,
    "people": _PEOPLE,
    "sum": _VALUES,
    "joint-sums": _SUMS,
    "events-and-exposure": _SUMS,
    "bits": _BITS,
    "found": _PEOPLE,
    "quantile-scores": _SCORES,
    "rows-with-yes": _ANSWERS,
    "value-times-count": _SCORES,
    "closest-to-target": _SCORES,
    "tree": _NODES,
    "weighted-bins": _WEIGHTED,
    "magnitudes": _ROWS,
    "rows-per-person": _ONE_CELL,
    "second-moments": _MOMENTS,
}
_PROOFS: Final[dict[str, Template]] = {
    "laplace": "Discrete Laplace noise of scale b on whole numbers whose L1 sensitivity is s makes "
    "no output more than e^(s/b) times likelier in one of two neighbouring data sets (Ghosh, "
    "Roughgarden and Sundararajan 2009; Dwork and Roth 2014, 3.3).",
    "gaussian": "Discrete Gaussian noise of scale σ on whole numbers whose squared L2 sensitivity "
    "is s gives ρ = s / (2 σ²) of zCDP (Canonne, Kamath and Steinke 2020).",
    "noisy-max": "Report noisy max with exponential noise is the permute-and-flip mechanism "
    "(McKenna and Sheldon 2020; Ding and others 2021); its loss follows from how far scores move.",
    "noisy-max-rho": "Report noisy max with Gumbel noise is the exponential mechanism (McSherry "
    "and Talwar 2007; Durfee and Rogers 2019); its cost in zCDP follows from its bounded range "
    "(Cesar and Rogers 2021).",
    "randomised-response": "Each answer is true with a declared probability and flipped otherwise "
    "(Warner 1965; Dwork and Roth 2014, 3.2).",
}
_PURE_IN_RHO: Final[Template] = (
    "What is ε-differentially private is ε²/2 of zCDP (Bun and Steinke 2016, proposition 1.4)."
)
_THRESHOLD: Final[Template] = (
    "A text that one unit alone has is given out with probability at most δ (Korolova and others "
    "2009; Wilson and others 2020; Desfontaines and others 2022)."
)
_COMPOSITION: Final[dict[str, Template]] = {
    "epsilon": "Losses add up, also where later queries are chosen after seeing earlier figures "
    "(Dwork and Roth 2014, 3.5). Whatever is computed from noisy numbers costs nothing more.",
    "rho": "Losses add up, also where later queries are chosen after seeing earlier figures (Bun "
    "and Steinke 2016, lemma 2.3). Whatever is computed from noisy numbers costs nothing more.",
}
_CHECKED: Final[Template] = (
    "Each stated loss is what OpenDP's own privacy map says of mechanism, scale and sensitivity, "
    "rounded up. Verifying the bundle compiles the study again, recomputes sensitivities, "
    "scales, losses and totals, and compares them; for this dossier it was done."
)


def proof_sections(subject: Subject) -> Iterator[Section]:
    words, record = subject.words, subject.record
    general = (words.say(_COMPOSITION[record.measure]), words.say(_CHECKED))
    title = words.say("Statistics: sensitivity, mechanism, proof")
    yield Section(title, tuple(map(Paragraph, general)))
    for query in record.queries:
        yield Section(subject.headings[query.id].title, (Terms(_pairs(subject, query)),))


def _pairs(subject: Subject, query: ReleasedQuery) -> tuple[tuple[str, str], ...]:
    say, question = subject.words.say, subject.headings[query.id].question
    return (
        *([(say("Query"), question)] if question else []),
        (say("Sensitivity"), sensitivity(subject, query)),
        (say("Mechanism"), draws_in_words(query, subject.words)),
        (say("Proof"), proof(subject, query)),
    )


def sensitivity(subject: Subject, query: ReleasedQuery) -> str:
    """Why one unit can change the exact numbers no further than stated."""
    plan = subject.plans.get(query.id)
    kinds = dict.fromkeys(part.measure.kind for part in plan.parts) if plan is not None else ()
    most = number(subject.record.claim.max_rows, subject.words)
    return " ".join(dict.fromkeys(subject.words.say(_CHANGES[kind], k=most) for kind in kinds))


def proof(subject: Subject, query: ReleasedQuery) -> str:
    """Why its draws lose no more than stated."""
    templates = dict.fromkeys(t for draw in query.draws for t in _templates(draw))
    return " ".join(map(subject.words.say, templates))


def _templates(draw: ReleasedDraw) -> list[Template]:
    mechanism, is_rho = draw.noise.mechanism, isinstance(draw.share, Rho)
    if mechanism == "noisy-max":
        return [_PROOFS["noisy-max-rho" if is_rho else "noisy-max"]]
    more = [_PURE_IN_RHO] if is_rho and mechanism != "gaussian" else []
    found = [_THRESHOLD] if draw.noise.threshold is not None else []
    return [_PROOFS[mechanism], *more, *found]
