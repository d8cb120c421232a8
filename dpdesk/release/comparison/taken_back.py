# SPDX-License-Identifier: Apache-2.0
"""Whether a release that is compared was withdrawn or corrected.

Of the own releases the ledger knows (``release/notices/own_decision.py``). Of other people's it
knows nothing: their notices come as files, and are held against their bundles as ``verify`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dpdesk.release.comparison.sides import ComparedSide, SideName
from dpdesk.release.notices.notice_file import Notice
from dpdesk.release.notices.own_decision import TakenBack, taken_back, together
from dpdesk.release.notices.standing import hold_against
from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import Signers
from dpdesk.study.problem import Problem


@dataclass(frozen=True)
class NoticeHeld:
    """A notice held against the two releases.

    Attributes:
        notice: the notice, whose signature holds.
        about: of which release it counts; ``None`` where it counts of neither.
        problems: why it counts of neither, each reason once.
        drawn_in: as in ``notices.standing``.
    """

    notice: Notice
    about: SideName | None
    problems: tuple[Problem, ...] = ()
    drawn_in: int = 0


def hold_notice(
    notice: Notice, sides: Mapping[SideName, ComparedSide], signers: Signers
) -> NoticeHeld:
    """Which of the bundles a notice takes back; an entry of the own ledger needs none."""
    why: dict[str, Problem] = {}
    held: list[NoticeHeld] = []
    for name, side in sides.items():
        if side.bundle is None:
            continue
        found = hold_against(notice, side.bundle, signers)
        if found.problem is None:
            held.append(NoticeHeld(notice, name, drawn_in=found.drawn_in))
        else:
            why.setdefault(found.problem.code, found.problem)
    if held:  # of two the one that it names, not the one with figures of it
        return min(held, key=lambda one: one.drawn_in)
    if len(why) > 1:  # it is about one of them, and does not count
        why.pop("notice-other-release", None)
    return NoticeHeld(notice, None, tuple(why.values()))


def own_taken(home: Home, sides: Mapping[SideName, ComparedSide]) -> dict[SideName, TakenBack]:
    found = {name: taken_back(home, side.record) for name, side in sides.items()}
    return {name: one for name, one in found.items() if one is not None}


def _together(found: list[TakenBack]) -> TakenBack:
    """What the last notice says, together with those of other tables of the same release."""
    return together([one for one in found if one.drawn_in == found[-1].drawn_in]) or found[-1]


def taken_of(
    own: Mapping[SideName, TakenBack], notices: Iterable[NoticeHeld]
) -> dict[SideName, TakenBack]:
    """Which of both is taken back: what the own ledger knows, else the last notice that counts."""
    each: dict[SideName, list[TakenBack]] = {}
    for held in notices:
        if held.about is not None:
            notice, source = held.notice, held.drawn_in
            one = TakenBack(notice.kind, notice.reason, drawn_in=source, tables=notice.tables)
            each.setdefault(held.about, []).append(one)
    said = {side: _together(found) for side, found in each.items()}
    taken = {**said, **own}
    sides: tuple[SideName, ...] = ("earlier", "later")
    return {side: taken[side] for side in sides if side in taken}
