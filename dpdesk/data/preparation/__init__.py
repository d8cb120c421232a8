# SPDX-License-Identifier: Apache-2.0
"""Columns made from others as codes: row by row, and of all rows of a person.

Begin with ``derived.py``; what each step does is in ``row_steps.py`` and ``person_steps.py``. A
row's result depends on that row's codes, or on those of its person's rows, and on declarations
alone.
"""
