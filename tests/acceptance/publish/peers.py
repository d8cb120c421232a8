# SPDX-License-Identifier: Apache-2.0
"""Figures released without noise, beside statsmodels and lifelines.

Both are in an environment of their own (``packaging/peers.py``), made here at the first call; they
read the same files and are given the same people, and nothing of ours. Survival is theirs of each
day, to which a life table in wide bins is near to within a declared distance. Where they cannot be
had the comparison was not made, which is no success.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from tests.acceptance.publish import comparisons, entry, incidence, models, survival, synthea
from tests.acceptance.publish.survival import BIN, People, Time
from tests.bench.size.cases import python_of
from tests.source_files import ROOT

GROUP: Final = "peers-statistics"
PREPARE: Final = [str(ROOT / "packaging" / "peers.py"), GROUP]

Request = dict[str, Any]


def answered(asked: dict[str, Request]) -> dict[str, Any] | None:
    """What the peers find; nothing where they cannot be asked."""
    subprocess.run([sys.executable, *PREPARE], check=False)
    script = Path(__file__).with_name("peer_figures.py")
    done = subprocess.run(
        [python_of(GROUP), str(script)], input=json.dumps(asked), stdout=subprocess.PIPE, text=True
    )
    return None if done.returncode else dict(json.loads(done.stdout))


def _people(found: People, time: Time) -> Request:
    return {
        "days": found.days.tolist(),
        "died": found.died.tolist(),
        "groups": found.groups.tolist(),
        "entered": None,
        "ends": time.ends,
        "mean_up_to": time.times[-1],
    }


def _late() -> Request:
    entered, days, had = entry.everybody()
    kept = entered < days
    bins, nobody = (days[kept] - 1) // BIN, np.zeros(kept.sum(), int)
    people = _people(People(days[kept], bins, had[kept] > 0, nobody), survival.TIME)
    return {**people, "entered": entered[kept].tolist(), "kinds": had[kept].tolist()}


def requests(shared: Path) -> dict[str, Request]:
    """What is asked, by the lines that say how it compares."""
    lung = _people(survival.lung(), survival.TIME)
    kinds = incidence.outcomes(survival.lung()).tolist()
    asked = {
        "survival": {"what": "survival", **lung},
        "entry": {"what": "survival", **_late()},
        "causes": {"what": "late-incidence", **_late()},
        "incidence": {"what": "incidence", **lung, "kinds": kinds},
    }
    if (patients := shared / synthea.FILE).is_file():
        people, _years = synthea.read(patients)
        asked["lives"] = {"what": "survival", **_people(people, synthea.TIME)}
    if (stays := shared / models.FILE).is_file():
        groups = {"groups": models.GROUPS, "references": models.REFERENCES, "models": models.MODELS}
        asked["models"] = {"what": "models", "path": str(stays), **groups}
        asked["comparisons"] = {"what": "compared", "path": str(stays)}
    return asked


def lines(shared: Path) -> Iterator[tuple[str, bool]]:
    """One line a figure or table; see ``publish``."""
    found = answered(requests(shared))
    if found is None:
        yield "peers         statsmodels and lifelines could not be fetched: NOT COMPARED", False
        return
    yield from _of_people(found, shared)
    if "models" not in found:
        yield f"peers         skipped: {models.FILE} is not on this machine", True
        return
    folder = (shared / models.FILE).parent
    theirs = {
        name: {(by, group): (value, off) for (by, group), value, off in effects}
        for name, effects in found["models"].items()
    }
    yield from models.beside(models.released(folder), theirs, "statsmodels")
    ours = comparisons.released(folder)
    for name, (value, ends, p) in found["comparisons"].items():
        same = comparisons.is_figure(ours[name], value, ends and tuple(ends), p)
        said = "as in statsmodels" if same else "DIFFERS from statsmodels"
        yield f"comparisons   {name}: {said}", same


def _of_people(found: dict[str, Any], shared: Path) -> Iterator[tuple[str, bool]]:
    daily, lung = survival.DAILY, _followed(found["survival"], survival.TIME)
    yield _line("survival", "lifelines", survival.differing(lung, daily))
    curves = (found["entry"]["curves"][0], *found["causes"])
    late = curves, found["entry"]["means"][0]
    yield _line("entry", "lifelines", entry.differing(late, daily))
    causes = incidence.differing(found["incidence"], daily.shares)
    yield _line("incidence", "statsmodels", causes)
    if "lives" not in found:
        yield f"lives         skipped: {synthea.FILE} is not on this machine", True
        return
    folder = (shared / synthea.FILE).parent
    lives = _followed(found["lives"], synthea.TIME)
    yield _line("lives", "lifelines", synthea.differing(folder, lives, synthea.YEARLY))


def _followed(found: dict[str, Any], time: Time) -> survival.Followed:
    """What a peer found; a median is the end of the bin that it is in."""
    medians = [
        np.inf if one is None else time.ends[np.searchsorted(time.ends, one)]
        for one in found["medians"]
    ]
    return survival.Followed(
        found["curves"], medians, found["means"], found["chi_squared"], found["p"]
    )


def _line(part: str, whose: str, differing: Iterator[str]) -> tuple[str, bool]:
    wrong = list(differing)
    said = f"DIFFERS from {whose} in {'; '.join(wrong)}" if wrong else f"as in {whose}"
    return f"{part:<13} without noise: {said}", not wrong
