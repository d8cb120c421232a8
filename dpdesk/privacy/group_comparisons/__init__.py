# SPDX-License-Identifier: Apache-2.0
"""Groups of a released table compared with one another, from what was drawn alone, at no price.

Begin with ``compared.py``; ``intervals.py`` holds noise and chance together, ``null_tables.py``
says how often both alone would do as much.
"""
