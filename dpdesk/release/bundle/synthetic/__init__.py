# SPDX-License-Identifier: Apache-2.0
"""Rows that are made up, fitted to released tables of counts: nothing here sees the data.

Begin with ``rows.py``; ``first_rows.py`` is the fit on whole numbers, whose randomness is the
release's own number. Whatever is made here costs nothing (Dwork and Roth 2014, proposition 2.1).
"""
