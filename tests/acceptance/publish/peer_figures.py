# SPDX-License-Identifier: Apache-2.0
"""Published figures as statsmodels and lifelines work them out; run in an environment of its own.

What is asked comes as JSON on the standard input, what is found goes to the standard output. None
of our own modules is here, and nothing of this is in the environment that tests run in: see
``peers``.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import lifelines
import numpy as np
import pandas as pd
import statsmodels.api as sm
from lifelines.statistics import logrank_test
from lifelines.utils import restricted_mean_survival_time
from statsmodels.duration.survfunc import CumIncidenceRight
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW


def survival(people: dict[str, Any]) -> dict[str, Any]:
    """Curves of groups 0 and 1 at declared ends, what follows from them, and the log-rank test.

    Times are those of each day; ``entered`` is the one after which somebody is at risk.
    """
    days, died = np.array(people["days"], float), np.array(people["died"], bool)
    groups = np.array(people["groups"])
    entered = np.array(people["entered"], float) if people["entered"] else None
    found: dict[str, Any] = {"curves": [], "medians": [], "means": []}
    for group in sorted(set(people["groups"])):
        mine = groups == group
        entry = None if entered is None else entered[mine]
        curve = lifelines.KaplanMeierFitter().fit(days[mine], died[mine], entry=entry)
        found["curves"].append([float(curve.predict(end)) for end in people["ends"]])
        found["medians"].append(float(curve.median_survival_time_))
        found["means"].append(float(restricted_mean_survival_time(curve, people["mean_up_to"])))
    if len(found["curves"]) == 2:
        first = groups == 0
        test = logrank_test(days[first], days[~first], died[first], died[~first])
        found["chi_squared"], found["p"] = float(test.test_statistic), float(test.p_value)
    return found


def incidence(people: dict[str, Any]) -> list[list[list[float]]]:
    """Cumulative incidences by group and kind of event, at declared ends."""
    days, kinds = np.array(people["days"], float), np.array(people["kinds"])
    groups, found = np.array(people["groups"]), []
    for group in sorted(set(people["groups"])):
        mine = groups == group
        fitted = CumIncidenceRight(days[mine], kinds[mine])
        places = [np.searchsorted(fitted.times, end, side="right") for end in people["ends"]]
        padded = [np.concatenate([[0.0], one]) for one in fitted.cinc]
        found.append([[float(one[place]) for place in places] for one in padded])
    return found


def late_incidence(people: dict[str, Any]) -> list[list[float]]:
    """Cumulative incidences by kind of event of people who enter late, at declared ends.

    lifelines knows no two events of one time: within a day each has its own, first those of one
    kind, then of the other one, then the censored, which makes the same incidences at its end.
    """
    kinds = np.array(people["kinds"])
    order = np.lexsort((kinds, kinds == 0, people["days"]))
    places = np.empty(len(order))
    places[order] = np.arange(len(order)) / (2 * len(order))
    days, entered = np.array(people["days"]) - 0.9 + places, np.array(people["entered"])
    found = []
    for kind in range(1, kinds.max() + 1):
        fitter = lifelines.AalenJohansenFitter(calculate_variance=False)
        fitted = fitter.fit(days, kinds, kind, entry=entered).cumulative_density_.iloc[:, 0]
        found.append([float(fitted[fitted.index <= end].iloc[-1]) for end in people["ends"]])
    return found


def stays(path: str) -> pd.DataFrame:
    """The file of stays, with who came back within 30 days, and the days."""
    cells = pd.read_csv(path, dtype=str, keep_default_na=False)
    days = cells["time_in_hospital"].astype(int)
    return cells.assign(back=(cells["readmitted"] == "<30").astype(float), days=days)


def compared(asked: dict[str, Any]) -> dict[str, Any]:
    """Men compared with women: figure, ends, and p where there is one."""
    cells = stays(asked["path"])
    women, men = (cells[cells["gender"] == sex] for sex in ("Female", "Male"))
    having = [int(one["back"].sum()) for one in (men, women)]
    sizes = [len(men), len(women)]
    rest = [size - n for size, n in zip(sizes, having, strict=True)]
    table = Table2x2(np.array([having, rest]).T)
    tested = sm.stats.Table(table.table, shift_zeros=False).test_nominal_association()
    p = float(tested.pvalue)
    ends = confint_proportions_2indep(
        having[0], sizes[0], having[1], sizes[1], compare="diff", method="newcomb"
    )
    apart = having[0] / sizes[0] - having[1] / sizes[1]
    means = CompareMeans(DescrStatsW(men["days"]), DescrStatsW(women["days"]))
    return {
        "share difference": [apart, [*map(float, ends)], p],
        "share ratio": [float(table.riskratio), [*map(float, table.riskratio_confint())], p],
        "share odds-ratio": [float(table.oddsratio), [*map(float, table.oddsratio_confint())], p],
        "share chi-squared": [float(tested.statistic), None, p],
        "mean difference": [
            float(men["days"].mean() - women["days"].mean()),
            [*map(float, means.zconfint_diff(usevar="unequal"))],
            None,
        ],
    }


def models(asked: dict[str, Any]) -> dict[str, list[tuple[list[str], float, float]]]:
    """Each model's effects with their standard errors, of every row."""
    cells, found = stays(asked["path"]), {}
    for name, by in asked["models"].items():
        kept = cells[np.logical_and.reduce([cells[one].isin(asked["groups"][one]) for one in by])]
        named = [
            [column, group]
            for column in by
            for group in asked["groups"][column]
            if group != asked["references"][column]
        ]
        design = np.column_stack([(kept[column] == group) for column, group in named])
        design = sm.add_constant(design.astype(float))
        if name == "linear":
            fitted = sm.OLS(kept["days"].to_numpy(float), design).fit(cov_type="HC0")
        elif name == "poisson":
            family, offset = sm.families.Poisson(), np.log(kept["days"].to_numpy(float))
            fitted = sm.GLM(kept["back"].to_numpy(), design, family=family, offset=offset).fit()
        else:
            fitted = sm.Logit(kept["back"].to_numpy(), design).fit(disp=False)
        effects = zip(named, fitted.params[1:], fitted.bse[1:], strict=True)
        found[name] = [(one, float(value), float(off)) for one, value, off in effects]
    return found


ANSWERS = {
    "survival": survival,
    "incidence": incidence,
    "late-incidence": late_incidence,
    "compared": compared,
    "models": models,
}


def main() -> None:
    """Answer each request by its name; what is infinite is ``null``."""
    asked = json.load(sys.stdin)
    found = {name: ANSWERS[one["what"]](one) for name, one in asked.items()}
    json.dump(_finite(found), sys.stdout)


def _finite(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: _finite(one) for name, one in found.items()}
    if isinstance(found, list | tuple):
        return [_finite(one) for one in found]
    return None if isinstance(found, float) and not math.isfinite(found) else found


if __name__ == "__main__":
    main()
