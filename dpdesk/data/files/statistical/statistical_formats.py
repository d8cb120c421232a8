# SPDX-License-Identifier: Apache-2.0
"""Which numbers of SPSS, Stata and SAS are days, moments or times: their format says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

TimeKind = Literal["day", "moment", "time"]

_DAY = 86_400


@dataclass(frozen=True)
class DateOrigin:
    """How a package counts days and moments.

    Attributes:
        day: pattern of the formats that show a day.
        moment: pattern of those that show a day and a time.
        time: pattern of those that show a time of day or a duration.
        day_unit: seconds in the unit that days are counted in.
        moment_unit: seconds in the unit that moments and times are counted in.
        origin: seconds from the package's own beginning to 1970-01-01.
    """

    day: re.Pattern[str]
    moment: re.Pattern[str]
    time: re.Pattern[str]
    day_unit: float
    moment_unit: float
    origin: int

    def kind(self, format: str) -> TimeKind | None:
        """What a variable's format makes of its numbers; ``None``: they stay numbers."""
        if self.moment.fullmatch(format):
            return "moment"
        if self.time.fullmatch(format):
            return "time"
        return "day" if self.day.fullmatch(format) else None


def _named(names: str) -> re.Pattern[str]:
    """One of these names, behind it a width."""
    return re.compile(rf"(?:{names})[0-9]*(?:\.[0-9]*)?", re.IGNORECASE)


SPSS = DateOrigin(
    # MONTH and WKDAY are plain numbers there.
    day=_named("[AEJS]?DATE|QYR|MOYR|WKYR"),
    moment=_named("DATETIME|YMDHMS"),
    time=_named("D?TIME|MTIME"),
    day_unit=1,
    moment_unit=1,
    origin=141_428 * _DAY,
)
STATA = DateOrigin(
    # Weeks, months, quarters and years (%tw, %tm, %tq, %th, %ty) stay counts of these.
    day=re.compile(r"%-?t?d.*"),
    moment=re.compile(r"%-?t[cC](?!\W*(?:HH|hh|Hh|hH)).*"),
    time=re.compile(r"%-?t[cC]\W*(?:HH|hh|Hh|hH).*"),
    day_unit=_DAY,
    moment_unit=1e-3,
    origin=3_653 * _DAY,
)
SAS = DateOrigin(
    day=_named(
        "DATE|DAY|DOWNAME|EUR[DF]{2}\\w*|JULDAY|JULIAN|MONNAME|MONTH|MONYY|NLDATE\\w*|QTRR?|"
        "WEEKDAT[EX]|WEEKDAY|WEEK[UVW]?|WORDDAT[EX]|YEAR|YYMON|YYWEEK[UVW]|"
        "(?:DDMMYY|MMDDYY|YYMMDD|MMYY|YYMM|YYQR?)[BCDNPS]?|[BE]8601DA|IS8601DA"
    ),
    moment=_named(
        "DATETIME|DATEAMPM|MDYAMPM|DT(?:DATE|MONYY|WKDATX|YEAR|YYQC)|NLDATM\\w*|"
        "[BE]8601D[NTXZ]|IS8601D[NTZ]|DTDATE"
    ),
    time=_named("TIME(?:AMPM)?|HHMM|HOUR|MMSS|TOD|NLTIM\\w*|[BE]8601T[MZX]|IS8601T[MZ]"),
    day_unit=_DAY,
    moment_unit=1,
    origin=3_653 * _DAY,
)
