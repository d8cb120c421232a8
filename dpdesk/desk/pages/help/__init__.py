# SPDX-License-Identifier: Apache-2.0
"""The handbook: pages that ship with the program, in a window of their own.

Begin with ``handbook.py``, which reads ``resources/help``; ``handbook_window.py`` shows it, and
``topics.py`` says which page is about what has the keyboard.
"""
