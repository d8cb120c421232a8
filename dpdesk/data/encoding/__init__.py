# SPDX-License-Identifier: Apache-2.0
"""Cells become codes, by the column's declaration alone.

Begin with ``cell_rules.py``, the rule for one cell; ``table.py`` is what comes out.
"""
