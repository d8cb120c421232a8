# SPDX-License-Identifier: Apache-2.0
"""Plots where people would rather look than read; each has a table twin and a sentence.

Begin with ``plot_base.py``.
"""
