# SPDX-License-Identifier: Apache-2.0
"""A small study with a Table 1, for tests of every room."""

from decimal import Decimal

from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.columns import CATEGORY, CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource, Unit

WARDS, SEXES, SMOKING = ("A", "B", "C", "D"), ("f", "m"), ("never", "former", "current")

TABLE = BaselineTable(
    "table-1",
    by=("ward",),
    characteristics=(
        Characteristic("sex"),
        Characteristic("smoking", missing=True),
        Characteristic("age", missing=True),
        Characteristic("age", "median"),
        Characteristic("age", edges=(Decimal(18), Decimal(65))),
    ),
    epsilon=Epsilon.of(1),
    expected=500,
)
STUDY = Study(
    title="Stays",
    data=DataSource("stays.csv", extract="made up"),
    unit=Unit("id"),
    budget=Budget("registry", epsilon=Epsilon.of(9)),
    columns=(
        CategoryColumn("ward", WARDS),
        CategoryColumn("sex", SEXES, missing=CATEGORY, unknown=CATEGORY, labels=("Women", "Men")),
        CategoryColumn("smoking", SMOKING, title="Smoking"),
        NumberColumn("age", Decimal(0), Decimal(110), Decimal(1), title="Age", label="years"),
    ),
)
BASELINE = with_baseline_queries(Study(**{**vars(STUDY), "baseline_tables": (TABLE,)}))
