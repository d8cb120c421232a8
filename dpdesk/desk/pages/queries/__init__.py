# SPDX-License-Identifier: Apache-2.0
"""Queries: what to publish, and how accurately.

Begin with ``page.py``; a query is shown by ``query_card.py``, and by ``query_open.py`` once
opened.
"""
