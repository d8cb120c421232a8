# SPDX-License-Identifier: Apache-2.0
"""Whose row is whose, and which rows are kept: ids, the contribution bound, the sketch.

Begin with ``bounding.py``.
"""
