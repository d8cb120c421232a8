# SPDX-License-Identifier: Apache-2.0
"""The sentences that are said outside the window's own code, and their translations.

Begin with ``catalogue.py``; a problem's code becomes a sentence in ``problems.py``.
"""
