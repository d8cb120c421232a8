# SPDX-License-Identifier: Apache-2.0
"""Workbooks (.xlsx, .xls, .ods): checked before a reader opens one, then read as a table.

Begin with ``workbook_file.py``.
"""
