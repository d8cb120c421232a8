# SPDX-License-Identifier: Apache-2.0
"""What sentences that are filled in ask: a condition, a list of numbers, and where they open.

Begin with ``anchor.py``.
"""
