# SPDX-License-Identifier: Apache-2.0
"""What is beside a plot: numbers, or the names of rows with their figures.

Begin with ``number_axis.py``; ``row_axis.py`` writes one row beside each bar or box.
"""
