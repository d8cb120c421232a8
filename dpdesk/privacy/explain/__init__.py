# SPDX-License-Identifier: Apache-2.0
"""A plan explained before anything is spent: confidence levels, curves for plots, weak queries.

Nothing here changes what is drawn. Begin with ``confidence_levels.py``.
"""
