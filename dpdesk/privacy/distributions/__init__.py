# SPDX-License-Identifier: Apache-2.0
"""The distributions of noise and of choices: tails, half-widths, and exact sums of several of them.

Begin with ``laplace.py`` and ``widths.py``; a margin of a mean is in ``ratio.py``, of a variance in
``moments.py``.
"""
