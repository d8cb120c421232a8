# SPDX-License-Identifier: Apache-2.0
"""What people decide about an account beside its budget: locks, moves, corrections, series.

Each decision is an entry of kind ``decision``, which neither grants nor charges. ``values.py`` has
what they say, ``recovery.py`` which accounts are locked, ``series.py`` what is reserved for
releases that recur.
"""
