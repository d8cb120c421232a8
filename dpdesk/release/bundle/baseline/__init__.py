# SPDX-License-Identifier: Apache-2.0
"""A released Table 1 as journals print it: row for row, columns by group, how many in the head.

Begin with ``layout.py``; nothing here costs budget.
"""
