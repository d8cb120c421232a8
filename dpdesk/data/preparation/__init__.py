# SPDX-License-Identifier: Apache-2.0
"""Columns made from others, row by row, as codes.

Begin with ``derived.py``; what each step does is in ``row_steps.py``. A row's result depends on
that row's codes and on declarations alone.
"""
