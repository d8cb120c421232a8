# SPDX-License-Identifier: Apache-2.0
"""What a study says in words: titles of queries, names of rows and people, numbers.

Begin with ``titles.py``.
"""
