# SPDX-License-Identifier: Apache-2.0
"""Delimited text: lines, then rows, then cells, each row by itself.

Begin with ``csv_file.py``.
"""
