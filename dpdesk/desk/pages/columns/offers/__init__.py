# SPDX-License-Identifier: Apache-2.0
"""What may be used for a column that is not declared yet: public ranges, lists, released bounds.

Begin with ``range_card.py``.
"""
