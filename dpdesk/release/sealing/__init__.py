# SPDX-License-Identifier: Apache-2.0
"""Counts that are made beside a database: the order for them, and the sealed file that comes back.

Begin with ``order_file.py``, which is public; ``sealed_counts.py`` says what is sealed, and for
whom; ``waiting_orders.py`` keeps the key that opens it, until its release.
"""
