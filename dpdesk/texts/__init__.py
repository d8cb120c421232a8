# SPDX-License-Identifier: Apache-2.0
"""The sentences of problems and of weak queries, which shell and window share.

Begin with ``problems.py``, where a problem's code becomes a sentence; ``dpdesk.catalogue``
translates all that is said outside the window's own code.
"""
