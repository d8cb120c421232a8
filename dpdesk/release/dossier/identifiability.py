# SPDX-License-Identifier: Apache-2.0
"""Singling out, linkability and inference, each with a number, and two attacks on made-up patients.

The three are the risks of the Article 29 Working Party's opinion 05/2014 (WP216); the numbers are
those of ``privacy.planning.best_guess``, with its proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.planning.best_guess import Game, best_guess_in_100
from dpdesk.privacy.planning.made_up_attacks import (
    MOST_DRAWS,
    SEED,
    TRIALS,
    AttackedDraw,
    averaging,
    motivated_intruder,
)
from dpdesk.release.bundle.report.report_blocks import Block, Paragraph, Section
from dpdesk.release.dossier.blocks import grid, in_100, number
from dpdesk.release.dossier.subject import Subject
from dpdesk.release.record.values import ReleasedDraw, ReleaseRecord

PRIORS = (100, 10, 2)


@dataclass(frozen=True)
class Risk:
    """One of the three tests at one beginning.

    Attributes:
        test: ``singling-out``, ``linkability`` or ``inference``.
        one_in: how many answers are equally likely without the person's data.
        release: the best guess is right at most so often of 100 times after the release.
        life: the same after everything that the account may ever release.
    """

    test: str
    one_in: int
    release: int
    life: int


_ORDER = ("singling-out", "linkability", "inference")
_TITLES: Final[dict[str, Template]] = {
    "singling-out": "Singling out",
    "linkability": "Linkability",
    "inference": "Inference",
}
_GAMES: Final[dict[str, Template]] = {
    "singling-out": "The release contains nobody's record. The attacker names a combination of "
    "properties and says that exactly one {person} has it; by chance alone that is right 1 in N "
    "times.",
    "linkability": "The attacker has another file with N people of whom one is in these data, and "
    "says which. With N = 2 where it is secret who is in the data: one person, there or not.",
    "inference": "The attacker knows that a {person} is in the data and says which of N equally "
    "likely values is recorded for them.",
}


def risks(record: ReleaseRecord) -> tuple[Risk, ...]:
    """Every test at every beginning."""
    return tuple(_risk(record, test, one_in) for test in _ORDER for one_in in PRIORS)


def _risk(record: ReleaseRecord, test: str, one_in: int) -> Risk:
    game, prior = _game(record, test, one_in), Fraction(1, one_in)
    amounts = (
        (record.claim.total, record.claim.delta),
        (record.account.total, record.account.delta),
    )
    release, life = (best_guess_in_100(*amount, prior, game) for amount in amounts)
    return Risk(test, one_in, release, life)


def _game(record: ReleaseRecord, test: str, one_in: int) -> Game:
    """Where two answers are neighbouring data sets, a sharper bound holds."""
    if record.claim.neighbours == "change-one":
        return "value" if test != "singling-out" else "statement"
    return "presence" if test == "linkability" and one_in == 2 else "statement"


def risk_sections(subject: Subject) -> Iterator[Section]:
    """What the numbers mean, then a section for each test."""
    words, found = subject.words, risks(subject.record)
    yield Section(words.say("Identifiability (ISO/IEC 27559, clause 8)"), (_meaning(subject),))
    for test in _ORDER:
        about = words.say(_GAMES[test], person=subject.one)
        table = _risk_table(subject, [risk for risk in found if risk.test == test])
        yield Section(words.say(_TITLES[test]), (Paragraph(about), *table))


def _meaning(subject: Subject) -> Paragraph:
    return Paragraph(
        subject.words.say(
            "The three tests are those of the Article 29 Working Party's opinion 05/2014; GDPR, "
            "Recital 26, asks for all means reasonably likely to be used. The attacker here "
            "knows everything about all other people, has any amount of time and combines all "
            "figures. Each number is a proven upper bound on how often the best guess is right; "
            "it is not a verdict that the figures are anonymous."
        )
    )


def _risk_table(subject: Subject, found: list[Risk]) -> tuple[Block, ...]:
    words = subject.words
    say = words.say
    heads = (
        say("By chance alone"),
        say("After this release, at most"),
        say("After the whole budget, at most"),
    )
    rows = (
        (say("1 in {n}", n=r.one_in), in_100(r.release, words), in_100(r.life, words))
        for r in found
    )
    return grid(heads, rows, words, (0, 1, 2))


@dataclass(frozen=True)
class Attack:
    """An attack that was run on made-up patients.

    Attributes:
        name: ``motivated-intruder`` or ``averaging``.
        repeats: how often one draw was repeated with fresh noise; 0 for all draws once.
        right: in how many of the trials the guess was right.
        most: the bound, in 100; for repeats what their price together allows.
        is_affordable: whether the account could ever pay this many repeats.
    """

    name: str
    repeats: int
    right: int
    most: int
    is_affordable: bool


def attacks(record: ReleaseRecord) -> tuple[Attack, ...]:
    """Both attacks, the same counts for the same release."""
    draws = [draw for query in record.queries for draw in query.draws]
    attacked = tuple(map(_attacked, draws))
    claim, account = record.claim, record.account
    most = account_right_in_100(claim.total, claim.delta)
    found = [Attack("motivated-intruder", 0, _intruder(attacked), most, True)]
    if not draws:
        return tuple(found)  # of public figures alone nobody learns anything
    share = type(draws[0].share)
    for times, right in _averaging(attacked[0]):
        cost = share(times * draws[0].share.units)
        bound = account_right_in_100(cost, claim.delta)
        found.append(Attack("averaging", times, right, bound, cost.units <= account.total.units))
    return tuple(found)


@lru_cache(maxsize=8)
def _intruder(draws: tuple[AttackedDraw, ...]) -> int:
    return motivated_intruder(draws)


@lru_cache(maxsize=8)
def _averaging(draw: AttackedDraw) -> tuple[tuple[int, int], ...]:
    return averaging(draw)


def _attacked(draw: ReleasedDraw) -> AttackedDraw:
    return AttackedDraw(draw.noise, draw.sensitivity, draw.loss)


def attack_section(subject: Subject) -> Section:
    words, found = subject.words, attacks(subject.record)
    say = words.say
    how = say(
        "Made-up patients, not the data: {trials} trials each, every number drawn from the text "
        "“{seed}”, so that everyone gets the same counts. The attacker knows all patients but one, "
        "who is there in every second trial and weighs as much as the declared bounds allow. "
        "Chance alone moves a count by up to {chance} or so.",
        trials=number(TRIALS, words),
        seed=SEED,
        chance=round(2 * (TRIALS * 0.25) ** 0.5),
    )
    again = say(
        "Averaging: the first draw is repeated with fresh noise. Each repeat costs its share "
        "again, and the ledger refuses what exceeds the remaining budget; a stored figure shown "
        "again says nothing new."
    )
    heads = (say("Attack"), say("Right"), say("Bound"), say("Within the budget"))
    rows = (_attack_row(subject, attack) for attack in found)
    title = say("Adversarial tests on made-up data (ISO/IEC 27559, 8.2.3)")
    more = _weaker_draws(subject)
    texts = (how, *more, again)
    return Section(title, (*map(Paragraph, texts), *grid(heads, rows, words, (1, 2))))


def _weaker_draws(subject: Subject) -> tuple[str, ...]:
    """Where not all draws are attacked, it is said."""
    words = subject.words
    count = sum(len(query.draws) for query in subject.record.queries)
    if count <= MOST_DRAWS:
        return ()
    text = "The {most} most revealing of {count} draws are attacked."
    return (words.say(text, count=number(count, words), most=MOST_DRAWS),)


def _attack_row(subject: Subject, attack: Attack) -> tuple[str, ...]:
    words = subject.words
    name = words.say("Motivated intruder, all figures of the release")
    if attack.repeats:
        one, many = "Averaging, {n} draw", "Averaging, {n} draws"
        name = words.say_count(attack.repeats, one, many, n=attack.repeats)
    right = words.say("{n} in {trials}", n=attack.right, trials=number(TRIALS, words))
    paid = words.say("yes") if attack.is_affordable else words.say("no, refused")
    return (name, right, in_100(attack.most, words), paid)
