# SPDX-License-Identifier: Apache-2.0
"""Columns made from others: what is said of one, and the dialog that makes one.

Begin with ``derived_note.py``.
"""
