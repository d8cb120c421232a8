# SPDX-License-Identifier: Apache-2.0
"""What is paid: the price of a plan now, instalments of a series, a budget over time.

Begin with ``prices.py``; ``compose.py`` puts a paid release into its record.
"""
