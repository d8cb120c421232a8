# SPDX-License-Identifier: Apache-2.0
"""The values that a study consists of; none of them can be changed.

Begin with ``document.py``, and go on to ``unit.py``, ``columns.py`` and ``queries.py``.
"""
