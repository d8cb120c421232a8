# SPDX-License-Identifier: Apache-2.0
"""Painted widgets, one public class a module; pages are put together from them.

Here are frames, buttons and what all widgets share; what is typed or chosen is in ``inputs/``, what
is read in ``labels/`` and ``tables/``, the budget in ``budget/``.
"""
