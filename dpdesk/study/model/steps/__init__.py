# SPDX-License-Identifier: Apache-2.0
"""Columns made from others: the steps, what each can give, and in which order they are made.

Begin with ``step.py``.
"""
