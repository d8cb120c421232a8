# SPDX-License-Identifier: Apache-2.0
"""The three questions of the diabetes study, answered exactly by pandas; nothing is printed."""

import sys

import pandas as pd

columns = ["patient_nbr", "age", "gender", "readmitted", "time_in_hospital"]
table = pd.read_csv(sys.argv[1], usecols=columns).groupby("patient_nbr").head(3)
table.groupby("age")["patient_nbr"].nunique()
table.groupby("age")["time_in_hospital"].mean()
table[table["readmitted"] == "<30"].groupby("gender").size()
