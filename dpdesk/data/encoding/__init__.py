# SPDX-License-Identifier: Apache-2.0
"""Cells become codes, by the column's declaration alone.

Begin with ``cell_parser.py``, which reads one cell; the rules for what cannot be read are in
``missing_and_invalid.py``, and ``table.py`` is what comes out.
"""
