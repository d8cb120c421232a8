# SPDX-License-Identifier: Apache-2.0
"""Files of SPSS, Stata and SAS: their values, never their labels.

Begin with ``statistics_file.py``.
"""
