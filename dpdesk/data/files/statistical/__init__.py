# SPDX-License-Identifier: Apache-2.0
"""Files of SPSS, Stata and SAS: their values, and apart from these what they say of variables.

Begin with ``statistics_file.py``; ``described_variables.py`` reads labels and no values.
"""
