# SPDX-License-Identifier: Apache-2.0
"""The tables of the acceptance studies as pandas makes them, in whole numbers where it rounds.

Nothing of dpdesk is used here: chapters are found by the number, completed years by month and day,
and what a person had before by sorting texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final, TypeAlias

import pandas as pd

Figures: TypeAlias = dict[tuple[str, ...], Decimal]
Table: TypeAlias = Callable[[pd.DataFrame], Figures]

CONDITION_NAMES: Final = (
    "Viral sinusitis (disorder)",
    "Acute viral pharyngitis (disorder)",
    "Acute bronchitis (disorder)",
    "Normal pregnancy",
    "Prediabetes",
    "Hypertension",
)
CHAPTERS: Final = (
    *("001-139", "140-239", "240-279", "280-289", "290-319", "320-389", "390-459", "460-519"),
    *("520-579", "580-629", "630-679", "680-709", "710-739", "740-759", "760-779", "780-799"),
    *("800-999", "E000-E999", "V01-V99"),
)


def counts(*groups: pd.Series[Any]) -> Figures:
    """Rows by group; rows without a value in one of them are in none."""
    beside = pd.concat(groups, axis=1).dropna()
    found = beside.groupby(list(beside.columns)).size()
    return {_group(key): Decimal(int(rows)) for key, rows in found.items()}


def total(values: pd.Series[Any], *groups: pd.Series[Any], per_one: int = 1) -> Figures:
    """The sum of whole numbers by group, in parts of one."""
    beside = pd.concat([values.rename("sum of"), *groups], axis=1).dropna()
    if not groups:
        return {(): Decimal(int(beside["sum of"].sum())) / per_one}
    found = beside.groupby([one.name for one in groups])["sum of"].sum()
    return {_group(key): Decimal(int(value)) / per_one for key, value in found.items()}


def in_bins(values: pd.Series[Any], ends: Iterable[int], per_one: int = 1) -> Figures:
    """Rows by bin, each named by its lowest and highest value.

    Args:
        values: whole numbers of parts of one.
        ends: the lowest value, where each further bin begins, and the highest value plus one part.
    """
    known, edges = values.dropna().astype("int64"), list(ends)
    places = pd.cut(known, edges, right=False, labels=_bin_names(edges, per_one))
    return {(str(name),): Decimal(int(rows)) for name, rows in places.value_counts().items()}


def _bin_names(edges: Sequence[int], per_one: int) -> list[str]:
    def said(value: int) -> str:
        return f"{(Decimal(value) / per_one).normalize():f}"

    pairs = pairwise(edges)
    return [said(a) if b == a + 1 else f"{said(a)} to {said(b - 1)}" for a, b in pairs]


def _group(key: Any) -> tuple[str, ...]:
    return tuple(map(str, key)) if isinstance(key, tuple) else (str(key),)


def yes_no(holds: pd.Series[Any]) -> pd.Series[Any]:
    return holds.map({True: "yes", False: "no"})


def _rounded(above: Any, below: Any) -> Any:
    """A quotient of whole numbers, neither below 0, rounded half up."""
    return (2 * above + below) // (2 * below)


# --- Synthea: patients --------------------------------------------------------------------------


def _days(texts: pd.Series[Any]) -> pd.Series[Any]:
    return pd.to_datetime(texts, format="%Y-%m-%d").where(texts != "")


def years_between(first: pd.Series[Any], last: Any) -> pd.Series[Any]:
    """Completed years: the day of the year is compared by month and day."""
    days = last.dt if isinstance(last, pd.Series) else last
    is_before = (days.month * 100 + days.day) < (first.dt.month * 100 + first.dt.day)
    return days.year - first.dt.year - is_before


def _age(p: pd.DataFrame) -> pd.Series[Any]:
    return years_between(_days(p.BIRTHDATE), pd.Timestamp("2020-02-29"))


def _age_bands(p: pd.DataFrame) -> Figures:
    names = ["0 to 17", "18 to 64", "65 or more"]
    bands = pd.cut(_age(p), [0, 18, 65, 121], right=False, labels=names)
    return counts(bands.astype(object), p.GENDER)


def _cents(texts: pd.Series[Any]) -> pd.Series[Any]:
    """Amounts on the grid of cents, half up, from their digits."""
    return texts.map(lambda text: int((Decimal(text) * 100 + Decimal("0.5")) // 1))


PATIENTS: Final[dict[str, Table]] = {
    "age-at-death": lambda p: in_bins(
        years_between(_days(p.BIRTHDATE), _days(p.DEATHDATE)), [*range(0, 101, 10), 121]
    ),
    "age": _age_bands,
    "age-sum": lambda p: total(_age(p).where(lambda years: years >= 0)),
    "born": lambda p: in_bins(_days(p.BIRTHDATE).dt.year, [*range(1900, 2011, 10), 2021]),
    "weekday": lambda p: counts(_days(p.BIRTHDATE).dt.day_of_week + 1),
    "own-part": lambda p: in_bins(
        _cents(p.HEALTHCARE_EXPENSES) - _cents(p.HEALTHCARE_COVERAGE),
        [-300_000_000, *range(0, 220_000_000, 2_000_000), 300_000_001],
        per_one=100,
    ),
    "until": lambda p: counts(p.DEATHDATE.where(p.DEATHDATE != "", p.BIRTHDATE).str[:4]),
}


# --- Synthea: conditions ------------------------------------------------------------------------


def _length(c: pd.DataFrame) -> pd.Series[Any]:
    return (_days(c.STOP) - _days(c.START)).dt.days


def _months(c: pd.DataFrame) -> pd.Series[Any]:
    first, last = _days(c.START).dt, _days(c.STOP).dt
    return (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)


def _in_order(c: pd.DataFrame) -> pd.DataFrame:
    """Each patient's rows by day; texts of days sort as days, the empty one first."""
    return c.sort_values(["PATIENT", "START", "STOP"])


def _since(c: pd.DataFrame) -> pd.Series[Any]:
    """Days from the end of the patient's condition before to this one's beginning."""
    rows = _in_order(c)
    return (_days(rows.START) - _days(rows.groupby("PATIENT").STOP.shift())).dt.days


def _place(c: pd.DataFrame) -> pd.Series[Any]:
    return _in_order(c).groupby("PATIENT").cumcount() + 1


def _had_sinusitis(c: pd.DataFrame) -> Figures:
    first = c[CONDITION_NAMES[0] == c.DESCRIPTION].groupby("PATIENT").START.min()
    return counts(yes_no(c.PATIENT.map(first).fillna("9999") < c.START))


def _ever_back(c: pd.DataFrame) -> Figures:
    is_back = _since(c).between(0, 30)
    return counts(yes_no(is_back.groupby(c.PATIENT).any()))


def _at_an_end(c: pd.DataFrame, is_last: bool) -> Figures:
    """Of the first or last day with a listed condition, the first in the list."""
    listed = c[c.DESCRIPTION.isin(CONDITION_NAMES)]
    ends = listed.groupby("PATIENT").START.transform("max" if is_last else "min")
    of_day = listed[ends == listed.START]
    ranks = of_day.DESCRIPTION.map(CONDITION_NAMES.index).groupby(of_day.PATIENT).min()
    return counts(ranks.map(lambda rank: CONDITION_NAMES[rank]))


CONDITIONS: Final[dict[str, Table]] = {
    "length": lambda c: total(_length(c)),
    "weeks": lambda c: in_bins(
        _rounded(10 * _length(c), 7 + 0 * _length(c)), [*range(60), 30_001], per_one=10
    ),
    "months": lambda c: in_bins(_months(c), [0, 1, 2, 3, 6, 12, 60, 701]),
    "since": lambda c: total(_since(c)),
    "back": lambda c: counts(yes_no(_since(c).dropna().between(0, 30))),
    "place": lambda c: in_bins(_place(c), [*range(1, 16), 26]),
    "first-only": lambda c: counts(c.groupby("PATIENT").START.min().str[:4]),
    "had-sinusitis": _had_sinusitis,
    "ever-back": _ever_back,
    "first": lambda c: _at_an_end(c, is_last=False),
    "last": lambda c: _at_an_end(c, is_last=True),
    "seen": lambda c: total(
        _days(c.START).groupby(c.PATIENT).agg(lambda days: (days.max() - days.min()).days)
    ),
    "conditions": lambda c: in_bins(c.groupby("PATIENT").size(), [*range(26), 31]),
}


# --- Synthea: immunisations ---------------------------------------------------------------------


def _gap(i: pd.DataFrame) -> pd.Series[Any]:
    """Days since the patient's immunisation before."""
    days = _days(i.DATE.str[:10])
    return days.sort_values().groupby(i.PATIENT).diff().dt.days


IMMUNIZATIONS: Final[dict[str, Table]] = {
    "hour": lambda i: in_bins(i.DATE.str[11:13].astype(int), range(25)),
    "gap": lambda i: total(_gap(i)),
    "flu": lambda i: total((i.CODE == "140").groupby(i.PATIENT).sum()),
}


# --- NHANES: body measures ----------------------------------------------------------------------


def _bmi(b: pd.DataFrame) -> pd.Series[Any]:
    """Tenths, from tenths of kilograms and of centimetres."""
    weight, height = ((b[name] * 10).round().astype("Int64") for name in ("BMXWT", "BMXHT"))
    return _rounded(1_000_000 * weight, height * height)


BODY: Final[dict[str, Table]] = {
    "bmi": lambda b: in_bins(_bmi(b), [0, *range(120, 660, 5), 1001], 10),
}


# --- Diabetes: encounters -----------------------------------------------------------------------


def _chapter(code: str) -> str | None:
    if code == "?":
        return None
    if code[0] in "EV":
        return "E000-E999" if code[0] == "E" else "V01-V99"
    number = int(float(code))
    for name in CHAPTERS[:-2]:
        first, last = map(int, name.split("-"))
        if first <= number <= last:
            return name
    return None


def _chapters(d: pd.DataFrame) -> pd.Series[Any]:
    return d.diag_1.map(_chapter).rename("chapter")


def _mostly(d: pd.DataFrame) -> Figures:
    """The chapter of most encounters; of equally frequent ones the first in the list."""
    ranks = _chapters(d).dropna().map(CHAPTERS.index)
    sizes = ranks.groupby([d.patient_nbr, ranks.rename("rank")]).size().reset_index(name="rows")
    best = sizes.sort_values(["rows", "rank"], ascending=[False, True])
    firsts = best.groupby("patient_nbr")["rank"].first()
    return counts(firsts.map(lambda rank: CHAPTERS[rank]))


def _stay(d: pd.DataFrame) -> pd.Series[Any]:
    return d.time_in_hospital.astype(int)


def _a_day(d: pd.DataFrame) -> pd.Series[Any]:
    return _rounded(100 * d.num_medications.astype(int), _stay(d))


def _medicines(d: pd.DataFrame) -> Figures:
    names = ["1 to 9", "10 to 19", "20 to 39", "40 or more"]
    bands = pd.cut(d.num_medications.astype(int), [1, 10, 20, 40, 82], right=False, labels=names)
    return counts(bands.astype(object))


def _urgent(d: pd.DataFrame) -> pd.Series[Any]:
    return d.admission_type_id.isin(["1", "2"]).rename("urgent")


def _ages(d: pd.DataFrame) -> Figures:
    began = d.age.str.extract(r"(\d+)")[0].astype(int)
    names = ["under 40", "40 to 69", "70 or over"]
    merged = pd.cut(began, [0, 40, 70, 100], right=False, labels=names).astype(object)
    return counts(merged, yes_no(_urgent(d)))


def _ever(d: pd.DataFrame) -> pd.Series[Any]:
    return yes_no((d.readmitted == "<30").groupby(d.patient_nbr).any()).rename("ever")


def _of_patients(d: pd.DataFrame) -> Any:
    return _stay(d).groupby(d.patient_nbr)


def _mean_stay(d: pd.DataFrame) -> Figures:
    stays = _of_patients(d)
    return in_bins(_rounded(10 * stays.sum(), stays.size()), [10, *range(15, 100, 5), 141], 10)


DIABETES: Final[dict[str, Table]] = {
    "chapter": lambda d: counts(_chapters(d)),
    "stay-by-chapter": lambda d: total(_stay(d), _chapters(d)),
    "medicines": _medicines,
    "age3": _ages,
    "a-day": lambda d: in_bins(_a_day(d), [0, 100, 200, 500, 1000, 2000, 8101], 100),
    "a-day-sum": lambda d: total(_a_day(d), per_one=100),
    "encounters": lambda d: in_bins(d.groupby("patient_nbr").size(), [*range(1, 11), 20, 41]),
    "ever-back": lambda d: counts(_ever(d)),
    "always-urgent": lambda d: counts(yes_no(_urgent(d).groupby(d.patient_nbr).all())),
    "days-in-all": lambda d: total(_of_patients(d).sum(), _ever(d)),
    "mean-stay": _mean_stay,
    "longest": lambda d: in_bins(_of_patients(d).max(), range(1, 16)),
    "mostly": _mostly,
}
