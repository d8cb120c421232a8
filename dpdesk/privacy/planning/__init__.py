# SPDX-License-Identifier: Apache-2.0
"""A plan explained before anything is spent: shares that fit, confidence levels, curves, remedies.

Nothing here changes what is drawn. Begin with ``confidence_levels.py``.
"""
