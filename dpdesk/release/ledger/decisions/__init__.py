# SPDX-License-Identifier: Apache-2.0
"""What people decide about an account beside its budget: locks, moves, corrections, series.

Each decision is an entry of kind ``decision``, which neither grants nor charges. ``decided.py``
declares them all, ``recovery.py`` says which accounts are locked, ``series.py`` what is reserved
for releases that recur.
"""
