# SPDX-License-Identifier: Apache-2.0
"""Columns: what values can occur.

Begin with ``page.py``; ``column_form.py`` has the fields of one column.
"""
