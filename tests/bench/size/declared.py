# SPDX-License-Identifier: Apache-2.0
"""What everybody knows of the made-up file before it is opened; peers need it as much as we do."""

WARDS = (
    *("Burns", "Chest", "ENT", "Eye", "Heart", "ICU"),
    *("Kidney", "Labour", "Spine", "Stroke", "Surgery", "Trauma"),
)
SEXES = ("F", "M")
REGIONS = ("Coast", "East", "Hills", "North", "South", "West")
ACUTE = ("Burns", "ICU", "Stroke", "Trauma")
ASKED = ("ward", "sex", "age", "stay_days", "cost", "readmitted")
"""The columns that the seven questions need."""

PREPARED = ("admitted", "ward", "age", "stay_days", "cost")
"""The columns of admissions that the preparation needs."""
LONG_STAY, OLD = 8, 65

OLDEST, LONGEST, DEAREST = 105, 365, 50_000
ROWS_OF_A_PATIENT = 3
EPSILON = 0.1
"""Of each question."""
