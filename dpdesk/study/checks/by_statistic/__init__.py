# SPDX-License-Identifier: Apache-2.0
"""Judges what only some queries declare, each kind of statistic's own.

Begin with ``member_checks.py``.
"""
