# SPDX-License-Identifier: Apache-2.0
"""Files become integers: read as text, coded by declared rules, bounded per person, aggregated.

Begin with ``opened.py`` (any file as rows) and ``encode.py`` (rows as an encoded table);
``aggregation/aggregate.py`` gives the exact answers, sealed.
"""
