# SPDX-License-Identifier: Apache-2.0
"""What a report says of a query beside its figures: what they state, how to read them.

Begin with ``query_notes.py``: which sentences are at a table, and which are said once for all.
"""
