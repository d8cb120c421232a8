# SPDX-License-Identifier: Apache-2.0
"""The distributions of noise and of choices: tails, half-widths, and exact sums of several of them.

Begin with ``half_widths.py``: how wide a margin is. It asks ``laplace.py`` under epsilon and
``gaussian.py`` under zCDP; margins of mean and variance are in ``moments.py``.
"""
