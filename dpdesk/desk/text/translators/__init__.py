# SPDX-License-Identifier: Apache-2.0
"""What Qt asks for the window's sentences: the language chosen, above English plurals.

Begin with ``chosen_language.py``.
"""
